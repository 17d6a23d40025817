//! Files that are whole or not there at all, and files of lines that can be gone on with.
//!
//! Only a regular file can be replaced as a whole: the new one is written beside it and takes its place, with its mode and owner. What is
//! no regular file (a device, a pipe) is written to, and a link is followed to what it stands for.

use crate::JobError;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Links that lead to links; systems follow 40.
const MOST_LINKS: usize = 40;

/// Writes a file. A regular one is written under another name first, so that a stop leaves no half of it.
///
/// # Errors
/// If it cannot be written; then a regular file that was there stays.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    write(path, bytes).map_err(|cause| JobError::Write { path: path.to_owned(), cause })
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Nearly all files are new ones, in a folder that is there: that takes as few questions as possible.
    let there = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => metadata_if_there(path)?,
        Ok(found) => Some(found),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return create(path, bytes),
        Err(cause) => return Err(cause),
    };
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        let mut through = OpenOptions::new().write(true).open(path)?;
        return through.write_all(bytes).and_then(|()| through.flush());
    }
    replace(&end_of_links(path)?, there.as_ref(), bytes)
}

fn metadata_if_there(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// Writes a file where there is none, and makes its folder if that is not there either.
fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match replace(path, None, bytes) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            replace(path, None, bytes)
        }
        written => written,
    }
}

/// Writes a new file, which takes the place of one that is there.
fn replace(path: &Path, there: Option<&Metadata>, bytes: &[u8]) -> io::Result<()> {
    let (part, mut file) = part_of(path)?;
    let written = there
        .map_or(Ok(()), |there| keep_mode(&file, there))
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// What a link stands for, also if that is not there yet.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut here = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&here) {
            Ok(next) => here = here.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(here),
        }
    }
    Err(io::Error::other("it is a link that leads in a circle"))
}

/// A new file beside another. One that a killed run left there is used again; one that another process is writing is left alone.
fn part_of(path: &Path) -> io::Result<(PathBuf, File)> {
    let beside = |end: String| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(end);
        path.with_file_name(name)
    };
    let create = |part: &Path| {
        let file = OpenOptions::new().write(true).create_new(true).open(part)?;
        // Tells others that it is in use. Where files cannot be locked, nobody can tell.
        let _ = file.try_lock();
        io::Result::Ok(file)
    };
    let part = beside(".part".to_owned());
    match create(&part) {
        Ok(file) => return Ok((part, file)),
        Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(cause),
        Err(_) => {}
    }
    let is_regular = fs::symlink_metadata(&part).is_ok_and(|part| part.is_file());
    if is_regular && OpenOptions::new().write(true).open(&part).is_ok_and(|left| left.try_lock().is_ok()) {
        let _ = fs::remove_file(&part);
        if let Ok(file) = create(&part) {
            return Ok((part, file));
        }
    }
    let part = beside(format!(".{}.part", std::process::id()));
    let _ = fs::remove_file(&part);
    create(&part).map(|file| (part, file))
}

/// Gives a new file the mode of the one that it replaces, before anything is in it; and the owner, if we may.
fn keep_mode(file: &File, there: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (there.uid(), there.gid()) {
            let _ = std::os::unix::fs::fchown(file, Some(there.uid()), Some(there.gid()));
        }
    }
    file.set_permissions(there.permissions())
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_keeps_its_mode_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.md");
        write_file(&path, b"one").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(names(&folder.path().join("a")), ["b.md"]);
    }

    #[test]
    fn links_stay_links_also_to_what_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("real")).unwrap();
        symlink("real/file", at("one")).unwrap();
        symlink(at("one"), at("two")).unwrap();
        symlink("circle", at("circle")).unwrap();
        for bytes in [b"new", b"old"] {
            write_file(&at("two"), bytes).unwrap();
            assert_eq!(fs::read(at("real/file")).unwrap(), bytes);
        }
        assert!(fs::symlink_metadata(at("two")).unwrap().is_symlink() && fs::symlink_metadata(at("one")).unwrap().is_symlink());
        assert_eq!(names(&at("real")), ["file"]);
        write_file(&at("circle"), b"").unwrap_err();
    }

    #[test]
    fn what_is_no_regular_file_is_written_to() {
        write_file(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            assert!(std::env::var_os("CI").is_none(), "this test needs mkfifo of coreutils");
            return;
        }
        let read = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write_file(&pipe, b"through").unwrap();
        assert_eq!(read.join().unwrap(), b"through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        let error = write_file(folder.path(), b"x").unwrap_err().to_string();
        assert!(error.contains("cannot write"), "{error}");
    }

    #[test]
    fn what_a_killed_run_left_is_used_again_and_what_another_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (path, part) = (folder.path().join("a.md"), folder.path().join("a.md.part"));
        fs::write(&part, "half of it, and long").unwrap();
        write_file(&path, b"whole").unwrap();
        assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (vec!["a.md".to_owned()], b"whole".to_vec()));
        let other = File::create(&part).unwrap();
        other.lock().unwrap();
        write_file(&path, b"ours").unwrap();
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (2, b"ours".to_vec()));
        // A link there is somebody's trap.
        drop(other);
        fs::remove_file(&part).unwrap();
        fs::write(folder.path().join("precious"), "precious").unwrap();
        symlink("precious", &part).unwrap();
        write_file(&path, b"again").unwrap();
        assert_eq!(fs::read(folder.path().join("precious")).unwrap(), b"precious");
    }
}
