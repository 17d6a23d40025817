//! What JSON-LD says of a page: schema.org in `script type="application/ld+json"`.
//!
//! All scripts of a page are one graph: objects at the top, in arrays, in `@graph` and as `mainEntity` are its nodes, and
//! `{"@id": …}` refers to another of them. The page is described by one node: the one of the best type ([`Standing`]);
//! among equals the one that names the page's address, else the first. Equals of which none names the page are a list of
//! others, as on a front page, so that what they say is weak. `WebSite` and `Organization` only give the name of the site.

use super::Source;
use super::candidates::{Candidates, Field, WEAK};
use super::value;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Nodes of the graph that are looked at.
const MOST_NODES: usize = 1000;
/// Values looked at for one field of a node.
const MOST_VALUES: usize = 64;

pub(super) type Node = Map<String, Value>;

/// How well the type of a node fits to what a page is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Standing {
    /// Articles and postings.
    Article,
    /// What has a page of its own: products, recipes, discussions, jobs, …
    Thing,
    /// What is as often only part of a page: videos, reviews, lists, questions and answers.
    Part,
    /// `WebPage` and its kin.
    Page,
}

/// Offers all that the graph says of the page. `addresses` are those of the page.
pub(super) fn offer(scripts: &[Value], addresses: &[String], candidates: &mut Candidates<'_>) {
    let nodes = nodes(scripts);
    let graph = Graph { by_id: nodes.iter().filter_map(|node| Some((node.get("@id")?.as_str()?, *node))).collect() };
    for node in &nodes {
        let rank = match () {
            () if has_type(node, |name| name == "WebSite") => 1,
            () if has_type(node, |name| name.ends_with("Organization") || name == "Corporation") => 2,
            () => continue,
        };
        graph.offer(node, &["name"], &[], Field::SiteName, rank, candidates);
    }
    let standings: Vec<(Standing, &Node)> = nodes.iter().filter_map(|node| Some((standing(node)?, *node))).collect();
    let Some(best) = standings.iter().map(|(standing, _)| *standing).min() else { return };
    let equals = || standings.iter().filter(|(standing, _)| *standing == best).map(|(_, node)| *node);
    let own = equals().find(|node| graph.names_page(node, addresses));
    let is_list = own.is_none() && equals().nth(2).is_some();
    if let Some(node) = own.or_else(|| equals().next()) {
        let rank = if best >= Standing::Part || is_list { WEAK } else { 0 };
        graph.describe(node, rank, candidates);
    }
    if let Some((_, page)) = standings.iter().find(|(standing, _)| *standing == Standing::Page && best != Standing::Page) {
        graph.describe(page, WEAK + 10, candidates);
    }
}

/// The nodes of the graph.
pub(super) fn nodes(scripts: &[Value]) -> Vec<&Node> {
    let mut nodes = Vec::new();
    let mut waiting: Vec<&Value> = scripts.iter().rev().collect();
    let mut looked_at = 0;
    while let Some(value) = waiting.pop() {
        looked_at += 1;
        if looked_at > MOST_NODES {
            break;
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().take(MOST_NODES).rev()),
            Value::Object(node) => {
                // The main entity of a list is its items; that of questions and answers, each question.
                let is_list = has_type(node, |name| matches!(name, "FAQPage" | "ItemList" | "BreadcrumbList"));
                waiting.extend(node.get("mainEntity").filter(|_| !is_list));
                waiting.extend(node.get("@graph"));
                nodes.push(node);
            }
            _ => {}
        }
    }
    nodes
}

fn types(node: &Node) -> impl Iterator<Item = &str> {
    let (one, many) = match node.get("@type") {
        Some(Value::Array(types)) => (None, types.as_slice()),
        Some(one) => (Some(one), [].as_slice()),
        None => (None, [].as_slice()),
    };
    let names = one.into_iter().chain(many).filter_map(Value::as_str);
    names.map(|name| name.rsplit(['/', '#', ':']).next().unwrap_or(name))
}

/// Whether a type of a node, without its vocabulary, fits.
pub(super) fn has_type(node: &Node, fits: impl FnMut(&str) -> bool) -> bool {
    types(node).any(fits)
}

/// The strings that a node has under some keys, itself or as a list.
pub(super) fn texts_of<'v>(node: &'v Node, keys: &[&str]) -> impl Iterator<Item = &'v str> {
    let values = keys.iter().filter_map(|key| node.get(*key));
    let strings = values.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    strings.filter_map(Value::as_str)
}

fn standing(node: &Node) -> Option<Standing> {
    types(node).filter_map(standing_of_type).min()
}

fn standing_of_type(name: &str) -> Option<Standing> {
    if matches!(name, "Person" | "Place" | "LocalBusiness" | "Restaurant" | "Hotel" | "Store" | "WebSite") {
        return None;
    }
    if name.ends_with("Page") && !matches!(name, "FAQPage" | "CollectionPage") {
        return Some(Standing::Page);
    }
    match value::kind(name)?.as_str() {
        "article" => Some(Standing::Article),
        "product" | "forum" | "recipe" | "job" | "event" | "book" | "course" | "howto" | "software" | "dataset" => {
            Some(Standing::Thing)
        }
        "video" | "audio" | "review" | "service" | "faq" | "collection" => Some(Standing::Part),
        _ => None,
    }
}

struct Graph<'v> {
    by_id: HashMap<&'v str, &'v Node>,
}

impl<'v> Graph<'v> {
    fn describe(&self, node: &'v Node, rank: u8, candidates: &mut Candidates<'_>) {
        let fields: [(Field, u8, &str, &[&str]); 27] = [
            (Field::Title, 0, "headline", &[]),
            (Field::Title, 1, "name", &[]),
            (Field::Author, 0, "author", &["name"]),
            (Field::Author, 1, "creator", &["name"]),
            (Field::Published, 0, "datePublished", &[]),
            (Field::Published, 1, "dateCreated", &[]),
            (Field::Published, 1, "uploadDate", &[]),
            (Field::Published, 1, "datePosted", &[]),
            (Field::Modified, 0, "dateModified", &[]),
            (Field::Language, 0, "inLanguage", &["alternateName", "name"]),
            (Field::SiteName, 0, "publisher", &["name"]),
            (Field::Description, 0, "description", &[]),
            (Field::Description, 1, "abstract", &[]),
            (Field::Image, 0, "image", &["url", "contentUrl"]),
            (Field::Image, 1, "primaryImageOfPage", &["url", "contentUrl"]),
            (Field::Image, 2, "thumbnailUrl", &[]),
            (Field::Image, 2, "thumbnail", &["url", "contentUrl"]),
            (Field::Canonical, 0, "url", &[]),
            (Field::Canonical, 1, "mainEntityOfPage", &["@id", "url"]),
            (Field::Kind, 0, "@type", &[]),
            (Field::SiteName, 3, "isPartOf", &["name"]),
            (Field::Author, 2, "contributor", &["name"]),
            (Field::Tags, 0, "keywords", &["name"]),
            (Field::Categories, 0, "articleSection", &["name"]),
            (Field::Categories, 1, "genre", &["name"]),
            (Field::Licence, 0, "license", &["url", "@id", "name"]),
            (Field::Licence, 1, "copyrightNotice", &[]),
        ];
        for (field, below, key, inner) in fields {
            self.offer(node, &[key], inner, field, rank + below, candidates);
        }
        if let Some(is_free) = is_free(node) {
            candidates.offer(Field::Access, Source::JsonLd, rank, if is_free { "free" } else { "locked" });
        }
    }

    fn offer(&self, node: &'v Node, keys: &[&str], inner: &[&str], field: Field, rank: u8, candidates: &mut Candidates<'_>) {
        for text in self.texts(keys.iter().filter_map(|key| node.get(*key)).collect(), inner) {
            candidates.offer(field, Source::JsonLd, rank, text.to_owned());
        }
    }

    /// The strings of a value: itself, those of a list, and what an object or the node it refers to has under a key.
    fn texts(&self, values: Vec<&'v Value>, keys: &[&str]) -> Vec<&'v str> {
        let mut texts = Vec::new();
        let mut waiting = values;
        for _ in 0..MOST_VALUES {
            match waiting.pop() {
                Some(Value::String(text)) => texts.push(text.as_str()),
                Some(Value::Array(items)) => waiting.extend(items.iter().take(MOST_VALUES).rev()),
                Some(Value::Object(object)) => {
                    let has = |object: &'v Node| keys.iter().chain(&["@value", "@list"]).find_map(|key| object.get(*key));
                    let referred = || has(self.by_id.get(object.get("@id")?.as_str()?)?);
                    waiting.extend(has(object).or_else(referred));
                }
                Some(_) => {}
                None => break,
            }
        }
        texts
    }

    fn names_page(&self, node: &'v Node, addresses: &[String]) -> bool {
        let values = ["url", "@id", "mainEntityOfPage"].iter().filter_map(|key| node.get(*key)).collect();
        let named = self.texts(values, &["@id", "url"]);
        named.iter().any(|name| addresses.iter().any(|address| bare(name) == bare(address)))
    }
}

/// Whether all of something can be read without paying, if it says so. Of an article with a part that cannot, some say that it is free.
fn is_free(node: &Node) -> Option<bool> {
    let says = |node: &Node| match node.get("isAccessibleForFree")? {
        Value::Bool(is_free) => Some(*is_free),
        Value::String(text) => match text.rsplit('/').next()?.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    };
    let parts = node.get("hasPart").map(|parts| parts.as_array().map_or(std::slice::from_ref(parts), Vec::as_slice));
    let mut parts = parts.unwrap_or_default().iter().take(MOST_VALUES).filter_map(Value::as_object);
    if parts.any(|part| says(part) == Some(false)) { Some(false) } else { says(node) }
}

/// An address without what often differs between two spellings of it.
fn bare(address: &str) -> &str {
    let address = address.split('#').next().unwrap_or(address);
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    address.strip_prefix("www.").unwrap_or(address).trim_end_matches('/')
}
