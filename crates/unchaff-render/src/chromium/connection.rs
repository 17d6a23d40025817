//! The browser's process and the DevTools protocol to it: JSON messages, each ended by a zero byte, over a pipe.
//!
//! The browser reads from its third file and writes to its fourth; a shell puts our pipes there, because the standard
//! library opens no more than three. Whatever happens to us, the pipe closes, and the browser ends.

use super::find::check_version;
use super::requests::{Answer, Answers};
use super::web::{Request, Web};
use super::{BrowserError, Options};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// What comes to us while a page is rendered.
#[derive(Debug)]
pub(super) enum Incoming {
    /// From the browser.
    Message(Value),
    /// From the web, to be handed to the browser.
    Answer { session: Option<String>, method: &'static str, params: Value },
    /// The browser has ended.
    End,
}

#[derive(Debug)]
pub(super) struct Connection {
    child: Child,
    pipe: Option<ChildStdin>,
    incoming: Receiver<Incoming>,
    to_us: Sender<Incoming>,
    options: Options,
    /// What the page has from the web; made when its first request is passed on.
    web: Option<Web>,
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
            // A page of http is one of http, or it could not load what it refers to.
            "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable",
            "--disable-gpu",
            "--disable-lcd-text",
            "--disable-sync",
            "--dns-prefetch-disable",
            "--font-render-hinting=none",
            "--force-color-profile=srgb",
            "--force-device-scale-factor=1",
            "--hide-scrollbars",
            "--lang=en",
            "--mute-audio",
            // Whatever it would ask of the network itself, it asks in vain; we answer.
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--proxy-server=http://127.0.0.1:1",
            "--proxy-bypass-list=<-loopback>",
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if !options.scripts {
            // For every frame, whichever process it gets.
            command.arg("--blink-settings=scriptEnabled=false");
        }
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (pipe, output) = (child.stdin.take(), child.stdout.take());
        let (to_us, incoming) = channel();
        let sender = to_us.clone();
        std::thread::spawn(move || {
            let mut output = output.map(BufReader::new);
            let mut bytes = Vec::new();
            while let Some(output) = &mut output
                && output.read_until(0, &mut bytes).is_ok_and(|count| count > 0)
            {
                bytes.pop();
                if let Ok(message) = serde_json::from_slice(&bytes)
                    && sender.send(Incoming::Message(message)).is_err()
                {
                    return;
                }
                bytes.clear();
            }
            let _ = sender.send(Incoming::End);
        });
        let mut connection = Connection {
            child,
            pipe,
            incoming,
            to_us,
            options: options.clone(),
            web: None,
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
        self.web = None;
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

    /// Asks for images of other hosts again, so that the script that measures the page can read them. They must not be read by scripts of the
    /// page, so this is for pages without any.
    pub(super) fn make_images_readable(&mut self, session: &str, deadline: Instant, limit: Duration) -> Result<(), BrowserError> {
        let enough = deadline - limit.min(self.time_limit) / 4;
        let mut expression = include_str!("readable_images.js").trim_end();
        while Instant::now() < enough {
            let params = json!({"expression": expression, "returnByValue": true});
            let answer = self.call(Some(session), "Runtime.evaluate", params, deadline)?;
            if answer["result"]["value"].as_i64().is_none_or(|waiting| waiting == 0) {
                break;
            }
            match self.next(enough.min(Instant::now() + Duration::from_millis(50))) {
                Ok(_) | Err(BrowserError::Late(_)) => {}
                Err(error) => return Err(error),
            }
            expression = "[...unchaffReadable.values()].filter((image) => !image.complete).length";
        }
        Ok(())
    }

    /// The next message of the browser, after the events in it have been dealt with.
    fn next(&mut self, deadline: Instant) -> Result<Value, BrowserError> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.incoming.recv_timeout(left).map_err(|_| BrowserError::Late(self.time_limit))? {
                Incoming::End => return Err(BrowserError::Died),
                Incoming::Answer { session, method, params } => {
                    self.send(session.as_deref(), method, params)?;
                }
                Incoming::Message(message) => {
                    self.deal_with(&message)?;
                    return if self.crashed { Err(BrowserError::Died) } else { Ok(message) };
                }
            }
        }
    }

    fn deal_with(&mut self, message: &Value) -> Result<(), BrowserError> {
        let of_page = message["sessionId"] == self.loading.as_str();
        let session = message["sessionId"].as_str();
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Fetch.requestPaused") => match self.answers.as_mut().map(|answers| answers.answer(params)) {
                Some(Answer::Now(method, answer)) => drop(self.send(session, method, answer)?),
                Some(Answer::Web(url, accept)) => {
                    let session = session.map(str::to_owned);
                    let request = Request { session, id: params["requestId"].clone(), url, accept };
                    let Connection { web, options, to_us, .. } = self;
                    web.get_or_insert_with(|| Web::new(options, to_us)).ask(request);
                }
                None => {}
            },
            // A frame or worker in a process of its own waits until it has the same rules.
            Some("Target.attachedToTarget") if params["waitingForDebugger"] == true => {
                let scripts = self.answers.as_ref().is_some_and(|answers| answers.permissions().scripts);
                let inner = params["sessionId"].as_str();
                for (method, params) in tamed(scripts) {
                    self.send(inner, method, params)?;
                }
                if scripts || params["targetInfo"]["type"] == "iframe" {
                    self.send(inner, "Runtime.runIfWaitingForDebugger", json!({}))?;
                }
            }
            Some("Page.loadEventFired") if of_page => self.loaded = true,
            Some("Inspector.targetCrashed") if of_page => self.crashed = true,
            _ => {}
        }
        Ok(())
    }
}

/// What is told to each part of a page before anything happens in it: all requests come to us, and so do all parts; and scripts run or not.
pub(super) fn tamed(scripts: bool) -> [(&'static str, Value); 3] {
    [
        ("Emulation.setScriptExecutionDisabled", json!({"value": !scripts})),
        ("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]})),
        ("Target.setAutoAttach", json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})),
    ]
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
