//! The file adds nothing but the file: whatever is done, it answers as what is kept in memory does.

use super::{learned, template};
use crate::TemplateStore;
use proptest::prelude::*;
use unchaff_site::carried_over::memory_templates::MemoryTemplates;
use unchaff_site::carried_over::path_set::PathSet;
use unchaff_site::carried_over::templates::{Counted, StoredTemplate, TemplateId, Templates};

const SITES: [&str; 2] = ["a.example", "b.example"];
const MAKERS: [&str; 2] = ["bcs", "vips"];

/// Paths are numbers here, so that few pages are alike in all degrees.
#[derive(Clone, Debug)]
struct Kind {
    site: usize,
    maker: usize,
    first_path: u64,
}

impl Kind {
    fn template(&self) -> StoredTemplate {
        let (site, maker) = (SITES[self.site], MAKERS[self.maker].to_owned());
        let paths = PathSet::from_hashes((self.first_path..self.first_path + 10).collect());
        let base = template(site, self.first_path as usize % 4);
        let url = format!("https://{site}/{}", self.first_path / 2);
        StoredTemplate { name: StoredTemplate::name_for(site, &maker, &url, &paths), maker, url, paths, ..base }
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Learn(usize, usize),
    Insert(Kind, Vec<i64>, usize),
    Update(i64, Kind),
    Count(usize, usize, u64, Vec<(i64, u64, u64)>),
    Retire(usize, usize, u64),
}

fn kinds() -> impl Strategy<Value = Kind> {
    (0..2usize, 0..2usize, 0..12u64).prop_map(|(site, maker, first_path)| Kind { site, maker, first_path })
}

fn operations() -> impl Strategy<Value = Operation> {
    let counted = prop::collection::vec((0..8i64, 0..3u64, 0..3u64), 0..3);
    prop_oneof![
        1 => (0..2usize, 0..6usize).prop_map(|(site, page)| Operation::Learn(site, page)),
        4 => (kinds(), prop::collection::vec(0..8i64, 0..3), 0..4usize).prop_map(|(kind, ids, most)| Operation::Insert(kind, ids, most)),
        2 => (0..8i64, kinds()).prop_map(|(id, kind)| Operation::Update(id, kind)),
        2 => (0..2usize, 0..2usize, 0..5u64, counted).prop_map(|(site, maker, pages, counted)| Operation::Count(site, maker, pages, counted)),
        1 => (0..2usize, 0..2usize, prop_oneof![0..5u64, Just(u64::MAX)]).prop_map(|(site, maker, after)| Operation::Retire(site, maker, after)),
    ]
}

/// Does it, and says what came of it.
fn perform<T: Templates>(kept: &mut T, operation: &Operation) -> String {
    match operation {
        // Page 5 stands for none.
        Operation::Learn(site, page) => {
            format!("{:?}", kept.learn(SITES[*site], learned((*page < 5).then_some(*page))).unwrap().to_bytes())
        }
        Operation::Insert(kind, ids, most) => {
            let of_no_help: Vec<TemplateId> = ids.iter().copied().map(TemplateId).collect();
            format!("{:?}", kept.insert(&kind.template(), &of_no_help, *most).unwrap())
        }
        Operation::Update(id, kind) => {
            let mut seen = None;
            let updated = kept.update(TemplateId(*id), &mut |template| {
                seen = Some(template.clone());
                *template = StoredTemplate { tried: template.tried + 1, ..kind.template() };
            });
            format!("{:?} {seen:?}", updated.unwrap())
        }
        Operation::Count(site, maker, pages, counted) => {
            let counted =
                counted.iter().map(|(id, pages, missed)| Counted { id: TemplateId(*id), pages: *pages, missed: *missed });
            kept.count(SITES[*site], MAKERS[*maker], *pages, &counted.collect::<Vec<_>>()).unwrap();
            String::new()
        }
        Operation::Retire(site, maker, after) => format!("{:?}", kept.retire(SITES[*site], MAKERS[*maker], *after).unwrap()),
    }
}

/// All that can be asked.
fn answers<T: Templates>(kept: &T) -> Vec<String> {
    let mut answers = Vec::new();
    for site in SITES {
        answers.push(format!("{:?}", kept.model(site).unwrap().map(|model| model.to_bytes())));
        for maker in MAKERS {
            for first in 0..12 {
                let paths = PathSet::from_hashes((first..first + 10).collect());
                answers.push(format!("{:?}", kept.candidates(site, maker, &paths).unwrap()));
            }
        }
    }
    answers.extend((-1..9).map(|id| format!("{:?}", kept.load(TemplateId(id)).unwrap())));
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn the_file_and_memory_give_the_same_answers(operations in prop::collection::vec(operations(), 1..30)) {
        let mut memory = MemoryTemplates::new();
        let mut store = TemplateStore::in_memory().unwrap();
        for operation in &operations {
            prop_assert_eq!(perform(&mut memory, operation), perform(&mut store, operation), "{:?}", operation);
        }
        prop_assert_eq!(answers(&memory), answers(&store));
        let listed: Vec<_> = store.list(None).unwrap().templates.into_iter().map(|t| (t.site, t.maker, t.name, t.pages, t.missed, t.retired.is_some())).collect();
        let mut kept: Vec<_> = memory.templates().iter().map(|kept| {
            let StoredTemplate { name, site, maker, .. } = kept.template.clone();
            (site, maker, name, kept.pages, kept.missed, kept.is_retired)
        }).collect();
        // The list is by site; within one both have the order in which templates were stored.
        kept.sort_by(|one, other| one.0.cmp(&other.0));
        prop_assert_eq!(kept, listed);
    }
}
