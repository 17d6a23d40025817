//! The names of characters in HTML as a packed list, in place of the crate `entities`, which has them as a table of strings.
//!
//! The names are those of the crate that the command is linked with (`../build` takes them from there), and a test compares them.

use std::sync::LazyLock;

/// A name and what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entity {
    /// The name as it stands in a page: `&amp;`.
    pub entity: &'static str,
    /// What it stands for.
    pub characters: &'static str,
}

/// Written by `names.mjs`, which says how.
static PACKED: &str = include_str!("../names.txt");

/// All names.
pub static ENTITIES: LazyLock<Vec<Entity>> = LazyLock::new(|| {
    let mut all = Vec::new();
    let mut name = String::new();
    for line in PACKED.split('\x01') {
        let (Some(shared), Some(length)) =
            (line.bytes().next(), line.bytes().skip(1).position(|byte| matches!(byte, b';' | b'!')))
        else {
            continue;
        };
        name.truncate(usize::from(shared - b' '));
        let end = 1 + length;
        name.push_str(&line[1..end]);
        // They are needed as long as the program runs.
        let entity: &'static str = format!("&{name};").leak();
        let characters = &line[end + 1..];
        all.push(Entity { entity, characters });
        if line.as_bytes()[end] == b'!' {
            all.push(Entity { entity: &entity[..entity.len() - 1], characters });
        }
    }
    all
});
