use crate::PageTechnique;
use crate::rules::comments::Comments;
use unchaff_dom::Page;

const ARTICLE: &str = "<h1>Rain</h1><p>It rained all day and all night, and in the morning the river had come into the garden.</p>\
                       <p>Nobody could remember such a flood, not even the miller.</p>";

/// How many elements that are marked are found, and how many others that have text.
fn found(html: &str) -> (usize, usize) {
    let page = Page::parse(format!("<body><div>{ARTICLE}{html}</div><div>© us</div></body>"));
    let found = Comments::default().detect(&page).blocks.remove(0).nodes;
    let entries = found.iter().filter(|node| page.is_element(*node) && page.attr(*node, "data-c").is_some()).count();
    let roots = found.roots(&page).into_iter().filter(|root| page.counts(*root).words > 0);
    (entries, roots.filter(|root| !page.subtree(*root).any(|node| page.attr(node, "data-c").is_some())).count())
}

#[test]
fn entries_tell_themselves_without_words_for_comments() {
    for html in [
        // Names and days, one a nickname, beside a portrait.
        "<ul><li data-c><img src=a><i>6 окт</i> <b>lida_kama</b><p>У нас тоже был дождь, и мы устали.</p><li data-c><img src=b><i>7 окт</i> <b>Иван</b><p>А у нас нет.</p>\
         <li data-c><img src=c><i>9 окт</i> <b>semyon1958</b><p>Дождя хватило на всех.</p></ul>",
        // Letters that are signed to the right.
        "<h3>Qwe rty</h3><p data-c>Sir, I was out in it twice.</p><p data-c align=right><b>Mrs D. Elm</b>, Mill Lane</p><p data-c>We had none of it.</p>\
         <p data-c align=right><b>A. Oak</b>, by the sea</p>\
         <p data-c>The river is for the fish.</p><p data-c align=right><b>Tom</b>, retired</p><p><small>Letters may be shortened.</small></p>",
        // Names below, and a form to write one.
        "<div><div class=s data-c><p>We had rain too.</p><span>Big Sis, Ohio</span></div><div class='s t' data-c><p>We had none.</p><span>Noreen W.</span></div>\
         <div class=s data-c><p>The cellar is full.</p><span>Pete</span></div></div><form><textarea></textarea></form>",
        // A number before them, and ways to answer.
        "<h4>Zxc (3)</h4><div class=e data-c><b>Ann</b><p>We had rain too.</p><a href=#r>Reply</a></div><div class=e data-c><b>Bob</b><p>We had none.</p><a href=#r>Reply</a></div>\
         <div class=e data-c><b>Cy</b><p>The cellar is full.</p><a href=#r>Reply</a></div>",
    ] {
        assert_eq!(found(html), (html.matches("data-c").count(), 0), "{html}");
    }
}

#[test]
fn lists_of_other_things_are_none() {
    for html in [
        // Articles.
        "<ul><li data-c><a href=/x>The mill is for sale again</a> <b>Ann Lee</b> 3 May 2012<p>It has stood empty since.</p><li data-c><a href=/y>A bridge for the other side</a> \
         <b>Bob B.</b> 4 May 2012<p>It will be of wood.</p><li data-c><a href=/z>Nobody wants the old ferry</a> <b>Cy</b> 5 May 2012<p>It leaks a little.</p></ul>",
        // Events.
        "<div class=e data-c><h3>Soup day</h3><p>There will be soup.</p><p>12 May, Mill</p></div><div class=e data-c><h3>Flea market</h3><p>Bring your own table.</p><p>15 May, Barn</p></div>\
         <div class=e data-c><h3>Choir</h3><p>All may sing.</p><p>19 May, Church</p></div>",
        // Staff.
        "<div class=e data-c><b>Ann Lee</b><p>She mends the nets.</p></div><div class=e data-c><b>Bob Bay</b><p>He paints the boats.</p></div>\
         <div class=e data-c><b>Cy Low</b><p>He makes the soup.</p></div>",
        // Versions, and bold words of sentences.
        "<ul><li data-c><b>Version 2.1</b> 2021-06-20<p>It no longer leaks.</p><li data-c><b>Version 2.0</b> 2021-05-20<p>It has a door now.</p><li data-c><b>Version 1.9</b> \
         2021-04-20<p>The roof is new.</p></ul>",
        "<ul><li data-c><b>In March 2025</b>, the hall opened, and nobody came.<li data-c><b>In May 2025</b>, it closed, and nobody knew.<li data-c><b>In June 2025</b>, it burned.</ul>",
    ] {
        assert_eq!(found(html), (0, 0), "{html}");
    }
}

#[test]
fn what_is_surer_leaves_others_out() {
    let day = |name: &str, day: &str| format!("<li><b>{name}</b> <span>{day}</span><p>A concert in the hall.</p>");
    let events = format!("<ul>{}{}{}</ul>", day("Teresa M", "2 May"), day("The choir", "9 May"), day("Rui Falcon", "23 May"));
    let entry = |name: &str, day: &str| {
        format!(
            "<div class=e data-c><b>{name}</b> <span>{day}</span><p>We had rain too, and it came through the roof of the barn, where the hay was, and nobody had thought of the hay before it was wet.</p></div>"
        )
    };
    let entries = [entry("J. Elm", "26/03/2022 14:05"), entry("Ann", "26/03/2022 17:48"), entry("Old Tom", "27/03/2022 09:20")];
    assert_eq!(found(&format!("{events}<section>{}<form><textarea></textarea></form></section>", entries.concat())), (3, 0));
}
