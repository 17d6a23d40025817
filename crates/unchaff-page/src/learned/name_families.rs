//! What the names in a page's markup say: words in `class` and `id`, sorted into families such as *comment* or *ad*.
//!
//! A name is cut into words at everything that is no letter and at the humps of camel case, so that `header`, `shadow`
//! and `download` have no `ad` in them and `adSlot`, `ad-slot` and `AD_SLOT` have. Two neighbours are also looked up as
//! one word (`side-bar` as `sidebar`). Names repeat all over a page: each distinct class is read once.

use std::sync::LazyLock;
use unchaff_dom::{AttrName, NodeId, Page};

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident = [$($word:literal)*];)*) => {
        /// A family of names.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Family { $($(#[$doc])* $name),* }

        const WORDS: &[(Family, &[&str])] = &[$((Family::$name, &[$($word),*])),*];

        /// The names of all families, in the order of their bits.
        pub(crate) const FAMILY_NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

families! {
    /// What readers say about the page.
    Comment = [
        "comment" "comments" "commentlist" "commentslist" "commentbody" "commentbox" "commenttext" "commentarea" "commentform"
        "commentwrap" "commentthread" "commenter" "commentary" "disqus" "intensedebate" "livefyre" "giscus" "utterances" "commento"
 "isso" "cusdis" "hyvor" "trackback" "trackbacks" "pingback" "pingbacks" "pinglist" "kommentar" "kommentare"
        "kommentarer" "kommentit" "commentaire" "commentaires" "comentario" "comentarios" "comentário" "comentários" "coment"
        "commenti" "reactie" "reacties" "komentarz" "komentarze" "komentar" "komentari" "komentář" "komentáře" "komentarai"
        "комментарий" "комментарии" "комментариев" "коментар" "коментари" "коментарі" "kommentarii" "yorum" "yorumlar" "hozzászólás"
        "hozzászólások" "hozzaszolasok" "評論" "评论" "コメント" "留言" "댓글" "تعليق" "تعليقات" "σχόλια"
    ];
    /// Advertisements.
    Ad = [
        "ad" "ads" "advert" "adverts" "advertise" "advertisement" "advertisements" "advertisment" "advertising" "advertorial" "adbox" "adbanner"
        "adslot" "adspot" "adspace" "adunit" "adzone" "adwrap" "adwrapper" "adcontainer" "adsense" "adsbygoogle" "adsbox"
        "adserver" "adtech" "adtag" "adform" "adfox" "adnxs" "admarker" "adplaceholder" "googlead" "googleads" "dfp" "doubleclick"
        "taboola" "outbrain" "revcontent" "mgid" "criteo" "adblade" "zergnet" "plista" "ligatus" "carbonads" "buysellads" "bsa"
        "mpu" "skyscraper" "textad" "textads" "linkads" "sponsored" "paidcontent" "werbung" "werbeanzeige" "publicite" "publicité"
        "publicidad" "publicidade" "pubblicita" "pubblicità" "reclame" "reklama" "reklam" "reklamy" "annons" "annonser" "mainos" "hirdetes"
        "реклама" "广告" "廣告" "광고" "إعلان"
    ];
    /// Names that advertisements have, but other things too.
    AdHint = [
        "adv" "banner" "banners" "promo" "promos" "promoted" "promotion" "promotions" "sponsor" "sponsors" "partner" "partners"
        "billboard" "leaderboard" "pub" "pubs" "anzeige" "anzeigen" "annonce" "annonces" "anuncio" "anuncios" "affiliate" "affiliates"
    ];
    /// Menus and other ways through the site.
    Navigation = [
        "nav" "navi" "navigation" "navbar" "navlist" "navmenu" "menu" "menus" "submenu" "mainmenu" "topmenu" "megamenu" "dropdown" "mainnav" "subnav"
        "sitenav" "topnav" "tabs" "sitemap" "menü" "меню" "hamburger" "offcanvas" "skip" "skiplink"
    ];
    /// The head of a page or of a part of it.
    Head = ["header" "head" "masthead" "topbar" "siteheader" "pageheader" "hd" "kopf" "cabecera" "entete" "intestazione" "шапка" "top"];
    /// The foot of a page or of a part of it.
    Foot = ["footer" "foot" "bottom" "ft" "colophon" "copyright" "copy" "legal" "credits" "credit" "imprint" "impressum" "pie" "подвал"];
    /// What stands beside the content.
    Side = ["sidebar" "sidebars" "side" "aside" "secondary" "tertiary" "rail" "rightcol" "leftcol" "rightcolumn" "leftcolumn" "sidecol" "lateral" "barra"];
    /// Boxes that a site is assembled from.
    Widget = ["widget" "widgets" "module" "modul" "portlet" "gadget" "plugin" "textwidget" "calendar" "archive" "archives" "blogroll" "tagcloud" "bloques"];
    /// Buttons to share a page or follow its author.
    Share = [
        "share" "sharing" "shares" "sharedaddy" "sharebar" "addthis" "addtoany" "sharethis" "social" "socials" "facebook" "twitter" "linkedin"
        "pinterest" "instagram" "whatsapp" "telegram" "youtube" "follow" "like" "tweet" "bookmark" "compartir" "teilen"
    ];
    /// Further reading.
    Related = [
        "related" "relateds" "similar" "recommended" "recommend" "recommendations" "suggested" "more" "also" "recent" "latest" "popular" "trending"
        "teaser" "teasers" "yarpp" "crp" "relacionados" "verwandt" "похожие" "upsell" "crosssell"
    ];
    /// What covers a page until it is sent away.
    Popup = ["popup" "popups" "modal" "overlay" "lightbox" "cookie" "cookies" "consent" "gdpr" "cc" "dialog" "paywall" "notice" "toast" "cmp"];
    /// What a page is about.
    Content = [
        "content" "contents" "main" "maincontent" "body" "text" "articlebody" "entrycontent" "postcontent" "postbody" "storybody" "story" "contenido" "inhalt"
        "contenu" "contenuto" "conteudo" "treść" "контент" "prose" "markdown" "wysiwyg" "mw" "document"
    ];
    /// One article, post or product.
    Post = [
        "post" "article" "entry" "hentry" "blogpost" "page" "single" "product" "item" "node" "artikel" "beitrag" "articulo" "artículo" "articolo" "artigo"
        "recipe" "topic" "thread" "message" "section"
    ];
    /// Who wrote it, when, and under what heading.
    Meta = [
        "meta" "metadata" "postmeta" "byline" "author" "authors" "vcard" "date" "time" "published" "posted" "postdate" "timestamp" "updated" "info" "fecha"
        "datum" "autor" "категория" "category" "categories" "cat" "cats" "tag" "tags" "taxonomy" "keywords" "label" "labels" "rating"
    ];
    /// Titles.
    Title = ["title" "headline" "heading" "subtitle" "entrytitle" "posttitle" "titulo" "titel" "titre" "titolo"];
    /// The search box.
    Search = ["search" "searchform" "searchbox" "suche" "buscar" "recherche" "поиск" "query"];
    /// The name and picture of the site.
    Brand = ["logo" "logos" "brand" "branding" "sitename" "sitetitle" "tagline" "slogan" "site"];
    /// Accounts and subscriptions.
    Account = [
        "login" "logon" "signin" "signup" "register" "account" "user" "profile" "subscribe" "subscription" "newsletter" "mailchimp" "optin" "cart" "basket"
        "wishlist" "lang" "language" "languages" "locale" "rss" "feed"
    ];
    /// Ways to the pages before and after.
    Pager = ["pager" "pagination" "paging" "paginator" "pagenav" "pagenavi" "prev" "previous" "next" "older" "newer"];
    /// The way from the start page to here.
    Breadcrumb = ["breadcrumb" "breadcrumbs" "crumb" "crumbs" "trail" "pathway" "ariane"];
    /// Discussion boards.
    Forum = [
        "forum" "forums" "phpbb" "vbulletin" "bbpress" "bbp" "showthread" "viewtopic" "viewthread" "mybb" "smf" "xenforo" "xf" "ips"
        "nodebb" "flarum" "vanilla" "postbit" "discourse" "discussionboard" "messageboard" "messagelist" "messagecard" "topic" "форум"
    ];
    /// Who wrote a comment.
    Person = ["author" "vcard" "fn" "avatar" "gravatar" "user" "username" "userpic" "poster" "nick" "nickname" "person" "autor" "auteur" "autore"];
    /// To answer someone.
    Reply = [
        "reply" "replies" "respond" "response" "responses" "antworten" "antwort" "répondre" "responder" "rispondi" "ответить" "yanıtla" "odpowiedz" "svara"
        "beantwoorden" "回复" "回覆" "返信" "답글"
    ];
    /// The text of an article itself.
    Body = [
        "articlebody" "entrycontent" "postcontent" "postbody" "storybody" "storycontent" "storytext" "articletext" "articlecontent" "posttext"
        "bodytext" "bodycopy" "textbody" "richtext" "contentbody" "newstext" "maintext" "entrybody" "blogcontent" "pagecontent" "rte" "wysiwyg" "prose"
        "markdown" "copytext" "editor" "formatted" "typography"
    ];
    /// Words below a picture.
    Caption = ["caption" "captions" "figcaption" "photo" "photos" "gallery" "slideshow" "image" "images" "img" "thumb" "thumbnail" "picture" "video" "media" "player"];
    /// Goods and their prices.
    Product = [
        "product" "products" "price" "prices" "pricing" "sku" "buy" "offer" "offers" "shop" "store" "woocommerce" "pdp" "variant" "variants" "specs" "spec"
        "specification" "specifications" "features" "details" "detail" "description" "desc" "excerpt" "summary" "stock" "shipping" "delivery"
    ];
    /// One of many like it.
    Listing = [
        "list" "listing" "listings" "grid" "card" "cards" "tile" "tiles" "row" "result" "results" "items" "collection" "catalog" "loop" "masonry" "directory"
        "carousel" "slider" "slide" "slick" "swiper" "owl" "archive" "index"
    ];
    /// What is not shown, or not at first.
    Hidden = ["hidden" "hide" "invisible" "visuallyhidden" "sr" "screenreader" "offscreen" "collapse" "collapsed" "accordion" "drawer" "tooltip" "print" "noprint"];
    /// Things to press and fill in.
    Tool = ["btn" "button" "buttons" "toolbar" "tools" "tool" "form" "input" "filter" "filters" "facet" "facets" "sort" "control" "controls" "actions" "action" "toggle" "cta" "widgetbox"];
    /// What customers say, and questions with answers.
    Review = ["review" "reviews" "rating" "ratings" "testimonial" "testimonials" "stars" "faq" "faqs" "question" "questions" "answer" "answers" "qa" "quote"];
    /// The large first part of a page and the parts that follow it.
    Hero = ["hero" "jumbotron" "intro" "lead" "lede" "standfirst" "dek" "deck" "panel" "feature" "block" "column" "col" "container" "wrapper" "inner"];
}

/// Words beside an advertisement's or a comment's that make a name speak of a state, not of a block: `has-ads`,
/// `ad-free`, `comments-open`.
const STATES: &[&str] = &[
    "has",
    "no",
    "non",
    "not",
    "with",
    "without",
    "is",
    "show",
    "hide",
    "free",
    "enabled",
    "disabled",
    "ready",
    "loaded",
    "blocker",
    "js",
    "supported",
    "open",
    "closed",
    "off",
    "allowed",
];

/// Words after `ad` that make it no advertisement: `ad-hoc`, `ad-min`.
const AFTER_AD: &[&str] =
    &["hoc", "min", "dress", "apt", "just", "mission", "missions", "vance", "vanced", "vice", "visor", "venture"];

/// Words after `comment` for what leads to comments and is none: `comments-link`, `comment-count`.
const AFTER_COMMENT: &[&str] = &[
    "link", "links", "count", "counts", "counter", "number", "num", "icon", "bubble", "status", "policy", "rss", "feed", "total",
    "toggle", "btn", "button",
];

/// Words before `comment` that make it a box with the latest of the whole site: `recent-comments`.
const BEFORE_COMMENT: &[&str] = &[
    "recent",
    "latest",
    "last",
    "newest",
    "new",
    "letzte",
    "neueste",
    "ultimos",
    "últimos",
    "ultimi",
    "derniers",
    "последние",
    "top",
    "popular",
];

/// Places of the index of words; more than twice as many as there are words.
const PLACES: usize = 1 << 12;

/// All words with the families they belong to, by hash. Most words of names are in no family, and one look at an empty place
/// says so; the places are kept apart from the words, so that they stay in the nearest cache.
struct Index {
    /// The number of the word at each place, from 1; 0 where there is none.
    places: [u16; PLACES],
    words: Vec<(&'static str, Families)>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { places: [0; PLACES], words: Vec::new() };
    for (family, words) in WORDS {
        for word in *words {
            let at = index.place(word.bytes().fold(0, hash_on), |known| known == *word);
            match index.words.get_mut(usize::from(index.places[at]).wrapping_sub(1)) {
                Some((_, families)) => *families = families.and(Families::of(*family)),
                None => {
                    index.words.push((word, Families::of(*family)));
                    index.places[at] = index.words.len() as u16;
                }
            }
        }
    }
    index
});

impl Index {
    /// Where a word with this hash is, or would be.
    fn place(&self, hash: u64, is_it: impl Fn(&str) -> bool) -> usize {
        let mut at = (hash ^ hash >> 32) as usize % PLACES;
        while let Some((known, _)) = self.word(at)
            && !is_it(known)
        {
            at = (at + 1) % PLACES;
        }
        at
    }

    /// The word at a place.
    #[inline]
    fn word(&self, at: usize) -> Option<&(&'static str, Families)> {
        match self.places[at % PLACES] {
            0 => None,
            number => self.words.get(usize::from(number) - 1),
        }
    }
}

/// The hash of a word with one more byte.
fn hash_on(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// A set of families.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Families(u32);

impl Families {
    const NUMBER: u32 = 1 << 31;

    const fn of(family: Family) -> Families {
        Families(1 << family as u32)
    }

    pub(crate) fn and(self, other: Families) -> Families {
        Families(self.0 | other.0)
    }

    fn without(self, family: Family) -> Families {
        Families(self.0 & !Families::of(family).0)
    }

    /// Whether a name of this family is there.
    pub fn has(self, family: Family) -> bool {
        self.0 & Families::of(family).0 != 0
    }

    /// A bit for each family in the order of [`FAMILY_NAMES`], and one for numbers after them.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Whether a number of two digits or more is there, as in `post-807`: a sign that the name is of one thing among many.
    pub fn has_number(self) -> bool {
        self.0 & Families::NUMBER != 0
    }
}

/// The families of the words of one name or text.
pub fn families_of(name: &str) -> Families {
    Reader::default().reread_all(name)
}

/// The families of one element, by its `class` and `id`.
pub(crate) fn families_at(page: &Page, node: NodeId) -> Families {
    let names = page.attrs_named(node, |name| matches!(name, AttrName::Class | AttrName::Id));
    names.fold(Families::default(), |families, (_, value)| families.and(families_of(value)))
}

/// So many values of class are remembered.
pub(crate) const RECENT: usize = 32;

/// The families of every element of a page, by its `class` and `id`.
#[derive(Debug)]
pub struct NameFamilies {
    by_node: Vec<Families>,
    /// A number for the value of each element's `class`: 0 for none, else the same for the same.
    classes: Vec<u32>,
    distinct: usize,
}

impl NameFamilies {
    /// Reads all names of a page, each distinct class once.
    pub fn of(page: &Page) -> NameFamilies {
        let mut known: foldhash::HashMap<&str, (Families, u32)> = foldhash::HashMap::default();
        // Utility classes come in ever new combinations.
        let mut single: foldhash::HashMap<&str, Families> = foldhash::HashMap::default();
        // What elements of a kind have in turn is found without hashing it: by length, the last value of class.
        let mut last = [("", Families::default(), 0); RECENT];
        let mut reader = Reader::default();
        let mut by_node = vec![Families::default(); page.len()];
        let mut classes = vec![0; page.len()];
        for node in page.nodes().filter(|node| page.is_element(*node)) {
            for (name, value) in page.attrs_named(node, |name| matches!(name, AttrName::Class | AttrName::Id)) {
                let families = match name {
                    AttrName::Class if !value.is_empty() => {
                        let last = &mut last[value.len() % RECENT];
                        if last.0 != value {
                            let next = known.len() as u32 + 1;
                            let (families, number) = *known.entry(value).or_insert_with(|| {
                                let names = value.split_ascii_whitespace();
                                let read = names.map(|name| *single.entry(name).or_insert_with(|| reader.reread(name)));
                                (read.fold(Families::default(), Families::and), next)
                            });
                            *last = (value, families, number);
                        }
                        classes[node.index()] = last.2;
                        last.1
                    }
                    // Few pages have one twice.
                    AttrName::Id => reader.reread_all(value),
                    _ => continue,
                };
                by_node[node.index()] = by_node[node.index()].and(families);
            }
        }
        NameFamilies { by_node, classes, distinct: known.len() + 1 }
    }

    /// A number for the value of an element's `class`: 0 for none, else below [`distinct`](Self::distinct) and the same for the same.
    #[inline]
    pub fn class(&self, node: NodeId) -> u32 {
        self.classes[node.index()]
    }

    /// How many numbers there are.
    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// The families of an element.
    pub fn at(&self, node: NodeId) -> Families {
        self.by_node[node.index()]
    }
}

/// What letter of ASCII a byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letter {
    No,
    Lower,
    Upper,
}

const LETTERS: [Letter; 256] = {
    let mut letters = [Letter::No; 256];
    let mut byte = b'a';
    while byte <= b'z' {
        letters[byte as usize] = Letter::Lower;
        letters[byte.to_ascii_uppercase() as usize] = Letter::Upper;
        byte += 1;
    }
    letters
};

/// Cuts names into words and looks them up; keeps its buffers from name to name. Words are bytes: nearly all are ASCII, and grow byte by byte.
#[derive(Default)]
pub(crate) struct Reader {
    before: Vec<u8>,
    word: Vec<u8>,
    /// The hashes of the word, and of the one before it and it as one.
    hash: u64,
    joined: u64,
    found: Families,
    pending: Families,
}

impl Reader {
    /// The families of the words of one name, which has no white space in it.
    pub(crate) fn reread(&mut self, name: &str) -> Families {
        self.found = Families::default();
        self.read(name);
        self.found
    }

    /// The families of the words of all names in a value or a text.
    pub(crate) fn reread_all(&mut self, value: &str) -> Families {
        self.found = Families::default();
        // Most values are one name.
        if value.bytes().all(|byte| byte.is_ascii_graphic()) {
            self.read(value);
        } else {
            value.split_whitespace().for_each(|name| self.read(name));
        }
        self.found
    }

    fn read(&mut self, name: &str) {
        self.before.clear();
        self.word.clear();
        (self.hash, self.joined) = (0, 0);
        if has_hash(name) {
            self.read_without_hashes(name);
        } else if name.is_ascii() {
            self.read_ascii(name.as_bytes());
        } else {
            self.read_name(name);
        }
        self.end_word();
        self.found = self.found.and(self.pending);
        self.pending = Families::default();
    }

    fn read_without_hashes(&mut self, name: &str) {
        for piece in pieces(name).filter(|piece| !is_hash(piece) && !is_part_of_hash(piece)) {
            self.read_name(piece);
            self.end_word();
        }
    }

    fn read_name(&mut self, name: &str) {
        let mut digits = 0;
        let mut last = ' ';
        let mut characters = name.chars().peekable();
        while let Some(character) = characters.next() {
            if character.is_ascii_digit() {
                digits += 1;
                if digits == 2 {
                    self.found.0 |= Families::NUMBER;
                }
                self.end_word();
            } else if character.is_alphabetic() {
                let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
                let hump = character.is_uppercase() && (last.is_lowercase() || (last.is_uppercase() && next_is_lower));
                if hump {
                    self.end_word();
                }
                for lower in character.to_lowercase() {
                    lower.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| self.push(byte));
                }
            } else {
                self.end_word();
            }
            if !character.is_ascii_digit() {
                digits = 0;
            }
            last = character;
        }
    }

    /// The same for names that need no table of characters.
    fn read_ascii(&mut self, name: &[u8]) {
        let (mut digits, mut last) = (0, Letter::No);
        for (at, byte) in name.iter().enumerate() {
            let letter = LETTERS[usize::from(*byte)];
            if letter == Letter::No {
                self.end_word();
                digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
                if digits == 2 {
                    self.found.0 |= Families::NUMBER;
                }
            } else {
                let next_is_lower = || name.get(at + 1).is_some_and(|next| LETTERS[usize::from(*next)] == Letter::Lower);
                let is_hump = letter == Letter::Upper && (last == Letter::Lower || last == Letter::Upper && next_is_lower());
                if is_hump {
                    self.end_word();
                }
                self.push(byte | 0x20);
                digits = 0;
            }
            last = letter;
        }
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.word.push(byte);
        (self.hash, self.joined) = (hash_on(self.hash, byte), hash_on(self.joined, byte));
    }

    /// An `ad` or `comment` counts only when the next word does not take it back, so it waits for that.
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        if self.pending != Families::default() && !is_one_of(STATES, &self.word) {
            if is_one_of(AFTER_AD, &self.word) {
                self.pending = self.pending.without(Family::Ad);
            }
            if is_one_of(AFTER_COMMENT, &self.word) {
                self.pending = self.pending.without(Family::Comment);
            }
            self.found = self.found.and(self.pending);
        }
        self.pending = Families::default();
        let mut families = look_up(self.hash, |known| known.as_bytes() == self.word);
        if self.before.len() > 2 && self.word.len() > 2 {
            families =
                families.and(look_up(self.joined, |known| known.as_bytes().strip_prefix(&self.before[..]) == Some(&self.word)));
        }
        for family in [Family::Ad, Family::Comment].into_iter().filter(|family| families.has(*family)) {
            let is_recent = family == Family::Comment && is_one_of(BEFORE_COMMENT, &self.before);
            if !is_recent && !is_one_of(STATES, &self.before) {
                self.pending = self.pending.and(Families::of(family));
            }
        }
        families = families.without(Family::Ad).without(Family::Comment);
        self.found = self.found.and(families);
        std::mem::swap(&mut self.before, &mut self.word);
        self.word.clear();
        (self.joined, self.hash) = (self.hash, 0);
    }
}

fn pieces(name: &str) -> impl Iterator<Item = &str> {
    name.split(|character: char| !character.is_alphanumeric()).filter(|piece| !piece.is_empty())
}

fn has_hash(name: &str) -> bool {
    name.as_bytes().windows(2).any(is_turn) && pieces(name).any(is_hash)
}

/// A letter after a digit.
fn is_turn(pair: &[u8]) -> bool {
    pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic() && pair[1] != b'x'
}

/// Names that tools make up, such as `8eb812ad` or `VAd2NXLTr`, have letters that mean nothing. They are told by letters
/// after digits; `300x250` is a size.
fn is_hash(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let turns = bytes.windows(2).filter(|pair| is_turn(pair)).count();
    let is_hexadecimal = bytes.iter().all(u8::is_ascii_hexdigit);
    let is_mixed = bytes.iter().any(u8::is_ascii_uppercase) && bytes.iter().any(u8::is_ascii_lowercase);
    turns > 1 || (turns > 0 && (is_hexadecimal || is_mixed))
}

/// Beside a made-up piece, such as in a UUID, shorter ones with a digit are made up too.
fn is_part_of_hash(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    bytes.len() >= 4 && bytes.iter().all(u8::is_ascii_hexdigit) && bytes.iter().any(u8::is_ascii_digit)
}

fn is_one_of(words: &[&str], word: &[u8]) -> bool {
    words.iter().any(|known| known.as_bytes() == word)
}

fn look_up(hash: u64, is_it: impl Fn(&str) -> bool) -> Families {
    let index = &*INDEX;
    index.word(index.place(hash, is_it)).map_or(Families::default(), |(_, families)| *families)
}

#[cfg(test)]
mod tests;
