//! Dates in many forms and languages, and what is none.

use super::*;

fn date(text: &str) -> Option<String> {
    declared(text, DayOrder::Unknown)
}

#[test]
fn machine_forms_keep_time_and_offset() {
    let cases = [
        ("2021-03-20", "2021-03-20"),
        ("2021-3-5", "2021-03-05"),
        ("2021/03/20", "2021-03-20"),
        ("2021.03.20", "2021-03-20"),
        ("20210320", "2021-03-20"),
        ("2021-03-20T10:15:30Z", "2021-03-20T10:15:30Z"),
        ("2021-03-20T10:15:30.123Z", "2021-03-20T10:15:30Z"),
        ("2021-03-20T10:15:30.123+0100", "2021-03-20T10:15:30+01:00"),
        ("2021-03-20T10:15:30-05:00", "2021-03-20T10:15:30-05:00"),
        ("2021-03-20T10:15+01:00", "2021-03-20T10:15+01:00"),
        ("2021-03-20T10:15:30+01", "2021-03-20T10:15:30+01:00"),
        ("2021-03-20 10:15:30", "2021-03-20T10:15:30"),
        ("2021-03-20 10:15:30 UTC", "2021-03-20T10:15:30Z"),
        ("2021-03-20 10:15:30 +0200", "2021-03-20T10:15:30+02:00"),
        ("20210320T101530Z", "2021-03-20T10:15:30Z"),
        ("20210320101530", "2021-03-20T10:15:30"),
        ("20210320T99", "2021-03-20"),
        ("1616235330", "2021-03-20T10:15:30Z"),
        ("1616235330000", "2021-03-20T10:15:30Z"),
        // RFC 2822, section 3.3; asctime.
        ("Sat, 20 Mar 2021 10:15:30 +0100", "2021-03-20T10:15:30+01:00"),
        ("Sat, 20 Mar 2021 10:15:30 GMT", "2021-03-20T10:15:30Z"),
        ("Sat, 20 Mar 2021 10:15:30 EST", "2021-03-20T10:15:30-05:00"),
        ("Sat Mar 20 10:15:30 GMT 2021", "2021-03-20T10:15:30Z"),
        ("Sat Mar 20 10:15:30 2021", "2021-03-20T10:15:30"),
        ("Sat Mar 20 2021 10:15:30 GMT+0100 (CET)", "2021-03-20T10:15:30+01:00"),
        ("  2021-03-20T25:99:00Z ", "2021-03-20"),
    ];
    for (text, expected) in cases {
        assert_eq!(date(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn words_are_read_in_their_language() {
    let cases = [
        "20 March 2021",
        "March 20, 2021",
        "Mar. 20th, 2021",
        "Saturday, March 20 2021",
        "20th of March, 2021",
        "20-Mar-2021",
        "2021 March 20",
        "20. März 2021",
        "Samstag, den 20.März 2021",
        "le 20 mars 2021",
        "20 de marzo de 2021",
        "20 marzo 2021",
        "20 de março de 2021",
        "20 maart 2021",
        "20 marca 2021 r.",
        "20 марта 2021 г.",
        "20 березня 2021",
        "20 Μαρτίου 2021",
        "ΣΑΒΒΑΤΟ 20 ΜΑΡΤΙΟΥ 2021",
        "20. března 2021",
        "den 20 mars 2021",
        "20. maaliskuuta 2021",
        "20 Mart 2021",
        "2021. március 20.",
        "2021年3月20日",
        "2021年03月20日（土）",
        "２０２１年３月２０日",
        "2021년 3월 20일",
        "2021. 3. 20.",
        "20.03.2021",
        "20/03/2021",
        "03/20/2021",
        "20-03-2021",
        "20.3.2021",
        "19-20 March 2021",
        "Published: 20 March 2021 | Updated: 21 March 2021",
    ];
    for text in cases {
        assert_eq!(date(text).as_deref(), Some("2021-03-20"), "{text}");
    }
    assert_eq!(date("1er août 2021").as_deref(), Some("2021-08-01"));
    assert_eq!(date("1º de maio de 2021").as_deref(), Some("2021-05-01"));
}

#[test]
fn a_time_behind_the_date_is_kept() {
    let cases = [
        ("March 20, 2021 at 4:05 pm", "2021-03-20T16:05"),
        ("March 20, 2021 12:05 a.m. EST", "2021-03-20T00:05-05:00"),
        ("20 March 2021, 10:15", "2021-03-20T10:15"),
        ("20 March 2021 10.15am", "2021-03-20T10:15"),
        ("20 March 2021 10.15", "2021-03-20"),
        ("20.03.2021 um 10:15 Uhr", "2021-03-20T10:15"),
        ("le 20 mars 2021 à 10h15", "2021-03-20T10:15"),
        ("2021年3月20日 10:15", "2021-03-20T10:15"),
        ("20 March 2021 – 5 comments", "2021-03-20"),
    ];
    for (text, expected) in cases {
        assert_eq!(date(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn years_of_two_digits_are_read_where_nothing_else_is_meant() {
    let read = |text| declared(text, DayOrder::MonthFirst);
    for text in ["20.03.21", "3/20/21", "20-Mar-21", "Mar 20, '21", "20 March ’21", "Weather, 20.03.21"] {
        assert_eq!(read(text).as_deref(), Some("2021-03-20"), "{text}");
    }
    assert_eq!(read("20.03.99").as_deref(), Some("1999-03-20"));
    for text in
        ["1.12.19", "10.12.19.4", "20-03-21", "20 March 21", "March 20, 10:15", "12/10/70", "20.03.21:3", "3 May 20 people came"]
    {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn the_country_of_the_address_tells_the_order_where_the_language_does_not() {
    let of = |language, host| declared("03/04/2021", DayOrder::of(language, Some(host)));
    assert_eq!(of(None, "www.example.de").as_deref(), Some("2021-04-03"));
    assert_eq!(of(Some("en"), "example.co.uk").as_deref(), Some("2021-04-03"));
    assert_eq!(of(Some("en"), "example.gov").as_deref(), Some("2021-03-04"));
    assert_eq!(of(Some("en-US"), "example.de").as_deref(), Some("2021-03-04"));
    assert_eq!((of(None, "example.com"), of(Some("en"), "example.io")), (None, None));
}

#[test]
fn ambiguous_numbers_follow_the_language_or_are_not_read() {
    let text = "03/04/2021";
    let of = |language| declared(text, DayOrder::of(language, None));
    assert_eq!(of(None), None);
    assert_eq!(of(Some("en")), None);
    assert_eq!(of(Some("en-US")).as_deref(), Some("2021-03-04"));
    assert_eq!(of(Some("en-GB")).as_deref(), Some("2021-04-03"));
    assert_eq!(of(Some("fr")).as_deref(), Some("2021-04-03"));
    assert_eq!(date("03.04.2021").as_deref(), Some("2021-04-03"));
    assert_eq!(date("04/04/2021").as_deref(), Some("2021-04-04"));
    assert_eq!(declared("03/20/2021", DayOrder::DayFirst).as_deref(), Some("2021-03-20"));
}

#[test]
fn nonsense_is_no_date() {
    let cases = [
        "",
        " ",
        "today",
        "2021",
        "March 2021",
        "2021-03",
        "2021-13-01",
        "2021-02-29",
        "31 April 2021",
        "20 March 1821",
        "2101-01-01",
        "00000000",
        "99999999",
        "0001-01-01T00:00:00Z",
        "9999999999",
        "-",
        "1.2.03.2021",
        "12 Monday 2021",
        "20 March",
        "20:03:2021",
        "0000-00-00 00:00:00",
        "4294967296/99999999999/2021",
        "{{date}}",
        "5 days ago",
    ];
    for text in cases {
        assert_eq!(date(text), None, "{text}");
    }
    assert_eq!(date("2020-02-29").as_deref(), Some("2020-02-29"));
    assert_eq!(date(&"9".repeat(100_000)), None);
    assert_eq!(date(&"年2021".repeat(100_000)), None);
}

#[test]
fn the_place_of_a_date_in_its_text_is_told() {
    let dated = find("Posted 20 March 2021, 10:15 by Jane", DayOrder::Unknown).unwrap();
    assert_eq!(dated.range, 7..27);
}

#[test]
fn paths_are_dated_by_whole_days_only() {
    let cases = [
        ("/2021/03/20/title", Some("2021-03-20")),
        ("/news/2021-03-20-title.html", Some("2021-03-20")),
        ("/world/2021/mar/20/title", Some("2021-03-20")),
        ("/a/20210320/b", Some("2021-03-20")),
        ("/news/20-03-2021-title", Some("2021-03-20")),
        ("/news/03-04-2021-title", None),
        ("/news/20032021-title", Some("2021-03-20")),
        ("/2021/03/title", None),
        ("/2021/13/20/", None),
        ("/1821/03/20/", None),
        ("/99999999/", None),
        ("/product-12345678", None),
        ("/", None),
    ];
    for (path, expected) in cases {
        assert_eq!(in_path(path, DayOrder::Unknown).as_deref(), expected, "{path}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "[0-9年月日/.:TZ+ -]{0,30}|\\PC{0,40}|(20[0-9]{2}|[0-9]{1,2}|[-/.: T+]|March|am|mars|de|GMT){0,12}") {
        for order in [DayOrder::Unknown, DayOrder::DayFirst, DayOrder::MonthFirst] {
            let _ = declared(&text, order);
        }
        let _ = in_path(&text, DayOrder::DayFirst);
    }
}
