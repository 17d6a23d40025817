use super::*;
use crate::listing::{Removal, Removed};
use unchaff_dom::{Page, Parser};
use unchaff_site::carried_over::path_set::PathToken;
use unchaff_site::carried_over::pruned_dom::{PrunedDom, Pruning};
use unchaff_site::carried_over::transfer::MarkedBlock;

mod answers;
mod same_as_in_memory;

pub(crate) const MAKER: &str = "dom-blocks most=0.4";

/// A template of `kind` paragraphs of different names.
pub(crate) fn template(site: &str, kind: usize) -> StoredTemplate {
    let inner: String =
        (0..8).map(|at| format!("<div id=d{}><p>{at}</p></div>", "abcdefghijklmnop".split_at(kind + at % 4).1)).collect();
    let page = Page::parse(format!("<main id={}>{inner}</main>", "klmnopqr".split_at(kind % 8).1));
    let dom = PrunedDom::of(&page, &Pruning::for_templates());
    let (url, paths) = (format!("https://{site}/{kind}"), PathSet::of(&dom, PathToken::NameAndId));
    StoredTemplate {
        name: StoredTemplate::name_for(site, MAKER, &url, &paths),
        site: site.to_owned(),
        maker: MAKER.to_owned(),
        url,
        paths,
        blocks: vec![MarkedBlock::new("content", 3..5), MarkedBlock::new("menu", [])],
        dom,
        ripe: true,
        text: u64::MAX - 1,
        tried: 2,
        agreed: 1,
    }
}

/// What is learned from the pages of these numbers.
pub(crate) fn learned(pages: impl IntoIterator<Item = usize>) -> SiteModel {
    let page = |at: usize| {
        let html = format!("<nav><a href=/>Home</a></nav><p class=text>It rained {at} hours.</p>");
        Parser::new().url(&format!("https://example.org/{at}")).parse(html)
    };
    let pages: Vec<Page> = pages.into_iter().map(page).collect();
    SiteModel::learn(&pages)
}

fn counted(id: TemplateId, pages: u64, missed: u64) -> Counted {
    Counted { id, pages, missed }
}

fn of_site(site: &str) -> Removal {
    Removal { site: Some(site.to_owned()), ..Removal::default() }
}

fn urls(store: &TemplateStore) -> Vec<String> {
    store.list(None).unwrap().templates.into_iter().map(|summary| summary.url).collect()
}

fn number(store: &TemplateStore, sql: &str) -> i64 {
    store.connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_template_is_read_back_as_it_was_and_found_by_its_paths() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    assert!(matches!(TemplateStore::open_existing(&path), Err(StoreError::Missing { path: missing }) if missing == path));
    let mut store = TemplateStore::open(&path).unwrap();
    let (one, two) = (template("example.org", 1), template("example.org", 5));
    let (id, _) = store.insert(&one, &[], 9).unwrap();
    assert_ne!(store.insert(&two, &[], 9).unwrap().0, id);
    assert_eq!(store.insert(&one, &[], 9).unwrap(), (id, one.name.clone()), "one like it is there");
    drop(store);
    let store = TemplateStore::open_existing(&path).unwrap();
    assert_eq!(store.candidates("example.org", MAKER, &one.paths).unwrap(), [Candidate { id, revision: 0 }]);
    assert!(store.candidates("example.com", MAKER, &one.paths).unwrap().is_empty());
    assert_eq!(store.load(id).unwrap().unwrap().1, one);
    assert_eq!(store.template(&one.name[..6]).unwrap(), one);
    assert!(matches!(store.template("nothing"), Err(StoreError::Unknown { wanted }) if wanted == "nothing"));
    assert!(matches!(store.template(""), Err(StoreError::Ambiguous { count: 2, .. })));
    let summary = &store.list(Some("example.org")).unwrap().templates[0];
    assert!(summary.ripe && summary.retired.is_none() && summary.bytes > 100 && summary.created.starts_with("20"));
}

#[test]
fn what_two_connections_learn_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    let (mut one, mut two) = (TemplateStore::open(&path).unwrap(), TemplateStore::open(&path).unwrap());
    assert_eq!(one.model("example.org").unwrap(), None);
    assert_eq!(one.learn("example.org", SiteModel::default()).unwrap(), SiteModel::default());
    assert!(one.list(None).unwrap().models.is_empty(), "of nothing, nothing is kept");
    assert_eq!(one.learn("example.org", learned(0..3)).unwrap(), learned(0..3));
    assert_eq!(two.learn("example.org", learned(2..5)).unwrap(), learned(0..5));
    assert_eq!(one.model("example.org").unwrap(), Some(learned(0..5)));
    assert_eq!(one.model("example.com").unwrap(), None);
    let models = one.list(Some("example.org")).unwrap().models;
    assert_eq!((models.len(), models[0].pages), (1, 5));
    assert_eq!(models[0].bytes, learned(0..5).to_bytes().len() as u64);
    std::thread::scope(|scope| {
        for (mut store, pages) in [(one, 5..14), (two, 10..20)] {
            scope.spawn(move || pages.for_each(|at| drop(store.learn("example.org", learned([at])).unwrap())));
        }
    });
    assert_eq!(TemplateStore::open(&path).unwrap().model("example.org").unwrap(), Some(learned(0..20)));
}

#[test]
fn a_file_of_another_version_or_of_something_else_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    let store = TemplateStore::open(&path).unwrap();
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    assert!(matches!(TemplateStore::open(&path), Err(StoreError::Version { found: 99, .. })));

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

#[test]
fn an_empty_file_is_no_store_for_those_who_look_and_one_to_be_for_those_who_keep() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    std::fs::write(&path, "").unwrap();
    for opened in [TemplateStore::open_to_read(&path), TemplateStore::open_existing(&path)] {
        assert!(matches!(opened, Err(StoreError::Empty { path: empty }) if empty == path));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is made beside it either");
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
    }
    TemplateStore::open(&path).unwrap();
    assert!(TemplateStore::open_to_read(&path).unwrap().list(None).unwrap().models.is_empty());
}

/// The tables of version 2.
const VERSION_2: &str = "
CREATE TABLE site(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, maker TEXT NOT NULL, pages INTEGER NOT NULL DEFAULT 0, UNIQUE(name, maker));
CREATE TABLE template(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, site INTEGER NOT NULL REFERENCES site ON DELETE CASCADE, url TEXT NOT NULL,
  tree BLOB NOT NULL, paths BLOB NOT NULL, blocks TEXT NOT NULL, learned BLOB NOT NULL, ripe INTEGER NOT NULL,
  text INTEGER NOT NULL, tried INTEGER NOT NULL, agreed INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0, missed INTEGER NOT NULL DEFAULT 0,
  last_page INTEGER NOT NULL DEFAULT 0, created TEXT NOT NULL, matched TEXT, retired TEXT);
CREATE INDEX template_site ON template(site);
CREATE TABLE path(
  site INTEGER NOT NULL, hash INTEGER NOT NULL, template INTEGER NOT NULL REFERENCES template ON DELETE CASCADE,
  PRIMARY KEY(site, hash, template)) WITHOUT ROWID;
CREATE INDEX path_template ON path(template);
PRAGMA application_id = 1970168680; PRAGMA user_version = 2;
";

/// From version 2 back to 1, which had one row a site and no makers.
const VERSION_1: &str = "
PRAGMA foreign_keys = off;
CREATE TABLE old(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, pages INTEGER NOT NULL DEFAULT 0);
INSERT INTO old SELECT min(id), name, sum(pages) FROM site GROUP BY name; DROP TABLE site; ALTER TABLE old RENAME TO site;
PRAGMA user_version = 1;
";

/// Makes a file of version 2 with these templates.
fn write_version_2(path: &Path, templates: &[&StoredTemplate]) {
    let mut store = TemplateStore::in_memory().unwrap();
    for template in templates {
        let (id, _) = store.insert(template, &[], 9).unwrap();
        store.count(&template.site, &template.maker, 7, &[counted(id, 4, 1)]).unwrap();
    }
    store.connection.execute("ATTACH ? AS old", [path.to_str().unwrap()]).unwrap();
    let old = Connection::open(path).unwrap();
    old.execute_batch(VERSION_2).unwrap();
    drop(old);
    store
        .connection
        .execute_batch(
            "INSERT INTO old.site SELECT * FROM main.site;
             INSERT INTO old.template SELECT id, name, site, url, tree, paths, blocks, x'00', ripe, text, tried, agreed, revision, pages,
               missed, last_page, created, matched, retired FROM main.template;
             INSERT INTO old.path SELECT * FROM main.path;",
        )
        .unwrap();
}

#[test]
fn a_file_of_version_2_keeps_its_segments_and_loses_its_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    let segments = template("a.example", 1);
    let blocks = StoredTemplate { maker: "blocks".to_owned(), name: "b1".to_owned(), ..template("a.example", 1) };
    let others = StoredTemplate { maker: "blocks".to_owned(), name: "b2".to_owned(), ..template("b.example", 5) };
    write_version_2(&path, &[&blocks, &segments, &others]);
    let mut store = TemplateStore::open(&path).unwrap();
    let list = store.list(None).unwrap();
    assert!(list.models.is_empty());
    let told: Vec<_> = list.templates.iter().map(|template| (&template.name[..], template.pages, template.missed)).collect();
    assert_eq!(told, [(&segments.name[..], 4, 1)]);
    assert_eq!(store.template(&segments.name).unwrap(), segments);
    assert_eq!(store.candidates("a.example", MAKER, &segments.paths).unwrap().len(), 1);
    assert!(store.candidates("a.example", "blocks", &segments.paths).unwrap().is_empty());
    assert_eq!(number(&store, "SELECT pages FROM site WHERE name = 'a.example'"), 7);
    assert_eq!(number(&store, "PRAGMA user_version"), 4);
    assert_eq!(number(&store, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_eq!(number(&store, "SELECT count(DISTINCT template) FROM path"), 1);
    store.learn("a.example", learned(0..2)).unwrap();
    let new = store.insert(&template("a.example", 5), &[], 9).unwrap();
    assert_eq!(store.load(new.0).unwrap().unwrap().1, template("a.example", 5));
    // What belongs to a template goes with it, as in a new file.
    assert_eq!(store.prune(&of_site("a.example")).unwrap(), Removed { models: 1, templates: 2 });
    assert_eq!(number(&store, "SELECT (SELECT count(*) FROM path) + (SELECT count(*) FROM site)"), 0);
    drop(store);
    assert_eq!(TemplateStore::open(&path).unwrap().list(None).unwrap(), crate::Listing::default());
}

#[test]
fn a_file_of_version_1_had_blocks_only_and_is_empty_then() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    let blocks = StoredTemplate { maker: "blocks".to_owned(), ..template("a.example", 1) };
    write_version_2(&path, &[&blocks]);
    Connection::open(&path).unwrap().execute_batch(VERSION_1).unwrap();
    let mut store = TemplateStore::open(&path).unwrap();
    assert_eq!(store.list(None).unwrap(), crate::Listing::default());
    assert_eq!(number(&store, "PRAGMA user_version"), 4);
    let (id, _) = store.insert(&template("a.example", 1), &[], 9).unwrap();
    assert_eq!(store.load(id).unwrap().unwrap().1, template("a.example", 1));
    assert_eq!(store.learn("a.example", learned(0..2)).unwrap().pages(), 2);
}

#[test]
fn what_one_maker_keeps_no_other_gets() {
    let mut store = TemplateStore::in_memory().unwrap();
    let one = template("example.org", 1);
    let maker = "dom-blocks most=0.5".to_owned();
    let name = StoredTemplate::name_for("example.org", &maker, &one.url, &one.paths);
    let two = StoredTemplate { name, maker, ..one.clone() };
    store.insert(&one, &[], 1).unwrap();
    store.insert(&two, &[], 1).unwrap();
    store.count("example.org", &two.maker, 100, &[]).unwrap();
    assert_eq!(store.retire("example.org", MAKER, 50).unwrap(), 0, "no page went by for it");
    for template in [&one, &two] {
        let found = store.candidates("example.org", &template.maker, &template.paths).unwrap();
        assert_eq!(
            found.iter().map(|found| store.load(found.id).unwrap().unwrap().1).collect::<Vec<_>>(),
            std::slice::from_ref(template)
        );
    }
    assert!(store.candidates("example.org", "bcs", &one.paths).unwrap().is_empty());
    assert_eq!(store.list(Some("example.org")).unwrap().templates.len(), 2);
}

#[test]
fn a_change_that_is_not_finished_leaves_nothing() {
    let mut store = TemplateStore::in_memory().unwrap();
    store.insert(&template("example.org", 1), &[], 9).unwrap();
    let transaction = store.connection.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    rows::put(&transaction, &template("example.org", 5)).unwrap();
    rows::merge_model(&transaction, "example.org", learned(0..2)).unwrap();
    drop(transaction);
    assert_eq!(urls(&store), ["https://example.org/1"]);
    assert!(store.candidates("example.org", MAKER, &template("example.org", 5).paths).unwrap().is_empty());
    assert_eq!(store.model("example.org").unwrap(), None);
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
                    store.count(&site, MAKER, 1, &[counted(id, 1, 0)]).unwrap();
                    store.count("shared.example", MAKER, 1, &[]).unwrap();
                    store.learn("shared.example", learned([2 * number + writer])).unwrap();
                }
            });
        }
    });
    let store = TemplateStore::open(&path).unwrap();
    let shared = store.list(Some("shared.example")).unwrap();
    assert_eq!(store.list(None).unwrap().templates.len(), 40 + shared.templates.len());
    assert_eq!(number(&store, "SELECT pages FROM site WHERE name = 'shared.example'"), 40);
    assert_eq!(store.model("shared.example").unwrap(), Some(learned(0..40)));
}

#[test]
fn templates_are_retired_by_pages_and_for_want_of_room() {
    let mut store = TemplateStore::in_memory().unwrap();
    let (old, _) = store.insert(&template("example.org", 1), &[], 9).unwrap();
    let (new, _) = store.insert(&template("example.org", 5), &[], 9).unwrap();
    store.count("example.org", MAKER, 10, &[counted(old, 3, 0), counted(new, 7, 1)]).unwrap();
    store.count("example.org", MAKER, 50, &[counted(new, 50, 0)]).unwrap();
    assert_eq!(store.retire("example.org", MAKER, 50).unwrap(), 0);
    assert_eq!(store.retire("example.org", MAKER, 49).unwrap(), 1);
    assert!(store.candidates("example.org", MAKER, &template("example.org", 1).paths).unwrap().is_empty());
    let list = store.list(None).unwrap().templates;
    assert_eq!((list[0].pages, list[1].pages, list[1].missed), (3, 57, 1));
    assert!(list[0].retired.is_some() && list[1].retired.is_none());
    // It is back if it is stored again.
    store.insert(&template("example.org", 1), &[], 9).unwrap();
    assert!(store.list(None).unwrap().templates.iter().all(|summary| summary.retired.is_none()));
    store.insert(&template("example.org", 3), &[], 2).unwrap();
    let kept: Vec<bool> = store.list(None).unwrap().templates.iter().map(|summary| summary.retired.is_none()).collect();
    assert_eq!(kept.iter().filter(|kept| **kept).count(), 2, "{kept:?}");
}

#[test]
fn what_is_pruned_is_gone_with_its_index() {
    let mut store = TemplateStore::in_memory().unwrap();
    for (site, kind) in [("a.example", 1), ("a.example", 5), ("b.example", 1)] {
        store.insert(&template(site, kind), &[], 9).unwrap();
        store.learn(site, learned([kind])).unwrap();
    }
    let removal = Removal { unused_days: Some(1), retired: true, ..Removal::default() };
    assert_eq!(store.prune(&removal).unwrap(), Removed::default());
    let one = Removal { template: Some(template("a.example", 5).name), ..Removal::default() };
    assert_eq!(store.prune(&one).unwrap(), Removed { models: 0, templates: 1 });
    assert!(matches!(store.prune(&one), Err(StoreError::Unknown { .. })));
    assert_eq!(store.prune(&of_site("a.example")).unwrap(), Removed { models: 1, templates: 1 });
    assert_eq!(store.model("a.example").unwrap(), None);
    assert_eq!(urls(&store), ["https://b.example/1"]);
    let long_ago = "UPDATE template SET created = '2001-01-01T00:00:00Z'; UPDATE model SET learned = '2001-01-01T00:00:00Z'";
    store.connection.execute_batch(long_ago).unwrap();
    assert_eq!(store.prune(&removal).unwrap(), Removed { models: 1, templates: 1 });
    assert_eq!(number(&store, "SELECT (SELECT count(*) FROM path) + (SELECT count(*) FROM site)"), 0);
}

/// Whoever remembers a template by its number must not get another one.
#[test]
fn the_number_of_a_template_that_is_gone_is_not_used_again() {
    let mut store = TemplateStore::in_memory().unwrap();
    let (old, _) = store.insert(&template("a.example", 1), &[], 9).unwrap();
    store.prune(&of_site("a.example")).unwrap();
    assert_ne!(store.insert(&template("b.example", 1), &[], 9).unwrap().0, old);
    assert_eq!(store.load(old).unwrap(), None);
    assert!(!store.update(old, &mut |_| panic!("it is gone")).unwrap());
}

#[test]
fn a_damaged_template_is_an_error_that_names_it() {
    let one = template("a.example", 1);
    for damage in ["tree = x'ff'", "tree = 'text'", "paths = x'01'", "paths = 3", "blocks = '['", "ripe = 'x'", "url = x'ff'"] {
        let mut store = TemplateStore::in_memory().unwrap();
        let (id, _) = store.insert(&one, &[], 9).unwrap();
        store.connection.execute(&format!("UPDATE template SET {damage}"), []).unwrap();
        let failed = [
            store.load(id).map(drop),
            store.template(&one.name).map(drop),
            store.update(id, &mut |_| panic!("{damage}")).map(drop),
            store.insert(&one, &[], 9).map(drop),
            store.export(|_| panic!("{damage}")),
        ];
        for failed in failed {
            let error = failed.unwrap_err();
            assert!(matches!(&error, StoreError::DamagedTemplate { name, site } if *name == one.name && site == "a.example"));
            assert!(error.to_string().contains("remove it"), "{error}");
        }
        let name = Removal { template: Some(one.name.clone()), ..Removal::default() };
        assert_eq!(store.prune(&name).unwrap().templates, 1);
        store.insert(&one, &[], 9).unwrap();
    }
}

#[test]
fn a_damaged_model_is_an_error_that_names_its_site_and_is_not_overwritten() {
    let bytes = learned(0..3).to_bytes();
    let mut later = bytes.clone();
    later[8] = 99;
    let mut many = bytes[..12].to_vec();
    many.extend([0xff; 4]);
    let cut = bytes[..bytes.len() - 1].to_vec();
    let hostile = [b"".to_vec(), b"something else".to_vec(), later, many, cut, [bytes.clone(), vec![0]].concat()];
    for bytes in hostile {
        let mut store = TemplateStore::in_memory().unwrap();
        store.learn("a.example", learned(0..3)).unwrap();
        store.learn("b.example", learned(0..3)).unwrap();
        store.connection.execute("UPDATE model SET bytes = ? WHERE site = 'a.example'", [&bytes]).unwrap();
        let failed = [
            store.model("a.example").map(drop),
            store.learn("a.example", learned(3..4)).map(drop),
            store.export(|_| panic!("it is the first")),
        ];
        for failed in failed {
            let error = failed.unwrap_err();
            assert!(matches!(&error, StoreError::DamagedModel { site, .. } if site == "a.example"), "{error}");
            assert!(error.to_string().contains("remove it"), "{error}");
        }
        assert_eq!(store.list(Some("a.example")).unwrap().models[0].bytes, bytes.len() as u64);
        assert_eq!(store.model("b.example").unwrap(), Some(learned(0..3)));
        assert_eq!(store.prune(&of_site("a.example")).unwrap().models, 1);
        assert_eq!(store.learn("a.example", learned(3..4)).unwrap(), learned(3..4));
    }
    let mut store = TemplateStore::in_memory().unwrap();
    store.learn("a.example", learned(0..3)).unwrap();
    let mut earlier = learned(0..3).to_bytes();
    earlier[8] -= 1;
    store.connection.execute("UPDATE model SET bytes = ?", [&earlier]).unwrap();
    assert_eq!(store.model("a.example").unwrap(), None, "an earlier version is learned again");
    assert_eq!(store.learn("a.example", learned(3..4)).unwrap(), learned(3..4));
    assert_eq!(store.model("a.example").unwrap(), Some(learned(3..4)));
    store.connection.execute("UPDATE model SET bytes = 'text'", []).unwrap();
    assert!(matches!(store.model("a.example"), Err(StoreError::DamagedModel { .. })));
}
