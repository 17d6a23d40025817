//! The filters of boilerpipe: what an extractor's chain is made of.
//!
//! The decision trees are those of C. Kohlschütter, P. Fankhauser, W. Nejdl: Boilerplate Detection using
//! Shallow Text Features, WSDM 2010; what the other filters do is known from the authors' program (Apache License 2.0),
//! from which the lists of tags, phrases and separators of titles are taken. Each works
//! on the list of blocks that the one before it left.

use crate::published::boilerpipe::{Params, Separators, Words};
use crate::views::text_blocks::{Cut, Role, TextBlock, text_blocks};
use unchaff_dom::{Page, Tag};

/// Greatest link density of content.
const MAX_LINK_DENSITY: f64 = 0.333333;
/// Greatest link density of a block before that says nothing about the one after it.
const MAX_LINK_DENSITY_BEFORE: f64 = 0.555556;
/// Words per line from which a block counts as full text.
const FULL_TEXT_DENSITY: f64 = 9.0;

/// One or more fused blocks.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    /// The sums of what was fused; its level is the least.
    block: TextBlock,
    /// Positions of the first and the last of the blocks.
    first: usize,
    last: usize,
    pub(crate) content: bool,
    pub(crate) title: bool,
    /// Says that the article is over.
    pub(crate) end_mark: bool,
    /// Set once the largest block is known: this one is it.
    pub(crate) largest: bool,
    /// Set then for all others.
    candidate: bool,
}

/// What a decision looks at: the empty block stands before the first and after the last.
#[derive(Clone, Copy, Default)]
pub(crate) struct Features {
    words: u32,
    text_density: f64,
    link_density: f64,
}

impl From<&TextBlock> for Features {
    fn from(block: &TextBlock) -> Features {
        Features { words: block.words, text_density: block.text_density(), link_density: block.link_density() }
    }
}

/// The decision by numbers of words.
pub(crate) fn is_content_by_words([previous, current, next]: [Features; 3]) -> bool {
    if current.link_density > MAX_LINK_DENSITY {
        false
    } else if previous.link_density <= MAX_LINK_DENSITY_BEFORE {
        current.words > 16 || next.words > 15 || previous.words > 4
    } else {
        current.words > 40 || next.words > 17
    }
}

/// The decision by text density.
pub(crate) fn is_content_by_density([previous, current, next]: [Features; 3]) -> bool {
    if current.link_density > MAX_LINK_DENSITY {
        false
    } else if previous.link_density > MAX_LINK_DENSITY_BEFORE {
        next.text_density > 11.0
    } else if current.text_density > 9.0 {
        next.text_density != 0.0
    } else {
        next.text_density > 10.0 || previous.text_density > 4.0
    }
}

/// A page as a list of blocks, on which the filters work.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) blocks: Vec<TextBlock>,
    pub(crate) list: Vec<Fused>,
    /// For each block, where in the list it is; past the end once it was dropped.
    pub(crate) places: Vec<usize>,
}

impl Document {
    pub(crate) fn new(page: &Page, params: &Params) -> Document {
        let role = match params.separators {
            Separators::Program => role_in_program,
            Separators::Browsers => role_in_browsers,
        };
        let cut = Cut { role, ideographs: params.words == Words::Ideographs };
        let blocks = page.body().map_or_else(Vec::new, |body| text_blocks(page, body, cut));
        let fused = |(at, block): (usize, &TextBlock)| Fused {
            block: *block,
            first: at,
            last: at,
            content: false,
            title: false,
            end_mark: false,
            largest: false,
            candidate: false,
        };
        Document { list: blocks.iter().enumerate().map(fused).collect(), places: (0..blocks.len()).collect(), blocks }
    }

    pub(crate) fn classify(&mut self, decide: fn([Features; 3]) -> bool) {
        let features =
            |list: &[Fused], at: usize| list.get(at).map_or_else(Features::default, |fused| Features::from(&fused.block));
        let mut previous = Features::default();
        for at in 0..self.list.len() {
            let current = features(&self.list, at);
            self.list[at].content = decide([previous, current, features(&self.list, at + 1)]);
            previous = current;
        }
    }

    /// Fuses each block with the one before it if the condition holds.
    fn fuse(&mut self, condition: impl Fn(&Fused, &Fused) -> bool) {
        let mut moved = Vec::with_capacity(self.list.len());
        let mut fused: Vec<Fused> = Vec::with_capacity(self.list.len());
        for next in self.list.drain(..) {
            match fused.last_mut() {
                Some(before) if condition(before, &next) => {
                    let (sum, block) = (&mut before.block, &next.block);
                    sum.last = block.last;
                    sum.level = sum.level.min(block.level);
                    sum.chars += block.chars;
                    sum.words += block.words;
                    sum.link_words += block.link_words;
                    sum.wrapped_words += block.wrapped_words;
                    sum.wrapped_lines += block.wrapped_lines;
                    sum.heading = sum.heading.max(block.heading);
                    sum.list_item |= block.list_item;
                    before.last = next.last;
                    before.content |= next.content;
                    before.title |= next.title;
                    before.end_mark |= next.end_mark;
                }
                _ => fused.push(next),
            }
            moved.push(fused.len() - 1);
        }
        self.list = fused;
        self.move_places(&moved);
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&Fused) -> bool) {
        let mut kept = 0;
        let moved: Vec<usize> = self
            .list
            .iter()
            .map(|fused| {
                kept += usize::from(keep(fused));
                if keep(fused) { kept - 1 } else { usize::MAX }
            })
            .collect();
        self.list.retain(keep);
        self.move_places(&moved);
    }

    fn move_places(&mut self, moved: &[usize]) {
        for place in &mut self.places {
            *place = moved.get(*place).copied().unwrap_or(usize::MAX);
        }
    }

    pub(crate) fn fuse_equal_density(&mut self) {
        self.fuse(|before, next| before.block.text_density() == next.block.text_density());
    }

    pub(crate) fn fuse_neighbours(&mut self) {
        self.fuse(|before, next| next.content && next.first - before.last <= 2);
    }

    pub(crate) fn fuse_content_of_same_level(&mut self) {
        self.fuse(|before, next| {
            before.content && next.content && next.first - before.last <= 2 && before.block.level == next.block.level
        });
    }

    /// Marks short blocks with phrases that news sites put below their articles.
    pub(crate) fn find_end_marks(&mut self, page: &Page) {
        let mut text = String::new();
        for fused in self.list.iter_mut().filter(|fused| fused.block.words < 15) {
            fused.block.write_text(page, &mut text);
            fused.end_mark = is_end_mark(&text, fused.block.link_density());
        }
    }

    /// Labels the first block that is the page's title or a part of it.
    pub(crate) fn find_title(&mut self, page: &Page) {
        // Looked up, because a long title has as many parts as the page has blocks.
        let mut titles = potential_titles(page);
        titles.sort_unstable();
        let is_title = |text: &str| titles.binary_search_by(|title| title.as_str().cmp(text)).is_ok();
        let longest = titles.iter().map(|title| title.split_whitespace().count()).max().unwrap_or(0);
        let mut text = String::new();
        for fused in self.list.iter_mut().filter(|fused| fused.block.words as usize <= longest) {
            fused.block.write_text(page, &mut text);
            let text = comparable(&text);
            let bare: String = text.chars().filter(|character| !"?!.-:".contains(*character)).collect();
            if is_title(&text) || is_title(bare.trim()) {
                fused.title = true;
                break;
            }
        }
    }

    pub(crate) fn cut_after_end_mark(&mut self, min_words: u32) {
        let mut words = 0;
        let mut over = false;
        for fused in &mut self.list {
            if fused.content && fused.block.text_density() >= FULL_TEXT_DENSITY {
                words += fused.block.words;
            }
            over |= fused.end_mark && words >= min_words;
            fused.content &= !over;
        }
    }

    pub(crate) fn drop_trailing_headlines(&mut self) {
        for fused in self.list.iter_mut().rev().filter(|fused| fused.content) {
            if !(1..=3).contains(&fused.block.heading) {
                break;
            }
            fused.content = false;
        }
    }

    /// Keeps the block with most words, the first of several, and with `min_words` those at its level around it.
    pub(crate) fn keep_largest(&mut self, min_words: Option<u32>) {
        if self.list.len() < 2 {
            return;
        }
        let mut largest: Option<usize> = None;
        for (at, fused) in self.list.iter().enumerate().filter(|(_, fused)| fused.content) {
            if largest.is_none_or(|largest| fused.block.words > self.list[largest].block.words) {
                largest = Some(at);
            }
        }
        for (at, fused) in self.list.iter_mut().enumerate() {
            fused.content = Some(at) == largest;
            fused.largest = fused.content;
            fused.candidate = !fused.content;
        }
        if let (Some(largest), Some(min_words)) = (largest, min_words) {
            let level = self.list[largest].block.level;
            let (before, from) = self.list.split_at_mut(largest);
            let beside = |fused: &&mut Fused| fused.block.level >= level;
            for fused in before.iter_mut().rev().take_while(beside).chain(from.iter_mut().take_while(beside)) {
                fused.content |= fused.block.level == level && fused.block.words >= min_words;
            }
        }
    }

    pub(crate) fn expand_title_to_content(&mut self) {
        let Some(content) = self.list.iter().position(|fused| fused.content) else { return };
        let Some(title) = self.list[..=content].iter().rposition(|fused| fused.title) else { return };
        for fused in &mut self.list[title..content] {
            fused.content |= fused.candidate;
        }
    }

    pub(crate) fn add_large_of_same_level(&mut self, min_words: u32) {
        let Some(level) = self.list.iter().find(|fused| fused.content && fused.largest).map(|fused| fused.block.level) else {
            return;
        };
        for fused in &mut self.list {
            fused.content |= fused.block.words >= min_words && fused.block.level == level;
        }
    }

    pub(crate) fn add_lists_at_end(&mut self) {
        let mut level = u16::MAX;
        for fused in &mut self.list {
            if fused.content && fused.largest {
                level = fused.block.level;
            } else if fused.block.level > level && fused.candidate && fused.block.list_item && fused.block.link_words == 0 {
                fused.content = true;
            } else {
                level = u16::MAX;
            }
        }
    }

    pub(crate) fn content_blocks(&self) -> impl Iterator<Item = &TextBlock> {
        let is_content = |place: &usize| self.list.get(*place).is_some_and(|fused| fused.content);
        self.blocks.iter().zip(&self.places).filter(move |(_, place)| is_content(place)).map(|(block, _)| block)
    }
}

fn is_ignored(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Style | Script | Option | Object | Embed | Applet | Link | Noscript)
}

fn role_in_program(tag: Tag) -> Role {
    use Tag::*;
    match tag {
        A => Role::Link,
        Strike | U | B | I | Em | Strong | Span | Sup | Sub | Code | Tt | Var | Abbr | Acronym | Font => Role::Inline,
        tag if is_ignored(tag) => Role::Ignored,
        _ => Role::Separator,
    }
}

fn role_in_browsers(tag: Tag) -> Role {
    match tag {
        Tag::A => Role::Link,
        tag if is_ignored(tag) => Role::Ignored,
        tag if tag.is_block() || tag == Tag::Br => Role::Separator,
        _ => Role::Inline,
    }
}

fn is_end_mark(text: &str, link_density: f64) -> bool {
    if text.chars().count() < 8 {
        return link_density == 1.0 && text == "Comment";
    }
    let text = text.to_lowercase();
    let after_number = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let starts = ["comments", "© reuters", "please rate this", "post a comment"];
    let contains = [
        "what you think...",
        "add your comment",
        "add comment",
        "reader views",
        "have your say",
        "reader comments",
        "rätta artikeln",
    ];
    starts.iter().any(|start| text.starts_with(start))
        || (after_number.len() < text.len()
            && [" comments", " users responded in"].iter().any(|start| after_number.starts_with(start)))
        || contains.iter().any(|phrase| text.contains(phrase))
        || text == "thanks for your comments - this feedback is now closed"
}

/// A text as titles are compared: lower case, without apostrophes, plain spaces.
fn comparable(text: &str) -> String {
    text.replace('\u{a0}', " ").replace('\'', "").trim().to_lowercase()
}

/// The title, and the parts of it that may be the headline: the longest between separators, those of four words between
/// spaced bars or dashes, all but the first or last between dashes.
fn potential_titles(page: &Page) -> Vec<String> {
    let element = page.head().and_then(|head| page.descendants(head).find(|node| page.tag(*node) == Tag::Title));
    let title = comparable(&element.map_or("", |node| page.text(node)).split_whitespace().collect::<Vec<_>>().join(" "));
    if title.is_empty() {
        return Vec::new();
    }
    let mut titles = vec![title.clone()];
    for separators in ["|»-", "|»:", "|»:()", "|»:()-", "|»,:()-"] {
        let parts = title.split(|character| separators.contains(character)).map(str::trim).filter(|part| !part.contains(".com"));
        // Longer by words or by characters: a part with fewer words wins if it has more characters, as in the program.
        let longest = parts.fold(("", 0), |(best, words), part| {
            let part_words = part.split(' ').filter(|word| !word.is_empty()).count();
            if part_words > words || part.chars().count() > best.chars().count() { (part, part_words) } else { (best, words) }
        });
        titles.extend((!longest.0.is_empty()).then(|| longest.0.to_owned()));
    }
    for separator in [" | ", " - "] {
        let parts =
            title.split(separator).map(str::trim).filter(|part| !part.contains(".com") && part.split_whitespace().count() >= 4);
        titles.extend(parts.map(str::to_owned));
    }
    titles.extend(title.rsplit_once(" - ").map(|(start, _)| start.to_owned()));
    titles.extend(title.split_once(" - ").map(|(_, end)| end.to_owned()));
    titles
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(number: usize) -> String {
        vec!["word"; number].join(" ")
    }

    #[test]
    fn the_word_rules_decide_as_published() {
        // Words of the previous, current and next block, link density of the previous one.
        let decide = |previous, current, next, previous_links: f64| {
            let features = |words, link_density| Features { words, link_density, ..Features::default() };
            is_content_by_words([features(previous, previous_links), features(current, 0.0), features(next, 0.0)])
        };
        assert!(decide(0, 17, 0, 0.0));
        assert!(!decide(4, 10, 10, 0.0));
        assert!(decide(5, 10, 10, 0.0));
        assert!(!decide(0, 40, 17, 0.6));
        assert!(decide(0, 40, 18, 0.6));
    }

    #[test]
    fn the_density_rules_decide_as_published() {
        // Text density of the previous, current and next block, link density of the previous and the current one.
        let decide = |previous: f64, current: f64, next: f64, previous_links: f64, links: f64| {
            let features = |text_density, link_density| Features { words: 0, text_density, link_density };
            is_content_by_density([features(previous, previous_links), features(current, links), features(next, 0.0)])
        };
        assert!(decide(0.0, 9.5, 1.0, 0.0, 0.0));
        assert!(!decide(0.0, 9.5, 0.0, 0.0, 0.0));
        assert!(!decide(4.0, 9.0, 10.0, 0.0, 0.0));
        assert!(decide(4.5, 9.0, 10.0, 0.0, 0.0) && decide(4.0, 9.0, 10.5, 0.0, 0.0));
        assert!(!decide(9.0, 9.5, 11.0, 0.6, 0.0));
        assert!(decide(9.0, 9.5, 11.5, 0.6, 0.0));
        // A third is just above the greatest link density of content.
        assert!(!decide(9.0, 12.0, 12.0, 0.0, 1.0 / 3.0));
    }

    #[test]
    fn neighbours_fuse_only_where_something_is_content() {
        let html = format!("<p>a b c</p><p>{}</p><p>c</p>", words(40));
        let page = Page::parse(html);
        let mut document = Document::new(&page, &Params::default());
        document.fuse_neighbours();
        assert_eq!(document.list.len(), 3);
        document.list[1].content = true;
        document.fuse_neighbours();
        assert_eq!(document.list.len(), 2);
        assert!(document.list[0].content && document.list[0].block.words == 43);
        assert_eq!(document.places, [0, 0, 1]);
    }

    #[test]
    fn lists_at_the_end_of_the_content_belong_to_it_unless_they_have_links() {
        let list = |item: &str| {
            let page = Page::parse(format!("<body><div>{}<ul><li>{item}</li></ul></div></body>", words(60)));
            let mut document = Document::new(&page, &Params::default());
            document.list[0].content = true;
            document.keep_largest(None);
            document.add_lists_at_end();
            document.content_blocks().count()
        };
        assert_eq!(list("Item"), 2);
        assert_eq!(list("Item <a href=1>link</a>"), 1);
    }

    #[test]
    fn titles_and_end_marks_are_found_as_in_the_program() {
        let titles = |title: &str| potential_titles(&Page::parse(format!("<title>{title}</title>")));
        assert!(titles("Rain in May | The Paper").contains(&"rain in may".to_owned()));
        assert!(titles("The Paper: The sun's out at last").contains(&"the suns out at last".to_owned()));
        assert!(titles("").is_empty());
        for mark in ["Comments (3)", "12 comments", "© Reuters 2010", "Please add your comment here"] {
            assert!(is_end_mark(mark, 0.0), "{mark}");
        }
        assert!(is_end_mark("Comment", 1.0) && !is_end_mark("Comment", 0.0));
        assert!(!is_end_mark("No comments were made", 0.0) && !is_end_mark("12 apples", 0.0));
    }

    #[test]
    fn switches_change_what_they_say() {
        let blocks = |html: &str, params: Params| Document::new(&Page::parse(html), &params).blocks;
        let html = "<p>one <small>two</small> three<img>four</p>";
        assert_eq!(blocks(html, Params::default()).len(), 4);
        assert_eq!(blocks(html, Params { separators: Separators::Browsers, ..Params::default() }).len(), 1);
        assert_eq!(blocks("<p>今天下雨</p>", Params::default())[0].words, 1);
        assert_eq!(blocks("<p>今天下雨</p>", Params { words: Words::Ideographs, ..Params::default() })[0].words, 4);
    }

    proptest! {
        #[test]
        fn fused_blocks_keep_all_words_and_their_order(parts in prop::collection::vec("<(div|p|ul|li|a|h1)>|</(div|p|ul|a)>|one two three |four ", 0..60), chosen in any::<u64>()) {
            let page = Page::parse(parts.concat());
            let mut document = Document::new(&page, &Params::default());
            for (at, fused) in document.list.iter_mut().enumerate() {
                fused.content = chosen >> (at % 64) & 1 == 1;
            }
            let total: u32 = document.blocks.iter().map(|block| block.words).sum();
            document.fuse_equal_density();
            document.fuse_neighbours();
            prop_assert_eq!(document.list.iter().map(|fused| fused.block.words).sum::<u32>(), total);
            prop_assert!(document.places.is_sorted() && document.list.is_sorted_by(|one, other| one.last < other.first));
            document.retain(|fused| fused.content);
            prop_assert!(document.list.iter().all(|fused| fused.content));
            let kept = document.places.iter().filter(|place| **place != usize::MAX).count();
            prop_assert!(kept >= document.list.len());
        }
    }
}
