//! The engine behind a plain C interface: bytes of JSON in, bytes of JSON out.
//!
//! It exists for its test. That it compiles to `wasm32-unknown-unknown` and answers like the native command shows that the engine
//! needs no files, threads or clocks. The interface is as small as can be, so that no generated code stands between: memory is
//! lent by [`allocate`], given back by [`free`], and [`run`] does the rest. What panics traps, which the caller sees as an exception.

mod answer;

/// How many bytes before an answer tell its length, the least significant first.
const LENGTH_BYTES: usize = size_of::<u32>();

/// Lends memory of so many bytes, all zero. The caller gives it back with [`free`].
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    leak(vec![0; length])
}

/// Takes memory back.
///
/// # Safety
/// The pointer comes from [`allocate`] or [`run`], with that length, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(pointer: *mut u8, length: usize) {
    let lent = std::ptr::slice_from_raw_parts_mut(pointer, length);
    // SAFETY: `leak` made it from a box of that length, and the caller says that it is given back once.
    drop(unsafe { Box::from_raw(lent) });
}

/// Answers a request, which stays the caller's. The answer is its length in four bytes and as many bytes of JSON; it is given back with
/// [`free`], as four bytes more than its length.
///
/// # Safety
/// The pointer comes from [`allocate`] with that length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run(pointer: *const u8, length: usize) -> *mut u8 {
    // SAFETY: `allocate` has set all of these bytes, and nobody writes to them meanwhile: there is one thread.
    let request = unsafe { std::slice::from_raw_parts(pointer, length) };
    let answer = answer::answer(request);
    let mut bytes = Vec::with_capacity(LENGTH_BYTES + answer.len());
    bytes.extend(u32::try_from(answer.len()).expect("memory has 32-bit addresses").to_le_bytes());
    bytes.extend(answer.into_bytes());
    leak(bytes)
}

/// Gives bytes away, to whoever calls [`free`] with their number.
fn leak(bytes: Vec<u8>) -> *mut u8 {
    // A boxed slice has no spare capacity, so pointer and length are all there is to know.
    Box::into_raw(bytes.into_boxed_slice()).cast()
}
