//! External techniques: any command that reads a page on standard input and prints text or an annotated page.
//!
//! So peers stand in the same table as our own techniques, as black boxes of any language (Gottron 2008, 5.3.1, asks for
//! that; his boxes are HTTP proxies, ours are commands), and any door can use one as if it were ours ([`ExternalTechnique`]). In the command, `{pages}` stands for the folder of the site's
//! pages, `{key}` for the file of the page in question and `{base}` for the address that the folder stands for. A command
//! that takes too long is ended together with what it started.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use thiserror::Error;
use unchaff::dom::{PageId, Site, emit};
use unchaff::page::views::placed_text::nodes_of_text;
use unchaff::{BlockKind, Detection, Extraction, Page, compare, registry};
use unchaff_source::{AnySite, Url};

/// How long a command may take for a page.
pub const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The most bytes that a command may print for a page.
const OUTPUT_LIMIT: u64 = 256 << 20;

/// A command in the place of a technique.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// The command, as a shell reads it.
    pub command: String,
    /// How long it may take for a page.
    pub limit: Duration,
}

/// A command by a name of its own, in the place of a technique.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalTechnique {
    /// Its name, which no technique of ours has.
    pub name: String,
    /// The block it looks for, if that was said.
    pub block: Option<BlockKind>,
    /// The command.
    pub external: External,
}

/// Why a text names no command, or a command gives no answer.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// It is not of the right form.
    #[error(
        "`{text}` is not of the form NAME=COMMAND or NAME:BLOCK=COMMAND, with a name that no technique of ours has and a block of content, template, menu, comments or ads"
    )]
    Form {
        /// What was given.
        text: String,
    },
    /// It looks for another block than the one that is asked for.
    #[error("{name} looks for {block}, and here the {asked} is asked for; write {name}={command} if it finds that too")]
    Block {
        /// Its name.
        name: String,
        /// Its block.
        block: BlockKind,
        /// The block that is asked for.
        asked: BlockKind,
        /// The command.
        command: String,
    },
    /// It asks where the pages of a site lie, which cannot be told here.
    #[error("{name} asks for {{pages}}, {{key}} or {{base}}, which a whole site does not tell; take its pages one by one")]
    Placeholders {
        /// Its name.
        name: String,
    },
    /// It failed on a page.
    #[error("{name}: {cause}")]
    Failed {
        /// Its name.
        name: String,
        /// Why.
        cause: CommandError,
    },
}

/// Why a command has no answer for a page.
#[derive(Debug, Error)]
pub enum CommandError {
    /// It asks for the pages of a site, and the page has none.
    #[error("the command asks for {{pages}}, {{key}} or {{base}}, and this page belongs to no site on disk")]
    NoSite,
    /// It cannot be started.
    #[error("the command cannot be started: {0}")]
    Start(io::Error),
    /// It took too long.
    #[error("no answer within {} s", .limit.as_secs_f64())]
    Late {
        /// How long it may take.
        limit: Duration,
    },
    /// It failed.
    #[error("{}{}{complaint}", ended(.code), if .complaint.is_empty() { "" } else { ": " })]
    Failed {
        /// Its exit code; none if a signal ended it.
        code: Option<i32>,
        /// The last line of what it complained about.
        complaint: String,
    },
    /// It printed too much.
    #[error("the command printed more than {} MB", OUTPUT_LIMIT >> 20)]
    TooMuch,
    /// It marked another page.
    #[error("the command printed a page with {0}")]
    OtherPage(#[from] emit::OtherElements),
}

fn ended(code: &Option<i32>) -> String {
    code.map_or_else(|| "ended by a signal".to_owned(), |code| format!("exit code {code}"))
}

impl ExternalTechnique {
    /// Reads `name=command` or, if it looks for one block, `name:block=command`.
    ///
    /// # Errors
    /// If the text is of another form.
    pub fn read(text: &str, limit: Duration) -> Result<ExternalTechnique, ExternalError> {
        let wrong = || ExternalError::Form { text: text.to_owned() };
        let (name, command) = text.split_once('=').ok_or_else(wrong)?;
        let (name, block) = match name.split_once(':') {
            None => (name, None),
            Some((name, block)) => (name, Some(block.parse().map_err(|_| wrong())?)),
        };
        let (name, command) = (name.trim(), command.trim());
        let is_ours = registry::find(name).is_some() || compare::registry::find(name).is_some();
        if name.is_empty() || command.is_empty() || is_ours {
            return Err(wrong());
        }
        Ok(ExternalTechnique { name: name.to_owned(), block, external: External { command: command.to_owned(), limit } })
    }

    /// The same for a block, which is the one it looks for if it says so.
    ///
    /// # Errors
    /// If it looks for another.
    pub fn looking_for(self, asked: BlockKind) -> Result<ExternalTechnique, ExternalError> {
        match self.block {
            Some(block) if block != asked => {
                Err(ExternalError::Block { name: self.name, block, asked, command: self.external.command })
            }
            _ => Ok(ExternalTechnique { block: Some(asked), ..self }),
        }
    }

    /// What the command finds on a page. The command gets the page as UTF-8. Text that it prints is looked for on the page.
    ///
    /// # Errors
    /// If it cannot be run, fails, takes too long or prints too much, or marks elements that the page has not.
    pub fn extract<'p>(&self, page: &'p Page, site: Option<&SiteFiles>) -> Result<Extraction<'p>, ExternalError> {
        let failed = |cause: CommandError| ExternalError::Failed { name: self.name.clone(), cause };
        let (printed, _) = self.external.run(&utf8(page), site).map_err(failed)?;
        let kind = self.block.unwrap_or(BlockKind::Content);
        let detection = printed.detection(page, kind).map_err(|error| failed(error.into()))?;
        Ok(Extraction::of(page, kind, self.name.clone(), detection))
    }
}

/// A page as bytes that are read as the same characters: with a byte order mark where the charset that it declares would be believed.
fn utf8(page: &Page) -> Vec<u8> {
    if page.offsets_match() { page.source().into() } else { ["\u{feff}", page.source()].concat().into_bytes() }
}

/// Where the pages of a site lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteFiles {
    /// The folder of the site's pages.
    pub pages: PathBuf,
    /// The file of the page in question.
    pub key: PathBuf,
    /// The address that the folder stands for.
    pub base: String,
}

/// What a command printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Printed {
    /// The text of the block.
    Text(String),
    /// The page, its elements marked with `data-unchaff`.
    Annotated(Vec<u8>),
}

impl SiteFiles {
    /// Where a page of a site lies, if its pages are files; the site stands for `base`, or for all of its host.
    #[must_use]
    pub fn of(site: &AnySite, page: PageId, base: Option<&Url>) -> Option<SiteFiles> {
        let (root, file) = site.file(page)?;
        let base = base.cloned().or_else(|| site.url(page).join("/").ok())?;
        Some(SiteFiles { pages: root.to_owned(), key: root.join(file), base: base.to_string() })
    }
}

impl External {
    /// Whether the command asks for the pages of a site.
    #[must_use]
    pub fn needs_site(&self) -> bool {
        ["{pages}", "{key}", "{base}"].iter().any(|placeholder| self.command.contains(placeholder))
    }

    /// Runs the command for a page and says how long it took.
    ///
    /// # Errors
    /// If it cannot be started, takes too long, prints too much or ends with another code than zero.
    pub fn run(&self, page: &[u8], site: Option<&SiteFiles>) -> Result<(Printed, Duration), CommandError> {
        let start = Instant::now();
        let mut child = shell(&self.line(site)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(CommandError::Start)?;
        // Threads of their own, for a command may print before it has read everything, or never read.
        let (stdin, bytes) = (child.stdin.take(), page.to_vec());
        std::thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(&bytes)));
        let out = read_all(child.stdout.take());
        let complaints = read_all(child.stderr.take());
        let left = || self.limit.saturating_sub(start.elapsed());

        let printed = out.recv_timeout(self.limit);
        let ended = printed.is_ok().then(|| wait(&mut child, left)).flatten();
        let elapsed = start.elapsed();
        let (Ok(printed), Some(status)) = (printed, ended) else {
            end(&mut child);
            return Err(CommandError::Late { limit: self.limit });
        };
        if !status.success() {
            let said = complaints.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
            return Err(failure(status, &said));
        }
        if printed.len() as u64 > OUTPUT_LIMIT {
            return Err(CommandError::TooMuch);
        }
        Ok((Printed::read(printed), elapsed))
    }

    /// The command with its placeholders filled in.
    fn line(&self, site: Option<&SiteFiles>) -> Result<String, CommandError> {
        if !self.needs_site() {
            return Ok(self.command.clone());
        }
        let site = site.ok_or(CommandError::NoSite)?;
        let fill = [
            ("{pages}", quoted(&site.pages.to_string_lossy())),
            ("{key}", quoted(&site.key.to_string_lossy())),
            ("{base}", quoted(&site.base)),
        ];
        // From left to right, so that a brace in a path is never taken for a placeholder.
        let mut line = String::new();
        let mut rest = self.command.as_str();
        while let Some((at, (placeholder, value))) =
            fill.iter().filter_map(|pair| rest.find(pair.0).map(|at| (at, pair))).min_by_key(|found| found.0)
        {
            line.push_str(&rest[..at]);
            line.push_str(value);
            rest = &rest[at + placeholder.len()..];
        }
        line.push_str(rest);
        Ok(line)
    }
}

impl Printed {
    /// The nodes of a page that are marked, or that the text is of.
    ///
    /// # Errors
    /// If the marked page has other elements.
    pub fn detection(&self, page: &Page, kind: BlockKind) -> Result<Detection, emit::OtherElements> {
        let nodes = match self {
            Printed::Text(text) => nodes_of_text(page, text),
            Printed::Annotated(html) => emit::marked_nodes(page, html, kind.as_str())?,
        };
        Ok(Detection::of(kind, nodes))
    }

    /// Tells an annotated page from text: it starts with a tag and has the attribute.
    #[must_use]
    pub fn read(bytes: Vec<u8>) -> Printed {
        let marked = || bytes.windows(b"data-unchaff".len()).any(|window| window.eq_ignore_ascii_case(b"data-unchaff"));
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).trim_ascii_start();
        if start.first() == Some(&b'<') && marked() {
            Printed::Annotated(bytes)
        } else {
            Printed::Text(String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}

#[cfg(unix)]
fn shell(line: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new("sh");
    command.args(["-c", line]).process_group(0);
    command
}

#[cfg(not(unix))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.args(["/C", line]);
    command
}

#[cfg(unix)]
fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', r"'\''"))
}

#[cfg(not(unix))]
fn quoted(value: &str) -> String {
    format!("\"{value}\"")
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(OUTPUT_LIMIT + 1).read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// Waits for the end of a command that has closed its output; none if its time is over.
fn wait(child: &mut Child, left: impl Fn() -> Duration) -> Option<ExitStatus> {
    let mut pause = Duration::from_micros(100);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if left().is_zero() {
            return None;
        }
        std::thread::sleep(pause.min(left()));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Ends a command with all that it started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
    let _ = child.kill();
    let _ = child.wait();
}

fn failure(status: ExitStatus, complaints: &[u8]) -> CommandError {
    let complaints = String::from_utf8_lossy(complaints);
    let last = complaints.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("").trim();
    CommandError::Failed { code: status.code(), complaint: last.chars().take(200).collect() }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn external(command: &str) -> External {
        External { command: command.to_owned(), limit: TIME_LIMIT }
    }

    fn run(command: &str) -> Result<Printed, String> {
        external(command).run(b"<p>rain</p>", None).map(|(printed, _)| printed).map_err(|error| error.to_string())
    }

    #[test]
    fn text_and_annotated_pages_are_told_apart() {
        assert_eq!(run("cat"), Ok(Printed::Text("<p>rain</p>".to_owned())));
        assert_eq!(run("tr -d '<>/p'"), Ok(Printed::Text("rain".to_owned())));
        let marked = "<p data-unchaff=content>rain";
        assert_eq!(run(&format!("echo '{marked}'")), Ok(Printed::Annotated(format!("{marked}\n").into_bytes())));
        assert!(matches!(run("echo 'the attribute data-unchaff of <p>'"), Ok(Printed::Text(_))));
    }

    #[test]
    fn a_command_is_read_with_its_name_and_block() {
        let read = |text: &str| ExternalTechnique::read(text, TIME_LIMIT);
        let menu = read("mine:menu=grep -o a=b").unwrap();
        assert_eq!(
            (menu.name.as_str(), menu.block, menu.external.command.as_str()),
            ("mine", Some(BlockKind::Menu), "grep -o a=b")
        );
        let said = menu.looking_for(BlockKind::Content).unwrap_err().to_string();
        assert!(said.contains("mine looks for menu, and here the content is asked for"), "{said}");
        for wrong in ["cat", "=cat", "x:nonsense=cat", "x=", "auto=cat", "temex=cat"] {
            assert!(read(wrong).unwrap_err().to_string().contains("NAME=COMMAND"), "{wrong}");
        }
    }

    #[test]
    fn text_is_found_on_the_page_and_marks_are_taken() {
        let page = Page::parse(b"<meta charset=windows-1252><nav>Caf\xe9 home</nav><p>The caf\xe9 is <b>open</b>.</p>".to_vec());
        let found = |command: &str| {
            let technique = ExternalTechnique::read(&format!("mine={command}"), TIME_LIMIT).unwrap();
            technique.extract(&page, None).map(|found| found.text()).map_err(|error| error.to_string())
        };
        assert_eq!(found("echo 'the café is open'").unwrap(), "The café is open.\n");
        assert_eq!(found("sed 's/<p>/<p data-unchaff=content>/'").unwrap(), "The café is .\n");
        assert!(
            found("echo '<i data-unchaff=content>'")
                .unwrap_err()
                .contains("mine: the command printed a page with other elements")
        );
        assert!(found("exit 3").unwrap_err().contains("mine: exit code 3"));
    }

    #[test]
    fn a_command_that_fails_says_why() {
        assert_eq!(run("echo first >&2; echo no such page >&2; exit 3"), Err("exit code 3: no such page".to_owned()));
        assert_eq!(run("kill -9 $$"), Err("ended by a signal".to_owned()));
        assert!(run("no-such-command-anywhere").unwrap_err().contains("exit code 127"));
    }

    #[test]
    fn a_command_that_never_reads_or_ends_is_no_trouble() {
        let page = vec![b'x'; 1 << 20];
        assert!(external("echo done").run(&page, None).is_ok());
        let folder = tempfile::tempdir().unwrap();
        let survived = folder.path().join("survived");
        // The child of the shell would leave a file if it were not ended too.
        let slow =
            External { command: format!("(sleep 1; touch '{}') & wait", survived.display()), limit: Duration::from_millis(100) };
        assert_eq!(slow.run(&page, None).unwrap_err().to_string(), "no answer within 0.1 s");
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!survived.exists());
    }

    #[test]
    fn placeholders_are_filled_in_whatever_the_names() {
        let site = SiteFiles {
            pages: PathBuf::from("/a site's {key}"),
            key: PathBuf::from("/a site's {key}/index.html?x=$(1)"),
            base: "http://example.org/".to_owned(),
        };
        let (printed, _) = external("printf '%s|' {base} {pages} {key}").run(b"", Some(&site)).unwrap();
        let expected = "http://example.org/|/a site's {key}|/a site's {key}/index.html?x=$(1)|";
        assert_eq!(printed, Printed::Text(expected.to_owned()));
        assert!(external("cat {key}").run(b"", None).unwrap_err().to_string().contains("belongs to no site"));
    }
}
