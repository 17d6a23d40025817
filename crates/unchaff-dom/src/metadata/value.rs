//! Values as pages write them, made fit to show: texts, names of people, languages, addresses and kinds.
//!
//! Texts: white space is collapsed, character references that are left after parsing are decoded (`&amp;amp;` is common in
//! `meta`, and JSON-LD is not decoded by the parser at all), tags are removed, control characters too. What is longer
//! than its field allows is cut at a word, with `…`. Empty values and what templates leave behind when they have none
//! (`null`, `undefined`, `{{title}}`) are no values.

use crate::Page;
use crate::parse::char_names::CharNames;
use std::borrow::Cow;

/// Characters of a title.
pub(super) const LONGEST_TITLE: usize = 300;
/// Characters of a description.
pub(super) const LONGEST_DESCRIPTION: usize = 2000;
/// Characters of the name of a person or a site; longer ones are no names.
pub(super) const LONGEST_NAME: usize = 100;
/// Bytes of an address; longer ones are ignored.
const LONGEST_URL: usize = 2048;

/// A text of at most `longest` characters; none if nothing is left of it.
pub(super) fn text(raw: &str, longest: usize) -> Option<String> {
    // References and tags only make a text longer than what it says, so a margin is enough.
    let raw = &raw[..raw.floor_char_boundary(longest.saturating_mul(8))];
    let decoded = decode(&decode(raw)).into_owned();
    let bare = without_tags(&decoded);
    let mut text = String::with_capacity(bare.len());
    for word in bare.split(|character: char| character.is_whitespace() || character.is_control()).filter(|word| !word.is_empty())
    {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    let text = text.trim_matches(|character| matches!(character, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}' | ' '));
    (!is_placeholder(text)).then(|| cut(text, longest))
}

/// The name of a site, or something like it.
pub(super) fn name(raw: &str) -> Option<String> {
    text(raw, LONGEST_NAME).filter(|name| !name.ends_with('…') && name.contains(char::is_alphanumeric))
}

fn is_placeholder(text: &str) -> bool {
    const EMPTY: [&str; 9] =
        ["null", "undefined", "[object object]", "n/a", "false", "nan", "untitled document", "untitled", "(null)"];
    text.is_empty()
        || !text.contains(|character: char| !character.is_ascii_punctuation() && character != ' ')
        || text.starts_with("{{")
        || (text.len() > 2 && text.starts_with('%') && text.ends_with('%'))
        || EMPTY.iter().any(|empty| text.eq_ignore_ascii_case(empty))
}

fn cut(text: &str, longest: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(longest) else { return text.to_owned() };
    let start = &text[..end];
    // Scripts without spaces are cut anywhere.
    let whole = start.rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", start[..whole].trim_end())
}

/// Decodes what plainly is a character reference: `&`, a known name or a number, and `;`.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    const LONGEST_REFERENCE: usize = 33;
    let mut decoded = String::new();
    let mut copied = 0;
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'&', &text.as_bytes()[from..]) {
        let start = from + found;
        from = start + 1;
        let window = &text.as_bytes()[start..text.len().min(start + LONGEST_REFERENCE)];
        let Some(end) = memchr::memchr(b';', window).map(|at| start + at + 1) else { continue };
        let reference = &text[start..end];
        let number = reference.strip_prefix("&#").map(|rest| &rest[..rest.len() - 1]);
        let character = number.and_then(|number| match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        });
        let mut buffer = [0; 4];
        let meaning: &str = match character.and_then(char::from_u32).filter(|character| *character != '\0') {
            Some(character) => character.encode_utf8(&mut buffer),
            None => match CharNames::get().meaning(&reference[1..]) {
                Some(meaning) => meaning,
                None => continue,
            },
        };
        decoded.push_str(&text[copied..start]);
        decoded.push_str(meaning);
        (copied, from) = (end, end);
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    decoded.push_str(&text[copied..]);
    Cow::Owned(decoded)
}

/// Puts a space in the place of every tag, if there is an end tag or a line break among them: `<table>: The Table element`
/// is a title. A `<` that no letter or `/` follows, or no `>`, is text.
fn without_tags(text: &str) -> Cow<'_, str> {
    if !["</", "/>", "<br"].iter().any(|mark| text.contains(mark)) {
        return Cow::Borrowed(text);
    }
    let mut bare = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let is_tag =
            rest[start + 1..].starts_with(|character: char| character.is_ascii_alphabetic() || matches!(character, '/' | '!'));
        let end = if is_tag { rest[start..].find('>').map(|end| start + end + 1) } else { Some(start + 1) };
        let Some(end) = end else { break };
        bare.push_str(&rest[..if is_tag { start } else { end }]);
        if is_tag {
            bare.push(' ');
        }
        rest = &rest[end..];
    }
    if rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    bare.push_str(rest);
    Cow::Owned(bare)
}

/// An address, absolute and of the web. Without a page's address, relative ones are none.
pub(super) fn url(page: &Page, raw: &str) -> Option<String> {
    let raw = raw.trim();
    let fits = !raw.is_empty() && raw.len() <= LONGEST_URL && !raw.starts_with(['#', '{', '<', '[']) && !is_placeholder(raw);
    let url = fits.then(|| page.resolve_to_show(&decode(raw)))??;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| url.to_string())
}

/// A language tag by BCP 47 (RFC 5646, section 2.1.1, for the case of its parts): `en_us` is `en-US`. Of a list, the first.
pub(super) fn language(raw: &str) -> Option<String> {
    let first = raw.split([',', ';', '.', '@']).next()?.trim();
    if first.len() > 35 {
        return None;
    }
    let mut parts = first.split(['-', '_']);
    let is_alphabetic = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let primary = parts.next().filter(|part| (2..=3).contains(&part.len()) && is_alphabetic(part))?;
    let mut tag = primary.to_ascii_lowercase();
    let mut is_single = false;
    for part in parts {
        if !(1..=8).contains(&part.len()) || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        tag.push('-');
        match part.len() {
            2 if is_alphabetic(part) && !is_single => tag.push_str(&part.to_ascii_uppercase()),
            4 if is_alphabetic(part) && !is_single => {
                tag.push_str(&part[..1].to_ascii_uppercase());
                tag.push_str(&part[1..].to_ascii_lowercase());
            }
            _ => tag.push_str(&part.to_ascii_lowercase()),
        }
        is_single |= part.len() == 1;
    }
    (!matches!(tag.as_str(), "und" | "zxx" | "mul" | "utf-8" | "utf8") && !tag.ends_with("-")).then_some(tag)
}

/// The kind of a page, by one vocabulary for schema.org's types and Open Graph's: `article`, `product`, `forum`, `recipe`,
/// `video`, `audio`, `event`, `job`, `book`, `course`, `howto`, `faq`, `software`, `dataset`, `review`, `service`,
/// `place`, `profile`, `collection`, `website`. What says nothing (`WebPage`) is none; other names of Open Graph are kept.
pub(super) fn kind(raw: &str) -> Option<String> {
    let raw = raw.trim();
    if raw.is_empty() || raw.len() > 60 {
        return None;
    }
    let name = raw.rsplit(['/', '#']).next()?.to_ascii_lowercase();
    let name = name.rsplit_once(':').map_or(name.as_str(), |(_, local)| local);
    let known = match name {
        "blogposting" | "liveblogposting" | "socialmediaposting" | "report" | "article" | "blog_post" | "story" | "post" => {
            "article"
        }
        _ if name.ends_with("article") => "article",
        "product" | "productgroup" | "individualproduct" | "productmodel" | "vehicle" | "car" | "product.item"
        | "product.group" | "item" => "product",
        "discussionforumposting" | "qapage" | "question" | "forum" | "discussion" => "forum",
        "recipe" | "food" => "recipe",
        "videoobject" | "movie" | "tvepisode" | "tvseries" | "tv_show" | "tvshow" | "clip" => "video",
        _ if name.starts_with("video") => "video",
        "podcastepisode" | "audioobject" | "musicrecording" | "musicalbum" | "radioepisode" | "podcastseries" | "song"
        | "album" => "audio",
        _ if name.starts_with("music.") => "audio",
        "jobposting" | "job" => "job",
        "book" | "books.book" => "book",
        "course" => "course",
        "howto" => "howto",
        "faqpage" => "faq",
        "softwareapplication" | "mobileapplication" | "webapplication" | "softwaresourcecode" | "videogame" => "software",
        "dataset" => "dataset",
        "review" | "criticreview" => "review",
        "service" | "financialproduct" => "service",
        "localbusiness" | "restaurant" | "hotel" | "place" | "touristattraction" | "lodgingbusiness" | "store"
        | "business.business" => "place",
        "profilepage" | "profile" | "person" | "author" => "profile",
        "collectionpage" | "itemlist" | "blog" | "searchresultspage" | "categorypage" | "mediagallery" | "imagegallery" => {
            "collection"
        }
        "website" | "homepage" => "website",
        _ if name.ends_with("event") => "event",
        "webpage" | "page" | "itempage" | "aboutpage" | "contactpage" | "checkoutpage" | "medicalwebpage" | "object" => {
            return None;
        }
        other if other.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')) => other,
        _ => return None,
    };
    (!is_placeholder(known)).then(|| known.to_owned())
}

/// The words of a field that lists them: tags, sections.
pub(super) fn list(raw: &str) -> Vec<String> {
    const LONGEST_TAG: usize = 80;
    let raw = &raw[..raw.floor_char_boundary(4096)];
    let parts = raw.split([',', ';', '，', '、', '；', '\n']);
    parts.filter_map(|part| text(part, LONGEST_TAG)).filter(|tag| !tag.ends_with('…')).collect()
}

/// A licence: its address if it has one, else what is said of it.
pub(super) fn licence(page: &Page, raw: &str) -> Option<String> {
    const LONGEST_LICENCE: usize = 300;
    let is_address = raw.trim().starts_with('/') || raw.contains("://");
    let address = if is_address && !raw.trim().contains(char::is_whitespace) { url(page, raw) } else { None };
    address.or_else(|| text(raw, LONGEST_LICENCE).filter(|_| !is_address))
}

/// Whether something must be paid for, or at least a subscription had.
pub(super) fn is_paywalled(raw: &str) -> Option<bool> {
    match raw.trim().rsplit('/').next()?.to_ascii_lowercase().as_str() {
        "free" | "true" => Some(false),
        "locked" | "metered" | "paid" | "premium" | "false" => Some(true),
        _ => None,
    }
}

/// Letters and digits alone, in lower case: what names are compared by.
pub(super) fn folded(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_decoded_once_more_collapsed_and_bare() {
        let cases = [
            ("  a\n\t b ", "a b"),
            ("Q&amp;A", "Q&A"),
            ("Q&amp;amp;A", "Q&A"),
            ("it&#8217;s &#x27;so&#39;", "it’s 'so'"),
            ("caf&eacute; &hellip;", "café …"),
            ("AT&T; &nosuch; & more", "AT&T; &nosuch; & more"),
            ("<p>One</p><p>two</p>", "One two"),
            ("1 < 2 > 0", "1 < 2 > 0"),
            ("a <b", "a <b"),
            ("<table>: The Table element", "<table>: The Table element"),
            ("One<br />two", "One two"),
            ("nul\0l\u{7}", "nul l"),
            ("\u{feff}x\u{200b}", "x"),
        ];
        for (raw, expected) in cases {
            assert_eq!(text(raw, 100).as_deref(), Some(expected), "{raw}");
        }
        for empty in ["", "  ", "null", "undefined", "{{ title }}", "%title%", "-", "<p></p>", "&nbsp;", "&#0;&#x110000;"] {
            assert!(text(empty, 100).is_none_or(|text| text.starts_with('&')), "{empty}");
        }
    }

    #[test]
    fn long_texts_are_cut_at_a_word() {
        assert_eq!(text("one two three", 9).unwrap(), "one two…");
        assert_eq!(text("onetwothree", 5).unwrap(), "onetw…");
        assert_eq!(text(&"漢".repeat(50), 10).unwrap(), format!("{}…", "漢".repeat(10)));
        assert_eq!(text(&"x ".repeat(1_000_000), 300).unwrap().chars().count(), 300);
        assert_eq!(name(&"x ".repeat(200)), None);
    }

    #[test]
    fn languages_are_normalised_and_nonsense_is_none() {
        let cases = [
            ("en", Some("en")),
            ("EN_us", Some("en-US")),
            ("zh-hant-tw", Some("zh-Hant-TW")),
            ("de-CH-1996", Some("de-CH-1996")),
            ("es-419", Some("es-419")),
            ("en-US, fr", Some("en-US")),
            ("en_US.UTF-8", Some("en-US")),
            ("en-x-ab", Some("en-x-ab")),
            ("english", None),
            ("x-default", None),
            ("und", None),
            ("utf-8", None),
            ("{{lang}}", None),
            ("en-", None),
            ("", None),
            ("é", None),
        ];
        for (raw, expected) in cases {
            assert_eq!(language(raw).as_deref(), expected, "{raw}");
        }
    }

    #[test]
    fn kinds_share_one_vocabulary() {
        let cases = [
            ("NewsArticle", Some("article")),
            ("https://schema.org/BlogPosting", Some("article")),
            ("og:product", Some("product")),
            ("video.other", Some("video")),
            ("MusicEvent", Some("event")),
            ("website", Some("website")),
            ("WebPage", None),
            ("", None),
            ("a b", None),
        ];
        for (raw, expected) in cases {
            assert_eq!(kind(raw).as_deref(), expected, "{raw}");
        }
    }

    #[test]
    fn addresses_are_absolute_and_of_the_web() {
        let page = crate::Parser::new().url("https://example.org/a/b").parse("");
        assert_eq!(url(&page, " /c.png ").as_deref(), Some("https://example.org/c.png"));
        assert_eq!(url(&page, "//cdn.example.org/c?a=1&amp;b=2").as_deref(), Some("https://cdn.example.org/c?a=1&b=2"));
        for none in ["", "data:image/png;base64,AAAA", "javascript:void(0)", "#top", "{{image}}", "http://"] {
            assert_eq!(url(&page, none), None, "{none}");
        }
        assert_eq!(url(&Page::parse(""), "/c.png"), None);
    }
}
