//! News extraction by tree edit distance: the title and the body of a news page, from what varies among pages of its template.
//!
//! D. C. Reis, P. B. Golgher, A. S. da Silva, A. H. F. Laender: Automatic Web News Extraction Using Tree Edit Distance, WWW 2004, as retold by T. Gottron
//! (Content Extraction, PhD thesis, Mainz 2008, section 3.3.5). Pages whose trees are alike by four fifths (RTDM) are one template; they are
//! combined into a pattern with wildcards ([`ne_pattern`](crate::mapping)). What stands for wildcards is content. The body is the longest text of more than 100 words,
//! the title, of the texts of 1 to 20 words, the one that shares most words with it. Where there is no body, there is no news.
//!
//! A text is a text node in the publication. Articles of today have a node for each paragraph, none of 100 words; here the texts of all wildcards
//! right below one element of the template are one, unless told otherwise.

use crate::candidates::page_sample::{Draw, Judge, Judgement, sampled_entry};
use crate::candidates::training_set::nodes_of_texts;
use crate::distances::{Distance, Measure};
use crate::mapping::ne_pattern::{Filled, PageTree};
use crate::registry::SiteEntry;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use unchaff_dom::words::words;
use unchaff_dom::{NodeId, NodeSet, Page};
use unchaff_page::BlockKind;
use unchaff_page::parameters::{choice, parameters};

choice! {
    /// What a text is that can be the body.
    pub enum Passage {
        /// All that varies below one element of the template.
        Container = "container",
        /// All that stands for one wildcard.
        Wildcard = "wildcard",
        /// A text node (the publication).
        Node = "node",
    }
}

parameters! {
    /// Parameters of the extraction. The default is the published setting where there is one.
    pub struct Params {
        /// How alike (0 to 1) the tree of another page must be to that of the page to be of its template.
        pub similarity: f64 = 0.8,
        /// A body has more words than this.
        pub body_words: usize = 100,
        /// A title has no more words than this.
        pub title_words: usize = 20,
        /// What a text is that can be the body: all that varies below one element, all that one wildcard stands for, or a text node.
        pub passage: Passage = Passage::Container,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: SiteEntry = sampled_entry::<Params>(
    "title and body of news: what stands for the wildcards of a pattern learned from pages of the same template",
    "D. C. Reis et al.: Automatic Web News Extraction Using Tree Edit Distance. WWW 2004; after T. Gottron, 2008, section 3.3.5",
    "quadratic in the children that are not alike, up to a limit, for each page of the template",
);

impl Params {
    /// The body and the title among the texts that vary.
    fn news(&self, page: &Page, filled: &[Filled]) -> Option<(Vec<NodeId>, Option<NodeId>)> {
        let mut passages: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
        for Filled { text, wildcard, container } in filled {
            let of = match self.passage {
                Passage::Container => *container,
                Passage::Wildcard => *wildcard,
                Passage::Node => text.0,
            };
            passages.entry(of).or_default().push(*text);
        }
        let length = |texts: &[NodeId]| texts.iter().map(|text| page.counts(*text).words as usize).sum::<usize>();
        // Of equals the first.
        let body =
            passages.into_values().rev().max_by_key(|texts| length(texts)).filter(|texts| length(texts) > self.body_words)?;
        let fold = |text: &str| words(text).map(str::to_lowercase).collect::<HashSet<String>>();
        let in_body: HashSet<String> = body.iter().flat_map(|text| fold(page.string(*text))).collect();
        let could_be_title = |text: &NodeId| (1..=self.title_words).contains(&(page.counts(*text).words as usize));
        let others = filled.iter().map(|filled| filled.text).filter(|text| body.binary_search(text).is_err());
        let shared = |text: &NodeId| fold(page.string(*text)).intersection(&in_body).count();
        let title = others.filter(could_be_title).rev().max_by_key(shared);
        Some((body, title))
    }
}

impl Judge for Params {
    const NAME: &'static str = "rtdm-news";
    const KIND: BlockKind = BlockKind::Content;
    const PAGES: usize = 24;
    const DRAW: Draw = Draw::Near;
    const COMPUTES: &'static str = "wildcard";

    fn judge(&self, page: &Page, others: &mut dyn Iterator<Item = Arc<Page>>) -> Judgement {
        let mut judgement = Judgement::nothing(page);
        let distance = Distance { measure: Measure::Rtdm, ..Distance::default() };
        let own = distance.reduce(page).features;
        let tree = PageTree::of(page);
        let mut pattern = tree.pattern().clone();
        let mut pages = 0;
        for other in others {
            if distance.between(&own, &distance.reduce(&other).features) <= 1.0 - self.similarity + 1e-9 {
                pattern = pattern.combined(PageTree::of(&other).pattern());
                pages += 1;
            }
        }
        if pages == 0 {
            judgement
                .notes
                .push("no other page has the template of the page; `similarity` says how alike pages must be".to_owned());
            return judgement;
        }
        judgement.notes.push(format!("{pages} other pages have the template of the page"));
        let Some(filled) = pattern.filled(&tree) else {
            judgement.notes.push("the page is too large for the pattern to be matched".to_owned());
            return judgement;
        };
        for text in &filled {
            judgement.values[text.text.index()] = f64::from(text.wildcard);
        }
        let Some((body, title)) = self.news(page, &filled) else {
            judgement.notes.push(format!("no text that varies has more than {} words: there is no news", self.body_words));
            return judgement;
        };
        let texts = NodeSet::from_nodes(page, body.into_iter().chain(title));
        judgement.nodes = nodes_of_texts(page, |text| texts.contains(text));
        judgement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::page_sample::tests::judged;
    use unchaff_dom::emit;

    fn page(title: &str, paragraphs: &[String], related: &str) -> String {
        let text: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
        format!(
            "<body><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><div><h1>{title}</h1><div class=text>{text}</div></div>\
             <div class=more><h2>Related</h2><p>{related}</p></div><p>Copyright</p></body>"
        )
    }

    fn found(params: &Params, pages: &[String]) -> String {
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        let (page, judgement) = judged(params, &pages);
        emit::text(&page, &judgement.nodes).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// 60 words, two of them those of the title.
    fn paragraph(of: &str) -> String {
        format!("{of} storm {}", format!("word{of} ").repeat(58)).trim().to_owned()
    }

    #[test]
    fn the_title_and_the_body_of_news_are_found() {
        let (north, south) = (paragraph("north"), paragraph("south"));
        let pages = [
            page("Storm in the north", &[north.clone(), south.clone()], "Ten recipes for soup"),
            page("Quiet in the west", &[paragraph("west")], "Five ways to tie a knot"),
            page("Heat in the east", &[paragraph("east"), paragraph("far"), paragraph("near")], "How to read maps"),
        ];
        assert_eq!(found(&Params::default(), &pages), format!("Storm in the north {north} {south}"));
        let wildcard = Params { passage: Passage::Wildcard, ..Params::default() };
        assert_eq!(found(&wildcard, &pages), format!("Storm in the north {north} {south}"));
        // By the letter no text node has more than 100 words, and with fewer the first of the longest is the body.
        let node = Params { passage: Passage::Node, ..Params::default() };
        assert_eq!(found(&node, &pages), "");
        assert_eq!(found(&Params { body_words: 50, ..node }, &pages), format!("Storm in the north {north}"));
    }

    #[test]
    fn pages_of_other_templates_do_not_count_and_without_others_there_is_no_news() {
        let key = page("Storm", &[paragraph("north"), paragraph("south")], "Soup");
        let unlike = "<body><table><tr><td>one<td>two<tr><td>three<td>four</table><form><input><input></form></body>";
        let (_, judgement) = judged(&Params::default(), &[&key, unlike]);
        assert!(judgement.nodes.is_empty() && judgement.notes[0].contains("similarity"), "{:?}", judgement.notes);
        let (_, judgement) =
            judged(&Params::default(), &[&key, &page("Calm", &[paragraph("x")], "Tea").replace("Copyright", "(c)")]);
        assert!(!judgement.nodes.is_empty());
    }
}
