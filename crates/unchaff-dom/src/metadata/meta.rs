//! `meta` and `link` elements: Open Graph, Twitter cards, Dublin Core, and the plain names that have grown over the years.
//!
//! Names are compared in lower case, whether they stand in `name`, `property`, `http-equiv` or `itemprop` (the standard gives
//! each vocabulary one of them, pages mix them up). Open Graph's names may be spelled as addresses (`http://ogp.me/ns#title`),
//! Dublin Core's with `.`, `:` or `dcterms`. Of several spellings of one field in one source the rank tells the better.

use super::Source;
use super::candidates::{Candidates, Field, WEAK};
use crate::{NodeId, Page};

/// What the next `twitter:data` says, from the `twitter:label` before it.
#[derive(Debug, Default)]
pub(super) struct Labels {
    author_number: Option<char>,
}

/// Offers what a `meta` element says.
pub(super) fn offer_meta<'p>(page: &'p Page, node: NodeId, labels: &mut Labels, candidates: &mut Candidates<'p>) {
    let (mut keys, mut content) = ("", None);
    for (name, value) in page.attrs(node) {
        match name {
            "property" | "name" | "http-equiv" if keys.is_empty() || name == "property" => keys = value,
            "content" => content = Some(value),
            "value" if content.is_none() => content = Some(value),
            _ => {}
        }
    }
    let Some(content) = content.filter(|content| !content.trim().is_empty()) else { return };
    for key in keys.split_ascii_whitespace().filter(|key| key.len() <= 80).take(4) {
        let key = spelled(key);
        if let Some(number) = key.strip_prefix("twitter:label") {
            labels.author_number = number.chars().next().filter(|_| says_written_by(content)).or(labels.author_number);
        } else if key
            .strip_prefix("twitter:data")
            .is_some_and(|number| number.chars().next().is_some_and(|n| labels.author_number == Some(n)))
        {
            candidates.offer(Field::Author, Source::Twitter, 0, content);
        } else if key == "twitter:creator" && !content.contains(' ') {
            // A handle, with `@` or without.
        } else if let Some((field, source, rank)) = meaning(&key) {
            // What most pages say that say nothing else of themselves.
            let is_default = field == Field::Kind && content.trim().eq_ignore_ascii_case("website");
            candidates.offer(field, source, if is_default { WEAK } else { rank }, content);
        }
    }
}

/// Offers what a `link` element says.
pub(super) fn offer_link<'p>(page: &'p Page, node: NodeId, candidates: &mut Candidates<'p>) {
    let (Some(rel), Some(href)) = (page.attr(node, "rel"), page.attr(node, "href")) else { return };
    for rel in rel.split_ascii_whitespace().take(8) {
        if rel.eq_ignore_ascii_case("canonical") {
            candidates.offer(Field::Canonical, Source::Link, 0, href);
        } else if rel.eq_ignore_ascii_case("image_src") {
            candidates.offer(Field::Image, Source::Link, 0, href);
        } else if is_licence(rel) {
            candidates.offer(Field::Licence, Source::Link, 0, href);
        }
    }
}

/// Whether a relation leads to the licence.
pub(super) fn is_licence(rel: &str) -> bool {
    rel.eq_ignore_ascii_case("license") || rel.eq_ignore_ascii_case("licence")
}

/// One spelling for the names of a vocabulary.
fn spelled(key: &str) -> String {
    let key = key.to_ascii_lowercase();
    let graph = key.strip_prefix("http://ogp.me/ns").or_else(|| key.strip_prefix("https://ogp.me/ns"));
    if let Some(name) = graph {
        return match name.strip_prefix('#') {
            Some(name) => format!("og:{name}"),
            None => name.trim_start_matches('/').replace('#', ":"),
        };
    }
    for prefix in ["dcterms.", "dcterms:", "dc.terms.", "dc:terms:", "dc:", "dcterm.", "dcterm:"] {
        if let Some(name) = key.strip_prefix(prefix) {
            return format!("dc.{name}");
        }
    }
    if let Some(name) = key.strip_prefix("og:article:") {
        return format!("article:{name}");
    }
    key
}

fn meaning(key: &str) -> Option<(Field, Source, u8)> {
    use Field::*;
    use Source::{DublinCore, Meta, OpenGraph, Twitter};
    Some(match key {
        "og:title" => (Title, OpenGraph, 0),
        "og:description" => (Description, OpenGraph, 0),
        "og:image" | "og:image:secure_url" | "og:image:url" => (Image, OpenGraph, 0),
        "og:url" => (Canonical, OpenGraph, 0),
        "og:site_name" | "og:sitename" => (SiteName, OpenGraph, 0),
        "og:type" => (Kind, OpenGraph, 0),
        "og:locale" => (Language, OpenGraph, 0),
        "og:updated_time" => (Modified, OpenGraph, 1),
        "article:published_time" | "article:published" | "og:published_time" | "og:pubdate" => (Published, OpenGraph, 0),
        "video:release_date" | "book:release_date" | "og:release_date" => (Published, OpenGraph, 1),
        "article:modified_time" | "article:modified" | "article:updated_time" => (Modified, OpenGraph, 0),
        "article:author" | "article:author:name" | "og:author" | "book:author" => (Author, OpenGraph, 0),

        "article:tag" | "og:article:tag" | "video:tag" | "book:tag" => (Tags, OpenGraph, 0),
        "article:section" | "og:section" => (Categories, OpenGraph, 0),
        "article:content_tier" => (Access, OpenGraph, 0),

        "twitter:title" => (Title, Twitter, 0),
        "twitter:description" => (Description, Twitter, 0),
        "twitter:image" | "twitter:image:src" | "twitter:image0" => (Image, Twitter, 0),
        "twitter:url" => (Canonical, Twitter, 0),
        "twitter:creator" => (Author, Twitter, 1),

        "dc.title" => (Title, DublinCore, 0),
        "dc.creator" | "dc.creator.personalname" | "dc.author" => (Author, DublinCore, 0),
        "dc.date.issued" | "dc.issued" | "dc.date.published" | "dc.available" | "dc.date.available" => (Published, DublinCore, 0),
        "dc.date" => (Published, DublinCore, 1),
        "dc.created" | "dc.date.created" => (Published, DublinCore, 2),
        "dc.modified" | "dc.date.modified" => (Modified, DublinCore, 0),
        "dc.language" => (Language, DublinCore, 0),
        "dc.publisher" => (SiteName, DublinCore, 0),
        "dc.description" => (Description, DublinCore, 0),
        "dc.subject" => (Tags, DublinCore, 0),
        "dc.license" | "dc.rights.license" => (Licence, DublinCore, 0),
        "dc.rights" => (Licence, DublinCore, 1),
        "dc.description.abstract" | "dc.abstract" => (Description, DublinCore, 1),

        "citation_title" | "bepress_citation_title" => (Title, Meta, 0),
        "parsely-title" | "sailthru.title" | "headline" | "hdl" => (Title, Meta, 1),
        "title" | "eprints.title" => (Title, Meta, 2),
        "citation_author" | "bepress_citation_author" | "eprints.creators_name" => (Author, Meta, 0),
        "citation_authors" => (Author, Meta, 1),
        "parsely-author" | "sailthru.author" | "byl" | "byline" => (Author, Meta, 2),
        "author" | "authors" | "article.author" | "rbauthors" | "creator" => (Author, Meta, 3),
        "citation_publication_date" | "citation_date" | "citation_online_date" | "bepress_citation_date" => (Published, Meta, 0),
        "parsely-pub-date"
        | "sailthru.date"
        | "article.published"
        | "published-date"
        | "publish-date"
        | "publish_date"
        | "pubdate"
        | "publication_date"
        | "publicationdate"
        | "publication-date"
        | "article_date_original"
        | "article.created"
        | "cxenseparse:recs:publishtime"
        | "rnews:datepublished"
        | "datepublished"
        | "pdate"
        | "ptime"
        | "displaydate"
        | "originalpublicationdate"
        | "originalpublishdate"
        | "article_publication_date"
        | "publishdate"
        | "date_published"
        | "created"
        | "doc_date" => (Published, Meta, 1),
        "date" | "parsely-date" | "date.issued" | "issued" => (Published, Meta, 2),
        "last-modified"
        | "lastmod"
        | "article.updated"
        | "revised"
        | "updated"
        | "modified"
        | "datemodified"
        | "utime"
        | "dateupdated"
        | "article_date_updated"
        | "date_modified"
        | "sailthru.lastupdate" => (Modified, Meta, 0),
        "content-language" => (Language, Meta, 0),
        "language" | "lang" | "citation_language" => (Language, Meta, 1),
        "application-name" | "cre" | "apple-mobile-web-app-title" => (SiteName, Meta, 1),
        "citation_journal_title" | "site_name" | "sitename" => (SiteName, Meta, 0),
        "publisher" => (SiteName, Meta, 2),
        "description" => (Description, Meta, 0),
        "parsely-description" | "sailthru.description" | "abstract" | "citation_abstract" | "excerpt" => (Description, Meta, 1),
        "parsely-image-url" | "sailthru.image.full" | "image" => (Image, Meta, 0),
        "sailthru.image.thumb" | "thumbnail" => (Image, Meta, WEAK),
        "parsely-link" => (Canonical, Meta, 0),
        "news_keywords" | "parsely-tags" | "sailthru.tags" | "citation_keywords" | "article.tags" => (Tags, Meta, 0),
        "keywords" => (Tags, Meta, 1),
        "parsely-section" | "article.section" | "cxenseparse:section" | "section" => (Categories, Meta, 0),
        "category" => (Categories, Meta, 1),
        "license" | "licence" => (Licence, Meta, 0),
        "parsely-type" | "medium" | "pagetype" | "content_type" => (Kind, Meta, WEAK),
        _ => return None,
    })
}

/// The label that Yoast's plug-in puts before the name of the author, in the language of the site.
fn says_written_by(label: &str) -> bool {
    const LABELS: [&str; 14] = [
        "written by",
        "author",
        "verfasst von",
        "geschrieben von",
        "écrit par",
        "escrito por",
        "scritto da",
        "geschreven door",
        "napisane przez",
        "автор",
        "написано автором",
        "skriven av",
        "skrevet av",
        "yazan",
    ];
    let label = label.trim().to_lowercase();
    LABELS.contains(&label.as_str())
}
