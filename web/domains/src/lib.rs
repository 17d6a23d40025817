//! Names of hosts as ASCII, in place of the crate `idna`, for the crate `url`.
//!
//! What browsers, Node and workers do with the host of an address is what the URL Standard says, with the tables of Unicode that they have anyway; the crate would bring
//! its own, a twentieth of the module. So names in other scripts, and those that say that they are (`xn--`), are given to the platform
//! (`package/engine.js`); all others are done here.

use std::borrow::Cow;

/// That a name is none.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Errors {}

impl std::fmt::Display for Errors {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("no name of a host")
    }
}

impl std::error::Error for Errors {}

/// Which characters of ASCII a name must not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AsciiDenyList(());

impl AsciiDenyList {
    /// The forbidden domain code points of the URL Standard.
    pub const URL: AsciiDenyList = AsciiDenyList(());
}

fn is_forbidden(byte: u8) -> bool {
    byte <= b' '
        || matches!(byte, 0x7F | b'%' | b'#' | b'/' | b':' | b'<' | b'>' | b'?' | b'@' | b'[' | b'\\' | b']' | b'^' | b'|')
}

/// The name as it stands in an address.
///
/// # Errors
/// If it is no name of a host.
pub fn domain_to_ascii_from_cow(domain: Cow<'_, [u8]>, _: AsciiDenyList) -> Result<Cow<'_, str>, Errors> {
    if domain.iter().copied().any(is_forbidden) {
        return Err(Errors {});
    }
    let says_so = |label: &[u8]| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"));
    if !domain.is_ascii() || domain.split(|byte| *byte == b'.').any(says_so) {
        let name = std::str::from_utf8(&domain).map_err(|_| Errors {})?;
        return by_platform(name).map(Cow::Owned).ok_or(Errors {});
    }
    let has_upper = domain.iter().any(u8::is_ascii_uppercase);
    let name = match domain {
        Cow::Borrowed(name) => std::str::from_utf8(name).map(Cow::Borrowed).map_err(|_| Errors {})?,
        Cow::Owned(name) => Cow::Owned(String::from_utf8(name).map_err(|_| Errors {})?),
    };
    Ok(if has_upper { Cow::Owned(name.to_ascii_lowercase()) } else { name })
}

/// The name as people read it. Platforms have no function for that, and nothing in the engine asks for it.
pub fn domain_to_unicode(domain: &str) -> (String, Result<(), Errors>) {
    (domain.to_owned(), Err(Errors {}))
}

#[cfg(target_family = "wasm")]
fn by_platform(name: &str) -> Option<String> {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Overwrites a name with the one that stands in addresses, as far as there is room; answers its length, or 0 if it is no name.
        fn host_name(pointer: *mut u8, length: usize, room: usize) -> usize;
    }
    // Punycode takes less than four characters for one, and each label has a prefix.
    let mut bytes = name.as_bytes().to_vec();
    bytes.resize(8 * name.len() + 64, 0);
    // SAFETY: the platform writes to these bytes only.
    let length = unsafe { host_name(bytes.as_mut_ptr(), name.len(), bytes.len()) };
    bytes.truncate(length);
    String::from_utf8(bytes).ok().filter(|name| !name.is_empty())
}

#[cfg(not(target_family = "wasm"))]
fn by_platform(_: &str) -> Option<String> {
    None
}
