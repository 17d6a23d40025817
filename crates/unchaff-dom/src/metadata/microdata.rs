//! Microdata: `itemprop` within `itemscope`, <https://html.spec.whatwg.org/#microdata>.
//!
//! One item is the page's subject: the first of a type that pages are about which is not part of another thing. Its
//! properties, those of its author, publisher and image, and those of a `WebPage` around it are read; comments, breadcrumbs
//! and further items are not. Where three items or more could be the subject the page is a list, and what the first says is
//! weak. Properties outside any item, which the standard ignores but themes write, rank last.

use super::candidates::{Candidates, Field, WEAK};
use super::visible::line;
use super::{Source, value};
use crate::{NodeId, Page, Tag};
use std::borrow::Cow;

/// The attributes of microdata on an element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ItemAttributes<'p> {
    pub(super) is_scope: bool,
    pub(super) prop: &'p str,
    pub(super) kind: &'p str,
}

/// What an item is to the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// What the page is about.
    Subject,
    /// The page as such.
    Page,
    Author,
    Publisher,
    Image,
    /// No item at all.
    Loose,
    Other,
}

/// The items that are open at a place of the page, and what they said so far.
#[derive(Debug, Default)]
pub(super) struct Microdata<'p> {
    open: Vec<(NodeId, Role)>,
    subjects: usize,
    is_discussion: bool,
    offers: Vec<(Field, u8, Cow<'p, str>)>,
}

/// Offers kept; a page has no use for more.
const MOST: usize = 200;

impl<'p> Microdata<'p> {
    /// Takes an element with `itemprop` or `itemscope`; to be called in document order.
    pub(super) fn element(&mut self, page: &'p Page, node: NodeId, attributes: ItemAttributes<'p>) {
        while self.open.last().is_some_and(|(end, _)| *end <= node) {
            self.open.pop();
        }
        let around = self.open.last().map_or(Role::Loose, |(_, role)| *role);
        let mut role = Role::Other;
        for prop in attributes.prop.split_ascii_whitespace().take(4) {
            self.property(page, node, around, prop, attributes.is_scope);
            role = match prop {
                "author" | "creator" if is_about_page(around) => Role::Author,
                "publisher" if is_about_page(around) => Role::Publisher,
                "image" if is_about_page(around) => Role::Image,
                _ => role,
            };
        }
        if attributes.is_scope {
            if role == Role::Other {
                role = self.role_of_type(around, attributes);
            }
            self.open.push((page.end(node), role));
        }
    }

    fn role_of_type(&mut self, around: Role, attributes: ItemAttributes<'p>) -> Role {
        let is_part = !attributes.prop.is_empty() && !attributes.prop.contains("mainEntity");
        let kind = value::kind(attributes.kind);
        match kind.as_deref() {
            Some(
                "article" | "product" | "forum" | "recipe" | "job" | "event" | "book" | "course" | "howto" | "software"
                | "dataset" | "video",
            ) if matches!(around, Role::Page | Role::Loose) && !is_part => {
                self.subjects += 1;
                if self.subjects > 1 {
                    return Role::Other;
                }
                self.is_discussion = kind.as_deref() == Some("forum");
                self.keep(Field::Kind, 0, attributes.kind);
                Role::Subject
            }
            Some("collection" | "profile") | None if matches!(around, Role::Loose) && attributes.kind.ends_with("Page") => {
                Role::Page
            }
            _ => Role::Other,
        }
    }

    fn property(&mut self, page: &'p Page, node: NodeId, around: Role, prop: &str, is_scope: bool) {
        let (field, rank) = match (around, prop) {
            (Role::Author, "name") => (Field::Author, 0),
            (Role::Publisher, "name") => (Field::SiteName, 0),
            (Role::Image, "url" | "contentUrl") => (Field::Image, 0),
            (Role::Subject, "name") => (Field::Title, 1),
            (Role::Subject, "description") => (Field::Description, 0),
            (Role::Subject, "url" | "mainEntityOfPage") => (Field::Canonical, 0),
            (around, _) if !is_about_page(around) => return,
            (_, "headline") => (Field::Title, 0),
            (_, "author" | "creator") => (Field::Author, 1),
            (_, "datePublished") => (Field::Published, 0),
            (_, "dateCreated" | "uploadDate" | "datePosted") => (Field::Published, 1),
            (_, "dateModified") => (Field::Modified, 0),
            (_, "inLanguage") => (Field::Language, 0),
            (_, "image" | "thumbnailUrl") => (Field::Image, 1),
            (_, "keywords") => (Field::Tags, 0),
            (_, "articleSection") => (Field::Categories, 0),
            (_, "license") => (Field::Licence, 0),
            (_, "isAccessibleForFree") => (Field::Access, 0),
            (_, "publisher") if !is_scope => (Field::SiteName, 1),
            _ => return,
        };
        // Forums mark up everyone who answers; the first is who asked.
        if field == Field::Author
            && self.is_discussion
            && self.offers.iter().any(|(known, known_rank, _)| (*known, *known_rank) == (field, rank))
        {
            return;
        }
        let around = match around {
            Role::Page => 10,
            Role::Loose => 20,
            _ => 0,
        };
        let attribute = |name| page.attr(node, name);
        let is_address = matches!(field, Field::Image | Field::Canonical | Field::Licence);
        let value = attribute("content").or_else(|| match page.tag(node) {
            Tag::Meta => attribute("value"),
            Tag::Time => attribute("datetime"),
            Tag::Data | Tag::Meter => attribute("value"),
            Tag::Img | Tag::Embed | Tag::Video | Tag::Audio | Tag::Source if is_address => attribute("src"),
            Tag::A | Tag::Link | Tag::Area if is_address => attribute("href"),
            _ => None,
        });
        if self.offers.len() >= MOST {
            return;
        }
        match value {
            Some(value) => self.keep(field, around + rank, value),
            None if is_address => {}
            // The text of an author's item is more than the name; it is used where the item has none.
            None => self.keep(field, around + rank + 3 * u8::from(is_scope), line(page, node)),
        }
    }

    fn keep(&mut self, field: Field, rank: u8, text: impl Into<Cow<'p, str>>) {
        self.offers.push((field, rank, text.into()));
    }

    /// Offers what was found.
    pub(super) fn offer(self, candidates: &mut Candidates<'p>) {
        let weaker = if self.subjects >= 3 { WEAK } else { 0 };
        for (field, rank, text) in self.offers {
            candidates.offer(field, Source::Microdata, rank + weaker, text);
        }
    }
}

fn is_about_page(role: Role) -> bool {
    matches!(role, Role::Subject | Role::Page | Role::Loose)
}
