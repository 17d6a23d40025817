//! Small pages in, fields out: each source, the order of trust, broken and hostile input.

use super::*;
use crate::Parser;

fn read(html: &str) -> Metadata {
    metadata(&Parser::new().url("https://www.example.org/news/a").parse_text(html))
}

fn read_json(json: &str) -> Metadata {
    read(&format!("<script type='application/ld+json'>{json}</script>"))
}

fn found(value: &str, source: Source) -> Option<Found<String>> {
    Some(Found { value: value.to_owned(), source })
}

fn names(metadata: &Metadata) -> Vec<&str> {
    metadata.author.iter().map(|name| name.value.as_str()).collect()
}

#[test]
fn json_ld_gives_every_field() {
    let metadata = read_json(
        r#"{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "It &amp; rained", "inLanguage": "en_gb",
        "author": [{"@type": "Person", "name": "Jane Doe"}, "John Smith"], "datePublished": "2021-03-20T10:00:00+0100",
        "dateModified": "2021-03-21", "publisher": {"name": "Gazette"}, "description": "All day.",
        "image": {"@type": "ImageObject", "url": "/a.png"}, "mainEntityOfPage": {"@id": "https://www.example.org/news/a"}}"#,
    );
    let expected = |value: &str| found(value, Source::JsonLd);
    assert_eq!(metadata.title, expected("It & rained"));
    assert_eq!(names(&metadata), ["Jane Doe", "John Smith"]);
    assert_eq!(metadata.published, expected("2021-03-20T10:00:00+01:00"));
    assert_eq!(metadata.modified, expected("2021-03-21"));
    assert_eq!(metadata.language, expected("en-GB"));
    assert_eq!(metadata.site_name, expected("Gazette"));
    assert_eq!(metadata.description, expected("All day."));
    assert_eq!(metadata.image, expected("https://www.example.org/a.png"));
    assert_eq!(metadata.canonical, expected("https://www.example.org/news/a"));
    assert_eq!(metadata.kind, expected("article"));
}

#[test]
fn json_ld_graphs_are_followed() {
    let metadata = read_json(
        r##"{"@graph": [
        {"@type": "WebSite", "name": "Gazette"},
        {"@type": "BreadcrumbList", "name": "Crumbs"},
        {"@type": "WebPage", "name": "Rain - Gazette", "datePublished": "2019-01-01"},
        {"@type": ["Article", "Thing"], "headline": "Rain", "author": {"@id": "#jane"}, "image": {"@id": "#image"}},
        {"@type": "ImageObject", "@id": "#image", "contentUrl": "https://example.org/i.jpg"},
        {"@type": "Person", "@id": "#jane", "name": "Jane Doe", "url": "https://example.org/jane"}]}"##,
    );
    assert_eq!(metadata.title.unwrap().value, "Rain");
    assert_eq!(metadata.author[0].value, "Jane Doe");
    assert_eq!(metadata.site_name.unwrap().value, "Gazette");
    assert_eq!(metadata.image.unwrap().value, "https://example.org/i.jpg");
    // The article says nothing of its date, so the page's is taken.
    assert_eq!(metadata.published.unwrap().value, "2019-01-01");
}

#[test]
fn json_ld_main_entities_and_types_are_weighed() {
    let metadata =
        read_json(r#"{"@type": "QAPage", "mainEntity": {"@type": "Question", "name": "Why?", "author": {"name": "jane_d"}}}"#);
    assert_eq!((metadata.title.as_ref().unwrap().value.as_str(), names(&metadata)), ("Why?", vec!["jane_d"]));
    let metadata = read_json(r#"[{"@type": "VideoObject", "name": "Clip"}, {"@type": "Product", "name": "Lamp"}]"#);
    assert_eq!((metadata.title.unwrap().value.as_str(), metadata.kind.unwrap().value.as_str()), ("Lamp", "product"));
    let metadata = read_json(r#"{"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name": "How?"}]}"#);
    assert_eq!((metadata.title, metadata.kind.unwrap().value.as_str()), (None, "faq"));
    let author = r#"{"@type": "Article", "author": "https://example.org/jane"}"#;
    assert!(read_json(author).author.is_empty());
}

#[test]
fn one_of_several_articles_is_the_page_by_its_address() {
    let article =
        |at: &str| format!(r#"{{"@type": "Article", "url": "https://example.org/news/{at}", "headline": "Rain {at}"}}"#);
    let json = |names: [&str; 3]| format!("[{}]", names.map(article).join(","));
    assert_eq!(read_json(&json(["c", "b", "a"])).title.unwrap().value, "Rain a");
    let list = format!("<title>All news</title><script type=application/ld+json>{}</script>", json(["b", "c", "d"]));
    assert_eq!(read(&list).title, found("All news", Source::Html));
}

#[test]
fn broken_json_ld_is_mended_or_ignored() {
    let cases = [
        r#"<!-- {"@type": "Article", "headline": "Rain",} -->"#,
        "//<![CDATA[\n{\"@type\": \"Article\", \"headline\": \"Rain\", \"description\": \"a\nb\"}\n//]]>",
        r#"{"@type": "Article", "headline": "Rain", "description": "a "good" day"}"#,
        r#"{"@type": "Article", "headline": "Rain", "#,
    ];
    for json in cases {
        assert_eq!(read_json(json).title, found("Rain", Source::JsonLd), "{json}");
    }
    assert_eq!(read_json("var a = 1;"), Metadata::default());
}

#[test]
fn meta_elements_are_read_by_vocabulary() {
    let cases = [
        ("property=og:title", "title", Source::OpenGraph),
        ("name=og:title", "title", Source::OpenGraph),
        ("property=http://ogp.me/ns#title", "title", Source::OpenGraph),
        ("name=twitter:title", "title", Source::Twitter),
        ("name=DC.Title", "title", Source::DublinCore),
        ("name=dcterms:title", "title", Source::DublinCore),
        ("name=citation_title", "title", Source::Meta),
        ("property='x og:title'", "title", Source::OpenGraph),
    ];
    for (name, value, source) in cases {
        assert_eq!(read(&format!("<meta {name} content={value}>")).title, found(value, source), "{name}");
    }
    let dates = [
        ("property=article:published_time", Source::OpenGraph),
        ("name=dcterms.issued", Source::DublinCore),
        ("name=parsely-pub-date", Source::Meta),
        ("itemprop=datePublished", Source::Microdata),
    ];
    for (name, source) in dates {
        assert_eq!(read(&format!("<meta {name} content=2021-03-20>")).published, found("2021-03-20", source), "{name}");
    }
    let metadata = read(
        "<meta property=og:image content=/i.png><meta property=og:url content=https://example.org/b><meta property=og:locale content=de_de>
        <meta property=og:site_name content=Gazette><meta property=og:type content=video.movie><meta property=og:updated_time content=1616235330>
        <meta name=description content='Q&amp;amp;A'><meta name=citation_author content='Doe, Jane'><meta name=citation_author content='Smith, John'>",
    );
    assert_eq!(metadata.image, found("https://www.example.org/i.png", Source::OpenGraph));
    assert_eq!(metadata.canonical, found("https://example.org/b", Source::OpenGraph));
    assert_eq!(metadata.language, found("de-DE", Source::OpenGraph));
    assert_eq!(metadata.site_name, found("Gazette", Source::OpenGraph));
    assert_eq!(metadata.kind, found("video", Source::OpenGraph));
    assert_eq!(metadata.modified, found("2021-03-20T10:15:30Z", Source::OpenGraph));
    assert_eq!(metadata.description, found("Q&A", Source::Meta));
    assert_eq!(names(&metadata), ["Doe, Jane", "Smith, John"]);
}

#[test]
fn handles_and_addresses_are_no_authors() {
    let html = "<meta property=article:author content=https://facebook.com/jane><meta name=twitter:creator content=@jane>";
    assert!(read(html).author.is_empty());
    let html = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Jane Doe'><meta name=twitter:data2 content='5 minutes'>";
    assert_eq!(read(html).author, [Found { value: "Jane Doe".to_owned(), source: Source::Twitter }]);
}

#[test]
fn microdata_is_read_from_the_subject_only() {
    let metadata = read(
        "<body itemscope itemtype=https://schema.org/WebPage><article itemscope itemtype=http://schema.org/BlogPosting>
        <h1 itemprop='name headline'>Rain</h1><span itemprop=author itemscope itemtype=http://schema.org/Person>By <b itemprop=name>Jane Doe</b></span>
        <time itemprop=datePublished datetime=2021-03-20>yesterday</time><img itemprop=image src=/i.png>
        <div itemprop=comment itemscope itemtype=http://schema.org/Comment><b itemprop=author>Troll</b><meta itemprop=datePublished content=2022-01-01></div>
        </article>",
    );
    assert_eq!(metadata.title, found("Rain", Source::Microdata));
    assert_eq!(metadata.author, [Found { value: "Jane Doe".to_owned(), source: Source::Microdata }]);
    assert_eq!(metadata.published, found("2021-03-20", Source::Microdata));
    assert_eq!(metadata.image, found("https://www.example.org/i.png", Source::Microdata));
    assert_eq!(metadata.kind, found("article", Source::Microdata));
}

#[test]
fn html_gives_title_language_and_canonical() {
    let metadata = read("<html lang=en_us><title> Rain\n| Example </title><link rel='alternate canonical' href=/b>");
    assert_eq!(metadata.title, found("Rain", Source::Html));
    assert_eq!(metadata.site_name, found("Example", Source::Html));
    assert_eq!(metadata.language, found("en-US", Source::Html));
    assert_eq!(metadata.canonical, found("https://www.example.org/b", Source::Link));
    assert_eq!(
        read("<html lang=nonsense!><meta http-equiv=Content-Language content='fr, en'>").language,
        found("fr", Source::Meta)
    );
    assert_eq!(read("<h1>Rain</h1>").title, found("Rain", Source::Visible));
    assert_eq!(read("<svg><title>Icon</title></svg>").title, None);
}

#[test]
fn the_visible_page_is_read_next_to_the_headline() {
    let page = |line: &str| {
        format!(
            "<html lang=de><title>Rain all day</title><div class=date>1.1.2020</div><p>{}</p><h1>Rain all day</h1>{line}<p>{}",
            "x ".repeat(50),
            "x ".repeat(200)
        )
    };
    let cases = [
        ("<div class=byline>By <a>Jane Doe</a> | <time datetime=2021-03-20T10:00Z>x</time></div>", "2021-03-20T10:00Z"),
        ("<p class=meta><span class=author>Jane Doe</span><span class='post-date'>20. März 2021</span></p>", "2021-03-20"),
        ("<a rel=author>Jane Doe</a><p>20.3.2021, 10:15 Uhr</p>", "2021-03-20T10:15"),
        ("<p><b class=AuthorName>Jane Doe</b><p>am 03/04/2021", "2021-04-03"),
    ];
    for (line, date) in cases {
        let metadata = read(&page(line));
        assert_eq!(metadata.published, found(date, Source::Visible), "{line}");
        assert_eq!(names(&metadata), ["Jane Doe"], "{line}");
    }
    for line in [
        "<div class=comments><b class=author>Jane Doe</b><i class=date>20.3.2021</i></div>",
        "<h2><a href=/b>Sun</a></h2><b class=author>Jane Doe</b><i class=date>20.3.2021</i>",
    ] {
        let metadata = read(&page(line));
        assert!(metadata.author.is_empty(), "{line}");
    }
}

#[test]
fn the_address_dates_a_page_last() {
    let page = |html: &str| metadata(&Parser::new().url("https://example.org/2021/03/20/rain").parse_text(html));
    assert_eq!(page("<p>Rain").published, found("2021-03-20", Source::Url));
    assert_eq!(page("<meta name=date content=2021-03-19>").published, found("2021-03-19", Source::Meta));
    assert_eq!(
        metadata(&Page::parse("<link rel=canonical href=https://example.org/2021/03/20/>")).published,
        found("2021-03-20", Source::Url)
    );
}

#[test]
fn dates_far_from_the_headline_count_if_they_are_the_only_ones() {
    let prose = "<p>".to_owned() + &"It rained all day in the valley, and nobody was out. ".repeat(30);
    let page = |end: &str| format!("<html lang=de><h1>Rain all day</h1>{prose}{end}");
    let seen = |end: &str| read(&page(end)).published.map(|date| date.value);
    assert_eq!(seen("<time datetime=2021-03-20>last week</time>").as_deref(), Some("2021-03-20"));
    assert_eq!(seen("<p>Veröffentlicht am 20.03.2021 von Jane").as_deref(), Some("2021-03-20"));
    assert_eq!(seen("<p><b>Datum:</b> 20.03.21").as_deref(), Some("2021-03-20"));
    // Of several, none is the page's.
    assert_eq!(seen("<time datetime=2021-03-20>a</time><p><time datetime=2021-03-21>b</time>"), None);
    // Those of something else.
    for other in ["Gültig bis 20.03.2021", "20.03.2021 – 25.03.2021", "Mitglied seit 20.03.2021", "Aktualisiert: 20.03.2021"] {
        assert_eq!(seen(&format!("<p>{other}")), None, "{other}");
    }
    let changed = read(&page("<footer></footer><p>Aktualisiert: 20.03.2021"));
    assert_eq!(changed.modified, found("2021-03-20", Source::Visible));
    let product = r#"<script type=application/ld+json>{"@type": "Product", "name": "Lamp"}</script><time datetime=2021-03-20>"#;
    assert_eq!(seen(product), None);
    let front = metadata(&Parser::new().url("https://example.org/").parse_text(page("<time datetime=2021-03-20>")));
    assert_eq!(front.published, None);
}

#[test]
fn a_dateline_opens_a_page_without_a_headline() {
    let page =
        "<html lang=de><p>BERLIN, 20.03.2021 – Es hat geregnet, den ganzen Tag lang, und niemand war draußen. <p>Es ging weiter.";
    assert_eq!(read(page).published, found("2021-03-20", Source::Visible));
    let prose = "<html lang=de><p>Am 20. März 2021 findet der Tag des Regens statt, zu dem alle kommen, die im Tal wohnen. <p>Es ging weiter.";
    assert_eq!(read(prose).published, None);
}

#[test]
fn a_date_in_an_element_is_what_its_words_say() {
    let page = |end: &str| read(&format!("<html lang=en><h1>Rain all day</h1>{end}<p>It rained."));
    let updated = page("<p>Last updated on <time datetime=2021-03-20>20 March</time>");
    assert_eq!((updated.published, updated.modified), (None, found("2021-03-20", Source::Visible)));
    let printed = page("<time datetime=2021-03-24>Published on 20 March 2021</time>").published;
    assert_eq!(printed, found("2021-03-20", Source::Visible));
    assert_eq!(page("<span class=expiry-date>Expires 01/20/26</span>").published, None);
    let abbr = page("<abbr class=published title=2021-03-20T10:00:00Z>a week ago</abbr>").published;
    assert_eq!(abbr, found("2021-03-20T10:00:00Z", Source::Visible));
}

#[test]
fn the_day_is_that_of_the_place_the_page_is_from() {
    let utc = "<meta property=article:published_time content=2021-03-21T03:10:00Z>";
    let with = |more: &str| read(&format!("<html lang=en>{utc}{more}")).published;
    assert_eq!(with(""), found("2021-03-21T03:10:00Z", Source::OpenGraph));
    assert_eq!(with("<meta name=date content='2021-03-20T22:10:00-05:00'>"), found("2021-03-20T22:10:00-05:00", Source::Meta));
    assert_eq!(with("<meta name=date content='2021-03-20'>"), found("2021-03-21T03:10:00Z", Source::OpenGraph));
    assert_eq!(with("<h1>Rain all day</h1><time>20 March 2021</time>"), found("2021-03-20", Source::Visible));
    assert_eq!(with("<h1>Rain all day</h1><time>19 March 2021</time>"), found("2021-03-21T03:10:00Z", Source::OpenGraph));
    assert_eq!(with("<p class=today>20 March 2021</p><h1>Rain all day</h1>"), found("2021-03-21T03:10:00Z", Source::OpenGraph));
    let at = |url: &str| metadata(&Parser::new().url(url).parse_text(utc)).published.unwrap().value;
    assert_eq!(at("https://example.org/2021/03/20/rain"), "2021-03-20");
    assert_eq!(at("https://example.org/2021/03/22/rain"), "2021-03-21T03:10:00Z");
}

#[test]
fn the_printed_name_is_the_title_where_the_headline_is_a_description() {
    let json = r#"{"@type": "Article", "name": "Rain", "headline": "water that falls from the sky"}"#;
    let script = format!("<script type=application/ld+json>{json}</script>");
    assert_eq!(read(&format!("<title>Rain - Encyclopedia</title><h1>Rain</h1>{script}")).title, found("Rain", Source::JsonLd));
    let headline = read(&format!("<h1>water that falls from the sky</h1>{script}")).title;
    assert_eq!(headline, found("water that falls from the sky", Source::JsonLd));
}

#[test]
fn the_name_of_a_section_or_a_blog_is_no_title() {
    let section = "<title>Why it rains all day : The Weather : Radio</title><h3>The Weather</h3><p>It rains.";
    assert_eq!(read(section).title.unwrap().value, "Why it rains all day : The Weather : Radio");
    let chapter = "<title>What is Rain? - The Book of Weather</title><h1>The Book of Weather</h1><h2>What is Rain?</h2>";
    assert_eq!(read(chapter).title.unwrap().value, "What is Rain?");
}

#[test]
fn authors_are_found_by_links_and_by_a_word_before_the_name() {
    let prose = "<p>".to_owned() + &"It rained all day in the valley. ".repeat(40);
    let page = |near: &str, far: &str| read(&format!("<h1>Rain all day</h1>{near}{prose}{far}"));
    for place in ["aside", "footer", "nav"] {
        let page = page("", &format!("<{place}><a rel=author href=/jane>Jane Doe</a></{place}>"));
        assert_eq!((names(&page), page.author[0].source), (vec!["Jane Doe"], Source::Link), "{place}");
    }
    let two = "<aside><p><a rel=author>Jane Doe</a> and <a rel=author>John Smith</a></p></aside>";
    assert_eq!(names(&page("", two)), ["Jane Doe", "John Smith"]);
    let teasers = "<aside><p><a rel=author>Jane Doe</a></p><p><a rel=author>John Smith</a></p></aside>";
    assert!(page("", teasers).author.is_empty());
    assert_eq!(names(&page("<div>By <span>Jane Doe</span></div>", "")), ["Jane Doe"]);
    assert_eq!(names(&page("<p><a href=/author/jane>Jane Doe</a>", "")), ["Jane Doe"]);
    for none in
        ["<p>By the river <b>Kennet</b> it rained.", "<p>From Rain Wiki", "<p>Understand Rain in minutes, <b>by playing</b>"]
    {
        assert!(page(none, "").author.is_empty(), "{none}");
    }
    let teaser = "<h3><a href=/b>Sun</a></h3><p>By <b>Jane Doe</b>";
    assert!(page(teaser, "").author.is_empty());
}

#[test]
fn tags_categories_and_licence_are_read_from_each_source() {
    let values = |found: &[Found<String>]| found.iter().map(|found| found.value.clone()).collect::<Vec<_>>();
    let json = read_json(
        r#"{"@type": "Article", "keywords": ["rain", "sun, wind"], "articleSection": "Weather",
        "license": {"@type": "CreativeWork", "url": "https://creativecommons.org/licenses/by/4.0/"}}"#,
    );
    assert_eq!(
        (values(&json.tags), values(&json.categories)),
        (vec!["rain".into(), "sun".into(), "wind".into()], vec!["Weather".into()])
    );
    assert_eq!(json.licence, found("https://creativecommons.org/licenses/by/4.0/", Source::JsonLd));
    let graph = read(
        "<meta property=article:tag content=rain><meta property=article:tag content=sun><meta property=article:section content=Weather><meta name=keywords content='a, b'>",
    );
    assert_eq!((values(&graph.tags), values(&graph.categories)), (vec!["rain".into(), "sun".into()], vec!["Weather".into()]));
    assert_eq!(graph.tags[0].source, Source::OpenGraph);
    let links = read(
        "<h1>Rain all day</h1><p>It rained.<p><a rel='category tag'>Weather</a> <a rel=tag>rain</a><footer><a rel=license href=/licence>CC</a></footer>",
    );
    assert_eq!((values(&links.tags), values(&links.categories)), (vec!["rain".into()], vec!["Weather".into()]));
    assert_eq!(links.licence, found("https://www.example.org/licence", Source::Link));
    assert_eq!(
        read("<meta name=dc.rights content='All rights reserved'>").licence,
        found("All rights reserved", Source::DublinCore)
    );
    let none = read("<meta name=keywords content=' , ;{{tags}}'><h1>Rain</h1><h2><a href=b>Sun</a></h2><a rel=tag>sun</a>");
    assert_eq!((values(&none.tags), values(&none.categories), none.licence), (Vec::<String>::new(), Vec::<String>::new(), None));
}

#[test]
fn a_page_is_paywalled_if_a_part_of_it_is() {
    let paywalled =
        |fields: &str| read_json(&format!(r#"{{"@type": "NewsArticle", {fields}}}"#)).paywalled.map(|found| found.value);
    assert_eq!(paywalled(r#""isAccessibleForFree": false"#), Some(true));
    assert_eq!(paywalled(r#""isAccessibleForFree": "False""#), Some(true));
    assert_eq!(paywalled(r#""isAccessibleForFree": "http://schema.org/True""#), Some(false));
    let part = r#""isAccessibleForFree": true, "hasPart": [{"@type": "WebPageElement", "isAccessibleForFree": "False", "cssSelector": ".paid"}]"#;
    assert_eq!(paywalled(part), Some(true));
    assert_eq!(paywalled(r#""headline": "Rain", "isAccessibleForFree": 7"#), None);
    let tier = read("<meta property=article:content_tier content=metered>").paywalled;
    assert_eq!(tier, Some(Found { value: true, source: Source::OpenGraph }));
    let data = read("<div itemscope itemtype=https://schema.org/Article><meta itemprop=isAccessibleForFree content=true></div>")
        .paywalled;
    assert_eq!(data, Some(Found { value: false, source: Source::Microdata }));
}

#[test]
fn better_sources_win_wherever_they_stand() {
    let sources = [
        ("<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"json\"}</script>", "json", Source::JsonLd),
        ("<meta property=og:title content=graph>", "graph", Source::OpenGraph),
        ("<meta name=twitter:title content=bird>", "bird", Source::Twitter),
        ("<meta name=dc.title content=core>", "core", Source::DublinCore),
        ("<i itemprop=headline>data</i>", "data", Source::Microdata),
        ("<meta name=title content=plain>", "plain", Source::Meta),
        ("<title>tag</title>", "tag", Source::Html),
        ("<h1>seen</h1>", "seen", Source::Visible),
    ];
    for (at, (_, value, source)) in sources.iter().enumerate() {
        let html: String = sources[at..].iter().rev().map(|(html, _, _)| *html).collect();
        assert_eq!(read(&html).title, found(value, *source));
    }
    // What cannot be read makes way for the next.
    assert_eq!(
        read("<meta property=article:published_time content=soon><meta name=date content=2021-03-20>").published,
        found("2021-03-20", Source::Meta)
    );
    assert_eq!(read("<meta property=og:title content=' '><title>tag</title>").title, found("tag", Source::Html));
    let site = "<meta property=og:site_name content=Gazette>";
    assert_eq!(
        read(&format!("{site}<meta property=og:title content=Gazette><title>Rain</title>")).title,
        found("Rain", Source::Html)
    );
    assert_eq!(read(&format!("{site}<meta name=author content=Gazette>")).author, []);
    assert_eq!(
        read("<meta property=article:modified_time content=2020-01-01><meta name=date content=2021-03-20>").modified,
        None
    );
}

#[test]
fn hostile_pages_do_no_harm() {
    let pages = [
        String::new(),
        "\0".repeat(1000),
        "<meta property=og:title content='\0'>".to_owned(),
        format!("<script type=application/ld+json>{}</script>", "[".repeat(1_000_000)),
        format!("<script type=application/ld+json>{}</script>", "{\"@graph\":".repeat(100_000)),
        format!("<script type=application/ld+json>[{}0]</script>", "{\"@type\":\"Article\",\"author\":[[[{}]]]},".repeat(20_000)),
        r#"<script type=application/ld+json>{"@id": "a", "@type": "Article", "author": {"@id": "a"}, "name": {"@id": "a"}}</script>"#.to_owned(),
        "<div itemscope itemprop=author class='date author comment'>".repeat(20_000),
        "<h1 class=author><time>2021".repeat(20_000),
        "<meta name=author content='&amp;&amp;'><meta property=og:url content='http://[::'>".repeat(5_000),
        format!("<title>{}</title>", " | ".repeat(100_000)),
        format!("<html lang={}>", "a-".repeat(100_000)),
    ];
    for page in pages {
        let _ = read(&page);
    }
}
