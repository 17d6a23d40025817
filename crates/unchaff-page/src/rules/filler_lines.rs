//! Lines that stand in the text of a page and are not of it, on any site and in whatever it is about: what stands above an advertisement or tells
//! where the text goes on behind one, the way back to the top, and what stands where a script would have put something else.
//!
//! Only lines that are nothing else count, and only words that mean nothing else as a line: *Sponsored* or *Ad* may be the name of a field, *Annonces* a
//! heading of a page of small ads.

use crate::learned::auto::text_signs::text_hash;
use std::sync::LazyLock;

/// Lines in lower case, without the marks around them.
const LINES: &[&str] = &[
    "advertisement",
    "advertisements",
    "advertising",
    "article continues",
    "article continues below",
    "article continues below advertisement",
    "article continues after ad",
    "article continues after advertisement",
    "story continues below",
    "story continues below advertisement",
    "continue reading below",
    "continue reading the main story",
    "scroll to continue",
    "werbung",
    "publicité",
    "publicidad",
    "publicidade",
    "pubblicità",
    "advertentie",
    "reklama",
    "reklam",
    "mainos",
    "hirdetés",
    "реклама",
    "广告",
    "廣告",
    "広告",
    "스폰서 광고",
    "διαφήμιση",
    "back to top",
    "back to the top",
    "return to top",
    "go to top",
    "top of page",
    "nach oben",
    "zum seitenanfang",
    "zurück nach oben",
    "haut de page",
    "retour en haut",
    "volver arriba",
    "voltar ao topo",
    "torna su",
    "terug naar boven",
    "do góry",
    "наверх",
    "返回顶部",
    "回到頂部",
    "ページトップへ",
    "loading",
    "wird geladen",
    "chargement en cours",
    "caricamento in corso",
    "cargando",
    "carregando",
    "加载中",
    "読み込み中",
];

/// The lines, for who knows lines by [hashes](text_hash) of their words, of which most are no such ones.
pub(crate) static HASHES: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut hashes: Vec<u64> = LINES.iter().map(|line| text_hash(line)).collect();
    hashes.sort_unstable();
    hashes
});

/// No line has more bytes.
const MOST_BYTES: usize = 60;

/// Whether a line is such a one.
pub(crate) fn is_filler(line: &str) -> bool {
    let mut folded = [0; MOST_BYTES];
    let mut length = 0;
    let words = line.trim_matches(|character: char| !character.is_alphanumeric()).split_whitespace();
    for character in words.flat_map(|word| std::iter::once(' ').chain(word.chars().flat_map(char::to_lowercase))).skip(1) {
        let Some(room) = folded.get_mut(length..length + character.len_utf8()) else { return false };
        length += character.encode_utf8(room).len();
    }
    LINES.iter().any(|filler| filler.as_bytes() == &folded[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_nothing_else_count_however_they_are_written() {
        for line in [
            "Advertisement",
            " — ADVERTISEMENT — ",
            "↑ Back to  top",
            "РЕКЛАМА",
            "広告",
            "Loading",
            "Loading...",
            "Loading…",
            "Article continues below:",
        ] {
            assert!(is_filler(line), "{line}");
        }
        for line in
            ["", "Ad", "Advertisements of 1920", "Sponsored", "Back to the topic", "Loading bays", "↑", &"Werbung ".repeat(20)]
        {
            assert!(!is_filler(line), "{line}");
        }
        assert!(LINES.iter().all(|line| is_filler(line)));
    }
}
