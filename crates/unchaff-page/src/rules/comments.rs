//! What readers wrote about a page: the comments below an article.
//!
//! Our own; the thesis that published ConEx names comments as an open line (J. Alarte, 2023, chapter 16). Comments are found in
//! several ways, the surest first: by names (`class` and `id` in many languages, the marks of comment systems), checked by what
//! comments consist of: people, dates, ways to answer, numbered ids, microdata; by the make of entries that stand side by side, weighed together with what stands around them (`entry_runs`); by a
//! heading ("3 comments", "Kundenstimmen": `comment_headings`) above siblings that repeat and have people and dates, give marks or are signed (`signed_entries`); by siblings that each give
//! marks (★★★★☆), which are reviews of a product; and, where a script brings them, by the empty place it will fill. The form to write one, with its heading and notes, is none of them.
//!
//! The posts of a forum are what the page is about, and so are the answers to a question. Those after the first are comments on it all the same, as entries of a guest book are; but who leaves comments out of
//! the content leaves them in ([`Comments::beside_content`]). Where no first post can be told, a page that says it is a forum has none but what it calls comments, and a page that has no text but comments has none.

use crate::learned::name_families::{Families, Family, families_of};
use crate::parameters::{choice, parameters};
use crate::registry::Entry;
use crate::rules::comment_headings::{counts_comments, counts_one, headings_of_comments, is_guest_book, is_in_heading};
use crate::rules::comment_signs::{Reading, Signs, has_price, is_review_name, may_hold, may_say};
use crate::rules::entry_runs::{Surroundings, runs};
use crate::rules::posts::answered;
use crate::rules::signed_entries::{Around, LEAST_MARKED, entries_among, is_marked_entry, is_signed_list};
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use unchaff_dom::order::InOrder;
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

choice! {
    /// How much around the comments is taken.
    pub enum Extent {
        /// The smallest element that holds the comments.
        List = "list",
        /// The largest that is named after them: the heading and the form to write one too.
        Section = "section",
    }
}

parameters! {
    /// Parameters of the detection of comments.
    pub struct Params {
        /// What is taken: the list of comments, or the section with its heading and form.
        pub extent: Extent = Extent::List,
        /// Fewer words are no comments.
        pub min_words: u32 = 3,
        /// Comments come after an article of at least so many words; without one they are the content themselves.
        pub min_article_words: u32 = 15,
        /// Take the answers to the first post of a thread, or to a question, which are content as well.
        pub replies: bool = true,
        /// Look for comments among the posts of forums whose first post is not known, too.
        pub in_forums: bool = false,
        /// Take the empty places that scripts fill with comments.
        pub embeds: bool = true,
        /// Find comments without a name by a heading and repeated siblings.
        pub by_heading: bool = true,
        /// Find reviews of a product by the marks that each gives.
        pub by_marks: bool = true,
        /// Find entries by their make: names, days and sentences in the same places.
        pub by_signature: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Comments, Params>(
    "comments",
    BlockKind::Comments,
    "named or headed lists of siblings with people, dates and ways to answer",
    "unchaff's own; an open line of J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 16",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Comments {
    params: Params,
}

impl From<Params> for Comments {
    fn from(params: Params) -> Comments {
        Comments { params }
    }
}

/// Where comments were found and why.
struct Finding {
    root: NodeId,
    signs: Signs,
    why: &'static str,
}

impl PageTechnique for Comments {
    fn name(&self) -> &'static str {
        "comments"
    }

    fn detect(&self, page: &Page) -> Detection {
        let (findings, note) = self.find(page);
        let roots = findings.iter().map(|finding| finding.root);
        let nodes = NodeSet::from_roots(page, roots);
        let mut detection = Detection::of(BlockKind::Comments, nodes);
        detection.notes.extend(note.map(str::to_owned));
        detection
    }

    fn explain(&self, page: &Page) -> Explanation {
        let (findings, note) = self.find(page);
        let mut explanation = Explanation::new(&["people", "dates", "answers", "numbered", "microdata", "marks", "words"]);
        explanation.notes.extend(note.map(str::to_owned));
        for Finding { root, signs, why } in findings {
            let values = [signs.people, signs.dates, signs.answers, signs.numbered, signs.microdata, signs.ratings, signs.words];
            let values = values.map(f64::from);
            explanation.push(root, &values, why);
        }
        explanation
    }
}

impl Comments {
    /// Comments with these parameters.
    #[must_use]
    pub fn new(params: Params) -> Comments {
        Comments::from(params)
    }

    /// Comments as far as they are no content: without the answers of a thread.
    #[must_use]
    pub fn beside_content() -> Comments {
        Comments::new(Params { replies: false, ..Params::default() })
    }

    fn find(&self, page: &Page) -> (Vec<Finding>, Option<&'static str>) {
        let Some(body) = page.body() else { return (Vec::new(), None) };
        let reading = Reading::of(page, body);
        let replies = NodeSet::from_roots(page, answered(&reading, body).iter().skip(1).map(|post| post.root)).roots(page);
        let takes_replies = self.params.replies && !replies.is_empty();
        let mut findings = match takes_replies {
            true => replies.iter().map(|reply| self.finding(&reading, *reply, "answers a first post")).collect(),
            false => self.by_name(&reading, body),
        };
        if !takes_replies && !self.params.in_forums && reading.is_forum(body) {
            // What follows a first post and is called comments; others are all posts.
            let first = findings.first().map_or(body, |finding| finding.root);
            let title = page.descendants(body).take_while(|node| *node < first).filter(|node| page.tag(*node) == Tag::H1).last();
            let above = reading.article_words[title.unwrap_or(body).index()];
            findings.retain(|finding| reading.article_words[finding.root.index()] - above >= LEAST_FIRST_POST);
            if findings.is_empty() {
                return (findings, Some("the page is a forum: its posts are content"));
            }
        }
        let headings = if findings.is_empty() { headings_of_comments(page, body) } else { Vec::new() };
        if findings.is_empty() && self.params.by_signature {
            findings = self.by_signature(&reading, body, &headings);
        }
        if findings.is_empty() && self.params.by_heading {
            findings = self.by_heading(&reading, body, &headings);
        }
        if findings.is_empty() && self.params.by_marks {
            findings = self.by_marks(&reading, body);
        }
        if !takes_replies {
            let holds_reply = |finding: &Finding| {
                let next = replies.get(replies.partition_point(|reply| *reply < finding.root));
                next.is_some_and(|reply| page.end(*reply) <= page.end(finding.root))
            };
            findings.retain(|finding| self.params.in_forums || !holds_reply(finding));
        }
        if self.params.extent == Extent::List {
            findings = findings.into_iter().flat_map(|finding| reading.without_forms(finding)).collect();
        }
        if self.params.embeds {
            reading.embeds(body, &mut findings);
        }
        findings.order_by_key(|finding| finding.root);
        (findings, None)
    }

    /// Outermost elements named after comments that have what comments consist of.
    fn by_name(&self, reading: &Reading, body: NodeId) -> Vec<Finding> {
        let page = reading.page;
        let mut regions: Vec<NodeId> = Vec::new();
        let mut next = NodeId(body.0 + 1);
        while next < page.end(body) {
            let node = next;
            let named = page.is_element(node) && may_hold(page.tag(node)) && reading.is_named(node);
            if named && !reading.forms.contains(node) && self.is_convincing(reading, node) {
                regions.push(node);
                next = page.end(node);
            } else {
                next = NodeId(node.0 + 1);
            }
        }
        let mut findings = Vec::new();
        let mut from = 0;
        while from < regions.len() {
            // Comments that stand side by side share a parent; if it has nothing else, it is their container.
            let parent = page.parent(regions[from]);
            let to = from + regions[from..].iter().take_while(|region| page.parent(**region) == parent).count();
            let group = &regions[from..to];
            let has_article = |node: NodeId| reading.article_words_in(node) >= self.params.min_article_words.max(1);
            match parent.filter(|parent| group.len() > 1 && *parent != body && !has_article(*parent)) {
                Some(parent) => findings.push(self.finding(reading, parent, "the parent of comments")),
                None => findings.extend(group.iter().map(|region| self.finding(reading, *region, "named after comments"))),
            }
            from = to;
        }
        findings
    }

    /// Whether an element with a comment's name has what comments have, and stands where they do: after the article.
    fn is_convincing(&self, reading: &Reading, node: NodeId) -> bool {
        let signs = reading.signs(node);
        let is_numbered = signs.numbered + signs.microdata > 0;
        let is_list = matches!(reading.page.tag(node), Tag::Ul | Tag::Ol | Tag::Dl);
        let is_counted = || {
            reading.page.descendants(node).any(|inner| is_in_heading(reading.page, inner) && counts_comments(reading.page, inner))
        };
        let has_signs =
            is_list || signs.kinds() >= 2 || is_numbered || (signs.kinds() == 1 && (signs.words >= FEW_WORDS || is_counted()));
        // In a forum, comments are called so and are no list of topics.
        let counts = reading.page.counts(node);
        let is_called = reading.names.at(node).has(Family::Comment) && 2 * counts.link_words <= counts.words;
        let in_forum = !is_called
            && (signs.forums > 0 || reading.page.ancestors(node).any(|above| reading.names.at(above).has(Family::Forum)));
        (signs.words >= self.params.min_words || signs.numbered > 0)
            && has_signs
            && signs.articles == 0
            && reading.article_words[node.index()] >= self.params.min_article_words
            && (self.params.in_forums || !in_forum)
    }

    fn finding(&self, reading: &Reading, section: NodeId, why: &'static str) -> Finding {
        let root = match self.params.extent {
            Extent::Section => section,
            Extent::List => reading.list_in(section),
        };
        Finding { root, signs: reading.signs(root), why }
    }

    /// What follows a heading such as "3 comments", if it repeats and has people and dates, marks, or is signed.
    fn by_heading(&self, reading: &Reading, body: NodeId, headings: &[(NodeId, Around)]) -> Vec<Finding> {
        let page = reading.page;
        let mut findings: Vec<Finding> = Vec::new();
        for (heading, announced) in headings.iter().copied() {
            if findings.last().is_some_and(|last| heading < page.end(last.root)) {
                continue;
            }
            // The comments follow the heading, or the wrapper of the heading.
            let mut above = page.ancestors(heading).take(4).take_while(|above| *above != body);
            let place = above.find_map(|above| self.headed(reading, (heading, announced), above));
            // A heading in a column before the article does not make the article a list of comments.
            let is_after = |root: NodeId, most: u32| {
                let (before, words) = (reading.article_words[root.index()], reading.signs(root).words);
                before >= self.params.min_article_words
                    && before >= words / 10
                    && words <= most
                    && reading.signs(root).articles == 0
            };
            let place = place.filter(|(roots, most)| roots.iter().all(|root| is_after(*root, *most)));
            for root in place.into_iter().flat_map(|(roots, _)| roots) {
                findings.push(Finding { root, signs: reading.signs(root), why: "below a heading of comments" });
            }
        }
        findings
    }

    /// The comments among what follows an element with a heading, and how many words each may have.
    fn headed(&self, reading: &Reading, (heading, announced): (NodeId, Around), above: NodeId) -> Option<(Vec<NodeId>, u32)> {
        let page = reading.page;
        let level = page.ancestors(heading).take(3).find_map(|above| page.tag(above).heading_level());
        let ends = |node: &NodeId| page.tag(*node).heading_level().is_some_and(|other| level.is_some_and(|level| other <= level));
        // An element with more in it may have the heading of something else.
        let is_theirs = page.counts(above).words <= page.counts(heading).words + MOST_NOTE_WORDS;
        let is_of_comments = announced == Around::Comments;
        if !is_theirs && !is_of_comments {
            return None;
        }
        let around = if is_theirs { announced } else { Around::Near };
        let is_one = is_of_comments && counts_one(page.string(heading));
        let following: Vec<NodeId> = std::iter::successors(page.next_sibling(above), |node| page.next_sibling(*node))
            .filter(|node| page.is_element(*node) && page.counts(*node).words > 0)
            .take_while(|node| !ends(node) && !reading.forms.contains(*node))
            .take(MOST_SIBLINGS)
            .collect();
        if let Some(entries) = entries_among(reading, &following, is_one, around) {
            return Some((entries.nodes, LONG * entries.number));
        }
        let first = *following.first()?;
        let signs = reading.signs(first);
        // Where nobody is named as a person, each of several has to be dated.
        let each_dated = page.element_children(first).nth(1).is_some()
            && page.element_children(first).all(|child| reading.signs(child).dates > 0);
        let is_enough =
            signs.words >= self.params.min_words && signs.dates > 0 && (signs.people + signs.answers > 0 || each_dated);
        let is_list = matches!(page.tag(first), Tag::Ul | Tag::Ol | Tag::Dl) || is_one;
        if is_of_comments && is_enough && (is_list || page.element_children(first).nth(1).is_some()) {
            return Some((vec![first], LONG * signs.dates));
        }
        if !is_theirs {
            return None;
        }
        // A note, such as the mean of all marks, may stand between the heading and what holds the comments.
        following.iter().take(MOST_NOTES + 1).find_map(|outer| {
            let only = |node: &NodeId| {
                let mut children = page.element_children(*node).filter(|child| page.counts(*child).words > 0);
                let child = children.next().filter(|_| children.next().is_none())?;
                (page.counts(child).words == page.counts(*node).words).then_some(child)
            };
            let inner = std::iter::successors(Some(*outer), only).take(MOST_WRAPPERS).last()?;
            if is_signed_list(page, inner) {
                return Some((vec![inner], LONG * page.element_children(inner).count() as u32));
            }
            let children: Vec<NodeId> =
                page.element_children(inner).filter(|child| page.counts(*child).words > 0).take(MOST_SIBLINGS).collect();
            let entries = entries_among(reading, &children, is_one, around)?;
            let is_all = entries.nodes.len() == children.len();
            Some((if is_all { vec![inner] } else { entries.nodes }, LONG * entries.number))
        })
    }
}

impl Comments {
    /// Siblings that are alike and each give marks, and are no cards of products: those have prices and lead elsewhere.
    fn by_marks(&self, reading: &Reading, body: NodeId) -> Vec<Finding> {
        let page = reading.page;
        let is_review = |node: NodeId| {
            let (signs, counts) = (reading.signs(node), page.counts(node));
            signs.ratings > 0
                && signs.ratings <= 3
                && signs.words >= if page.tag(node) == Tag::P { LEAST_MARKED } else { self.params.min_words }
                && counts.link_words * 3 <= counts.words
                && signs.articles == 0
                && !has_price(page.text(node))
                && reading.article_words[node.index()] >= self.params.min_article_words
        };
        let mut findings: Vec<Finding> = Vec::new();
        let mut next = body;
        while next < page.end(body) {
            let parent = next;
            next = NodeId(next.0 + 1);
            if !page.is_element(parent) || reading.signs(parent).ratings == 0 {
                continue;
            }
            let reviews: Vec<NodeId> =
                page.element_children(parent).filter(|child| may_say(page.tag(*child)) && is_review(*child)).collect();
            let alike = |node: &NodeId| {
                page.tag(*node) == page.tag(reviews[0]) && page.classes(*node).next() == page.classes(reviews[0]).next()
            };
            let is_one =
                |node: NodeId| is_review_name(page, node) && reading.signs(node).kinds() >= 2 || is_marked_entry(page, node);
            let is_one = reviews.len() == 1 && is_one(reviews[0]);
            if !(is_one || reviews.len() > 1 && reviews.iter().all(alike)) {
                continue;
            }
            findings.extend(reading.together(parent, body, &reviews, "each gives marks"));
            next = page.end(parent);
        }
        findings
    }

    /// Runs of entries that tell themselves.
    fn by_signature(&self, reading: &Reading, body: NodeId, headings: &[(NodeId, Around)]) -> Vec<Finding> {
        let around = Surroundings {
            headings,
            is_guest_book: is_guest_book(reading.page, body),
            min_article_words: self.params.min_article_words,
        };
        let runs = runs(reading, body, &around).into_iter();
        runs.flat_map(|(parent, entries)| reading.together(parent, body, &entries, "a run of entries")).collect()
    }
}

/// With fewer words, one kind of sign may be chance: a byline with a link to the comments has a date.
const FEW_WORDS: u32 = 20;

/// A first post in a forum has so many words, and what stands between the title and the posts fewer.
const LEAST_FIRST_POST: u32 = 40;

/// Comments are dated and signed one by one: with more words to each, something else is.
const LONG: u32 = 300;

/// So many siblings below a heading are looked at.
const MOST_SIBLINGS: usize = 400;
/// So many elements may stand between a heading and what holds the comments.
const MOST_NOTES: usize = 2;
/// So many words may stand beside a heading.
const MOST_NOTE_WORDS: u32 = 20;
/// So many elements may hold nothing but what holds the comments.
const MOST_WRAPPERS: usize = 6;

/// Addresses of scripts and frames that bring comments.
const SYSTEMS: &[&str] = &[
    "disqus.com/",
    "facebook.com/plugins/comments",
    "facebook.com/plugins/feedback",
    "utteranc.es/",
    "giscus.app/",
    "commento.io/",
    "cdn.commento",
    "hyvor.com/",
    "intensedebate.com/",
    "livefyre.com/",
    "cusdis.com/",
    "graphcomment.com/",
    "remark42",
    "isso.",
    "hypercomments.com/",
    "cackle.me/",
    "spot.im/",
    "openweb.com/",
    "changyan.",
    "duoshuo.com/",
    "gitalk",
    "gitment",
    "valine",
    "waline",
    "twikoo",
    "coral.",
];

/// Classes and ids of places that scripts fill with comments.
fn is_embed_name(name: &str) -> bool {
    matches!(
        name,
        "disqus_thread"
            | "fb-comments"
            | "IDCommentsNewThread"
            | "idc-container"
            | "livefyre-comments"
            | "giscus"
            | "utterances"
            | "commento"
            | "remark42"
            | "isso-thread"
            | "cusdis_thread"
            | "hyvor-talk-view"
            | "graphcomment"
            | "hypercomments_widget"
            | "mc-container"
            | "vk_comments"
            | "ds-thread"
            | "gitalk-container"
            | "vcomments"
            | "waline"
            | "tcomment"
            | "coral_thread"
            | "SOHUCS"
    )
}

impl Reading<'_> {
    /// Entries as one finding if their parent has nothing else, and one by one otherwise.
    fn together(&self, parent: NodeId, body: NodeId, entries: &[NodeId], why: &'static str) -> Vec<Finding> {
        let finding = |root: NodeId| Finding { root, signs: self.signs(root), why };
        let words: u32 = entries.iter().map(|node| self.signs(*node).words).sum();
        let is_all = words * 10 >= self.signs(parent).words * 9 && self.page.element_children(parent).count() == entries.len();
        if parent != body && is_all { vec![finding(parent)] } else { entries.iter().map(|entry| finding(*entry)).collect() }
    }

    /// Whether the page is one of a [discussion board](is_forum).
    pub(crate) fn is_forum(&self, body: NodeId) -> bool {
        is_forum(self.page, body, |node| self.names.at(node))
    }

    /// The smallest element that holds all comments of a section.
    fn list_in(&self, section: NodeId) -> NodeId {
        let page = self.page;
        let mut list = section;
        loop {
            let whole = self.signs(list);
            // Answers are lists of comments too, so that a single comment with answers must not be left for them.
            let inner = page.element_children(list).find(|child| {
                let signs = self.signs(*child);
                may_hold(page.tag(*child)) && signs.words * 20 >= whole.words * 19 && signs.kinds() == whole.kinds()
            });
            let is_one = self.names.at(list).has_number() || page.tag(list) == Tag::Li;
            let is_list = matches!(page.tag(list), Tag::Ul | Tag::Ol | Tag::Dl);
            match inner {
                Some(inner) if !is_list && !is_one && !self.is_single(inner) => list = inner,
                _ => return list,
            }
        }
    }

    /// Whether an element is one comment, not a list.
    fn is_single(&self, node: NodeId) -> bool {
        let names = self.names.at(node);
        matches!(self.page.tag(node), Tag::Li | Tag::Article | Tag::Tr | Tag::Td | Tag::Dd)
            || (names.has(Family::Comment) && names.has_number())
            || !names.has(Family::Comment)
                && self.page.classes(node).next().is_some()
                && self.page.element_children(node).nth(1).is_none()
    }

    /// The parts of a finding that are neither the form to write a comment nor what leads to it.
    fn without_forms(&self, finding: Finding) -> Vec<Finding> {
        let page = self.page;
        let places: Vec<NodeId> = page
            .descendants(finding.root)
            .filter(|node| page.tag(*node) == Tag::Form && self.forms.contains(*node))
            .map(|form| self.form_place(form, finding.root))
            .collect();
        if places.is_empty() {
            return vec![finding];
        }
        let gone = NodeSet::from_roots(page, places.iter().copied());
        let holding = gone.with_ancestors(page);
        let mut parts: Vec<Finding> = Vec::new();
        let mut at = NodeId(finding.root.0 + 1);
        while at < page.end(finding.root) {
            if holding.contains(at) && !gone.contains(at) {
                at = NodeId(at.0 + 1);
                continue;
            }
            let signs = self.signs(at);
            let is_part = page.is_element(at) && !gone.contains(at) && page.tag(at).heading_level().is_none();
            if is_part && signs.words > 0 && (signs.kinds() > 0 || self.is_named(at)) {
                parts.push(Finding { root: at, signs, why: finding.why });
            }
            at = page.end(at);
        }
        if parts.is_empty() { vec![finding] } else { parts }
    }

    fn embeds(&self, body: NodeId, findings: &mut Vec<Finding>) {
        let page = self.page;
        let known = NodeSet::from_roots(page, findings.iter().map(|finding| finding.root));
        let mut covered = NodeId(0);
        for node in page.descendants(body).filter(|node| page.is_element(*node) && !known.contains(*node)) {
            let is_place = page.classes(node).chain(page.attr(node, "id")).any(is_embed_name);
            let brings = matches!(page.tag(node), Tag::Iframe | Tag::Script)
                && page
                    .attr(node, "src")
                    .is_some_and(|src| SYSTEMS.iter().any(|system| src.contains(system)) && !src.contains("count.js"));
            if node >= covered && (is_place || brings) && !findings.iter().any(|finding| page.is_ancestor(node, finding.root)) {
                covered = page.end(node);
                findings.push(Finding { root: node, signs: self.signs(node), why: "a place that a script fills with comments" });
            }
        }
    }
}

fn holds_most(page: &Page, node: NodeId, body: NodeId) -> bool {
    2 * page.counts(node).words > page.counts(body).words
}

/// Whether the page or its outer wrappers are named after a discussion board, or its generator is one, given the families of these names.
pub(crate) fn is_forum(page: &Page, body: NodeId, families: impl Fn(NodeId) -> Families) -> bool {
    let named = |node: NodeId| families(node).has(Family::Forum);
    let generator = page.head().into_iter().flat_map(|head| page.descendants(head)).any(|node| {
        let is = |value: &str| page.attr(node, "name").is_some_and(|name| name.eq_ignore_ascii_case(value));
        page.tag(node) == Tag::Meta
            && is("generator")
            && page.attr(node, "content").is_some_and(|content| families_of(content).has(Family::Forum))
    });
    let declared = || {
        page.nodes().any(|node| {
            let is_data = page.tag(node) == Tag::Script && page.attr(node, "type") == Some("application/ld+json");
            is_data && page.children(node).any(|data| page.string(data).contains("DiscussionForumPosting"))
        })
    };
    generator
        || page.html().is_some_and(named)
        || named(body)
        || page.element_children(body).any(|child| named(child) && holds_most(page, child, body))
        || declared()
}

#[cfg(test)]
mod tests;
