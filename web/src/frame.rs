//! Requests and answers as bytes: JSON for what is small, and parts as they are for pages, models and texts.
//!
//! A request is the length of its JSON in four bytes, the least significant first, the JSON, and its parts one after another, of which
//! the JSON has the lengths. An answer is its length without these four bytes, 0 or 1 for an error, the number of its parts, the length of each, and the parts.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// What is asked.
pub(crate) struct Request<'b> {
    json: &'b [u8],
    parts: Cell<&'b [u8]>,
}

impl<'b> Request<'b> {
    pub(crate) fn read(bytes: &'b [u8]) -> Result<Request<'b>, String> {
        let broken = || "the request is cut off".to_owned();
        let (length, rest) = bytes.split_first_chunk().ok_or_else(broken)?;
        let (json, parts) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(broken)?;
        Ok(Request { json, parts: Cell::new(parts) })
    }

    /// The options. What is wrong about them is said in the caller's words.
    pub(crate) fn options<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_slice(self.json).map_err(|error| {
            let said = error.to_string();
            // Where in JSON that nobody wrote by hand is of no use to anybody.
            let message = said.split(" at line ").next().unwrap_or(&said).replace("unknown field", "there is no option");
            message.replace("expected one of", "there are")
        })
    }

    /// The next part.
    pub(crate) fn part(&self, length: usize) -> Result<&'b [u8], String> {
        let (part, rest) = self.parts.get().split_at_checked(length).ok_or("a part of the request is missing")?;
        self.parts.set(rest);
        Ok(part)
    }
}

/// A page of a request: its bytes are the next part.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    pub(crate) length: usize,
    /// Whether it was text: then no charset that the page names can be true.
    #[serde(default)]
    pub(crate) text: bool,
    pub(crate) url: Option<String>,
    pub(crate) charset: Option<String>,
}

/// What is answered.
pub(crate) struct Answer {
    is_error: bool,
    parts: Vec<Vec<u8>>,
}

impl Answer {
    pub(crate) fn of(parts: Vec<Vec<u8>>) -> Answer {
        Answer { is_error: false, parts }
    }

    pub(crate) fn json(value: &impl Serialize) -> Result<Answer, String> {
        Ok(Answer::of(vec![serde_json::to_vec(value).map_err(|error| error.to_string())?]))
    }

    pub(crate) fn error(why: String) -> Answer {
        Answer { is_error: true, parts: vec![why.into_bytes()] }
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        // Memory has 32-bit addresses, so no length is longer.
        let number = |number: usize| (number as u32).to_le_bytes();
        let length = 4 * (2 + self.parts.len()) + self.parts.iter().map(Vec::len).sum::<usize>();
        let mut bytes = Vec::with_capacity(4 + length);
        bytes.extend(number(length));
        bytes.extend(number(usize::from(self.is_error)));
        bytes.extend(number(self.parts.len()));
        self.parts.iter().for_each(|part| bytes.extend(number(part.len())));
        self.parts.iter().for_each(|part| bytes.extend(part));
        bytes
    }
}
