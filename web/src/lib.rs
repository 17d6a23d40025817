//! The engine behind a plain C interface, for `package/index.js`, which is the only one to call it.
//!
//! A function takes a request and returns an answer ([`frame`]); both are bytes in the module's memory. Memory is lent by
//! [`allocate`] and given back by [`free`]. What panics, or needs more memory than there is, traps: the caller sees an exception, asks
//! [`panic_message`] why, and makes a new instance. The interface is as small as can be, so that no generated code stands between.

mod clusters;
mod finding;
mod frame;
mod labels;
mod models;
mod numbers;
mod segments;
mod site_in_parts;
mod techniques;

use frame::{Answer, Request};
use std::sync::Mutex;

/// Lends memory of so many bytes, all zero; 0 if there is not so much. The caller gives it back with [`free`].
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(length, 0);
    leak(bytes)
}

/// Takes memory back.
///
/// # Safety
/// The pointer comes from [`allocate`] or from a function that answers, with that length, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(pointer: *mut u8, length: usize) {
    let lent = std::ptr::slice_from_raw_parts_mut(pointer, length);
    // SAFETY: `leak` made it from a box of that length, and the caller says that it is given back once.
    drop(unsafe { Box::from_raw(lent) });
}

/// Gives bytes away, to whoever calls [`free`] with their number.
fn leak(bytes: Vec<u8>) -> *mut u8 {
    // A boxed slice has no spare capacity, so pointer and length are all there is to know.
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Answers a request, which stays the caller's; the answer is the caller's too.
///
/// # Safety
/// The pointer comes from [`allocate`] with that length.
unsafe fn answer(pointer: *const u8, length: usize, work: fn(&Request<'_>) -> Result<Answer, String>) -> *mut u8 {
    // SAFETY: `allocate` has set all of these bytes, and nobody writes to them meanwhile: there is one thread.
    let bytes = unsafe { std::slice::from_raw_parts(pointer, length) };
    leak(Request::read(bytes).and_then(|request| work(&request)).unwrap_or_else(Answer::error).bytes())
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = $work:path;)*) => {
        $($(#[$doc])*
        ///
        /// # Safety
        /// The pointer comes from [`allocate`] with that length.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(pointer: *const u8, length: usize) -> *mut u8 {
            // SAFETY: the caller's promise is the same.
            unsafe { answer(pointer, length, $work) }
        })*
    };
}

functions! {
    /// The record of a page, and what else of it is asked for.
    extract = finding::extract;
    /// The labelled nodes of a page.
    detect = labels::detect;
    /// The parts that a person sees on a page.
    segment = segments::segment;
    /// The list of techniques.
    techniques = techniques::list;
    /// A model from bytes, or a new one; answers its number.
    model_open = models::open;
    /// Pages to learn from; answers how many pages the model has.
    model_add = models::add;
    /// What another model has learned.
    model_merge = models::merge;
    /// The bytes of a model.
    model_bytes = models::bytes;
    /// A model that is needed no more.
    model_close = models::close;
    /// Pages to be clustered: what of them is kept, under a number.
    cluster_add = clusters::add;
    /// The clusters of all pages that were added under a number.
    cluster_finish = clusters::finish;
}

/// What the last panic said, after its length in four bytes.
static PANIC: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Where the caller finds why a call trapped: four bytes of length and so many of text; 0 if nobody panicked.
#[unsafe(no_mangle)]
pub extern "C" fn panic_message() -> *const u8 {
    match PANIC.try_lock() {
        Ok(message) if !message.is_empty() => message.as_ptr(),
        _ => std::ptr::null(),
    }
}

/// To be called once, first.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    std::panic::set_hook(Box::new(|panicked| {
        if let Ok(mut message) = PANIC.try_lock() {
            let text = panicked.to_string();
            *message = (text.len() as u32).to_le_bytes().into_iter().chain(text.into_bytes()).collect();
        }
    }));
}
