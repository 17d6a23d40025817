//! Links of Markdown as numbers, with the addresses at the end: what an assistant reads is shorter, and each address is there once.

/// The same Markdown with `[text](address)` as `[text][1]`, and a line for each address at the end. Code is left as it is.
pub(super) fn numbered(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut addresses: Vec<&str> = Vec::new();
    let mut fence: Option<&str> = None;
    for line in markdown.split_inclusive('\n') {
        let marker = ["```", "~~~"].into_iter().find(|marker| line.trim_start().starts_with(marker));
        match (fence, marker) {
            (Some(open), Some(marker)) if open == marker => fence = None,
            (None, Some(marker)) => fence = Some(marker),
            (None, None) if !line.starts_with("    ") => {
                links_of(line, &mut out, &mut addresses);
                continue;
            }
            _ => {}
        }
        out.push_str(line);
    }
    if !addresses.is_empty() {
        out.truncate(out.trim_end().len());
        out.push_str("\n\n");
        for (at, address) in addresses.iter().enumerate() {
            out += &format!("[{}]: {address}\n", at + 1);
        }
    }
    out
}

/// One line, without its addresses.
fn links_of<'m>(line: &'m str, out: &mut String, addresses: &mut Vec<&'m str>) {
    let mut rest = line;
    loop {
        let code = rest.find('`').unwrap_or(rest.len());
        let link = rest.find("](").unwrap_or(rest.len());
        if code < link {
            // Up to as many backticks as it began with.
            let ticks = rest[code..].len() - rest[code..].trim_start_matches('`').len();
            let inside = &rest[code + ticks..];
            let end = inside.find(&rest[code..code + ticks]).map_or(code + ticks, |end| code + ticks + end + ticks);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let Some((address, after)) = rest.get(link + 2..).and_then(destination) else {
            let end = (link + 2).min(rest.len());
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            if rest.is_empty() {
                return;
            }
            continue;
        };
        let number = addresses.iter().position(|known| *known == address).unwrap_or_else(|| {
            addresses.push(address);
            addresses.len() - 1
        });
        out.push_str(&rest[..link]);
        *out += &format!("][{}]", number + 1);
        rest = after;
    }
}

/// The address after `](`, and what follows its `)`.
fn destination(text: &str) -> Option<(&str, &str)> {
    if let Some(inside) = text.strip_prefix('<') {
        let (address, after) = inside.split_once('>')?;
        return Some((address, &after[after.find(')')? + 1..]));
    }
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some((&text[..at], &text[at + 1..])),
            ')' => depth -= 1,
            // A title follows.
            ' ' => return Some((&text[..at], &text[at + text[at..].find(')')? + 1..])),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_one_number() {
        let markdown = "A [b](https://x/) and [c](<https://y/ z>) and [d](https://x/ \"Title\"), [e](https://w/(1)).\n";
        let expected = "A [b][1] and [c][2] and [d][1], [e][3].\n\n[1]: https://x/\n[2]: https://y/ z\n[3]: https://w/(1)\n";
        assert_eq!(numbered(markdown), expected);
    }

    #[test]
    fn code_is_left_as_it_is() {
        for code in [
            "`a[0](1)` and ``b`](c)``\n",
            "```\n[a](b)\n```\n",
            "~~~\n```\n[a](b)\n~~~\n",
            "    [a](b)\n",
            "no ](link",
            "`open [a](",
            "](",
            "",
        ] {
            assert_eq!(numbered(code), code);
        }
        assert_eq!(numbered("```\nx\n```\n[a](b)\n"), "```\nx\n```\n[a][1]\n\n[1]: b\n");
    }
}
