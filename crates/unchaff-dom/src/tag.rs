//! The name of a node: one byte that says what a node is and, for HTML's own elements, which one.
//!
//! Like `nodeName` in browsers, the names of what is not an element start with `#`. Elements that HTML does not define
//! share [`Tag::Custom`], those of SVG and MathML below their roots share [`Tag::Foreign`]; their exact names are
//! kept by the page ([`Page::name`](crate::Page::name)). An SVG `a` or `title` is therefore never mistaken for HTML's.

macro_rules! tags {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// What a node is; see the [module](self).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Tag { $($variant),* }

        const NAMES: &[&str] = &[$($name),*];
        const ALL: &[Tag] = &[$(Tag::$variant),*];
    };
}

tags! {
    Document "#document", Doctype "#doctype", Comment "#comment", Text "#text", Raw "#raw",
    Custom "#custom", Svg "svg", Math "math", Foreign "#foreign",
    A "a", Abbr "abbr", Acronym "acronym", Address "address", Applet "applet", Area "area", Article "article",
    Aside "aside", Audio "audio", B "b", Base "base", Basefont "basefont", Bdi "bdi", Bdo "bdo", Bgsound "bgsound",
    Big "big", Blink "blink", Blockquote "blockquote", Body "body", Br "br", Button "button", Canvas "canvas",
    Caption "caption", Center "center", Cite "cite", Code "code", Col "col", Colgroup "colgroup", Data "data",
    Datalist "datalist", Dd "dd", Del "del", Details "details", Dfn "dfn", Dialog "dialog", Dir "dir", Div "div",
    Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset", Figcaption "figcaption", Figure "figure",
    Font "font", Footer "footer", Form "form", Frame "frame", Frameset "frameset", H1 "h1", H2 "h2", H3 "h3",
    H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header", Hgroup "hgroup", Hr "hr", Html "html", I "i",
    Iframe "iframe", Img "img", Input "input", Ins "ins", Kbd "kbd", Keygen "keygen", Label "label",
    Legend "legend", Li "li", Link "link", Listing "listing", Main "main", Map "map", Mark "mark",
    Marquee "marquee", Menu "menu", Meta "meta", Meter "meter", Nav "nav", Nobr "nobr", Noembed "noembed",
    Noframes "noframes", Noscript "noscript", Object "object", Ol "ol", Optgroup "optgroup", Option "option",
    Output "output", P "p", Param "param", Picture "picture", Plaintext "plaintext", Pre "pre",
    Progress "progress", Q "q", Rb "rb", Rp "rp", Rt "rt", Rtc "rtc", Ruby "ruby", S "s", Samp "samp",
    Script "script", Search "search", Section "section", Select "select", Slot "slot", Small "small",
    Source "source", Span "span", Strike "strike", Strong "strong", Style "style", Sub "sub", Summary "summary",
    Sup "sup", Table "table", Tbody "tbody", Td "td", Template "template", Textarea "textarea", Tfoot "tfoot",
    Th "th", Thead "thead", Time "time", Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul",
    Var "var", Video "video", Wbr "wbr", Xmp "xmp",
}

/// How many values [`Tag`] has; for tables indexed by tag.
pub const TAG_COUNT: usize = ALL.len();

/// Position of the first element of HTML's own in [`ALL`]; they stand there by name.
const FIRST_HTML: usize = Tag::A as usize;

/// The element whose name has this place; no two have the same.
const BY_PLACE: [Tag; PLACES] = {
    let mut tags = [Tag::Custom; PLACES];
    let mut at = FIRST_HTML;
    while at < NAMES.len() {
        let place = place(NAMES[at].as_bytes());
        assert!(matches!(tags[place], Tag::Custom), "two names have one place: other factors are needed");
        tags[place] = ALL[at];
        at += 1;
    }
    tags
};

const PLACES: usize = 1024;

/// A number of a name, of its length and three of its letters. The factors were found by trying.
const fn place(name: &[u8]) -> usize {
    let ([first, ..], [.., last]) = (name, name) else { return 0 };
    let middle = name[name.len() / 2];
    (51 * *first as usize + 462 * middle as usize + 371 * *last as usize + 350 * name.len()) % PLACES
}

impl Tag {
    /// The tag of an HTML element, from its lower-case name; [`Tag::Custom`] for names that HTML does not define.
    #[must_use]
    pub fn from_name(name: &str) -> Tag {
        match BY_PLACE[place(name.as_bytes())] {
            tag if tag.name() == name => tag,
            _ => Tag::Custom,
        }
    }

    /// The lower-case name, or a word with `#` for what has no name of its own here.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Whether the node is an element.
    #[must_use]
    pub fn is_element(self) -> bool {
        self >= Tag::Custom
    }

    /// Whether the node is an element in the HTML namespace.
    #[must_use]
    pub fn is_html(self) -> bool {
        self >= Tag::A || self == Tag::Custom
    }

    /// Elements that never have content or an end tag.
    #[must_use]
    pub fn is_void(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Area | Base
                | Basefont
                | Bgsound
                | Br
                | Col
                | Embed
                | Frame
                | Hr
                | Img
                | Input
                | Keygen
                | Link
                | Meta
                | Param
                | Source
                | Track
                | Wbr
        )
    }

    /// Elements that start on a line of their own in an ordinary rendering, so that words on either side of their
    /// borders do not run together.
    #[must_use]
    pub fn is_block(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Address
                | Article
                | Aside
                | Blockquote
                | Body
                | Caption
                | Center
                | Dd
                | Details
                | Dialog
                | Dir
                | Div
                | Dl
                | Dt
                | Fieldset
                | Figcaption
                | Figure
                | Footer
                | Form
                | Frameset
                | H1
                | H2
                | H3
                | H4
                | H5
                | H6
                | Header
                | Hgroup
                | Hr
                | Html
                | Legend
                | Li
                | Listing
                | Main
                | Menu
                | Nav
                | Noscript
                | Ol
                | Optgroup
                | Option
                | P
                | Plaintext
                | Pre
                | Search
                | Section
                | Summary
                | Table
                | Tbody
                | Td
                | Tfoot
                | Th
                | Thead
                | Tr
                | Ul
                | Xmp
        )
    }

    /// `h1` to `h6`: the level of a heading.
    #[must_use]
    pub fn heading_level(self) -> Option<u8> {
        (Tag::H1..=Tag::H6).contains(&self).then(|| self as u8 - Tag::H1 as u8 + 1)
    }

    /// All values in their order.
    pub fn all() -> impl Iterator<Item = Tag> {
        ALL.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_html_name_finds_its_tag_and_names_are_sorted() {
        for tag in ALL.iter().filter(|tag| **tag >= Tag::A) {
            assert_eq!(Tag::from_name(tag.name()), *tag);
        }
        assert!(NAMES[FIRST_HTML..].is_sorted());
    }

    #[test]
    fn names_that_html_does_not_define_are_custom() {
        for name in ["my-widget", "svg", "math", "", "é", "#text", "zebra", "divv"] {
            assert_eq!(Tag::from_name(name), Tag::Custom, "{name}");
        }
    }
}
