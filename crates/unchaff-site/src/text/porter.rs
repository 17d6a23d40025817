//! Porter's stemmer: English words without their endings, so that forms of a word are one feature.
//!
//! M. F. Porter: An algorithm for suffix stripping. Program 14(3), 1980, steps 1a to 5b under the paper's names: a measure *m*
//! counts the runs of vowels that are followed by consonants; an ending goes if what stays is long enough. Words with other
//! than the letters a to z are left as they are.

/// Reduces a lower-case word to its stem.
pub(crate) fn stem(word: &mut String) {
    if word.len() <= 2 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    step_1a(word);
    step_1b(word);
    if let Some(stem) = without(word, "y").filter(|stem| has_vowel(word, *stem)) {
        word.truncate(stem);
        word.push('i');
    }
    replace_longest(word, STEP_2, 1);
    replace_longest(word, STEP_3, 1);
    step_4(word);
    step_5(word);
}

const STEP_2: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];

const STEP_3: &[(&str, &str)] =
    &[("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous",
    "ive", "ize",
];

/// Where an ending starts, if the word has it.
fn without(word: &str, ending: &str) -> Option<usize> {
    word.ends_with(ending).then(|| word.len() - ending.len())
}

fn is_consonant(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        // A run of y alternates; counting back from here to its start keeps this free of recursion.
        b'y' => word[..at].iter().rev().take_while(|byte| **byte == b'y').count() % 2 == usize::from(starts_as_vowel(word, at)),
        _ => true,
    }
}

/// Whether the first of the run of y that ends at `at` stands after a consonant, and so is a vowel.
fn starts_as_vowel(word: &[u8], at: usize) -> bool {
    let start = word[..at].iter().rposition(|byte| *byte != b'y');
    !start.is_none_or(|before| matches!(word[before], b'a' | b'e' | b'i' | b'o' | b'u'))
}

/// How many runs of vowels with consonants after them the first bytes of a word have.
fn measure(word: &str, to: usize) -> usize {
    let word = word.as_bytes();
    (1..to).filter(|at| is_consonant(word, *at) && !is_consonant(word, at - 1)).count()
}

fn has_vowel(word: &str, to: usize) -> bool {
    (0..to).any(|at| !is_consonant(word.as_bytes(), at))
}

fn ends_in_double_consonant(word: &str) -> bool {
    let bytes = word.as_bytes();
    matches!(bytes, [.., before, last] if before == last) && is_consonant(bytes, bytes.len() - 1)
}

/// Consonant, vowel, consonant at the end, the last one not w, x or y.
fn ends_in_short_syllable(word: &str, to: usize) -> bool {
    let bytes = word.as_bytes();
    to >= 3
        && is_consonant(bytes, to - 3)
        && !is_consonant(bytes, to - 2)
        && is_consonant(bytes, to - 1)
        && !matches!(bytes[to - 1], b'w' | b'x' | b'y')
}

fn step_1a(word: &mut String) {
    if without(word, "sses").is_some() || without(word, "ies").is_some() {
        word.truncate(word.len() - 2);
    } else if without(word, "ss").is_none() && without(word, "s").is_some() {
        word.pop();
    }
}

fn step_1b(word: &mut String) {
    if let Some(stem) = without(word, "eed") {
        if measure(word, stem) > 0 {
            word.pop();
        }
        return;
    }
    let ending = without(word, "ed").or_else(|| without(word, "ing"));
    let Some(stem) = ending.filter(|stem| has_vowel(word, *stem)) else { return };
    word.truncate(stem);
    let restored = ["at", "bl", "iz"].iter().any(|ending| word.ends_with(ending));
    if restored {
        word.push('e');
    } else if ends_in_double_consonant(word) && !word.ends_with(['l', 's', 'z']) {
        word.pop();
    } else if measure(word, word.len()) == 1 && ends_in_short_syllable(word, word.len()) {
        word.push('e');
    }
}

/// Replaces the longest ending of a list that the word has, if the measure of what stands before it reaches `least`.
fn replace_longest(word: &mut String, endings: &[(&str, &str)], least: usize) {
    let longest = endings.iter().filter(|(ending, _)| word.ends_with(ending)).max_by_key(|(ending, _)| ending.len());
    if let Some((ending, put)) = longest {
        let stem = word.len() - ending.len();
        if measure(word, stem) >= least {
            word.truncate(stem);
            word.push_str(put);
        }
    }
}

fn step_4(word: &mut String) {
    let longest = STEP_4.iter().filter(|ending| word.ends_with(**ending)).max_by_key(|ending| ending.len());
    let Some(ending) = longest else { return };
    let stem = word.len() - ending.len();
    if measure(word, stem) > 1 && (*ending != "ion" || word[..stem].ends_with(['s', 't'])) {
        word.truncate(stem);
    }
}

fn step_5(word: &mut String) {
    if let Some(stem) = without(word, "e") {
        let m = measure(word, stem);
        if m > 1 || m == 1 && !ends_in_short_syllable(word, stem) {
            word.truncate(stem);
        }
    }
    if word.ends_with("ll") && measure(word, word.len()) > 1 {
        word.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stemmed(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    /// The examples of Porter's paper, each taken through all steps.
    #[test]
    fn words_lose_their_endings() {
        let expected = [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "ti"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("bled", "bled"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("troubled", "troubl"),
            ("sized", "size"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("hissing", "hiss"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("conditional", "condit"),
            ("vietnamization", "vietnam"),
            ("triplicate", "triplic"),
            ("hopefulness", "hope"),
            ("electrical", "electr"),
            ("revival", "reviv"),
            ("adjustment", "adjust"),
            ("adoption", "adopt"),
            ("effective", "effect"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("cease", "ceas"),
            ("controll", "control"),
            ("roll", "roll"),
            ("generalizations", "gener"),
            ("oscillators", "oscil"),
            ("syzygy", "syzygi"),
            ("is", "is"),
            ("naïvely", "naïvely"),
        ];
        for (word, expected) in expected {
            assert_eq!(stemmed(word), expected, "{word}");
        }
    }

    /// Measures printed in the paper.
    #[test]
    fn measures_count_runs_of_vowels_and_consonants() {
        for (m, words) in [
            (0, &["tr", "ee", "tree", "y", "by"][..]),
            (1, &["trouble", "oats", "trees", "ivy"]),
            (2, &["troubles", "private", "oaten", "orrery"]),
        ] {
            for word in words {
                assert_eq!(measure(word, word.len()), m, "{word}");
            }
        }
    }

    /// The definition as printed: y is a consonant at the start of a word and after a vowel.
    fn consonant_by_definition(word: &[u8], at: usize) -> bool {
        match word[at] {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => at == 0 || !consonant_by_definition(word, at - 1),
            _ => true,
        }
    }

    proptest! {
        #[test]
        fn consonants_follow_the_definition(word in "[aby]{1,12}") {
            for at in 0..word.len() {
                prop_assert_eq!(is_consonant(word.as_bytes(), at), consonant_by_definition(word.as_bytes(), at));
            }
        }

        #[test]
        fn a_stem_is_never_longer_than_its_word(word in "[a-z]{0,20}(ing|ed|ational|iviti|ness|y|ll|e)?") {
            prop_assert!(stemmed(&word).len() <= word.len() + 1);
        }
    }
}
