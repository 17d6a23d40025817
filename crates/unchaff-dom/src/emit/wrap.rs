//! Lines of a width: paragraphs broken at spaces, for who reads them in a terminal or in the changes of a file.
//!
//! Only running text is broken. Code, tables, headings and formulas keep their lines. In Markdown a line is not broken before a word that would
//! start a block there (`-`, `#`, `1.` …), nor after a backslash, which would break it for good; then it stays longer than asked for.

/// Where the lines of running text start, and what stands before those that follow.
#[derive(Debug)]
pub(super) struct Wrap {
    width: usize,
    is_plain: bool,
    lines: Vec<(usize, String)>,
}

impl Wrap {
    pub(super) fn new(width: usize, is_plain: bool) -> Wrap {
        Wrap { width, is_plain, lines: Vec::new() }
    }

    /// Running text starts at a place; lines that follow have a prefix.
    pub(super) fn start(&mut self, at: usize, prefix: &str) {
        self.lines.push((at, prefix.to_owned()));
    }

    /// What starts at a place is no running text.
    pub(super) fn keep(&mut self, at: usize) {
        self.lines.pop_if(|(start, _)| *start == at);
    }

    /// The text with its lines broken.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 40);
        let mut copied = 0;
        for (start, prefix) in &self.lines {
            let Some(rest) = text.get(*start..) else { continue };
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            if *start < copied || line.contains('\t') || !self.is_plain && line.starts_with('#') {
                continue;
            }
            out.push_str(&text[copied..*start]);
            copied = start + line.len();
            let before = text[..*start].rfind('\n').map_or(0, |end| end + 1);
            self.push_line(&mut out, line, text[before..*start].chars().count(), prefix);
        }
        out.push_str(&text[copied..]);
        out
    }

    /// Writes a line that starts in a column.
    fn push_line(&self, out: &mut String, line: &str, column: usize, prefix: &str) {
        // Code at the start of a line that opens with three ticks is a fence unless more ticks follow on that line.
        let ticks = line.len() - line.trim_start_matches('`').len();
        let kept = match ticks {
            _ if self.is_plain => 0,
            0 if may_define(line) => line.len(),
            0..3 => 0,
            _ => line[ticks..].find('`').map_or(line.len(), |at| ticks + at),
        };
        let mut used = column;
        let mut rest = line;
        let mut is_first = true;
        while !rest.is_empty() {
            let end = rest.find(' ').map_or(rest.len(), |end| end.max(1));
            let (word, after) = rest.split_at(end);
            let length = word.chars().count();
            let may_break = self.is_plain || !starts_block(rest) && !out.ends_with('\\') && line.len() - rest.len() > kept;
            if is_first {
                used += length;
            } else if used + 1 + length > self.width && may_break {
                out.push('\n');
                out.push_str(prefix);
                used = prefix.chars().count() + length;
            } else {
                out.push(' ');
                used += 1 + length;
            }
            out.push_str(word);
            is_first = false;
            rest = after.strip_prefix(' ').unwrap_or(after);
        }
    }
}

/// Whether a line starts as one does that says where a reference leads (`[a]: b`): a link whose text is code can. It is none as long as more follows on the line.
fn may_define(line: &str) -> bool {
    line.starts_with('[') && line.match_indices("]:").any(|(at, _)| !line[..at].ends_with('\\'))
}

/// Whether Markdown would take the first word of a line for the start of a block, or the line for one under a heading.
fn starts_block(rest: &str) -> bool {
    let word = rest.split(' ').next().unwrap_or_default();
    let after_digits = word.trim_start_matches(|character: char| character.is_ascii_digit());
    word.starts_with(['#', '>', '|', '<', ':'])
        || ["```", "~~~", "[^", "$$"].iter().any(|mark| word.starts_with(mark))
        || word.bytes().all(|byte| b"-+*=_:|".contains(&byte))
        || after_digits.len() < word.len() && matches!(after_digits, "." | ")")
}

#[cfg(test)]
mod tests {
    use crate::{Page, emit};

    fn markdown(html: &str, width: usize) -> String {
        let page = Page::parse(html);
        let style = emit::MarkdownStyle { width: Some(width), ..emit::MarkdownStyle::default() };
        emit::markdown_as(&page, &page.subtree_set(page.root()), style)
    }

    #[test]
    fn paragraphs_items_and_quotes_are_broken_and_all_else_is_kept() {
        let html = "<h2>a heading that is long enough</h2><p>one two three four five<ul><li>six seven eight nine</ul>\
                    <blockquote>ten eleven twelve</blockquote><pre>code that is long enough</pre>";
        let expected = "## a heading that is long enough\n\none two\nthree four\nfive\n\n- six seven\n  eight nine\n\n\
                        > ten eleven\n> twelve\n\n```\ncode that is long enough\n```\n";
        assert_eq!(markdown(html, 12), expected);
        let table = "<table><tr><th>one two three<th>b<tr><td>c<td>four five six</table>";
        assert_eq!(markdown(table, 10), markdown(table, 100));
        let page = Page::parse(html);
        let text = emit::text_within(&page, &page.subtree_set(page.root()), 12);
        assert!(text.contains("\none two\nthree four\nfive\n\n- six seven\n  eight nine\n"), "{text}");
        assert!(text.contains("\ncode that is long enough\n"), "{text}");
    }

    #[test]
    fn no_line_starts_with_what_would_be_a_block() {
        assert_eq!(markdown("<p>one two - three # four 1986. five", 8), "one two -\nthree #\nfour 1986.\nfive\n");
        assert_eq!(markdown("<p>one two\\ three", 6), "one\ntwo\\\\ three\n");
        let link = "<a href=https://e.org/x><code>a]: bb cc</code> dd</a> ee";
        assert_eq!(markdown(link, 6), "[`a]: bb cc` dd](https://e.org/x) ee\n");
        assert_eq!(markdown("<p>[a]: bb cc dd", 8), "[a\\]: bb\ncc dd\n");
        assert_eq!(markdown("<kbd><b>a aaa```</b></kbd> b c", 6), "```` a aaa``` ````\nb c\n");
    }
}
