//! What a technique says about a page.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;
use unchaff_dom::{NodeId, NodeSet, Page};

/// What a part of a page is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockKind {
    /// What the page is about.
    Content,
    /// What the page shares with others of its site.
    Template,
    /// The main menu.
    Menu,
    /// What readers wrote about the page.
    Comments,
    /// Advertisements.
    Ads,
}

impl BlockKind {
    /// All kinds.
    pub const ALL: [BlockKind; 5] =
        [BlockKind::Content, BlockKind::Template, BlockKind::Menu, BlockKind::Comments, BlockKind::Ads];

    /// The name of the block in outputs: `content`, `template`, `menu`, `comments`, `ads`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            BlockKind::Content => "content",
            BlockKind::Template => "template",
            BlockKind::Menu => "menu",
            BlockKind::Comments => "comments",
            BlockKind::Ads => "ads",
        }
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no kind's.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no kind of block `{0}`; there are {known}", known = BlockKind::ALL.map(BlockKind::as_str).join(", "))]
pub struct UnknownBlockKind(pub String);

impl FromStr for BlockKind {
    type Err = UnknownBlockKind;

    fn from_str(name: &str) -> Result<BlockKind, UnknownBlockKind> {
        BlockKind::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or_else(|| UnknownBlockKind(name.to_owned()))
    }
}

/// A labelled set of nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// What the nodes are.
    pub kind: BlockKind,
    /// The nodes, whole subtrees as a rule.
    pub nodes: NodeSet,
    /// How far to trust it, from 0 to 1, if the technique can say.
    pub confidence: Option<f32>,
    /// How sure the technique is of single parts: a node and the probability that it is of this kind, in document order.
    pub ratings: Vec<(NodeId, f32)>,
}

impl Block {
    /// A block of which nothing is known but its nodes.
    #[must_use]
    pub fn of(kind: BlockKind, nodes: NodeSet) -> Block {
        Block { kind, nodes, confidence: None, ratings: Vec::new() }
    }

    /// How sure the technique is of what it took of a subtree: the mean of its ratings there, by words.
    #[must_use]
    pub fn confidence_below(&self, page: &Page, root: NodeId) -> Option<f32> {
        let first = self.ratings.partition_point(|(node, _)| *node < root);
        let inside = self.ratings[first..].iter().take_while(|(node, _)| *node < page.end(root));
        let (mut sum, mut words) = (0.0, 0.0);
        for (node, rating) in inside.filter(|(node, _)| self.nodes.contains(*node)) {
            let weight = page.counts(*node).words.max(1) as f32;
            sum += rating * weight;
            words += weight;
        }
        (words > 0.0).then(|| sum / words)
    }
}

/// What a technique found on a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Detection {
    /// The blocks found; a kind that was looked for and not found is there with no nodes.
    pub blocks: Vec<Block>,
    /// Content that the page does not show but carries in a script, as HTML; it stands for the content of the nodes.
    pub embedded: Option<String>,
    /// The name of the page's template among those of its site, if the site is known and has it.
    pub template: Option<String>,
    /// What the user should know about how the result came about, in a sentence each.
    pub notes: Vec<String>,
}

impl Detection {
    /// A detection of one block.
    #[must_use]
    pub fn of(kind: BlockKind, nodes: NodeSet) -> Detection {
        Detection { blocks: vec![Block::of(kind, nodes)], ..Detection::default() }
    }

    /// The same with a confidence (0 to 1) for all its blocks.
    #[must_use]
    pub fn with_confidence(mut self, confidence: f64) -> Detection {
        self.blocks.iter_mut().for_each(|block| block.confidence = Some(confidence as f32));
        self
    }

    /// The same with blocks of this kind alone; text that stands for the content goes with the content.
    #[must_use]
    pub fn only(mut self, kind: BlockKind) -> Detection {
        self.blocks.retain(|block| block.kind == kind);
        self.embedded = self.embedded.filter(|_| kind == BlockKind::Content);
        self
    }

    /// The nodes of a kind of block, if the technique looks for it.
    #[must_use]
    pub fn nodes(&self, kind: BlockKind) -> Option<&NodeSet> {
        self.blocks.iter().find(|block| block.kind == kind).map(|block| &block.nodes)
    }
}

/// What a technique computed on the way to its result, by node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanation {
    /// The names of the values.
    pub columns: Vec<&'static str>,
    /// The nodes that were looked at, in document order.
    pub rows: Vec<Row>,
    /// What cannot be said of a single node.
    pub notes: Vec<String>,
    /// From which value of the first column on nodes are taken, if that decides.
    pub threshold: Option<f64>,
    /// Which value rates the nodes, if one does: what comes first where nodes are put in order by how likely they are of the block.
    pub rating: Option<Rating>,
}

/// A column of an explanation by which nodes can be put in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The position of the column.
    pub column: usize,
    /// Which values are likely.
    pub likely: Likely,
}

/// Which values say that a node is of the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Likely {
    /// High ones, such as a probability.
    High,
    /// Low ones, such as a share of links.
    Low,
}

/// What was computed for one node.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The node.
    pub node: NodeId,
    /// A value for each column.
    pub values: Vec<f64>,
    /// What became of the node, if something did.
    pub remark: String,
    /// Why, in words, if the technique can say.
    pub why: String,
}

impl Explanation {
    /// An explanation with these columns and no row yet.
    #[must_use]
    pub fn new(columns: &[&'static str]) -> Explanation {
        Explanation { columns: columns.to_vec(), ..Explanation::default() }
    }

    /// The same, in which the values of a column rate the nodes. A column that there is not changes nothing.
    #[must_use]
    pub fn rated_by(mut self, column: &str, likely: Likely) -> Explanation {
        self.rating = self.columns.iter().position(|name| *name == column).map(|column| Rating { column, likely });
        self
    }

    /// The nodes with what rates them, in document order, such that more is more likely; nothing if the technique does not rate.
    pub fn ratings(&self) -> impl Iterator<Item = (NodeId, f64)> + '_ {
        let rated = self.rating.into_iter().flat_map(|rating| self.rows.iter().map(move |row| (rating, row)));
        rated.filter_map(|(Rating { column, likely }, row)| {
            let value = *row.values.get(column)?;
            Some((row.node, if likely == Likely::Low { -value } else { value }))
        })
    }

    /// Adds what was computed for a node.
    pub fn push(&mut self, node: NodeId, values: &[f64], remark: &str) {
        self.rows.push(Row { node, values: values.to_vec(), remark: remark.to_owned(), why: String::new() });
    }
}

/// A technique that looks at one page.
pub trait PageTechnique: Send + Sync {
    /// The name under which the registry knows it.
    fn name(&self) -> &'static str;

    /// Finds the blocks of a page. Any page has an answer, if an empty one.
    fn detect(&self, page: &Page) -> Detection;

    /// What led to the result: weights, ratios or ranges by node.
    fn explain(&self, page: &Page) -> Explanation;
}
