//! Advertisements of a page.
//!
//! Our own; the thesis that published ConEx names advertisements as an open line (J. Alarte, 2023, chapter 16). Some signs are
//! enough alone: a name such as `ad-slot` (with word borders: `header`, `download` and `shadow` are none), a frame or
//! script from an advertising network, an element made for it (`amp-ad`). Some need a second one inside the same element: names
//! that other things have too (`banner`, `promo`), a label ("Advertisement", "Anzeige"), a picture or frame in one of the
//! industry's standard sizes, a paid link (`rel=sponsored`). What is found are block elements that are wholly advertisement: an element with nothing
//! else in it than advertisements and their labels is one, a paragraph with a paid link in it is not.

use crate::learned::name_families::{Family, NameFamilies};
use crate::parameters::parameters;
use crate::registry::Entry;
use crate::rules::ad_networks::is_network;
use crate::{BlockKind, Detection, Explanation, PageTechnique};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

parameters! {
    /// Parameters of the detection of advertisements.
    pub struct Params {
        /// An element with a larger share of the page's words outside links is no advertisement, whatever its name.
        /// On a page of classified advertisements they are the content.
        pub max_share: f64 = 0.2,
        /// An element with more words outside links is none either.
        pub max_words: u32 = 150,
        /// An element with weak signs alone has at most so many words, in links or not.
        pub max_hinted_words: u32 = 40,
        /// How many signs make an advertisement: strong ones (names, networks) count two, weak ones one.
        pub min_signs: u32 = 2,
        /// Take scripts of advertising networks that stand alone.
        pub scripts: bool = true,
    }
}

/// What the registry knows of it.
pub(crate) const ENTRY: Entry = Entry::new::<Ads, Params>(
    "ads",
    BlockKind::Ads,
    "blocks that are wholly advertisement, by names, networks, labels and standard sizes",
    "unchaff's own; an open line of J. Alarte: Information Retrieval Based on DOM Trees. PhD thesis, Universitat Politècnica de València, 2023, chapter 16",
    "linear in the page",
);

/// The technique; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Ads {
    params: Params,
}

impl From<Params> for Ads {
    fn from(params: Params) -> Ads {
        Ads { params }
    }
}

/// What speaks for advertisement, as counts over a range of nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    names: u32,
    hints: u32,
    networks: u32,
    labels: u32,
    sizes: u32,
    /// Links that say they are paid, or lead through an advertising network: in reviews they are part of the text.
    paid: u32,
    /// Links with a picture and no words.
    pictures: u32,
    /// What no advertisement has: the page's own headings and landmarks.
    landmarks: u32,
}

impl Signs {
    fn minus(self, other: Signs) -> Signs {
        Signs {
            names: self.names - other.names,
            hints: self.hints - other.hints,
            networks: self.networks - other.networks,
            labels: self.labels - other.labels,
            sizes: self.sizes - other.sizes,
            paid: self.paid - other.paid,
            pictures: self.pictures - other.pictures,
            landmarks: self.landmarks - other.landmarks,
        }
    }

    /// Strong signs count two, weak ones one; of each kind once.
    fn strength(self) -> u32 {
        let is = |number: u32| u32::from(number > 0);
        2 * is(self.names)
            + 2 * is(self.networks)
            + is(self.hints)
            + is(self.labels)
            + is(self.sizes)
            + is(self.paid)
            + is(self.paid.min(self.pictures))
    }
}

/// A page read for advertisements.
struct Reading {
    /// The signs of each node itself.
    own: Vec<Signs>,
    /// Signs of all nodes before each one, and of all at the end.
    sums: Vec<Signs>,
    /// Labels such as "Advertisement".
    labels: NodeSet,
}

impl PageTechnique for Ads {
    fn name(&self) -> &'static str {
        "ads"
    }

    fn detect(&self, page: &Page) -> Detection {
        Detection::of(BlockKind::Ads, self.find(page).0)
    }

    fn explain(&self, page: &Page) -> Explanation {
        let (nodes, reading) = self.find(page);
        let mut explanation = Explanation::new(&["names", "hints", "networks", "labels", "sizes", "paid links"]);
        for root in nodes.roots(page) {
            let Signs { names, hints, networks, labels, sizes, paid, .. } = reading.below(page, root);
            explanation.push(root, &[names, hints, networks, labels, sizes, paid].map(f64::from), "advertisement");
        }
        explanation
    }
}

impl Ads {
    /// The detector with these parameters.
    #[must_use]
    pub fn new(params: Params) -> Ads {
        Ads::from(params)
    }

    fn find(&self, page: &Page) -> (NodeSet, Reading) {
        let mut ads = NodeSet::new(page);
        let body = page.body().unwrap_or(page.root());
        let reading = Reading::of(page, body);
        let mut next = NodeId(body.0 + 1);
        while next < page.end(body) {
            if page.is_element(next) && self.is_ad(page, body, &reading, next) {
                ads.insert_subtree(page, next);
                next = page.end(next);
            } else {
                next = NodeId(next.0 + 1);
            }
        }
        close_upwards(page, body, &mut ads, &reading.labels);
        for root in ads.roots(page) {
            if !self.stands_alone(page, root) {
                ads.remove_subtree(page, root);
            }
        }
        (ads, reading)
    }

    /// Whether an element's own signs, with the weak ones inside it, are enough, and nothing says that it is more.
    fn is_ad(&self, page: &Page, body: NodeId, reading: &Reading, node: NodeId) -> bool {
        let own = reading.own[node.index()];
        if own.strength() == 0 {
            return false;
        }
        let below = reading.below(page, node);
        let is_strong = own.names + own.networks > 0;
        let strength = if is_strong { own.strength() } else { reading.weak(page, node).strength() };
        let words = page.counts(node);
        let plain = words.words - words.link_words;
        let all = page.counts(body).words - page.counts(body).link_words;
        let is_small = plain <= self.params.max_words && f64::from(plain) <= self.params.max_share * f64::from(all.max(100));
        // A weak sign must not take a whole column of other things with it.
        let is_tiny = words.words <= self.params.max_hinted_words;
        // If all weak signs are in one child, that one is the advertisement, and what stands beside it is not.
        let is_in = |child: NodeId| {
            reading.own[child.index()].strength() > 0 && reading.weak(page, child).strength() >= self.params.min_signs
        };
        strength >= self.params.min_signs
            && is_small
            && below.landmarks == 0
            && (is_strong || is_tiny && !page.children(node).any(is_in))
    }

    /// Blocks and things of their own stand alone; words in a line do not, and neither do scripts if they are not wanted.
    fn stands_alone(&self, page: &Page, root: NodeId) -> bool {
        use Tag::*;
        match page.tag(root) {
            Script | Noscript => self.params.scripts,
            Iframe | Img | Ins | Object | Embed | Custom => true,
            tag if tag.is_block() => true,
            _ => page.subtree(root).any(|node| matches!(page.tag(node), Img | Iframe | Embed | Object)),
        }
    }
}

/// Adds elements with nothing in them but advertisements and their labels. Labels alone are none.
fn close_upwards(page: &Page, body: NodeId, ads: &mut NodeSet, labels: &NodeSet) {
    // Running totals: what can be seen, how much of it is advertisement or label, and how many nodes are advertisement.
    let mut totals = vec![[0u32; 3]; page.len() + 1];
    for node in page.nodes() {
        let [seen, theirs, marked] = totals[node.index()];
        let is_seen = u32::from(is_seen(page, node));
        let is_theirs = u32::from(is_seen == 1 && (ads.contains(node) || labels.contains(node)));
        totals[node.index() + 1] = [seen + is_seen, theirs + is_theirs, marked + u32::from(ads.contains(node))];
    }
    for node in page.descendants(body).filter(|node| page.is_element(*node)) {
        let (from, to) = (totals[node.index()], totals[page.end(node).index()]);
        if to[2] > from[2] && to[0] - from[0] == to[1] - from[1] {
            ads.insert_subtree(page, node);
        }
    }
}

/// Text, pictures, frames, fields: what an element has in it for a reader.
fn is_seen(page: &Page, node: NodeId) -> bool {
    use Tag::*;
    match page.tag(node) {
        Text => page.counts(node).tokens > 0,
        tag => {
            matches!(tag, Img | Iframe | Embed | Object | Video | Audio | Canvas | Svg | Input | Select | Textarea | Button | Ins)
        }
    }
}

impl Reading {
    fn of(page: &Page, body: NodeId) -> Reading {
        let names = NameFamilies::of(page);
        let mut labels = NodeSet::new(page);
        let mut own = vec![Signs::default(); page.len()];
        let mut sums = vec![Signs::default(); page.len() + 1];
        let mut sum = Signs::default();
        for node in page.nodes() {
            sums[node.index()] = sum;
            if node > body && page.tag(node) == Tag::Text && is_label(page.string(node)) {
                labels.insert(node);
                sum.labels += 1;
            } else if node > body && page.is_element(node) {
                let signs = element_signs(page, &names, node);
                own[node.index()] = signs;
                sum.names += signs.names;
                sum.hints += signs.hints;
                sum.networks += signs.networks;
                sum.sizes += signs.sizes;
                sum.paid += signs.paid;
                sum.pictures += signs.pictures;
                sum.landmarks += u32::from(matches!(page.tag(node), Tag::H1 | Tag::Main | Tag::Article | Tag::Nav));
            }
        }
        sums[page.len()] = sum;
        // A label speaks for the element around it and the two around that: it has a line of its own as a rule.
        for label in labels.iter() {
            for above in page.ancestors(label).take(3).filter(|above| *above > body) {
                own[above.index()].labels += 1;
            }
        }
        Reading { own, sums, labels }
    }

    /// The weak signs of an element and in it. What has strong ones in it is an advertisement itself, and says nothing of what is around it.
    fn weak(&self, page: &Page, node: NodeId) -> Signs {
        Signs { names: 0, networks: 0, hints: self.own[node.index()].hints, ..self.below(page, node) }
    }

    fn below(&self, page: &Page, node: NodeId) -> Signs {
        self.sums[page.end(node).index()].minus(self.sums[node.index()])
    }
}

/// What an element says of itself.
fn element_signs(page: &Page, names: &NameFamilies, node: NodeId) -> Signs {
    use Tag::*;
    let tag = page.tag(node);
    let mut signs = Signs::default();
    if matches!(tag, Input | Select | Option | Textarea | Label) {
        return signs;
    }
    let families = names.at(node);
    signs.names += u32::from(
        families.has(Family::Ad) || (tag == Custom && matches!(page.name(node), "amp-ad" | "amp-embed" | "amp-sticky-ad")),
    );
    signs.hints += u32::from(families.has(Family::AdHint));
    let (mut width, mut height) = (None, None);
    for (name, value) in page.attrs(node) {
        match name {
            "data-ad-client" | "data-ad-slot" | "data-ad-unit" | "data-google-query-id" => signs.names += 1,
            "src" | "data-src" if matches!(tag, Iframe | Script | Img | Embed) => signs.networks += u32::from(is_network(value)),
            "data" if tag == Object => signs.networks += u32::from(is_network(value)),
            "href" if tag == A => signs.paid += u32::from(is_network(value)),
            "rel" if tag == A => {
                signs.paid += u32::from(value.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("sponsored")));
            }
            "width" => width = pixels(value),
            "height" => height = pixels(value),
            _ => {}
        }
    }
    if let (Some(width), Some(height), Img | Iframe | Embed | Object | Ins | Custom) = (width, height, tag) {
        signs.sizes += u32::from(SIZES.contains(&(width, height)));
    }
    if signs.paid > 0 && page.counts(node).words == 0 && page.descendants(node).any(|below| page.tag(below) == Img) {
        signs.pictures += 1;
    }
    signs
}

/// Sizes of the Interactive Advertising Bureau's units, old and new, in pixels.
const SIZES: &[(u32, u32)] = &[
    (728, 90),
    (468, 60),
    (234, 60),
    (88, 31),
    (120, 90),
    (120, 60),
    (120, 240),
    (125, 125),
    (120, 600),
    (160, 600),
    (180, 150),
    (300, 100),
    (300, 250),
    (300, 600),
    (336, 280),
    (240, 400),
    (250, 250),
    (200, 200),
    (720, 300),
    (970, 90),
    (970, 250),
    (980, 120),
    (300, 1050),
    (320, 50),
    (320, 100),
];

fn pixels(value: &str) -> std::option::Option<u32> {
    value.trim().trim_end_matches("px").parse().ok()
}

/// What stands above an advertisement to say that it is one.
const LABELS: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "advertisement",
    "advertisements",
    "advertising",
    "advertorial",
    "sponsored",
    "sponsored content",
    "sponsored links",
    "sponsored link",
    "sponsored by",
    "promoted",
    "promoted content",
    "paid content",
    "ads by google",
    "paid post",
    "advertise here",
    "anzeige",
    "anzeigen",
    "werbung",
    "publicité",
    "annonce",
    "annonces",
    "contenu sponsorisé",
    "publicidad",
    "anuncio",
    "anuncios",
    "publicidade",
    "pubblicità",
    "advertentie",
    "reklama",
    "reklam",
    "annons",
    "mainos",
    "hirdetés",
    "реклама",
    "广告",
    "廣告",
    "広告",
    "pr",
    "スポンサーリンク",
    "광고",
    "إعلان",
    "διαφήμιση",
];

fn is_label(text: &str) -> bool {
    let text = text.trim().trim_matches(|character: char| !character.is_alphanumeric());
    if text.is_empty() || text.len() > 50 {
        return false;
    }
    LABELS.iter().any(|label| label.chars().eq(text.chars().flat_map(char::to_lowercase)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unchaff_dom::select::Selector;

    const ARTICLE: &str =
        "<h1>Rain</h1><p>It rained all day and all night, and in the morning the river had come into the garden.</p>";

    fn ads(page: &Page, params: Params) -> NodeSet {
        Ads::new(params).detect(page).blocks.remove(0).nodes
    }

    fn assert_found(html: &str, selector: &str) {
        let page = Page::parse(format!("<body>{ARTICLE}{html}<p>And then the sun came out again.</p></body>"));
        let expected: Vec<NodeId> = page.select(&Selector::parse(selector).unwrap()).collect();
        assert_eq!(ads(&page, Params::default()).roots(&page), expected, "{selector} in {html}");
    }

    fn assert_none(html: &str) {
        assert_found(html, "no-such-element");
    }

    #[test]
    fn names_with_word_borders() {
        for html in [
            "<div class=ad>Buy boots</div>",
            "<div id=div-gpt-ad-123></div>",
            "<div class='top adSlot'><a href=/x>Boots</a></div>",
            "<div class=adsbygoogle></div>",
            "<div id=taboola-below-article><a href=/x>You will not believe these boots</a></div>",
            "<div class=publicité>Des bottes</div>",
            "<div class=реклама>Сапоги</div>",
            "<div class='广告'>靴子</div>",
        ] {
            assert_found(html, "div");
        }
        for html in [
            "<div class=header>Boots</div>",
            "<div class='shadow download'>Boots</div>",
            "<div id=address>Boots</div>",
            "<div class=has-ads>Boots</div>",
            "<div class=elementor-8eb812ad>Boots</div>",
            "<div class=banner>Welcome to our town</div>",
            "<div class=sponsors><p>We thank the boot makers of the town for their help.</p></div>",
        ] {
            assert_none(html);
        }
    }

    #[test]
    fn networks_of_frames_and_scripts() {
        assert_found("<div><iframe src=https://googleads.g.doubleclick.net/pagead/x></iframe></div>", "div");
        assert_found("<div><iframe src=//ads.example.org/x></iframe></div>", "div");
        assert_found("<div>Our garden<iframe src=https://s.adform.net/x></iframe></div>", "iframe");
        assert_none("<iframe src=https://www.youtube.com/embed/x></iframe>");
        assert_none("<img src=/uploads/2012/roads.jpg>");
        let script = "<div><script src=https://pagead2.googlesyndication.com/pagead/show_ads.js></script></div>";
        assert_found(script, "div");
        let page = Page::parse(format!("<body>{ARTICLE}<script src=https://pagead2.googlesyndication.com/x.js></script></body>"));
        assert!(!ads(&page, Params::default()).is_empty());
        assert!(ads(&page, Params { scripts: false, ..Params::default() }).is_empty());
    }

    #[test]
    fn labels_and_sizes_need_a_second_sign() {
        assert_found("<div><p>Advertisement</p><img src=a.gif width=300 height=250></div>", "div");
        assert_found("<div><span>Anzeige</span><a href=/x><img src=a.gif width=728 height=90></a></div>", "div");
        assert_found("<div class=banner><a href=/x><img src=a.gif width=468 height=60></a></div>", "div");
        assert_none("<p>Advertisement</p>");
        assert_none("<div><img src=a.gif width=300 height=250></div>");
        assert_none("<div><p>Advertisement</p><img src=a.gif width=301 height=250></div>");
    }

    #[test]
    fn paid_links_are_advertisements_as_pictures_and_not_in_a_text() {
        assert_found("<div><a rel='nofollow sponsored' href=/x><img src=boots.gif></a></div>", "div");
        assert_found("<div><a href=http://www.awin1.com/x><img src=boots.gif></a></div>", "div");
        assert_none("<p>These <a rel=sponsored href=/x>boots</a> kept our feet dry.</p>");
        assert_none("<ul><li><a rel=sponsored href=/x>Boots</a></ul>");
    }

    #[test]
    fn what_holds_nothing_but_advertisements_and_labels_is_one() {
        assert_found("<section><p>Advertisement</p><div class=ad>Boots</div><!-- end --></section>", "section");
        assert_found("<section><p>Gardens</p><div class=ad>Boots</div></section>", "section .ad");
    }

    #[test]
    fn large_parts_of_the_page_are_no_advertisements() {
        let classified = "<div class=ads><p>Boots, nearly new, for feet that do not grow any more. Twenty pounds.</p><p>A boat that has seen much water and is still afloat, with oars.</p></div>";
        let page = Page::parse(format!("<body><div>{classified}</div></body>"));
        assert!(!ads(&page, Params { max_share: 1.0, ..Params::default() }).is_empty());
        assert!(ads(&page, Params::default()).is_empty());
        assert!(ads(&page, Params { max_share: 1.0, max_words: 5, ..Params::default() }).is_empty());
        assert_none("<div class=ad><nav><a href=/>Home</a></nav></div>");
    }

    #[test]
    fn a_weak_sign_does_not_take_a_column_with_it() {
        let column = format!(
            "<div class=promo><img src=a.gif width=300 height=250>{}</div>",
            "<p><a href=/x>Three more words</a></p>".repeat(20)
        );
        assert_none(&column);
        let page = Page::parse(format!("<body>{ARTICLE}{column}</body>"));
        assert!(!ads(&page, Params { max_hinted_words: 100, ..Params::default() }).is_empty());
        for ad in [
            "<div class='card ad' id=it><p>Advertisement</p><p>Boots</p></div>",
            "<div id=it><p>Advertisement</p><img src=a.gif width=300 height=250></div>",
            "<div id=it><iframe src=//ads.example.org/x></iframe></div><p>Advertisement</p>",
        ] {
            assert_found(&format!("<aside>{ad}<div class=card><p><a href=/x>Three more words</a></p></div></aside>"), "#it");
        }
        let one = Page::parse("<body><h1>Rain</h1><p>Rain and more rain.</p><div class=promo>Boots</div></body>");
        assert!(ads(&one, Params::default()).is_empty());
        assert!(!ads(&one, Params { min_signs: 1, ..Params::default() }).is_empty());
    }

    proptest! {
        #[test]
        fn any_page_has_one_answer(parts in prop::collection::vec("<(div|p) class=(ad|x|promo)>|</(div|p)>|<img width=300 height=250>|Anzeige|words ", 0..40)) {
            let page = Page::parse(parts.concat());
            let nodes = ads(&page, Params::default());
            prop_assert_eq!(&nodes, &ads(&page, Params::default()));
            prop_assert_eq!(&nodes, &NodeSet::from_roots(&page, nodes.roots(&page)));
        }
    }
}
