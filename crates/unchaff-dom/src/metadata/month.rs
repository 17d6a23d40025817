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
     ιανουαριοσ ιανουαριο ιαν ledna leden tammikuuta ianuarie ian ocak oca",
    "february feb febr februar fevrier fevr fev febrero febbraio fevereiro februari lutego luty lut февраля февраль фев февр лютого \
     φεβρουαριου φεβρουαριοσ φεβρουαριο φεβ unora unor helmikuuta februarie subat sub",
    "march mar marz mrz marzo mars marco maart mrt marca marzec марта март мар березня μαρτιου μαρτιοσ μαρτιο μαρ brezna brezen mart \
     maaliskuuta martie marcius",
    "april apr avril avr abril abr aprile kwietnia kwiecien kwi апреля апрель апр квітня απριλιου απριλιοσ απριλιο απρ dubna duben \
     huhtikuuta aprilie aprilis nisan nis",
    "may mai mayo maggio mag maio mei maja maj мая май травня μαιου μαιοσ μαιο μαι kvetna kveten toukokuuta majus mayis",
    "june jun juni juin junio giugno giu junho czerwca czerwiec cze июня июнь июн червня ιουνιου ιουνιοσ ιουνιο ιουν cervna cerven \
     kesakuuta iunie iun junius haziran haz",
    "july jul juli juillet juil julio luglio lug julho lipca lipiec lip июля июль июл липня ιουλιου ιουλιοσ ιουλιο ιουλ cervence \
     cervenec heinakuuta iulie iul julius temmuz tem",
    "august aug aout agosto ago augustus augusti sierpnia sierpien sie августа август авг серпня αυγουστου αυγουστοσ αυγουστο αυγ \
     srpna srpen elokuuta augusztus agustos agu",
    "september sept sep septembre septiembre setiembre settembre set setembro wrzesnia wrzesien wrz сентября сентябрь сен сент \
     вересня σεπτεμβριου σεπτεμβριοσ σεπτεμβριο σεπ σεπτ zari syyskuuta septembrie szeptember eylul eyl",
    "october oct oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik paz октября октябрь окт жовтня \
     οκτωβριου οκτωβριοσ οκτωβριο οκτ rijna rijen lokakuuta octombrie ekim eki",
    "november nov novembre noviembre novembro listopada listopad lis ноября ноябрь ноя нояб νοεμβριου νοεμβριοσ νοεμβριο νοε νοεμ \
     listopadu marraskuuta noiembrie kasim kas",
    "december dec dezember dez decembre diciembre dic dicembre dezembro desember des grudnia grudzien gru декабря декабрь дек грудня \
     δεκεμβριου δεκεμβριοσ δεκεμβριο δεκ prosince prosinec joulukuuta decembrie aralik ara",
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
