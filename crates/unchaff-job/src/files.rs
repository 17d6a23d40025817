//! Files that are whole or not there at all, and files of lines that can be gone on with.

use crate::JobError;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Writes a file under another name first, so that a stop leaves no half of it.
///
/// # Errors
/// If it cannot be written; then what was there stays.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    let failed = |cause| JobError::Write { path: path.to_owned(), cause };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written.map_err(failed)
}

/// Opens a file of lines to go on with it: half a line at its end is cut off. The whole ones are shown to `see`.
pub(crate) fn open_lines(path: &Path, mut see: impl FnMut(&[u8])) -> Result<File, JobError> {
    let failed = |cause| JobError::Write { path: path.to_owned(), cause };
    let file = OpenOptions::new().create(true).truncate(false).read(true).append(true).open(path).map_err(failed)?;
    let mut whole = 0u64;
    let mut reader = BufReader::new(&file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).map_err(failed)? > 0 {
        if line.ends_with(b"\n") {
            see(&line);
            whole += line.len() as u64;
        }
        line.clear();
    }
    file.set_len(whole).map_err(failed)?;
    Ok(file)
}
