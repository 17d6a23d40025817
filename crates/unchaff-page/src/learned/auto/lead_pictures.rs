//! Pictures that content begins with.
//!
//! A picture between two lines that are taken is taken with them. One that stands before the first of them, the photograph above an article or
//! the product beside its name, belongs to them where an element begins with it and goes on with them: that element starts behind the last line
//! that is not taken, and holds little else than what is. What names or sizes call a logo or an icon is none, nor is what leads elsewhere, as advertisements do.

use super::roots_between;
use super::view::View;
use unchaff_dom::{NodeId, Page, Tag};

/// The element is taken for such a share of its words at least.
const MOSTLY: f32 = 0.5;
/// A picture that says to be smaller is an icon.
const LEAST_SIZE: u32 = 100;
/// What holds more pictures is a gallery of something else.
const MOST_PICTURES: usize = 24;
/// Endings of addresses that a picture leads to: itself, larger.
const PICTURES: [&str; 6] = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"];
/// What names, addresses and descriptions of no picture of anything have in them,
const NO_PICTURES: [&str; 10] =
    ["logo", "sprite", "avatar", "advert", "sponsor", "spacer", "placeholder", "banner", ".svg", ".gif"];
/// and have as a word.
const NO_PICTURE_WORDS: [&str; 9] = ["icon", "icons", "pixel", "badge", "flag", "button", "arrow", "ad", "ads"];

/// The outermost elements of such pictures, given which blocks are taken.
pub(super) fn lead_pictures(view: &View<'_>, takes: impl Fn(usize) -> bool) -> Vec<NodeId> {
    let page = view.page;
    let Some(body) = page.body() else { return Vec::new() };
    let mut found = Vec::new();
    // The words of all blocks before each one, and those that are taken.
    let mut words: Vec<(f32, f32)> = Vec::new();
    for (at, block) in view.blocks.iter().enumerate().filter(|(at, _)| takes(*at) && (*at == 0 || !takes(at - 1))) {
        let before = if at == 0 { body } else { view.blocks[at - 1].last };
        for root in roots_between(page, before, block.first) {
            let Some(around) = page.parent(root).filter(|around| *around > before) else { continue };
            if !is_picture(page, root) {
                continue;
            }
            if words.is_empty() {
                words = running_words(view, &takes);
            }
            let end = view.blocks.partition_point(|block| block.first < page.end(around));
            let (all, taken) = (words[end].0 - words[at].0, words[end].1 - words[at].1);
            if taken >= MOSTLY * all {
                found.push(root);
            }
        }
    }
    found
}

fn running_words(view: &View<'_>, takes: impl Fn(usize) -> bool) -> Vec<(f32, f32)> {
    let mut sum = (0.0, 0.0);
    let mut words = vec![sum];
    for (at, signs) in view.signs.iter().enumerate() {
        let own = signs.words as f32;
        sum = (sum.0 + own, sum.1 + if takes(at) { own } else { 0.0 });
        words.push(sum);
    }
    words
}

/// Whether an element without text shows a picture of something.
fn is_picture(page: &Page, root: NodeId) -> bool {
    let inside = || page.subtree(root).filter(|node| page.is_element(*node));
    let mut pictures = inside().filter(|node| page.tag(*node) == Tag::Img);
    if pictures.by_ref().next().is_none() || pictures.count() >= MOST_PICTURES {
        return false;
    }
    let leads_elsewhere = |node: NodeId| {
        page.tag(node) == Tag::A
            && page.attr(node, "href").is_some_and(|href| {
                let path = href.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
                !path.is_empty() && !PICTURES.iter().any(|ending| path.ends_with(ending))
            })
    };
    inside().all(|node| !leads_elsewhere(node) && !says_no_picture(page, node))
}

fn says_no_picture(page: &Page, node: NodeId) -> bool {
    let is_small =
        |side: &str| page.attr(node, side).and_then(|size| size.trim().parse().ok()).is_some_and(|size: u32| size < LEAST_SIZE);
    let is_image = page.tag(node) == Tag::Img;
    let said: &[&str] = if is_image { &["class", "id", "src", "alt"] } else { &["class", "id"] };
    let names_none = |said: &&str| {
        // What stands in the place of a picture that is loaded late says nothing of it.
        let text = page.attr(node, said).filter(|text| !text.starts_with("data:")).unwrap_or_default().to_ascii_lowercase();
        let mut words = text.split(|character: char| !character.is_alphanumeric());
        NO_PICTURES.iter().any(|part| text.contains(part)) || words.any(|word| NO_PICTURE_WORDS.contains(&word))
    };
    let is_folder = || page.attr(node, "src").is_some_and(|address| address.trim_end().ends_with('/'));
    is_image && (is_small("width") || is_small("height") || is_folder()) || said.iter().any(names_none)
}

#[cfg(test)]
mod tests {
    use super::super::Auto;
    use unchaff_dom::{Page, emit};

    const TEXT: &str = "<p>It rained all day, all night, and nobody went out into the wet streets of the town by the sea.</p>\
        <p>Then the sun came out, people danced, and all of them were glad that the rain was over at last.</p>\
        <p>In the evening there was a feast in the harbour, and the mayor himself danced with the fishermen.</p>";

    /// The Markdown of a page whose article begins with something.
    fn written(lead: &str) -> String {
        let html = format!(
            "<title>Rain</title><nav><a href=/a>Home</a> <a href=/b>News</a> <a href=/c>Sports</a></nav><img src=/top.jpg>\
             <article>{lead}<h1>Rain</h1>{TEXT}<div class=share><a href=/s>Share</a></div></article><footer><a href=/i>Imprint</a></footer>"
        );
        let page = Page::parse(html);
        let analysis = Auto::default().analyse(&page);
        emit::markdown(&page, &analysis.nodes())
    }

    #[test]
    fn the_picture_that_an_article_begins_with_is_of_the_article() {
        for lead in [
            "<img src=/rain.jpg alt=Rain>",
            "<figure><img src=/rain.jpg alt=Rain></figure>",
            "<div class=gallery><a href=/rain-large.jpg><img src=/rain.jpg alt=Rain></a><img src=/sun.jpg alt=Sun></div>",
        ] {
            let markdown = written(lead);
            assert!(markdown.contains("![Rain](/rain.jpg)") && markdown.contains("It rained"), "{lead}: {markdown}");
            assert!(!markdown.contains("top.jpg"), "{lead}: {markdown}");
        }
    }

    #[test]
    fn logos_icons_and_advertisements_are_not() {
        for lead in [
            "<img src=/logo.png>",
            "<img src=/arrow-down.png>",
            "<img src=/rain.svg>",
            "<img src=/count.gif?page=1>",
            "<img src=https://example.com/>",
            "<img src=/rain.jpg width=16>",
            "<div class=banner><img src=/rain.jpg></div>",
            "<a href=https://example.com/buy><img src=/rain.jpg></a>",
        ] {
            let markdown = written(lead);
            assert!(!markdown.contains("![") && markdown.contains("It rained"), "{lead}: {markdown}");
        }
    }
}
