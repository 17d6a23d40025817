//! Keywords: the words of a text as features that can be counted over pages.
//!
//! Detectors that weigh words (T. Gottron: Content Extraction, 2008, sections 2.3.2 and 3.3.2) fold case, leave out stop words
//! and reduce words to stems. Both are English; words of other languages pass unchanged but for their case, and a list of stop words
//! for another language can be given. A keyword is made of letters; a feature is its 64-bit hash.

use crate::learned::page_keys::KeyMap;
use crate::text::porter::stem;
use crate::text::shingles::word_hash;
use std::collections::HashSet;
use unchaff_dom::words::words;

/// Frequent English words without a meaning of their own.
pub(crate) const STOP_WORDS: &str = "a about an and are as at be been but by for from had has have in is it its not of on or that the their they \
                              this to was were which will with";

/// How words become features. What was made of a word is remembered, because most words of a site are met again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keywords {
    stop_words: HashSet<u64>,
    stemming: bool,
    only_letters: bool,
    /// The feature of each word as it is written, or 0 if it is none.
    known: KeyMap<u64>,
    folded: String,
}

impl Keywords {
    /// Words of letters, without some (given with white space between them), reduced to stems or not.
    #[must_use]
    pub(crate) fn new(stop_words: &str, stemming: bool) -> Keywords {
        let stop_words = stop_words.split_whitespace().map(word_hash).collect();
        Keywords { stop_words, stemming, only_letters: true, ..Keywords::default() }
    }

    /// All words, with case folded and nothing else.
    #[must_use]
    pub(crate) fn all_words() -> Keywords {
        Keywords::default()
    }

    /// Adds the features of a text to `features`, one for each occurrence.
    pub(crate) fn read(&mut self, text: &str, features: &mut Vec<u64>) {
        for word in words(text) {
            let written = word_hash(word);
            let feature = match self.known.get(&written) {
                Some(feature) => *feature,
                None => {
                    let feature = self.feature(word);
                    self.known.insert(written, feature);
                    feature
                }
            };
            if feature != 0 {
                features.push(feature);
            }
        }
    }

    fn feature(&mut self, word: &str) -> u64 {
        self.folded.clear();
        self.folded.extend(word.chars().flat_map(char::to_lowercase));
        let is_keyword = !self.only_letters || word.chars().all(char::is_alphabetic);
        if !is_keyword || self.stop_words.contains(&word_hash(&self.folded)) {
            return 0;
        }
        if self.stemming {
            stem(&mut self.folded);
        }
        word_hash(&self.folded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut keywords: Keywords, text: &str) -> Vec<u64> {
        let mut features = Vec::new();
        keywords.read(text, &mut features);
        features
    }

    #[test]
    fn case_numbers_stop_words_and_endings_go() {
        let keywords = Keywords::new(STOP_WORDS, true);
        assert_eq!(read(keywords, "The Cats of 1984 are HOPPING. Cats"), ["cat", "hop", "cat"].map(word_hash));
        assert_eq!(read(Keywords::new("", false), "The Cats 7up"), ["the", "cats"].map(word_hash));
        assert_eq!(read(Keywords::all_words(), "The 7up – Öl"), ["the", "7up", "öl"].map(word_hash));
        assert_eq!(read(Keywords::new("", true), "中文").len(), 2);
    }
}
