//! Lines of text in nested blocks: what plain text and Markdown have in common.
//!
//! Blocks ask for a gap (a new line, or a blank one); it is written only when something follows, so that gaps never add up
//! and never stand at an end. Lists and quotes put a prefix before each of their lines; an item's marker replaces the
//! indentation on its first. The blank line between two blocks carries the prefix of those blocks only that hold both.
//!
//! An item is loose if a blank line was written inside it; only then is one written after it.

use super::anchors::Mark;
use super::numbering::Letters;
use super::wrap::Wrap;
use std::fmt::Write as _;

/// What separates the next piece of text from the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Gap {
    /// Nothing: the line goes on.
    None,
    /// A break inside a paragraph.
    Break,
    /// A new line.
    Line,
    /// A blank line.
    Blank,
}

/// What a block puts before its lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marker {
    /// `> ` before each line.
    Quote,
    /// A bullet on the first line.
    Bullet(char),
    /// A number and a delimiter on the first line.
    Number(u64, char),
    /// Letters or a Roman number on the first line; behind a bullet, where they alone would be no item.
    Letters(Letters, Option<char>),
    /// The mark of a note on the first line.
    Note(Mark),
    /// As many spaces before each line, as if the last item went on.
    Indent(usize),
}

/// Deeper blocks have no prefix of their own: it would make the text grow with the square of the depth.
const MOST_NESTED: usize = 20;

#[derive(Debug)]
struct Container {
    /// None: too deep to be seen.
    marker: Option<Marker>,
    is_pending: bool,
    is_loose: bool,
    /// Where its piece of the prefix ends.
    prefix_end: usize,
}

/// Text in the making.
#[derive(Debug)]
pub(super) struct Lines {
    /// What is written so far.
    pub(super) out: String,
    /// White space that is written if text follows on the same line.
    pub(super) space: bool,
    /// Where the text of the current line starts, after its prefix.
    pub(super) line_start: usize,
    /// Whether a line stands for itself, as in plain text; in Markdown it would run on in the paragraph before it.
    is_plain: bool,
    gap: Gap,
    containers: Vec<Container>,
    prefix: String,
    /// How many containers have been open all the time since the last text.
    shared: usize,
    /// How many items are open of which nothing is written yet.
    pending: usize,
    /// Where lines may be broken, if they are to be.
    wrap: Option<Wrap>,
}

impl Lines {
    pub(super) fn new(capacity: usize, is_plain: bool) -> Lines {
        Lines {
            out: String::with_capacity(capacity),
            space: false,
            line_start: 0,
            is_plain,
            gap: Gap::Blank,
            containers: Vec::new(),
            prefix: String::new(),
            shared: 0,
            pending: 0,
            wrap: None,
        }
    }

    /// Has lines of running text broken at a width.
    pub(super) fn wrap_at(&mut self, width: Option<usize>) {
        self.wrap = width.map(|width| Wrap::new(width, self.is_plain));
    }

    /// The line that was just started is no running text.
    pub(super) fn keep_line(&mut self) {
        if let Some(wrap) = &mut self.wrap {
            wrap.keep(self.line_start);
        }
    }

    /// Asks for at least this gap before the next text. The first block of an item needs none.
    pub(super) fn ask(&mut self, gap: Gap) {
        if self.pending == 0 {
            self.gap = self.gap.max(gap);
        }
        self.space = false;
    }

    /// A line break of the page's author; two make a paragraph.
    pub(super) fn ask_break(&mut self) {
        self.ask(if self.gap == Gap::None { Gap::Break } else { Gap::Blank });
    }

    /// The gap before a list: none more than a new line if it belongs to the text of an item.
    pub(super) fn ask_list(&mut self, may_be_tight: bool) {
        if self.pending == 0 {
            let is_tight = may_be_tight && self.containers.last().is_some_and(|item| item.is_item() && !item.is_loose);
            self.gap = if is_tight { Gap::Line } else { Gap::Blank };
        }
        self.space = false;
    }

    /// Whether the next text starts a line.
    pub(super) fn is_at_start(&self) -> bool {
        self.gap != Gap::None
    }

    /// Whether the next text is the first of a list item.
    pub(super) fn is_marker_pending(&self) -> bool {
        self.pending > 0
    }

    /// Opens a block with a prefix.
    pub(super) fn open(&mut self, marker: Marker) {
        let marker = (self.containers.len() < MOST_NESTED).then_some(marker);
        let width = match marker {
            None => 0,
            Some(Marker::Quote) => {
                self.prefix.push_str("> ");
                0
            }
            Some(Marker::Bullet(_)) => 2,
            Some(Marker::Number(number, _)) => number.checked_ilog10().unwrap_or(0) as usize + 3,
            Some(Marker::Letters(_, Some(_))) => 2,
            Some(Marker::Letters(letters, None)) => letters.as_str().len() + 2,
            Some(Marker::Note(_)) => 4,
            Some(Marker::Indent(width)) => width,
        };
        self.prefix.extend(std::iter::repeat_n(' ', width));
        let is_pending = matches!(marker, Some(Marker::Bullet(_) | Marker::Number(..) | Marker::Letters(..) | Marker::Note(_)));
        self.pending += usize::from(is_pending);
        self.containers.push(Container { marker, is_pending, is_loose: false, prefix_end: self.prefix.len() });
    }

    /// Closes the innermost block. Whether anything was written in it.
    pub(super) fn close(&mut self) -> bool {
        let Some(closed) = self.containers.pop() else { return false };
        self.prefix.truncate(self.containers.last().map_or(0, |last| last.prefix_end));
        self.shared = self.shared.min(self.containers.len());
        self.space = false;
        self.pending -= usize::from(closed.is_pending);
        if closed.is_item() && !closed.is_pending {
            self.gap = if closed.is_loose { Gap::Blank } else { Gap::Line };
        }
        !closed.is_pending
    }

    /// Gets ready for text: writes the gap or the space before it.
    pub(super) fn ready(&mut self) {
        if self.gap != Gap::None {
            self.start_line();
        } else if self.space {
            self.out.push(' ');
        }
        self.space = false;
    }

    /// Starts a new line after the gap that was asked for.
    fn start_line(&mut self) {
        if !self.out.is_empty() {
            self.trim_line();
            match self.gap {
                Gap::None => {}
                Gap::Break if self.is_plain => {}
                Gap::Break => self.out.push('\\'),
                Gap::Line if self.is_plain || self.pending > 0 => {}
                Gap::Line | Gap::Blank => {
                    self.out.push('\n');
                    let end = self.shared.checked_sub(1).map_or(0, |last| self.containers[last].prefix_end);
                    self.out.push_str(self.prefix[..end].trim_end());
                    if let Some(last) = self.shared.checked_sub(1) {
                        self.containers[last].is_loose = true;
                    }
                }
            }
            self.out.push('\n');
        }
        if self.pending > 0 {
            self.push_first_prefix();
        } else {
            self.out.push_str(&self.prefix);
        }
        self.gap = Gap::None;
        self.shared = self.containers.len();
        self.line_start = self.out.len();
        if let Some(wrap) = &mut self.wrap {
            wrap.start(self.line_start, &self.prefix);
        }
    }

    fn push_first_prefix(&mut self) {
        let mut start = 0;
        for container in &mut self.containers {
            match container.marker {
                Some(Marker::Bullet(bullet)) if container.is_pending => {
                    self.out.push(bullet);
                    self.out.push(' ');
                }
                Some(Marker::Number(number, delimiter)) if container.is_pending => {
                    let _ = write!(self.out, "{number}{delimiter} ");
                }
                Some(Marker::Letters(letters, bullet)) if container.is_pending => {
                    bullet.iter().for_each(|bullet| self.out.extend([*bullet, ' ']));
                    self.out.extend([letters.as_str(), ". "]);
                }
                Some(Marker::Note(mark)) if container.is_pending => {
                    self.out.push_str("[^");
                    self.out.extend(mark.chars());
                    self.out.push_str("]: ");
                }
                _ => self.out.push_str(&self.prefix[start..container.prefix_end]),
            }
            container.is_pending = false;
            start = container.prefix_end;
        }
        self.pending = 0;
    }

    /// Goes to the next line of a block that is written as it is: no gap, only the prefix.
    pub(super) fn next_line(&mut self) {
        self.out.push('\n');
        self.out.push_str(&self.prefix);
        self.line_start = self.out.len();
        (self.gap, self.shared) = (Gap::None, self.containers.len());
    }

    /// Writes a line as it is; a blank one has no spaces before it.
    pub(super) fn push_line(&mut self, line: &str) {
        self.out.push_str(line);
        if line.is_empty() {
            self.out.truncate(self.out.trim_end_matches(' ').len());
        }
    }

    /// What is written of the current line.
    pub(super) fn line(&self) -> &str {
        if self.is_at_start() { "" } else { &self.out[self.line_start.min(self.out.len())..] }
    }

    /// Takes back the spaces at the end of the last line.
    pub(super) fn trim_line(&mut self) {
        let from = self.line_start.min(self.out.len());
        self.out.truncate(from + self.out[from..].trim_end().len());
    }

    /// Ends the text with one new line.
    pub(super) fn finish(mut self) -> String {
        self.trim_line();
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        match self.wrap {
            Some(wrap) => wrap.apply(&self.out),
            None => self.out,
        }
    }
}

impl Container {
    fn is_item(&self) -> bool {
        matches!(self.marker, Some(Marker::Bullet(_) | Marker::Number(..) | Marker::Letters(..)))
    }
}

/// What collapsing white space does with a text, piece by piece.
pub(super) enum Piece<'t> {
    /// White space, however long.
    Space,
    /// Text with nothing but single spaces between other characters.
    Run(&'t str),
}

/// Cuts a text into runs and the white space between them.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        if !bytes.get(at)?.is_ascii_whitespace() {
            loop {
                while at < bytes.len() && (bytes[at] > b' ' || !bytes[at].is_ascii_whitespace()) {
                    at += 1;
                }
                let goes_on = bytes.get(at) == Some(&b' ') && bytes.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace());
                if !goes_on {
                    return Some(Piece::Run(&text[start..at]));
                }
                at += 1;
            }
        }
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        Some(Piece::Space)
    })
}

/// A run at the start of a line: without the white space of any kind that it starts with, and without characters that show nothing. Editors
/// of pages keep an empty paragraph open with one of these.
pub(super) fn at_start_of_line(run: &str) -> &str {
    const ZERO_WIDTH: [char; 5] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'];
    let shows_nothing = |character: char| character.is_whitespace() || ZERO_WIDTH.contains(&character);
    if run.as_bytes().first().is_some_and(u8::is_ascii_graphic) { run } else { run.trim_start_matches(shows_nothing) }
}
