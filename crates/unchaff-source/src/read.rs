//! Bytes of any input: a file, standard input or a web address, all within one size limit.

use std::fs::File;
use std::io::{self, Read};

use crate::content_encoding::Bounds;
use crate::error::FetchError;
use crate::fetch::{Fetched, Fetcher};
use crate::file_kind::no_page;
use crate::inputs::{Held, Input};
use crate::packing::undo_packing;

/// Reads an input within the fetcher's [`max_bytes`](crate::FetchOptions::max_bytes).
///
/// What is packed (gzip, Zstandard, LZ4) is unpacked, whatever its name; the limit holds for what comes out. What is known to be no page by its first
/// bytes is refused.
pub fn read(input: &Input, fetcher: &Fetcher) -> Result<Fetched, FetchError> {
    let limit = fetcher.options().max_bytes;
    // However slowly standard input comes, it is waited for.
    let bounds = Bounds { most: limit, deadline: None };
    let bytes = match input {
        Input::Url(url) => return fetcher.fetch(url),
        Input::File(path) => File::open(path).and_then(|file| read_file(file, bounds)),
        Input::Stdin => read_limited(&mut io::stdin().lock(), bounds),
        Input::Held(page) => {
            let Held { bytes, url, charset, .. } = &**page;
            return Ok(Fetched { bytes: bytes.clone(), url: url.clone(), charset: charset.clone(), ..Fetched::default() });
        }
    };
    if let Ok(Some(bytes)) = &bytes
        && let Some(what) = no_page(bytes)
    {
        return Err(FetchError::Foreign { page: input.to_string(), what });
    }
    match bytes {
        Ok(Some(bytes)) => Ok(Fetched { bytes, ..Fetched::default() }),
        Ok(None) => Err(FetchError::TooLarge { page: input.to_string(), limit }),
        Err(cause) => Err(FetchError::reading(input.to_string(), cause)),
    }
}

/// All bytes of a stream, unpacked if they are packed, or none if there are more than the bounds have.
pub(crate) fn read_limited(stream: &mut dyn Read, bounds: Bounds) -> io::Result<Option<Vec<u8>>> {
    read_into(Vec::new(), stream, bounds)
}

/// The same of a file, which says how long it is.
pub(crate) fn read_file(mut file: File, bounds: Bounds) -> io::Result<Option<Vec<u8>>> {
    let length = file.metadata().map_or(0, |file| file.len()).min(bounds.most);
    read_into(Vec::with_capacity(usize::try_from(length).unwrap_or(0)), &mut file, bounds)
}

fn read_into(mut bytes: Vec<u8>, stream: &mut dyn Read, bounds: Bounds) -> io::Result<Option<Vec<u8>>> {
    let mut stream = bounds.around(stream);
    let stream = undo_packing(&mut stream as &mut dyn Read);
    match stream.and_then(|stream| stream.take(bounds.most.saturating_add(1)).read_to_end(&mut bytes)) {
        Err(cause) if cause.kind() == io::ErrorKind::FileTooLarge => Ok(None),
        Err(cause) => Err(cause),
        Ok(_) => Ok((bytes.len() as u64 <= bounds.most).then_some(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_encoding::tests::gzip;
    use crate::fetch::FetchOptions;

    fn read_file(content: &[u8], max_bytes: u64) -> Result<Fetched, FetchError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        std::fs::write(&path, content).unwrap();
        read(&Input::File(path), &Fetcher::new(FetchOptions { max_bytes, ..FetchOptions::default() }))
    }

    #[test]
    fn a_file_is_read_as_it_is() {
        let fetched = read_file(b"<p>\xff\0", 100).unwrap();
        assert_eq!(fetched, Fetched { bytes: b"<p>\xff\0".to_vec(), ..Fetched::default() });
        assert_eq!(read_file(b"", 0).unwrap().bytes, b"");
    }

    #[test]
    fn gzip_is_told_by_its_first_bytes() {
        assert_eq!(read_file(&gzip(b"<p>"), 100).unwrap().bytes, b"<p>");
        assert_eq!(read_file(b"\x1f", 100).unwrap().bytes, b"\x1f");
    }

    #[test]
    fn the_limit_itself_is_allowed_and_one_more_is_not() {
        assert_eq!(read_file(&[b'a'; 2048], 2048).unwrap().bytes.len(), 2048);
        let error = read_file(&[b'a'; 2049], 2048).unwrap_err();
        assert!(matches!(error, FetchError::TooLarge { limit: 2048, .. }));
        let message = error.to_string();
        assert!(message.contains("page.html") && message.contains("2 KiB") && message.contains("raise the limit"), "{message}");
        assert!(matches!(read_file(&gzip(&vec![0; 1 << 20]), 2048), Err(FetchError::TooLarge { .. })));
    }

    #[test]
    fn damaged_gzip_and_a_missing_file_are_told_apart() {
        let whole = gzip(b"It rained all day, and then it rained all night.");
        assert!(matches!(read_file(&whole[..whole.len() - 4], 100), Err(FetchError::Truncated { .. })));
        let mut wrong = whole;
        wrong[12] ^= 0xff;
        let error = read_file(&wrong, 100).unwrap_err();
        assert!(matches!(error, FetchError::Damaged { .. } | FetchError::Truncated { .. }), "{error:?}");
        let missing = Input::File("no/such/page.html".into());
        let message = read(&missing, &Fetcher::default()).unwrap_err().to_string();
        assert!(message.contains("no/such/page.html"), "{message}");
    }
}
