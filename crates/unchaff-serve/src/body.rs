//! What is sent with a request, within a size, a time, and a share of the memory for all requests.
//!
//! Who says beforehand that a request is too large is refused before a byte of it is read; who does not say is stopped on the way. Of the
//! memory a request takes as much as has arrived, so that announcing much and sending nothing keeps nobody out.

use crate::problem::Problem;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The memory for what is sent, shared by all requests.
#[derive(Debug)]
pub(crate) struct Memory {
    left: AtomicU64,
}

impl Memory {
    pub(crate) fn new(bytes: u64) -> Arc<Memory> {
        Arc::new(Memory { left: AtomicU64::new(bytes) })
    }

    fn take(&self, bytes: u64) -> bool {
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// What was sent. Its share of the memory is given back when this goes.
#[derive(Debug)]
pub(crate) struct Sent {
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    taken: u64,
    memory: Arc<Memory>,
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.memory.left.fetch_add(self.taken, Ordering::Relaxed);
    }
}

/// How large a request says it is.
pub(crate) fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// All that is sent.
///
/// # Errors
/// If it is too large, too slow, breaks off, or if there is no memory left for it.
pub(crate) async fn receive(
    headers: &HeaderMap,
    mut body: Body,
    limit: u64,
    timeout: Duration,
    memory: &Arc<Memory>,
) -> Result<Sent, Problem> {
    let announced = announced(headers);
    if announced.is_some_and(|announced| announced > limit) {
        return Err(Problem::too_large(limit));
    }
    // Some room at once; a lie about the length does not get more than that.
    let room = announced.unwrap_or(0).min(1 << 20) as usize;
    let mut sent = Sent { bytes: Vec::with_capacity(room), taken: 0, memory: Arc::clone(memory) };
    let all = async {
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Problem::broken("the request breaks off before it is complete; send it again"))?;
            let Ok(data) = frame.into_data() else { continue };
            if sent.bytes.len() as u64 + data.len() as u64 > limit {
                return Err(Problem::too_large(limit));
            }
            if !memory.take(data.len() as u64) {
                return Err(Problem::busy("there is no memory left for another request; try again in a moment"));
            }
            sent.taken += data.len() as u64;
            sent.bytes.extend_from_slice(&data);
        }
        Ok(())
    };
    match tokio::time::timeout(timeout, all).await {
        Ok(done) => done.map(|()| sent),
        Err(_) => Err(Problem::slow(format!("the request did not arrive within {} s; send it faster", timeout.as_secs_f64()))),
    }
}
