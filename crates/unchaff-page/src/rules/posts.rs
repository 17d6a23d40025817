//! Posts: a thread of a forum, or a question with its answers, told from each other, and what somebody wrote in each.
//!
//! Around what was written stand who wrote it and when, and then what the software adds: rank, number of posts, place, signature, buttons. Names of
//! elements tell these apart on some forums only. The thread itself does on all: its posts are made alike, so that what was written stands in an element
//! of the same make in each of them, its **body**. That is the make which nearly all posts have once, which holds most of their prose, and of such the
//! one with the fewest words besides. What recurs in several posts, word by word, is a signature and no prose.

use crate::rules::comment_list::{Comment, Entry, alike, is_signature, named, told};
use crate::rules::comment_signs::{Reading, is_dated, may_hold};
use std::collections::{BTreeMap, BTreeSet};
use unchaff_dom::{NodeId, NodeSet, Page, Tag};

/// Text of fewer words says as little of where the body is as a rank or a button.
const LEAST_PROSE: u32 = 6;
/// The share of the prose of all posts that stands in their bodies.
const MOST_PROSE: f64 = 0.8;
/// The share of posts that have a body of the same make.
const MOST_POSTS: f64 = 0.8;
/// The share of the words of a post that are content at least, with all that stands around what was written.
const LEAST_CONTENT: f32 = 0.05;
/// So many elements above a text are looked at.
const MOST_LEVELS: usize = 24;

/// The posts of a thread, or a question with its answers, in their order on the page: what `content` has of a page that several people wrote. None if they are
/// not most of it.
#[must_use]
pub fn posts(page: &Page, content: &NodeSet) -> Vec<Comment> {
    let Some(body) = page.body().filter(|_| !content.is_empty()) else { return Vec::new() };
    let words_of = |root: NodeId| -> f32 {
        let texts = content.iter_below(page, root).filter(|node| page.tag(*node) == Tag::Text);
        texts.map(|text| page.counts(text).words as f32).sum()
    };
    let reading = Reading::of(page, body);
    let found = thread(&reading, body, words_of);
    // Others of the same make that are not content are related pages.
    let is_content = |post: &Entry| {
        let said = post.body.unwrap_or(post.root);
        3.0 * words_of(said) >= page.counts(said).words as f32
    };
    let mut posts = told(&reading, &found, is_content);
    // What nobody signed is a part of the page like others.
    let signed = posts.iter().filter(|post| post.author.is_some() || post.date.is_some()).count();
    if posts.len() < 2 || 2 * signed < posts.len() {
        posts.clear();
    }
    posts
}

/// A first post and what answers it, with comments on them: the thread of a page that is a forum or has a question with its answers.
pub(crate) fn answered(reading: &Reading<'_>, body: NodeId) -> Vec<Entry> {
    if !reading.is_forum(body) && questions_and_answers(reading, &[body]).len() < 2 {
        return Vec::new();
    }
    thread(reading, body, |root| {
        let counts = reading.page.counts(root);
        (counts.words - counts.link_words) as f32
    })
}

/// The posts of a page, with comments on them, if most of its content are posts; `words_of` says how many words of the content stand in an element.
pub(crate) fn thread(reading: &Reading<'_>, body: NodeId, words_of: impl Fn(NodeId) -> f32) -> Vec<Entry> {
    let page = reading.page;
    let has_content =
        |one: &NodeId| LEAST_CONTENT * page.counts(*one).words as f32 <= words_of(*one) && page.counts(*one).words > 0;
    let all = words_of(body);
    let is_most = |found: &[NodeId]| {
        let outermost = NodeSet::from_roots(page, found.iter().copied()).roots(page);
        found.len() > 1 && 2.0 * outermost.into_iter().map(&words_of).sum::<f32>() >= all
    };
    let ways: [Way; 3] = [questions_and_answers, named, alike];
    let found = ways.into_iter().enumerate().find_map(|(way, find)| {
        let mut found = find(reading, &[body]);
        found.retain(has_content);
        is_most(&found).then_some((way, found))
    });
    let Some((way, mut found)) = found else { return Vec::new() };
    climb(page, body, &mut found);
    // Below a question and its answers stand comments on each.
    let mut comments = if way == 0 { named(reading, &found) } else { Vec::new() };
    comments.retain(|one| found.binary_search(one).is_err());
    let mut posts = with_bodies(page, &found, &comments);
    posts.extend(with_bodies(page, &comments, &[]));
    posts.sort_unstable_by_key(|post| post.root);
    posts
}

/// Goes from elements that stand in posts up to those that hold all of one: as far as no two meet, and all alike.
fn climb(page: &Page, body: NodeId, found: &mut [NodeId]) {
    let alone = |at: usize| {
        let before = if at == 0 { body } else { found[at - 1] };
        let after = found.get(at + 1).copied().unwrap_or(page.end(body));
        page.ancestors(found[at]).take(MOST_LEVELS).take_while(|above| *above > before && page.end(*above) <= after).count()
    };
    let levels = (0..found.len()).map(alone).min().unwrap_or(0);
    for one in found {
        *one = page.ancestors(*one).take(levels).last().unwrap_or(*one);
    }
}

/// A way to tell posts below some elements from each other.
type Way = fn(&Reading<'_>, &[NodeId]) -> Vec<NodeId>;

/// A question and its answers, by microdata or by their names.
fn questions_and_answers(reading: &Reading<'_>, roots: &[NodeId]) -> Vec<NodeId> {
    let page = reading.page;
    let is_one = |node: &NodeId| {
        let attr = |name| page.attr(*node, name).unwrap_or_default();
        let is_declared =
            attr("itemprop").split_ascii_whitespace().any(|name| matches!(name, "acceptedAnswer" | "suggestedAnswer"));
        let is_answer = attr("id").strip_prefix("answer").is_some_and(|rest| rest.ends_with(|last: char| last.is_ascii_digit()));
        is_declared || is_answer || attr("id") == "question" || page.classes(*node).next() == Some("question")
    };
    let elements = roots.iter().flat_map(|root| page.subtree(*root)).filter(|node| page.is_element(*node));
    let mut found: Vec<NodeId> = Vec::new();
    for one in elements.filter(|node| may_hold(page.tag(*node)) && is_one(node) && reading.signs(*node).words > 0) {
        if found.last().is_none_or(|last| page.end(*last) <= one) {
            found.push(one);
        }
    }
    found
}

/// What elements of one make have in common: tag, first class and `id`, these without numbers.
type Make<'p> = (Tag, &'p str, &'p str);

fn make_of(page: &Page, node: NodeId) -> Make<'_> {
    let unnumbered = |name: &str| name.trim_end_matches(|last: char| last.is_ascii_digit()).len();
    let class = page.classes(node).next().unwrap_or_default();
    let id = page.attr(node, "id").unwrap_or_default();
    (page.tag(node), &class[..unnumbered(class)], &id[..unnumbered(id)])
}

/// What is known of the elements of one make.
#[derive(Default)]
struct Known {
    /// Posts that have one, and the last of them.
    posts: usize,
    last: Option<usize>,
    /// Where that ends: what stands in it is a part of it.
    end: u32,
    /// Whether some post has two side by side.
    is_many: bool,
    words: u32,
    prose: u32,
}

/// Finds the bodies of posts, which are given in document order and can stand in each other; what stands in `others` is of other posts.
fn with_bodies(page: &Page, roots: &[NodeId], others: &[NodeId]) -> Vec<Entry> {
    let others = NodeSet::from_roots(page, others.iter().copied());
    let each_node = || each_node(page, roots).filter(|(_, node)| !others.contains(*node));
    let mut makes: BTreeMap<Make<'_>, Known> = BTreeMap::new();
    let mut texts: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let prose: Vec<(usize, NodeId)> = each_node().filter(|(_, node)| is_prose(page, *node)).collect();
    for (post, text) in &prose {
        texts.entry(page.string(*text).trim()).or_default().insert(*post);
    }
    let recurs = |text: NodeId| texts.get(page.string(text).trim()).is_some_and(|posts| posts.len() > 1);
    for (post, node) in each_node().filter(|(_, node)| page.is_element(*node)) {
        let known = makes.entry(make_of(page, node)).or_default();
        if known.last != Some(post) {
            known.posts += 1;
        } else if node.0 < known.end {
            continue;
        } else {
            known.is_many = true;
        }
        (known.last, known.end) = (Some(post), page.end(node).0);
        known.words += page.counts(node).words;
    }
    let mut total = 0;
    for (post, text) in prose {
        let above: Vec<NodeId> = page.ancestors(text).take(MOST_LEVELS).take_while(|above| *above > roots[post]).collect();
        if recurs(text) || above.iter().any(|above| is_beside(page, *above)) {
            continue;
        }
        let words = page.counts(text).words;
        total += words;
        let mut seen: Vec<Make<'_>> = Vec::new();
        for make in above.into_iter().map(|above| make_of(page, above)) {
            if !seen.contains(&make) {
                makes.entry(make).or_default().prose += words;
                seen.push(make);
            }
        }
    }
    let is_body = |known: &Known| {
        !known.is_many
            && known.posts as f64 >= MOST_POSTS * roots.len() as f64
            && f64::from(known.prose) >= MOST_PROSE * f64::from(total)
    };
    let body = makes
        .iter()
        .filter(|(_, known)| total > 0 && is_body(known))
        .min_by_key(|(_, known)| known.words.saturating_sub(known.prose));
    let mut posts: Vec<Entry> = roots.iter().map(|root| Entry { root: *root, body: None }).collect();
    if let Some((make, _)) = body {
        for (post, node) in each_node().filter(|(_, node)| page.is_element(*node) && make_of(page, *node) == *make) {
            // What holds the next post too is no body.
            if roots.get(post + 1).is_none_or(|next| *next >= page.end(node)) {
                posts[post].body.get_or_insert(node);
            }
        }
    }
    // What has no body and is made otherwise than those that have, or holds posts, is none: a heading of the thread, or all of it.
    if let Some(tag) = posts.iter().find(|post| post.body.is_some()).map(|post| page.tag(post.root)) {
        let next_of = |at: usize| roots.get(at + 1).copied().unwrap_or(NodeId(u32::MAX));
        let mut at = 0;
        posts.retain(|post| {
            at += 1;
            post.body.is_some() || page.tag(post.root) == tag && next_of(at - 1) >= page.end(post.root)
        });
    }
    posts
}

/// The nodes below some elements, each with the number of the innermost that it stands in.
fn each_node<'p>(page: &'p Page, roots: &'p [NodeId]) -> impl Iterator<Item = (usize, NodeId)> + 'p {
    let mut open: Vec<usize> = Vec::new();
    let (mut next, mut node) = (0, NodeId(0));
    std::iter::from_fn(move || {
        loop {
            while open.pop_if(|post| page.end(roots[*post]) <= node).is_some() {}
            if roots.get(next).is_some_and(|root| open.is_empty() || *root == node) {
                node = NodeId(roots[next].0 + 1);
                open.push(next);
                next += 1;
                continue;
            }
            let post = *open.last()?;
            node = NodeId(node.0 + 1);
            return Some((post, NodeId(node.0 - 1)));
        }
    })
}

/// Whether a node is a piece of text of several words, and no date with words around it.
fn is_prose(page: &Page, node: NodeId) -> bool {
    let words = page.counts(node).words;
    page.tag(node) == Tag::Text && words >= LEAST_PROSE && (words >= 2 * LEAST_PROSE || !is_dated(page.string(node)))
}

/// Whether text in an element is not what somebody wrote: headings and links recur, signatures say so.
fn is_beside(page: &Page, node: NodeId) -> bool {
    page.tag(node) == Tag::A || page.tag(node).heading_level().is_some() || is_signature(page, node)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (usize, String, String, String);

    fn row(depth: usize, author: &str, date: &str, text: &str) -> Row {
        (depth, author.to_owned(), date.to_owned(), text.to_owned())
    }

    fn posted(html: &str) -> Vec<Row> {
        let page = Page::parse(html);
        let main = page.nodes().find(|node| page.tag(*node) == Tag::Main).unwrap();
        let said = |post: Comment| (post.depth, post.author.unwrap_or_default(), post.date.unwrap_or_default(), post.text);
        posts(&page, &page.subtree_set(main)).into_iter().map(said).collect()
    }

    #[test]
    fn a_question_and_its_answers_are_posts() {
        let answer = |number: u32, who: &str, day: u32| {
            format!(
                "<div id=answer-{number} class=answer><span class=votes></span><div class=text><p>Use water stones, first a coarse one.</p></div>\
                 <div class=sig>answered <time datetime=2021-03-0{day}>Mar {day}</time> by <a class=user>{who}</a></div></div>"
            )
        };
        let html = format!(
            "<main><h1>How to sharpen it?</h1><div id=question class=question><p>My plane is dull. How do I sharpen it at home?</p>\
             <div class=sig>asked <time datetime=2021-03-04>Mar 4</time> by <a class=user>Ann</a></div></div><h2>2 Answers</h2>{}{}</main>",
            answer(1, "Bob", 5),
            answer(2, "Cy", 6)
        );
        let said = "Use water stones, first a coarse one.";
        let posts = posted(&html);
        assert_eq!(
            posts.iter().map(|post| (post.1.as_str(), post.2.as_str())).collect::<Vec<_>>(),
            [("Ann", "2021-03-04"), ("Bob", "2021-03-05"), ("Cy", "2021-03-06")]
        );
        assert!(posts[1].3.starts_with(said), "{posts:?}");
    }

    #[test]
    fn posts_of_a_thread_are_told_and_an_article_has_none() {
        let post = |number: u32, who: &str| {
            format!(
                "<div id=p{number} class='post bg1'><p class=author><a class=username>{who}</a> <time>3 March 2024</time></p><div class=content>The lamp went out again last night, and nobody knows why.</div></div>"
            )
        };
        let html = format!("<main><h1>The lamp</h1>{}{}</main>", post(11, "Ann"), post(12, "Bob"));
        let said = "The lamp went out again last night, and nobody knows why.";
        assert_eq!(posted(&html), [row(0, "Ann", "2024-03-03", said), row(0, "Bob", "2024-03-03", said)]);
        assert!(posted("<main><h1>The lamp</h1><p>It went out again.<p>Nobody knows why it did.</main>").is_empty());
    }

    #[test]
    fn ranks_are_no_names_and_the_day_of_joining_is_no_date() {
        let post = |name: &str, moment: &str, text: &str| {
            format!(
                "<article class='message js-post'><section class=message-user><div class=message-userDetails><h4 class=message-name>\
                 <a href=/m class=username>{name}</a></h4><h5 class=userTitle>Old hand</h5></div><dl><dt>Joined</dt><dd>Feb 8, 2017</dd></dl></section>\
                 <div class=message-main><time datetime={moment}>{moment}</time><div class=message-body><p>{text}</div></div></article>"
            )
        };
        let thread = [
            post("Ada", "2023-12-30", "The lamp on the pier has gone out again, and nobody knows who has the key to the tower."),
            post("Bo", "2023-12-31", "The key hangs in the office of the harbour, behind the door, where it has always been."),
            post("Cy", "2024-01-01", "Then somebody should go and fetch it before the ferry comes in from the islands tonight."),
        ];
        let found = posted(&format!("<main><h1>The lamp</h1>{}</main>", thread.concat()));
        let told: Vec<(&str, &str)> = found.iter().map(|(_, author, date, _)| (author.as_str(), date.as_str())).collect();
        assert_eq!(told, [("Ada", "2023-12-30"), ("Bo", "2023-12-31"), ("Cy", "2024-01-01")], "{found:?}");
        assert!(found[1].3.starts_with("The key hangs"), "{found:?}");
    }

    /// Three posts of one make: who, when, what, and the number of the post.
    fn thread_of(post: impl Fn(&str, &str, &str, u32) -> String) -> Vec<Row> {
        let said = [
            (
                "Ada Lee",
                "3 March 2024",
                "<p>The lamp on the pier has gone out again, and nobody knows who has the key to the tower.</p>",
            ),
            (
                "bo_77",
                "4 March 2024",
                "<p>The key hangs in the office of the harbour, behind the door, where it has always been.</p><p>Ask Cy.</p>",
            ),
            ("Cy", "5 March 2024", "<p>Thanks, that worked.</p>"),
        ];
        let posts: Vec<String> = (11..).zip(said).map(|(number, (who, when, what))| post(who, when, what, number)).collect();
        posted(&format!("<main><h1>The lamp</h1>{}</main>", posts.concat()))
    }

    fn assert_told(rows: &[Row]) {
        let told: Vec<(&str, &str)> =
            rows.iter().map(|(_, author, date, _)| (author.as_str(), &date[..10.min(date.len())])).collect();
        assert_eq!(told, [("Ada Lee", "2024-03-03"), ("bo_77", "2024-03-04"), ("Cy", "2024-03-05")], "{rows:#?}");
        let texts: Vec<&str> = rows.iter().map(|(.., text)| text.as_str()).collect();
        assert_eq!(texts[0], "The lamp on the pier has gone out again, and nobody knows who has the key to the tower.");
        assert_eq!(texts[1], "The key hangs in the office of the harbour, behind the door, where it has always been.\n\nAsk Cy.");
        assert_eq!(texts[2], "Thanks, that worked.");
    }

    #[test]
    fn profiles_signatures_and_buttons_are_no_part_of_a_post_as_phpbb_makes_it() {
        assert_told(&thread_of(|who, when, what, number| {
            format!(
                "<div id=p{number} class='post has-profile bg1'><div class=inner><dl class=postprofile id=profile{number}><dt><a class=username href=/u>{who}</a></dt>\
                 <dd class=profile-rank>Harbour master</dd><dd><strong>Posts:</strong> 2174</dd><dd><strong>Joined:</strong> Mon Feb 8, 2017 9:12 am</dd><dd><strong>Location:</strong> by the old sea</dd></dl>\
                 <div class=postbody><div id=post_content{number}><h3><a href=#>Re: The lamp on the pier again</a></h3><ul class=post-buttons><li><a href=#>Quote</a></li></ul>\
                 <p class=author><a href=#>Post</a> by <strong><a href=/u>{who}</a></strong> » {when}, 1:47 am</p><div class=content>{what}</div>\
                 <div class=signature>Fair winds to all who sail and to those who wait.</div></div></div></div></div>"
            )
        }));
    }

    #[test]
    fn the_same_as_vbulletin_smf_and_discuz_make_it() {
        let vbulletin = |who: &str, when: &str, what: &str, number: u32| {
            format!(
                "<table id=post{number} class=tborder><tr><td class=thead>{when}, 08:25 AM</td><td class=thead>#{number}</td></tr>\
                 <tr><td class=alt2><div id=postmenu_{number}><a class=bigusername href=/m>{who}</a></div><div class=smallfont>Senior Member</div>\
                 <div class=smallfont><div>Join Date: Dec 2003</div><div>Posts: 1,204</div></div></td>\
                 <td class=alt1 id=td_post_{number}><div id=post_message_{number}>{what}</div><div>_________ <br>Knots and ropes for every boat of the harbour</div></td></tr></table>"
            )
        };
        let smf = |who: &str, when: &str, what: &str, number: u32| {
            format!(
                "<div class=windowbg id=msg{number}><div class=post_wrapper><div class=poster><h4><a href=/p title='View the profile'>{who}</a></h4>\
                 <ul class=user_info><li class=membergroup>Full Member</li><li class=postcount>Posts: 212</li></ul></div>\
                 <div class=postarea><div class=keyinfo><a class=smalltext href=#>{when}, 09:14:00 PM</a></div><div class=post><div class=inner id=msg_{number}>{what}</div></div></div>\
                 <div class=moderatorbar><div class=signature>Fair winds to all who sail and to those who wait.</div></div></div></div>"
            )
        };
        let discuz = |who: &str, when: &str, what: &str, number: u32| {
            format!(
                "<div id=post_{number}><table class=plhin><tr><td class=pls><div class=authi><a class=xw1 href=/s>{who}</a></div><div class=tns>12 threads 340 points</div></td>\
                 <td class=plc><div class=pti><em>Posted on <span title='{when}'>{when}</span></em></div><div class=pct><table><tr><td class=t_f id=postmessage_{number}>{what}</td></tr></table></div>\
                 <div class=po><a href=#>Reply</a> <a href=#>Report</a></div></td></tr></table></div>"
            )
        };
        assert_told(&thread_of(vbulletin));
        assert_told(&thread_of(smf));
        assert_told(&thread_of(discuz));
    }

    #[test]
    fn letters_for_pictures_badges_and_full_names_are_no_part_of_a_name() {
        let xenforo = |who: &str, when: &str, what: &str, number: u32| {
            format!(
                "<article class='message js-post' id=js-post-{number}><div class=message-cell><section class=message-user><div class=message-avatar><a class=avatar href=/m><span class=avatar-u1>{}</span></a></div>\
                 <h4 class=message-name><a class=username href=/m>{who}</a></h4><h5 class=userTitle>Old hand of the harbour</h5><dl><dt>Joined</dt><dd>Apr 13, 2009</dd></dl></section></div>\
                 <div class=message-main><header><time datetime='{when}'>{when}</time></header><article class=message-body><div class=bbWrapper>{what}</div></article>\
                 <aside class=message-signature>Fair winds to all who sail and to those who wait.</aside><footer><a href=#>Like</a> <a href=#>Reply</a></footer></div></article>",
                &who[..1]
            )
        };
        let discourse = |who: &str, when: &str, what: &str, number: u32| {
            format!(
                "<div id=post_{number} class='topic-body crawler-post'><div class=crawler-post-meta><span class=creator itemprop=author itemscope><a itemprop=url href=/u><span itemprop=name>{who}</span> ({who} of the Harbour)</a></span>\
                 <link itemprop=mainEntityOfPage href=/t><span class=crawler-post-infos><time itemprop=datePublished datetime='{when}' class=post-time>{when}</time></span></div>\
                 <div class=post itemprop=text>{what}</div><div class=post-likes>4 Likes</div></div>"
            )
        };
        assert_told(&thread_of(xenforo));
        assert_told(&thread_of(discourse));
    }

    #[test]
    fn initials_for_a_picture_are_no_name_and_a_moment_may_be_a_hint() {
        assert_told(&thread_of(|who, when, what, number| {
            format!(
                "<article id=comment-id-{number} class=js-comment><div class=author-details><div class=author-details-avatar><a href=/i title='Somebody in banking'>IB</a></div>\
                 <span class=author-details__username>{who}</span></div><div class=post-time><span title='{when} - 12:47am'>2y</span></div>\
                 <div class=comment-content>{what}</div></article>"
            )
        }));
    }

    #[test]
    fn the_date_of_a_change_is_not_that_of_a_post_and_a_moment_stands_behind_its_writer() {
        assert_told(&thread_of(|who, when, what, number| {
            format!(
                "<div id=answer-{number} class=answer><div class=s-prose>{what}</div><div class=user-info><div class=user-action-time><a href=/r>edited \
                 <span title='2024-05-09 10:00:00Z' class=relativetime>May 9, 2024 at 10:00</span></a></div><div class=user-details><a href=/e>Editor</a></div></div>\
                 <div class='user-info owner'><div class=user-action-time>answered <span title='{when}' class=relativetime>{when} at 11:38</span></div>\
                 <div class=user-details itemprop=author><a href=/u>{who}</a></div></div></div>"
            )
        }));
        assert_told(&thread_of(|who, when, what, number| {
            format!(
                "<div id=p{number} class='post bg1'><dl class=postprofile><dt><a class=username-coloured href=/u>{who}</a></dt><dd>Posts: 65703</dd></dl><div class=postbody>\
                 <p class=author><a href=#p><img src=i alt=Post></a>by <strong><a class=username-coloured href=/u>{who}</a></strong> &raquo; Tue {when} 4:08 am </p>\
                 <div class=content>{what}</div></div></div>"
            )
        }));
    }

    #[test]
    fn comments_on_an_answer_stand_below_it_and_who_changed_it_did_not_write_it() {
        let user = |who: &str, attributes: &str| {
            format!(
                "<div class=user-details {attributes}><a href=/u>{who}</a><div class=-flair><span class=reputation-score>30.5k</span> \
                 <span>18 gold badges</span> <span>90 silver badges</span> <span>174 bronze badges</span></div></div>"
            )
        };
        let post = |id: &str, who: &str, what: &str, comment: &str| {
            format!(
                "<div id={id} class=answer><div class=votes>12</div><div class=s-prose>{what}</div><div class=user-info>edited <span class=relativetime title='2024-05-09 10:00:00Z'>May 9</span>{}</div>\
                 <div class='user-info owner'>answered <time itemprop=dateCreated datetime=2024-03-03T10:00:00>Mar 3</time>{}</div><ul class=comments>{comment}</ul></div>",
                user("Editor", ""),
                user(who, "itemprop=author")
            )
        };
        let comment = "<li id=comment-4 class=comment itemprop=comment><span class=comment-copy>Mind the wind when you climb up there at night.</span> – \
                       <a class=comment-user href=/u>Dee</a> <span class=comment-date itemprop=datePublished>2024-03-04 08:00:00</span></li>";
        let html = format!(
            "<main><h1>The lamp</h1>{}{}</main>",
            post("question", "Ada", "<p>The lamp on the pier has gone out again. Who has the key to the tower?</p>", ""),
            post("answer-2", "Bo", "<p>The key hangs in the office of the harbour, behind the door.</p>", comment)
        );
        let rows = posted(&html);
        assert_eq!(
            rows[0],
            row(0, "Ada", "2024-03-03T10:00:00", "The lamp on the pier has gone out again. Who has the key to the tower?")
        );
        assert_eq!(rows[1], row(0, "Bo", "2024-03-03T10:00:00", "The key hangs in the office of the harbour, behind the door."));
        assert_eq!(
            (rows[2].0, rows[2].1.as_str(), rows[2].3.as_str()),
            (1, "Dee", "Mind the wind when you climb up there at night.")
        );
    }
}
