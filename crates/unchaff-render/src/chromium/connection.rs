//! The browser's process and the DevTools protocol to it: JSON messages, each ended by a zero byte, over a pipe.
//!
//! The browser reads from its third file and writes to its fourth; a shell puts our pipes there, because the standard
//! library opens no more than three. Whatever happens to us, the pipe closes, and the browser ends.

use super::find::check_version;
use super::requests::Answers;
use super::{BrowserError, Options};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(super) struct Connection {
    child: Child,
    pipe: Option<ChildStdin>,
    messages: Receiver<Value>,
    last: u64,
    time_limit: Duration,
    answers: Option<Answers>,
    /// The session whose page is being loaded, and whether it is.
    loading: String,
    loaded: bool,
    crashed: bool,
    /// The browser's own files, gone with it.
    _profile: tempfile::TempDir,
}

impl Connection {
    pub(super) fn start(program: &Path, options: &Options, deadline: Instant) -> Result<Connection, BrowserError> {
        let failed = |reason: String| BrowserError::Start { program: program.to_owned(), reason };
        if cfg!(not(unix)) {
            return Err(failed("browsers are driven over a pipe, which works on Unix only so far".to_owned()));
        }
        let profile = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"]).arg(program);
        command.args([
            "--headless",
            "--remote-debugging-pipe",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-gpu",
            "--disable-lcd-text",
            "--disable-sync",
            "--font-render-hinting=none",
            "--force-color-profile=srgb",
            "--force-device-scale-factor=1",
            "--hide-scrollbars",
            "--lang=en",
            "--mute-audio",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if !options.network {
            command.arg("--host-resolver-rules=MAP * ~NOTFOUND");
        }
        if !options.scripts {
            // No script of the page runs, so nothing can misuse that ours may read the pixels of all images.
            command.arg("--disable-web-security");
        }
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (pipe, output) = (child.stdin.take(), child.stdout.take());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output?);
            let mut bytes = Vec::new();
            while output.read_until(0, &mut bytes).ok()? > 0 {
                bytes.pop();
                if let Ok(message) = serde_json::from_slice(&bytes) {
                    sender.send(message).ok()?;
                }
                bytes.clear();
            }
            Some(())
        });
        let mut connection = Connection {
            child,
            pipe,
            messages,
            last: 0,
            time_limit: options.time_limit,
            answers: None,
            loading: String::new(),
            loaded: false,
            crashed: false,
            _profile: profile,
        };
        let version = connection.call(None, "Browser.getVersion", json!({}), deadline).map_err(|error| match error {
            BrowserError::Died => {
                failed("it ended at once; it may be older than its command line needs, or lack rights".to_owned())
            }
            other => other,
        })?;
        check_version(program, version["product"].as_str().unwrap_or_default())?;
        Ok(connection)
    }

    pub(super) fn process(&self) -> u32 {
        self.child.id()
    }

    fn send(&mut self, session: Option<&str>, method: &str, params: Value) -> Result<u64, BrowserError> {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let pipe = self.pipe.as_mut().ok_or(BrowserError::Died)?;
        pipe.write_all(&bytes).and_then(|()| pipe.flush()).map_err(|_| BrowserError::Died)?;
        Ok(self.last)
    }

    /// Asks and waits for the answer; what happens meanwhile is dealt with.
    pub(super) fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
        deadline: Instant,
    ) -> Result<Value, BrowserError> {
        let id = self.send(session, method, params)?;
        loop {
            let mut message = self.next(deadline)?;
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => {
                        Err(BrowserError::Answer(format!("{method}: {}", error["message"].as_str().unwrap_or("no reason"))))
                    }
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    /// Loads a page and waits until it and what belongs to it is there. What takes most of the time is left out.
    pub(super) fn load(
        &mut self,
        session: &str,
        answers: Answers,
        deadline: Instant,
        limit: Duration,
    ) -> Result<(), BrowserError> {
        let address = answers.address().to_owned();
        self.answers = Some(answers);
        self.loading = session.to_owned();
        (self.loaded, self.crashed) = (false, false);
        self.call(Some(session), "Page.navigate", json!({"url": address}), deadline)?;
        let enough = deadline - limit.min(self.time_limit) / 3;
        while !self.loaded {
            match self.next(enough) {
                Ok(_) => {}
                Err(BrowserError::Late(_)) => {
                    self.call(Some(session), "Page.stopLoading", json!({}), deadline)?;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next message, after the events in it have been dealt with.
    fn next(&mut self, deadline: Instant) -> Result<Value, BrowserError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let message = self.messages.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => BrowserError::Late(self.time_limit),
            RecvTimeoutError::Disconnected => BrowserError::Died,
        })?;
        let of_page = message["sessionId"] == self.loading.as_str();
        match message["method"].as_str() {
            Some("Fetch.requestPaused") => {
                if let Some((method, params)) = self.answers.as_mut().map(|answers| answers.answer(&message["params"])) {
                    let session = message["sessionId"].as_str().map(str::to_owned);
                    self.send(session.as_deref(), method, params)?;
                }
            }
            Some("Page.loadEventFired") if of_page => self.loaded = true,
            Some("Inspector.targetCrashed") if of_page => self.crashed = true,
            _ => {}
        }
        if self.crashed { Err(BrowserError::Died) } else { Ok(message) }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The end of the pipe is the browser's end; what does not heed it is ended.
        self.pipe = None;
        for _ in 0..50 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether we are the user for whom browsers refuse to make a sandbox.
fn is_root() -> bool {
    #[cfg(unix)]
    let root = rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    let root = false;
    root
}
