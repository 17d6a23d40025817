//! Pages with gold, beside different numbers of other pages of their sites.

use crate::alignment::labels;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};
use unchaff_dom::words::words;
use unchaff_dom::{NodeId, Page, Parser, Tag};
use unchaff_page::learned::auto::oblivious_trees::ObliviousTrees;
use unchaff_page::learned::auto::{self, Analysis, Auto, Favor, view::View};
use unchaff_page::learned::name_families::NameFamilies;
use unchaff_page::views::units::{Unit, ranges};
use unchaff_site::SiteModel;
use unchaff_site::learned::block_facts::{FACTS, Facts, survey};
use unchaff_site::learned::comparison::Company;
use unchaff_site::learned::page_facts::PageFacts;
use unchaff_site::learned::page_keys::PageKeys;
use url::Url;

/// Numbers of other pages.
pub(crate) const BUDGETS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A page with its gold.
pub(crate) struct GoldPage {
    pub(crate) is_news: bool,
    pub(crate) site: usize,
    /// How many pages of its site there are.
    pub(crate) of_site: f32,
    /// For each block its words: their numbers among the gold's, -1 for others.
    pub(crate) words: Vec<Vec<i32>>,
    /// How many these are, as the cut counts them.
    pub(crate) counts: Vec<f32>,
    /// How often the gold has each of its words.
    gold: Vec<u32>,
    pub(crate) labels: Vec<f32>,
    pub(crate) units: Vec<(Range<usize>, Unit)>,
    /// What `auto` says.
    pub(crate) p: Vec<f32>,
    pub(crate) expected_f1: f32,
    /// How often it is among the samples.
    pub(crate) samples: usize,
}

/// A page beside some others.
pub(crate) struct Sample {
    pub(crate) page: usize,
    pub(crate) others: usize,
    /// Whether there are no more of them.
    pub(crate) is_last: bool,
    pub(crate) facts: Vec<Facts>,
    pub(crate) own_of_auto: f32,
}

impl Sample {
    /// What `auto` says of a block.
    pub(crate) fn log_odds(&self, page: &GoldPage, block: usize) -> f32 {
        let p = page.p[block].clamp(1e-3, 1.0 - 1e-3);
        (p / (1.0 - p)).ln()
    }

    /// The log-odds of a block to be template.
    pub(crate) fn template(&self, block: usize) -> f32 {
        self.facts[block][FACTS.iter().position(|(name, _)| *name == "template").unwrap_or(0)]
    }
}

impl GoldPage {
    pub(crate) fn gold_words(&self) -> u32 {
        self.gold.iter().sum()
    }

    /// Word-bag F1 of a choice of blocks.
    pub(crate) fn choice_f1(&self, takes: impl Fn(usize) -> bool) -> f64 {
        let mut left = self.gold.clone();
        let (mut shared, mut taken) = (0_u32, 0);
        for (_, block) in self.words.iter().enumerate().filter(|(at, _)| takes(*at)) {
            taken += block.len();
            for word in block.iter().filter(|word| **word >= 0) {
                let left = &mut left[*word as usize];
                shared += u32::from(*left > 0);
                *left = left.saturating_sub(1);
            }
        }
        2.0 * f64::from(shared) / ((taken + self.gold_words() as usize) as f64).max(1.0)
    }
}

/// All pages.
pub(crate) struct Corpus {
    pub(crate) pages: Vec<GoldPage>,
    pub(crate) samples: Vec<Sample>,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A string field of JSON that is written one field a line.
fn field<'j>(json: &'j str, name: &str) -> Option<&'j str> {
    json.split(&format!("\"{name}\": \"")).nth(1).and_then(|rest| rest.split('"').next())
}

impl Corpus {
    pub(crate) fn read(data: &Path, model: &Path) -> io::Result<Corpus> {
        let mut corpus = Corpus { pages: Vec::new(), samples: Vec::new() };
        for (number, folder) in sorted(&data.join("sites"))?.iter().enumerate() {
            corpus.read_site(folder, number)?;
        }
        let model = ObliviousTrees::read(&fs::read(model)?, &auto::columns()).map_err(io::Error::other)?;
        corpus.read_news(&data.join("pages/daniel"), &model)?;
        Ok(corpus)
    }

    fn read_site(&mut self, folder: &Path, number: usize) -> io::Result<()> {
        let Ok(json) = fs::read_to_string(folder.join("site.json")) else { return Ok(()) };
        let base = Url::parse(field(&json, "base_url").unwrap_or("http://site.invalid/")).map_err(io::Error::other)?;
        let key = field(&json, "key_page").unwrap_or_default();
        let root = folder.join("pages");
        let (mut found, mut key_page, mut others) = (Vec::new(), None, Vec::new());
        files(&root, &mut found);
        found.sort();
        for file in found {
            let relative = file.strip_prefix(&root).map_err(io::Error::other)?.to_string_lossy().into_owned();
            let mut url = base.clone();
            let (path, query) = relative.split_once('?').map_or((&*relative, None), |(path, query)| (path, Some(query)));
            url.set_path(&format!("{}{path}", base.path()));
            url.set_query(query);
            let page = Parser::new().url(url.as_str()).parse(fs::read(&file)?);
            if relative == key { key_page = Some(page) } else { others.push(PageFacts::of(&page)) }
        }
        let Some(page) = key_page else { return Ok(()) };
        let gold = Page::parse(fs::read(folder.join("gold.html"))?);
        let elements = |page: &Page| -> Vec<NodeId> {
            page.body()
                .into_iter()
                .flat_map(|body| page.subtree(body).collect::<Vec<_>>())
                .filter(|node| page.is_element(*node))
                .collect()
        };
        let is_content = |node: &NodeId| gold.classes(*node).any(|class| class == "TECO_mainContent");
        let content: HashMap<NodeId, bool> = elements(&page).into_iter().zip(elements(&gold).iter().map(is_content)).collect();
        let is_gold = |text: NodeId| page.parent(text).is_some_and(|parent| content.get(&parent).copied().unwrap_or(false));
        let texts = page.nodes().filter(|node| page.tag(*node) == Tag::Text && is_gold(*node));
        let wanted: Vec<String> =
            texts.flat_map(|text| words(&page.string(text).to_lowercase()).map(str::to_owned).collect::<Vec<_>>()).collect();
        let analysis = Auto::default().analyse(&page);
        let label = |block: &auto::blocks::Block| {
            let (mut all, mut right) = (0.0, 0.0);
            for text in block.texts(&page) {
                let words = (words(page.string(text)).count() as f32).max(0.01);
                all += words;
                right += if is_gold(text) { words } else { 0.0 };
            }
            if all > 0.0 { right / all } else { 0.0 }
        };
        let labels: Vec<f32> = analysis.view.blocks.iter().map(label).collect();
        self.add(&page, &analysis, &wanted, Some(labels), (false, number, 1), &others.iter().collect::<Vec<_>>(), &name(folder));
        Ok(())
    }

    fn read_news(&mut self, folder: &Path, model: &ObliviousTrees) -> io::Result<()> {
        let meta = fs::read_to_string(folder.join("meta.json"))?;
        let mut by_site: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for gold in sorted(&folder.join("gold"))? {
            let id = name(&gold);
            let site = meta.split(&format!("\"{id}\":")).nth(1).and_then(|rest| field(rest, "site"));
            by_site.entry(site.unwrap_or_default()).or_default().push(id);
        }
        for (number, ids) in by_site.values().filter(|ids| ids.len() > 1).enumerate() {
            let read = |id: &String| fs::read(folder.join(format!("pages/{id}.html"))).map(Page::parse);
            let pages: Vec<Page> = ids.iter().map(read).collect::<io::Result<_>>()?;
            let facts: Vec<PageFacts> = pages.iter().map(PageFacts::of).collect();
            for (at, page) in pages.iter().enumerate() {
                let text = fs::read_to_string(folder.join(format!("gold/{}.txt", ids[at])))?.to_lowercase();
                let wanted: Vec<String> = words(&text).map(str::to_owned).collect();
                let view = View::of(page);
                let p = model.probabilities(&view);
                let analysis = Analysis::of(view, p, Favor::Balanced);
                let others: Vec<&PageFacts> =
                    facts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, facts)| facts).collect();
                self.add(page, &analysis, &wanted, None, (true, number, ids.len()), &others, &ids[at]);
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn add(
        &mut self,
        page: &Page,
        analysis: &Analysis<'_>,
        wanted: &[String],
        known: Option<Vec<f32>>,
        (is_news, site, of_site): (bool, usize, usize),
        others: &[&PageFacts],
        id: &str,
    ) {
        let mut vocabulary: HashMap<&str, i32> = HashMap::new();
        let mut numbers = Vec::new();
        for word in wanted {
            let next = vocabulary.len() as i32;
            numbers.push(*vocabulary.entry(word).or_insert(next));
        }
        let mut gold = vec![0; vocabulary.len()];
        numbers.iter().for_each(|word| gold[*word as usize] += 1);
        let read = |block: &auto::blocks::Block| -> Vec<i32> {
            let text: Vec<String> = block.texts(page).map(|node| page.string(node).to_lowercase()).collect();
            words(&text.concat()).map(|word| vocabulary.get(word).copied().unwrap_or(-1)).collect()
        };
        let words: Vec<Vec<i32>> = analysis.view.blocks.iter().map(read).collect();
        let places: Vec<_> = analysis.view.blocks.iter().map(|block| (block.first, block.last)).collect();
        let number = self.pages.len();
        let seed = id.bytes().fold(0, |hash: usize, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
        let mut order: Vec<(f32, usize)> = (0..others.len()).map(|at| (crate::boosting::chance(17, seed, at), at)).collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (keys, names) = (PageKeys::of(page), NameFamilies::of(page));
        let mut counts: Vec<usize> = BUDGETS.iter().map(|budget| *budget.min(&others.len())).collect();
        counts.dedup();
        let before = self.samples.len();
        for chosen in &counts {
            let mut model = SiteModel::default();
            order[..*chosen].iter().for_each(|(_, at)| model.add_facts(others[*at]));
            let comparison = model.compare(&keys, &Company::default());
            if comparison.is_known() {
                let applied = comparison.apply(page, &keys, &names, 0.6);
                let found = survey(analysis, &keys, &comparison, &applied);
                let is_last = Some(chosen) == counts.last();
                self.samples.push(Sample {
                    page: number,
                    others: *chosen,
                    is_last,
                    facts: (0..analysis.p.len()).map(|block| found.facts(block)).collect(),
                    own_of_auto: found.own_of_auto,
                });
            }
        }
        self.pages.push(GoldPage {
            is_news,
            site,
            of_site: of_site as f32,
            labels: known.unwrap_or_else(|| labels(&numbers, &words)),
            words,
            counts: analysis.view.signs.iter().map(|signs| signs.words as f32).collect(),
            gold,
            units: ranges(page, &analysis.units, &places).into_iter().map(|(range, unit)| (range, *unit)).collect(),
            p: analysis.p.clone(),
            expected_f1: analysis.cut.expected_f1,
            samples: self.samples.len() - before,
        });
    }
}
