//! SVG and MathML inside HTML (<https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign>).

use super::builder::{Builder, Open, Rest, TagToken, Token};
use crate::Tag;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Namespace {
    Svg,
    MathMl,
}

impl<'s> Builder<'s> {
    /// The tree construction dispatcher: by the rules for foreign content, or by those of the insertion mode.
    #[inline(always)] // A tag need not be copied to be handed on.
    pub(super) fn process<'t>(&mut self, token: Token<'t>) {
        let mut rest = Some(token);
        while let Some(token) = rest {
            rest = if self.is_foreign(token) { self.in_foreign_content(token) } else { self.step(self.mode, token) };
        }
    }

    /// Whether `<![CDATA[` starts text now.
    pub(super) fn allows_cdata(&self) -> bool {
        !self.open.is_empty() && !self.current().tag.is_html()
    }

    /// Whether text follows the rules of SVG and MathML now, and not those of the HTML that some of their elements hold.
    pub(super) fn text_is_foreign(&self) -> bool {
        self.is_foreign(Token::Text(""))
    }

    fn is_foreign(&self, token: Token<'_>) -> bool {
        let current = self.current();
        if self.open.is_empty() || current.tag.is_html() {
            return false;
        }
        match token {
            Token::Eof => false,
            Token::Text(_) => !self.is_mathml_text_integration_point(current) && !self.is_integration_point(current),
            Token::Start(tag) => {
                let html = self.is_integration_point(current)
                    || self.is_mathml_text_integration_point(current) && !matches!(tag.name, "mglyph" | "malignmark")
                    || tag.name == "svg" && self.is_annotation_xml(current);
                !html
            }
            _ => true,
        }
    }

    fn name_of(&self, element: Open) -> &str {
        match element.tag {
            Tag::Custom | Tag::Foreign => self.draft.names.get(self.draft.node(element.node).name()),
            tag => tag.name(),
        }
    }

    /// The namespace of a foreign element: that of the nearest root of one.
    fn namespace(&self, element: Open) -> Namespace {
        let mut node = element.node;
        loop {
            let found = self.draft.node(node);
            match found.tag {
                Tag::Svg => return Namespace::Svg,
                Tag::Foreign if found.parent != super::draft::NONE => node = found.parent,
                _ => return Namespace::MathMl,
            }
        }
    }

    /// An HTML integration point: HTML continues inside.
    pub(super) fn is_integration_point(&self, element: Open) -> bool {
        if element.tag != Tag::Foreign {
            return false;
        }
        match self.name_of(element) {
            "foreignObject" | "desc" | "title" => self.namespace(element) == Namespace::Svg,
            "annotation-xml" => self.draft.attrs_of(element.node).iter().any(|attr| {
                let value = self.draft.text(attr.value);
                self.draft.names.get(attr.name) == "encoding"
                    && (value.eq_ignore_ascii_case("text/html") || value.eq_ignore_ascii_case("application/xhtml+xml"))
            }),
            _ => false,
        }
    }

    pub(super) fn is_mathml_text_integration_point(&self, element: Open) -> bool {
        element.tag == Tag::Foreign
            && matches!(self.name_of(element), "mi" | "mo" | "mn" | "ms" | "mtext")
            && self.namespace(element) == Namespace::MathMl
    }

    pub(super) fn is_annotation_xml(&self, element: Open) -> bool {
        element.tag == Tag::Foreign && self.name_of(element) == "annotation-xml" && self.namespace(element) == Namespace::MathMl
    }

    /// `svg` or `math` among HTML elements.
    pub(super) fn start_foreign(&mut self, token: TagToken<'_>) {
        self.reconstruct_formatting();
        let tag = if token.name == "svg" { Tag::Svg } else { Tag::Math };
        self.insert_element_as(token, tag);
        if token.self_closing {
            self.pop();
        }
    }

    fn in_foreign_content<'t>(&mut self, token: Token<'t>) -> Rest<'t> {
        match token {
            Token::Text(text) => {
                self.insert_text(text);
                self.frameset_ok &= text.chars().all(super::head_rules::is_space);
                None
            }
            Token::Comment(text) => {
                self.insert_comment(text);
                None
            }
            Token::Doctype(_) | Token::Eof => None,
            Token::Start(tag) => self.start_tag_in_foreign_content(tag),
            Token::End(tag) => self.end_tag_in_foreign_content(tag),
        }
    }

    fn start_tag_in_foreign_content<'t>(&mut self, tag: TagToken<'t>) -> Rest<'t> {
        if breaks_out(tag) {
            self.leave_foreign_content();
            return self.step(self.mode, Token::Start(tag));
        }
        let (kind, name) = match (self.namespace(self.current()), tag.name) {
            (Namespace::Svg, "svg") => (Tag::Svg, tag.name),
            (Namespace::MathMl, "math") => (Tag::Math, tag.name),
            (Namespace::Svg, name) => (Tag::Foreign, svg_name(name)),
            (Namespace::MathMl, name) => (Tag::Foreign, name),
        };
        self.insert_element_as(TagToken { name, ..tag }, kind);
        if tag.self_closing {
            self.pop();
        }
        None
    }

    fn leave_foreign_content(&mut self) {
        while !self.open.is_empty() {
            let current = self.current();
            if current.tag.is_html() || self.is_mathml_text_integration_point(current) || self.is_integration_point(current) {
                break;
            }
            self.pop();
        }
    }

    fn end_tag_in_foreign_content<'t>(&mut self, tag: TagToken<'t>) -> Rest<'t> {
        if matches!(tag.tag, Tag::Br | Tag::P) {
            self.leave_foreign_content();
            return self.step(self.mode, Token::End(tag));
        }
        for at in (0..self.open.len()).rev() {
            if self.open[at].tag.is_html() {
                return self.step(self.mode, Token::End(tag));
            }
            if at == 0 {
                return None;
            }
            if self.name_of(self.open[at]).eq_ignore_ascii_case(tag.name) {
                self.end_tag = Some(self.open[at].tag);
                while self.open.len() > at {
                    self.pop();
                }
                return None;
            }
        }
        None
    }
}

/// HTML tags that end SVG or MathML when they occur in it.
fn breaks_out(token: TagToken<'_>) -> bool {
    use Tag::*;
    match token.tag {
        B | Big | Blockquote | Body | Br | Center | Code | Dd | Div | Dl | Dt | Em | Embed | H1 | H2 | H3 | H4 | H5 | H6
        | Head | Hr | I | Img | Li | Listing | Menu | Meta | Nobr | Ol | P | Pre | Ruby | S | Small | Span | Strong | Strike
        | Sub | Sup | Table | Tt | U | Ul | Var => true,
        Font => ["color", "face", "size"].iter().any(|name| token.attribute(name).is_some()),
        _ => false,
    }
}

/// SVG's own spelling of an element's name.
fn svg_name(name: &str) -> &str {
    const CAMEL: [&str; 37] = [
        "altGlyph",
        "altGlyphDef",
        "altGlyphItem",
        "animateColor",
        "animateMotion",
        "animateTransform",
        "clipPath",
        "feBlend",
        "feColorMatrix",
        "feComponentTransfer",
        "feComposite",
        "feConvolveMatrix",
        "feDiffuseLighting",
        "feDisplacementMap",
        "feDistantLight",
        "feDropShadow",
        "feFlood",
        "feFuncA",
        "feFuncB",
        "feFuncG",
        "feFuncR",
        "feGaussianBlur",
        "feImage",
        "feMerge",
        "feMergeNode",
        "feMorphology",
        "feOffset",
        "fePointLight",
        "feSpecularLighting",
        "feSpotLight",
        "feTile",
        "feTurbulence",
        "foreignObject",
        "glyphRef",
        "linearGradient",
        "radialGradient",
        "textPath",
    ];
    CAMEL.iter().find(|camel| camel.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}
