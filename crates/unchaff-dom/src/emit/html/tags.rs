//! Which elements clean HTML has, and under which names.

use crate::Tag;

/// Inline elements that are written as they are.
pub(super) fn is_span(tag: Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Em | Strong
            | B
            | I
            | U
            | S
            | Del
            | Ins
            | Mark
            | Sub
            | Sup
            | Small
            | Abbr
            | Cite
            | Q
            | Code
            | Kbd
            | Samp
            | Var
            | Dfn
            | Time
            | Ruby
            | Rt
            | Rp
    )
}

/// The name under which an old element is written.
pub(super) fn modern(own: Tag, tag: Tag) -> Tag {
    match tag {
        // A button that heads what is behind it has no `details` around it.
        Tag::Summary if own == Tag::Button => Tag::P,
        Tag::Strike => Tag::S,
        Tag::Tt => Tag::Code,
        Tag::Acronym => Tag::Abbr,
        Tag::Menu | Tag::Dir => Tag::Ul,
        Tag::Listing | Tag::Xmp | Tag::Plaintext => Tag::Pre,
        tag => tag,
    }
}
