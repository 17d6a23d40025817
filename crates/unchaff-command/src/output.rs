//! What reaches standard output and standard error.

use anyhow::{Context, Result, ensure};
use std::borrow::Cow;
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use unchaff::dom::LoadError;
use unchaff::{Field, UnknownTechnique};
use unchaff_job::{ExternalError, Form, JobError, PageError, Sink, write_file};
use unchaff_render::files::FilesError;
use unchaff_segment::renderer::RenderError;
use unchaff_source::FetchError;

/// Writes to standard output. On a terminal, what a page says must not move the cursor or change the keyboard.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.is_terminal() {
        true => out.write_all(harmless(&String::from_utf8_lossy(bytes)).as_bytes())?,
        false => out.write_all(bytes)?,
    }
    out.flush()?;
    Ok(())
}

/// Writes to a file, or to standard output if none is named.
pub(crate) fn write_or_print(path: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match path {
        Some(path) => Ok(write_file(path, bytes)?),
        None => print(bytes),
    }
}

/// Standard output, as [`print`] writes there.
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        print(bytes).map_err(|error| error.downcast::<io::Error>().unwrap_or_else(io::Error::other))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where the results of many pages go: to standard output, or into a table.
pub(crate) fn sink(form: Form, file: Option<&Path>, columns: &[Field]) -> Result<Sink<Stdout>> {
    let is_shown = form == Form::Parquet && file.is_none() && io::stdout().is_terminal();
    ensure!(!is_shown, "Parquet is not for a terminal; name a file with -o FILE");
    Ok(Sink::open(form, file, columns, Stdout)?)
}

/// The bytes of a file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Whether only errors are told (`--quiet`).
static QUIET: AtomicBool = AtomicBool::new(false);

/// Tells errors only from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Says something on standard error, which may repeat what a page or a server says.
pub(crate) fn tell(message: &str) {
    let mut err = io::stderr().lock();
    let message = if err.is_terminal() { harmless(message) } else { Cow::Borrowed(message) };
    // Whoever does not listen cannot be told that either.
    let _ = writeln!(err, "{message}");
}

/// Says something in our name.
pub(crate) fn inform(message: &str) {
    tell(&format!("unchaff: {message}"));
}

/// Text with pictures (U+2400 and on) in the place of control characters, but for ends of lines and tabs.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match c {
        '\u{7f}' => '\u{2421}',
        c if c.is_ascii() => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        _ => char::REPLACEMENT_CHARACTER,
    };
    Cow::Owned(text.chars().map(|c| if is_harmful(c) { picture(c) } else { c }).collect())
}

/// Whether the reader of our output has gone away, which is no fault of ours (`unchaff … | head`).
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// An error in the words of the command: what the library says, and the option that is the way out.
pub(crate) fn said(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors say what caused them, too.
        if !text.ends_with(&cause) {
            text += if text.is_empty() { "" } else { ": " };
            text += &cause;
        }
    }
    match error.chain().find_map(way_out) {
        Some(way) => format!("{text}; {way}"),
        None => text,
    }
}

/// The option that is the way out.
fn way_out(cause: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(unknown) = cause.downcast_ref::<UnknownTechnique>() {
        return Some(match unknown {
            UnknownTechnique::NeedsSite { .. } => "say where the pages are with --site FOLDER, WARC or URL",
            UnknownTechnique::NeedsNoSite { .. } => "leave --site away, or name one of these",
            _ => "see `unchaff techniques`",
        });
    }
    if let Some(fetch) = cause.downcast_ref::<FetchError>() {
        return match fetch {
            FetchError::Timeout { .. } => Some("with --timeout SECONDS"),
            FetchError::TooLarge { .. } => Some("with --max-bytes BYTES"),
            FetchError::Private { .. } => Some("--allow-private does that"),
            _ => None,
        };
    }
    if let Some(load) = cause.downcast_ref::<LoadError>() {
        return match load {
            LoadError::Private { .. } => Some("--allow-private does that"),
            LoadError::TooLarge { .. } => Some("--max-bytes BYTES raises it"),
            LoadError::Late { .. } => Some("--timeout SECONDS raises it"),
            _ => None,
        };
    }
    if let Some(render) = cause.downcast_ref::<RenderError>() {
        return match render {
            RenderError::Missing { .. } => Some("see --boxes and --technique"),
            RenderError::Late { .. } => Some("see --timeout and --boxes"),
            RenderError::Failed { .. } => Some("see --layout and --technique"),
            RenderError::NotBuilt { .. } => {
                Some("build one with it (cargo install --path crates/unchaff-cli --features blitz), or use --layout chromium")
            }
            RenderError::Start { .. } | RenderError::Ended { .. } => None,
        };
    }
    if let Some(PageError::Nameless) = cause.downcast_ref() {
        return Some("--site says which");
    }
    if let Some(FilesError::Outside { .. }) = cause.downcast_ref() {
        return Some("with --root DIR");
    }
    if let Some(ExternalError::Placeholders { .. }) = cause.downcast_ref() {
        return Some("`unchaff extract --site` does that");
    }
    match cause.downcast_ref::<JobError>()? {
        JobError::OnTheWeb { .. } => Some("unchaff crawl URL -o site.warc.gz does that"),
        JobError::Threads(_) => Some("try a smaller --jobs"),
        JobError::NoLines { .. } => {
            Some("these are --format json, chunks, csv and parquet; for others, name a folder to write to (-o DIR)")
        }
        JobError::OneTable => Some("write it with > FILE instead of -o"),
        JobError::IsFile { .. } => Some("-o DIR names one"),
        JobError::IsFolder { .. } => Some("-o FILE names one"),
        JobError::NoBoxes { .. } => Some("see --layout, --technique and --format"),
        JobError::NoPixels => Some("with --layout blitz use --format svg, or use --layout chromium"),
        JobError::Unrendered => Some("leave out --whole-site and --store, or ask for --format json or annotated"),
        JobError::NoTruth => Some("see --truth"),
        JobError::ForeignNotes { .. } => Some("-o DIR says which"),
        JobError::OtherResults { .. } => Some("--overwrite does that"),
        JobError::Misplaced { .. } => Some("see --format, --fields, --metadata and --max-tokens"),
        JobError::NoFolder { .. } => Some("--site does that"),
        JobError::PageAlone { .. } => Some("leave --site away for --set and --explain, or name a technique with -t"),
        JobError::NoParquet => Some(
            "`cargo install --path crates/unchaff-cli --features parquet` in the repository builds one with it, and --format csv and json have the same columns",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(harmless("a\tb\n"), "a\tb\n");
        assert!(matches!(harmless("Grüße 名"), Cow::Borrowed(_)));
        let shown = harmless("\u{1b}]0;title\u{7}\u{1b}[2J\r\u{9b}31m\u{7f}\0");
        assert_eq!(shown, "␛]0;title␇␛[2J␍\u{fffd}31m␡␀");
    }
}
