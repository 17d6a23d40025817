//! The report: a map of the pages, how the clusters are related, and a page that stands for each. One file that loads nothing.

use super::Clustered;
use std::fmt::Write;
use unchaff_bench::report::{SCRIPT, STYLE, escape};

/// How many pages are drawn at most, spread evenly over all.
const DRAWN: usize = 10_000;
/// How many clusters the dendrogram has at most, the largest ones.
const BRANCHES: usize = 60;
/// How many addresses of a cluster are listed at most.
const LISTED: usize = 100;

const OWN_STYLE: &str = "
:root { --light: 52%; --strong: .15; }
@media (prefers-color-scheme: dark) { :root { --light: 74%; --strong: .13; } }
h2 { text-transform: none; }
.cluster { color: oklch(var(--light) var(--strong) var(--h)); }
.map { border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
.map circle { fill: currentColor; fill-opacity: .55; stroke: var(--raised); stroke-width: .75; }
.map circle:hover { fill-opacity: 1; stroke: var(--ink); }
.map .alone circle { fill-opacity: .12; stroke: currentColor; }
.map .cluster.lit circle { fill-opacity: 1; }
.map:has(.cluster.lit) .cluster:not(.lit) { opacity: .25; }
.map .number { font-weight: 700; fill: var(--ink); paint-order: stroke; stroke: var(--raised); stroke-width: 3; pointer-events: none; }
.tree .branch { stroke: var(--soft); fill: none; }
.tree .cut { stroke: var(--c2); stroke-dasharray: 4 3; }
.tree .cut-label { fill: var(--c2); }
.tree text { fill: var(--ink); }
.tree text tspan { fill: var(--soft); }
.tree .lit text { font-weight: 700; }
.dot { display: inline-block; width: .75em; height: .75em; border-radius: 99px; background: currentColor; margin-right: .5em; }
td.page { text-align: left; white-space: normal; overflow-wrap: anywhere; max-width: 40rem; }
summary { overflow-wrap: anywhere; }
details ul { columns: 24rem; padding-left: 1.2rem; font-size: .875rem; overflow-wrap: anywhere; }
";

pub(super) fn html(clustered: &Clustered) -> String {
    let mut out = String::new();
    let title = format!("Templates of {}", escape(&clustered.source));
    let _ = write!(
        out,
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\"><title>{title}</title><style>{STYLE}{OWN_STYLE}</style></head><body>\
         <a class=skip href='#main'>Skip to the map</a><header><h1>{title}</h1><p class=lead>{}.</p></header><main id=main>",
        escape(&clustered.summary())
    );
    out += &map(clustered);
    out += &tree(clustered);
    out += &clusters(clustered);
    let _ = writeln!(
        out,
        "</main><footer><p>Pages are compared by their structure, never by their words. The report holds all it shows and loads nothing.\
         </p></footer><script>{SCRIPT}</script></body></html>"
    );
    out
}

/// Colours that are far apart for clusters that follow each other, however many there are.
fn hue(rank: usize) -> f64 {
    (150.0 + rank as f64 * 137.508) % 360.0
}

/// A small step away from a place, always the same for a page, so that pages of equal structure do not hide each other.
fn step(page: usize) -> (f64, f64) {
    let turn = page as f64 * 2.399_963;
    let far = 5.0 * ((page % 97) as f64 / 97.0).sqrt();
    (far * turn.cos(), far * turn.sin())
}

fn map(clustered: &Clustered) -> String {
    let [width, height, margin]: [f64; 3] = [960.0, 560.0, 28.0];
    let places = &clustered.found.places;
    let ends = |axis: usize| {
        places.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), place| (low.min(place[axis]), high.max(place[axis])))
    };
    let (x, y) = (ends(0), ends(1));
    let extent = |(low, high): (f32, f32)| f64::from(high - low).max(1e-6);
    let scale = ((width - 2.0 * margin) / extent(x)).min((height - 2.0 * margin) / extent(y));
    let at = |page: usize| {
        let middle = |(low, high): (f32, f32)| f64::from(low + high) / 2.0;
        let place = places[page];
        (width / 2.0 + (f64::from(place[0]) - middle(x)) * scale, height / 2.0 - (f64::from(place[1]) - middle(y)) * scale)
    };
    let count = clustered.urls.len();
    let is_drawn = |page: usize| count <= DRAWN || (page + 1) * DRAWN / count > page * DRAWN / count;
    let radius = match count {
        0..200 => 5.0,
        200..2000 => 4.0,
        _ => 3.0,
    };
    let mut out = String::from(
        "<h2 id=map>Map of the pages</h2><p>Each dot is a page; pages near each other are built alike. Rest the pointer on a dot for its address, \
         or on a line of the table to see where its cluster lies.</p><figure>",
    );
    let _ =
        write!(out, "<svg class='chart map' viewBox='0 0 {width} {height}' role=img aria-label='Map of the pages by structure'>");
    // The small clusters last, so that they are not covered.
    for (rank, cluster) in clustered.by_size.iter().enumerate() {
        let members = &clustered.members[*cluster];
        let alone = if members.len() == 1 { " alone" } else { "" };
        let _ = write!(out, "<g class='cluster{alone}' data-t={} style='--h:{:.0}'>", rank + 1, hue(rank));
        for page in members.iter().filter(|page| is_drawn(**page)) {
            let ((x, y), (dx, dy)) = (at(*page), step(*page));
            let _ = write!(
                out,
                "<circle cx={:.1} cy={:.1} r={radius}><title>{}\ncluster {}</title></circle>",
                x + dx,
                y + dy,
                escape(&clustered.urls[*page]),
                rank + 1
            );
        }
        out += "</g>";
    }
    for (rank, cluster) in
        clustered.by_size.iter().enumerate().take(24).filter(|(_, cluster)| clustered.members[**cluster].len() > 1)
    {
        let (x, y) = at(clustered.found.representatives[*cluster]);
        let _ = write!(out, "<text class=number text-anchor=middle x={x:.1} y={:.1}>{}</text>", y + 4.0, rank + 1);
    }
    let drawn = if count > DRAWN { format!(" {DRAWN} of {count} pages are drawn.") } else { String::new() };
    let _ = write!(
        out,
        "</svg><figcaption>Distances on the plane are as near as can be to those of the pages (multidimensional scaling). Numbers stand at the representatives of the largest \
         clusters; pages alone in their cluster are hollow; equal pages are drawn a little apart.{drawn}</figcaption></figure>"
    );
    out
}

/// A part of the dendrogram that is drawn: where it stands and which of its rows it has.
struct Branch {
    x: f64,
    y: f64,
}

fn tree(clustered: &Clustered) -> String {
    let shown = clustered.by_size.len().min(BRANCHES);
    let merges = &clustered.found.tree.merges;
    if shown < 2 {
        return String::new();
    }
    // Merges between clusters that are shown, or that have taken up one: (row order, then coordinates) in two passes.
    let mut part: Vec<usize> = clustered.rank.clone();
    let mut rows: Vec<Vec<usize>> = (0..part.len()).map(|rank| if rank < shown { vec![rank] } else { Vec::new() }).collect();
    let mut joins: Vec<(usize, usize, f64)> = Vec::new();
    for merge in merges {
        let (one, other) = (part[merge.one as usize], part[merge.other as usize]);
        let (into, from) = (one.min(other), one.max(other));
        part.iter_mut().filter(|part| **part == from).for_each(|part| *part = into);
        let taken = std::mem::take(&mut rows[from]);
        if !taken.is_empty() && !rows[into].is_empty() {
            joins.push((into, from, f64::from(merge.distance)));
        }
        rows[into].extend(taken);
    }
    let order: Vec<usize> = rows.into_iter().flatten().collect();
    let [width, left, line, top]: [f64; 4] = [960.0, 520.0, 20.0, 30.0];
    let height = top + line * shown as f64 + 8.0;
    let farthest = joins.iter().map(|join| join.2).fold(0.05, f64::max);
    let x = |distance: f64| left - 12.0 - distance / farthest * (left - 40.0);
    let mut out = String::from(
        "<h2 id=tree>How the clusters are related</h2><p>Clusters that meet far to the right are built alike; a template in two variants shows as two \
         clusters that meet soon.</p><figure>",
    );
    let _ =
        write!(out, "<svg class='chart tree' viewBox='0 0 {width} {height}' role=img aria-label='Dendrogram of the clusters'>");
    let ticks = if farthest > 0.35 { 0.2 } else { 0.05 };
    for tick in (0..=20).map(|at| f64::from(at) * ticks).take_while(|tick| *tick <= farthest + 1e-9) {
        let at = x(tick);
        let _ = write!(
            out,
            "<path class=grid d='M{at:.1} {top}V{height}'/><text class=tick text-anchor=middle x={at:.1} y=16>{tick:.2}</text>"
        );
    }
    let mut branches: Vec<Branch> = (0..clustered.rank.len()).map(|_| Branch { x: x(0.0), y: 0.0 }).collect();
    for (row, rank) in order.iter().enumerate() {
        let cluster = clustered.by_size[*rank];
        let y = top + line * (row as f64 + 0.5);
        branches[*rank].y = y;
        let address = clustered.representative(cluster);
        let plain = address.split_once("://").map_or(address, |(_, rest)| rest);
        let short: String = plain.chars().skip(plain.chars().count().saturating_sub(46)).collect();
        let cut = if short.len() < plain.len() { "…" } else { "" };
        let _ = write!(
            out,
            "<g data-t={0}><title>{1}</title><g class=cluster style='--h:{2:.0}'><circle fill=currentColor cx={left} cy={y:.1} r=5 /></g>\
             <text x={3} y={4:.1}>{0} <tspan>· {5} pages · {cut}{6}</tspan></text></g>",
            rank + 1,
            escape(address),
            hue(*rank),
            left + 12.0,
            y + 4.0,
            clustered.members[cluster].len(),
            escape(&short)
        );
    }
    for (into, from, distance) in joins {
        let at = x(distance);
        let (one, other) = (&branches[into], &branches[from]);
        let _ = write!(out, "<path class=branch d='M{:.1} {:.1}H{at:.1}V{:.1}H{:.1}'/>", one.x, one.y, other.y, other.x);
        branches[into] = Branch { x: at, y: (one.y + other.y) / 2.0 };
    }
    if let Some(threshold) = clustered.found.threshold.filter(|threshold| *threshold <= farthest) {
        let at = x(threshold);
        let _ = write!(
            out,
            "<path class=cut d='M{at:.1} {top}V{height}'/><text class=cut-label text-anchor=middle x={at:.1} y=28>cut</text>"
        );
    }
    let more = clustered.by_size.len() - shown;
    let hidden = if more > 0 { format!(" The {more} smallest clusters are left out.") } else { String::new() };
    let _ = write!(out, "</svg><figcaption>Distance at which clusters meet.{hidden}</figcaption></figure>");
    out
}

fn clusters(clustered: &Clustered) -> String {
    let mut out = String::from(
        "<h2 id=clusters>Clusters</h2><p>The representative is the page that is nearest to all others of its cluster; the spread is their mean distance \
         to it.</p><div class=scroll><table class=sorts><thead><tr><th class=t>cluster<th>pages<th>share<th>spread<th>nearest<th class=t>representative</tr>\
         </thead><tbody>",
    );
    for (rank, cluster) in clustered.by_size.iter().enumerate() {
        let pages = clustered.members[*cluster].len();
        let share = 100.0 * pages as f64 / clustered.urls.len() as f64;
        let (value, nearest) = clustered.nearest(*cluster).map_or((f32::NAN, "–".to_owned()), |(other, distance)| {
            (distance, format!("{distance:.2} to {}", clustered.rank[other] + 1))
        });
        let _ = write!(
            out,
            "<tr data-t={0}><th scope=row data-v={0}><span class=cluster style='--h:{1:.0}'><i class=dot></i></span>{0}<td data-v={pages}>{pages}\
             <td data-v={share}>{share:.1} %<td data-v={2}>{2:.2}<td data-v={value}>{nearest}<td class=page>{3}</tr>",
            rank + 1,
            hue(rank),
            clustered.found.spread[*cluster],
            link(clustered.representative(*cluster))
        );
    }
    out += "</tbody></table></div><h3>Pages</h3>";
    // What is alone stands in the table already.
    for (rank, cluster) in clustered.by_size.iter().enumerate().take_while(|(_, cluster)| clustered.members[**cluster].len() > 1)
    {
        let members = &clustered.members[*cluster];
        let _ = write!(
            out,
            "<details><summary><b>{}</b>{} <small>{}</small></summary><ul>",
            rank + 1,
            members.len(),
            escape(clustered.representative(*cluster))
        );
        members.iter().take(LISTED).for_each(|page| out += &format!("<li>{}</li>", link(&clustered.urls[*page])));
        out += "</ul>";
        if members.len() > LISTED {
            let _ = write!(out, "<p class=note>and {} more; --format json lists all.</p>", members.len() - LISTED);
        }
        out += "</details>";
    }
    out
}

/// A link to an address of the web; plain text for any other.
fn link(address: &str) -> String {
    let text = escape(address);
    let is_web = address.starts_with("http://") || address.starts_with("https://");
    if is_web { format!("<a href='{text}' rel='noreferrer nofollow'>{text}</a>") } else { text }
}
