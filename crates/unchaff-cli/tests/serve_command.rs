//! `unchaff serve` and `unchaff mcp`, as started from a shell.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

const PAGE: &str = "<title>Rain</title><h1>Rain</h1><p>It rained all day, and in the evening the river stood at the doors of the lower town.</p>";

fn unchaff(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unchaff"));
    command.args(arguments).env_remove("UNCHAFF_TOKEN");
    command
}

/// A service, the line that it says when it is there, and what it says after that.
fn start(command: &mut Command) -> (Child, String, BufReader<ChildStderr>) {
    let mut service = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut err = BufReader::new(service.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    (service, line, err)
}

fn ask(line: &str, request: &str) -> String {
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

/// Asks a process to end, and says how it did.
fn end(mut service: Child) -> Option<i32> {
    assert!(Command::new("kill").arg(service.id().to_string()).status().unwrap().success());
    service.wait().unwrap().code()
}

#[test]
fn it_says_where_it_is_answers_like_the_command_and_ends_when_it_is_asked_to() {
    let (service, line, mut err) = start(&mut unchaff(&["serve", "--port", "0"]));
    assert!(line.contains("http://127.0.0.1:") && line.contains("for this machine only"), "{line}");
    let length = PAGE.len();
    let request = format!(
        "POST /v1/extract?secret=no HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{PAGE}"
    );
    assert!(ask(&line, &request).starts_with("HTTP/1.1 400"));
    let reply = ask(&line, &request.replace("?secret=no", "?format=json"));
    let mut command =
        unchaff(&["extract", "-", "--format", "json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    command.stdin.take().unwrap().write_all(PAGE.as_bytes()).unwrap();
    let printed = String::from_utf8(command.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(reply.split_once("\r\n\r\n").unwrap().1, printed);
    assert_eq!(end(service), Some(0));
    let mut log = String::new();
    err.read_to_string(&mut log).unwrap();
    // A line for each request, without what was asked.
    assert!(log.lines().count() == 2 && log.contains("127.0.0.1 POST /v1/extract 200 ") && !log.contains("secret"), "{log}");
}

#[test]
fn a_token_of_the_environment_is_asked_for() {
    let (service, line, mut err) = start(unchaff(&["serve", "--port", "0", "--quiet"]).env("UNCHAFF_TOKEN", "sesame"));
    let request = "GET /v1/techniques HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert!(ask(&line, request).starts_with("HTTP/1.1 401"));
    let with = request.replace("\r\n\r\n", "\r\nAuthorization: Bearer sesame\r\n\r\n");
    assert!(ask(&line, &with).starts_with("HTTP/1.1 200"));
    assert_eq!(end(service), Some(0));
    let mut log = String::new();
    err.read_to_string(&mut log).unwrap();
    assert_eq!(log, "", "quiet");
}

#[test]
fn what_cannot_be_is_told_with_the_way_out() {
    let (service, line, _err) = start(&mut unchaff(&["serve", "--port", "0", "--quiet"]));
    let port = line.split("127.0.0.1:").nth(1).unwrap().split('/').next().unwrap();
    let mut empty = unchaff(&["serve", "--port", "0"]);
    empty.env("UNCHAFF_TOKEN", "");
    for (command, says) in [
        (&mut unchaff(&["serve", "--port", port]), "--port"),
        (&mut unchaff(&["serve", "--port", "0", "--fetch-private"]), "--fetch"),
        (&mut unchaff(&["mcp", "--fetch-private"]), "--fetch"),
        (&mut empty, "UNCHAFF_TOKEN"),
    ] {
        let done = command.output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.code() == Some(2) && err.contains(says), "{says}: {err}");
    }
    assert_eq!(end(service), Some(0));
}

#[test]
fn an_assistant_is_answered_until_it_has_no_more_questions() {
    let mut assistant = unchaff(&["mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = assistant.stdin.take().unwrap();
    writeln!(
        input,
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"extract","arguments":{{"html":{PAGE:?}}}}}}}"#
    )
    .unwrap();
    drop(input);
    let done = assistant.wait_with_output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && out.lines().count() == 1 && out.contains("# Rain") && out.contains("lower town"), "{out}");
}
