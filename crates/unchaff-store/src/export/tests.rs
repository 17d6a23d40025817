use super::*;
use crate::store::tests::{MAKER, learned, template};
use proptest::prelude::*;
use unchaff_site::carried_over::templates::{Counted, Templates};

fn lines(store: &TemplateStore) -> Vec<String> {
    let mut lines = Vec::new();
    store
        .export(|exported| -> Result<(), StoreError> {
            lines.push(exported.to_json());
            Ok(())
        })
        .unwrap();
    lines
}

/// Two templates and two models.
fn filled() -> TemplateStore {
    let mut store = TemplateStore::in_memory().unwrap();
    let (id, _) = store.insert(&template("a.example", 1), &[], 9).unwrap();
    store.insert(&template("b.example", 5), &[], 9).unwrap();
    store.count("a.example", MAKER, 4, &[Counted { id, pages: 4, missed: 0 }]).unwrap();
    store.learn("b.example", learned(0..3)).unwrap();
    store.learn("c.example", learned(1..5)).unwrap();
    store
}

fn import(store: &mut TemplateStore, line: &str) -> bool {
    store.import(&Exported::parse(line).unwrap()).unwrap()
}

#[test]
fn what_is_exported_can_be_imported() {
    let exported = lines(&filled());
    let schema = |line: &String| serde_json::from_str::<serde_json::Value>(line).unwrap()["schema"].as_str().unwrap().to_owned();
    assert_eq!(exported.iter().map(schema).collect::<Vec<_>>(), [MODEL, MODEL, TEMPLATE, TEMPLATE]);
    let mut copy = TemplateStore::in_memory().unwrap();
    for line in &exported {
        assert!(import(&mut copy, line));
        assert!(!import(&mut copy, line), "it is there");
    }
    assert_eq!(lines(&copy), exported);
    assert_eq!(copy.candidates("a.example", MAKER, &template("a.example", 1).paths).unwrap().len(), 1);
    assert_eq!(copy.model("c.example").unwrap(), Some(learned(1..5)));
}

#[test]
fn an_imported_model_is_merged_into_what_is_known() {
    let mut store = filled();
    let time = |year: u32| format!("{year}-01-01T00:00:00Z");
    let model = |pages, created, learned| ExportedModel { site: "b.example".to_owned(), model: pages, created, learned };
    let old = Exported::Model(model(learned(2..6), time(2001), time(2002)));
    assert!(store.import(&old).unwrap());
    assert_eq!(store.model("b.example").unwrap(), Some(learned(0..6)));
    let summary = store.list(Some("b.example")).unwrap().models.remove(0);
    assert_eq!((summary.pages, summary.created), (6, time(2001)));
    assert!(summary.learned > time(2002), "it was learned later here");
}

#[test]
fn of_two_templates_of_one_name_the_one_that_recognised_more_pages_stays() {
    let mut store = filled();
    let line = lines(&store).remove(2);
    assert!(!import(&mut store, &line.replace("\"pages\":4", "\"pages\":3")));
    assert!(import(
        &mut store,
        &line.replace("\"pages\":4", "\"pages\":5").replace("\"retired\":null", "\"retired\":\"2026-01-31T12:00:00Z\"")
    ));
    assert!(store.candidates("a.example", MAKER, &template("a.example", 1).paths).unwrap().is_empty(), "it is retired");
    // A line cannot take the place of a template of another site.
    let name = template("a.example", 1).name;
    assert!(import(&mut store, &line.replace("a.example", "d.example")));
    let sites: Vec<String> =
        store.list(None).unwrap().templates.into_iter().filter(|found| found.name == name).map(|found| found.site).collect();
    assert_eq!(sites, ["a.example", "d.example"]);
    assert!(matches!(store.template(&name), Err(StoreError::Ambiguous { count: 2, .. })));
}

#[test]
fn lines_of_version_2_are_read_and_those_of_blocks_told_apart() {
    let line = lines(&filled()).remove(2);
    let second = line.replacen(TEMPLATE, TEMPLATE_BEFORE, 1).replacen("\"ripe\"", "\"learned\":\"00\",\"ripe\"", 1);
    let Exported::Template(read) = Exported::parse(&second).unwrap() else { panic!("{second}") };
    assert_eq!(read.template, template("a.example", 1));
    let blocks = second.replace(MAKER, BLOCKS);
    let first = second.replacen(TEMPLATE_BEFORE, TEMPLATE_FIRST, 1).replacen(&format!("\"maker\":\"{MAKER}\","), "", 1);
    for line in [blocks, first] {
        let error = Exported::parse(&line).unwrap_err();
        assert!(matches!(&error, ImportError::Blocks { site } if site == "a.example"), "{error}");
    }
}

#[test]
fn nothing_else_is_imported() {
    let exported = lines(&filled());
    let (model, template) = (&exported[0], &exported[2]);
    for (line, from, to, said) in [
        (template, TEMPLATE, "unchaff/template/9", "unchaff/template/9"),
        (template, "\"tree\":\"", "\"tree\":\"zz", "damaged"),
        (template, "[[3,5]]", "[[3,5000]]", "damaged"),
        (template, "\"pages\":4", "\"pages\":9999999999999999", "damaged"),
        (template, "\"created\":\"", "\"created\":\"1", "damaged"),
        (template, "\"site\":\"", "\"site\":\"\\u001b[2J", "damaged"),
        (template, "\"template\":\"", "\"template\":\"../", "damaged"),
        (template, "{", "[", "no line of an export"),
        (template, "\"schema\"", "\"other\"", "no schema"),
        (template, "\"maker\"", "\"other\"", "maker"),
        (model, MODEL, "unchaff/model/9", "unchaff/model/9"),
        (model, "\"model\":\"", "\"model\":\"00", "no model of a site"),
        (model, "\"model\":\"", "\"model\":\"0", "damaged"),
        (model, "\"pages\":3", "\"pages\":4", "damaged"),
        (model, "\"site\":\"b.example\"", "\"site\":\"\"", "damaged"),
        (model, "\"learned\":\"", "\"learned\":\"soon", "damaged"),
    ] {
        assert!(line.contains(from), "{from}");
        let error = Exported::parse(&line.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(said) && !error.contains('\u{1b}'), "{to}: {error}");
    }
}

proptest! {
    #[test]
    fn no_line_makes_the_import_panic(
        template in r#"\{"schema":"unchaff/template/3","template":"[0-9a-f]{0,4}","site":"a","maker":"m","url":"","tree":"[0-9a-f]{0,20}","paths":"[0-9a-f]{0,16}","blocks":"\[\]","ripe":true,"text":0,"tried":0,"agreed":0,"pages":1,"created":"","matched":null,"retired":null\}"#,
        model in r#"\{"schema":"unchaff/model/1","site":"a","pages":[0-3],"model":"756e636861666602[0-9a-f]{0,40}é?","created":"2026-01-31T12:00:00Z","learned":"2026-01-31T12:00:00Z"\}"#,
        other in ".{0,40}",
    ) {
        for line in [template, model, other] {
            let _ = Exported::parse(&line);
        }
    }
}
