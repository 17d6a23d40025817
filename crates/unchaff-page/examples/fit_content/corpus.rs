//! Pages with gold text as the training sees them: columns of bins, labels, words, and which pages are of one site or template.

use crate::alignment::labels;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};
use unchaff_dom::{Page, words::words};
use unchaff_page::learned::auto::blocks::Block;
use unchaff_page::learned::auto::comments::comment_blocks;
use unchaff_page::learned::auto::features::{Source, quantities};
use unchaff_page::learned::auto::tables::{Asked, Batch, Borders, LANES, MOST_BORDERS, QUANTITIES, Tables, quantity};
use unchaff_page::learned::auto::view::View;
use unchaff_page::views::units::{Unit, ranges, units};

/// Every so many pages thresholds are chosen by.
const BORDER_PAGES: usize = 4;
/// Threads that read pages.
const THREADS: usize = 2;

/// One page.
pub(crate) struct GoldPage {
    pub(crate) set: String,
    pub(crate) id: String,
    /// The kind of page, if the set tells.
    pub(crate) kind: Option<String>,
    site: Option<String>,
    path: PathBuf,
    /// Its blocks in the columns.
    pub(crate) first: usize,
    pub(crate) end: usize,
    /// For each block its words: their numbers among the gold's, -1 for others.
    pub(crate) words: Vec<Vec<i32>>,
    /// How often the gold has each of its words.
    pub(crate) gold: Vec<u32>,
    /// What is content as a whole or not at all, and the blocks in it.
    pub(crate) units: Vec<(Range<usize>, Unit)>,
    /// Whether each block stands in comments.
    pub(crate) comments: Vec<bool>,
    /// The kind of each block.
    pub(crate) of_group: Vec<u32>,
    /// The share of each block's words that are gold.
    pub(crate) labels: Vec<f32>,
    /// Kinds of levels, by which pages of one template are known.
    kinds: BTreeSet<u32>,
}

impl GoldPage {
    pub(crate) fn gold_words(&self) -> u32 {
        self.gold.iter().sum()
    }

    /// Word-bag F1 of a choice of blocks.
    pub(crate) fn f1(&self, takes: impl Fn(usize) -> bool) -> f64 {
        let mut left = self.gold.clone();
        let (mut shared, mut taken) = (0_u32, 0);
        for (_, block) in self.words.iter().enumerate().filter(|(at, _)| takes(*at)) {
            taken += block.len();
            for word in block.iter().filter(|word| **word >= 0) {
                if left[*word as usize] > 0 {
                    left[*word as usize] -= 1;
                    shared += 1;
                }
            }
        }
        2.0 * f64::from(shared) / (taken + self.gold_words() as usize) as f64
    }
}

/// All pages.
pub(crate) struct Corpus {
    pub(crate) pages: Vec<GoldPage>,
    pub(crate) borders: Vec<Vec<f32>>,
    /// The bins of all blocks, by column.
    pub(crate) columns: Vec<Vec<u8>>,
}

impl Corpus {
    /// Reads `DATA/<set>/{pages/<id>.html,gold/<id>.txt,meta.json}`.
    pub(crate) fn read(data: &Path, sources: &[Source]) -> io::Result<Corpus> {
        let listed = list(data)?;
        let sampled: Vec<&GoldPage> = listed.iter().step_by(BORDER_PAGES).collect();
        let mut values: Vec<Vec<f32>> = vec![Vec::new(); quantities().len()];
        for page in in_parallel(&sampled, |page| sample(page, sources))? {
            values.iter_mut().zip(page).for_each(|(all, own)| all.extend(own));
        }
        let borders: Vec<Vec<f32>> = values.into_iter().map(choose_borders).collect();
        let fixed: Vec<Borders> =
            borders.iter().map(|borders| Borders::new(borders).unwrap_or_else(|| unreachable!("they rise"))).collect();
        let fixed: [Borders; QUANTITIES] = fixed.try_into().map_err(|_| io::Error::other("a quantity has no thresholds"))?;
        let listed: Vec<Mutex<Option<GoldPage>>> = listed.into_iter().map(|page| Mutex::new(Some(page))).collect();
        let read = in_parallel(&listed, |page| {
            let page = page.lock().ok().and_then(|mut page| page.take());
            page.map(|page| read_page(page, sources, &fixed)).transpose()
        })?;
        let mut corpus = Corpus { pages: Vec::new(), borders, columns: vec![Vec::new(); sources.len()] };
        for (mut page, columns) in read.into_iter().flatten().filter(|(page, _)| !page.gold.is_empty()) {
            corpus.columns.iter_mut().zip(columns).for_each(|(all, own)| all.extend(own));
            page.first = corpus.pages.last().map_or(0, |last| last.end);
            page.end = page.first + page.words.len();
            corpus.pages.push(page);
        }
        Ok(corpus)
    }

    /// A number for each page, the same for pages of one site or template.
    fn groups(&self) -> Vec<usize> {
        let mut parent: Vec<usize> = (0..self.pages.len()).collect();
        let mut hosts: HashMap<&str, usize> = HashMap::new();
        for (at, page) in self.pages.iter().enumerate() {
            if let Some(site) = &page.site {
                let first = *hosts.entry(site).or_insert(at);
                join(&mut parent, at, first);
            }
        }
        for (at, page) in self.pages.iter().enumerate().filter(|(_, page)| page.kinds.len() >= 6) {
            for (before, other) in
                self.pages[..at].iter().enumerate().filter(|(_, other)| other.kinds.len() >= 6 && other.set == page.set)
            {
                let (smaller, larger) = (page.kinds.len().min(other.kinds.len()), page.kinds.len().max(other.kinds.len()));
                if 2 * smaller >= larger && 2 * page.kinds.intersection(&other.kinds).count() >= larger {
                    join(&mut parent, at, before);
                }
            }
        }
        (0..self.pages.len()).map(|at| root(&mut parent, at)).collect()
    }

    /// The fold of each page: groups, largest first, go where fewest pages of their set are, and stay together.
    pub(crate) fn folds(&self, count: usize) -> Vec<usize> {
        let groups = self.groups();
        let mut sizes: BTreeMap<(&str, usize), usize> = BTreeMap::new();
        for (page, group) in self.pages.iter().zip(&groups) {
            *sizes.entry((&page.set, *group)).or_default() += 1;
        }
        let mut order: Vec<_> = sizes.into_iter().collect();
        order.sort_by_key(|((set, group), size)| (*set, usize::MAX - size, *group));
        let mut loads: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut fold_of: HashMap<usize, usize> = HashMap::new();
        for ((set, group), size) in order {
            let load = loads.entry(set).or_insert_with(|| vec![0; count]);
            let lowest = (0..count).min_by_key(|fold| load[*fold]).unwrap_or(0);
            let fold = *fold_of.entry(group).or_insert(lowest);
            load[fold] += size;
        }
        groups.iter().map(|group| fold_of[group]).collect()
    }
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a] = b;
}

/// Applies a function to all items; the answers are in their order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> io::Result<R> + Sync) -> io::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, io::Result<R>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((at, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
                {
                    let answer = apply(item);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, answer));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().map_err(|_| io::Error::other("a thread that read pages has failed"))?;
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// All pages with a gold text, by set and name.
fn list(data: &Path) -> io::Result<Vec<GoldPage>> {
    let name = |path: &Path, stem: bool| {
        let name = if stem { path.file_stem() } else { path.file_name() };
        name.unwrap_or_default().to_string_lossy().into_owned()
    };
    let mut pages = Vec::new();
    for folder in fs::read_dir(data)? {
        let folder = folder?.path();
        let Ok(golds) = fs::read_dir(folder.join("gold")) else { continue };
        let meta: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("meta.json"))?)?;
        for gold in golds {
            let id = name(&gold?.path(), true);
            let known = |key: &str| meta["items"][&id][key].as_str().map(str::to_owned);
            let host = |url: String| url.split("://").nth(1)?.split(['/', '?', '#', ':']).next().map(str::to_lowercase);
            let site = known("site").or_else(|| known("url").and_then(host));
            pages.push(GoldPage {
                set: name(&folder, false),
                kind: known("type"),
                site: site.map(|site| site.trim_start_matches("www.").to_owned()),
                path: folder.join("pages").join(format!("{id}.html")),
                id,
                first: 0,
                end: 0,
                words: Vec::new(),
                gold: Vec::new(),
                units: Vec::new(),
                comments: Vec::new(),
                of_group: Vec::new(),
                labels: Vec::new(),
                kinds: BTreeSet::new(),
            });
        }
    }
    pages.sort_by(|a, b| (&a.set, &a.id).cmp(&(&b.set, &b.id)));
    Ok(pages)
}

/// Values of all quantities as columns read them: of blocks of some length, and of some of the others.
fn sample(page: &GoldPage, sources: &[Source]) -> io::Result<Vec<Vec<f32>>> {
    let page = Page::parse(fs::read(&page.path)?);
    let view = View::of(&page);
    let tables = Tables::measured(&view);
    let mut values: Vec<Vec<f32>> = vec![Vec::new(); QUANTITIES];
    for block in (0..view.blocks.len()).filter(|block| view.signs[*block].words >= 8 || block % 8 == 0) {
        for source in sources {
            if let Some((number, value)) = quantity(*source).zip(tables.value(&view, *source, block)) {
                values[number].push(value);
            }
        }
    }
    Ok(values)
}

/// Thresholds that divide values evenly; where there are few, all of them but the last.
fn choose_borders(mut values: Vec<f32>) -> Vec<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let mut borders = values.clone();
    borders.dedup();
    if borders.len() > MOST_BORDERS + 1 {
        borders = (1..=MOST_BORDERS).map(|at| values[at * values.len() / (MOST_BORDERS + 1)]).collect();
        borders.dedup();
    } else {
        borders.pop();
    }
    borders
}

fn read_page(mut gold: GoldPage, sources: &[Source], borders: &[Borders; QUANTITIES]) -> io::Result<(GoldPage, Vec<Vec<u8>>)> {
    let text = gold.path.parent().and_then(Path::parent).map(|set| set.join("gold").join(format!("{}.txt", gold.id)));
    let text = fs::read_to_string(text.unwrap_or_default())?;
    let page = Page::parse(fs::read(&gold.path)?);
    let view = View::of(&page);
    let mut vocabulary: HashMap<String, i32> = HashMap::new();
    let mut wanted = Vec::new();
    for word in words(&text.to_lowercase()) {
        let next = vocabulary.len() as i32;
        wanted.push(*vocabulary.entry(word.to_owned()).or_insert(next));
    }
    let read = |block: &Block| {
        let text: Vec<String> = block.texts(&page).map(|node| page.string(node).to_lowercase()).collect();
        words(&text.concat()).map(|word| vocabulary.get(word).copied().unwrap_or(-1)).collect()
    };
    gold.words = view.blocks.iter().map(read).collect();
    let places: Vec<_> = view.blocks.iter().map(|block| (block.first, block.last)).collect();
    gold.units = ranges(&page, &units(&page), &places).into_iter().map(|(range, unit)| (range, *unit)).collect();
    gold.comments = comment_blocks(&view);
    gold.of_group.clone_from(&view.of_group);
    gold.gold = vec![0; vocabulary.len()];
    wanted.iter().for_each(|word| gold.gold[*word as usize] += 1);
    gold.labels = labels(&wanted, &gold.words);
    let key = |level: u32| view.levels.all[level as usize].key;
    gold.kinds = view.levels.all.iter().map(|level| (level.key ^ key(level.parent).rotate_left(9)) as u32).collect();
    let tables = Tables::binned(&view, borders);
    let mut batch = Batch::new(sources.len());
    let mut columns: Vec<Vec<u8>> = vec![Vec::with_capacity(view.blocks.len()); sources.len()];
    let all: Vec<u32> = (0..view.blocks.len() as u32).collect();
    let asked = Asked::of(sources, 0..sources.len() as u16);
    for blocks in all.chunks(LANES) {
        tables.read(&view, &asked, blocks, &mut batch);
        let count = blocks.len();
        columns.iter_mut().zip(&batch.columns).for_each(|(column, lanes)| column.extend(&lanes[..count]));
    }
    Ok((gold, columns))
}
