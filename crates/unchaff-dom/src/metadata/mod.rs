//! What a page says about itself: title, authors, dates, language, site, description, image, address, kind, tags, categories, licence, and
//! whether it must be paid for.
//!
//! One pass over the nodes collects candidates from every source; then each field takes the best that can be read. Values
//! made for machines come before what readers see, and the more specific vocabulary before the more general one:
//!
//! | field | sources, most trusted first |
//! | --- | --- |
//! | title, authors, published, modified, description | JSON-LD, Open Graph, Twitter, Dublin Core, microdata, `meta`, `rel=author`, `title`, visible page, address |
//! | language | `html lang`, `meta`, JSON-LD, Dublin Core, microdata, `og:locale` (plug-ins put `en_US` there unasked) |
//! | site name | Open Graph, JSON-LD, Dublin Core, microdata, `meta`, the part of the `title` that is the host in words |
//! | image | Open Graph, Twitter, JSON-LD, microdata, `rel=image_src`, `meta` (one picture, chosen to be shown, before lists) |
//! | canonical | `rel=canonical`, Open Graph, JSON-LD, Twitter, `meta`, microdata |
//! | kind | JSON-LD, Open Graph, microdata, Dublin Core, `meta` |
//! | tags, categories | JSON-LD, Open Graph, Dublin Core, microdata, `rel=tag` next to the headline, `meta` |
//! | licence | `rel=license`, JSON-LD, Dublin Core, microdata, `meta` |
//! | paywalled | JSON-LD (`isAccessibleForFree`, also of a part), microdata, Open Graph (`article:content_tier`) |
//!
//! How values are cleaned and cut is told in `value.rs`, which dates are read in `date.rs`, how the name of the site is taken
//! off titles in `title.rs`.

mod candidates;
mod date;
mod dated;
mod embedded;
mod json_ld;
mod json_text;
mod meta;
mod microdata;
mod month;
mod page_state;
mod person;
mod title;
mod value;
mod visible;

pub use embedded::embedded_text;
pub use month::names_day;
pub use page_state::{is_json, state_text};

use crate::{AttrName, NodeId, Page, Tag};
use candidates::{Candidates, Field};
use date::{DayOrder, is_day_elsewhere};
use microdata::{ItemAttributes, Microdata};
use serde_json::Value;
use std::fmt;
use title::SiteNames;
use url::Url;
use visible::Visible;

/// Bytes of JSON-LD that are read of a page; scripts beyond are ignored.
const MOST_JSON: usize = 2 << 20;

/// A value and where on the page it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<T> {
    /// The value.
    pub value: T,
    /// Where it was found.
    pub source: Source,
}

/// Where on a page a value was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// JSON-LD: schema.org in a script.
    JsonLd,
    /// Open Graph: `og:` and `article:` in `meta`.
    OpenGraph,
    /// Twitter cards: `twitter:` in `meta`.
    Twitter,
    /// Dublin Core: `dc.` and `dcterms.` in `meta`.
    DublinCore,
    /// Microdata: `itemprop`.
    Microdata,
    /// Any other `meta`.
    Meta,
    /// A relation: `rel=canonical`, `rel=author`, `rel=image_src`.
    Link,
    /// The `title` element or the `lang` of the page.
    Html,
    /// What readers see: headings, dates, lines with names.
    Visible,
    /// The address of the page.
    Url,
    /// The words of the content, from which it was computed.
    Content,
}

impl Source {
    /// A short, stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Source::JsonLd => "json-ld",
            Source::OpenGraph => "open-graph",
            Source::Twitter => "twitter",
            Source::DublinCore => "dublin-core",
            Source::Microdata => "microdata",
            Source::Meta => "meta",
            Source::Link => "link",
            Source::Html => "html",
            Source::Visible => "visible",
            Source::Url => "url",
            Source::Content => "content",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a page says about itself; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Metadata {
    /// The title, without the name of the site. At most 300 characters.
    pub title: Option<Found<String>>,
    /// The authors, all from one source.
    pub author: Vec<Found<String>>,
    /// When it was published: ISO 8601, `YYYY-MM-DD`, with time and offset if the page gives them.
    pub published: Option<Found<String>>,
    /// When it was last changed, in the same form. A day before the publication is not believed.
    pub modified: Option<Found<String>>,
    /// The language as a BCP 47 tag.
    pub language: Option<Found<String>>,
    /// The name of the site.
    pub site_name: Option<Found<String>>,
    /// The description or summary. At most 2000 characters.
    pub description: Option<Found<String>>,
    /// The address of the picture that stands for the page.
    pub image: Option<Found<String>>,
    /// The address that the page calls its own.
    pub canonical: Option<Found<String>>,
    /// The kind of page: `article`, `product`, `forum`, `recipe`, `video`, `website`, …
    pub kind: Option<Found<String>>,
    /// What it is about in key words, all from one source.
    pub tags: Vec<Found<String>>,
    /// The sections of the site that it belongs to, all from one source.
    pub categories: Vec<Found<String>>,
    /// The licence: its address, else what the page says of it.
    pub licence: Option<Found<String>>,
    /// Whether some of it is for subscribers only.
    pub paywalled: Option<Found<bool>>,
}

impl Metadata {
    /// When it was published or, if that is not known, last changed.
    #[must_use]
    pub fn date(&self) -> Option<&Found<String>> {
        self.published.as_ref().or(self.modified.as_ref())
    }
}

/// The first date in a line of a page, as ISO 8601; in which order its numbers stand is told by the page's language and country.
///
/// ```
/// use unchaff_dom::{Page, metadata::date_in};
///
/// let page = Page::parse("<html lang=en-GB>");
/// assert_eq!(date_in(&page, "posted on 3/4/2021, 10:20").as_deref(), Some("2021-04-03T10:20"));
/// ```
#[must_use]
pub fn date_in(page: &Page, line: &str) -> Option<String> {
    let language = page.html().and_then(|html| page.attr(html, "lang")).and_then(value::language);
    date::declared(line, DayOrder::of(language.as_deref(), page.url().and_then(Url::domain)))
}

/// Whether the words before a date say that it is that of a change: *edited*, *zuletzt geändert am*.
///
/// ```
/// use unchaff_dom::metadata::says_changed;
///
/// assert!(says_changed("Last edited by Ann on") && !says_changed("Posted by Ann on"));
/// ```
#[must_use]
pub fn says_changed(before: &str) -> bool {
    dated::said(before) == Some(dated::Said::Modified)
}

/// Reads what a page says about itself.
///
/// ```
/// use unchaff_dom::{Page, metadata::{Source, metadata}};
///
/// let page = Page::parse("<html lang=en><title>Rain</title><meta property=article:published_time content=2021-03-20>");
/// let metadata = metadata(&page);
/// assert_eq!(metadata.title.unwrap().value, "Rain");
/// let published = metadata.published.unwrap();
/// assert_eq!((published.value.as_str(), published.source), ("2021-03-20", Source::OpenGraph));
/// ```
#[must_use]
pub fn metadata(page: &Page) -> Metadata {
    let Titled { mut collected, canonical, address, language, order, site_name, site, headline, is_front, title } =
        Titled::of(page);
    let candidates = &mut collected.candidates;
    collected.visible.offer(page, headline, order, candidates);
    if let Some(date) = address.as_ref().and_then(|url| date::in_path(url.path(), order)) {
        candidates.offer(Field::Published, Source::Url, 0, date);
    }
    let read_date = |raw: &str| date::declared(raw, order);
    // What has no text of its own to date has dates of others: offers, reviews, teasers.
    let kind = candidates.best(Field::Kind, value::kind);
    let is_dated = !is_front
        && !kind.as_ref().is_some_and(|kind| matches!(kind.value.as_str(), "product" | "service" | "place" | "collection"));
    if is_dated && candidates.best(Field::Published, read_date).is_none() {
        let far = collected.visible.far_dates(page, headline, order);
        far.published.into_iter().for_each(|date| candidates.offer(Field::Published, Source::Visible, 0, date));
        far.modified.into_iter().for_each(|date| candidates.offer(Field::Modified, Source::Visible, u8::MAX, date));
    }
    let published = candidates.best(Field::Published, read_date).map(|date| local_day(date, candidates, order));
    let modified = candidates.best(Field::Modified, read_date);
    let is_later = |date: &Found<String>| published.as_ref().is_none_or(|published| date.value[..10] >= published.value[..10]);

    // Many sites put their own name where the author's should be. It is taken where there is no other, if it is declared and
    // not a single word: it may be a personal site.
    let is_title = |name: &str| title.as_ref().is_some_and(|title| title.value == name);
    let people = |raw: &str| person::declared(raw).into_iter().filter(|name| !is_title(name)).collect::<Vec<_>>();
    let is_site = |name: &str| site.name(name) || person::without_staff(name).is_some_and(|rest| site.name(rest));
    let mut author = candidates.all(Field::Author, |raw| people(raw).into_iter().filter(|name| !is_site(name)).collect());
    if author.is_empty() {
        author = candidates.all(Field::Author, people);
        author.retain(|name| name.source == Source::JsonLd || (name.source != Source::Visible && name.value.contains(' ')));
    }
    person::leave_out_doubles(&mut author);

    Metadata {
        title,
        author,
        modified: modified.filter(is_later),
        published,
        language,
        site_name,
        description: candidates.best(Field::Description, |raw| value::text(raw, value::LONGEST_DESCRIPTION)),
        image: candidates.best(Field::Image, |raw| value::url(page, raw)),
        canonical,
        kind,
        tags: candidates.all(Field::Tags, value::list),
        categories: candidates.all(Field::Categories, value::list),
        licence: candidates.best(Field::Licence, |raw| value::licence(page, raw)),
        paywalled: candidates.best(Field::Access, value::is_paywalled),
    }
}

/// The title that [`metadata`] has, without all the rest.
#[must_use]
pub fn page_title(page: &Page) -> Option<Found<String>> {
    Titled::of(page).title
}

/// A page whose title was found, with what that took.
struct Titled<'p> {
    collected: Collected<'p>,
    canonical: Option<Found<String>>,
    address: Option<Url>,
    language: Option<Found<String>>,
    order: DayOrder,
    site_name: Option<Found<String>>,
    site: SiteNames,
    headline: Option<NodeId>,
    is_front: bool,
    title: Option<Found<String>>,
}

impl<'p> Titled<'p> {
    fn of(page: &'p Page) -> Titled<'p> {
        let mut collected = Collected::from_page(page);
        let candidates = &mut collected.candidates;
        let canonical_link = candidates.best(Field::Canonical, |raw| value::url(page, raw)).map(|found| found.value);
        let addresses: Vec<String> = page.url().map(Url::to_string).into_iter().chain(canonical_link.clone()).collect();
        json_ld::offer(&collected.scripts, &addresses, candidates);

        let canonical = candidates.best(Field::Canonical, |raw| value::url(page, raw));
        let address = page.url().cloned().or_else(|| Url::parse(&canonical.as_ref()?.value).ok());
        let language = candidates.best(Field::Language, value::language);
        let host = address.as_ref().and_then(Url::domain);
        let order = DayOrder::of(language.as_ref().map(|language| language.value.as_str()), host);

        let html_title = collected.title.and_then(|node| value::text(page.text(node), value::LONGEST_TITLE)).unwrap_or_default();
        if let Some(name) = title::site_name(&html_title, &SiteNames::new(None, address.as_ref())) {
            candidates.offer(Field::SiteName, Source::Html, 0, name.to_owned());
        }
        let site_name = candidates.best(Field::SiteName, site_name);
        let site = SiteNames::new(site_name.as_ref().map(|name| name.value.as_str()), address.as_ref());

        let (headline, headings) = collected.visible.headings(page, &html_title, &site);
        candidates.offer(Field::Title, Source::Html, 0, html_title.clone());
        candidates.offer(Field::Title, Source::Visible, 0, headings.headline.clone());
        let mut read_title = |raw: &str| {
            value::text(raw, value::LONGEST_TITLE).map(|text| title::bare(&text, text == html_title, &site, &headings))
        };
        // Some sites give every page their own name as the title, in one source or another.
        let is_front = address.as_ref().is_some_and(|url| url.path() == "/");
        let title = candidates.best(Field::Title, |raw| read_title(raw).filter(|title| is_front || !site.name(title)));
        let title = title.or_else(|| candidates.best(Field::Title, &mut read_title));
        // Some sites give the description as the headline, and the title as the name. What the page prints tells.
        let folded_title = value::folded(&html_title);
        let is_printed = |title: &str| {
            let folded = value::folded(title);
            folded_title.contains(&folded) || headings.folded.contains(&folded)
        };
        let title = match title {
            Some(title) if title.source == Source::JsonLd && !is_printed(&title.value) => {
                let printed = |_, raw: &str| read_title(raw).filter(|name| is_printed(name) && !site.name(name));
                Some(candidates.best_of(Field::Title, Source::JsonLd, printed).unwrap_or(title))
            }
            title => title,
        };
        let title = title.map(|title| match title::printed(&title.value, &headings).filter(|printed| !site.name(printed)) {
            Some(printed) => Found { value: printed.to_owned(), source: Source::Visible },
            None => title,
        });
        Titled { collected, canonical, address, language, order, site_name, site, headline, is_front, title }
    }
}

/// Where a moment is told in UTC and it was another day where the page is from, another source may tell which: with the offset of the
/// place for the same moment; or the address or what readers see, with the day.
fn local_day(date: Found<String>, candidates: &mut Candidates<'_>, order: DayOrder) -> Found<String> {
    if !date.value.ends_with('Z') && !date.value.ends_with("+00:00") {
        return date;
    }
    let moment = date::moment(&date.value);
    let read = |raw: &str| date::declared(raw, order).filter(|other| other[..10] != date.value[..10]);
    let same_moment = |raw: &str| read(raw).filter(|other| moment.is_some() && date::moment(other) == moment);
    let local = candidates.best(Field::Published, same_moment).or_else(|| {
        let fits = |raw: &str| read(raw).filter(|day| is_day_elsewhere(&date.value, day));
        let in_url = candidates.best_of(Field::Published, Source::Url, |_, raw| fits(raw));
        let seen = |rank, raw: &str| fits(raw).filter(|_| visible::is_behind_headline(rank));
        in_url.or_else(|| candidates.best_of(Field::Published, Source::Visible, seen))
    });
    local.unwrap_or(date)
}

/// The name of a site, without the form of an address that some give it.
fn site_name(raw: &str) -> Option<String> {
    let name = value::name(raw).filter(|name| !name.starts_with('@'))?;
    let bare = name.split_once("://").map_or(name.as_str(), |(_, rest)| rest);
    Some(bare.trim_end_matches('/').to_owned()).filter(|name| !name.is_empty())
}

/// All that one pass over the page finds.
#[derive(Debug, Default)]
struct Collected<'p> {
    candidates: Candidates<'p>,
    scripts: Vec<Value>,
    title: Option<NodeId>,
    visible: Visible,
}

impl<'p> Collected<'p> {
    fn from_page(page: &'p Page) -> Collected<'p> {
        let mut collected = Collected { visible: Visible::new(page), ..Collected::default() };
        let mut microdata = Microdata::default();
        let mut labels = meta::Labels::default();
        let mut json = 0;
        let mut next = page.root();
        while next.index() < page.len() {
            let node = next;
            next = NodeId(node.0 + 1);
            let tag = page.tag(node);
            match tag {
                Tag::Meta => meta::offer_meta(page, node, &mut labels, &mut collected.candidates),
                Tag::Link => meta::offer_link(page, node, &mut collected.candidates),
                Tag::Script if is_json_ld(page, node) => {
                    let script = page.children(node).next().map_or("", |raw| page.string(raw));
                    json += script.len();
                    if json <= MOST_JSON {
                        collected.scripts.extend(json_text::values(script));
                    }
                }
                Tag::Title if collected.title.is_none() && !page.text(node).trim().is_empty() => collected.title = Some(node),
                Tag::Html => {
                    let lang = page.attr(node, "lang").or_else(|| page.attr(node, "xml:lang"));
                    collected.candidates.offer(Field::Language, Source::Html, 0, lang.unwrap_or_default());
                }
                _ => {}
            }
            match tag {
                Tag::Script | Tag::Style | Tag::Template | Tag::Svg => next = page.end(node),
                Tag::Head | Tag::Title => {}
                _ if tag.is_element() => {
                    let (mut item, mut class, mut id, mut rel) = (ItemAttributes::default(), "", "", "");
                    let is_read = |name| {
                        use AttrName::*;
                        matches!(name, Class | Id | Rel | Itemprop | Itemscope | Itemtype)
                    };
                    for (name, value) in page.attrs_named(node, is_read) {
                        match name {
                            AttrName::Class => class = value,
                            AttrName::Id => id = value,
                            AttrName::Rel => rel = value,
                            AttrName::Itemprop => item.prop = value,
                            AttrName::Itemscope => item.is_scope = true,
                            AttrName::Itemtype => item.kind = value,
                            _ => {}
                        }
                    }
                    if item.is_scope || !item.prop.is_empty() {
                        microdata.element(page, node, item);
                    }
                    if !matches!(tag, Tag::Meta | Tag::Link) {
                        collected.visible.element(page, node, class, id, rel);
                    }
                }
                _ => {}
            }
        }
        microdata.offer(&mut collected.candidates);
        collected
    }
}

fn is_json_ld(page: &Page, node: NodeId) -> bool {
    let kind = page.attr(node, "type").map(str::trim).unwrap_or_default();
    kind.get(.."application/ld+json".len()).is_some_and(|start| start.eq_ignore_ascii_case("application/ld+json"))
}

#[cfg(test)]
mod tests;
