//! `robots.txt`: what the owner of a site lets crawlers fetch (RFC 9309), and how fast.
//!
//! The groups for our product token are joined, or else those for `*`; of the rules the one with the longest path decides,
//! `Allow` before `Disallow` at equal length. `*` stands for any characters, `$` at the end for the end of the path.
//! `Crawl-delay` is no part of the standard but is widely written, and heeded.

use std::time::Duration;

use percent_encoding::percent_decode_str;
use url::Url;

/// Most bytes of a file that are read, as RFC 9309 (2.5) has it.
pub(crate) const MAX_BYTES: u64 = 500 << 10;

/// The rules of one host for one crawler.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    rules: Vec<Rule>,
    delay: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allow: bool,
    /// In one spelling of percent signs, without a `$` at its end.
    path: Vec<u8>,
    whole: bool,
}

impl Robots {
    /// The rules for a crawler, named by its product token, such as `unchaff`.
    ///
    /// ```
    /// use unchaff_source::Robots;
    /// use url::Url;
    ///
    /// let robots = Robots::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/open\n", "unchaff");
    /// let allows = |url: &str| robots.allows(&Url::parse(url).unwrap());
    /// assert!(allows("https://example.org/") && allows("https://example.org/private/open/a"));
    /// assert!(!allows("https://example.org/private/b"));
    /// ```
    pub fn parse(bytes: &[u8], product: &str) -> Robots {
        let mut bytes = bytes;
        if bytes.len() as u64 > MAX_BYTES {
            // Half a line would be another rule.
            bytes = &bytes[..MAX_BYTES as usize];
            bytes = &bytes[..bytes.iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len())];
        }
        let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        let (mut ours, mut anyones) = (Robots::default(), Robots::default());
        let mut named = false;
        let (mut for_us, mut for_all, mut in_rules) = (false, false, true);
        for line in text.split(['\r', '\n']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((field, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match field.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if std::mem::replace(&mut in_rules, false) {
                        (for_us, for_all) = (false, false);
                    }
                    for_us |= product_token(value).eq_ignore_ascii_case(product);
                    for_all |= value == "*";
                    named |= for_us;
                }
                field @ ("allow" | "disallow" | "crawl-delay") => {
                    in_rules = true;
                    for group in [for_us.then_some(&mut ours), for_all.then_some(&mut anyones)].into_iter().flatten() {
                        group.add(field, value);
                    }
                }
                _ => {}
            }
        }
        if named { ours } else { anyones }
    }

    /// Rules that forbid all, for a host whose rules cannot be had (RFC 9309, 2.3.1.4).
    pub fn forbid_all() -> Robots {
        let mut robots = Robots::default();
        robots.add("disallow", "/");
        robots
    }

    /// Whether the address may be fetched.
    pub fn allows(&self, url: &Url) -> bool {
        if url.path() == "/robots.txt" {
            return true;
        }
        let path = one_spelling(&url[url::Position::BeforePath..url::Position::AfterQuery]);
        let longest = self
            .rules
            .iter()
            .filter(|rule| rule.matches(&path))
            .max_by_key(|rule| (rule.path.len() + usize::from(rule.whole), rule.allow));
        longest.is_none_or(|rule| rule.allow)
    }

    /// How long to wait between two requests, if the file says.
    pub fn delay(&self) -> Option<Duration> {
        self.delay
    }

    fn add(&mut self, field: &str, value: &str) {
        if field == "crawl-delay" {
            let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
            self.delay = self.delay.or(seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()));
            return;
        }
        // An empty path forbids nothing; one that begins otherwise can match nothing.
        if value.starts_with(['/', '*', '$']) {
            let (path, whole) = value.strip_suffix('$').map_or((value, false), |path| (path, true));
            self.rules.push(Rule { allow: field == "allow", path: one_spelling(path), whole });
        }
    }
}

impl Rule {
    /// Each piece between stars is looked for once, leftmost first, so the cost is bounded by path times rule.
    fn matches(&self, path: &[u8]) -> bool {
        let mut pieces = self.path.split(|byte| *byte == b'*').peekable();
        let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
        if pieces.peek().is_none() {
            return !self.whole || rest.is_empty();
        }
        while let Some(piece) = pieces.next() {
            if self.whole && pieces.peek().is_none() {
                return rest.ends_with(piece);
            }
            let Some(at) = find(rest, piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
        true
    }
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    if piece.is_empty() { Some(0) } else { text.windows(piece.len()).position(|window| window == piece) }
}

/// The token that a crawler is known by: the letters, `-` and `_` that a line begins with.
fn product_token(value: &str) -> &str {
    let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_').unwrap_or(value.len());
    &value[..end]
}

/// Percent signs decoded where that changes nothing: `/a%7eb` and `/a~b` are one path, `/a%2Fb` and `/a/b` are not.
fn one_spelling(path: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%'
            && let [high, low, after @ ..] = after
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            let code = [b'%', *high, *low].map(|byte| byte.to_ascii_uppercase());
            match percent_decode_str(std::str::from_utf8(&code).unwrap_or_default()).next() {
                Some(byte) if !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => out.push(byte),
                _ => out.extend_from_slice(&code),
            }
            rest = after;
        } else {
            out.push(*first);
            rest = after;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn allows(robots: &str, path: &str) -> bool {
        Robots::parse(robots.as_bytes(), "unchaff").allows(&Url::parse("https://example.org/").unwrap().join(path).unwrap())
    }

    #[test]
    fn the_longest_rule_decides() {
        // RFC 9309, 5.2.
        let robots = "User-Agent: unchaff\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
        assert!(allows(robots, "/example/page/"));
        assert!(!allows(robots, "/example/page/disallowed.gif"));
        assert!(allows("User-agent: *\nDisallow: /a\nAllow: /a\n", "/a"), "allow wins at equal length");
        assert!(!allows("User-agent: *\nDisallow: /\n", "/anything?x"));
        assert!(allows("User-agent: *\nDisallow: /\n", "/robots.txt"));
        assert!(allows("User-agent: *\nDisallow:\n", "/anything"));
        assert!(allows("", "/anything"));
        assert!(!Robots::forbid_all().allows(&Url::parse("https://example.org/").unwrap()));
    }

    #[test]
    fn of_a_file_that_is_too_long_the_beginning_counts_up_to_a_whole_line() {
        let long = format!("User-agent: *\nDisallow: /a\n{}", "# padding\n".repeat(300_000));
        assert!(!allows(&long, "/a") && allows(&long, "/b"));
        let start = "User-agent: *\nDisallow: /a\n";
        let cut = format!("{start}{}Disallow: /b/c\n", "#".repeat(MAX_BYTES as usize - start.len() - 14) + "\n");
        assert_eq!(&cut.as_bytes()[MAX_BYTES as usize - 1..], b"/c\n", "the limit is in the middle of the last line");
        assert!(!allows(&cut, "/a") && allows(&cut, "/b/x"), "the line that is cut is no rule");
    }

    #[test]
    fn groups_for_us_are_joined_and_outrank_those_for_all() {
        // RFC 9309, 2.2.1 and 5.1.
        let robots = "User-agent: *\nDisallow: /\n\nUser-agent: Unchaff/2.0\nUser-agent: other\nDisallow: /a\nSitemap: x\n\
                      User-agent: third\nDisallow: /c\nUSER-AGENT: unchaff # again\nDisallow: /b\n";
        assert!(!allows(robots, "/a") && !allows(robots, "/b") && allows(robots, "/c"));
        assert!(allows("User-agent: *\nDisallow: /\nUser-agent: unchaff\n", "/a"), "a group without rules allows all");
        assert!(allows("Disallow: /\nUser-agent: unchaffing\nDisallow: /\n", "/a"), "rules before a group, and another's");
    }

    #[test]
    fn stars_and_the_end_are_heeded() {
        for (rule, path, expected) in [
            ("/*.gif$", "/a/b.gif", false),
            ("/*.gif$", "/a/b.gif?x", true),
            ("/*.gif$", "/a.gif.b.gif", false),
            ("/*aa$", "/aaa", false),
            ("/*.gif", "/a.gif?x", false),
            ("/a*b*c", "/a--b--c--", false),
            ("/a*b*c", "/a--c--b", true),
            ("/fish$", "/fish", false),
            ("/fish$", "/fishes", true),
            ("*/x", "/y/x", false),
            ("/a$b", "/a$b", false),
            ("/caf%C3%A9", "/café", false),
            ("/café", "/caf%c3%a9/x", false),
            ("/~user", "/%7Euser", false),
            ("/a%2fb", "/a/b", true),
            ("/*?sid=", "/p?sid=3", false),
        ] {
            assert_eq!(allows(&format!("User-agent: *\nDisallow: {rule}\n"), path), expected, "{rule} {path}");
        }
    }

    #[test]
    fn the_delay_is_that_of_our_group() {
        let delay = |text: &str| Robots::parse(text.as_bytes(), "unchaff").delay();
        assert_eq!(delay("User-agent: *\nCrawl-delay: 2.5"), Some(Duration::from_millis(2500)));
        assert_eq!(delay("User-agent: *\nCrawl-delay: 9\nUser-agent: unchaff\nDisallow:"), None);
        for nonsense in ["-1", "NaN", "inf", "soon", ""] {
            assert_eq!(delay(&format!("User-agent: *\nCrawl-delay: {nonsense}")), None, "{nonsense}");
        }
    }

    proptest! {
        #[test]
        fn no_file_panics_and_stars_match_what_the_definition_says(rule in "/[ab*]{0,6}[$]?", path in "/[ab]{0,8}") {
            /// Tries every way to share the path among the stars.
            fn defined(rule: &[u8], path: &[u8]) -> bool {
                match (rule, path) {
                    ([], _) | ([b'$'], []) => true,
                    ([b'*', rest @ ..], _) => (0..=path.len()).any(|at| defined(rest, &path[at..])),
                    ([a, rule @ ..], [b, path @ ..]) => a == b && defined(rule, path),
                    _ => false,
                }
            }
            let expected = !defined(rule.as_bytes(), path.as_bytes());
            prop_assert_eq!(allows(&format!("User-agent: *\nDisallow: {rule}\n"), &path), expected);
        }

        #[test]
        fn any_bytes_are_a_file(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Robots::parse(&bytes, "unchaff").allows(&Url::parse("https://example.org/a").unwrap());
        }
    }
}
