//! The pruned tree of a page: its elements, in order, each with its name, its `id` and its classes; no text, no other attribute.
//!
//! Jan Zelený: Web page segmentation utilizing clustering techniques. PhD thesis, Brno University of Technology, 2017,
//! Defs. 18–20 and 25–27. It is what is kept of a page that stands for its template: small, and enough to recognise other pages
//! of the template and to find the same nodes in them. A node is the number of the element in its page
//! ([`Page::element_number`]), so that no table is needed to get from one to the other.
//!
//! Where the thesis leaves room: children are element children, positions count from 0, and digits of an `id`
//! can be folded, because `post-1234` names the page and not the template.

use crate::learned::page_keys::{hash_bytes, is_of_page};
use std::collections::HashMap;
use thiserror::Error;
use unchaff_dom::{Page, TAG_COUNT, Tag};

/// How a page is pruned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pruning {
    /// Write every run of digits in an `id` as one `#`. Off as published; ids that number pages or comments then split templates.
    pub fold_id_digits: bool,
    /// Keep class names, without those that speak of the page. Off as published: nodes are told apart by name, `id` and place.
    pub classes: bool,
}

impl Pruning {
    /// What templates are kept with: ids folded, classes kept.
    #[must_use]
    pub fn for_templates() -> Pruning {
        Pruning { fold_id_digits: true, classes: true }
    }
}

/// One element. Names are numbers of the tree's table, in which 0 is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PrunedNode {
    parent: u32,
    end: u32,
    label: u32,
    id: u32,
    classes: u32,
    position: u32,
    siblings: u32,
}

/// The elements of a page; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrunedDom {
    names: Vec<Box<str>>,
    hashes: Vec<u64>,
    nodes: Vec<PrunedNode>,
}

/// What tells a node from its siblings (Def. 26). Names are hashes, which can be compared between trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descriptor {
    /// Its place among its siblings, from 0.
    pub position: u32,
    /// How many siblings there are, itself included.
    pub siblings: u32,
    /// Its `id`; 0 if it has none.
    pub id: u64,
    /// Its element name.
    pub label: u64,
}

/// Bytes that are no pruned tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the stored tree of the template is damaged; forget the template, and it is learned again")]
pub struct DamagedTree;

/// Numbers strings in the order in which they come.
struct Names {
    numbers: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.into(), number);
        self.names.push(name.into());
        number
    }
}

impl PrunedDom {
    /// Prunes a page.
    #[must_use]
    pub fn of(page: &Page, how: &Pruning) -> PrunedDom {
        let mut names = Names { numbers: HashMap::new(), names: Vec::new() };
        names.number("");
        let mut labels = [0; TAG_COUNT];
        // Values as they stand in the page, so that each is looked at once.
        let mut known: [HashMap<&str, u32>; 2] = [HashMap::new(), HashMap::new()];
        let mut nodes: Vec<PrunedNode> = Vec::with_capacity(page.counts(page.root()).elements as usize);
        for node in page.nodes().filter(|node| page.is_element(*node)) {
            let number = nodes.len() as u32;
            let label = match page.tag(node) {
                Tag::Custom | Tag::Foreign => names.number(&page.name(node).to_ascii_lowercase()),
                tag => {
                    let label = &mut labels[tag as usize];
                    if *label == 0 {
                        *label = names.number(tag.name());
                    }
                    *label
                }
            };
            let (mut id, mut classes) = (0, 0);
            for (name, value) in page.attrs(node) {
                match name {
                    "id" => {
                        id = *known[0].entry(value).or_insert_with(|| {
                            let id = value.trim_ascii();
                            if how.fold_id_digits { names.number(&folded(id)) } else { names.number(id) }
                        });
                    }
                    "class" if how.classes => {
                        classes = *known[1].entry(value).or_insert_with(|| names.number(&class_names(value)));
                    }
                    _ => {}
                }
            }
            let parent = page.parent(node).filter(|parent| page.is_element(*parent));
            let parent = parent.map_or(0, |parent| page.element_number(parent) as u32);
            let end = number + page.counts(node).elements;
            nodes.push(PrunedNode { parent, end, label, id, classes, position: 0, siblings: 1 });
        }
        if nodes.is_empty() {
            let label = names.number("html");
            nodes.push(PrunedNode { parent: 0, end: 1, label, id: 0, classes: 0, position: 0, siblings: 1 });
        }
        PrunedDom::new(names.names, nodes)
    }

    /// Places among siblings follow from the parents.
    fn new(names: Vec<Box<str>>, mut nodes: Vec<PrunedNode>) -> PrunedDom {
        let mut children = vec![0; nodes.len()];
        for node in nodes.iter_mut().skip(1) {
            let count: &mut u32 = &mut children[node.parent as usize];
            node.position = *count;
            *count += 1;
        }
        for node in nodes.iter_mut().skip(1) {
            node.siblings = children[node.parent as usize];
        }
        let hashes = names.iter().map(|name| if name.is_empty() { 0 } else { hash_bytes(0, name.as_bytes()) }).collect();
        PrunedDom { names, hashes, nodes }
    }

    /// How many elements there are, one at least.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // There is always the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The first node after the subtree of `node`.
    #[must_use]
    pub fn end(&self, node: u32) -> u32 {
        self.nodes[node as usize].end
    }

    /// The parent; none for the root.
    #[must_use]
    pub fn parent(&self, node: u32) -> Option<u32> {
        (node != 0).then(|| self.nodes[node as usize].parent)
    }

    /// The children in order.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.end(node);
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end(child);
            Some(child)
        })
    }

    /// What tells a node from its siblings.
    #[must_use]
    pub fn descriptor(&self, node: u32) -> Descriptor {
        let PrunedNode { label, id, position, siblings, .. } = self.nodes[node as usize];
        Descriptor { position, siblings, id: self.hashes[id as usize], label: self.hashes[label as usize] }
    }

    /// The path of distinguished positions (Def. 27): descriptors from below the root down to the node.
    #[must_use]
    pub fn descriptors(&self, node: u32) -> Vec<Descriptor> {
        let upwards = std::iter::successors(Some(node), |node| self.parent(*node)).take_while(|node| *node != 0);
        let mut path: Vec<Descriptor> = upwards.map(|node| self.descriptor(node)).collect();
        path.reverse();
        path
    }

    /// Name, `id` and classes of a node as hashes; 0 for what it has not.
    pub(crate) fn hashes(&self, node: u32) -> (u64, u64, u64) {
        let PrunedNode { label, id, classes, .. } = self.nodes[node as usize];
        (self.hashes[label as usize], self.hashes[id as usize], self.hashes[classes as usize])
    }

    /// A node as it would be selected: `div#main.entry`.
    #[must_use]
    pub fn token(&self, node: u32) -> String {
        let PrunedNode { label, id, classes, .. } = self.nodes[node as usize];
        let name = |number: u32| &*self.names[number as usize];
        let id = if id == 0 { String::new() } else { format!("#{}", name(id)) };
        let classes: String =
            name(classes).split(' ').filter(|class| !class.is_empty()).map(|class| format!(".{class}")).collect();
        format!("{}{id}{classes}", name(label))
    }

    /// As bytes, which [`from_bytes`](Self::from_bytes) reads: the table of names, then each node with the number of its
    /// children.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.nodes.len() * 5);
        write_number(&mut out, self.names.len() as u32);
        for name in &self.names {
            write_number(&mut out, name.len() as u32);
            out.extend(name.as_bytes());
        }
        let mut children = vec![0u32; self.nodes.len()];
        self.nodes.iter().skip(1).for_each(|node| children[node.parent as usize] += 1);
        write_number(&mut out, self.nodes.len() as u32);
        for (node, children) in self.nodes.iter().zip(children) {
            [node.label, node.id, node.classes, children].into_iter().for_each(|number| write_number(&mut out, number));
        }
        out
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// If it is something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<PrunedDom, DamagedTree> {
        let mut rest = bytes;
        PrunedDom::read(&mut rest).filter(|_| rest.is_empty()).ok_or(DamagedTree)
    }

    fn read(rest: &mut &[u8]) -> Option<PrunedDom> {
        let count = read_number(rest)? as usize;
        // Each name and node takes a byte at least, so that no count makes more memory than there are bytes.
        if count == 0 || count > rest.len() {
            return None;
        }
        let mut names = Vec::with_capacity(count);
        for _ in 0..count {
            let length = read_number(rest)? as usize;
            let (name, after) = rest.split_at_checked(length)?;
            names.push(std::str::from_utf8(name).ok()?.into());
            *rest = after;
        }
        let count = read_number(rest)? as usize;
        if count == 0 || count > rest.len() {
            return None;
        }
        let mut nodes: Vec<PrunedNode> = Vec::with_capacity(count);
        // Elements that wait for children, with how many.
        let mut open: Vec<(u32, u32)> = Vec::new();
        for number in 0..count as u32 {
            let [label, id, classes] = [read_number(rest)?, read_number(rest)?, read_number(rest)?];
            let children = read_number(rest)?;
            if [label, id, classes].iter().any(|name| *name as usize >= names.len()) || (open.is_empty() && number != 0) {
                return None;
            }
            let parent = open.last().map_or(0, |(parent, _)| *parent);
            nodes.push(PrunedNode { parent, end: number + 1, label, id, classes, position: 0, siblings: 1 });
            if let Some((_, waiting)) = open.last_mut() {
                *waiting -= 1;
            }
            open.push((number, children));
            while let Some((done, 0)) = open.last() {
                nodes[*done as usize].end = number + 1;
                open.pop();
            }
        }
        open.is_empty().then(|| PrunedDom::new(names, nodes))
    }
}

/// Runs of digits as one `#`.
fn folded(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for char in id.chars() {
        if !char.is_ascii_digit() {
            out.push(char);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}

/// The class names that speak of the template, digits folded.
fn class_names(classes: &str) -> String {
    let names: Vec<String> = classes.split_ascii_whitespace().filter(|class| !is_of_page(class)).map(folded).collect();
    names.join(" ")
}

fn write_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(rest: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for place in 0..5 {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return u32::try_from(number).ok();
        }
    }
    None
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Page A and its relatives, made by hand.
    pub(crate) const A: &str = "<html><head><title>a</title></head><body><div id=top><h1>x</h1></div><div id=nav><ul><li><a>1</a></li><li><a>2</a></li></ul></div><div id=main><h2>h</h2><p>1</p><p>2</p></div><div id=foot><p>f</p></div></body>";
    pub(crate) const B: &str = "<html><head><title>b</title></head><body><div id=top><h1>x</h1></div><div id=nav><ul><li><a>1</a></li><li><a>2</a></li><li><a>3</a></li></ul></div><div id=main><h2>h</h2><p>1</p><p>2</p><p>3</p></div><div id=foot><p>f</p></div></body>";

    /// B with a list in its main part.
    pub(crate) fn b_with_list() -> String {
        B.replace("<p>3</p>", "<p>3</p><ul><li>x</li></ul>")
    }

    pub(crate) fn pruned(html: &str) -> PrunedDom {
        PrunedDom::of(&Page::parse(html), &Pruning::default())
    }

    /// The first node that is written like this.
    pub(crate) fn find(dom: &PrunedDom, token: &str) -> u32 {
        (0..dom.len() as u32).find(|node| dom.token(*node) == token).unwrap()
    }

    #[test]
    fn nodes_are_numbers_of_elements() {
        let page = Page::parse(A);
        let dom = PrunedDom::of(&page, &Pruning::default());
        for number in 0..dom.len() {
            let element = page.element_at(number).unwrap();
            assert!(dom.token(number as u32).starts_with(page.name(element)));
            assert_eq!(dom.end(number as u32) as usize - number, page.counts(element).elements as usize);
            let parent = dom.parent(number as u32).map(|parent| page.element_at(parent as usize).unwrap());
            assert_eq!(parent, page.parent(element).filter(|parent| page.is_element(*parent)));
        }
        assert!(page.element_at(dom.len()).is_none());
    }

    /// Positions count from 0, siblings are elements.
    #[test]
    fn descriptors_lead_from_below_the_root_to_the_node() {
        let dom = pruned(A);
        let main = dom.descriptors(find(&dom, "div#main"));
        assert_eq!(
            main.iter().map(|step| (step.position, step.siblings, step.id != 0)).collect::<Vec<_>>(),
            [(1, 2, false), (2, 4, true)]
        );
        assert!(dom.descriptors(0).is_empty());
    }

    /// Ids that number things are one id if that is asked for, and only then.
    #[test]
    fn digits_of_ids_are_folded_and_classes_kept_on_demand() {
        let page = Page::parse("<p id=post-12 class='entry post-12 col-3'></p><p id=post-7></p><p id=''></p><x-y></x-y>");
        let tokens = |how: &Pruning| {
            let dom = PrunedDom::of(&page, how);
            (3..dom.len() as u32).map(|node| dom.token(node)).collect::<Vec<_>>()
        };
        assert_eq!(tokens(&Pruning::default()), ["p#post-12", "p#post-7", "p", "x-y"]);
        assert_eq!(tokens(&Pruning::for_templates()), ["p#post-#.entry.col-#", "p#post-#", "p", "x-y"]);
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = pruned(A).to_bytes();
        assert_eq!(PrunedDom::from_bytes(&bytes), Ok(pruned(A)));
        for cut in 0..bytes.len() {
            assert_eq!(PrunedDom::from_bytes(&bytes[..cut]), Err(DamagedTree));
        }
        assert_eq!(PrunedDom::from_bytes(&[&bytes[..], &[0]].concat()), Err(DamagedTree));
        assert_eq!(PrunedDom::from_bytes(&[0xff; 40]), Err(DamagedTree));
    }

    proptest! {
        #[test]
        fn any_page_is_read_back_from_its_bytes(html in "(<(div|p|ul|li|table|td|x-y|svg)( id=[a-c][0-9]?| class='a b1')?>|</(div|p|ul|svg)>|t){0,40}") {
            let dom = PrunedDom::of(&Page::parse(html), &Pruning::for_templates());
            prop_assert_eq!(PrunedDom::from_bytes(&dom.to_bytes()), Ok(dom));
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(dom) = PrunedDom::from_bytes(&bytes) {
                prop_assert_eq!(PrunedDom::from_bytes(&dom.to_bytes()), Ok(dom));
            }
        }
    }
}
