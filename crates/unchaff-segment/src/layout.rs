//! A rendered page as boxes: the only thing that segmentation knows of a renderer.
//!
//! The boxes form a tree in document order, a box after the one it is in. Leaves that a reader sees are text lines and images;
//! everything else is there for its extent and its background. Boxes come from a renderer ([`crate::renderer`]), or from
//! anywhere else as JSON, whose schema is that of the structures here (`docs/segmentation.md`).

use crate::rect::Rect;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A colour of the screen, written `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Color(pub [u8; 3]);

impl Color {
    /// What a page has behind everything.
    pub const WHITE: Color = Color([255; 3]);
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl From<Color> for String {
    fn from(color: Color) -> String {
        color.to_string()
    }
}

/// A text that is no colour.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{text}` is not a colour; write it like #1a2b3c")]
pub struct NoColor {
    /// The text.
    pub text: String,
}

impl FromStr for Color {
    type Err = NoColor;

    fn from_str(text: &str) -> Result<Color, NoColor> {
        let wrong = || NoColor { text: text.to_owned() };
        let digits =
            text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = u32::from_str_radix(digits.ok_or_else(wrong)?, 16).map_err(|_| wrong())?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Color([red, green, blue]))
    }
}

impl TryFrom<String> for Color {
    type Error = NoColor;

    fn try_from(text: String) -> Result<Color, NoColor> {
        text.parse()
    }
}

/// What a box is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoxKind {
    /// A line of text, or the part of one that comes from one text node.
    Text,
    /// An image, or something else that is drawn as a whole: a video, a frame, a form control.
    Image,
    /// The box of an element that holds other boxes, or nothing.
    Other,
}

/// A box of a rendered page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderedBox {
    /// Its place on the page: left, top, right, bottom.
    pub rect: Rect,
    /// What it is.
    pub kind: BoxKind,
    /// The box that it is in, by its position in the list, which is before its own; none for the outermost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The node it comes from, by its position in document order: the text node of a line, the element of all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// The colour of a text, or the mean colour of an image, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
    /// The background that it paints itself; none if one sees through it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub background: Option<Color>,
    /// The size of its type in pixels, 0 if it is not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub font_size: u16,
    /// Whether its text is bold (a weight of 600 or more).
    #[serde(default, skip_serializing_if = "is_false")]
    pub bold: bool,
    /// Whether its text is italic or oblique.
    #[serde(default, skip_serializing_if = "is_false")]
    pub italic: bool,
    /// Whether its text is underlined, overlined or struck through.
    #[serde(default, skip_serializing_if = "is_false")]
    pub decorated: bool,
    /// Whether it stands still when the page is scrolled (fixed or sticky).
    #[serde(default, skip_serializing_if = "is_false")]
    pub fixed: bool,
    /// Whether it runs within lines (`display: inline`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub inline: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &u16) -> bool {
    *value == 0
}

impl RenderedBox {
    /// A box of which no more than place and kind is known.
    #[must_use]
    pub fn new(kind: BoxKind, rect: Rect) -> RenderedBox {
        RenderedBox {
            rect,
            kind,
            parent: None,
            node: None,
            color: None,
            background: None,
            font_size: 0,
            bold: false,
            italic: false,
            decorated: false,
            fixed: false,
            inline: false,
        }
    }
}

/// A rendered page.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// The width of the page in pixels.
    pub width: i32,
    /// The height of the page in pixels.
    pub height: i32,
    /// The boxes, each after the one it is in.
    pub boxes: Vec<RenderedBox>,
}

/// Why boxes are not a layout.
#[derive(Debug, Error)]
pub enum LayoutError {
    /// It is no JSON, or of another form.
    #[error("the boxes are not JSON of the documented form (docs/segmentation.md): {0}")]
    Json(#[from] serde_json::Error),
    /// A box is in one that does not stand before it.
    #[error(
        "box {0} says that it is in box {1}, which does not stand before it; write the boxes so that each comes after its parent"
    )]
    Order(usize, u32),
}

impl Layout {
    /// Reads a layout from JSON.
    ///
    /// # Errors
    /// If it is no JSON, of another form, or not a tree in order.
    pub fn from_json(json: &[u8]) -> Result<Layout, LayoutError> {
        let layout: Layout = serde_json::from_slice(json)?;
        match layout.boxes.iter().enumerate().find(|(at, found)| found.parent.is_some_and(|parent| parent as usize >= *at)) {
            Some((at, found)) => Err(LayoutError::Order(at, found.parent.unwrap_or_default())),
            None => Ok(layout),
        }
    }

    /// The layout as JSON, one box a line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let boxes: Vec<String> = self.boxes.iter().filter_map(|found| serde_json::to_string(found).ok()).collect();
        format!("{{\"width\":{},\"height\":{},\"boxes\":[\n{}\n]}}\n", self.width, self.height, boxes.join(",\n"))
    }

    /// Whether a box is part of what a reader sees: a text line or image that has pixels on the page.
    #[must_use]
    pub fn is_content(&self, index: usize) -> bool {
        let found = &self.boxes[index];
        found.kind != BoxKind::Other && self.is_on_page(found.rect)
    }

    /// Whether a rectangle has pixels on the page.
    #[must_use]
    pub fn is_on_page(&self, rect: Rect) -> bool {
        !rect.is_empty() && rect.right > 0 && rect.bottom > 0 && rect.left < self.width && rect.top < self.height
    }

    /// The boxes that a reader sees, in order.
    pub fn content(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.boxes.len()).filter(|index| self.is_content(*index)).map(|index| index as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_comes_back_as_it_went() {
        let mut text = RenderedBox::new(BoxKind::Text, Rect::from([10, 20, 110, 36]));
        text.color = Some(Color([0x33, 0x66, 0x99]));
        (text.parent, text.node, text.bold) = (Some(0), Some(7), true);
        let outer = RenderedBox::new(BoxKind::Other, Rect::from([0, 0, 200, 100]));
        let layout = Layout { width: 200, height: 100, boxes: vec![outer, text] };
        let json = layout.to_json();
        assert!(
            json.contains(r##"{"rect":[10,20,110,36],"kind":"text","parent":0,"node":7,"color":"#336699","bold":true}"##),
            "{json}"
        );
        assert_eq!(Layout::from_json(json.as_bytes()).unwrap(), layout);
    }

    #[test]
    fn what_is_no_layout_is_refused_with_the_reason() {
        let wrong = |json: &str| Layout::from_json(json.as_bytes()).unwrap_err().to_string();
        assert!(wrong("nothing").contains("docs/segmentation.md"));
        let box_in =
            |parent: u32| format!(r#"{{"width":9,"height":9,"boxes":[{{"rect":[0,0,1,1],"kind":"text","parent":{parent}}}]}}"#);
        assert!(wrong(&box_in(0)).contains("box 0 says that it is in box 0"));
        assert!(wrong(r#"{"width":9,"height":9,"boxes":[{"rect":[0,0,1,1],"kind":"text","color":"red"}]}"#).contains("#1a2b3c"));
    }
}
