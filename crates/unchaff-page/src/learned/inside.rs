//! What an element stands in, by its own and its ancestors' tags, roles and names: an article, navigation, a form, code.

use crate::learned::name_families::{Families, Family};
use unchaff_dom::{NodeId, Page, Tag};

/// A set of surroundings, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inside(u16);

impl Inside {
    /// An article.
    pub const ARTICLE: Inside = Inside(1);
    /// What is named content.
    pub const CONTENT: Inside = Inside(1 << 1);
    /// A way through the site.
    pub const NAVIGATION: Inside = Inside(1 << 2);
    /// The head of the page or of a part of it.
    pub const HEAD: Inside = Inside(1 << 3);
    /// The foot of the page or of a part of it.
    pub const FOOT: Inside = Inside(1 << 4);
    /// What stands beside the content.
    pub const SIDE: Inside = Inside(1 << 5);
    /// A form.
    pub const FORM: Inside = Inside(1 << 6);
    /// What is named further reading.
    pub const RELATED: Inside = Inside(1 << 7);
    /// What is named sharing.
    pub const SHARE: Inside = Inside(1 << 8);
    /// A head, foot, side or navigation that is one by tag or role, within an article or post. What stands in it is not.
    pub const INNER_LANDMARK: Inside = Inside(1 << 9);
    /// The main part.
    pub const MAIN: Inside = Inside(1 << 10);
    /// What is named a post.
    pub const POST: Inside = Inside(1 << 11);
    /// Code, or an element of code itself.
    pub const CODE: Inside = Inside(1 << 12);

    /// The surroundings of an element: those of its parent, and what it is itself.
    #[must_use]
    #[inline]
    pub fn of(page: &Page, node: NodeId, names: Families, above: Inside) -> Inside {
        let by_tag = match page.tag(node) {
            Tag::Nav => Inside::NAVIGATION,
            Tag::Header => Inside::HEAD,
            Tag::Footer => Inside::FOOT,
            Tag::Aside => Inside::SIDE,
            Tag::Main => Inside::MAIN,
            Tag::Article => Inside::ARTICLE,
            Tag::Form => Inside::FORM,
            Tag::Pre | Tag::Code => Inside::CODE,
            _ => Inside(0),
        };
        let by_role = match page.attr(node, "role") {
            Some("navigation" | "menu" | "menubar") => Inside::NAVIGATION,
            Some("banner") => Inside::HEAD,
            Some("contentinfo") => Inside::FOOT,
            Some("complementary") => Inside::SIDE,
            Some("main") => Inside::MAIN,
            _ => Inside(0),
        };
        let own = by_tag.0 | by_role.0;
        let is_landmark = own & LANDMARKS != 0 && above.has(Inside(Inside::MAIN.0 | Inside::ARTICLE.0 | Inside::POST.0));
        let inner = if is_landmark { Inside::INNER_LANDMARK.0 } else { 0 };
        Inside(above.0 & !Inside::INNER_LANDMARK.0 | own | by_names(names) | inner)
    }

    /// Whether one of these is around it.
    #[must_use]
    pub const fn has(self, these: Inside) -> bool {
        self.0 & these.0 != 0
    }

    /// A bit for each, in the order of the constants.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }
}

const LANDMARKS: u16 = Inside::NAVIGATION.0 | Inside::HEAD.0 | Inside::FOOT.0 | Inside::SIDE.0;

const NAMED: [(Family, Inside); 8] = [
    (Family::Content, Inside::CONTENT),
    (Family::Post, Inside::POST),
    (Family::Navigation, Inside::NAVIGATION),
    (Family::Head, Inside::HEAD),
    (Family::Foot, Inside::FOOT),
    (Family::Side, Inside::SIDE),
    (Family::Related, Inside::RELATED),
    (Family::Share, Inside::SHARE),
];

fn by_names(names: Families) -> u16 {
    if names == Families::default() {
        return 0;
    }
    NAMED.iter().filter(|(family, _)| names.has(*family)).fold(0, |bits, (_, inside)| bits | inside.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::name_families::NameFamilies;

    /// What the first element with a class stands in.
    fn inside(html: &str, class: &str) -> Inside {
        let page = Page::parse(html);
        let names = NameFamilies::of(&page);
        let mut all = vec![Inside::default(); page.len()];
        for node in page.nodes().filter(|node| page.is_element(*node)) {
            let above = page.parent(node).map_or(Inside::default(), |parent| all[parent.index()]);
            all[node.index()] = Inside::of(&page, node, names.at(node), above);
        }
        all[page.nodes().find(|node| page.class(*node) == class).unwrap().index()]
    }

    #[test]
    fn tags_roles_and_names_of_ancestors_count() {
        let found = inside("<article><div role=navigation><div class=sharing><p class=x>y</div></div></article>", "x");
        assert_eq!(found, Inside(Inside::ARTICLE.0 | Inside::NAVIGATION.0 | Inside::SHARE.0));
        assert_eq!(inside("<nav>a</nav><p class=x>b", "x"), Inside::default());
        assert!(inside("<pre><b class=x>y</b></pre>", "x").has(Inside::CODE));
    }

    #[test]
    fn only_the_landmark_itself_is_an_inner_one() {
        let html = "<header class=outer>a</header><main><footer class=inner><p class=x>b</footer></main>";
        assert!(inside(html, "inner").has(Inside::INNER_LANDMARK));
        assert!(!inside(html, "x").has(Inside::INNER_LANDMARK) && !inside(html, "outer").has(Inside::INNER_LANDMARK));
    }
}
