//! The clusters as a table, each with the page that stands for it and what that looks like, and the pages of each.

use super::{Ranked, hue};
use crate::report::escape;
use std::fmt::Write;
use unchaff_site::clustering::skeleton::{FULL, Mark, Skeleton};

/// How many pages of a cluster are listed at most.
const LISTED: usize = 100;
/// How many clusters have a picture, the largest ones.
const PICTURED: usize = 200;

/// A page as a small picture of its lines.
fn picture(skeleton: &Skeleton) -> String {
    let [width, line, margin]: [usize; 3] = [72, 2, 4];
    let height = (skeleton.lines.len() * line + 2 * margin).max(24);
    let mut out = format!("<svg class='skeleton' width={width} height={height} viewBox='0 0 {width} {height}' aria-hidden=true>");
    let marks = [
        (Mark::Text, "text"),
        (Mark::Link, "link"),
        (Mark::Heading, "heading"),
        (Mark::Picture, "picture"),
        (Mark::Field, "field"),
    ];
    for (mark, class) in marks {
        let mut path = String::new();
        for (at, of) in skeleton.lines.iter().enumerate().filter(|(_, of)| of.mark == mark) {
            let from = margin + 4 * usize::from(of.indent);
            let length = (width - from - margin) * usize::from(of.length.min(FULL)) / usize::from(FULL);
            let _ = write!(path, "M{from} {}h{}", margin + at * line + 1, length.max(2));
        }
        if !path.is_empty() {
            let thick = if mark == Mark::Heading { "1.8" } else { "1.2" };
            let _ = write!(out, "<path class={class} stroke-width={thick} d='{path}'/>");
        }
    }
    out + "</svg>"
}

impl Ranked<'_> {
    pub(super) fn clusters(&self) -> String {
        let record = self.report.record;
        let mut out = String::from(
            "<h2 id=clusters>Clusters</h2><p>The representative is the page that is nearest to all others of its cluster; the spread is their mean distance \
             to it. The picture has its lines: <span class=c6>text</span>, <span class=c1>links</span>, <b>headings</b>, <span class=c3>pictures</span>, \
             <span class=c2>fields</span>.</p><div class=scroll><table class=sorts><thead><tr><th class=t>cluster<th>pages<th>share<th>spread<th>nearest<th class=t>looks<th class=t>representative</tr>\
             </thead><tbody>",
        );
        for (rank, cluster) in record.clusters.iter().enumerate() {
            let share = 100.0 * cluster.pages as f64 / record.pages as f64;
            let card = &self.report.pages[self.representatives[rank]];
            let (value, nearest) =
                record.nearest(cluster.cluster).map_or((String::new(), "–".to_owned()), |(other, distance)| {
                    (distance.to_string(), format!("{distance:.2} to {other}"))
                });
            let look = if rank < PICTURED { picture(&card.skeleton) } else { String::new() };
            let _ = write!(
                out,
                "<tr data-t={0}><th scope=row data-v={0}><span class=cluster style='--h:{1:.0}'><i class=dot></i></span>{0}<td data-v={2}>{2}\
                 <td data-v={share}>{share:.1} %<td data-v={3}>{3:.2}<td data-v='{value}'>{nearest}<td class=look>{look}<td class=page><b>{4}</b><small>{5}</small></tr>",
                cluster.cluster,
                hue(rank),
                cluster.pages,
                cluster.spread,
                card.link(),
                escape(&cluster.label)
            );
        }
        out += "</tbody></table></div><h3>Pages</h3>";
        // What is alone stands in the table already.
        for (rank, members) in self.members.iter().enumerate().take_while(|(_, members)| members.len() > 1) {
            let label = &record.clusters[rank].label;
            let _ = write!(
                out,
                "<details><summary><b>{}</b>{} pages <small>{}</small></summary><ul>",
                rank + 1,
                members.len(),
                escape(label)
            );
            for card in members.iter().take(LISTED).map(|page| &self.report.pages[*page]) {
                let _ = write!(out, "<li>{} <small>{}</small></li>", card.link(), escape(&card.url));
            }
            out += "</ul>";
            if members.len() > LISTED {
                let _ = write!(out, "<p class=note>and {} more; --format json lists all.</p>", members.len() - LISTED);
            }
            out += "</details>";
        }
        out
    }
}
