//! `unchaff segment` as users meet it.

use std::fs;
use std::process::{Command, Output};

const PAGE: &str =
    "<!doctype html><title>Rain</title><style>body{margin:0;font:16px monospace} nav{height:60px} main{margin-top:80px}</style>
<nav><a href=/a>Home</a> <a href=/b>News</a> <a href=/c>Sport</a> <a href=/d>Contact</a></nav>
<main><h1>Rain</h1><p>It rained all day and all night, and then the sun came out over the hills again.</p>
<p>The children went out to play in the streets, and the birds began to sing in the wet trees.</p></main>";

const BOXES: &str = r##"{"width":600,"height":400,"boxes":[
{"rect":[0,0,40,20],"kind":"text","node":10,"color":"#0000ff"},
{"rect":[48,0,90,20],"kind":"text","node":13,"color":"#0000ff"},
{"rect":[0,200,500,220],"kind":"text","node":24},
{"rect":[0,224,500,244],"kind":"text","node":27}]}"##;

fn unchaff(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unchaff")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn folder() -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let [page, boxes] = [("page.html", PAGE), ("boxes.json", BOXES)].map(|(name, content)| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    });
    (folder, page, boxes)
}

#[test]
fn boxes_from_a_file_become_segments() {
    let (_folder, page, boxes) = folder();
    let done = unchaff(&["segment", &page, "--boxes", &boxes]);
    let default = text(&done.stdout);
    assert!(default.contains("\"technique\":\"segments-auto\""), "{default}");
    let done = unchaff(&["segment", &page, "--boxes", &boxes, "--ct", "0.3"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((found["technique"].as_str(), found["width"].as_i64()), (Some("bcs"), Some(600)));
    let segments = found["segments"].as_array().unwrap();
    assert_eq!(segments.len(), 2, "{found}");
    assert_eq!(segments[1]["box"], serde_json::json!([0, 200, 500, 244]));
    assert!(segments[1]["text"].as_str().unwrap().contains("birds began to sing"));
    assert!(segments[1]["nodes"][0]["path"].is_string());
    let svg = unchaff(&["segment", &page, "--boxes", &boxes, "-f", "svg"]);
    assert!(text(&svg.stdout).starts_with("<svg") && text(&svg.stdout).contains("stroke-width"));
    let annotated = unchaff(&["segment", &page, "--boxes", &boxes, "-f", "annotated"]);
    assert!(text(&annotated.stdout).contains("data-unchaff=\"segment-"), "{}", text(&annotated.stdout));
}

#[test]
fn segments_are_a_tree_and_a_cut_through_it_is_flat() {
    let (_folder, page, boxes) = folder();
    let segments = |more: &[&str]| {
        let done = unchaff(&[&["segment", &page, "--boxes", &boxes, "-t", "vips", "--set", "pdoc=10"], more].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
        let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        found["segments"].as_array().unwrap().clone()
    };
    let tree = segments(&[]);
    assert!(tree.iter().any(|segment| segment["level"] == 2 && segment["parent"].is_u64()), "{tree:?}");
    assert!(tree.iter().all(|segment| segment["coherence"].as_f64().is_some_and(|degree| (1.0..=10.0).contains(&degree))));
    let areas = tree.iter().filter(|segment| segment["level"] == 1).count();
    assert_eq!(segments(&["--level", "1"]).len(), areas);
    for cut in [&["--level", "2"][..], &["--doc", "10"], &["--most", "0.01"]] {
        let flat = segments(cut);
        assert!(
            flat.len() > areas && flat.iter().all(|segment| segment["level"] == 1 && segment.get("parent").is_none()),
            "{cut:?} {flat:?}"
        );
    }
}

#[test]
fn pictures_and_annotated_pages_show_areas_and_their_parts() {
    let (_folder, page, boxes) = folder();
    let written = |more: &[&str]| {
        let done = unchaff(&[&["segment", &page, "--boxes", &boxes, "-t", "vips", "--set", "pdoc=10"], more].concat());
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stdout).to_owned()
    };
    let frames = |svg: &str| (svg.matches("stroke-width=\"3\"/>").count(), svg.matches("stroke-width=\"1\"/>").count());
    let (areas, parts) = frames(&written(&["-f", "svg"]));
    assert!(areas > 0 && parts > 0, "{areas} {parts}");
    assert_eq!(frames(&written(&["-f", "svg", "--level", "1"])), (areas, 0));
    let marked = written(&["-f", "annotated"]);
    let of_parts = marked.split("data-unchaff=\"").skip(1).filter_map(|rest| rest.split('"').next());
    assert!(of_parts.clone().any(|names| names.matches("segment-").count() == 2), "{marked}");
    let cut = written(&["-f", "annotated", "--level", "1"]);
    assert!(
        cut.split("data-unchaff=\"").skip(1).all(|rest| rest.split('"').next().unwrap().matches("segment-").count() <= 1),
        "{cut}"
    );
}

#[test]
fn techniques_on_the_tree_need_no_browser() {
    let (_folder, page, _) = folder();
    for technique in ["dom-blocks", "block-fusion"] {
        let done = unchaff(&["segment", &page, "-t", technique]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert!(!found["segments"].as_array().unwrap().is_empty() && found.get("width").is_none(), "{found}");
    }
}

#[test]
fn techniques_are_listed_with_their_parameters() {
    let list = unchaff(&["techniques"]);
    assert!(text(&list.stdout).contains("visual-blocks"));
    let one = unchaff(&["techniques", "bcs"]);
    assert!(text(&one.stdout).contains("ct=0.3") && text(&one.stdout).contains("Zelený"));
}

#[test]
fn what_is_wrong_is_told_with_the_way_out() {
    let (folder, page, boxes) = folder();
    let told = |arguments: &[&str], says: &str| {
        let done = unchaff(arguments);
        assert!(!done.status.success());
        assert!(text(&done.stderr).contains(says), "{}", text(&done.stderr));
    };
    told(&["segment", &page, "--boxes", &page], "docs/segmentation.md");
    told(&["segment", &page, "--layout", "json"], "--boxes FILE");
    told(&["segment", &page, "--layout", "none"], "dom-blocks");
    told(&["segment", &page, "--boxes", &boxes, "--set", "tc=1"], "area_price");
    told(&["segment", &page, "--boxes", &boxes, "--level", "1", "--doc", "5"], "--doc");
    told(&["segment", &page, "--whole-site", "--most", "0.5"], "--whole-site");
    told(&["segment", &page, "--boxes", &boxes, "-t", "nothing"], "bcs");
    told(&["segment", &page, "--viewport", "wide"], "1280x1024");
    told(&["segment", &page, "--layout", "blitz", "--network"], "--layout chromium");
    told(&["segment", &page, "--layout", "blitz", "-f", "png"], "--format svg");
    told(&["segment", &page, "--root", folder.path().join("elsewhere").to_str().unwrap()], "elsewhere");
    let missing = Command::new(env!("CARGO_BIN_EXE_unchaff"))
        .args(["segment", &page])
        .env("UNCHAFF_CHROMIUM", "/nowhere")
        .output()
        .unwrap();
    assert!(text(&missing.stderr).contains("UNCHAFF_CHROMIUM names /nowhere"), "{}", text(&missing.stderr));
}

#[test]
fn a_page_is_rendered_and_drawn() {
    let Some(_) = unchaff_render::test_browser::or_skip() else { return };
    let (folder, page, _) = folder();
    let done = unchaff(&["segment", &page, "--timeout", "60", "--ct", "0.3"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert!(found["segments"].as_array().unwrap().len() >= 2, "{found}");
    let picture = folder.path().join("picture.png");
    let done = unchaff(&["segment", &page, "--timeout", "60", "-f", "png", "-o", picture.to_str().unwrap()]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(fs::read(picture).unwrap().starts_with(b"\x89PNG"));
}

#[test]
#[cfg(not(feature = "blitz"))]
fn a_program_without_blitz_says_how_to_get_one_with_it() {
    let (_folder, page, _) = folder();
    let done = unchaff(&["segment", &page, "--layout", "blitz"]);
    assert!(!done.status.success());
    assert!(text(&done.stderr).contains("cargo install --path crates/unchaff-cli --features blitz"), "{}", text(&done.stderr));
    assert!(text(&unchaff(&["segment", "--help"]).stdout).contains("blitz"));
}

#[test]
#[cfg(feature = "blitz")]
fn a_page_is_laid_out_without_a_browser() {
    let (_folder, page, _) = folder();
    let done = Command::new(env!("CARGO_BIN_EXE_unchaff"))
        .args(["segment", &page, "--layout", "blitz", "--ct", "0.3", "--timeout", "60"])
        .env("UNCHAFF_CHROMIUM", "/nowhere")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", text(&done.stderr));
    let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(found["width"], 1280);
    assert!(found["segments"].as_array().unwrap().len() >= 2, "{found}");
    let svg = unchaff(&["segment", &page, "--layout", "blitz", "-f", "svg", "--viewport", "800x600"]);
    assert!(text(&svg.stdout).starts_with("<svg"), "{}", text(&svg.stderr));
}
