//! The document frequency filter: text that too many pages have is not content.
//!
//! Ling Ma, Nazli Goharian, Abdur Chowdhury, Misun Chung: Extracting unstructured data from template generated web documents.
//! CIKM 2003, as retold by T. Gottron (Content Extraction, 2008, section 3.3.6): segments are the pieces between the tags of table
//! rows and cells, and the threshold is not published. `df-filter-text` is Gottron's own, simpler form (section 7.2.2): each
//! text node is a segment, and it goes if more than a third of the pages have the same.
//!
//! The page itself is one of those that are counted, as far as can be told; then in a set of two even a text of its own is
//! found on half of the pages. Where no text could survive nothing is decided.

use crate::candidates::training_set::{Detector, Judgement, Part, Settings, Trained, TrainingSet, nodes_of_texts};
use crate::registry::{SiteEntry, entry};
use crate::text::shingles::{sequence_hash, word_hash};
use std::collections::HashMap;
use unchaff_dom::{NodeId, Page, Site, Tag};
use unchaff_page::BlockKind;
use unchaff_page::parameters::{Parameters, choice, parameters};

choice! {
    /// What is counted.
    pub enum Segments {
        /// The pieces of text between tags of `tr` and `td`.
        TrTd = "tr-td",
        /// Text nodes.
        TextNode = "text-node",
    }
}

parameters! {
    /// Parameters of the filter. The default is that of Ma and others.
    pub struct Params {
        /// What is counted: pieces between tags of table rows and cells, or text nodes.
        pub segments: Segments = Segments::TrTd,
        /// Text goes if more than this share of the pages (0 to 1) has it. Ma and others do not say; Gottron has a third.
        pub max_share: f64 = 0.5,
        /// Whether the page itself is one of the pages that are counted.
        pub itself: bool = true,
    }
}

impl Params {
    /// Gottron's form.
    #[must_use]
    pub(crate) fn text_nodes() -> Params {
        Params { segments: Segments::TextNode, max_share: 1.0 / 3.0, ..Params::default() }
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = entry::<Trained<Params>, Settings<Params>>(
    Params::NAME,
    BlockKind::Content,
    "text between tags of table rows and cells that at most half of the pages have",
    "L. Ma, N. Goharian, A. Chowdhury, M. Chung: Extracting unstructured data from template generated web documents. CIKM 2003, \
     after T. Gottron: Content Extraction, 2008, section 3.3.6",
    "linear in the pages loaded",
);

/// What the registry knows of Gottron's form.
pub(crate) const TEXT_ENTRY: SiteEntry = SiteEntry {
    name: "df-filter-text",
    summary: "text nodes that at most a third of the pages have",
    source: "T. Gottron: Content Extraction. PhD thesis, Johannes Gutenberg-Universität Mainz, 2008, section 7.2.2, after Ma et al., 2003",
    parameters: || of_text_nodes().described(),
    build: |settings| {
        let mut all = of_text_nodes();
        for (at, (name, value)) in settings.iter().enumerate() {
            all.set(name, value).ok_or(at)?;
        }
        Ok(Box::new(Trained::named("df-filter-text", all)))
    },
    ..ENTRY
};

fn of_text_nodes() -> Settings<Params> {
    Settings { detector: Params::text_nodes(), ..Settings::default() }
}

/// Calls `each` with the words and the texts of every segment of a page's body that is not blank.
fn for_segments(page: &Page, segments: Segments, mut each: impl FnMut(u64, &[NodeId])) {
    let Some(body) = page.body() else { return };
    let (mut words, mut texts): (Vec<u64>, Vec<NodeId>) = (Vec::new(), Vec::new());
    let mut flush = |words: &mut Vec<u64>, texts: &mut Vec<NodeId>| {
        if !words.is_empty() {
            each(sequence_hash(words), texts);
        }
        words.clear();
        texts.clear();
    };
    // Where open rows and cells end.
    let mut ends: Vec<NodeId> = Vec::new();
    for node in page.descendants(body) {
        let mut cuts = segments == Segments::TextNode;
        while ends.pop_if(|end| *end <= node).is_some() {
            cuts = true;
        }
        if segments == Segments::TrTd && matches!(page.tag(node), Tag::Tr | Tag::Td) {
            ends.push(page.end(node));
            cuts = true;
        }
        if cuts {
            flush(&mut words, &mut texts);
        }
        if page.tag(node) == Tag::Text && page.counts(node).tokens > 0 {
            words.extend(page.string(node).split_whitespace().map(word_hash));
            texts.push(node);
        }
    }
    flush(&mut words, &mut texts);
}

impl Detector for Params {
    const NAME: &'static str = "df-filter";
    const KIND: BlockKind = BlockKind::Content;

    fn judge(&self, set: &TrainingSet, _: &dyn Site) -> Judgement {
        let columns = ["pages", "share"];
        let page = set.page();
        let all = set.len() - usize::from(!self.itself);
        let goes = |pages: u32| f64::from(pages) > self.max_share * all as f64 + 1e-9;
        if all == 0 || goes(u32::from(self.itself)) {
            return Judgement::undecided(page, Self::KIND, columns);
        }
        // Of each segment the number of pages that have it, and the last that had.
        let mut frequencies: HashMap<u64, (u32, usize)> = HashMap::new();
        for (at, page) in set.pages().enumerate().skip(set.len() - all) {
            for_segments(page, self.segments, |segment, _| {
                let (pages, last) = frequencies.entry(segment).or_insert((0, usize::MAX));
                *pages += u32::from(*last != at);
                *last = at;
            });
        }
        let (mut parts, mut kept) = (Vec::new(), Vec::new());
        for_segments(page, self.segments, |segment, texts| {
            let pages = frequencies.get(&segment).map_or(0, |frequency| frequency.0);
            let chosen = !goes(pages);
            parts.push(Part { node: texts[0], values: [f64::from(pages), f64::from(pages) / all as f64], chosen });
            if chosen {
                kept.extend_from_slice(texts);
            }
        });
        let nodes = nodes_of_texts(page, |node| kept.binary_search(&node).is_ok());
        Judgement { nodes, columns, parts, notes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::training_set::tests::{found, linked, set_of};
    use proptest::prelude::*;

    #[test]
    fn cells_that_most_pages_have_go() {
        // Made by hand.
        let cells = ["Art1", "Art2", "Art3"].map(|own| format!("<table><tr><td>Home</td><td>{own}</td></tr></table>"));
        let bodies = cells.each_ref().map(String::as_str);
        assert_eq!(found(&Params::default(), &bodies), "Art1");
    }

    #[test]
    fn more_than_a_third_is_too_many() {
        // The rule of section 7.2.2. Each text is named after how many of the pages have it.
        let text = Params::text_nodes();
        assert_eq!(found(&text, &["<p>two<p>one", "<p>two", "<p>x", "<p>y"]), "one");
        assert_eq!(found(&text, &["<p>two<p>one", "<p>two", "<p>x"]), "one");
        for bodies in [&["<p>two<p>one", "<p>two"][..], &["<p>one"]] {
            let site = linked(bodies);
            let judgement = text.judge(&set_of(&site), &site);
            assert!(judgement.notes[0].contains("too few"));
            assert!(found(&text, bodies).contains("one"));
        }
        assert_eq!(found(&text, &["<p>five<p>five<p>five<p>five<p>five", "<p>x", "<p>y"]), "five five five five five");
        assert_eq!(found(&text, &["<p>two <p>one", "<p>\n two\n", "<p>x"]), "one", "white space does not count");
    }

    #[test]
    fn the_page_itself_counts_or_not() {
        // Section 7.2.2 does not say which.
        let bodies = ["<p>two<p>one", "<p>two"];
        assert_eq!(found(&Params { itself: false, ..Params::text_nodes() }, &bodies), "one");
        assert!(found(&Params::text_nodes(), &bodies).contains("two"));
    }

    #[test]
    fn both_forms_are_in_the_registry_with_their_thresholds() {
        let default = |name: &str, parameter: &str| {
            let parameters = crate::registry::find(name).unwrap().parameters();
            parameters.into_iter().find(|known| known.name == parameter).unwrap().default
        };
        assert_eq!((default("df-filter", "segments"), default("df-filter", "max_share")), ("tr-td".to_owned(), "0.5".to_owned()));
        let share: f64 = default("df-filter-text", "max_share").parse().unwrap();
        assert_eq!((default("df-filter-text", "segments"), share), ("text-node".to_owned(), 1.0 / 3.0));
    }

    #[test]
    fn a_segment_ends_where_a_row_or_cell_starts_or_ends() {
        let page = Page::parse(
            "<body>a <b>b</b><table><tr><td>c<table><tr><td>d</td></tr></table>e</td><th>f</th></tr></table>g</body>",
        );
        let mut segments = Vec::new();
        for_segments(&page, Segments::TrTd, |_, texts| {
            segments.push(texts.iter().map(|text| page.string(*text)).collect::<String>());
        });
        assert_eq!(segments, ["a b", "c", "d", "e", "f", "g"]);
    }

    proptest! {
        #[test]
        fn what_is_kept_is_rare_and_what_is_rare_is_kept(
            pages in prop::collection::vec("(<p>|<table>|<td>|</table>|one |two |three |four ){0,20}", 3..6), share in 0.34..1.0f64,
        ) {
            let bodies: Vec<&str> = pages.iter().map(String::as_str).collect();
            let site = linked(&bodies);
            let set = set_of(&site);
            for segments in [Segments::TrTd, Segments::TextNode] {
                let params = Params { segments, max_share: share, ..Params::default() };
                let judgement = params.judge(&set, &site);
                prop_assert_eq!(&judgement, &params.judge(&set, &site));
                for part in &judgement.parts {
                    prop_assert!(part.values[0] >= 1.0);
                    prop_assert_eq!(part.chosen, part.values[1] <= share + 1e-9);
                    prop_assert_eq!(part.chosen, judgement.nodes.contains(part.node));
                }
            }
        }
    }
}
