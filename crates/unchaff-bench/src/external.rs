//! External techniques: any command that reads a page on standard input and prints text or an annotated page.
//!
//! So peers stand in the same table as our own techniques, as black boxes of any language (Gottron 2008, 5.3.1, asks for
//! that; his boxes are HTTP proxies, ours are commands). In the command, `{pages}` stands for the folder of the site's
//! pages, `{key}` for the file of the page in question and `{base}` for the address that the folder stands for. A command
//! that takes too long is ended together with what it started.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

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
    pub fn run(&self, page: &[u8], site: Option<&SiteFiles>) -> Result<(Printed, Duration), String> {
        let start = Instant::now();
        let mut child = shell(&self.line(site)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the command cannot be started: {error}"))?;
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
            return Err(format!("no answer within {} s", self.limit.as_secs_f64()));
        };
        if !status.success() {
            let said = complaints.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
            return Err(failure(status, &said));
        }
        if printed.len() as u64 > OUTPUT_LIMIT {
            return Err(format!("the command printed more than {} MB", OUTPUT_LIMIT >> 20));
        }
        Ok((Printed::read(printed), elapsed))
    }

    /// The command with its placeholders filled in.
    fn line(&self, site: Option<&SiteFiles>) -> Result<String, String> {
        if !self.needs_site() {
            return Ok(self.command.clone());
        }
        let site = site.ok_or("the command asks for {pages}, {key} or {base}, and this page belongs to no site on disk")?;
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

fn failure(status: ExitStatus, complaints: &[u8]) -> String {
    let complaints = String::from_utf8_lossy(complaints);
    let last = complaints.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("").trim();
    let last: String = last.chars().take(200).collect();
    let ended = match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "ended by a signal".to_owned(),
    };
    if last.is_empty() { ended } else { format!("{ended}: {last}") }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn external(command: &str) -> External {
        External { command: command.to_owned(), limit: TIME_LIMIT }
    }

    fn run(command: &str) -> Result<Printed, String> {
        external(command).run(b"<p>rain</p>", None).map(|(printed, _)| printed)
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
        assert_eq!(slow.run(&page, None).unwrap_err(), "no answer within 0.1 s");
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
        assert!(external("cat {key}").run(b"", None).unwrap_err().contains("belongs to no site"));
    }
}
