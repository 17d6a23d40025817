//! Lines that stand in the text of a page and are not of it, on any site and in whatever it is about: what stands above an advertisement or tells
//! where the text goes on behind one, and the way back to the top.
//!
//! Only lines that are nothing else count, and only words that mean nothing else as a line: *Sponsored* or *Ad* may be the name of a field, *Annonces* a
//! heading of a page of small ads.

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
];

/// The words of the longest.
pub(crate) const MOST_WORDS: u32 = 6;

/// Whether a line is such a one.
pub(crate) fn is_filler(line: &str) -> bool {
    let line = line.trim_matches(|character: char| !character.is_alphanumeric());
    // The longest has fewer bytes, whatever its case.
    if line.is_empty() || line.len() > 60 {
        return false;
    }
    let words = || line.split_whitespace().flat_map(|word| word.chars().flat_map(char::to_lowercase));
    LINES.iter().any(|filler| filler.chars().filter(|letter| *letter != ' ').eq(words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_nothing_else_count_however_they_are_written() {
        for line in ["Advertisement", " — ADVERTISEMENT — ", "↑ Back to  top", "РЕКЛАМА", "広告", "Article continues below:"]
        {
            assert!(is_filler(line), "{line}");
        }
        for line in ["", "Ad", "Advertisements of 1920", "Sponsored", "Back to the topic", "↑", &"Werbung ".repeat(20)] {
            assert!(!is_filler(line), "{line}");
        }
        assert!(LINES.iter().all(|line| is_filler(line) && line.split(' ').count() <= MOST_WORDS as usize));
    }
}
