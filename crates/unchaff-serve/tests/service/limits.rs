//! What is too large, too slow or too much at a time, and how the service ends.

use crate::LIGHTHOUSE;
use crate::client::{Reply, options, start};
use std::io::{Read, Write};
use std::time::Duration;
use unchaff_serve::Options;

fn head(length: &str) -> String {
    format!("POST /v1/extract HTTP/1.1\r\nHost: localhost\r\n{length}\r\n\r\n")
}

#[test]
fn what_is_announced_too_large_is_refused_before_it_is_sent() {
    let service = start(Options { max_bytes: 1000, ..options() });
    let mut stream = service.connect();
    // Not one byte of the body: the answer comes all the same.
    stream.write_all(head("Content-Length: 1001").as_bytes()).unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    let reply = Reply::read(&all);
    assert_eq!((reply.status, reply.header("connection")), (413, Some("close")), "{reply:?}");
    // Whoever waits to be told to go on is told no.
    let mut stream = service.connect();
    stream.write_all(head("Content-Length: 99999999\r\nExpect: 100-continue").as_bytes()).unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    assert!(all.starts_with(b"HTTP/1.1 413"), "{}", String::from_utf8_lossy(&all));
    service.ended();
}

#[test]
fn what_grows_too_large_on_the_way_is_stopped_there() {
    let service = start(Options { max_bytes: 100_000, ..options() });
    let mut stream = service.connect();
    stream.write_all(head("Transfer-Encoding: chunked").as_bytes()).unwrap();
    let chunk = [b"2000\r\n", &[b'a'; 0x2000][..], b"\r\n"].concat();
    // A megabyte at most; it is over long before.
    let sent = (0..128).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    assert!(all.starts_with(b"HTTP/1.1 413") || sent < 128, "{sent} {}", String::from_utf8_lossy(&all));
    // In small pieces within the limit, it is a page.
    let pieces: String = std::str::from_utf8(LIGHTHOUSE)
        .unwrap()
        .as_bytes()
        .chunks(500)
        .map(|piece| format!("{:x}\r\n{}\r\n", piece.len(), String::from_utf8_lossy(piece)))
        .collect();
    let ascii = pieces.is_ascii();
    if ascii {
        let request = format!("{}{pieces}0\r\n\r\n", head("Transfer-Encoding: chunked\r\nConnection: close"));
        assert_eq!(Reply::read(&service.raw(request.as_bytes())).status, 200);
    }
    service.ended();
}

#[test]
fn whoever_is_slow_is_not_waited_for() {
    let service = start(Options { timeout: Duration::from_millis(300), idle: Duration::from_millis(600), ..options() });
    let reply = Reply::read(&service.raw(format!("{}<p>", head("Content-Length: 10")).as_bytes()));
    assert_eq!(reply.status, 408, "{reply:?}");
    // A head that never ends, and nothing at all.
    for begun in ["GET /health HTTP/1.1\r\nHost: loc", ""] {
        let mut stream = service.connect();
        stream.write_all(begun.as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        assert!(all.is_empty() || all.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&all));
    }
    service.ended();
}

#[test]
fn whoever_says_no_more_still_hears() {
    let service = start(options());
    let mut stream = service.connect();
    stream.write_all(format!("{}<p>Hello", head("Content-Length: 8\r\nConnection: close")).as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    assert_eq!(Reply::read(&all).status, 200);
    service.ended();
}

#[test]
fn one_who_asks_for_much_at_a_time_is_told_to_wait() {
    let service = start(Options { per_client: 2, timeout: Duration::from_secs(60), ..options() });
    let slow: Vec<_> = (0..2)
        .map(|_| {
            let mut stream = service.connect();
            stream.write_all(format!("{}<p>", head("Content-Length: 8\r\nConnection: close")).as_bytes()).unwrap();
            stream
        })
        .collect();
    let mut refused = service.get("/health");
    // On a machine with much other work they may come late.
    for _ in 0..2000 {
        if refused.status == 429 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
        refused = service.get("/health");
    }
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")));
    for mut stream in slow {
        stream.write_all(b"Hello").unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        assert_eq!(Reply::read(&all).status, 200);
    }
    assert_eq!(service.get("/health").status, 200);
    service.ended();
}

#[test]
fn all_together_have_a_number_of_requests_and_of_bytes() {
    let service = start(Options { requests: 0, ..options() });
    let reply = service.get("/v1/techniques");
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
    service.ended();
    let service = start(Options { held_bytes: 1000, ..options() });
    assert_eq!(service.post("/v1/extract", &[b'a'; 1001]).status, 503);
    // What was held is given back.
    for _ in 0..5 {
        assert_eq!(service.post("/v1/extract", &[b'a'; 900]).status, 200);
    }
    service.ended();
}

#[test]
fn idle_connections_keep_nobody_out() {
    let service = start(Options { connections: 400, idle: Duration::from_secs(5), ..options() });
    let idle: Vec<_> = (0..390).map(|_| service.connect()).collect();
    for _ in 0..20 {
        assert_eq!(service.post("/v1/extract", LIGHTHOUSE).status, 200);
    }
    let more: Vec<_> = (0..20).map(|_| service.connect()).collect();
    // Beyond the number, a connection is told so; when the idle ones are given up, there is room again.
    let mut status = 0;
    for _ in 0..600 {
        status = match service.raw(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") {
            // It was closed before it could read what was sent.
            reply if reply.is_empty() => 0,
            reply => Reply::read(&reply).status,
        };
        if status == 200 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(status, 200);
    drop((idle, more));
    service.ended();
}

#[test]
fn no_request_that_was_accepted_is_lost_at_the_end() {
    let mut service = start(options());
    // Their heads and a part of what they send are there when the service is asked to end.
    let mut begun: Vec<_> = (0..16)
        .map(|_| {
            let mut stream = service.connect();
            stream.write_all(head(&format!("Content-Length: {}", LIGHTHOUSE.len())).as_bytes()).unwrap();
            stream.write_all(&LIGHTHOUSE[..1000]).unwrap();
            stream
        })
        .collect();
    for _ in 0..500 {
        if service.get("/metrics").text().contains("unchaff_requests_in_flight 17") {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    service.stop();
    for stream in &mut begun {
        stream.write_all(&LIGHTHOUSE[1000..]).unwrap();
    }
    for mut stream in begun {
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let reply = Reply::read(&all);
        assert_eq!(reply.status, 200);
        assert!(reply.text().contains("The lamp that would not go out"));
    }
    let address = service.address;
    service.ended();
    assert!(std::net::TcpStream::connect(address).is_err());
}
