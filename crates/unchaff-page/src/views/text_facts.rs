//! What text consists of, counted for each piece of text and summed over any stretch of a page.
//!
//! Classifiers of text blocks look at much the same: characters and tokens by kind, sentences, capitals, stop words, and signs such as
//! addresses or years. All of it adds up, so one pass over the page's texts gives sums before each of them, and the facts of any
//! element are the difference of two.
//!
//! A token is what stands between white space; an ideograph is one by itself. Runs of white space count as one character.

use std::collections::HashSet;
use std::ops::Sub;
use unchaff_dom::words::is_ideograph;
use unchaff_dom::{NodeId, Page};

/// Counts over a stretch of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextFacts {
    /// Letters.
    pub letters: u32,
    /// Digits.
    pub digits: u32,
    /// Punctuation marks.
    pub punctuation: u32,
    /// Runs of white space.
    pub blanks: u32,
    /// Other characters.
    pub others: u32,
    /// Characters in links.
    pub link_chars: u32,
    /// Tokens of letters alone, marks around them left out.
    pub letter_tokens: u32,
    /// Tokens of digits alone.
    pub digit_tokens: u32,
    /// Tokens of letters, digits and marks between them.
    pub mixed_tokens: u32,
    /// Tokens without letter or digit.
    pub other_tokens: u32,
    /// Tokens that start with a capital letter.
    pub capitals: u32,
    /// Tokens that are stop words.
    pub stop_words: u32,
    /// Ends of sentences.
    pub sentence_ends: u32,
    /// Signs of copyright.
    pub copyrights: u32,
    /// Addresses of mail.
    pub emails: u32,
    /// Addresses of pages.
    pub urls: u32,
    /// Years.
    pub years: u32,
    /// Dates in numbers.
    pub dates: u32,
    /// Times of day.
    pub times: u32,
}

impl TextFacts {
    /// All characters.
    #[must_use]
    pub fn chars(&self) -> u32 {
        self.letters + self.digits + self.punctuation + self.blanks + self.others
    }

    /// Tokens with a letter or digit.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.letter_tokens + self.digit_tokens + self.mixed_tokens
    }

    /// All tokens.
    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.words() + self.other_tokens
    }

    /// Sentences: text without an end is one.
    #[must_use]
    pub fn sentences(&self) -> u32 {
        self.sentence_ends.max(1)
    }

    fn read(&mut self, text: &str, in_link: bool, stop_words: &HashSet<&str>) {
        let before = self.chars();
        let mut was_blank = false;
        let mut token_from = None;
        let mut last = ' ';
        let mut folded = String::new();
        for (at, character) in text.char_indices() {
            let is_blank = character.is_whitespace();
            let is_alone = is_ideograph(character);
            if (is_blank || is_alone)
                && let Some(from) = token_from.take()
            {
                self.read_token(&text[from..at], stop_words, &mut folded);
            }
            if is_blank {
                self.sentence_ends += u32::from(is_end(last));
                self.blanks += u32::from(!was_blank);
            } else if character.is_alphabetic() {
                self.letters += 1;
            } else if character.is_numeric() {
                self.digits += 1;
            } else if is_mark(character) {
                self.punctuation += 1;
                self.sentence_ends += u32::from(matches!(character, '。' | '！' | '？'));
            } else {
                self.others += 1;
                self.copyrights += u32::from(character == '©');
            }
            if is_alone {
                self.letter_tokens += 1;
            } else if !is_blank && token_from.is_none() {
                token_from = Some(at);
            }
            was_blank = is_blank;
            if !is_blank && !matches!(character, '"' | '\'' | '”' | '’' | '»' | ')') {
                last = character;
            } else if is_blank {
                last = ' ';
            }
        }
        if let Some(from) = token_from {
            self.read_token(&text[from..], stop_words, &mut folded);
        }
        self.sentence_ends += u32::from(is_end(last));
        if in_link {
            self.link_chars += self.chars() - before;
        }
    }

    fn read_token(&mut self, token: &str, stop_words: &HashSet<&str>, folded: &mut String) {
        let core = token.trim_matches(|character: char| !character.is_alphanumeric());
        if core.is_empty() {
            self.other_tokens += 1;
            return;
        }
        let letters = core.chars().all(char::is_alphabetic);
        let digits = !letters && core.bytes().all(|byte| byte.is_ascii_digit());
        *match (letters, digits) {
            (true, _) => &mut self.letter_tokens,
            (_, true) => &mut self.digit_tokens,
            _ => &mut self.mixed_tokens,
        } += 1;
        self.capitals += u32::from(core.chars().next().is_some_and(char::is_uppercase));
        if digits {
            self.years += u32::from(core.len() == 4 && (core.starts_with("19") || core.starts_with("20")));
        } else if letters {
            // No stop word is longer.
            if core.len() <= 24 && !stop_words.is_empty() {
                folded.clear();
                folded.extend(core.chars().flat_map(char::to_lowercase));
                self.stop_words += u32::from(stop_words.contains(folded.as_str()));
                self.copyrights += u32::from(folded == "copyright");
            }
        } else {
            let is_email = core.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
            self.emails += u32::from(is_email);
            self.urls += u32::from(!is_email && (core.contains("://") || core.starts_with("www.")));
            self.dates += u32::from(is_numbers(core, &['.', '/', '-'], 2..=3));
            self.times += u32::from(is_numbers(core, &[':'], 2..=3));
        }
    }
}

impl Sub for TextFacts {
    type Output = TextFacts;

    fn sub(self, other: TextFacts) -> TextFacts {
        TextFacts {
            letters: self.letters - other.letters,
            digits: self.digits - other.digits,
            punctuation: self.punctuation - other.punctuation,
            blanks: self.blanks - other.blanks,
            others: self.others - other.others,
            link_chars: self.link_chars - other.link_chars,
            letter_tokens: self.letter_tokens - other.letter_tokens,
            digit_tokens: self.digit_tokens - other.digit_tokens,
            mixed_tokens: self.mixed_tokens - other.mixed_tokens,
            other_tokens: self.other_tokens - other.other_tokens,
            capitals: self.capitals - other.capitals,
            stop_words: self.stop_words - other.stop_words,
            sentence_ends: self.sentence_ends - other.sentence_ends,
            copyrights: self.copyrights - other.copyrights,
            emails: self.emails - other.emails,
            urls: self.urls - other.urls,
            years: self.years - other.years,
            dates: self.dates - other.dates,
            times: self.times - other.times,
        }
    }
}

/// Numbers of one to four digits with one of these signs between them.
fn is_numbers(token: &str, signs: &[char], numbers: std::ops::RangeInclusive<usize>) -> bool {
    let mut count = 0;
    for part in token.split(signs) {
        if part.is_empty() || part.len() > 4 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        count += 1;
    }
    numbers.contains(&count)
}

/// Whether a character ends a sentence if white space follows.
#[must_use]
pub fn is_end(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…')
}

/// Whether a character is a punctuation mark.
fn is_mark(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '«' | '»' | '¿' | '¡' | '·')
}

/// Sums of facts before each of the texts given, in document order, and of all.
#[must_use]
pub fn sums_of(page: &Page, texts: &[NodeId], stop_words: &HashSet<&str>) -> Vec<TextFacts> {
    let mut sums = Vec::with_capacity(texts.len() + 1);
    let mut sum = TextFacts::default();
    for text in texts {
        sums.push(sum);
        let in_link = page.counts(*text).link_chars > 0;
        sum.read(page.string(*text), in_link, stop_words);
    }
    sums.push(sum);
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use unchaff_dom::Tag;

    fn facts(text: &str) -> TextFacts {
        let mut facts = TextFacts::default();
        facts.read(text, false, &HashSet::from(["the", "of"]));
        facts
    }

    #[test]
    fn characters_and_tokens_are_counted_by_kind() {
        let facts = facts("The  cat, 12 x86 — of \"2019\".");
        assert_eq!((facts.letters, facts.digits, facts.punctuation, facts.blanks, facts.others), (9, 8, 5, 6, 0));
        assert_eq!((facts.letter_tokens, facts.digit_tokens, facts.mixed_tokens, facts.other_tokens), (3, 2, 1, 1));
        assert_eq!((facts.capitals, facts.stop_words, facts.years, facts.sentence_ends), (1, 2, 1, 1));
    }

    #[test]
    fn sentences_end_where_white_space_follows_or_nothing() {
        assert_eq!(facts("One. Two! 3.5 of it").sentence_ends, 2);
        assert_eq!(facts("He said \"so.\" And went.").sentence_ends, 2);
        assert_eq!(facts("下雨了。天晴了").sentence_ends, 1);
        assert_eq!((facts("no end").sentence_ends, facts("no end").sentences()), (0, 1));
    }

    #[test]
    fn addresses_dates_and_times_are_known() {
        let facts = facts("mail a@b.org or https://b.org/x on 3.5.2012 at 12:30, © copyright");
        assert_eq!((facts.emails, facts.urls, facts.dates, facts.times, facts.copyrights), (1, 1, 1, 1, 2));
        assert_eq!(self::facts("x86 3.5.2012.7 1:2:3:4").dates, 0);
    }

    #[test]
    fn the_facts_of_a_stretch_are_the_difference_of_two_sums() {
        let page = Page::parse("<p>one two <a href=x>three</a></p><p>four</p>");
        let texts: Vec<NodeId> = page.nodes().filter(|node| page.tag(*node) == Tag::Text).collect();
        let sums = sums_of(&page, &texts, &HashSet::new());
        assert_eq!((sums[3] - sums[0]).words(), 4);
        assert_eq!((sums[2] - sums[1]).link_chars, 5);
    }
}
