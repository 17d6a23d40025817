//! Names of the months, so that a date in words is read in the language it is written in.
//!
//! Full names in the cases that dates use, and the usual short forms: English, German, French, Spanish, Italian,
//! Portuguese, Dutch, Polish, Russian, Ukrainian, Greek, Czech, Swedish, Danish, Norwegian, Finnish, Romanian, Hungarian
//! and Turkish. The names are compared in lower case and without accents, as capitals often lose them. Where two
//! languages disagree about a name, the larger one wins: `listopad` is Polish for November, not Croatian for October.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One line for each month, lower case, accents folded.
const NAMES: [&str; 12] = [
    "january jan januar janner janvier janv enero ene gennaio gen janeiro januari stycznia styczen sty января январь янв січня ιανουαριου \
     ιανουαριοσ ιανουαριο ιαν ledna leden tammikuu tammikuuta ianuarie ian ocak oca",
    "february feb febr februar fevrier fevr fev febrero febbraio fevereiro februari lutego luty lut февраля февраль фев февр лютого \
     φεβρουαριου φεβρουαριοσ φεβρουαριο φεβ unora unor helmikuu helmikuuta februarie subat sub",
    "march mar marz mrz marzo mars marco maart mrt marca marzec марта март мар березня μαρτιου μαρτιοσ μαρτιο μαρ brezna brezen mart \
     maaliskuu maaliskuuta martie marcius",
    "april apr avril avr abril abr aprile kwietnia kwiecien kwi апреля апрель апр квітня απριλιου απριλιοσ απριλιο απρ dubna duben \
     huhtikuu huhtikuuta aprilie aprilis nisan nis",
    "may mai mayo maggio mag maio mei maja maj мая май травня μαιου μαιοσ μαιο μαι kvetna kveten toukokuu toukokuuta majus mayis",
    "june jun juni juin junio giugno giu junho czerwca czerwiec cze июня июнь июн червня ιουνιου ιουνιοσ ιουνιο ιουν cervna cerven \
     kesakuu kesakuuta iunie iun junius haziran haz",
    "july jul juli juillet juil julio luglio lug julho lipca lipiec lip июля июль июл липня ιουλιου ιουλιοσ ιουλιο ιουλ cervence \
     cervenec heinakuu heinakuuta iulie iul julius temmuz tem",
    "august aug aout agosto ago augustus augusti sierpnia sierpien sie августа август авг серпня αυγουστου αυγουστοσ αυγουστο αυγ \
     srpna srpen elokuu elokuuta augusztus agustos agu",
    "september sept sep septembre septiembre setiembre settembre set setembro wrzesnia wrzesien wrz сентября сентябрь сен сент \
     вересня σεπτεμβριου σεπτεμβριοσ σεπτεμβριο σεπ σεπτ zari syyskuu syyskuuta septembrie szeptember eylul eyl",
    "october oct oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik paz октября октябрь окт жовтня \
     οκτωβριου οκτωβριοσ οκτωβριο οκτ rijna rijen lokakuu lokakuuta octombrie ekim eki",
    "november nov novembre noviembre novembro listopada listopad lis ноября ноябрь ноя нояб νοεμβριου νοεμβριοσ νοεμβριο νοε νοεμ \
     listopadu marraskuu marraskuuta noiembrie kasim kas",
    "december dec dezember dez decembre diciembre dic dicembre dezembro desember des grudnia grudzien gru декабря декабрь дек грудня \
     δεκεμβριου δεκεμβριοσ δεκεμβριο δεκ prosince prosinec joulukuu joulukuuta decembrie aralik ara",
];

static BY_NAME: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let months = NAMES.iter().zip(1..);
    months.flat_map(|(names, month)| names.split_whitespace().map(move |name| (name, month))).collect()
});

/// The month, from 1, that a word names.
pub(super) fn month(word: &str) -> Option<u32> {
    // The longest name has 13 letters of two bytes.
    if word.len() > 26 {
        return None;
    }
    let folded: String = word.chars().flat_map(char::to_lowercase).filter_map(without_accent).collect();
    BY_NAME.get(folded.as_str()).copied()
}

/// Whether a text has a day of a month, with a year or without: *6 Oct*, *May 3rd*, *12 de marzo*. A short name may be another word, so that nothing but numbers may follow it and its day.
#[must_use]
pub fn names_day(text: &str) -> bool {
    let is_day = |word: &&str| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && word[..digits].parse().is_ok_and(|day: u32| (1..=31).contains(&day)) && word[digits..].chars().count() <= 2
    };
    let between = |one: char| !one.is_alphanumeric() && one != 'º' && one != 'ª';
    let words = || text.split(between).filter(|word| !word.is_empty() && !matches!(*word, "de" | "di"));
    words().zip(words().skip(1)).enumerate().any(|(at, (one, other))| {
        let name = if is_day(&one) { other } else { one };
        is_day(&(if is_day(&one) { one } else { other }))
            && (name.chars().count() > 3
                || words().nth(at + 2).is_none_or(|word| word.starts_with(|first: char| first.is_ascii_digit())))
            && month(name).is_some()
    })
}

/// A lower-case letter without its accent; nothing for a combining accent.
fn without_accent(letter: char) -> Option<char> {
    Some(match letter {
        '\u{300}'..='\u{36f}' => return None,
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ą' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ě' | 'ę' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'ı' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'ů' => 'u',
        'ç' | 'č' | 'ć' => 'c',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ź' | 'ž' | 'ż' => 'z',
        'ń' | 'ñ' => 'n',
        'ý' => 'y',
        'ř' => 'r',
        'ğ' => 'g',
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_for_two_months_and_all_are_folded() {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (at, names) in NAMES.iter().enumerate() {
            for name in names.split_whitespace() {
                assert!(seen.insert(name, at).is_none_or(|other| other == at), "{name}");
                assert_eq!(month(name), Some(at as u32 + 1), "{name}");
            }
        }
    }

    #[test]
    fn days_are_told_without_their_year() {
        for text in [
            "6 окт",
            "14 November",
            "May 3rd",
            "March 3rd, in the evening",
            "12 de marzo",
            "am 3. März",
            "2 mei, 12 uur",
            "1er août",
        ] {
            assert!(names_day(text), "{text}");
        }
        for text in ["4 out of 5 stars", "des 3 derniers", "May", "45 march", "3 comments", "room 12", ""] {
            assert!(!names_day(text), "{text}");
        }
    }

    #[test]
    fn names_are_found_in_any_case_and_with_accents() {
        let cases = [
            ("März", 3),
            ("AOÛT", 8),
            ("février", 2),
            ("Μαρτίου", 3),
            ("ΜΑΪΟΣ", 5),
            ("Października", 10),
            ("Мая", 5),
            ("Ağustos", 8),
        ];
        for (name, expected) in cases {
            assert_eq!(month(name), Some(expected), "{name}");
        }
        assert_eq!(month("monday"), None);
        assert_eq!(month(""), None);
    }
}
