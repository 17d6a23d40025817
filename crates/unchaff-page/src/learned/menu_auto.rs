//! The main menu of a page: the tightest containers of links, ranked by what menus have in common.
//!
//! Our own. A candidate is an element with two links or more of which no child holds all: on 61 labelled pages every menu was
//! among them, so that only the ranking matters. Each candidate has a row of plain facts (names in class and id
//! that fade with the distance, tags, position, number and length of links, how alike its items are); their sum by weight is its score. "No menu" stands in
//! the ranking like a candidate, with a score of its own; the share of a candidate in the sum of all exponentials is its confidence.
//! The weights are a conditional logit fitted to 40 sites (`unchaff-site/examples/fit_menu.rs`) with a pull towards values set by hand.

mod words;

use crate::learned::name_families::{Families, Family, NameFamilies};
use crate::parameters::parameters;
use crate::registry::Entry;
use crate::{BlockKind, Detection, Explanation, Likely, PageTechnique};
use foldhash::{HashMap, HashMapExt};
use std::cell::RefCell;
use std::ops::Range;
use unchaff_dom::links::Destination;
use unchaff_dom::plain_address::{Target, Targets};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};
use words::{HOME, INDEX, MOBILE, PRIMARY};

macro_rules! facts {
    ($($name:ident $text:literal $weight:literal $by_hand:literal,)*) => {
        #[derive(Clone, Copy)]
        enum Fact { $($name),* }

        /// The facts: name, weight, and the value set by hand that fitting starts from and is pulled to.
        pub const FACTS: [(&str, f64, f64); [$($text),*].len()] = [$(($text, $weight, $by_hand)),*];
    };
}

facts! {
    Named "named menu" 2.65 2.0,
    NavTag "nav element" 1.58 1.5,
    Primary "named main or head" 1.10 1.0,
    HeadTag "in the header" 0.56 0.5,
    Foot "in or named foot" -2.30 -2.0,
    Share "named share" -2.05 -2.0,
    Breadcrumb "named breadcrumb" -2.54 -2.5,
    Pager "named pager" -2.01 -2.0,
    Side "named side or widget" -1.33 -1.0,
    Account "named account or language" -1.50 -1.5,
    Content "in the content" -0.78 -1.0,
    Related "named related or meta" -2.94 -1.0,
    MobileCopy "mobile copy of another" -2.97 -1.5,
    Early "early in the page" 1.56 2.0,
    First "before all long text" -1.15 0.5,
    SameSite "links within the site" 0.47 1.5,
    SamePage "links within the page" -1.86 -1.0,
    Density "text in links" 1.28 1.5,
    ShortLinks "short link texts" 0.22 1.0,
    EmptyLinks "links without text" -1.31 -1.0,
    Two "two links" -2.13 -1.5,
    Few "three links" -1.43 -0.5,
    Many "more than 30 links" 0.75 -0.5,
    TooMany "more than 60 links" -1.22 -1.0,
    Alike "items alike" 1.85 1.0,
    List "list" 1.28 0.7,
    Nested "inside an item" -2.16 -1.5,
    MostInChild "most links in one child" -1.53 -1.5,
    Items "items" 0.30 0.3,
    Home "leads home" 1.95 0.7,
    Targets "several targets" 0.43 1.0,
    Headed "items with long text" -1.87 -1.0,
    Copies "same links elsewhere" -0.91 0.2,
    OneOf "one of several lists" -1.06 0.0,
}

/// The score of "no menu".
pub const NONE: f64 = 6.24;

/// The facts about a candidate.
pub type Facts = [f64; FACTS.len()];

parameters! {
    /// Parameters of the menu detector.
    pub struct Params {
        /// How far above "no menu" the best candidate must score; lower finds more, and less surely.
        /// Only four of the sites that "no menu" was fitted on have none, so it is not believed as it stands.
        pub margin: f64 = -3.0,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<MenuAuto, Params>(
    "menu-auto",
    BlockKind::Menu,
    "the tightest containers of links, ranked by names, place, links and likeness of items; can say that there is none",
    "unchaff's own",
    "linear in the page times how deep link containers nest",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct MenuAuto {
    params: Params,
}

impl From<Params> for MenuAuto {
    fn from(params: Params) -> MenuAuto {
        MenuAuto { params }
    }
}

/// A container of links.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The element.
    pub node: NodeId,
    /// What is known of it.
    pub facts: Facts,
    /// The sum of facts by weight.
    pub score: f64,
}

impl PageTechnique for MenuAuto {
    fn name(&self) -> &'static str {
        "menu-auto"
    }

    fn detect(&self, page: &Page) -> Detection {
        self.detect_named(page, &NameFamilies::of(page))
    }

    fn explain(&self, page: &Page) -> Explanation {
        let candidates = self.candidates(page);
        let (best, odds) = (self.choose(&candidates), Odds::of(&candidates));
        let mut explanation = Explanation::new(&["score", "confidence"]).rated_by("score", Likely::High);
        for (at, candidate) in candidates.iter().enumerate() {
            let weigh = |fact: usize| (candidate.facts[fact] * FACTS[fact].1).abs();
            let most = (0..FACTS.len()).max_by(|one, other| weigh(*one).total_cmp(&weigh(*other)));
            let label = if best == Some(at) { "menu, " } else { "" };
            let remark = format!("{label}{}", most.map_or("", |fact| FACTS[fact].0));
            explanation.push(candidate.node, &[candidate.score, odds.confidence(candidate)], &remark);
        }
        explanation.notes.push(format!("a menu scores more than {:.2}", NONE + self.params.margin));
        explanation
    }
}

impl MenuAuto {
    /// Finds the menu of a page whose names were read already.
    #[must_use]
    pub fn detect_named(&self, page: &Page, names: &NameFamilies) -> Detection {
        let candidates = self.candidates_named(page, names);
        let best = self.choose(&candidates);
        let nodes = best.map_or_else(|| NodeSet::new(page), |best| page.subtree_set(candidates[best].node));
        let mut detection = Detection::of(BlockKind::Menu, nodes);
        match best {
            Some(best) => detection = detection.with_confidence(confidence(&candidates, best)),
            None => detection.notes.push("nothing on the page looks like its main menu".to_owned()),
        }
        detection
    }
}

/// How probable it is that a candidate is the menu, given all candidates and that there may be none.
#[must_use]
pub fn confidence(candidates: &[Candidate], at: usize) -> f64 {
    Odds::of(candidates).confidence(&candidates[at])
}

/// What all candidates and "no menu" amount to, the best of them being one.
struct Odds {
    most: f64,
    sum: f64,
}

impl Odds {
    fn of(candidates: &[Candidate]) -> Odds {
        let most = candidates.iter().fold(NONE, |most, candidate| most.max(candidate.score));
        let sum: f64 = candidates.iter().map(|candidate| (candidate.score - most).exp()).sum();
        Odds { most, sum: sum + (NONE - most).exp() }
    }

    fn confidence(&self, candidate: &Candidate) -> f64 {
        (candidate.score - self.most).exp() / self.sum
    }
}

impl MenuAuto {
    /// The detector with these parameters.
    #[must_use]
    pub fn new(params: Params) -> MenuAuto {
        MenuAuto::from(params)
    }

    /// The best candidate, if it is better than none; of equals the first.
    #[must_use]
    pub fn choose(&self, candidates: &[Candidate]) -> Option<usize> {
        let scored = candidates.iter().enumerate().filter(|(_, candidate)| candidate.score > NONE + self.params.margin);
        scored.rev().max_by(|one, other| one.1.score.total_cmp(&other.1.score)).map(|(at, _)| at)
    }

    /// All candidates in document order.
    #[must_use]
    pub fn candidates(&self, page: &Page) -> Vec<Candidate> {
        self.candidates_named(page, &NameFamilies::of(page))
    }

    /// The same of a page whose names were read already.
    #[must_use]
    pub fn candidates_named(&self, page: &Page, names: &NameFamilies) -> Vec<Candidate> {
        let Some(body) = page.body() else { return Vec::new() };
        let survey = Survey::of(page, body, names);
        let mut found: Vec<(NodeId, u64)> = Vec::new();
        let mut copies: HashMap<u64, u32> = HashMap::new();
        let mut beside: HashMap<(Option<NodeId>, Tag), u32> = HashMap::new();
        for node in page.descendants(body).filter(|node| page.is_element(*node)) {
            let links = page.counts(node).links;
            if links < 2 || page.tag(node) == Tag::A || page.element_children(node).any(|child| page.counts(child).links == links)
            {
                continue;
            }
            let targets = survey.targets_in(node);
            found.push((node, targets));
            *copies.entry(targets).or_default() += 1;
            *beside.entry((page.parent(node), page.tag(node))).or_default() += 1;
        }
        let describe = |(node, targets): (NodeId, u64)| {
            let others = beside[&(page.parent(node), page.tag(node))] - 1;
            let facts = survey.facts(node, copies[&targets] > 1, others);
            let score = facts.iter().zip(FACTS).map(|(fact, (_, weight, _))| fact * weight).sum();
            Candidate { node, facts, score }
        };
        found.into_iter().map(describe).collect()
    }
}

/// How far names and tags of elements above count: the own, the parent's, and so on.
const FADE: [f64; 5] = [1.0, 0.8, 0.6, 0.45, 0.3];

#[derive(Clone, Copy, Default)]
struct Named {
    families: Families,
    primary: bool,
    mobile: bool,
    index: bool,
}

/// A link, and sums over all before it.
struct PageLink {
    node: NodeId,
    /// The place of the link before it that has the same target.
    alike: Option<u32>,
    before: LinkSums,
}

/// What is summed up over links, so that any element costs the same.
#[derive(Clone, Copy, Default)]
struct LinkSums {
    same_site: u32,
    same_page: u32,
    empty: u32,
    home: u32,
    targets: u64,
}

struct Survey<'p> {
    page: &'p Page,
    body: NodeId,
    names: &'p NameFamilies,
    /// What the names of elements say that were asked already: candidates have the same elements above them.
    asked: RefCell<HashMap<NodeId, Named>>,
    /// The links, and behind them one that stands nowhere, for the sums over all.
    links: Vec<PageLink>,
    /// The first text of so many words outside links that it is no label.
    first_prose: NodeId,
}

/// Text of so many words outside links is no label.
const PROSE: u32 = 12;

impl<'p> Survey<'p> {
    fn of(page: &'p Page, body: NodeId, names: &'p NameFamilies) -> Survey<'p> {
        let mut targets = Targets::of(page);
        let mut links = Vec::with_capacity(page.counts(page.root()).links as usize + 1);
        let mut latest: HashMap<u64, u32> = HashMap::new();
        let mut sums = LinkSums::default();
        for node in page.nodes().filter(|node| page.tag(*node) == Tag::A) {
            let Some(href) = page.attr(node, "href") else { continue };
            let Target { address, destination, is_root } = targets.target(href);
            let target = hash(address.unwrap_or(href).as_bytes());
            let home = (is_root && destination != Destination::Elsewhere) || is_home(page.text(node).trim());
            let alike = latest.insert(target, links.len() as u32);
            links.push(PageLink { node, alike, before: sums });
            sums.same_site += u32::from(destination == Destination::SameSite);
            sums.same_page += u32::from(destination == Destination::SamePage);
            sums.empty += u32::from(page.counts(node).chars == 0 && !is_pictured(page, node));
            sums.home += u32::from(home);
            sums.targets = sums.targets.wrapping_add(target);
        }
        links.push(PageLink { node: NodeId(u32::MAX), alike: None, before: sums });
        let prose = |node: &NodeId| {
            page.tag(*node) == Tag::Text && {
                let counts = page.counts(*node);
                counts.words >= PROSE && counts.link_words == 0
            }
        };
        Survey {
            page,
            body,
            names,
            asked: RefCell::default(),
            links,
            first_prose: page.descendants(body).find(prose).unwrap_or(page.end(body)),
        }
    }

    /// The places of the links in an element.
    fn links_in(&self, node: NodeId) -> Range<usize> {
        let from = self.links.partition_point(|link| link.node < node);
        let inside = self.page.counts(node).links as usize;
        from..(from + inside).min(self.links.len() - 1)
    }

    fn sums(&self, links: &Range<usize>) -> LinkSums {
        let (from, to) = (self.links[links.start].before, self.links[links.end].before);
        LinkSums {
            same_site: to.same_site - from.same_site,
            same_page: to.same_page - from.same_page,
            empty: to.empty - from.empty,
            home: to.home - from.home,
            targets: to.targets.wrapping_sub(from.targets),
        }
    }

    /// The targets of the links in an element as one number, whatever their order.
    fn targets_in(&self, node: NodeId) -> u64 {
        self.sums(&self.links_in(node)).targets
    }

    /// How many different addresses the first hundred links have, scaled up to all.
    fn distinct(&self, links: &Range<usize>) -> f64 {
        let looked_at = &self.links[links.start..links.end.min(links.start + 100)];
        let is_first = |link: &&PageLink| link.alike.is_none_or(|alike| (alike as usize) < links.start);
        looked_at.iter().filter(is_first).count() as f64 * links.len() as f64 / looked_at.len().max(1) as f64
    }

    fn named(&self, node: NodeId) -> Named {
        *self.asked.borrow_mut().entry(node).or_insert_with(|| self.read_names(node))
    }

    fn read_names(&self, node: NodeId) -> Named {
        let mut named = Named { families: self.names.at(node), ..Named::default() };
        for attribute in ["id", "class", "role", "aria-label"] {
            let value = self.page.attr(node, attribute).unwrap_or_default();
            for word in value.split(|character: char| !character.is_alphabetic()).filter(|word| word.len() > 2) {
                let is_in = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(word));
                named.primary |= is_in(PRIMARY);
                named.mobile |= is_in(MOBILE);
                named.index |= is_in(INDEX);
            }
        }
        named
    }

    /// Facts of a candidate, beside which there are others of its tag.
    fn facts(&self, node: NodeId, has_copy: bool, others: u32) -> Facts {
        let page = self.page;
        let mut facts: Facts = [0.0; FACTS.len()];
        let mut raise = |fact: Fact, value: f64| facts[fact as usize] = value.max(facts[fact as usize]);
        let yes = |is: bool| f64::from(u8::from(is));
        let above = std::iter::once(node).chain(page.ancestors(node)).take_while(|node| *node > self.body);
        for (step, (near, fade)) in above.zip(FADE.into_iter().chain(std::iter::repeat(0.0))).enumerate() {
            let tag = page.tag(near);
            let role = page.attr(near, "role").unwrap_or_default();
            // However far up, these hold for everything inside.
            raise(Fact::Foot, yes(tag == Tag::Footer || role == "contentinfo"));
            raise(Fact::HeadTag, yes(tag == Tag::Header || role == "banner"));
            raise(Fact::Content, yes(matches!(tag, Tag::Article | Tag::Main) || role == "main"));
            raise(Fact::Nested, yes(step > 0 && matches!(tag, Tag::Li | Tag::Dd)));
            if fade == 0.0 {
                continue;
            }
            let named = self.named(near);
            let family = |family: Family| fade * yes(named.families.has(family));
            raise(Fact::Named, family(Family::Navigation).max(fade * yes(matches!(role, "navigation" | "menubar" | "menu"))));
            raise(Fact::NavTag, fade * yes(matches!(tag, Tag::Nav | Tag::Menu)));
            raise(Fact::Primary, family(Family::Head).max(fade * yes(named.primary)));
            raise(Fact::Foot, family(Family::Foot));
            raise(Fact::Share, family(Family::Share));
            raise(Fact::Breadcrumb, family(Family::Breadcrumb));
            raise(Fact::Pager, family(Family::Pager));
            raise(Fact::Side, family(Family::Side).max(family(Family::Widget)).max(fade * yes(tag == Tag::Aside)));
            raise(Fact::Account, family(Family::Account));
            raise(Fact::Content, family(Family::Post));
            raise(
                Fact::Related,
                family(Family::Related).max(family(Family::Meta)).max(family(Family::Comment)).max(fade * yes(named.index)),
            );
            raise(Fact::MobileCopy, fade * yes(named.mobile && has_copy));
        }
        let links = self.links_in(node);
        let counts = page.counts(node);
        let number = links.len().max(1) as f64;
        let sums = self.sums(&links);
        let share = |part: u32| f64::from(part) / number;
        let position = f64::from(node.0 - self.body.0) / page.range(self.body).len().max(1) as f64;
        raise(Fact::Early, (1.0 - 2.0 * position).max(0.0));
        raise(Fact::First, yes(node < self.first_prose));
        raise(Fact::SameSite, share(sums.same_site));
        raise(Fact::SamePage, share(sums.same_page));
        raise(Fact::Density, f64::from(counts.link_chars.max(1)) / f64::from(counts.chars.max(1)));
        raise(Fact::ShortLinks, (1.5 - f64::from(counts.link_words) / number / 4.0).clamp(0.0, 1.0));
        raise(Fact::EmptyLinks, share(sums.empty));
        raise(Fact::Two, yes(counts.links == 2));
        raise(Fact::Few, yes(counts.links == 3));
        raise(Fact::Many, yes(counts.links > 30));
        raise(Fact::TooMany, yes(counts.links > 60));
        let (mut items, mut most, mut long) = (0.0, 0, 0.0);
        let mut tags: [u16; unchaff_dom::TAG_COUNT] = [0; unchaff_dom::TAG_COUNT];
        for child in page.element_children(node) {
            let inside = page.counts(child);
            if inside.links > 0 {
                items += 1.0;
                most = most.max(inside.links);
                long += yes(inside.words - inside.link_words > 8);
                tags[page.tag(child) as usize] = tags[page.tag(child) as usize].saturating_add(1);
            }
        }
        let alike = f64::from(tags.iter().copied().max().unwrap_or(0)) / f64::max(items, 1.0);
        raise(Fact::Alike, if items >= 3.0 { alike } else { 0.0 });
        raise(Fact::List, yes(matches!(page.tag(node), Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dl)));
        raise(Fact::MostInChild, yes(counts.links > 3) * ((f64::from(most) / number - 0.5) * 2.0).max(0.0));
        raise(Fact::Items, f64::min(items, 12.0) / 4.0);
        raise(Fact::Home, yes(sums.home > 0));
        raise(Fact::Targets, self.distinct(&links) / number);
        raise(Fact::Headed, long / f64::max(items, 1.0));
        raise(Fact::Copies, yes(has_copy));
        raise(Fact::OneOf, f64::from(others.min(2)) / 2.0);
        facts
    }
}

/// Whether a picture in a link says where it leads.
fn is_pictured(page: &Page, link: NodeId) -> bool {
    let says = |node| page.tag(node) == Tag::Img && page.attr(node, "alt").is_some_and(|text| !text.trim().is_empty());
    page.descendants(link).any(says)
}

/// Whether a text is what the link to the start page says.
fn is_home(text: &str) -> bool {
    if text.is_empty() || text.len() >= 40 {
        return false;
    }
    if text.is_ascii() {
        return HOME.iter().any(|home| home.eq_ignore_ascii_case(text));
    }
    let text = text.to_lowercase();
    HOME.contains(&text.as_str())
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::Parser;
    use unchaff_dom::select::Selector;

    fn menu(html: &str) -> Option<String> {
        let page = Parser::new().url("https://example.org/a/b").parse(html);
        let nodes = MenuAuto::default().detect(&page).blocks.remove(0).nodes;
        nodes.roots(&page).first().map(|root| format!("{}#{}", page.name(*root), page.attr(*root, "id").unwrap_or_default()))
    }

    fn list(id: &str, items: &[&str]) -> String {
        let items: String = items.iter().map(|item| format!("<li><a href='/{item}'>{item}</a></li>")).collect();
        format!("<ul id={id}>{items}</ul>")
    }

    fn prose() -> String {
        "<p>It rained all day, and the river rose until the old bridge was closed to everyone but the mayor.</p>".repeat(4)
    }

    #[test]
    fn the_list_in_the_head_is_the_menu_and_those_elsewhere_are_not() {
        let html = format!(
            "<header><nav class=main-menu>{}</nav></header><main>{}</main><div class=sidebar>{}</div><footer>{}</footer>",
            list("menu", &["home", "news", "sport", "weather", "contact"]),
            prose(),
            list("side", &["archive", "partners", "feeds", "tags"]),
            list("foot", &["imprint", "privacy", "terms", "jobs"]),
        );
        assert_eq!(menu(&html).as_deref(), Some("ul#menu"));
    }

    #[test]
    fn the_container_is_tight_and_the_logo_stays_outside() {
        let html = format!(
            "<div class=navbar id=bar><a href=/>Logo</a>{}</div>{}",
            list("menu", &["home", "news", "sport", "weather", "contact"]),
            prose()
        );
        assert_eq!(menu(&html).as_deref(), Some("ul#menu"));
    }

    #[test]
    fn menus_of_tables_and_other_languages_are_found() {
        let html = format!(
            "<table class=menu id=t><tr id=r><td><a href=/>Главная</a><td><a href=/n>Новости</a><td><a href=/k>Контакты</a><td><a href=/f>Форум</a></table>{}",
            prose()
        );
        assert_eq!(menu(&html).as_deref(), Some("tr#r"));
        let html = format!(
            "<div id=nav class=navi><a href=/>ホーム</a><a href=/n>ニュース</a><a href=/k>会社案内</a><a href=/f>お問い合わせ</a></div>{}",
            prose()
        );
        assert_eq!(menu(&html).as_deref(), Some("div#nav"));
    }

    #[test]
    fn several_lists_side_by_side_are_one_menu() {
        let lists = ["town", "news", "trips"]
            .map(|start| list(start, &[1, 2, 3, 4].map(|at| format!("{start}{at}")).each_ref().map(|item| &**item)));
        let html = format!("<div id=left><ul><a href=/>Start</a></ul>{}</div>{}", lists.concat(), prose());
        assert_eq!(menu(&html).as_deref(), Some("div#left"));
    }

    #[test]
    fn pictures_that_say_where_they_lead_are_links_with_text() {
        let rows =
            |alt: &str| (0..8).map(|at| format!("<tr><td><a href=/{at}><img src={at}.gif alt='{alt}'></a>")).collect::<String>();
        let empty = |alt: &str| {
            let page = Page::parse(format!("<table>{}</table>{}", rows(alt), prose()));
            let facts = MenuAuto::default().candidates(&page)[0].facts;
            (facts[Fact::EmptyLinks as usize], facts[Fact::Density as usize])
        };
        assert_eq!([empty("Macros"), empty(" ")], [(0.0, 1.0), (1.0, 1.0)]);
    }

    #[test]
    fn a_page_without_a_menu_has_none() {
        for html in ["", "<frameset>", "<p>text</p>", "<p>See <a href=/a>this</a> and <a href=/b>that</a>.</p>"] {
            assert_eq!(menu(html), None, "{html}");
        }
        let html = format!("{}<p class=pager><a href=/1>previous</a> <a href=/3>next</a></p>", prose());
        assert_eq!(menu(&html), None);
    }

    #[test]
    fn a_mobile_name_counts_only_against_a_copy() {
        let page = Page::parse(format!("<div class=mobile>{}</div>", list("one", &["a", "b", "c"])));
        let candidates = MenuAuto::default().candidates(&page);
        assert_eq!(candidates[0].facts[Fact::MobileCopy as usize], 0.0);
        let page =
            Page::parse(format!("<div class=mobile>{}</div>{}", list("one", &["a", "b", "c"]), list("two", &["c", "b", "a"])));
        let candidates = MenuAuto::default().candidates(&page);
        assert!(candidates[0].facts[Fact::MobileCopy as usize] > 0.0);
        assert_eq!(candidates[1].facts[Fact::MobileCopy as usize], 0.0);
    }

    #[test]
    fn the_margin_makes_it_stricter() {
        let page =
            Page::parse(format!("<nav class=main-menu>{}</nav>{}", list("menu", &["home", "news", "sport", "contact"]), prose()));
        assert!(!MenuAuto::default().detect(&page).blocks[0].nodes.is_empty());
        assert!(MenuAuto::new(Params { margin: 100.0 }).detect(&page).blocks[0].nodes.is_empty());
    }

    proptest! {
        #[test]
        fn candidates_are_the_tightest_containers(words in prop::collection::vec("<(div|ul|li|nav|p)>|<a href=[xyz]>|</(div|ul|a|nav)>|one |", 0..40)) {
            let page = Page::parse(words.concat());
            let candidates = MenuAuto::default().candidates(&page);
            let all = Selector::parse("body *").unwrap();
            let links = |node: NodeId| page.descendants(node).filter(|node| page.tag(*node) == Tag::A && page.attr(*node, "href").is_some()).count();
            let expected: Vec<NodeId> = page.select(&all)
                .filter(|node| page.tag(*node) != Tag::A && links(*node) >= 2)
                .filter(|node| page.element_children(*node).all(|child| page.counts(child).links < page.counts(*node).links))
                .collect();
            let found: Vec<NodeId> = candidates.iter().map(|candidate| candidate.node).collect();
            prop_assert_eq!(found, expected);
            let sum: f64 = (0..candidates.len()).map(|at| confidence(&candidates, at)).sum();
            prop_assert!((0.0..=1.0 + 1e-9).contains(&sum));
        }
    }
}
