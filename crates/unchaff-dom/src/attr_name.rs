//! Attributes that are asked for all over: known by a number, like [`Tag`](crate::Tag), so that looking for one compares numbers and no
//! strings.

macro_rules! attr_names {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// The name of an attribute, if it is one of the common ones.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum AttrName {
            $(#[doc = concat!("`", $text, "`")] $name,)*
            /// Any other.
            Other,
        }

        /// All names that have a number, in the order of their numbers.
        const KNOWN: &[AttrName] = &[$(AttrName::$name),*];
        /// The same as they are written.
        const TEXTS: &[&str] = &[$($text),*];

        impl AttrName {
            /// The number of a name. Where the name is a literal, this costs nothing: the compiler knows the answer.
            #[inline(always)]
            #[must_use]
            pub fn of(name: &str) -> AttrName {
                match name {
                    $($text => AttrName::$name,)*
                    _ => AttrName::Other,
                }
            }
        }
    };
}

attr_names! {
    Class = "class",
    Id = "id",
    Href = "href",
    Src = "src",
    Alt = "alt",
    Title = "title",
    Rel = "rel",
    Type = "type",
    Name = "name",
    Content = "content",
    Property = "property",
    Style = "style",
    Role = "role",
    Hidden = "hidden",
    AriaHidden = "aria-hidden",
    AriaLabel = "aria-label",
    Itemprop = "itemprop",
    Itemtype = "itemtype",
    Itemscope = "itemscope",
    Datetime = "datetime",
    Lang = "lang",
    Action = "action",
    Data = "data",
    For = "for",
    Placeholder = "placeholder",
    Value = "value",
    Width = "width",
    Height = "height",
    Target = "target",
}

/// How many names have a number.
pub(crate) const KNOWN_NAMES: usize = KNOWN.len();

impl AttrName {
    /// The name with a number; [`AttrName::Other`] for numbers beyond.
    #[inline]
    pub(crate) fn numbered(number: u32) -> AttrName {
        KNOWN.get(number as usize).copied().unwrap_or(AttrName::Other)
    }
}

/// How a name with a number is written.
#[inline]
pub(crate) fn text_of(number: u32) -> Option<&'static str> {
    TEXTS.get(number as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_the_same() {
        for (number, text) in TEXTS.iter().enumerate() {
            assert_eq!(AttrName::of(text), AttrName::numbered(number as u32));
            assert_eq!((AttrName::of(text) as usize, text_of(number as u32)), (number, Some(*text)));
        }
        assert_eq!((AttrName::of("onclick"), AttrName::numbered(1000), text_of(1000)), (AttrName::Other, AttrName::Other, None));
    }
}
