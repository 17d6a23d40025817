//! TEI: XML as the Text Encoding Initiative (P5) has it, for corpora and their tools.
//!
//! It is made of the clean HTML, whose elements are properly nested. The header says what the page says about itself. Headings that stand by themselves open divisions, nested by
//! their levels; a heading inside an item or a quote is an anonymous block. What TEI allows in one place only, it gets there: descriptions of pictures and captions
//! in figures, labels and items in lists. Where TEI has running text only (paragraphs, labels, captions), headings and paragraphs are pieces of it, and code is text and nothing else. Attributes have values that their types allow, or are left out.

use crate::{Extraction, MetadataRecord, ValueRecord};
use std::collections::HashSet;
use std::fmt::Write as _;
use unchaff_dom::{NodeId, Page, Tag};

impl Extraction<'_> {
    /// A TEI document: the header with the metadata, and the block as its body.
    ///
    /// ```
    /// use unchaff::{Extractor, Page};
    ///
    /// let page = Page::parse("<html lang=en><title>Rain</title><h1>Rain</h1><p>It rained <b>all day</b> and all night, and nobody came.</p>");
    /// let tei = Extractor::new().extract(&page).tei();
    /// assert!(tei.contains("<head>Rain</head>\n<p>It rained <hi rend=\"bold\">all day</hi> and all night, and nobody came.</p>"));
    /// ```
    #[must_use]
    pub fn tei(&self) -> String {
        let metadata = self.metadata();
        let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"".to_owned();
        if let Some(language) = &metadata.language {
            push_attribute(&mut out, "xml:lang", &language.value);
        }
        out.push_str(">\n");
        self.push_header(&mut out, &metadata);
        out.push_str("<text>\n<body>\n");
        let clean = Page::parse(self.html());
        let mut writer = Writer {
            page: &clean,
            out,
            divisions: Vec::new(),
            ids: HashSet::new(),
            code: 0,
            labels: 0,
            wrapped: Vec::new(),
            has_blocks: false,
            last_part: None,
        };
        writer.body();
        writer.out + "</body>\n</text>\n</TEI>\n"
    }

    fn push_header(&self, out: &mut String, metadata: &MetadataRecord) {
        let value = |found: &Option<ValueRecord>| found.as_ref().map(|found| found.value.clone());
        out.push_str("<teiHeader>\n<fileDesc>\n<titleStmt>\n");
        push_element(out, "title", &value(&metadata.title).unwrap_or_default());
        metadata.author.iter().for_each(|author| push_element(out, "author", &author.value));
        out.push_str("</titleStmt>\n<publicationStmt>\n");
        push_element(out, "publisher", &value(&metadata.site_name).unwrap_or_else(|| self.host()));
        if let Some(licence) = value(&metadata.licence) {
            out.push_str("<availability>\n<licence");
            if is_address(&licence) {
                push_attribute(out, "target", &licence);
            }
            out.push_str("><p>");
            push_escaped(out, &licence);
            out.push_str("</p></licence>\n</availability>\n");
        }
        if let Some(published) = value(&metadata.published) {
            push_date(out, "date", &published, &[]);
        }
        out.push_str("</publicationStmt>\n<sourceDesc>\n<bibl>\n");
        push_element(out, "title", &value(&metadata.title).unwrap_or_default());
        if let Some(address) = value(&metadata.canonical).or_else(|| self.page().url_to_show().map(ToString::to_string)) {
            out.push_str("<ref");
            push_attribute(out, "target", &address);
            out.push('>');
            push_escaped(out, &address);
            out.push_str("</ref>\n");
        }
        out.push_str("</bibl>\n</sourceDesc>\n</fileDesc>\n<encodingDesc>\n<appInfo>\n");
        let _ = writeln!(
            out,
            "<application ident=\"unchaff\" version=\"{}\"><label>unchaff, {}</label></application>",
            env!("CARGO_PKG_VERSION"),
            self.technique()
        );
        out.push_str("</appInfo>\n</encodingDesc>\n<profileDesc>\n");
        if let Some(description) = value(&metadata.description) {
            out.push_str("<abstract><p>");
            push_escaped(out, &description);
            out.push_str("</p></abstract>\n");
        }
        if let Some(language) = value(&metadata.language) {
            out.push_str("<langUsage><language");
            push_attribute(out, "ident", &language);
            out.push('>');
            push_escaped(out, &language);
            out.push_str("</language></langUsage>\n");
        }
        let words = |kind: &str, terms: &[ValueRecord], out: &mut String| {
            if !terms.is_empty() {
                let _ = writeln!(out, "<keywords n=\"{kind}\">");
                terms.iter().for_each(|term| push_element(out, "term", &term.value));
                out.push_str("</keywords>\n");
            }
        };
        if !(metadata.tags.is_empty() && metadata.categories.is_empty()) {
            out.push_str("<textClass>\n");
            words("categories", &metadata.categories, out);
            words("tags", &metadata.tags, out);
            out.push_str("</textClass>\n");
        }
        out.push_str("</profileDesc>\n");
        if let Some(modified) = value(&metadata.modified) {
            out.push_str("<revisionDesc>\n");
            push_date(out, "change", &modified, &[]);
            out.push_str("</revisionDesc>\n");
        }
        out.push_str("</teiHeader>\n");
    }

    fn host(&self) -> String {
        self.page().url_to_show().and_then(|url| url.host_str()).unwrap_or("unknown").to_owned()
    }
}

struct Writer<'p> {
    page: &'p Page,
    out: String,
    /// The levels of the headings whose divisions are open.
    divisions: Vec<u8>,
    ids: HashSet<&'p str>,
    /// How many pieces of code are open.
    code: usize,
    /// How many labels of terms are open, which hold nothing but running text.
    labels: usize,
    /// Pieces of running text that stand where there are only blocks, and so in paragraphs of their own.
    wrapped: Vec<NodeId>,
    /// Whether the innermost division has a block.
    has_blocks: bool,
    /// What ended last of a list of terms.
    last_part: Option<Tag>,
}

impl<'p> Writer<'p> {
    fn body(&mut self) {
        let Some(body) = self.page.body() else { return self.out.push_str("<p/>\n") };
        // Elements that are open, with what ends them.
        let mut open: Vec<(NodeId, &'static str)> = Vec::new();
        let end = self.page.end(body);
        let mut next = NodeId(body.0 + 1);
        let mut is_empty = true;
        while next < end {
            let node = next;
            while let Some((last, after)) = open.pop_if(|(last, _)| self.page.end(*last) <= node) {
                self.leave(last, after);
            }
            next = NodeId(node.0 + 1);
            match self.page.tag(node) {
                Tag::Text => self.text(node, open.is_empty()),
                tag if self.page.is_element(node) => {
                    is_empty = false;
                    let is_loose = self.is_loose(node, tag);
                    if is_loose {
                        self.out.push_str("<p>");
                        self.wrapped.push(node);
                    }
                    match self.enter(node, tag, open.is_empty()) {
                        Some(after) => {
                            self.code += usize::from(is_code(tag));
                            self.labels += usize::from(tag == Tag::Dt);
                            open.push((node, after));
                        }
                        None => {
                            next = self.page.end(node);
                            self.unwrap(node);
                        }
                    }
                }
                _ => {}
            }
        }
        while let Some((last, after)) = open.pop() {
            self.leave(last, after);
        }
        let has_divisions = !self.divisions.is_empty();
        self.close_divisions(0);
        if is_empty || !has_divisions && !self.has_blocks {
            self.out.push_str("<p/>\n");
        }
    }

    fn leave(&mut self, node: NodeId, after: &str) {
        if self.labels == 0 && self.page.tag(node) == Tag::Dl && self.last_part == Some(Tag::Dt) {
            self.out.push_str("<item/>\n");
        }
        if matches!(self.page.tag(node), Tag::Dt | Tag::Dd | Tag::Dl) {
            self.last_part = Some(self.page.tag(node));
        }
        if self.labels == 0
            && self.code == 0
            && self.page.tag(node) == Tag::Details
            && !self.page.element_children(node).any(|child| matches!(self.page.tag(child), Tag::Summary | Tag::P))
        {
            self.out.push_str("<p/>\n");
        }
        self.out.push_str(after);
        self.unwrap(node);
        let tag = self.page.tag(node);
        self.code -= usize::from(is_code(tag));
        self.labels -= usize::from(tag == Tag::Dt);
    }

    fn unwrap(&mut self, node: NodeId) {
        if self.wrapped.pop_if(|last| *last == node).is_some() {
            self.out.push_str("</p>\n");
        }
    }

    /// Whether an element is a piece of running text that has no paragraph around it.
    fn is_loose(&self, node: NodeId, tag: Tag) -> bool {
        let above = self.page.parent(node).map(|above| self.page.tag(above));
        let is_picture =
            above == Some(Tag::Figure) && (tag == Tag::Img || tag == Tag::A && self.page.text(node).trim().is_empty());
        matches!(above, Some(Tag::Figure | Tag::Details)) && is_phrase(tag) && !is_picture && self.code == 0 && self.labels == 0
    }

    /// Whether an element stands in running text.
    fn is_in_phrase(&self, node: NodeId) -> bool {
        // Figures hold blocks wherever they stand, and what can be unfolded is a text of its own.
        let mut around = self
            .page
            .ancestors(node)
            .map(|above| self.page.tag(above))
            .take_while(|tag| !matches!(tag, Tag::Details | Tag::Figure));
        self.labels > 0 || around.any(holds_phrases)
    }

    fn text(&mut self, node: NodeId, is_outside: bool) {
        let text = self.page.string(node);
        let is_between = is_outside || self.page.parent(node).is_some_and(|parent| holds_parts(self.page.tag(parent)));
        if is_between && text.trim().is_empty() {
            return;
        }
        // These have paragraphs, but no text of their own.
        let is_bare = self.labels == 0
            && self.code == 0
            && self.page.parent(node).is_some_and(|parent| matches!(self.page.tag(parent), Tag::Figure | Tag::Details));
        self.out.push_str(if is_bare { "<p>" } else { "" });
        push_escaped(&mut self.out, text);
        self.out.push_str(if is_bare { "</p>\n" } else { "" });
    }

    fn close_divisions(&mut self, level: u8) {
        while self.divisions.pop_if(|last| *last >= level).is_some() {
            // A division has more than a heading.
            if !std::mem::replace(&mut self.has_blocks, true) {
                self.out.push_str("<p/>\n");
            }
            self.out.push_str("</div>\n");
        }
    }

    /// Writes what an element begins with; what ends it, or none if all of it is written.
    fn enter(&mut self, node: NodeId, tag: Tag, is_outside: bool) -> Option<&'static str> {
        use Tag::*;
        if self.code > 0 {
            self.out.push_str(if tag == Br { "\n" } else { "" });
            return Some("");
        }
        if self.labels > 0 && !is_phrase(tag) {
            return Some(" ");
        }
        if let Some(level) = tag.heading_level() {
            if !is_outside && self.is_in_phrase(node) {
                return Some(self.start(node, "hi", &[("rend", "head")], "</hi>"));
            }
            if !is_outside {
                return Some(self.start(node, "ab", &[("type", "head")], "</ab>\n"));
            }
            self.close_divisions(level);
            self.start(
                node,
                "div",
                &[("type", "section"), ("n", ["1", "2", "3", "4", "5", "6"][usize::from(level.clamp(1, 6)) - 1])],
                "",
            );
            self.out.push_str("\n<head>");
            self.divisions.push(level);
            self.has_blocks = false;
            return Some("</head>\n");
        }
        // Pictures and rules may stand anywhere, and are not enough of a division.
        self.has_blocks |= is_outside && !matches!(tag, Figure | Img | Hr | Br);
        let bold = [("rend", "bold")];
        let italic = [("rend", "italic")];
        Some(match tag {
            P if self.is_in_phrase(node) => self.start(node, "seg", &[], "</seg>"),
            P => self.start(node, "p", &[], "</p>\n"),
            Ul => self.start_block(node, "list", &[("rend", "bulleted")], "</list>\n"),
            Ol => self.start_block(node, "list", &[("rend", "numbered")], "</list>\n"),
            Dl => self.start_block(node, "list", &[("type", "gloss")], "</list>\n"),
            Li => self.start(node, "item", &[], "</item>\n"),
            // Labels and items come in pairs.
            Dt | Dd => {
                let is_first = self.page.parent(node).and_then(|list| self.page.element_children(list).next()) == Some(node);
                match (tag, self.last_part.filter(|_| !is_first)) {
                    (Dt, Some(Dt)) => self.out.push_str("<item/>\n"),
                    (Dd, Some(Dd | Dl) | None) => self.out.push_str("<label/>\n"),
                    _ => {}
                }
                let (name, after) = if tag == Dt { ("label", "</label>\n") } else { ("item", "</item>\n") };
                self.start(node, name, &[], after)
            }
            Blockquote => self.start_block(node, "quote", &[], "</quote>\n"),
            Details => self.start_block(node, "floatingText", &[("type", "details")], "</body></floatingText>\n"),
            Summary => self.start(node, "p", &[("rend", "summary")], "</p>\n"),
            Figure => self.start_block(node, "figure", &[], "</figure>\n"),
            Figcaption => self.start(node, "p", &[], "</p>\n"),
            Table => self.start_block(node, "table", &[], "</table>\n"),
            Caption => self.start(node, "head", &[], "</head>\n"),
            Thead | Tbody | Tfoot => "",
            Tr => self.start_block(node, "row", &[], "</row>\n"),
            Td | Th => self.cell(node, tag),
            Pre => {
                let language = self.page.classes(node).find_map(|class| class.strip_prefix("language-"));
                let is_block = !self.is_in_phrase(node);
                if is_block {
                    self.start(node, "ab", &[("type", "code"), ("xml:space", "preserve")], "");
                }
                let attributes: Vec<(&str, &str)> =
                    language.filter(|name| is_name(name)).map(|name| ("lang", name)).into_iter().collect();
                self.start(node, "code", &attributes, if is_block { "</code></ab>\n" } else { "</code>" })
            }
            Code | Kbd | Samp => self.start(node, "code", &[], "</code>"),
            A if self.wrapped.is_empty() && self.labels == 0 && self.is_in_figure(node) => "",
            A => match self.page.attr(node, "href") {
                Some(href) => {
                    let href = href.to_owned();
                    self.start(node, "ref", &[("target", &href)], "</ref>")
                }
                None => "",
            },
            B | Strong => self.start(node, "hi", &bold, "</hi>"),
            I | Em | Cite | Var => self.start(node, "hi", &italic, "</hi>"),
            U => self.start(node, "hi", &[("rend", "underline")], "</hi>"),
            Mark => self.start(node, "hi", &[("rend", "mark")], "</hi>"),
            Small => self.start(node, "hi", &[("rend", "small")], "</hi>"),
            Sup => self.start(node, "hi", &[("rend", "superscript")], "</hi>"),
            Sub => self.start(node, "hi", &[("rend", "subscript")], "</hi>"),
            Dfn => self.start(node, "term", &[], "</term>"),
            Abbr => self.start(node, "abbr", &[], "</abbr>"),
            Q => self.start(node, "q", &[], "</q>"),
            Del | S => self.start(node, "del", &[], "</del>"),
            Ins => self.start(node, "add", &[], "</add>"),
            Time => {
                let date = self.page.attr(node, "datetime").filter(|date| is_date(date)).map(str::to_owned);
                let attributes: Vec<(&str, &str)> = date.as_deref().map(|date| ("when", date)).into_iter().collect();
                self.start(node, "date", &attributes, "</date>")
            }
            Br => {
                self.out.push_str("<lb/>");
                return None;
            }
            Hr => {
                self.out.push_str("<milestone unit=\"section\" rend=\"rule\"/>\n");
                return None;
            }
            Img => {
                self.image(node);
                return None;
            }
            Audio | Video => {
                self.media(node, tag);
                return None;
            }
            Math => {
                self.formula(node);
                return None;
            }
            Rp => return None,
            Rt => {
                self.out.push('(');
                ")"
            }
            _ => "",
        })
    }

    fn start(&mut self, node: NodeId, name: &str, attributes: &[(&str, &str)], after: &'static str) -> &'static str {
        self.out.extend(["<", name]);
        let page = self.page;
        if let Some(id) = page.attr(node, "id").filter(|id| is_name(id))
            && self.ids.insert(id)
        {
            push_attribute(&mut self.out, "xml:id", id);
        }
        if let Some(language) = page.attr(node, "lang").filter(|language| is_language(language)) {
            push_attribute(&mut self.out, "xml:lang", language);
        }
        attributes.iter().for_each(|(name, value)| push_attribute(&mut self.out, name, value));
        self.out.push('>');
        if name == "floatingText" {
            self.out.push_str("<body>");
        }
        after
    }

    /// The same for an element that holds others on lines of their own.
    fn start_block(&mut self, node: NodeId, name: &str, attributes: &[(&str, &str)], after: &'static str) -> &'static str {
        self.start(node, name, attributes, "");
        self.out.push('\n');
        after
    }

    fn cell(&mut self, node: NodeId, tag: Tag) -> &'static str {
        let page = self.page;
        let span = |name| page.attr(node, name).and_then(|span| span.trim().parse::<u32>().ok()).filter(|span| *span > 1);
        let (columns, rows) = (span("colspan").map(|span| span.to_string()), span("rowspan").map(|span| span.to_string()));
        let role = (tag == Tag::Th).then_some(("role", "label"));
        let attributes: Vec<(&str, &str)> = role
            .into_iter()
            .chain(columns.as_deref().map(|span| ("cols", span)))
            .chain(rows.as_deref().map(|span| ("rows", span)))
            .collect();
        self.start(node, "cell", &attributes, "</cell>\n")
    }

    /// Whether a figure is around an element, with nothing but links between.
    fn is_in_figure(&self, node: NodeId) -> bool {
        let mut above = self.page.ancestors(node).filter(|above| self.page.tag(*above) != Tag::A);
        above.next().is_some_and(|above| self.page.tag(above) == Tag::Figure)
    }

    /// A picture; its description needs a figure, which can stand in running text too.
    fn image(&mut self, node: NodeId) {
        let page = self.page;
        let source = page.attr(node, "src").unwrap_or_default();
        let is_in_figure = self.wrapped.is_empty() && self.labels == 0 && self.is_in_figure(node);
        if !is_in_figure {
            self.out.push_str("<figure>");
        }
        self.out.push_str("<graphic");
        push_attribute(&mut self.out, "url", source);
        self.out.push_str("/>");
        if let Some(description) = page.attr(node, "alt").filter(|alt| !alt.trim().is_empty()) {
            push_element(&mut self.out, "figDesc", description.trim());
        }
        if !is_in_figure {
            self.out.push_str("</figure>");
        }
    }

    fn media(&mut self, node: NodeId, tag: Tag) {
        let source = self.page.attr(node, "src").unwrap_or_default();
        self.out.push_str("<ref");
        push_attribute(&mut self.out, "type", tag.name());
        push_attribute(&mut self.out, "target", source);
        self.out.push('>');
        push_escaped(&mut self.out, source);
        self.out.push_str("</ref>");
    }

    /// A formula as TeX, which clean HTML has in an attribute.
    fn formula(&mut self, node: NodeId) {
        let tex = self.page.attr(node, "alttext").unwrap_or_else(|| self.page.text(node));
        self.out.push_str("<formula notation=\"TeX\">");
        push_escaped(&mut self.out, tex.trim());
        self.out.push_str("</formula>");
    }
}

/// Whether TEI has running text where an element stands, and no paragraph.
fn holds_phrases(tag: Tag) -> bool {
    use Tag::*;
    tag.heading_level().is_some()
        || matches!(tag, P | Summary | Figcaption | Caption | Dt | A | B | Strong | I | Em | Cite | Var | U | Mark | Small | Sup)
        || matches!(tag, Sub | Dfn | Abbr | Del | S | Ins | Time)
}

/// Elements of code, whose markup does not come out.
fn is_code(tag: Tag) -> bool {
    matches!(tag, Tag::Pre | Tag::Code | Tag::Kbd | Tag::Samp)
}

/// Whether what an element becomes is a piece of running text.
fn is_phrase(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, A | B | Strong | I | Em | Cite | Var | U | Mark | Small | Sup | Sub | Dfn | Abbr | Q | Del | S | Ins | Time)
        || matches!(tag, Code | Kbd | Samp | Br | Img | Math | Rp | Rt | Ruby | Audio | Video | Span)
}

/// Whether an element holds nothing but others.
fn holds_parts(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Ul | Ol | Dl | Table | Thead | Tbody | Tfoot | Tr | Blockquote | Figure | Details)
}

fn push_element(out: &mut String, name: &str, text: &str) {
    out.extend(["<", name, ">"]);
    push_escaped(out, text);
    out.extend(["</", name, ">\n"]);
}

fn push_date(out: &mut String, name: &str, date: &str, attributes: &[(&str, &str)]) {
    out.extend(["<", name]);
    attributes.iter().for_each(|(name, value)| push_attribute(out, name, value));
    if is_date(date) {
        push_attribute(out, "when", date);
    }
    out.push('>');
    push_escaped(out, date);
    out.extend(["</", name, ">\n"]);
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.extend([" ", name, "=\""]);
    let is_address = matches!(name, "target" | "url");
    for character in value.trim().chars() {
        match character {
            '"' => out.push_str("&quot;"),
            '\n' | '\t' | '\r' if !is_address => out.push(' '),
            // Attributes that hold several addresses divide them by spaces.
            ' ' if is_address => out.push_str("%20"),
            character => push_character(out, character),
        }
    }
    out.push('"');
}

fn push_escaped(out: &mut String, text: &str) {
    text.chars().for_each(|character| push_character(out, character));
}

/// Writes a character that XML 1.0 has, and no other.
fn push_character(out: &mut String, character: char) {
    match character {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\r' => out.push_str("&#13;"),
        '\t' | '\n' => out.push(character),
        '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => {}
        character => out.push(character),
    }
}

/// Whether a text is a date, with or without a time, of the types of XML Schema.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let is_day = digits(0..4) && bytes.get(4) == Some(&b'-') && digits(5..7) && bytes.get(7) == Some(&b'-') && digits(8..10);
    let is_time = || {
        let is_clock = bytes.get(10) == Some(&b'T') && digits(11..13) && bytes.get(13) == Some(&b':') && digits(14..16);
        let zone = |at: usize| match bytes.get(at..) {
            Some([] | [b'Z']) => true,
            Some([b'+' | b'-', rest @ ..]) => {
                rest.len() == 5 && rest[2] == b':' && rest.iter().filter(|byte| byte.is_ascii_digit()).count() == 4
            }
            _ => false,
        };
        is_clock && bytes.get(16) == Some(&b':') && digits(17..19) && zone(19)
    };
    is_day && (bytes.len() == 10 || is_time())
}

/// Whether a text can be a name in XML, without a colon. Of other scripts only what is surely one.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
}

fn is_language(text: &str) -> bool {
    (2..=35).contains(&text.len())
        && text.split('-').all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

#[cfg(test)]
mod tests;
