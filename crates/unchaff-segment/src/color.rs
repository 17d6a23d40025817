//! One colour for a text: its own, shifted by its style in HSV, so that bold differs from plain.
//!
//! Source: J. Zelený, PhD thesis, Brno 2017, §6.1.1. Our readings: percentages are added on the
//! scale from 0 to 1, white starts at a saturation and black at a brightness of 0.2, because from the smallest possible
//! value no style could make a difference.

use crate::layout::Color;

/// How style shifts the colour of a text, on a scale from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct TextColor {
    /// Shift for text that is underlined, overlined or struck through.
    pub decoration: f64,
    /// Shift for italic text.
    pub italic: f64,
    /// Shift for bold text.
    pub bold: f64,
    /// The saturation that white text starts with.
    pub white_saturation: f64,
    /// The brightness that black text starts with.
    pub black_brightness: f64,
}

impl Default for TextColor {
    fn default() -> Self {
        TextColor { decoration: 0.2, italic: 0.2, bold: 0.3, white_saturation: 0.2, black_brightness: 0.2 }
    }
}

/// Hue in degrees, saturation and brightness from 0 to 1.
fn hsv(color: Color) -> [f64; 3] {
    let [red, green, blue] = color.0.map(|channel| f64::from(channel) / 255.0);
    let (high, low) = (red.max(green).max(blue), red.min(green).min(blue));
    let range = high - low;
    let hue = if range == 0.0 {
        0.0
    } else if high == red {
        60.0 * ((green - blue) / range).rem_euclid(6.0)
    } else if high == green {
        60.0 * ((blue - red) / range + 2.0)
    } else {
        60.0 * ((red - green) / range + 4.0)
    };
    [hue, if high == 0.0 { 0.0 } else { range / high }, high]
}

fn rgb([hue, saturation, brightness]: [f64; 3]) -> Color {
    let channel = |shift: f64| {
        let at = (shift + hue / 60.0).rem_euclid(6.0);
        let value = brightness - brightness * saturation * at.min(4.0 - at).clamp(0.0, 1.0);
        (value * 255.0).round() as u8
    };
    Color([channel(5.0), channel(3.0), channel(1.0)])
}

impl TextColor {
    /// The colour that stands for a text on a background.
    #[must_use]
    pub fn of(&self, text: Color, background: Color, [decorated, italic, bold]: [bool; 3]) -> Color {
        let [mut hue, mut saturation, mut brightness] = hsv(text);
        let style = [(decorated, self.decoration), (italic, self.italic), (bold, self.bold)];
        let shift: f64 = style.iter().filter(|(given, _)| *given).map(|(_, shift)| shift).sum();
        if saturation == 0.0 && brightness == 1.0 {
            hue = hsv(background)[0];
            saturation = (self.white_saturation - shift).clamp(0.0, 1.0);
        } else if saturation == 0.0 || brightness == 0.0 {
            let start = if brightness == 0.0 { self.black_brightness } else { brightness };
            brightness = (start - shift).clamp(0.0, 1.0);
        } else {
            saturation = (saturation + shift).clamp(0.0, 1.0);
        }
        rgb([hue, saturation, brightness])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PLAIN: [bool; 3] = [false; 3];
    const UNDERLINED: [bool; 3] = [true, false, false];
    const BOLD: [bool; 3] = [false, false, true];

    /// Examples of ours, computed from the rules of §6.1.1.
    #[test]
    fn style_shifts_the_colour_of_a_text() {
        let rules = TextColor::default();
        let of = |text: [u8; 3], background: [u8; 3], style| rules.of(Color(text), Color(background), style).0;
        let [white, blue, black] = [[255; 3], [0, 0, 255], [0; 3]];
        assert_eq!(of([0x33, 0x66, 0x99], white, BOLD), [5, 79, 153]);
        assert_eq!(of([0x33, 0x66, 0x99], white, UNDERLINED), [20, 87, 153]);
        assert_eq!(of(white, blue, PLAIN), [204, 204, 255]);
        assert_eq!(of(white, blue, BOLD), [255, 255, 255]);
        assert_eq!(of([0x80; 3], white, BOLD), [52, 52, 52]);
        assert_eq!(of(black, white, PLAIN), [51, 51, 51]);
        assert_eq!(of(black, white, BOLD), [0, 0, 0]);
        assert_eq!(of([255, 0, 0], white, BOLD), [255, 0, 0]);
    }

    /// The author's program shifts italics the other way.
    #[test]
    fn italics_can_be_shifted_the_other_way() {
        let rules = TextColor { italic: -0.2, ..TextColor::default() };
        assert_eq!(rules.of(Color([0; 3]), Color::WHITE, [false, true, false]).0, [102; 3]);
    }

    proptest! {
        #[test]
        fn a_coloured_text_without_style_keeps_its_colour(red: u8, green: u8, blue: u8) {
            prop_assume!([red, green, blue].iter().any(|channel| *channel != red));
            prop_assert_eq!(TextColor::default().of(Color([red, green, blue]), Color::WHITE, PLAIN).0, [red, green, blue]);
        }
    }
}
