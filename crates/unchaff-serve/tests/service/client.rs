//! A service of a test, and a client that says exactly what it is told to.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;
use unchaff_serve::{Options, Server};

/// A service that runs until it is stopped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// The reply whose bytes these are.
    pub(crate) fn read(bytes: &[u8]) -> Reply {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head that ends");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line = self.head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")))?;
        Some(line.split_once(':')?.1.trim())
    }
}

/// A service as tests want it: on any port, without a log.
pub(crate) fn options() -> Options {
    Options { port: 0, quiet: true, ..Options::default() }
}

pub(crate) fn start(options: Options) -> Running {
    let server = Server::bind(options).unwrap();
    let address = server.address().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let thread = std::thread::spawn(move || {
        server
            .run(async {
                let _ = stopped.await;
            })
            .unwrap();
    });
    Running { address, stop: Some(stop), thread: Some(thread) }
}

impl Running {
    /// A connection on which nothing takes for ever.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are; all that comes back until the connection is closed.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // Whoever is refused on the way cannot say all.
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        all
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let host = self.address;
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if headers.iter().all(|(name, _)| *name != "Host") {
            request += &format!("Host: {host}\r\n");
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        let bytes = [request.as_bytes(), b"\r\n", body].concat();
        Reply::read(&self.raw(&bytes))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, page: &[u8]) -> Reply {
        self.ask("POST", path, &[("Content-Type", "text/html")], page)
    }

    pub(crate) fn post_json(&self, path: &str, value: &serde_json::Value) -> Reply {
        self.ask("POST", path, &[("Content-Type", "application/json")], value.to_string().as_bytes())
    }

    /// Asks the service to end, without waiting for it.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until it has ended.
    pub(crate) fn ended(mut self) {
        self.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}
