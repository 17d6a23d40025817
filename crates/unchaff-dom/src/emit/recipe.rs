//! Recipes as their lists are meant: an ingredient is one line, whatever keeps its quantity apart from its name, and steps are numbered.
//!
//! Pages say by class or microdata what an ingredient is; where their boxes are columns for the eye, text would have the quantity in one
//! paragraph and the name in another, or glued to it. Steps are often a list without numbers that style numbers.

use super::numbering;
use crate::{AttrName, NodeId, Page, Tag};

/// An ingredient has no more characters than this.
const MOST_CHARS: u32 = 200;
/// A part of an ingredient that is a quantity, a unit or a size has no more characters than this.
const MOST_PART_CHARS: u32 = 20;

/// Whether an element is one ingredient of a recipe: one line, whatever its parts are.
#[must_use]
pub fn is_ingredient(page: &Page, node: NodeId) -> bool {
    if !(1..=MOST_CHARS).contains(&page.counts(node).chars) {
        return false;
    }
    let is_one = match page.tag(node) {
        Tag::Li => is_named(page, node) || page.parent(node).is_some_and(|list| is_named(page, list)),
        Tag::Div | Tag::P => says_one(page, node) && page.text(node).contains(char::is_numeric),
        _ => false,
    };
    is_one
        && page.descendants(node).all(|below| match page.tag(below) {
            Tag::Div | Tag::P => !says_one(page, below),
            tag => !tag.is_element() || !tag.is_block() && !matches!(tag, Tag::Br | Tag::Table | Tag::Img),
        })
}

/// The class and the microdata of an element that name ingredients.
fn names(page: &Page, node: NodeId) -> impl Iterator<Item = (AttrName, &str)> {
    const NAME: &str = "ngredient";
    let named = page.attrs_named(node, |name| matches!(name, AttrName::Class | AttrName::Itemprop));
    named.filter(|(_, value)| value.len() >= NAME.len() && value.contains(NAME))
}

fn is_named(page: &Page, node: NodeId) -> bool {
    names(page, node).next().is_some()
}

/// Whether the name of an element is that of one ingredient and not of all of them.
fn says_one(page: &Page, node: NodeId) -> bool {
    let is_one = |class: &str| {
        class.ends_with("ngredient")
            || class.contains("ngredient") && ["item", "line", "row"].iter().any(|end| class.ends_with(end))
    };
    names(page, node).any(|(name, value)| match name {
        AttrName::Itemprop => matches!(value, "recipeIngredient" | "ingredients"),
        _ => value.split_ascii_whitespace().any(is_one),
    })
}

/// Whether a list of definitions has ingredients, each a quantity and a name, in this order or the other: one line for both.
pub(super) fn is_ingredient_list(page: &Page, list: NodeId) -> bool {
    let parts = || page.descendants(list).filter(|part| matches!(page.tag(*part), Tag::Dt | Tag::Dd));
    let says_so = || {
        let around = [list].into_iter().chain(page.parent(list)).chain(parts().take(2));
        around.into_iter().any(|node| is_named(page, node))
    };
    let holds_lines = || {
        page.descendants(list).all(|below| match page.tag(below) {
            Tag::Dt | Tag::Dd => (1..=MOST_CHARS).contains(&page.counts(below).chars),
            Tag::Div | Tag::P => true,
            tag => !tag.is_element() || !tag.is_block() && !matches!(tag, Tag::Br | Tag::Table | Tag::Img),
        })
    };
    // A term with several definitions is a heading above ingredients.
    let are_pairs = || {
        let mut is_name_due = false;
        parts().all(|part| {
            is_name_due = !is_name_due;
            is_name_due == (page.tag(part) == Tag::Dt)
        }) && !is_name_due
    };
    // What stands in a list of the same kind ends the search early.
    says_so() && holds_lines() && are_pairs() && page.text(list).contains(char::is_numeric)
}

/// Whether a part of an ingredient is a word of its own, although nothing stands between it and the next.
pub(super) fn is_word(page: &Page, part: NodeId) -> bool {
    let Some(next) = page.next_sibling(part) else { return false };
    let text = page.text(part);
    (1..=MOST_PART_CHARS).contains(&page.counts(part).chars)
        && (page.is_element(next) || text.contains(char::is_numeric))
        && text.ends_with(char::is_alphanumeric)
        && page.text(next).starts_with(char::is_alphanumeric)
}

/// Whether the items of a list without numbers are steps: style numbers them, or they say that they are instructions.
pub(super) fn is_numbered(page: &Page, list: NodeId) -> bool {
    let is_decimal =
        |node| page.attr(node, "style").is_some_and(|style| style.contains("list-style") && style.contains("decimal"));
    is_decimal(list)
        || page.attr(list, "style").is_some() && numbering::kind(page, list).is_some()
        || page.attr(list, "itemprop") == Some("recipeInstructions")
        || page.class(list).contains("recipe-instructions")
        || page.element_children(list).next().is_some_and(is_decimal)
}

/// Whether an element is a tool of a recipe and none of it: a box to tick, the way to it, or to its printed page.
pub(super) fn is_tool(page: &Page, node: NodeId, tag: Tag) -> bool {
    let is_sign = || !page.text(node).contains(char::is_alphanumeric) && page.counts(node).chars > 0;
    match tag {
        Tag::Label => is_sign(),
        Tag::A => {
            let class = page.class(node);
            class.len() > 8 && (class.contains("jump-to-") || class.contains("recipe-print") || class.contains("print-recipe"))
        }
        _ => page.counts(node).chars == 1 && matches!(page.text(node).trim(), "▢" | "☐" | "□"),
    }
}

#[cfg(test)]
mod tests {
    use crate::{NodeSet, Page, Tag, emit};

    fn markdown(html: &str) -> String {
        let page = Page::parse(html);
        emit::markdown(&page, &page.subtree_set(page.root()))
    }

    #[test]
    fn quantities_stand_before_their_ingredients_on_one_line() {
        for (html, expected) in [
            ("<ul class=ingredients><li><span>4</span><span>large</span> <span>onions</span></ul>", "- 4 large onions\n"),
            (
                "<ul class=ingredients><li><div>200 g</div><div>flour</div><li><span>2</span>eggs<li>salt</ul>",
                "- 200 g flour\n- 2 eggs\n- salt\n",
            ),
            (
                "<ul><li itemprop=recipeIngredient><p>1</p><p>½</p><p>leek</p><li itemprop=ingredients><span>egg</span>s</ul>",
                "- 1 ½ leek\n- eggs\n",
            ),
            ("<ul class=ingredients><li><span>leek</span><span>, cut</span></ul>", "- leek, cut\n"),
            ("<div class=ingredient><div>2</div><div>eggs</div></div><div class=ingredient>salt</div>", "2 eggs\n\nsalt\n"),
        ] {
            let page = Page::parse(html);
            let nodes = page.subtree_set(page.root());
            assert_eq!(emit::markdown(&page, &nodes), expected, "{html}");
            assert_eq!(emit::text(&page, &nodes).replace('\n', ""), expected.replace('\n', ""), "{html}");
            assert_eq!(markdown(&emit::html(&page, &nodes)), expected, "{html}");
        }
        for columns in [
            "<div class=ingredients><div>2</div><div>eggs</div></div>",
            "<div class=ingredient><div>Oil</div><div>of seeds</div></div>",
            "<div class=ingredient><h3>2</h3><p>eggs</p></div>",
            "<div class=ingredient-row><div class=ingredient>2 eggs</div><div class=ingredient>1 leek</div></div>",
        ] {
            assert!(markdown(columns).contains("\n\n"), "{columns}");
        }
    }

    #[test]
    fn quantity_and_name_in_a_list_of_definitions_are_one_line() {
        let cases = [
            (
                "<dl class=ingredients><dt>200 g</dt><dd>flour</dd><dt>2<dd><a href=/eggs>eggs</a></dl>",
                "- 200 g flour\n- 2 [eggs](/eggs)\n",
            ),
            (
                "<div class=recipe-ingredients><dl><div><dt>Flour</dt><dd>200 g</dd></div><div><dt>Eggs</dt><dd><p>2</p></dd></div></dl></div>",
                "- Flour 200 g\n- Eggs 2\n",
            ),
            ("<dl><dt itemprop=recipeIngredient>1 <b>leek</b></dt><dd>cut</dd></dl>x", "- 1 **leek** cut\n\nx\n"),
        ];
        for (html, expected) in cases {
            let page = Page::parse(html);
            let nodes = page.subtree_set(page.root());
            assert_eq!(emit::markdown(&page, &nodes), expected, "{html}");
            assert_eq!(markdown(&emit::html(&page, &nodes)), expected, "{html}");
            let plain = expected.replace("[eggs](/eggs)", "eggs").replace("**", "");
            assert_eq!(emit::text(&page, &nodes), plain, "{html}");
        }
        let page =
            Page::parse("<dl class=ingredients><dt>200 g</dt><dd>flour</dd><dt>2</dt><dd>eggs</dd><dt>1</dt><dd>leek</dd></dl>");
        let texts =
            page.nodes().filter(|node| page.tag(*node) == Tag::Text && matches!(page.text(*node), "200 g" | "eggs" | "leek"));
        let some = NodeSet::from_nodes(&page, texts);
        assert_eq!(emit::markdown(&page, &some), "- 200 g\n- eggs\n- leek\n", "pairs of which a part is chosen stay apart");
        for definitions in [
            "<dl class=ingredients><dt>Dough</dt><dd>200 g flour</dd><dd>2 eggs</dd></dl>",
            "<dl class=ingredients><dt>Flour</dt><dd>ground wheat</dd></dl>",
            "<dl><dt>200 g</dt><dd>flour</dd></dl>",
        ] {
            assert!(markdown(definitions).starts_with("**"), "{definitions}");
        }
    }

    #[test]
    fn steps_are_numbered_and_tools_are_left_out() {
        assert_eq!(markdown("<ul><li style='list-style-type: decimal'>Cut<li>Stir</ul>"), "1. Cut\n2. Stir\n");
        assert_eq!(markdown("<ul itemprop=recipeInstructions><li>Cut<li>Stir</ul>"), "1. Cut\n2. Stir\n");
        assert_eq!(markdown("<ul style='list-style: disc'><li>Cut<li>Stir</ul>"), "- Cut\n- Stir\n");
        assert_eq!(
            markdown("<ul><li><input type=checkbox><label><span>▢ </span></label>1 leek<li><span>☐</span> salt</ul>"),
            "- 1 leek\n- salt\n"
        );
        assert_eq!(markdown("<a class=recipe-jump-to-recipe href=#r>Jump</a><p>A <label>box</label> □"), "A box □\n");
    }
}
