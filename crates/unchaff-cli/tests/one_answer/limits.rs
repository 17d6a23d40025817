//! How pages are read holds for all pages of a site.

use crate::{BASE, Place, answers, article, ok, unchaff};
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// An article in windows-1251 that does not say so: its Russian letters as that charset has them.
fn cyrillic(number: usize) -> Vec<u8> {
    let html = article(number).replace("</h1>", &format!("</h1><p>{}</p>", line(number)));
    let letter = |letter: char| match letter {
        'ё' => 0xb8,
        'А'..='я' => (letter as u32 - 'А' as u32 + 0xc0) as u8,
        letter => u8::try_from(letter).unwrap(),
    };
    html.chars().map(letter).collect()
}

fn line(number: usize) -> String {
    let who = ["рыбаки", "пастухи", "школьники", "моряки", "учителя"][number];
    format!("Маяк на мысе зажгли осенью, и {who} ещё долго вспоминали тот вечер.")
}

#[test]
fn the_charset_that_is_given_holds_for_a_site() {
    let place = Place::new();
    (0..5).for_each(|number| drop(place.write(&format!("pages/{number}.html"), cyrillic(number))));
    let (pages, page) = (place.path("pages"), place.path("pages/3.html"));
    let store = place.path("kept.db");
    let charset = ["--charset", "windows-1251", "--base-url", BASE];
    let (extract, wrong) = (["extract", &page, "--site", &pages, "-f", "text"], ["--charset", "koi8-r", "--base-url", BASE]);
    for more in [&[][..], &["--store", &store], &["-t", "auto-with-site"], &["-t", "recurring-text"]] {
        let text = ok(&[&extract, more, &charset].concat());
        assert!(text.contains(&line(3)), "{more:?}: {text}");
    }
    assert!(!ok(&[&extract[..], &wrong].concat()).contains(&line(3)), "what is given is believed");
    let lines = answers(&ok(&[&["site", &pages][..], &charset].concat()));
    for number in 0..5 {
        let record = &lines[&format!("{BASE}{number}.html")];
        assert!(record.text.contains(&line(number)) && record.charset.name == "windows-1251", "{}", record.text);
    }
    let list = place.write("list.tsv", format!("{BASE}3.html\tpages/3.html\n{BASE}4.html\tpages/4.html\n"));
    assert!(ok(&["extract", &page, "--site", &list, "-f", "text", "--charset", "windows-1251"]).contains(&line(3)));
}

#[test]
fn a_page_over_the_limit_is_an_error_that_names_it_and_the_option() {
    let place = Place::of_articles(4);
    let large = place.write("pages/large.html", article(9) + &"<p>More and more.</p>".repeat(500));
    let (pages, small) = (place.path("pages"), place.path("pages/001.html"));
    let limit = ["--max-bytes", "5000", "--base-url", BASE, "-f", "json"];
    let list = place.write("list.tsv", format!("{BASE}large\tpages/large.html\n{BASE}001\tpages/001.html\n"));
    for site in [&pages, &list] {
        let more = if *site == list { &["--max-bytes", "5000", "-f", "json"][..] } else { &limit };
        let done = unchaff(&[&["extract", &large, "--site", site], more].concat());
        assert!(done.code == 1 && done.out.is_empty(), "{}{}", done.out, done.err);
        assert!(done.err.contains("large.html") && done.err.contains("--max-bytes"), "{}", done.err);
        // The other pages are not kept from anything.
        ok(&[&["extract", &small, "--site", site], more].concat());
    }
    let done = unchaff(&[&["site", &pages][..], &limit].concat());
    assert_eq!((done.code, done.out.lines().count()), (1, 4), "{}", done.err);
    assert!(done.err.contains("large.html"), "{}", done.err);
}

#[test]
fn a_server_that_does_not_answer_is_given_up_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let silent: Vec<_> = listener.incoming().flatten().collect();
        drop(silent);
    });
    for command in ["extract", "template", "menu"] {
        let start = Instant::now();
        let done = unchaff(&[command, &address, "--site", &address, "--allow-private", "--timeout", "1"]);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert!(done.code == 1 && done.out.is_empty(), "{}{}", done.out, done.err);
        assert!(done.err.contains(&address) && done.err.contains("--timeout"), "{}", done.err);
    }
    let private = unchaff(&["extract", &address, "--site", &address]);
    assert!(private.code == 1 && private.err.contains("--allow-private"), "{}", private.err);
}
