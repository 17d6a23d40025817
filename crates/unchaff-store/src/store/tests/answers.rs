//! Answers: kept by question, over earlier ones, of sites that are known, and not without bound.

use super::*;
use unchaff_site::carried_over::templates::MOST_ANSWERS;

fn digest(number: usize) -> Digest {
    let mut digest = Digest::default();
    digest[..8].copy_from_slice(&number.to_le_bytes());
    digest
}

fn kept(state: usize, text: &str) -> KeptAnswer {
    KeptAnswer { state: digest(state), bytes: text.as_bytes().to_vec() }
}

#[test]
fn an_answer_stands_in_the_place_of_the_earlier_one_and_goes_with_its_model() {
    let mut store = TemplateStore::in_memory().unwrap();
    store.keep_answers("example.org", &[(digest(1), kept(1, "one"))]).unwrap();
    assert_eq!(store.answers(&[digest(1)]).unwrap(), [None], "nothing is known about the site");
    store.learn("example.org", learned(0..2)).unwrap();
    store.keep_answers("example.org", &[(digest(1), kept(1, "one")), (digest(2), kept(1, "two"))]).unwrap();
    store.keep_answers("example.org", &[(digest(2), kept(7, "other"))]).unwrap();
    let wanted = [Some(kept(7, "other")), None, Some(kept(1, "one"))];
    assert_eq!(store.answers(&[2, 3, 1].map(digest)).unwrap(), wanted);
    let listed = store.list(None).unwrap().answers;
    assert_eq!((listed.len(), listed[0].answers, listed[0].bytes), (1, 2, 8));
    // Who asks for a site in vain uses it all the same.
    store.connection.execute("UPDATE model SET learned = '2001-01-01T00:00:00Z'", []).unwrap();
    store.keep_answers("example.org", &[]).unwrap();
    assert!(!store.list(None).unwrap().models[0].learned.starts_with("2001"));
    // What is damaged is as good as none.
    store.connection.execute("UPDATE answer SET state = 'x' WHERE question = ?", [digest(1)]).unwrap();
    assert_eq!(store.answers(&[digest(1)]).unwrap(), [None]);
    assert_eq!(store.prune(&of_site("example.org")).unwrap(), Removed { models: 1, templates: 0 });
    assert_eq!(store.answers(&[digest(2)]).unwrap(), [None]);
}

#[test]
fn a_site_has_no_more_answers_than_there_is_room_for() {
    let mut store = TemplateStore::in_memory().unwrap();
    store.learn("example.org", learned(0..2)).unwrap();
    let all: Vec<_> = (0..MOST_ANSWERS + 3).map(|number| (digest(number), kept(0, "x"))).collect();
    store.keep_answers("example.org", &all[..2]).unwrap();
    store.keep_answers("example.org", &all).unwrap();
    assert_eq!(store.list(None).unwrap().answers[0].answers, MOST_ANSWERS as u64);
    // Those that are there can change.
    store.keep_answers("example.org", &[(digest(1), kept(9, "y"))]).unwrap();
    assert_eq!(store.answers(&[digest(1), digest(MOST_ANSWERS)]).unwrap(), [Some(kept(9, "y")), None]);
}

#[test]
fn a_file_of_version_3_has_no_answers_and_keeps_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.db");
    let mut store = TemplateStore::open(&path).unwrap();
    store.learn("example.org", learned(0..2)).unwrap();
    store.connection.execute_batch("DROP TABLE answer; PRAGMA user_version = 3;").unwrap();
    drop(store);
    let mut store = TemplateStore::open(&path).unwrap();
    assert_eq!(store.model("example.org").unwrap(), Some(learned(0..2)));
    store.keep_answers("example.org", &[(digest(1), kept(1, "one"))]).unwrap();
    assert_eq!(store.answers(&[digest(1)]).unwrap(), [Some(kept(1, "one"))]);
}
