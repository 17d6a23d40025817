//! What `docs/safety.md` promises, asked of the command itself: hostile archives and servers, odd places to write to, disks that are full.

mod running;

use running::unchaff;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use unchaff_source::test_network;

const UNCHAFF: &str = env!("CARGO_BIN_EXE_unchaff");

const PAGE: &str = "<title>Rain</title><nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained all day and all night, and then the sun came \
                    out over the hills again, so that the children could go out.</p>";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.at(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self.path(name)
    }
}

/// Runs a script of the shell in which folders can be mounted; none if this machine cannot, and the test is to be skipped.
fn with_mounts(script: &str, arguments: &[&str]) -> Option<Output> {
    let run = |script: &str, arguments: &[&str]| {
        Command::new("unshare").args(["--map-root-user", "--mount", "sh", "-c", script, "sh"]).args(arguments).output()
    };
    if !run("mount -t tmpfs tmpfs /mnt", &[]).is_ok_and(|done| done.status.success()) {
        let told = "this test needs mounts of its own (unshare and mount of util-linux)";
        assert!(std::env::var_os("CI").is_none(), "{told}");
        eprintln!("skipped, because {told}");
        return None;
    }
    Some(run(script, arguments).unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_public_page_leads_to_no_private_one_unless_that_is_allowed() {
    if !test_network::is_inside("a_public_page_leads_to_no_private_one_unless_that_is_allowed") {
        return;
    }
    let serve = |address: &str, answer: String| {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let own = format!("http://{}/", listener.local_addr().unwrap());
        // It ends with the test, which is a process of its own.
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut head = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
                let _ = write!(stream, "HTTP/1.1 {answer}");
            }
        });
        own
    };
    let private = serve("127.0.0.1", format!("200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n\r\n{PAGE}"));
    let public = serve(test_network::PUBLIC, format!("302 Found\r\nConnection: close\r\nLocation: {private}\r\n\r\n"));
    let refused = unchaff(&["extract", &public]);
    assert_eq!((refused.code, refused.out.as_str()), (1, ""), "{}", refused.err);
    assert!(refused.err.contains("not a public address") && refused.err.contains("--allow-private"), "{}", refused.err);
    let allowed = unchaff(&["extract", &public, "--allow-private"]);
    assert!(allowed.code == 0 && allowed.out.contains("It rained all day"), "{}", allowed.err);
    let asked_for = unchaff(&["extract", &private]);
    assert!(asked_for.code == 0 && asked_for.out.contains("It rained all day"), "{}", asked_for.err);
}

#[cfg(unix)]
#[test]
fn devices_pipes_and_links_are_written_to_and_modes_stay() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let place = Place::new();
    let page = place.write("page.html", PAGE);
    let to = |output: &str| {
        let done = unchaff(&["extract", &page, "-o", output]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{output}");
    };
    to("/dev/null");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let secret = place.write("secret.md", "old");
    fs::set_permissions(&secret, PermissionsExt::from_mode(0o600)).unwrap();
    symlink("secret.md", place.at("link.md")).unwrap();
    to(&place.path("link.md"));
    assert!(fs::symlink_metadata(place.at("link.md")).unwrap().is_symlink());
    assert!(fs::read_to_string(&secret).unwrap().contains("It rained all day"));
    assert_eq!(fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o600);
    // Standard output under its name of a file is a pipe here.
    let piped = unchaff(&["extract", &page, "-o", "/dev/stdout"]);
    assert!(piped.code == 0 && piped.out.contains("It rained all day"), "{}", piped.err);
}

#[test]
fn a_crawl_leaves_alone_what_it_did_not_write() {
    let place = Place::new();
    // A gzip file of somebody's notes that is cut off.
    let cut = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x54, 0xc8, 0x4d];
    let output = place.write("notes.gz", cut);
    let done = unchaff(&["crawl", "http://127.0.0.1:1/", "-o", &output, "--allow-private"]);
    assert!(done.code == 2 && done.err.contains("give another name"), "{}", done.err);
    assert_eq!(fs::read(&output).unwrap(), cut);
    let device = unchaff(&["crawl", "http://127.0.0.1:1/", "-o", "/dev/null", "--allow-private"]);
    assert!(device.code == 2 && device.err.contains("no regular file"), "{}", device.err);
}

fn record(number: usize, length: Option<usize>) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}<p>Number {number}.</p>");
    let length = length.unwrap_or(block.len());
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://rain.example/{number}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

#[test]
fn a_record_that_lies_about_its_length_costs_itself_and_is_told() {
    let place = Place::new();
    let archive =
        place.write("a.warc", (0..7).map(|number| record(number, (number == 1).then_some(1_000_000_000))).collect::<String>());
    let done = unchaff(&["site", &archive]);
    assert_eq!((done.code, done.out.lines().count()), (1, 6), "{}", done.err);
    assert!(done.err.contains("length is not what it says"), "{}", done.err);
    let folder = unchaff(&["site", &archive, "-o", &place.path("out")]);
    assert_eq!(folder.code, 1, "{}", folder.err);
    assert_eq!(fs::read_to_string(place.at("out/rain.example.jsonl")).unwrap().lines().count(), 6);
    let clustered = unchaff(&["cluster", &archive]);
    assert!(clustered.code == 1 && clustered.out.contains('6'), "{}", clustered.err);
}

/// Writes a folder of pages that are all different.
fn write_pages(folder: &Path, pages: usize) {
    fs::create_dir_all(folder).unwrap();
    for number in 0..pages {
        let more: String = (0..20).map(|line| format!("<p>Line {line} of page {number}, which no other page has.</p>")).collect();
        fs::write(folder.join(format!("{number:04}.html")), format!("{PAGE}<h2>Page {number}</h2>{more}")).unwrap();
    }
}

#[test]
fn after_a_full_disk_the_same_command_completes_what_is_missing() {
    let place = Place::new();
    write_pages(&place.at("pages"), 150);
    let pages = place.path("pages");
    let site =
        |out: &str, store: &str| format!("{UNCHAFF} site {pages} --base-url https://rain.example/ -o {out} --store {store}");
    let whole = place.path("whole");
    let done = Command::new("sh").args(["-c", &site(&whole, &place.path("whole.db"))]).output().unwrap();
    assert!(done.status.success(), "{}", text(&done.stderr));
    let expected = fs::read_to_string(place.at("whole/rain.example.jsonl")).unwrap();
    assert_eq!(expected.lines().count(), 150);
    fs::create_dir(place.at("small")).unwrap();
    let small = place.path("small");
    // So many kilobytes: not even the store fits; the store fits; some results fit.
    for size in [40, 300, 600, 900] {
        let script = format!(
            "mount -t tmpfs -o size={size}k tmpfs {small} && {{ {}; echo first $?; mount -o remount,size=64m {small}; {}; echo second $?; \
             cat {small}/out/rain.example.jsonl >{small}.lines; cat {small}/out/sites.jsonl >{small}.notes; }}",
            site(&format!("{small}/out"), &format!("{small}/store.db")),
            site(&format!("{small}/out"), &format!("{small}/store.db")),
        );
        let Some(done) = with_mounts(&script, &[]) else { return };
        let (out, err) = (text(&done.stdout), text(&done.stderr));
        assert!(out.contains("second 0"), "{size}: {out}{err}");
        assert!(!out.contains("first 0") && !err.is_empty(), "{size}: the disk was too large: {out}{err}");
        assert_eq!(fs::read_to_string(place.at("small.lines")).unwrap(), expected, "{size}: {out}{err}");
        let notes = fs::read_to_string(place.at("small.notes")).unwrap();
        assert!(notes.lines().count() == 1 && notes.contains("\"pages\":150,\"failed\":0"), "{size}: {notes}");
    }
}

#[test]
fn a_store_that_cannot_be_written_can_be_read() {
    let place = Place::new();
    write_pages(&place.at("pages"), 3);
    fs::create_dir(place.at("kept")).unwrap();
    let store = place.path("kept/a store?.db");
    let made = unchaff(&["site", &place.path("pages"), "--base-url", "https://rain.example/", "--store", &store]);
    assert_eq!(made.code, 0, "{}", made.err);
    let listed = unchaff(&["store", "list", &store]);
    assert!(listed.code == 0 && listed.out.contains("rain.example"), "{}{}", listed.out, listed.err);
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && \
                  \"$2\" store list \"$3\" && \"$2\" store export \"$3\"";
    let Some(done) = with_mounts(script, &[&place.path("kept"), UNCHAFF, &store]) else { return };
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).starts_with(&listed.out), "{}", text(&done.stdout));
    assert_eq!(fs::read_dir(place.at("kept")).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_terminal_is_shown_control_characters_and_a_pipe_gets_them() {
    let place = Place::new();
    let page = place.write("page.html", PAGE.replace("all night", "all \u{1b}]0;stolen\u{7}\u{1b}[2Jnight"));
    let piped = unchaff(&["extract", &page, "-f", "text"]);
    assert!(piped.out.contains("\u{1b}]0;stolen\u{7}"), "{}", piped.out);
    // It gives what it runs a terminal.
    let Ok(done) = Command::new("script").args(["-qec", &format!("{UNCHAFF} extract {page} -f text"), "/dev/null"]).output()
    else {
        assert!(std::env::var_os("CI").is_none(), "this test needs script (bsdutils)");
        eprintln!("skipped, because there is no script (bsdutils)");
        return;
    };
    let shown = text(&done.stdout);
    assert!(shown.contains("␛]0;stolen␇␛[2Jnight") && !shown.contains('\u{1b}'), "{shown:?}");
}
