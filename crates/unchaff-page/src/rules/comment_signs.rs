//! What comments consist of: people, dates, ways to answer; read off a page once and counted over any part of it.

use crate::learned::name_families::{Family, NameFamilies, Reader, families_of};
use unchaff_dom::metadata::names_day;
use unchaff_dom::{AttrName, NodeId, NodeSet, Page, Tag};

/// What comments consist of, counted over a range of nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signs {
    pub(crate) people: u32,
    pub(crate) dates: u32,
    pub(crate) answers: u32,
    pub(crate) numbered: u32,
    pub(crate) microdata: u32,
    /// Stars and marks that a product is given.
    pub(crate) ratings: u32,
    /// Words outside links, headings and forms.
    pub(crate) words: u32,
    /// What no comment has: the page's main part and its first heading. An element with these wraps more, whatever its name.
    pub(crate) articles: u32,
    /// Names and microdata of discussion boards.
    pub(crate) forums: u32,
}

impl Signs {
    fn minus(self, other: Signs) -> Signs {
        Signs {
            people: self.people - other.people,
            dates: self.dates - other.dates,
            answers: self.answers - other.answers,
            numbered: self.numbered - other.numbered,
            microdata: self.microdata - other.microdata,
            ratings: self.ratings - other.ratings,
            words: self.words - other.words,
            articles: self.articles - other.articles,
            forums: self.forums - other.forums,
        }
    }

    /// How many kinds of signs there are.
    pub(crate) fn kinds(self) -> u32 {
        [self.people, self.dates, self.answers, self.numbered, self.microdata, self.ratings]
            .iter()
            .map(|number| u32::from(*number > 0))
            .sum()
    }
}

/// A page read for comments.
pub(crate) struct Reading<'p> {
    pub(crate) page: &'p Page,
    pub(crate) names: NameFamilies,
    /// Signs of all nodes before each one, and of all at the end.
    pub(crate) sums: Vec<Signs>,
    /// Words before each node that may be the article's: outside links, headings, forms and whatever is named after comments.
    pub(crate) article_words: Vec<u32>,
    /// Forms in which a comment is written.
    pub(crate) forms: NodeSet,
    /// Elements that microdata calls a comment.
    microdata: NodeSet,
}

/// The attributes that signs are looked for in, read in one pass.
#[derive(Default)]
struct Attributes<'p> {
    property: &'p str,
    kind: &'p str,
    role: &'p str,
    label: Option<&'p str>,
    title: Option<&'p str>,
    leads: bool,
}

impl<'p> Attributes<'p> {
    fn of(page: &'p Page, node: NodeId) -> Attributes<'p> {
        let mut found = Attributes::default();
        let is_read = |name| {
            use AttrName::*;
            matches!(name, Itemprop | Itemtype | Role | AriaLabel | Title | Href)
        };
        for (name, value) in page.attrs_named(node, is_read) {
            match name {
                AttrName::Itemprop => found.property = value,
                AttrName::Itemtype => found.kind = value,
                AttrName::Role => found.role = value,
                AttrName::AriaLabel => found.label = Some(value),
                AttrName::Title => found.title = Some(value),
                AttrName::Href => found.leads = true,
                _ => {}
            }
        }
        found
    }
}

impl<'p> Reading<'p> {
    pub(crate) fn of(page: &'p Page, body: NodeId) -> Reading<'p> {
        let names = NameFamilies::of(page);
        let forms = reply_forms(page, body);
        let mut sums = vec![Signs::default(); page.len() + 1];
        let (mut link_end, mut heading_end) = (NodeId(0), NodeId(0));
        let mut sum = Signs::default();
        let mut reader = Reader::default();
        let mut microdata = NodeSet::new(page);
        for node in page.nodes() {
            sums[node.index()] = sum;
            let tag = page.tag(node);
            let Attributes { property, kind, role, label, title, leads } = match tag.is_element() {
                true => Attributes::of(page, node),
                false => Attributes::default(),
            };
            let is_comment = is_comment_microdata(property, kind);
            if is_comment {
                microdata.insert(node);
            }
            if node <= body || forms.contains(node) {
                continue;
            }
            if tag.is_element() {
                let families = names.at(node);
                if tag == Tag::A && leads {
                    link_end = link_end.max(page.end(node));
                }
                let is_first_heading =
                    tag == Tag::H1 && !families.has(Family::Comment) && !families_of(page.text(node)).has(Family::Comment);
                sum.articles += u32::from(is_first_heading || tag == Tag::Main || role == "main" || property == "articleBody");
                sum.forums += u32::from(families.has(Family::Forum) || kind.ends_with("/DiscussionForumPosting"));
                if tag.heading_level().is_some() {
                    heading_end = heading_end.max(page.end(node));
                }
                sum.people +=
                    u32::from(families.has(Family::Person) || property == "author" || property == "creator" || tag == Tag::Cite);
                sum.dates += u32::from(
                    tag == Tag::Time || property == "commentTime" || property == "datePublished" || property == "dateCreated",
                );
                sum.answers += u32::from(families.has(Family::Reply));
                sum.numbered += u32::from(families.has(Family::Comment) && families.has_number());
                sum.microdata += u32::from(is_comment);
                let label = label.or(title).unwrap_or_default();
                sum.ratings += u32::from(matches!(property, "reviewRating" | "ratingValue") || is_rating(label));
            } else if tag == Tag::Text && page.counts(node).chars > 0 {
                let text = page.string(node).trim();
                let counts = page.counts(node);
                let short = counts.words > 0 && text.len() < 80;
                sum.people += u32::from(short && text.split_whitespace().any(is_speaking));
                sum.dates += u32::from(short && is_dated(text));
                sum.ratings += u32::from(text.len() < 80 && is_rating(text));
                sum.answers += u32::from(short && counts.tokens <= 3 && reader.reread_all(text).has(Family::Reply));
                if node >= link_end && node >= heading_end {
                    sum.words += counts.words;
                }
            }
        }
        sums[page.len()] = sum;
        let mut reading = Reading { page, names, sums, article_words: Vec::new(), forms, microdata };
        reading.article_words = reading.count_article_words();
        reading
    }

    fn count_article_words(&self) -> Vec<u32> {
        let mut counts = Vec::with_capacity(self.page.len() + 1);
        let (mut words, mut named_end) = (0, NodeId(0));
        for node in self.page.nodes() {
            counts.push(words);
            let is_comment = self.page.is_element(node) && may_hold(self.page.tag(node)) && self.is_named(node);
            if is_comment && self.signs(node).articles == 0 {
                named_end = named_end.max(self.page.end(node));
            }
            if node >= named_end && self.page.tag(node) == Tag::Text {
                words += self.signs(node).words;
            }
        }
        counts.push(words);
        counts
    }

    pub(crate) fn article_words_in(&self, node: NodeId) -> u32 {
        self.article_words[self.page.end(node).index()] - self.article_words[node.index()]
    }

    pub(crate) fn signs(&self, node: NodeId) -> Signs {
        self.sums[self.page.end(node).index()].minus(self.sums[node.index()])
    }

    pub(crate) fn is_named(&self, node: NodeId) -> bool {
        self.names.at(node).has(Family::Comment) || self.microdata.contains(node) || self.is_reviews(node)
    }

    /// Whether an element is named after reviews and has what these have, each of them short: an article that is itself a review has not.
    fn is_reviews(&self, node: NodeId) -> bool {
        // Counts cost less than names, and rule out nearly all.
        let signs = self.signs(node);
        let each = signs.ratings.max(signs.dates).max(signs.people);
        signs.people + signs.dates + signs.ratings >= 2
            && signs.words <= 150 * each
            && is_review_name(self.page, node)
            && !has_price(self.page.text(node))
    }

    /// The largest element around a form for comments that has nothing but it, a heading and notes.
    pub(crate) fn form_place(&self, form: NodeId, within: NodeId) -> NodeId {
        let mut place = form;
        while let Some(above) = self.page.parent(place).filter(|above| *above != within && self.page.is_ancestor(within, *above))
        {
            let signs = self.signs(above);
            if signs.dates + signs.people + signs.numbered + signs.microdata + signs.ratings > 0 || signs.words > 60 {
                break;
            }
            place = above;
        }
        place
    }
}

pub(crate) fn is_comment_microdata(property: &str, kind: &str) -> bool {
    property.split_ascii_whitespace().any(|name| name == "comment")
        || kind.ends_with("/Comment")
        || kind.ends_with("/UserComments")
        || kind.ends_with("/Review")
}

/// Words for what customers and guests write, in names of elements.
const REVIEWS: &[&str] = &[
    "review",
    "reviews",
    "reviewlist",
    "customerreviews",
    "testimonials",
    "bewertung",
    "bewertungen",
    "kundenbewertungen",
    "rezension",
    "rezensionen",
    "kundenmeinungen",
    "avis",
    "reseña",
    "reseñas",
    "resena",
    "resenas",
    "opiniones",
    "opinioni",
    "recensioni",
    "recensione",
    "beoordeling",
    "beoordelingen",
    "recensies",
    "avaliacoes",
    "avaliações",
    "opinie",
    "recenze",
    "отзыв",
    "отзывы",
    "otzyvy",
    "yorumlar",
    "değerlendirmeler",
    "arvostelut",
    "omdömen",
    "anmeldelser",
    "guestbook",
    "gaestebuch",
    "gästebuch",
];

/// Whether an element is named after reviews or entries of a guest book.
pub(crate) fn is_review_name(page: &Page, node: NodeId) -> bool {
    let names = page.classes(node).chain(page.attr(node, "id"));
    names.flat_map(|name| name.split(|c: char| !c.is_alphanumeric())).any(|word| match word.is_ascii() {
        true => REVIEWS.iter().any(|known| known.eq_ignore_ascii_case(word)),
        false => REVIEWS.contains(&word.to_lowercase().as_str()),
    })
}

/// Whether a short text gives marks: stars, or so many of so many.
pub(crate) fn is_rating(text: &str) -> bool {
    if !text.is_ascii() && text.contains(['★', '☆', '⭐', '✮', '⭑']) {
        return true;
    }
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        let is_short = !digits.is_empty() && digits.len() <= 3;
        is_short && digits.replace(',', ".").parse::<f32>().is_ok_and(|value| value <= 10.0)
    };
    let is_of =
        |word: &str| matches!(word, "of" | "out" | "von" | "sur" | "de" | "di" | "su" | "van" | "из" | "/" | "av" | "üzerinden");
    let of_five = words.windows(3).any(|three| number(three[0]) && is_of(three[1]) && number(three[2]));
    let out_of = words.windows(4).any(|four| number(four[0]) && four[1] == "out" && four[2] == "of" && number(four[3]));
    let slashed = words.iter().any(|word| {
        word.split_once('/')
            .is_some_and(|(mark, most)| number(mark) && matches!(most.trim_end_matches(['.', ',', ')']), "5" | "10"))
    });
    words.len() <= 8 && (of_five || out_of || slashed)
}

/// Words for a price, which cards of products have and reviews have not.
pub(crate) fn has_price(text: &str) -> bool {
    text.contains(['€', '$', '£', '¥', '₽', '₺', '₹', '元', '円'])
}

/// Forms with a field for longer text. A form around half the page is a way to build pages, not to write comments.
pub(crate) fn reply_forms(page: &Page, body: NodeId) -> NodeSet {
    let all = page.counts(body).words;
    let mut forms = NodeSet::new(page);
    for field in page.descendants(body).filter(|node| page.tag(*node) == Tag::Textarea) {
        let form = page.ancestors(field).find(|node| page.tag(*node) == Tag::Form);
        if let Some(form) = form.filter(|form| page.counts(*form).words < (all / 2).max(40)) {
            forms.insert_subtree(page, form);
        }
    }
    forms
}

/// Words between a person's name and what the person wrote.
const SPEAKING: &[&str] = &[
    "says",
    "said",
    "wrote",
    "writes",
    "posted",
    "sagt",
    "schrieb",
    "schreibt",
    "écrit",
    "dice",
    "dijo",
    "escribió",
    "scrive",
    "disse",
    "пишет",
    "писал",
];

pub(crate) fn is_speaking(word: &str) -> bool {
    // Most words are known by their first letter to be none of these.
    let may_be = |byte: &u8| matches!(byte | 0x20, b's' | b'w' | b'p' | b'd' | b'e') || !byte.is_ascii_alphanumeric();
    if !word.as_bytes().first().is_some_and(may_be) {
        return false;
    }
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    SPEAKING.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Words for "ago" where they stand alone.
const AGO: &[&str] = &[
    "ago",
    "vor",
    "hace",
    "назад",
    "sedan",
    "geleden",
    "önce",
    "temu",
    "yesterday",
    "today",
    "gestern",
    "heute",
    "ayer",
    "hier",
    "ieri",
];

/// Words for "ago" that mean other things too, and count where a number stands with them.
const AGO_WITH_A_NUMBER: &[&str] =
    &["fa", "há", "siden", "sitten", "тому", "πριν", "منذ", "trước", "lalu", "전", "před", "przed"];

/// Whether a short text has a date in it: a year, numbers with date signs between them, or a time that has passed.
pub(crate) fn is_dated(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut groups = 0;
    let mut at = 0;
    let mut after_sign = false;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            after_sign = matches!(bytes[at], b'/' | b'.' | b':' | b'-') && at > 0 && bytes[at - 1].is_ascii_digit();
            at += 1;
            continue;
        }
        let from = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        let is_year = at - from == 4 && (bytes[from..].starts_with(b"19") || bytes[from..].starts_with(b"20"));
        groups += u32::from(after_sign && at - from <= 4);
        if is_year || groups > 0 {
            return true;
        }
    }
    let is_ideographic = || {
        text.contains("年") && text.contains("月") || text.contains('前') && bytes.iter().any(u8::is_ascii_digit) || is_day(text)
    };
    !text.is_ascii() && is_ideographic() || bytes.iter().any(u8::is_ascii_digit) && names_day(text) || is_ago(text)
}

/// Whether a text tells how much time has passed: *5 minutes ago*.
pub(crate) fn is_ago(text: &str) -> bool {
    let has_number = text.bytes().any(|byte| byte.is_ascii_digit());
    let is_ago = |word: &str| {
        AGO.iter().any(|ago| word.eq_ignore_ascii_case(ago))
            || has_number && AGO_WITH_A_NUMBER.iter().any(|ago| word.eq_ignore_ascii_case(ago))
    };
    has_number && text.to_lowercase().contains("il y a ") || text.split_whitespace().any(|word| may_be_ago(word) && is_ago(word))
}

/// Nearly all words are known by their first letter and their length to mean no time that has passed.
fn may_be_ago(word: &str) -> bool {
    match word.as_bytes().first().map_or(0, |first| first | 0x20) {
        b'a' => matches!(word.len(), 3 | 4),
        b'f' => word.len() == 2,
        b'g' => word.len() == 7,
        b'h' => matches!(word.len(), 3..=5),
        b'i' | b'l' => word.len() == 4,
        b'p' => word.len() == 5,
        b's' => matches!(word.len(), 5 | 6),
        b't' => matches!(word.len(), 4 | 5 | 8),
        b'v' => word.len() == 3,
        b'y' => word.len() == 9,
        first => !first.is_ascii(),
    }
}

/// Whether a text has a day of a month: 6月12日.
fn is_day(text: &str) -> bool {
    text.split_once('月').is_some_and(|(month, day)| {
        let day = day.trim_start_matches(|one: char| one.is_ascii_digit() || one == ' ');
        month.ends_with(|one: char| one.is_ascii_digit()) && day.starts_with('日')
    })
}

/// Elements that can be a list of comments or one of them.
pub(crate) fn may_hold(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Div | Section
            | Article
            | Aside
            | Main
            | Ul
            | Ol
            | Dl
            | Li
            | Dd
            | Table
            | Tbody
            | Tr
            | Td
            | Blockquote
            | Details
            | Fieldset
            | Custom
    )
}

/// Elements that can be one comment: a paragraph can, and is no list.
pub(crate) fn may_say(tag: Tag) -> bool {
    tag == Tag::P || may_hold(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_from_numbers() {
        for text in ["★★★★☆", "4 von 5", "4,5 von 5 Sternen", "4.0 out of 5 stars", "5/5", "3 sur 5", "4 из 5"] {
            assert!(is_rating(text), "{text}");
        }
        for text in ["5 of them", "page 3 of 12 pages", "12 de mayo de 2012", "1/2 litre", "five", "2019"] {
            assert!(!is_rating(text), "{text}");
        }
    }

    #[test]
    fn no_word_for_ago_is_ruled_out_by_its_letter_and_length() {
        for word in AGO.iter().chain(AGO_WITH_A_NUMBER) {
            assert!(
                may_be_ago(word) && is_ago(&format!("3 {word}")) && is_ago(&format!("3 {}", word.to_ascii_uppercase())),
                "{word}"
            );
        }
    }

    #[test]
    fn dates_are_told_from_numbers() {
        for text in [
            "May 3, 2012",
            "3.5.09",
            "12:30",
            "2012年5月",
            "5 minutes ago",
            "3日前",
            "6月12日",
            "vor zwei Tagen",
            "2 ore fa",
            "il y a 3 jours",
            "6 окт",
        ] {
            assert!(is_dated(text), "{text}");
        }
        for text in ["42", "fa caldo", "il y a du pain", "page 3 of 12", "room 1234", "", "…"] {
            assert!(!is_dated(text), "{text}");
        }
    }
}
