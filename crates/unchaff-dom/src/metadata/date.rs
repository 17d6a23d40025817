//! Dates as pages write them, to ISO 8601.
//!
//! Read are ISO forms, RFC 2822, C's `asctime`, eight digits, numbers with points, slashes or dashes, month names in many
//! languages ([`month`](super::month)), and the Chinese, Japanese and Korean forms. The result is `YYYY-MM-DD`, with
//! `THH:MM`, `:SS` and the offset as far as they were given; fractions of seconds are dropped. Out of range, as a day 31
//! in April or a year before 1990 or after 2100, it is no date. Years of two digits are read where nothing but a date is
//! written so (`28.09.19`, `9/28/19`, `28-Sep-19`, `Sep 28, '19`): versions, scores and times look much the same.
//!
//! Numbers such as `03/04/2021` are ambiguous. A number above 12 settles it, and points always mean day first. Else the
//! page's language does, and where that says too little the country of its address ([`DayOrder`]). A date that stays
//! ambiguous is not read.

use super::month::month;
use crate::words::is_ideograph;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};

/// Years that a page of the web can be from.
const YEARS: RangeInclusive<u32> = 1990..=2100;
/// Bytes of a text in which a date is looked for.
const LONGEST: usize = 512;

/// Which of two numbers below 13 is the day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DayOrder {
    DayFirst,
    MonthFirst,
    Unknown,
}

impl DayOrder {
    /// The custom of a language, given as a normalised BCP 47 tag: `en-US` puts the month first, `en` alone says nothing, every
    /// other puts the day first. Where there is none that says something, the custom of the country that the host is in.
    pub(super) fn of(language: Option<&str>, host: Option<&str>) -> DayOrder {
        // Countries whose domains are sold to the whole world.
        const ANYWHERE: [&str; 12] = ["ai", "cc", "co", "fm", "gg", "io", "ly", "me", "sh", "to", "tv", "ws"];
        match language {
            Some(tag) if tag.eq_ignore_ascii_case("en-US") => return DayOrder::MonthFirst,
            None | Some("en") => {}
            Some(_) => return DayOrder::DayFirst,
        }
        match host.and_then(|host| host.rsplit('.').next()) {
            Some("us" | "gov" | "mil" | "edu") => DayOrder::MonthFirst,
            Some(country) if country.len() == 2 && !ANYWHERE.contains(&country) => DayOrder::DayFirst,
            _ => DayOrder::Unknown,
        }
    }

    /// The day of two numbers and a year.
    fn day(self, first: u32, second: u32, year: u32) -> Option<Day> {
        let month_first = match self {
            _ if first > 12 || first == second => false,
            _ if second > 12 => true,
            DayOrder::DayFirst => false,
            DayOrder::MonthFirst => true,
            DayOrder::Unknown => return None,
        };
        let (day, month) = if month_first { (second, first) } else { (first, second) };
        Day::new(year, month, day)
    }
}

/// A date and where in the text it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dated {
    pub(super) iso: String,
    pub(super) range: Range<usize>,
}

/// The date of a field that is meant to hold one: also seconds or milliseconds since 1970.
pub(super) fn declared(text: &str, order: DayOrder) -> Option<String> {
    let text = text.trim();
    if matches!(text.len(), 10 | 13) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.get(..10)?.parse().ok().and_then(from_unix);
    }
    find(text, order).map(|dated| dated.iso)
}

/// The first date in a text.
pub(super) fn find(text: &str, order: DayOrder) -> Option<Dated> {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    if !may_hold_date(text.as_bytes()) {
        return None;
    }
    // Full-width digits take three bytes, so ranges would not match: those texts are read as a whole.
    let wide = text.contains(|character| matches!(character, '０'..='９'));
    let narrow = if wide { Cow::Owned(text.chars().map(narrow_digit).collect()) } else { Cow::Borrowed(text) };
    let reading = Reading { tokens: tokens(&narrow), order };
    let (iso, range) = (0..reading.tokens.len()).find_map(|at| reading.date_and_time(at))?;
    Some(Dated { iso, range: if wide { 0..text.len() } else { range } })
}

/// Whether there is something that every date has: four digits in a row, or two marks or a stroke beside fewer. Most texts with a number
/// have neither, and reading tokens costs more than looking.
pub(super) fn may_hold_date(text: &[u8]) -> bool {
    let (mut run, mut marks) = (0, 0);
    for (at, byte) in text.iter().enumerate() {
        let is_beside_digit = || at > 0 && text[at - 1].is_ascii_digit() || text.get(at + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'0'..=b'9' => run += 1,
            // The first byte of full-width digits, and of the curved stroke before a short year.
            0xEF | 0xE2 if text[at + 1..].iter().take(3).any(|next| next.is_ascii_digit() || *next == 0xBC) => return true,
            b'\'' if is_beside_digit() => return true,
            b'.' | b'/' | b'-' => {
                marks += usize::from(is_beside_digit());
                run = 0;
            }
            _ => run = 0,
        }
        if run == 4 || marks == 2 {
            return true;
        }
    }
    false
}

/// The date in the path of an address: `/2021/03/20/`, `/2021-03-20-title`, `/20210320/`, `/20-03-2021-title`, `/20032021-title`.
pub(super) fn in_path(path: &str, order: DayOrder) -> Option<String> {
    let pieces: Vec<&str> = path.split(['/', '-', '_', '.']).filter(|piece| !piece.is_empty()).collect();
    let triple = pieces.windows(3).find_map(|window| match window {
        [year, month, day] if year.len() == 4 && month.len() <= 2 && day.len() <= 2 => {
            Day::new(digits(year)?, digits(month)?, digits(day)?)
        }
        [year, name, day] if year.len() == 4 && name.len() == 3 && day.len() <= 2 => {
            Day::new(digits(year)?, month(name)?, digits(day)?)
        }
        _ => None,
    });
    let eight = || pieces.iter().find_map(|piece| Day::from_eight(piece));
    let year_last = || {
        pieces.windows(3).find_map(|window| match window {
            [first, second, year] if year.len() == 4 && first.len() == 2 && second.len() == 2 => {
                order.day(digits(first)?, digits(second)?, digits(year)?)
            }
            _ => None,
        })
    };
    let eight_year_last = || {
        pieces.iter().filter(|piece| piece.len() == 8 && digits(piece).is_some()).find_map(|piece| {
            let year = digits(&piece[4..]).filter(|year| (2000..=2050).contains(year))?;
            Day::new(year, digits(&piece[2..4])?, digits(&piece[..2])?)
        })
    };
    triple.or_else(eight).or_else(year_last).or_else(eight_year_last).map(|day| day.to_string())
}

/// Whether a moment told in UTC may fall on `day`, one before or after, where the page is from: nearly everybody lives between −8 and
/// +11 hours of UTC.
pub(super) fn is_day_elsewhere(moment: &str, day: &str) -> bool {
    let is_utc = moment.ends_with('Z') || moment.ends_with("+00:00");
    let (Some(of_moment), Some(of_day)) = (day_number(moment), day_number(day)) else { return false };
    let Some(hour) = moment.get(11..13).and_then(digits).filter(|_| is_utc) else { return false };
    // A time beside the day must be of the same moment: offsets are quarters of an hour.
    let quarter = |iso: &str| iso.get(14..16).and_then(digits).map(|minute| minute % 15);
    if day.len() > 10 && (self::moment(day).is_some() || quarter(day) != quarter(moment)) {
        return false;
    }
    (of_day + 1 == of_moment && hour < 8) || (of_moment + 1 == of_day && hour >= 13)
}

/// The minutes of a date with a time and an offset, since a fixed day; two of one moment have the same.
pub(super) fn moment(iso: &str) -> Option<i64> {
    let clock = |at: usize| Some(i64::from(digits(iso.get(at..at + 2)?)?));
    let minutes = i64::from(day_number(iso)?) * 1440 + clock(11)? * 60 + clock(14)?;
    if iso.ends_with('Z') {
        return Some(minutes);
    }
    let (hours, rest) = iso.get(iso.len().checked_sub(6)?..)?.split_once(':')?;
    let ahead = i64::from(digits(hours.get(1..)?)?) * 60 + i64::from(digits(rest)?);
    match hours.as_bytes()[0] {
        b'+' => Some(minutes - ahead),
        b'-' => Some(minutes + ahead),
        _ => None,
    }
}

/// Days since 1 January 1990 of a date in ISO form.
fn day_number(iso: &str) -> Option<u32> {
    let day = Day::new(digits(iso.get(..4)?)?, digits(iso.get(5..7)?)?, digits(iso.get(8..10)?)?)?;
    let leaps = |year: u32| year / 4 - year / 100 + year / 400;
    let before = (day.year - 1990) * 365 + leaps(day.year - 1) - leaps(1989);
    Some(before + (1..day.month).map(|month| Day::days_of(day.year, month)).sum::<u32>() + day.day - 1)
}

fn narrow_digit(character: char) -> char {
    match character {
        '０'..='９' => char::from_u32(character as u32 - '０' as u32 + '0' as u32).unwrap_or(character),
        other => other,
    }
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn from_unix(seconds: u64) -> Option<String> {
    let clock = seconds % 86_400;
    // Howard Hinnant's days-to-civil, for days since 1970 that are not negative.
    let days = seconds / 86_400 + 719_468;
    let era_day = days % 146_097;
    let era_year = (era_day - era_day / 1_460 + era_day / 36_524 - era_day / 146_096) / 365;
    let year_day = era_day - (365 * era_year + era_year / 4 - era_year / 100);
    let march_month = (5 * year_day + 2) / 153;
    let day = year_day - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era_year + days / 146_097 * 400 + u64::from(month <= 2);
    let day = Day::new(u32::try_from(year).ok()?, u32::try_from(month).ok()?, u32::try_from(day).ok()?)?;
    Some(format!("{day}T{:02}:{:02}:{:02}Z", clock / 3_600, clock / 60 % 60, clock % 60))
}

/// A day that exists, in a year that a page can be from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Day {
    year: u32,
    month: u32,
    day: u32,
}

impl Day {
    fn new(year: u32, month: u32, day: u32) -> Option<Day> {
        (YEARS.contains(&year) && (1..=Day::days_of(year, month)).contains(&day)).then_some(Day { year, month, day })
    }

    fn days_of(year: u32, month: u32) -> u32 {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        match month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u32::from(leap),
            1..=12 => 31,
            _ => 0,
        }
    }

    fn from_eight(text: &str) -> Option<Day> {
        (text.len() == 8 && digits(text).is_some())
            .then(|| Day::new(digits(&text[..4])?, digits(&text[4..6])?, digits(&text[6..])?))?
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Number,
    Word,
    Mark,
}

#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    kind: Kind,
    text: &'t str,
    start: usize,
}

impl Token<'_> {
    fn end(self) -> usize {
        self.start + self.text.len()
    }
}

/// Numbers, words and single marks; white space only parts them. Every ideograph is a word.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        let kind = match first {
            '0'..='9' => Kind::Number,
            _ if first.is_whitespace() => continue,
            _ if first.is_alphabetic() => Kind::Word,
            _ => Kind::Mark,
        };
        let mut end = start + first.len_utf8();
        while let Some((at, next)) = rest.next_if(|(_, next)| match kind {
            Kind::Number => next.is_ascii_digit(),
            Kind::Word => {
                (next.is_alphabetic() || ('\u{300}'..='\u{36f}').contains(next)) && !is_ideograph(first) && !is_ideograph(*next)
            }
            Kind::Mark => false,
        }) {
            end = at + next.len_utf8();
        }
        tokens.push(Token { kind, text: &text[start..end], start });
    }
    tokens
}

/// The tokens of a text. Each rule takes the position it starts at and returns what it read and the position after.
struct Reading<'t> {
    tokens: Vec<Token<'t>>,
    order: DayOrder,
}

impl Reading<'_> {
    fn date_and_time(&self, at: usize) -> Option<(String, Range<usize>)> {
        if let Some((iso, next)) = self.asctime(at) {
            return Some((iso, self.tokens[at].start..self.tokens[next - 1].end()));
        }
        let (day, next) = self.day(at)?;
        let mut iso = day.to_string();
        let compact = self.compact_time(at, next, &mut iso);
        let next = compact.or_else(|| self.time(self.to_time(next), &mut iso)).unwrap_or(next);
        Some((iso, self.tokens[at].start..self.tokens[next - 1].end()))
    }

    fn day(&self, at: usize) -> Option<(Day, usize)> {
        match self.tokens[at].kind {
            Kind::Number => self
                .year_month_day(at)
                .or_else(|| self.compact(at))
                .or_else(|| self.ideographic(at))
                .or_else(|| self.numbers_then_year(at))
                .or_else(|| self.day_name_year(at))
                .or_else(|| self.year_name_day(at)),
            Kind::Word => self.name_day_year(at),
            Kind::Mark => None,
        }
    }

    /// `2021-03-20`, `2021/3/20`, `2021. 3. 20`.
    fn year_month_day(&self, at: usize) -> Option<(Day, usize)> {
        let mark = self.mark(at + 1).filter(|mark| ['-', '/', '.', '‐', '–'].contains(mark))?;
        let day = Day::new(self.number(at, 4..=4)?, self.number(at + 2, 1..=2)?, self.number(at + 4, 1..=2)?)?;
        (self.mark(at + 3) == Some(mark) && (mark == '.' || (at..at + 4).all(|at| self.touches(at)))).then_some((day, at + 5))
    }

    /// `20210320`, also with the time behind: `20210320T1015`, `20210320101500`.
    fn compact(&self, at: usize) -> Option<(Day, usize)> {
        let text = self.tokens[at].text;
        let alone = !at.checked_sub(1).is_some_and(|before| self.touches(before));
        (alone && matches!(text.len(), 8 | 12 | 14)).then(|| Some((Day::from_eight(&text[..8])?, at + 1)))?
    }

    /// The time that goes with [`Reading::compact`].
    fn compact_time(&self, at: usize, next: usize, iso: &mut String) -> Option<usize> {
        let (clock, after) = match self.tokens[at].text {
            whole if whole.len() == 12 || whole.len() == 14 => (&whole[8..], next),
            whole if whole.len() == 8 && self.is_word(next, "t") => (self.tokens.get(next + 1)?.text, next + 2),
            _ => return None,
        };
        let pairs = [clock.get(..2), clock.get(2..4), clock.get(4..6)].map(|pair| pair.and_then(digits));
        let [Some(hour @ ..=23), Some(minute @ ..=59), second] = pairs else { return None };
        let _ = write!(iso, "T{hour:02}:{minute:02}");
        if let Some(second) = second.filter(|second| *second <= 60) {
            let _ = write!(iso, ":{second:02}");
        }
        Some(self.offset(after, iso).unwrap_or(after))
    }

    /// `2021年3月20日`, `2021년 3월 20일`.
    fn ideographic(&self, at: usize) -> Option<(Day, usize)> {
        let units = [["年", "月"], ["년", "월"]];
        units.iter().any(|[year, month]| self.is_word(at + 1, year) && self.is_word(at + 3, month)).then_some(())?;
        let day = Day::new(self.number(at, 4..=4)?, self.number(at + 2, 1..=2)?, self.number(at + 4, 1..=2)?)?;
        let unit = self.is_word(at + 5, "日") || self.is_word(at + 5, "号") || self.is_word(at + 5, "일");
        Some((day, at + 5 + usize::from(unit)))
    }

    /// `20.03.2021`, `20/03/2021`, `03/20/2021`, `20-03-2021`, `20.03.21`, `3/20/21`.
    fn numbers_then_year(&self, at: usize) -> Option<(Day, usize)> {
        let mark = self.mark(at + 1).filter(|mark| ['-', '/', '.'].contains(mark))?;
        let (first, second) = (self.number(at, 1..=2)?, self.number(at + 2, 1..=2)?);
        let is_padded = self.tokens[at].text.len() == 2 && self.tokens[at + 2].text.len() == 2;
        let is_short_date = mark == '/' || (mark == '.' && is_padded);
        let year = self.number(at + 4, 4..=4).or_else(|| self.short_year(at + 4).filter(|_| is_short_date))?;
        // In the middle of more numbers it is a version or a telephone number.
        let inside = at >= 2 && self.touches(at - 1) && self.mark(at - 1) == Some(mark) && self.touches(at - 2);
        if inside || self.mark(at + 3) != Some(mark) || !(at..at + 4).all(|at| self.touches(at)) {
            return None;
        }
        let order = if mark == '.' { DayOrder::DayFirst } else { self.order };
        Some((order.day(first, second, year)?, at + 5))
    }

    /// A year of two digits that no more digits follow, as in versions, numbers and times.
    fn short_year(&self, at: usize) -> Option<u32> {
        let year = self.number(at, 2..=2)?;
        let goes_on = self.touches(at) && matches!(self.mark(at + 1), Some('.' | '/' | ':' | '-' | '%')) && self.touches(at + 1);
        let year = if year >= 90 { 1900 + year } else { 2000 + year };
        (!goes_on && year < 2050).then_some(year)
    }

    /// A year behind the name of a month: four digits, or two if nothing else can be meant.
    fn year_behind(&self, name: usize, at: usize) -> Option<u32> {
        let is_marked = at > name + 1 && matches!(self.mark(at - 1), Some('\'' | '’'));
        let is_dashed = at == name + 2 && self.mark(at - 1) == Some('-') && self.touches(name) && self.touches(at - 1);
        self.number(at, 4..=4).or_else(|| self.short_year(at).filter(|_| (is_marked && self.touches(at - 1)) || is_dashed))
    }

    /// `20 March 2021`, `20. März 2021`, `20 de marzo de 2021`, `1er août 2021`, `20-Mar-2021`.
    fn day_name_year(&self, at: usize) -> Option<(Day, usize)> {
        let day = self.number(at, 1..=2)?;
        let named = self.past_marks(self.past_ordinal(at + 1));
        let month = month(self.word(named)?)?;
        let year_at = self.past_marks(named + 1);
        Some((Day::new(self.year_behind(named, year_at)?, month, day)?, year_at + 1))
    }

    /// `March 20, 2021`, `Mar. 20th 2021`.
    fn name_day_year(&self, at: usize) -> Option<(Day, usize)> {
        let month = month(self.word(at)?)?;
        let day_at = self.past_marks(at + 1);
        let day = self.number(day_at, 1..=2)?;
        let year_at = self.past_marks(self.past_ordinal(day_at + 1));
        Some((Day::new(self.year_behind(day_at, year_at)?, month, day)?, year_at + 1))
    }

    /// `2021 March 20`, `2021-Mar-20`, `2021. március 20.`
    fn year_name_day(&self, at: usize) -> Option<(Day, usize)> {
        let year = self.number(at, 4..=4)?;
        let named = self.past_marks(at + 1);
        let month = month(self.word(named)?)?;
        let day_at = self.past_marks(named + 1);
        Some((Day::new(year, month, self.number(day_at, 1..=2)?)?, day_at + 1))
    }

    /// `Mar 20 10:15:00 GMT 2021`, as C and Java print it.
    fn asctime(&self, at: usize) -> Option<(String, usize)> {
        let month = month(self.word(at)?)?;
        let day = self.number(at + 1, 1..=2)?;
        let mut time = String::new();
        let year_at = self.time(at + 2, &mut time)?;
        let day = Day::new(self.number(year_at, 4..=4)?, month, day)?;
        Some((format!("{day}{time}"), year_at + 1))
    }

    /// Appends `THH:MM`, seconds and offset if a time stands at this position.
    fn time(&self, at: usize, iso: &mut String) -> Option<usize> {
        let mut hour = self.number(at, 1..=2)?;
        let minute = self.number(at + 2, 2..=2)?;
        let mut next = at + 3;
        let pointed = match self.tokens[at + 1].text {
            ":" => false,
            "h" | "H" | "時" | "时" => false,
            "." => true,
            _ => return None,
        };
        let mut second = None;
        if !pointed && self.mark(next) == Some(':') {
            second = self.number(next + 1, 2..=2);
            next += 2 * usize::from(second.is_some());
            if second.is_some() && matches!(self.mark(next), Some('.' | ',')) && self.touches(next - 1) && self.touches(next) {
                next += 2 * usize::from(self.number(next + 1, 1..=9).is_some());
            }
        }
        let half = self.half_of_day(next);
        if let Some((afternoon, after)) = half {
            hour = match hour {
                1..=12 => hour % 12 + 12 * u32::from(afternoon),
                _ => hour,
            };
            next = after;
        }
        // With a point it may be any number; only `am` and `pm` make it a time.
        if (pointed && half.is_none()) || hour > 23 || minute > 59 || second.is_some_and(|second| second > 60) {
            return None;
        }
        let _ = write!(iso, "T{hour:02}:{minute:02}");
        if let Some(second) = second {
            let _ = write!(iso, ":{second:02}");
        }
        Some(self.offset(next, iso).unwrap_or(next))
    }

    /// `am`, `p.m.`: whether it is the afternoon.
    fn half_of_day(&self, at: usize) -> Option<(bool, usize)> {
        let word = self.word(at)?.to_ascii_lowercase();
        match word.as_str() {
            "am" | "pm" => Some((word == "pm", at + 1)),
            "a" | "p" if self.mark(at + 1) == Some('.') && self.is_word(at + 2, "m") => {
                Some((word == "p", at + 3 + usize::from(self.mark(at + 3) == Some('.'))))
            }
            _ => None,
        }
    }

    /// `Z`, `+0100`, `-05:00`, `GMT`, `EST`: RFC 2822, sections 3.3 and 4.3.
    fn offset(&self, at: usize, iso: &mut String) -> Option<usize> {
        if let Some(zone) = self.word(at) {
            let numeric = matches!(zone, "GMT" | "UTC" | "UT").then(|| self.offset(at + 1, iso)).flatten();
            if numeric.is_some() {
                return numeric;
            }
            iso.push_str(match zone {
                "Z" | "z" | "GMT" | "UTC" | "UT" => "Z",
                "EDT" => "-04:00",
                "EST" | "CDT" => "-05:00",
                "CST" | "MDT" => "-06:00",
                "MST" | "PDT" => "-07:00",
                "PST" => "-08:00",
                "CET" => "+01:00",
                "CEST" => "+02:00",
                _ => return None,
            });
            return Some(at + 1);
        }
        let sign = match self.mark(at)? {
            '+' => '+',
            '-' | '−' => '-',
            _ => return None,
        };
        if !self.touches(at) {
            return None;
        }
        let (hours, minutes, next) = if let Some(both) = self.number(at + 1, 4..=4) {
            (both / 100, both % 100, at + 2)
        } else {
            let hours = self.number(at + 1, 1..=2)?;
            match self.number(at + 3, 2..=2).filter(|_| self.mark(at + 2) == Some(':')) {
                Some(minutes) => (hours, minutes, at + 4),
                None => (hours, 0, at + 2),
            }
        };
        (hours <= 14 && minutes <= 59).then_some(())?;
        let _ = write!(iso, "{sign}{hours:02}:{minutes:02}");
        Some(next)
    }

    /// Skips what stands between a date and its time, `T` or `, at`.
    fn to_time(&self, mut at: usize) -> usize {
        const BETWEEN: [&str; 22] = [
            "t", "at", "um", "a", "à", "alle", "ore", "om", "kl", "o", "godz", "в", "στισ", "στις", "às", "las", "г", "r", "klo",
            "ob", "от", "den",
        ];
        for _ in 0..3 {
            let word = self.word(at).map(str::to_lowercase);
            let skipped = word.is_some_and(|word| BETWEEN.contains(&word.as_str()))
                || matches!(self.mark(at), Some(',' | '.' | '|' | '@' | '·' | '•' | '-' | '–' | '—' | '/' | '('));
            at += usize::from(skipped);
        }
        at
    }

    fn past_ordinal(&self, at: usize) -> usize {
        const ENDINGS: [&str; 11] = ["st", "nd", "rd", "th", "er", "re", "º", "ª", "o", "e", "η"];
        let ending = self
            .word(at)
            .is_some_and(|word| self.touches(at - 1) && ENDINGS.iter().any(|ending| word.eq_ignore_ascii_case(ending)));
        at + usize::from(ending)
    }

    fn past_marks(&self, mut at: usize) -> usize {
        const BETWEEN: [&str; 6] = ["de", "del", "of", "do", "di", "the"];
        for _ in 0..2 {
            let word = self.word(at).is_some_and(|word| BETWEEN.iter().any(|between| word.eq_ignore_ascii_case(between)));
            at += usize::from(word || matches!(self.mark(at), Some('.' | ',' | '-' | '/' | '\'' | '’' | '،')));
        }
        at
    }

    fn number(&self, at: usize, lengths: RangeInclusive<usize>) -> Option<u32> {
        let token = self.tokens.get(at).filter(|token| token.kind == Kind::Number && lengths.contains(&token.text.len()))?;
        token.text.parse().ok()
    }

    fn word(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).filter(|token| token.kind == Kind::Word).map(|token| token.text)
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.word(at).is_some_and(|known| known.eq_ignore_ascii_case(word))
    }

    fn mark(&self, at: usize) -> Option<char> {
        self.tokens.get(at).filter(|token| token.kind == Kind::Mark).and_then(|token| token.text.chars().next())
    }

    /// Whether a token and the next stand without white space between.
    fn touches(&self, at: usize) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| self.tokens[at].end() == next.start)
    }
}

#[cfg(test)]
mod tests;
