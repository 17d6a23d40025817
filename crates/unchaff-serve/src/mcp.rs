//! unchaff as a tool of assistants: the Model Context Protocol over standard input and output, a message of JSON-RPC 2.0 a line.
//!
//! Of the protocol it has what tools need: `initialize`, `ping`, `tools/list` and `tools/call`. What the tools do is in `mcp/tools.rs`. Nothing here
//! is asynchronous: there is one client, and it gets its answers in the order of its questions.

mod references;
mod tools;

use crate::options::Options;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use tools::Tools;

/// The versions of the protocol that are spoken, the latest first. For what is here they are the same.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The codes of JSON-RPC.
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const NO_METHOD: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// What an assistant talks to.
#[derive(Debug)]
pub struct Assistant {
    tools: Tools,
    longest: u64,
}

impl Assistant {
    /// Tools that fetch what the options allow, within their limits.
    #[must_use]
    pub fn new(options: &Options) -> Assistant {
        // A page within a string of JSON, with some of its characters escaped.
        Assistant { tools: Tools::new(options), longest: options.max_bytes.saturating_mul(4).saturating_add(1 << 20) }
    }

    /// Answers until the input ends.
    ///
    /// # Errors
    /// If it cannot be read, or the answers not be written.
    pub fn run(&self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.by_ref().take(self.longest).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if line.len() as u64 == self.longest && !line.ends_with(b"\n") {
                let answer = error(&Value::Null, INVALID_REQUEST, "the message is too long");
                writeln!(output, "{answer}")?;
                output.flush()?;
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a message is too long"));
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            if let Some(answer) = self.answer(&line) {
                writeln!(output, "{answer}")?;
                output.flush()?;
            }
        }
    }

    /// The answer to a message, or to several in a list; none where none is expected.
    fn answer(&self, line: &[u8]) -> Option<Value> {
        match serde_json::from_slice(line) {
            Err(problem) => Some(error(&Value::Null, PARSE_ERROR, &format!("this is no JSON: {problem}"))),
            Ok(Value::Array(messages)) if !messages.is_empty() => {
                let answers: Vec<Value> = messages.iter().filter_map(|message| self.message(message)).collect();
                (!answers.is_empty()).then(|| answers.into())
            }
            Ok(message) => self.message(&message),
        }
    }

    fn message(&self, message: &Value) -> Option<Value> {
        let id = message.get("id").unwrap_or(&Value::Null);
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            // An answer to something that was never asked.
            let is_answer = message.get("result").is_some() || message.get("error").is_some();
            return (!is_answer).then(|| error(id, INVALID_REQUEST, "this is no message of JSON-RPC 2.0: there is no method"));
        };
        // A notification is not answered.
        message.get("id")?;
        let params = message.get("params").unwrap_or(&Value::Null);
        let result = match method {
            "initialize" => initialized(params),
            "ping" => json!({}),
            "tools/list" => json!({"tools": tools::list()}),
            "tools/call" => match params["name"].as_str().map(|name| self.tools.call(name, &params["arguments"])) {
                Some(Ok(result)) => result,
                Some(Err(wrong)) => return Some(error(id, INVALID_PARAMS, &wrong)),
                None => return Some(error(id, INVALID_PARAMS, "a call names its tool")),
            },
            other => return Some(error(id, NO_METHOD, &format!("there is no method {other}"))),
        };
        Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }
}

fn initialized(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "unchaff", "version": env!("CARGO_PKG_VERSION")},
        "instructions": "Reads web pages: extract gives what a page is about as Markdown, without menus, advertisements and other surroundings.",
    })
}

fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(messages: &[Value]) -> Vec<Value> {
        let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
        let mut output = Vec::new();
        Assistant::new(&Options::default()).run(input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn call(name: &str, arguments: Value) -> Value {
        talk(&[json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}})])
            .remove(0)
    }

    fn text(answer: &Value) -> &str {
        answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
    }

    const PAGE: &str = "<title>Rain</title><nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/town>Town</a><li><a href=/coast>Coast</a></ul></nav><article><h1>Rain</h1>\
        <p>It rained <a href=/all>all day</a>, and in the evening the river stood at the doors of the lower town.</p>\
        <p>Nobody could remember a spring like it, and <a href=https://example.net/log>the log</a> has none either.</p></article>";

    #[test]
    fn a_conversation() {
        let answers = talk(&[
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": "x", "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
            json!({"jsonrpc": "2.0", "id": 3, "method": "resources/list"}),
        ]);
        assert_eq!(answers.len(), 4, "{answers:?}");
        assert_eq!(answers[0]["result"]["protocolVersion"], "2025-03-26");
        assert_eq!(answers[1], json!({"jsonrpc": "2.0", "id": "x", "result": {}}));
        let names: Vec<&str> =
            answers[2]["result"]["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(names, ["extract", "site", "menu", "metadata"]);
        assert_eq!(answers[3]["error"]["code"], NO_METHOD);
    }

    #[test]
    fn what_is_no_message_is_told_and_the_next_is_answered() {
        let mut output = Vec::new();
        let input = b"{\n\n[]\n{\"jsonrpc\":\"2.0\",\"id\":1}\n[{\"id\":2,\"method\":\"ping\"}]\n";
        Assistant::new(&Options::default()).run(&input[..], &mut output).unwrap();
        let answers: Vec<Value> =
            String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            (answers[0]["error"]["code"].as_i64(), answers[1]["error"]["code"].as_i64()),
            (Some(PARSE_ERROR), Some(INVALID_REQUEST))
        );
        assert_eq!(answers[2]["error"]["code"], INVALID_REQUEST);
        assert_eq!(answers[3][0]["id"], 2);
    }

    #[test]
    fn a_page_comes_in_parts_and_its_links_as_numbers() {
        let all = call("extract", json!({"html": PAGE, "url": "https://example.org/a"}));
        assert!(text(&all).contains("It rained [all day][1], and"), "{}", text(&all));
        assert!(text(&all).ends_with("[1]: https://example.org/all\n[2]: https://example.net/log\n"), "{}", text(&all));
        let none = call("extract", json!({"html": PAGE, "links": "none"}));
        assert!(text(&none).contains("It rained all day, and") && !text(&none).contains("example.net"), "{}", text(&none));
        let (mut whole, mut at) = (String::new(), 0);
        loop {
            let part = call("extract", json!({"html": PAGE, "links": "none", "start_index": at, "max_length": 50}));
            let part = text(&part);
            match part.split_once("\n\n[More: ") {
                Some((part, more)) => {
                    whole += part;
                    assert!((26..=50).contains(&part.chars().count()), "{part:?}");
                    at = more.split("start_index=").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
                }
                None => break whole += part,
            }
        }
        assert_eq!(whole, text(&none));
        let start = |html: &str| {
            let part = call("extract", json!({"html": html, "max_length": 20}));
            text(&part).split_once("\n\n[More: ").unwrap().0.to_owned()
        };
        let words = "The keeper of the lamp at Gull Point, who never slept, saw the light go out over the bay.";
        assert_eq!(start(&format!("<article><p>{words}</p></article>")), "The keeper of the ");
        let word = "x".repeat(90);
        assert_eq!(start(&format!("<article><p>A {word} stands here, and nobody knows what it means.</p></article>")).len(), 20);
        assert!(text(&call("extract", json!({"html": PAGE, "start_index": 100_000}))).contains("no more"));
    }

    #[test]
    fn a_site_has_what_recurs_removed() {
        let page = |text: &str| {
            format!(
                "<nav><a href=/a>A</a> <a href=/b>B</a></nav><p>Every page of ours begins with these very words, whatever follows.</p><p>{text}</p>"
            )
        };
        let pages: Vec<Value> = ["b", "c", "d"]
            .iter()
            .map(|name| json!({"url": format!("https://example.org/{name}"), "html": page(&format!("The page {name} has words of its own, and a good many."))}))
            .collect();
        let asked = json!({"url": "https://example.org/a", "html": page("It rained all day in the lower town, says the keeper of the log."), "pages": pages});
        let answer = call("site", asked);
        assert!(text(&answer).contains("It rained all day") && !text(&answer).contains("Every page of ours"), "{answer}");
    }

    #[test]
    fn menu_and_metadata() {
        let menu = call("menu", json!({"html": PAGE, "url": "https://example.org/"}));
        assert!(text(&menu).contains("[News](https://example.org/news)"), "{menu}");
        let metadata: Value = serde_json::from_str(text(&call("metadata", json!({"html": PAGE})))).unwrap();
        assert_eq!(metadata["title"]["value"], "Rain");
    }

    #[test]
    fn what_cannot_be_done_is_an_answer_and_what_makes_no_sense_an_error() {
        let refused = call("extract", json!({"url": "https://example.org/"}));
        assert!(refused["result"]["isError"] == true && text(&refused).contains("--fetch"), "{refused}");
        for (name, arguments) in [
            ("write", json!({})),
            ("extract", json!({})),
            ("extract", json!({"html": 1})),
            ("extract", json!({"html": "", "page": 2})),
            ("extract", json!({"html": "", "links": "many"})),
            ("extract", json!({"html": "", "max_length": 0})),
        ] {
            assert_eq!(call(name, arguments.clone())["error"]["code"], INVALID_PARAMS, "{name} {arguments}");
        }
    }
}
