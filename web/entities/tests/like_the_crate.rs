//! The names are those of the crate `entities`.

#[test]
fn all_names() {
    let mut ours: Vec<(&str, &str)> = entities::ENTITIES.iter().map(|entity| (entity.entity, entity.characters)).collect();
    let mut theirs: Vec<(&str, &str)> = as_table::ENTITIES.iter().map(|entity| (entity.entity, entity.characters)).collect();
    ours.sort_unstable();
    theirs.sort_unstable();
    assert!(ours.len() > 2200);
    assert_eq!(ours, theirs);
}
