use super::*;
use crate::rules::comment_list;
use proptest::prelude::*;
use unchaff_dom::select::Selector;

const ARTICLE: &str = "<h1>Rain</h1><p>It rained all day and all night, and in the morning the river had come into the garden.</p>\
                       <p>Nobody could remember such a flood, not even the miller.</p>";

fn with_article(comments: &str) -> Page {
    Page::parse(format!(
        "<body><div id=page><div class=entry-content>{ARTICLE}</div>{comments}</div><div id=footer>© us</div></body>"
    ))
}

fn comments(page: &Page, params: Params) -> NodeSet {
    Comments::new(params).detect(page).blocks.remove(0).nodes
}

/// The roots found are those that the selector selects.
fn assert_found(html: &str, selector: &str) {
    let page = with_article(html);
    let expected: Vec<NodeId> = page.select(&Selector::parse(selector).unwrap()).collect();
    assert!(!expected.is_empty(), "{selector}");
    assert_eq!(comments(&page, Params::default()).roots(&page), expected, "{selector} in {html}");
}

fn assert_none(html: &str) {
    let page = with_article(html);
    assert!(comments(&page, Params::default()).is_empty(), "{html}");
}

#[test]
fn wordpress() {
    assert_found(
        "<div id=comments class=comments-area><h2 class=comments-title>2 thoughts on Rain</h2><ol class=comment-list><li id=comment-71 class='comment even'>\
         <div class='comment-author vcard'>Ann says:</div><a href=#c>May 3, 2012 at 7:03 pm</a><p>Well written, thank you.</p><a class=comment-reply-link \
         href=#r>Reply</a><ul class=children><li id=comment-72 class=comment><p>I agree with Ann.</p></li></ul></li></ol><div id=respond><form><p>Leave a \
         reply</p><textarea></textarea></form></div></div>",
        "ol.comment-list",
    );
}

#[test]
fn wordpress_with_pingbacks_alone() {
    assert_found(
        "<section id=comments><h2>2 Comments</h2><ol class=commentlist><li class=pingback><p>Pingback: <a href=/x>Another blog on rain</a></p></li>\
         <li class=pingback><p>Pingback: <a href=/y>More on rain</a> via web</p></li></ol></section>",
        "ol.commentlist",
    );
}

#[test]
fn drupal() {
    assert_found(
        "<section id=comments class=comment-wrapper><h2>Comments</h2><a id=comment-12></a><article class=comment><p class=submitted>Submitted by \
         <span class=username>ben</span> on 12/03/2011 - 14:20</p><div class=content>The bridge is closed again, as far as I know.</div></article>\
         <a id=comment-13></a><article class=comment><p class=submitted>Submitted by <span class=username>eve</span> on 12/03/2011 - 15:01</p>\
         <div class=content>It is open for bicycles now.</div></article></section>",
        "#comments",
    );
}

#[test]
fn blogger() {
    assert_found(
        "<div class=comments id=comments><h4>2 comments:</h4><dl id=comments-block><dt class=comment-author id=c8001>Joe said...</dt><dd class=comment-body>\
         <p>Great pictures of the garden.</p></dd><dd class=comment-footer>4/19/2005 07:14 PM</dd><dt class=comment-author id=c8002>Kim said...</dt>\
         <dd class=comment-body><p>Poor garden, poor miller.</p></dd><dd class=comment-footer>4/20/2005 08:14 PM</dd></dl></div>",
        "dl",
    );
}

#[test]
fn movable_type_without_a_list() {
    assert_found(
        "<div class=comments-body><p>This is like a hymn to rain.</p><span class=comments-post>Posted by: amy at February 7, 2005 10:14 PM</span></div>\
         <div class=comments-body><p>I want to notice more, too.</p><span class=comments-post>Posted by: kim at February 8, 2005 10:14 PM</span></div>",
        ".comments-body",
    );
}

#[test]
fn joomla_and_tables_of_comments() {
    assert_found(
        "<div id=jc><div id=comments><div class=comments-list id=comments-list-1><div class=even id=comment-item-3><span class=comment-author>Olga</span>\
         <span class=comment-date>2010-05-04 11:20</span><div class=comment-body>What a year that was for us.</div></div></div></div></div>",
        "#comment-item-3, .no-such",
    );
    assert_found(
        "<table class=kommentare><tr><td class=autor>Uwe</td><td>03.05.2009</td></tr><tr><td colspan=2>Bei uns hat es auch geregnet.</td></tr></table>",
        "table tbody",
    );
}

#[test]
fn microdata() {
    assert_found(
        "<div class=x><div itemprop=comment itemscope itemtype=http://schema.org/UserComments><span itemprop=creator>Lu</span><time itemprop=commentTime>\
         today</time><p>More rain is to come.</p></div><div itemprop=comment itemscope itemtype=http://schema.org/UserComments><span itemprop=creator>Mo\
         </span><time itemprop=commentTime>today</time><p>Surely not again.</p></div></div>",
        ".x",
    );
}

#[test]
fn other_languages() {
    assert_found(
        "<div class='комментарии'><h3>Комментарии</h3><ul><li><b class=author>Иван</b> 17.01.2012 в 17:19 <p>Дождь шёл всю неделю, и мы устали.</p></li><li>\
         <b class=author>Анна</b> 18.01.2012 в 10:11 <p>У нас тоже.</p></li></ul></div>",
        "ul",
    );
    assert_found(
        "<section class=commentaires><article><cite>Luc</cite> <time>hier</time><p>Quelle belle histoire de pluie.</p></article><article><cite>Léa</cite> \
         <time>hier</time><p>Merci pour le récit.</p></article></section>",
        "section",
    );
}

#[test]
fn empty_places_of_comment_systems() {
    for (html, selector) in [
        ("<div id=disqus_thread></div>", "#disqus_thread"),
        ("<div class=fb-comments data-href=/></div>", ".fb-comments"),
        ("<script src=https://utteranc.es/client.js async></script>", "script"),
        ("<script src=https://giscus.app/client.js></script>", "script"),
        ("<div id=vk_comments></div>", "#vk_comments"),
        ("<iframe src='https://disqus.com/embed/comments/?x'></iframe>", "iframe"),
    ] {
        assert_found(html, selector);
        assert!(comments(&with_article(html), Params { embeds: false, ..Params::default() }).is_empty());
    }
}

#[test]
fn a_heading_finds_comments_without_names() {
    let html = "<h3>Kommentare (2)</h3><div><div><cite>Uwe</cite> 3.5.2009, 12:10 <p>Hier hat es auch geregnet.</p></div><div><cite>Ina</cite> \
                4.5.2009, 9:15 <p>Bei uns war es trocken.</p></div></div>";
    assert_found(html, "h3 + div");
    assert!(comments(&with_article(html), Params { by_heading: false, by_signature: false, ..Params::default() }).is_empty());
    assert_found(
        "<h3>コメント</h3><div class=c><b class=user>山田</b> 2012年5月3日 <p>よく降りました。</p></div><div class=c><b class=user>田中</b> 2012年5月4日 <p>本当に。</p></div>",
        ".c",
    );
}

#[test]
fn paragraphs_and_lines_below_a_heading_are_comments() {
    for (html, selector) in [
        (
            "<h3>Reacties</h3><p class=c><b>Joke</b>: Bij ons heeft het ook geregend.</p><p class=c><b>Bram</b>: Hier bleef het droog.</p>",
            ".c",
        ),
        (
            "<h2>Kommentare</h2><p class=c><strong>Uwe</strong> – 3. Mai 2009<br>Hier auch.</p><p class=c><strong>Ina</strong> – 4. Mai 2009<br>Hier nicht.</p>",
            ".c",
        ),
        (
            "<div><h2>Comments</h2></div><h4 class=c>Ann</h4><p class=c>We had rain too.</p><h4 class=c>Bob</h4><p class=c>We had none.</p>",
            ".c",
        ),
        (
            "<h3>Comments</h3><p class=c>We had rain too.</p><p class='c by'>Posted by: Ann at May 3, 2005</p><p class=c>We had none.</p><p class='c by'>Posted by: Bob \
             at May 4, 2005</p>",
            ".c",
        ),
        (
            "<h2>Témoignages</h2><p>Ils sont venus.</p><div class=all><blockquote>La soupe était bonne.<br>— Luc, Lille</blockquote><blockquote>Merci pour les bottes.<br>— \
             Agathe</blockquote></div>",
            ".all",
        ),
    ] {
        assert_found(html, selector);
    }
    for html in [
        "<h2>Recent comments</h2><ul><li>Ann: We had rain too, and much of it.</li><li>Bob: We had none of it.</li></ul>",
        "<h2>Why reviews matter</h2><p><b>Trust</b>: buyers believe buyers.</p><p><b>Rank</b>: more reviews, more clicks.</p>",
        "<div><h2>Avis clients</h2><p>Nous avons cent clients contents, et ils reviennent chaque année avec leurs enfants et leurs voisins.</p></div><div><h4>Contact</h4><p>Écrivez-nous.</p><h4>Heures</h4><p>De dix à midi.</p></div>",
    ] {
        assert_none(html);
    }
}

#[test]
fn what_leads_to_comments_is_none() {
    for html in [
        "<p class=meta>May 3, 2012 | <a class=comments-link href=#c>3 comments</a></p>",
        "<div id=respond class=comment-respond><form><p>Your comment will be read by a person before it appears here, which can take a day.</p>\
         <textarea></textarea></form></div>",
        "<div class=widget_recent_comments><ul id=recentcomments><li><span class=author>Ann</span> on <a href=/x>Rain</a> May 3, 2012</li></ul></div>",
        "<div id=comments><p>Comments are closed.</p></div>",
    ] {
        assert_none(html);
    }
}

#[test]
fn reviews_of_a_product_are_comments() {
    // Without names: each gives marks.
    assert_found(
        "<section><h2>Das sagen Kundinnen</h2><div class=space><div class=border><p>Annegret K.</p><p>★★★★★</p><p>Endlich eine Lampe, die stehen bleibt.</p></div>\
         <div class=border><p>Familie Brunner</p><p>★★★★☆</p><p>Sehr schönes Licht, kurzes Kabel.</p></div></div></section>",
        ".space",
    );
    // With names, one alone.
    assert_found(
        "<div class=reviews><div class=review><span class=author>Luc</span> <time>hier</time> <span class=stars title='4 sur 5'></span><p>Une belle lampe, très solide.</p></div></div>",
        ".review",
    );
    // With microdata.
    assert_found(
        "<div id=r><div itemprop=review itemscope itemtype=https://schema.org/Review><b itemprop=author>Ann</b> <meta itemprop=datePublished content=2020-01-02>\
         <p itemprop=reviewBody>The river lamp is a good one.</p></div></div>",
        "[itemprop=review]",
    );
}

#[test]
fn cards_of_products_and_an_article_that_is_a_review_are_none() {
    assert_none(
        "<div class=grid><div class=card><a href=/a>Lamp one</a><p>★★★★★</p><p>A lamp for the desk 39,00 €</p></div>\
         <div class=card><a href=/b>Lamp two</a><p>★★★☆☆</p><p>A lamp for the wall 49,00 €</p></div></div>",
    );
    assert_none(
        "<div class=review><p>The film begins with rain, and it ends with rain. Between the two there is a long walk through a town, and a dog that finds its way home.</p></div>",
    );
}

#[test]
fn one_comment_is_found_by_a_heading_and_the_form_is_none_of_it() {
    assert_found(
        "<h2>1 comment</h2><ol class=l><li><strong>Wilma</strong> <time>9 March, 18:44</time><p>I was on that tour.</p><button>Reply</button></li></ol>",
        "ol",
    );
    assert_found(
        "<div id=comments><h2>Un comentario</h2><ol class=comment-list><li class=comment><b class=fn>Remedios</b> dice: 5 de marzo de 2024 <p>Queda espectacular con queso.</p></li></ol>\
         <div id=respond><h3>Deja una respuesta</h3><p>Tu dirección de correo electrónico no será publicada, y nadie la verá.</p><form><textarea></textarea></form></div></div>",
        "ol.comment-list",
    );
}

#[test]
fn answers_are_comments_and_content() {
    let post = |id: &str, who: &str, day: u32, text: &str| {
        format!(
            "<div class=\"{id}\" id=\"{id}-{day}\"><p class=who><span class=author>{who}</span>, <time datetime=2024-05-{day:02}>{day} May</time></p><div class=body><p>{text}</p></div></div>"
        )
    };
    let question =
        post("question", "Nell", 10, "How do I keep the frost from the pipes of the summer house, which nobody heats in winter?");
    let first = post("answer", "Tom", 11, "Empty them in October and leave all of the taps open until the spring, as we do.");
    let second = post("answer", "Ines", 12, "A cable that warms them costs little, but then the power must not fail for long.");
    let page = Page::parse(format!("<h1>Frost and pipes</h1>{question}<h2>2 answers</h2>{first}{second}"));
    let nodes = comments(&page, Params::default());
    let text: String = nodes.iter().filter(|node| page.tag(*node) == Tag::Text).map(|node| page.string(node)).collect();
    assert!(
        text.contains("Empty them") && text.contains("A cable") && text.contains("Ines") && !text.contains("How do I"),
        "{text}"
    );
    let listed = comment_list::comments(&page, &nodes);
    let authors: Vec<_> = listed.iter().map(|one| one.author.as_deref()).collect();
    assert_eq!((authors, listed[1].text.split(' ').next()), (vec![Some("Tom"), Some("Ines")], Some("A")));
    assert!(Comments::beside_content().detect(&page).blocks[0].nodes.is_empty());
}

#[test]
fn posts_of_a_forum_are_content() {
    let posts = "<div class=comment id=comment-11><b class=author>Al</b> 1.2.2010 12:00 <p>How do I keep rain out of a cellar?</p></div>\
                 <div class=comment id=comment-12><b class=author>Bo</b> 1.2.2010 12:05 <p>With a pump and much patience.</p></div>";
    let forum = Page::parse(format!("<body class=forum>{ARTICLE}{posts}</body>"));
    assert!(comments(&forum, Params::default()).is_empty());
    assert!(!comments(&forum, Params { in_forums: true, ..Params::default() }).is_empty());
    let nothing_else = Page::parse(format!("<body><h1>Cellars</h1>{posts}</body>"));
    assert!(comments(&nothing_else, Params::default()).is_empty());
    assert!(!comments(&nothing_else, Params { min_article_words: 0, ..Params::default() }).is_empty());
}

#[test]
fn the_section_has_heading_and_form_too() {
    let page = with_article(
        "<div id=comments><h3>1 comment</h3><ul class=commentlist><li id=comment-91><cite>Ann</cite> 2.3.2004 <p>Well written indeed.</p></li></ul>\
         <form><textarea></textarea></form></div>",
    );
    let section = comments(&page, Params { extent: Extent::Section, ..Params::default() });
    assert_eq!(page.attr(section.roots(&page)[0], "id"), Some("comments"));
    let list = comments(&page, Params::default());
    assert_eq!(page.tag(list.roots(&page)[0]), Tag::Ul);
}

proptest! {
    #[test]
    fn any_page_has_one_answer(parts in prop::collection::vec("<(div|ul|li) (class|id)=(comments|comment-12|x)>|</(div|ul|li)>|<h3>2 comments</h3>|Ann 1.2.2003 |some words ", 0..40)) {
        let page = Page::parse(format!("{ARTICLE}{}", parts.concat()));
        let nodes = comments(&page, Params::default());
        prop_assert_eq!(&nodes, &comments(&page, Params::default()));
        let whole = NodeSet::from_roots(&page, nodes.roots(&page));
        prop_assert_eq!(nodes, whole);
    }
}
