use super::*;
use crate::BLOCKS;
use proptest::prelude::*;
use unchaff_dom::Page;
use unchaff_site::carried_over::path_set::PathToken;
use unchaff_site::carried_over::pruned_dom::{PrunedDom, Pruning};
use unchaff_site::carried_over::transfer::MarkedBlock;
use unchaff_site::learned::learned_template::LearnedTemplate;
use unchaff_site::learned::page_keys::PageKeys;

/// A template of `kind` paragraphs of different names.
fn template(site: &str, kind: usize) -> StoredTemplate {
    let inner: String =
        (0..8).map(|at| format!("<div id=d{}><p>{at}</p></div>", "abcdefghijklmnop".split_at(kind + at % 4).1)).collect();
    let page = Page::parse(format!("<main id={}>{inner}</main>", "klmnopqr".split_at(kind % 8).1));
    let dom = PrunedDom::of(&page, &Pruning::for_templates());
    let (url, paths) = (format!("https://{site}/{kind}"), PathSet::of(&dom, PathToken::NameAndId));
    StoredTemplate {
        name: StoredTemplate::name_for(site, BLOCKS, &url, &paths),
        site: site.to_owned(),
        maker: BLOCKS.to_owned(),
        url,
        paths,
        blocks: vec![MarkedBlock::new("content", 3..5), MarkedBlock::new("menu", [])],
        learned: LearnedTemplate::learn([&PageKeys::of(&page)]),
        dom,
        ripe: true,
        text: u64::MAX - 1,
        tried: 2,
        agreed: 1,
    }
}

fn names(store: &TemplateStore) -> Vec<String> {
    store.list(None).unwrap().into_iter().map(|summary| summary.url).collect()
}

#[test]
fn a_template_is_read_back_as_it_was_and_found_by_its_paths() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    assert!(TemplateStore::open_existing(&path).unwrap_err().to_string().contains("there is no"));
    let mut store = TemplateStore::open(&path).unwrap();
    let (one, two) = (template("example.org", 1), template("example.org", 5));
    let (id, _) = store.insert(&one, &[], 9).unwrap();
    assert_ne!(store.insert(&two, &[], 9).unwrap().0, id);
    assert_eq!(store.insert(&one, &[], 9).unwrap(), (id, one.name.clone()), "one like it is there");
    drop(store);
    let store = TemplateStore::open_existing(&path).unwrap();
    assert_eq!(store.candidates("example.org", BLOCKS, &one.paths).unwrap(), [Candidate { id, revision: 0 }]);
    assert!(store.candidates("example.com", BLOCKS, &one.paths).unwrap().is_empty());
    assert_eq!(store.load(id).unwrap().unwrap().1, one);
    assert_eq!(store.template(&one.name[..6]).unwrap(), one);
    assert!(store.template("").is_err() && store.template("nothing").is_err());
    let summary = &store.list(Some("example.org")).unwrap()[0];
    assert!(summary.ripe && summary.retired.is_none() && summary.bytes > 100 && summary.created.starts_with("20"));
}

#[test]
fn a_file_of_another_version_or_of_something_else_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    let store = TemplateStore::open(&path).unwrap();
    store.connection().pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    let said = TemplateStore::open(&path).unwrap_err().to_string();
    assert!(said.contains("version 99") && said.contains("name another file"), "{said}");

    let other = folder.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE songs(title TEXT)").unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "not a database at all, but long enough to be looked at as one".repeat(100)).unwrap();
    for path in [other, text] {
        let before = std::fs::read(&path).unwrap();
        let said = TemplateStore::open(&path).unwrap_err();
        assert!(matches!(said, StoreError::NotAStore { .. }), "{said}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

/// Version 1 had one row a site and no makers.
#[test]
fn a_file_of_version_1_is_brought_up_to_date_without_loss() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    let mut store = TemplateStore::open(&path).unwrap();
    let (one, two) = (template("a.example", 1), template("b.example", 5));
    let (id, _) = store.insert(&one, &[], 9).unwrap();
    store.insert(&two, &[], 9).unwrap();
    store.count("a.example", BLOCKS, 7, &[(id, 4, 1)]).unwrap();
    let before = store.list(None).unwrap();
    store
        .connection()
        .execute_batch(
            "PRAGMA foreign_keys = off;
             CREATE TABLE old(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, pages INTEGER NOT NULL DEFAULT 0);
             INSERT INTO old SELECT id, name, pages FROM site; DROP TABLE site; ALTER TABLE old RENAME TO site;
             PRAGMA user_version = 1;",
        )
        .unwrap();
    drop(store);
    let mut store = TemplateStore::open(&path).unwrap();
    assert_eq!(store.list(None).unwrap(), before);
    assert_eq!((store.template(&one.name).unwrap(), store.template(&two.name).unwrap()), (one.clone(), two));
    assert_eq!(store.candidates("a.example", BLOCKS, &one.paths).unwrap().len(), 1);
    let number = |sql: &str| store.connection().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(number("SELECT pages FROM site WHERE name = 'a.example'"), 7);
    assert_eq!((number("PRAGMA user_version"), number("SELECT count(*) FROM pragma_foreign_key_check")), (2, 0));
    // What belongs to a template goes with it, as in a new file.
    store.prune(&Removal { site: Some("a.example".to_owned()), ..Removal::default() }).unwrap();
    assert!(store.candidates("a.example", BLOCKS, &one.paths).unwrap().is_empty());
    drop(store);
    assert_eq!(TemplateStore::open(&path).unwrap().list(None).unwrap().len(), 1);
}

/// Spec 40, T-30.
#[test]
fn what_one_maker_keeps_no_other_gets() {
    let mut store = TemplateStore::in_memory().unwrap();
    let blocks = template("example.org", 1);
    let maker = "dom-blocks most=0.4".to_owned();
    let name = StoredTemplate::name_for("example.org", &maker, &blocks.url, &blocks.paths);
    let segments = StoredTemplate { name, maker, ..blocks.clone() };
    store.insert(&blocks, &[], 1).unwrap();
    store.insert(&segments, &[], 1).unwrap();
    store.count("example.org", &segments.maker, 100, &[]).unwrap();
    assert_eq!(store.retire("example.org", BLOCKS, 50).unwrap(), 0, "no page went by for it");
    for template in [&blocks, &segments] {
        let found = store.candidates("example.org", &template.maker, &template.paths).unwrap();
        assert_eq!(
            found.iter().map(|found| store.load(found.id).unwrap().unwrap().1).collect::<Vec<_>>(),
            std::slice::from_ref(template)
        );
    }
    assert!(store.candidates("example.org", "dom-blocks most=0.5", &blocks.paths).unwrap().is_empty());
    assert_eq!(store.list(Some("example.org")).unwrap().len(), 2);
}

#[test]
fn a_change_that_is_not_finished_leaves_nothing() {
    let mut store = TemplateStore::in_memory().unwrap();
    store.insert(&template("example.org", 1), &[], 9).unwrap();
    let transaction = store.connection.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    put(&transaction, None, &template("example.org", 5)).unwrap();
    drop(transaction);
    assert_eq!(names(&store), ["https://example.org/1"]);
    assert!(store.candidates("example.org", BLOCKS, &template("example.org", 5).paths).unwrap().is_empty());
}

#[test]
fn two_writers_take_turns_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let path = &path;
            scope.spawn(move || {
                let mut store = TemplateStore::open(path).unwrap();
                for number in 0..20 {
                    let site = format!("{writer}-{number}.example");
                    let (id, _) = store.insert(&template(&site, 1), &[], 9).unwrap();
                    store.insert(&template("shared.example", number % 4), &[], 9).unwrap();
                    store.count(&site, BLOCKS, 1, &[(id, 1, 0)]).unwrap();
                    store.count("shared.example", BLOCKS, 1, &[]).unwrap();
                }
            });
        }
    });
    let store = TemplateStore::open(&path).unwrap();
    assert_eq!(store.list(None).unwrap().len(), 40 + store.list(Some("shared.example")).unwrap().len());
    let pages: u64 =
        store.connection().query_row("SELECT pages FROM site WHERE name = 'shared.example'", [], |row| row.get(0)).unwrap();
    assert_eq!(pages, 40);
}

#[test]
fn templates_are_retired_by_pages_and_for_want_of_room() {
    let mut store = TemplateStore::in_memory().unwrap();
    let (old, _) = store.insert(&template("example.org", 1), &[], 9).unwrap();
    let (new, _) = store.insert(&template("example.org", 5), &[], 9).unwrap();
    store.count("example.org", BLOCKS, 10, &[(old, 3, 0), (new, 7, 1)]).unwrap();
    store.count("example.org", BLOCKS, 50, &[(new, 50, 0)]).unwrap();
    assert_eq!(store.retire("example.org", BLOCKS, 50).unwrap(), 0);
    assert_eq!(store.retire("example.org", BLOCKS, 49).unwrap(), 1);
    assert!(store.candidates("example.org", BLOCKS, &template("example.org", 1).paths).unwrap().is_empty());
    let list = store.list(None).unwrap();
    assert_eq!((list[0].pages, list[1].pages, list[1].missed), (3, 57, 1));
    assert!(list[0].retired.is_some() && list[1].retired.is_none());
    // It is back if it is stored again.
    store.insert(&template("example.org", 1), &[], 9).unwrap();
    assert!(store.list(None).unwrap().iter().all(|summary| summary.retired.is_none()));
    store.insert(&template("example.org", 3), &[], 2).unwrap();
    let kept: Vec<bool> = store.list(None).unwrap().iter().map(|summary| summary.retired.is_none()).collect();
    assert_eq!(kept.iter().filter(|kept| **kept).count(), 2, "{kept:?}");
}

#[test]
fn what_is_pruned_is_gone_with_its_index() {
    let mut store = TemplateStore::in_memory().unwrap();
    for (site, kind) in [("a.example", 1), ("a.example", 5), ("b.example", 1)] {
        store.insert(&template(site, kind), &[], 9).unwrap();
    }
    let removal = Removal { unused_days: Some(1), retired: true, ..Removal::default() };
    assert_eq!(store.prune(&removal).unwrap(), 0);
    let one = Removal { template: Some(template("a.example", 5).name), ..Removal::default() };
    assert_eq!(store.prune(&one).unwrap(), 1);
    assert!(store.prune(&one).unwrap_err().to_string().contains("unchaff store list"));
    assert_eq!(store.prune(&Removal { site: Some("a.example".to_owned()), ..Removal::default() }).unwrap(), 1);
    assert_eq!(names(&store), ["https://b.example/1"]);
    store.connection().execute("UPDATE template SET created = '2001-01-01T00:00:00Z'", []).unwrap();
    assert_eq!(store.prune(&removal).unwrap(), 1);
    let left: i64 = store
        .connection()
        .query_row("SELECT (SELECT count(*) FROM path) + (SELECT count(*) FROM site)", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 0);
}

#[test]
fn what_is_exported_can_be_imported_and_nothing_else() {
    let mut store = TemplateStore::in_memory().unwrap();
    let (id, _) = store.insert(&template("a.example", 1), &[], 9).unwrap();
    store.insert(&template("b.example", 5), &[], 9).unwrap();
    store.count("a.example", BLOCKS, 4, &[(id, 4, 0)]).unwrap();
    let lines = |store: &TemplateStore| {
        let mut lines = Vec::new();
        store
            .export(|exported| -> Result<(), StoreError> {
                lines.push(serde_json::to_string(exported).unwrap());
                Ok(())
            })
            .unwrap();
        lines
    };
    let exported = lines(&store);
    let mut copy = TemplateStore::in_memory().unwrap();
    for line in &exported {
        let (exported, template) = ExportedTemplate::parse(line).unwrap();
        assert!(copy.import(&exported, &template).unwrap());
        assert!(!copy.import(&exported, &template).unwrap(), "it is there");
    }
    assert_eq!(lines(&copy), exported);
    let first = exported[0].replace("unchaff/template/2", "unchaff/template/1").replace("\"maker\":\"blocks\",", "");
    assert_eq!(ExportedTemplate::parse(&first).unwrap().1, template("a.example", 1), "before there were makers");
    assert_eq!(copy.candidates("a.example", BLOCKS, &template("a.example", 1).paths).unwrap().len(), 1);
    for (from, to, said) in [
        ("unchaff/template/2", "unchaff/template/9", "unchaff/template/9"),
        ("\"tree\":\"", "\"tree\":\"zz", "damaged"),
        ("[[3,5]]", "[[3,5000]]", "damaged"),
        ("{", "[", "no JSON"),
        ("\"schema\"", "\"other\"", "no line of an export"),
    ] {
        let from = from.replace('"', if from.starts_with('[') { "\\\"" } else { "\"" });
        let error = ExportedTemplate::parse(&exported[0].replacen(&from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_damaged_template_is_named_with_the_way_out() {
    let mut store = TemplateStore::in_memory().unwrap();
    let (id, _) = store.insert(&template("a.example", 1), &[], 9).unwrap();
    store.connection().execute("UPDATE template SET tree = x'ff'", []).unwrap();
    let said = store.load(id).unwrap_err().to_string();
    assert!(said.contains(&template("a.example", 1).name) && said.contains("store prune"), "{said}");
}

proptest! {
    #[test]
    fn no_line_makes_the_import_panic(line in r#"\{"schema":"unchaff/template/2","template":"[0-9a-f]{0,4}","site":"a","maker":"blocks","url":"","tree":"[0-9a-f]{0,20}","paths":"[0-9a-f]{0,16}","blocks":"\[\]","learned":"[0-9a-f]{0,8}","ripe":true,"text":0,"tried":0,"agreed":0,"pages":1,"created":"","matched":null,"retired":null\}"#) {
        let _ = ExportedTemplate::parse(&line);
    }
}
