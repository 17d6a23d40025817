//! Formulas: MathML and what renderers make of TeX, each written once, from its source.
//!
//! The source is TeX wherever the page has it: in an annotation or the `alttext` of MathML, in the script that MathJax reads, in the description of
//! a picture that was made from it. MathML without any is written in a line, as TeX would have it. What a renderer puts beside
//! the source for the eye is a second copy and never written.

use crate::{NodeId, Page, Tag};
use std::fmt::Write as _;

/// A formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Formula {
    /// TeX, on one line.
    pub(super) tex: String,
    /// Whether it stands on a line of its own.
    pub(super) is_display: bool,
}

/// The formula that an element is, if it is one.
pub(super) fn formula(page: &Page, node: NodeId, tag: Tag) -> Option<Formula> {
    let (tex, is_display) = match tag {
        Tag::Math => (source_of_math(page, node), page.attr(node, "display").is_some_and(|value| value.trim() == "block")),
        Tag::Script => {
            let kind = page.attr(node, "type").filter(|kind| kind.trim_start().starts_with("math/tex"))?;
            (page.descendants(node).map(|raw| page.string(raw)).collect(), kind.contains("mode=display"))
        }
        Tag::Img if page.classes(node).any(is_picture_of_tex) => (page.attr(node, "alt")?.to_owned(), false),
        _ => return None,
    };
    let tex = on_one_line(&tex);
    let is_display = is_display || page.ancestors(node).take(3).any(|around| page.classes(around).any(is_display_class));
    (!tex.is_empty()).then_some(Formula { tex, is_display })
}

fn is_picture_of_tex(class: &str) -> bool {
    matches!(class, "tex" | "latex" | "mathtex" | "ee_img")
}

fn is_display_class(class: &str) -> bool {
    matches!(class, "katex-display" | "MathJax_Display" | "mwe-math-mathml-display" | "math-display")
}

/// How classes of elements begin that show a formula once more.
pub(super) const COPIES: [&str; 3] = ["katex-html", "MathJax", "mwe-math-fallback-image"];

/// Whether an element only repeats for the eye a formula whose source the page has too.
pub(super) fn is_second_copy(page: &Page, node: NodeId, tag: Tag) -> bool {
    // Most classes are no name of these by their first letter.
    let is_copy =
        |class: &&str| matches!(class.as_bytes(), [b'k' | b'M' | b'm', ..]) && COPIES.iter().any(|copy| class.starts_with(copy));
    let Some(class) = page.classes(node).find(is_copy) else { return false };
    let is_source =
        |node: NodeId| page.tag(node) == Tag::Script && page.attr(node, "type").is_some_and(|kind| kind.starts_with("math/"));
    let after = |node| page.next_sibling(node).is_some_and(is_source);
    match class {
        "MathJax_Preview" => true,
        _ if class.starts_with("MathJax") => tag != Tag::Img && (after(node) || page.parent(node).is_some_and(after)),
        _ => previous(page, node).is_some_and(|before| has_math(page, before)),
    }
}

fn previous(page: &Page, node: NodeId) -> Option<NodeId> {
    let parent = page.parent(node)?;
    page.element_children(parent).take(8).take_while(|child| *child < node).last()
}

fn has_math(page: &Page, node: NodeId) -> bool {
    page.subtree(node).take(8).any(|below| page.tag(below) == Tag::Math)
}

fn source_of_math(page: &Page, math: NodeId) -> String {
    let is_tex = |node: &NodeId| {
        page.tag(*node) == Tag::Foreign
            && page.name(*node) == "annotation"
            && page.attr(*node, "encoding").is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    };
    match page.descendants(math).find(is_tex) {
        Some(annotation) => page.descendants(annotation).map(|text| page.string(text)).collect(),
        None => match page.attr(math, "alttext").filter(|text| !text.trim().is_empty()) {
            Some(text) => text.to_owned(),
            None => in_a_line(page, math),
        },
    }
}

/// One line, without the wish to be set large that wikis put around every formula.
fn on_one_line(tex: &str) -> String {
    let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = ["{\\displaystyle ", "{\\textstyle "].iter().find_map(|wish| tex.strip_prefix(wish)?.strip_suffix('}'));
    bare.map_or(tex.as_str(), str::trim).to_owned()
}

/// MathML in a line: `x^2`, `\frac{a}{b}`.
fn in_a_line(page: &Page, math: NodeId) -> String {
    let mut out = String::new();
    // Open elements, which child of theirs is open, and where what that wrote starts.
    let mut open: Vec<(NodeId, usize, usize)> = vec![(math, 0, 0)];
    let mut node = NodeId(math.0 + 1);
    while node < page.end(math) {
        while let Some((last, _, _)) = open.pop_if(|(last, ..)| page.end(*last) <= node) {
            leave(page, last, &mut open, &mut out);
        }
        let mut next = NodeId(node.0 + 1);
        match page.tag(node) {
            Tag::Text => out.extend(page.string(node).split_whitespace()),
            _ if page.is_element(node) && matches!(page.name(node), "annotation" | "annotation-xml") => next = page.end(node),
            _ if page.is_element(node) => {
                if let Some((parent, child, from)) = open.last_mut() {
                    *from = out.len();
                    out.push_str(before_child(page.name(*parent), *child));
                }
                out.push_str(match page.name(node) {
                    "mfrac" => "\\frac",
                    "msqrt" => "\\sqrt{",
                    _ => "",
                });
                open.push((node, 0, out.len()));
            }
            _ => {}
        }
        node = next;
    }
    while open.len() > 1
        && let Some((last, ..)) = open.pop()
    {
        leave(page, last, &mut open, &mut out);
    }
    out
}

fn before_child(parent: &str, child: usize) -> &'static str {
    match (parent, child) {
        ("msup" | "mover", 1) | ("msubsup" | "munderover", 2) => "^{",
        ("msub" | "munder" | "msubsup" | "munderover", 1) => "_{",
        ("mfrac", _) | ("mroot", 0) => "{",
        ("mroot", 1) => "^{1/",
        ("mtr", 1..) => " & ",
        ("mtable", 1..) => " \\\\ ",
        _ => "",
    }
}

fn leave(page: &Page, node: NodeId, open: &mut [(NodeId, usize, usize)], out: &mut String) {
    if page.name(node) == "msqrt" {
        out.push('}');
    }
    let Some((parent, child, from)) = open.last_mut() else { return };
    let before = before_child(page.name(*parent), *child);
    *child += 1;
    if !before.ends_with(['{', '/']) {
        return;
    }
    let inside = &out[(*from + before.len()).min(out.len())..];
    if before.len() == 2 && inside.chars().count() == 1 {
        // One character needs no braces.
        out.remove(*from + 1);
    } else {
        out.push('}');
    }
}

/// Writes MathML as it stands in the page, without what could do anything but show a formula.
pub(super) fn push_mathml(out: &mut String, page: &Page, node: NodeId, formula: &Formula) {
    let attribute = |out: &mut String, name, value: &str| super::html::push_attribute(out, name, value);
    out.push_str("<math");
    if formula.is_display {
        attribute(out, "display", "block");
    }
    attribute(out, "alttext", &formula.tex);
    out.push('>');
    if page.tag(node) != Tag::Math {
        out.push_str("<mtext>");
        super::html::push_escaped(out, &formula.tex);
        out.push_str("</mtext></math>");
        return;
    }
    let mut open: Vec<NodeId> = Vec::new();
    let mut at = NodeId(node.0 + 1);
    while at < page.end(node) {
        while let Some(last) = open.pop_if(|last| page.end(*last) <= at) {
            let _ = write!(out, "</{}>", page.name(last));
        }
        let mut next = NodeId(at.0 + 1);
        match page.tag(at) {
            Tag::Text => {
                let text = page.string(at).trim();
                super::html::push_escaped(out, text);
            }
            Tag::Foreign if is_presentation(page.name(at)) => {
                let _ = write!(out, "<{}", page.name(at));
                for (name, value) in page.attrs(at) {
                    if matches!(name, "mathvariant" | "stretchy" | "accent" | "columnalign" | "linethickness" | "open" | "close")
                    {
                        attribute(out, name, value);
                    }
                }
                out.push('>');
                open.push(at);
            }
            Tag::Foreign if matches!(page.name(at), "semantics" | "mstyle" | "maction") => {}
            _ => next = page.end(at),
        }
        at = next;
    }
    while let Some(last) = open.pop() {
        let _ = write!(out, "</{}>", page.name(last));
    }
    out.push_str("</math>");
}

fn is_presentation(name: &str) -> bool {
    const NAMES: [&str; 24] = [
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "mrow",
        "mfrac",
        "msqrt",
        "mroot",
        "msup",
        "msub",
        "msubsup",
        "mover",
        "munder",
        "munderover",
        "mmultiscripts",
        "mprescripts",
        "mtable",
        "mtr",
        "mtd",
        "mpadded",
        "mphantom",
        "menclose",
    ];
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit;

    fn all(html: &str) -> [String; 2] {
        let page = Page::parse(html);
        let nodes = page.subtree_set(page.root());
        [emit::markdown(&page, &nodes), emit::text(&page, &nodes)]
    }

    const MATH: &str = "<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>";

    #[test]
    fn a_formula_is_written_once_from_its_source() {
        let cases = [
            format!("So {MATH} it is."),
            "So <math alttext='{\\displaystyle x^2}'><mi>x</mi></math> it is.".to_owned(),
            format!(
                "So <span class=katex><span class=katex-mathml>{MATH}</span><span class=katex-html aria-hidden=true><span>x</span><sup>2</sup></span></span> it is."
            ),
            "So <span class=MathJax_Preview>[x^2]</span><span class=MathJax id=m><span class=math>x2</span></span><script type='math/tex'>x^2</script> it is.".to_owned(),
            format!("So <span class=mwe-math-element><span class=mwe-math-mathml-inline>{MATH}</span><img class=mwe-math-fallback-image-inline src=x.svg alt=x^2></span> it is."),
            "So <img class=latex src=l.png alt='x^2'> it is.".to_owned(),
            "So <math><msup><mi>x</mi><mn>2</mn></msup></math> it is.".to_owned(),
        ];
        for html in cases {
            assert_eq!(all(&html), ["So $x^2$ it is.\n", "So x^2 it is.\n"], "{html}");
        }
    }

    #[test]
    fn display_formulas_are_paragraphs() {
        let math = MATH.replacen("<math>", "<math display=block>", 1);
        for html in [
            format!("<p>So {math} it is."),
            format!("<p>So</p><span class=katex-display><span class=katex><span class=katex-mathml>{MATH}</span><span class=katex-html>x2</span></span></span><p>it is."),
            "<p>So</p><div class=MathJax_Display><span class=MathJax>x2</span></div><script type='math/tex; mode=display'>x^2</script><p>it is.".to_owned(),
        ] {
            assert_eq!(all(&html), ["So\n\n$$\nx^2\n$$\n\nit is.\n", "So\n\nx^2\n\nit is.\n"], "{html}");
        }
    }

    #[test]
    fn mathml_without_tex_is_written_in_a_line() {
        let cases = [
            ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", "\\frac{a}{b+1}"),
            ("<msubsup><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></msubsup><mi>i</mi>", "∑_{i=1}^ni"),
            ("<msqrt><mi>x</mi><mo>+</mo><mi>y</mi></msqrt>", "\\sqrt{x+y}"),
            ("<mroot><mi>x</mi><mn>3</mn></mroot>", "{x}^{1/3}"),
            ("<mtable><mtr><mtd>a</mtd><mtd>b</mtd></mtr><mtr><mtd>c</mtd></mtr></mtable>", "a & b \\\\ c"),
            ("<msup><mi>e</mi><mrow><mo>-</mo><mi>t</mi></mrow></msup>", "e^{-t}"),
        ];
        for (math, expected) in cases {
            assert_eq!(all(&format!("<math>{math}</math>"))[1], format!("{expected}\n"), "{math}");
        }
    }

    #[test]
    fn clean_html_keeps_what_shows_a_formula() {
        let page = Page::parse(format!("<p>So {MATH}<math><mi onclick=x>y</mi><script>z</script></math></p>"));
        let clean = emit::html(&page, &page.subtree_set(page.root()));
        assert_eq!(
            clean,
            "<p>So <math alttext=\"x^2\"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math><math alttext=\"y\"><mi>y</mi></math></p>\n"
        );
        let again = Page::parse(clean.as_str());
        assert_eq!(emit::html(&again, &again.subtree_set(again.root())), clean);
    }
}
