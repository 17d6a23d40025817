//! What a word is when a result is measured.
//!
//! Two rules. The default is that of most comparisons of extractors: the text in lower case, every run of letters, digits and
//! underscores (general categories L and N) a word, every ideograph and kana (U+3040–30FF, U+3400–9FFF, U+F900–FAFF)
//! a word of its own. It is narrower than [`unchaff_dom::words`], for which vowel signs are part of a word, too; scores that
//! are compared with those of other tools need exactly their rule. The other is Gottron's (2008, 5.3.2): what stands
//! between white space, as it is written.

use unchaff_page::parameters::choice;
use unicode_general_category::{GeneralCategory, get_general_category};

choice! {
    /// How text is cut into words.
    pub enum WordRule {
        /// Runs of letters and digits in lower case; ideographs and kana one by one.
        Letters = "letters",
        /// What stands between white space, punctuation attached, case kept.
        WhiteSpace = "white-space",
    }
}

impl WordRule {
    /// The words of a text, in order.
    #[must_use]
    pub fn words(self, text: &str) -> Vec<String> {
        match self {
            WordRule::Letters => {
                let mut words = Vec::new();
                for_each_word(text, |word| words.push(word.to_owned()));
                words
            }
            WordRule::WhiteSpace => text.split_whitespace().map(str::to_owned).collect(),
        }
    }
}

/// Calls back with every word of a text by the rule of letters.
pub(crate) fn for_each_word(text: &str, mut each: impl FnMut(&str)) {
    // Before the text is cut, because case depends on the neighbours (the final sigma) and one letter can become several.
    let text = text.to_lowercase();
    let mut start = None;
    for (at, character) in text.char_indices() {
        let alone = is_alone(character);
        if !alone && is_part(character) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            each(&text[start..at]);
        }
        if alone {
            each(&text[at..at + character.len_utf8()]);
        }
    }
    if let Some(start) = start {
        each(&text[start..]);
    }
}

fn is_alone(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn is_part(character: char) -> bool {
    use GeneralCategory::{LowercaseLetter, ModifierLetter, OtherLetter, TitlecaseLetter, UppercaseLetter};
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    character.is_numeric()
        || character.is_alphabetic()
            && matches!(
                get_general_category(character),
                LowercaseLetter | ModifierLetter | OtherLetter | TitlecaseLetter | UppercaseLetter
            )
}

/// Text with every run of white space as one blank and none at the ends (Gottron 2008, 5.3.2).
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(piece);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_scorers() {
        // Expected: `re.findall(r"[{CJK}]|[^\W{CJK}]+", text.lower())` of score_pages.py.
        let words = |text: &str| WordRule::Letters.words(text).join("|");
        assert_eq!(words("Don't STOP_it, 3.5"), "don|t|stop_it|3|5");
        assert_eq!(words("ab中文cd、カナ・ー"), "ab|中|文|cd|カ|ナ|・|ー");
        assert_eq!(words("ΟΔΟΣ ΣΑΣ"), "οδος|σας");
        // A capital I with a dot becomes two characters, of which the second is no letter.
        assert_eq!(words("İstanbul"), "i|stanbul");
        // Vowel signs are no letters for this rule.
        assert_eq!(words("हिन्दी"), "ह|न|द");
        assert_eq!(words("x² Ⅷ ½ Ⓐ"), "x²|ⅷ|½");
        assert_eq!(words(""), "");
    }

    #[test]
    fn white_space_words_keep_case_and_punctuation() {
        assert_eq!(WordRule::WhiteSpace.words(" A,\u{a0}b  c. "), ["A,", "b", "c."]);
        assert_eq!(collapse(" A,\u{a0}b \n c. "), "A, b c.");
    }
}
