//! Writes what the training of `auto` needs: features, labels and words of all blocks of pages with gold text.
//!
//! `block_features DATA OUT` reads `DATA/<set>/{pages/<id>.html,gold/<id>.txt}` and writes flat arrays to `OUT` (little-endian,
//! one file each; `training/train.py` says what is in them).
//!
//! A block's label is the share of its words that are aligned with the gold: by a longest common subsequence, of which only
//! blocks keep their matches that have half of their words in it, because common words match anywhere; what is left of both
//! sides is aligned once more for text that stands elsewhere in the gold.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use unchaff_dom::{Page, words::words};
use unchaff_page::auto::{features, view::View};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [data, out] => write_all(Path::new(data), Path::new(out)),
        _ => Err(io::Error::other("give the folder of the data and the folder to write to")),
    }
}

/// All pages with a gold text, by set and name.
fn pages(data: &Path) -> io::Result<Vec<(String, String, PathBuf)>> {
    let mut found = BTreeSet::new();
    for set in fs::read_dir(data)? {
        let set = set?.path();
        let Ok(golds) = fs::read_dir(set.join("gold")) else { continue };
        for gold in golds {
            let gold = gold?.path();
            let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let id = name(&gold);
            let page = set.join("pages").join(format!("{id}.html"));
            found.insert((set.file_name().unwrap_or_default().to_string_lossy().into_owned(), id, page));
        }
    }
    Ok(found.into_iter().collect())
}

struct Output {
    folder: PathBuf,
    files: BTreeMap<&'static str, BufWriter<fs::File>>,
}

impl Output {
    fn write(&mut self, name: &'static str, bytes: impl IntoIterator<Item = [u8; 4]>) -> io::Result<()> {
        if !self.files.contains_key(name) {
            self.files.insert(name, BufWriter::new(fs::File::create(self.folder.join(name))?));
        }
        let Some(file) = self.files.get_mut(name) else { return Ok(()) };
        bytes.into_iter().try_for_each(|bytes| file.write_all(&bytes))
    }
}

fn write_all(data: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let names: Vec<String> =
        features::features().iter().map(|feature| format!("{}\t{}\n", feature.name, feature.meaning)).collect();
    fs::write(folder.join("features.tsv"), names.concat())?;
    let mut out = Output { folder: folder.to_owned(), files: BTreeMap::new() };
    let mut list = String::new();
    let mut ceiling: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    for (set, id, path) in pages(data)? {
        let gold = fs::read_to_string(path.with_file_name("").parent().unwrap_or(data).join("gold").join(format!("{id}.txt")))?;
        let page = Page::parse(fs::read(&path)?);
        let view = View::of(&page);
        let mut vocabulary: HashMap<String, i32> = HashMap::new();
        let gold: Vec<i32> = words(&gold.to_lowercase())
            .map(|word| {
                let next = vocabulary.len() as i32;
                *vocabulary.entry(word.to_owned()).or_insert(next)
            })
            .collect();
        if gold.is_empty() {
            continue;
        }
        let blocks: Vec<Vec<i32>> = (view.blocks.iter())
            .map(|block| {
                let text: Vec<String> = block.texts(&page).map(|node| page.string(node).to_lowercase()).collect();
                words(&text.concat()).map(|word| vocabulary.get(word).copied().unwrap_or(-1)).collect()
            })
            .collect();
        let labels = labels(&gold, &blocks);
        let mut counts = vec![0_u32; vocabulary.len()];
        gold.iter().for_each(|word| counts[*word as usize] += 1);
        let best = f1(&blocks, &counts, gold.len(), |block| labels[block] >= 0.5);
        let entry = ceiling.entry(set.clone()).or_default();
        *entry = (entry.0 + best, entry.1 + 1);
        let matrix = features::matrix(&view);
        out.write("X.f32", matrix.values.iter().map(|value| value.to_le_bytes()))?;
        out.write("label.f32", labels.iter().map(|label| label.to_le_bytes()))?;
        out.write("words.u32", blocks.iter().map(|block| (block.len() as u32).to_le_bytes()))?;
        out.write("word.i32", blocks.iter().flatten().map(|word| word.to_le_bytes()))?;
        out.write("gold.u32", counts.iter().map(|count| count.to_le_bytes()))?;
        let kinds: BTreeSet<u32> = view
            .levels
            .all
            .iter()
            .map(|level| (level.key ^ view.levels.all[level.parent as usize].key.rotate_left(9)) as u32)
            .collect();
        out.write("kinds.u32", kinds.iter().map(|kind| kind.to_le_bytes()))?;
        list.push_str(&format!("{set}\t{id}\t{}\t{}\t{}\n", blocks.len(), counts.len(), kinds.len()));
    }
    fs::write(folder.join("pages.tsv"), list)?;
    for (set, (sum, pages)) in ceiling {
        println!("{set}: {pages} pages, best choice of blocks F1 {:.4}", sum / f64::from(pages));
    }
    Ok(())
}

fn f1(blocks: &[Vec<i32>], gold: &[u32], gold_words: usize, takes: impl Fn(usize) -> bool) -> f64 {
    let mut left = gold.to_vec();
    let (mut shared, mut taken) = (0_u32, 0);
    for (_, block) in blocks.iter().enumerate().filter(|(at, _)| takes(*at)) {
        taken += block.len();
        for word in block.iter().filter(|word| **word >= 0) {
            if left[*word as usize] > 0 {
                left[*word as usize] -= 1;
                shared += 1;
            }
        }
    }
    2.0 * f64::from(shared) / (taken + gold_words) as f64
}

fn labels(gold: &[i32], blocks: &[Vec<i32>]) -> Vec<f32> {
    let owners: Vec<usize> = blocks.iter().enumerate().flat_map(|(at, block)| std::iter::repeat_n(at, block.len())).collect();
    let all: Vec<i32> = blocks.concat();
    let mut label = vec![0.0_f32; blocks.len()];
    let mut gold_left: Vec<bool> = vec![true; gold.len()];
    let pairs = common_subsequence(&all, gold);
    let mut matched = vec![0_usize; blocks.len()];
    pairs.iter().for_each(|(word, _)| matched[owners[*word]] += 1);
    let share = |matched: usize, at: usize| matched as f32 / blocks[at].len().max(1) as f32;
    let keeps = |at: usize| share(matched[at], at) >= 0.5 || (matched[at] >= 8 && share(matched[at], at) > 0.3);
    for (word, place) in &pairs {
        if keeps(owners[*word]) {
            gold_left[*place] = false;
            label[owners[*word]] = share(matched[owners[*word]], owners[*word]);
        }
    }
    let rest: Vec<i32> = gold.iter().zip(&gold_left).filter(|(_, left)| **left).map(|(word, _)| *word).collect();
    let (mut words, mut rest_owners) = (Vec::new(), Vec::new());
    for (word, owner) in all.iter().zip(&owners).filter(|(_, owner)| label[**owner] == 0.0) {
        words.push(*word);
        rest_owners.push(*owner);
    }
    let mut matched = vec![0_usize; blocks.len()];
    common_subsequence(&words, &rest).iter().for_each(|(word, _)| matched[rest_owners[*word]] += 1);
    for at in 0..blocks.len() {
        if label[at] == 0.0 && matched[at] >= 3 && share(matched[at], at) >= 0.7 {
            label[at] = share(matched[at], at);
        }
    }
    label
}

/// A longest common subsequence as pairs of places, found with one bit a gold word (Hyyrö, 2004) and traced back.
fn common_subsequence(text: &[i32], gold: &[i32]) -> Vec<(usize, usize)> {
    let width = gold.len().div_ceil(64);
    let mut masks: HashMap<i32, Vec<u64>> = HashMap::new();
    for (at, word) in gold.iter().enumerate() {
        masks.entry(*word).or_insert_with(|| vec![0; width])[at / 64] |= 1 << (at % 64);
    }
    let places: Vec<usize> = (0..text.len()).filter(|at| masks.contains_key(&text[*at])).collect();
    let mut rows: Vec<u64> = Vec::with_capacity(places.len() * width);
    let mut row = vec![u64::MAX; width];
    for place in &places {
        let mask = &masks[&text[*place]];
        let mut carry = false;
        for (bits, mask) in row.iter_mut().zip(mask) {
            let both = *bits & mask;
            let (sum, over) = bits.overflowing_add(both);
            let (sum, over_carry) = sum.overflowing_add(u64::from(carry));
            carry = over || over_carry;
            *bits = sum | (*bits & !mask);
        }
        rows.extend_from_slice(&row);
    }
    let is_set = |row: usize, at: usize| rows[row * width + at / 64] >> (at % 64) & 1 == 1;
    let (mut row, mut at) = (places.len(), gold.len());
    let mut pairs = Vec::new();
    while row > 0 && at > 0 {
        if is_set(row - 1, at - 1) {
            at -= 1;
        } else {
            row -= 1;
            if row == 0 || is_set(row - 1, at - 1) {
                at -= 1;
                pairs.push((places[row], at));
            }
        }
    }
    pairs.reverse();
    pairs
}
