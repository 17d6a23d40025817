//! Pages of all kinds, written for these tests, and what `auto` must keep of them and leave out.

use unchaff_dom::{Page, emit};
use unchaff_page::{BlockKind, Detection, registry};

fn detect(page: &Page) -> Detection {
    registry::find("auto").unwrap().default_technique().detect(page)
}

fn text(html: &str) -> String {
    let page = Page::parse(html);
    emit::text(&page, detect(&page).nodes(BlockKind::Content).unwrap())
}

fn markdown(html: &str) -> String {
    let page = Page::parse(html);
    emit::markdown(&page, detect(&page).nodes(BlockKind::Content).unwrap())
}

#[track_caller]
fn check(html: &str, with: &[&str], without: &[&str]) {
    let text = text(html);
    for part in with {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    for part in without {
        assert!(!text.contains(part), "`{part}` should not be in:\n{text}");
    }
}

const HEADER: &str = "<header class=site-header><a href=/ class=logo>The Valley Post</a><nav class=main-nav><ul>\
    <li><a href=/news>News</a></li><li><a href=/sport>Sport</a></li><li><a href=/culture>Culture</a></li><li><a href=/weather>Weather</a></li>\
    <li><a href=/login>Log in</a></li></ul></nav></header>";
const FOOTER: &str = "<footer class=site-footer><ul><li><a href=/imprint>Imprint</a></li><li><a href=/privacy>Privacy policy</a></li>\
    <li><a href=/jobs>Jobs</a></li></ul><p>© 2024 The Valley Post. All rights reserved.</p></footer>";

const FIRST: &str = "<p>The old stone bridge over the river, closed to traffic since the flood of last spring, will open again on Monday, the town's engineer said on Thursday.</p>";
const SECOND: &str = "<p>Workers have replaced two of the five arches, and strengthened the foundations of the others with concrete. “It should stand for another two hundred years,” she said.</p>";
const THIRD: &str = "<p>During the works, which cost four million, people had to take the ferry, or drive thirty kilometres to the next crossing upstream, a detour of almost an hour.</p>";
const LAST: &str = "<p>The mayor will cut the ribbon at noon, and the brass band of the fire brigade is going to play, whatever the weather may be.</p>";

fn article(inside: &str, around: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>Stone bridge opens again - The Valley Post</title></head><body>{HEADER}<main><article class=post>\
         <h1 class=entry-title>Stone bridge opens again</h1><div class=entry-content>{FIRST}{SECOND}{inside}{THIRD}{LAST}</div></article>{around}</main>{FOOTER}</body></html>"
    )
}

const KEPT: [&str; 4] =
    ["closed to traffic since", "replaced two of the five arches", "take the ferry", "cut the ribbon at noon"];
const LEFT: [&str; 5] = ["Sport", "Log in", "Imprint", "Privacy policy", "All rights reserved"];

#[track_caller]
fn check_article(inside: &str, around: &str, with: &[&str], without: &[&str]) {
    let html = article(inside, around);
    check(&html, &[&KEPT, with].concat(), &[&LEFT, without].concat());
}

#[test]
fn an_article_is_kept_without_what_is_around_it() {
    check_article("", "", &["Stone bridge opens again"], &[]);
}

#[test]
fn lists_tables_and_sections_in_an_article_are_kept() {
    let inside = "<h2>What changes for drivers</h2><p>From Monday on, the following rules hold for everybody who crosses the bridge by car:</p>\
        <ul><li>No lorries above twelve tonnes are allowed.</li><li>The speed limit is thirty kilometres an hour.</li><li>Cyclists have the right of way.</li></ul>\
        <h2>What it cost</h2><table><tr><th>Part</th><th>Cost in millions</th></tr><tr><td>Arches</td><td>2.5</td></tr><tr><td>Foundations</td><td>1.5</td></tr></table>";
    check_article(
        inside,
        "",
        &["What changes for drivers", "No lorries", "Cyclists have the right of way", "What it cost", "Foundations\t1.5"],
        &[],
    );
}

#[test]
fn headings_lists_tables_and_code_keep_their_form_in_markdown() {
    let inside = "<h2>How to count crossings</h2><p>The engineers count the cars with a small program, which anybody may run at home:</p>\
        <pre><code>let cars = bridge.count();\nprintln!(\"{cars}\");</code></pre><ol><li>Start the program in the morning.</li><li>Stop it in the evening, and read the sum.</li></ol>";
    let markdown = markdown(&article(inside, ""));
    for part in
        ["# Stone bridge opens again", "## How to count crossings", "```\nlet cars = bridge.count();", "1. Start the program"]
    {
        assert!(markdown.contains(part), "`{part}` is missing in:\n{markdown}");
    }
}

#[test]
fn pictures_with_captions_stay_where_they_are() {
    let inside = "<figure><img src=/bridge.jpg alt='The bridge'><figcaption>The bridge on Thursday, with the last crane.</figcaption></figure>";
    let html = article(inside, "");
    let markdown = markdown(&html);
    assert!(markdown.contains("![The bridge](/bridge.jpg)"), "{markdown}");
    let plain = article("<p><img src=/plain.jpg alt=Plain></p>", "");
    let page = Page::parse(plain);
    let markdown = emit::markdown(&page, detect(&page).nodes(BlockKind::Content).unwrap());
    assert!(markdown.contains("![Plain](/plain.jpg)"), "{markdown}");
}

#[test]
fn boxes_around_an_article_are_left_out() {
    let share = "<div class=share-bar><a href=x>Share on Facebook</a> <a href=y>Tweet this</a> <a href=z>Send by mail</a></div>";
    let newsletter = "<div class=newsletter-signup><h3>Get our newsletter</h3><p>All the news of the valley in your inbox every morning, free of charge.</p><form><input name=mail></form></div>";
    let related = "<section class=related-posts><h3>Related articles</h3><ul><li><a href=/1>Ferry runs an hour longer at weekends</a></li>\
        <li><a href=/2>Flood of last spring: what we know so far</a></li><li><a href=/3>Mayor wants a second bridge by 2030</a></li></ul></section>";
    let cookies = "<div id=cookie-banner class=cookie-consent role=dialog><p>We use cookies to give you the best experience on our site. By going on you accept our policy.</p><button>Accept</button></div>";
    let around = format!("{share}{newsletter}{related}{cookies}");
    check_article("", &around, &[], &["Tweet this", "in your inbox", "Ferry runs", "Mayor wants", "We use cookies"]);
}

#[test]
fn teasers_after_an_article_are_left_out() {
    let around = "<div class=more-stories><div class=teaser><h3><a href=/1>Bakery wins prize</a></h3><p>The bakery at the market has won the prize for the best rye bread of the county. <a href=/1>Read more</a></p></div>\
        <div class=teaser><h3><a href=/2>School gets new roof</a></h3><p>The roof of the primary school, leaking for years, is going to be replaced this summer. <a href=/2>Read more</a></p></div></div>";
    check_article("", around, &[], &["best rye bread", "leaking for years"]);
}

#[test]
fn text_that_is_there_twice_is_kept_where_it_belongs() {
    let pulled = "<blockquote class=pullquote>“It should stand for another two hundred years,” she said.</blockquote>";
    check_article(
        pulled,
        "<aside class=sidebar><h3>Most read</h3><ul><li><a href=/b>Stone bridge opens again</a></li><li><a href=/c>Ferry runs longer</a></li></ul></aside>",
        &[],
        &["Most read", "Ferry runs"],
    );
}

#[test]
fn threads_of_forums_are_kept_with_all_posts() {
    let post = |name: &str, text: &str| {
        format!(
            "<div class=post><div class=author><a href=/u>{name}</a><span class=rank>Member</span></div><div class=post-body><p>{text}</p></div><div class=tools><a href=/q>Quote</a> <a href=/r>Report</a></div></div>"
        )
    };
    let html = format!(
        "<html><head><title>Squeaking brakes - Bicycle Forum</title></head><body class=forum>{HEADER}<div class=breadcrumbs><a href=/>Forum</a> » <a href=/repair>Repair</a></div><h1>Squeaking brakes</h1><div class=thread>{}{}{}</div>{FOOTER}</body></html>",
        post(
            "ada",
            "My brakes squeak whenever it rains, and I have tried everything: new pads, new rims, even new cables. What else can I do about it?"
        ),
        post(
            "ben",
            "Have you cleaned the rims with alcohol? Oil from the road is what makes them squeak, and water alone does not take it off."
        ),
        post(
            "cleo",
            "Toe them in a little. The front of the pad should touch the rim first, by about a millimetre, and then the noise goes away."
        ),
    );
    check(
        &html,
        &["whenever it rains", "cleaned the rims with alcohol", "Toe them in"],
        &["Weather", "Imprint", "All rights reserved"],
    );
}

#[test]
fn products_are_kept_without_the_shop() {
    let html = format!(
        "<html><head><title>Oak table Viktor | Timber &amp; Sons</title><meta property=og:type content=product></head><body>{HEADER}<main><div class=product><h1 class=product-title>Oak table Viktor</h1>\
         <div class=price>€ 890.00</div><div class=product-description><p>A table for eight, made of solid oak from the hills behind our workshop, oiled by hand and good for a century of dinners.</p>\
         <ul><li>Length: 220 cm</li><li>Width: 95 cm</li><li>Weight: 61 kg</li></ul><p>Every table is made to order, which takes about six weeks, and is delivered by ourselves, up to your dining room.</p></div></div>\
         <section class=related-products><h2>You may also like</h2><div class=card><a href=/a>Chair Anton</a><span>€ 190.00</span></div><div class=card><a href=/b>Bench Berta</a><span>€ 310.00</span></div><div class=card><a href=/c>Shelf Carl</a><span>€ 260.00</span></div></section></main>{FOOTER}</body></html>"
    );
    check(
        &html,
        &["Oak table Viktor", "made of solid oak", "made to order"],
        &["Privacy policy", "Log in", "All rights reserved"],
    );
}

#[test]
fn lists_of_things_are_kept_where_they_are_what_the_page_is_about() {
    let item =
        |name: &str, text: &str| format!("<article class=listing-item><h2><a href=/x>{name}</a></h2><p>{text}</p></article>");
    let html = format!(
        "<html><head><title>Walks in the valley</title></head><body>{HEADER}<main><h1>Walks in the valley</h1><p>Our favourite walks, from an hour to a day, all of them with a place to rest.</p><div class=listing>{}{}{}{}</div></main>{FOOTER}</body></html>",
        item("Around the lake", "Two hours, flat, with benches at every bay and an ice cream stand half way."),
        item("Up to the castle", "Three hours, steep at the end, but the view over the river makes up for it."),
        item("Along the old railway", "Four hours through seven tunnels, so take a lamp and a warm jacket with you."),
        item("The ridge", "A whole day above the trees, for those who are used to heights and to thunder."),
    );
    check(
        &html,
        &["benches at every bay", "steep at the end", "through seven tunnels", "above the trees"],
        &["Privacy policy", "Log in"],
    );
}

#[test]
fn pages_in_other_languages_and_scripts_are_read() {
    let page = |title: &str, menu: [&str; 3], paragraphs: [&str; 3]| {
        format!(
            "<html><head><meta charset=utf-8><title>{title}</title></head><body><div id=menu><ul><li><a href=/1>{}</a></li><li><a href=/2>{}</a></li><li><a href=/3>{}</a></li></ul></div>\
             <div id=text><h1>{title}</h1><p>{}</p><p>{}</p><p>{}</p></div></body></html>",
            menu[0], menu[1], menu[2], paragraphs[0], paragraphs[1], paragraphs[2]
        )
    };
    let russian = page(
        "Мост снова открыт",
        ["Главная", "Новости", "Контакты"],
        [
            "Старый каменный мост через реку, закрытый после весеннего наводнения, снова откроется в понедельник, сообщил инженер города.",
            "Рабочие заменили две арки из пяти, а фундаменты остальных укрепили бетоном. Мост простоит ещё двести лет, уверены строители.",
            "Всё это время жители пользовались паромом или ехали тридцать километров до следующей переправы, что занимало почти час.",
        ],
    );
    check(&russian, &["закрытый после весеннего", "заменили две арки", "пользовались паромом"], &["Контакты"]);
    let chinese = page(
        "石桥重新开放",
        ["首页", "新闻", "联系我们"],
        [
            "这座古老的石桥在去年春天的洪水之后一直关闭，市政工程师星期四表示，石桥将于星期一重新开放，届时所有车辆都可以通行。",
            "工人们更换了五个桥拱中的两个，并用混凝土加固了其他桥拱的地基。工程师说，这座桥应该还能再屹立两百年。",
            "施工期间，居民们不得不乘坐渡船，或者绕行三十公里，到上游的下一座桥过河，路上要花将近一个小时。",
        ],
    );
    check(&chinese, &["一直关闭", "更换了五个桥拱", "乘坐渡船"], &["联系我们"]);
    let arabic = page(
        "الجسر الحجري يفتح من جديد",
        ["الرئيسية", "الأخبار", "اتصل بنا"],
        [
            "قال مهندس المدينة يوم الخميس إن الجسر الحجري القديم فوق النهر، المغلق منذ فيضان الربيع الماضي، سيفتح من جديد يوم الاثنين.",
            "استبدل العمال قوسين من الأقواس الخمسة، وعززوا أسس الأقواس الأخرى بالخرسانة، ويجب أن يصمد الجسر مئتي عام أخرى.",
            "وخلال الأعمال، التي كلفت أربعة ملايين، اضطر السكان إلى ركوب العبارة، أو السير ثلاثين كيلومترا إلى المعبر التالي.",
        ],
    );
    check(&arabic, &["المغلق منذ فيضان", "استبدل العمال", "ركوب العبارة"], &["اتصل بنا"]);
}

#[test]
fn very_short_pages_and_pages_of_one_table_are_kept() {
    check("<title>Note</title><p>The shop is closed today because of the wedding.</p>", &["closed today"], &[]);
    let rows: String =
        (1..20).map(|row| format!("<tr><td>Station {row}</td><td>{}:{:02}</td></tr>", 6 + row / 4, row * 13 % 60)).collect();
    check(
        &format!("<title>Timetable</title><body><table><tr><th>Stop</th><th>Time</th></tr>{rows}</table></body>"),
        &["Station 1\t", "Station 19\t"],
        &[],
    );
}

#[test]
fn what_only_data_has_is_told_and_taken_where_it_is_plain() {
    let page = Page::parse(
        "<title>Bridge</title><script type='application/ld+json'>{\"@type\": \"NewsArticle\", \"articleBody\": \"The old stone bridge opens again.\"}</script><div id=app></div>",
    );
    let detection = detect(&page);
    assert!(detection.notes.iter().any(|note| note.contains("JSON-LD")), "{:?}", detection.notes);
    assert_eq!(detection.embedded.as_deref(), Some("<p>The old stone bridge opens again.</p>\n"));
    let page = Page::parse(format!(
        "<script id=__NEXT_DATA__ type='application/json'>{{\"text\": \"{}\"}}</script><div id=app></div>",
        "word ".repeat(1000)
    ));
    assert!(detect(&page).notes.iter().any(|note| note.contains("JSON")));
    assert!(detect(&Page::parse(article("", ""))).notes.is_empty());
}

#[test]
fn applications_that_hide_their_text_from_scripts_are_read() {
    let html = format!(
        "<title>Bridge</title><body><div id=app></div><noscript><div class=post>{FIRST}{SECOND}{THIRD}</div></noscript></body>"
    );
    check(&html, &KEPT[..3], &[]);
}

#[test]
fn favours_take_less_or_more_but_never_other_text() {
    let html = article(
        "",
        "<div class=more><h3>More</h3><p>The roof of the primary school, leaking for years, is going to be replaced this summer.</p></div>",
    );
    let page = Page::parse(html);
    let sizes = ["precision", "balanced", "recall"].map(|favor| {
        let technique = registry::find("auto").unwrap().technique(&[("favor", favor)]).unwrap();
        technique.detect(&page).nodes(BlockKind::Content).unwrap().len()
    });
    assert!(sizes.is_sorted() && sizes[0] > 0, "{sizes:?}");
}
