//! How models and templates leave a store and come into another: each is one JSON object on a line.
//!
//! A line is read with care: it may come from anybody. What is imported is whole, its times are times, and its names are text that can
//! be shown.

use crate::columns::{Columns, block_json, path_bytes};
use crate::rows::{self, TEMPLATE_COLUMNS};
use crate::store::TemplateStore;
use crate::{ImportError, StoreError};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use unchaff_site::carried_over::templates::StoredTemplate;
use unchaff_site::{ModelError, SiteModel};

/// The schema of a template's line. The one before had a field more, which is not read.
const TEMPLATE: &str = "unchaff/template/3";
const TEMPLATE_BEFORE: &str = "unchaff/template/2";
/// In the first one all templates were of blocks.
const TEMPLATE_FIRST: &str = "unchaff/template/1";
const MODEL: &str = "unchaff/model/1";

/// The maker of content, template and menu, when these were carried over.
pub(crate) const BLOCKS: &str = "blocks";

/// No template recognised more pages; greater numbers could not be counted on.
const MOST_PAGES: u64 = 1 << 53;

/// A model or a template on its way from one store to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exported {
    /// The model of a site.
    Model(ExportedModel),
    /// A template.
    Template(Box<ExportedTemplate>),
}

/// The model of a site with what the store notes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedModel {
    /// The site.
    pub site: String,
    /// The model.
    pub model: SiteModel,
    /// When it was first stored.
    pub created: String,
    /// When pages of the site were learned last.
    pub learned: String,
}

/// A template with what the store notes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedTemplate {
    /// The template.
    pub template: StoredTemplate,
    /// How many pages were recognised.
    pub pages: u64,
    /// When it was first stored.
    pub created: String,
    /// When a page was recognised last.
    pub matched: Option<String>,
    /// Since when it is not used any more.
    pub retired: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct ModelLine {
    schema: String,
    site: String,
    pages: usize,
    model: String,
    created: String,
    learned: String,
}

#[derive(Serialize, Deserialize)]
struct TemplateLine {
    schema: String,
    template: String,
    site: String,
    maker: String,
    url: String,
    tree: String,
    paths: String,
    blocks: String,
    ripe: bool,
    text: u64,
    tried: u32,
    agreed: u32,
    pages: u64,
    created: String,
    matched: Option<String>,
    retired: Option<String>,
}

impl Exported {
    /// As a line of JSON, without the line's end.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Exported::Model(exported) => exported.to_json(),
            Exported::Template(exported) => exported.to_json(),
        }
    }

    /// Reads a line of an export.
    ///
    /// # Errors
    /// If it is something else, of a version that is not read, or damaged.
    pub fn parse(line: &str) -> Result<Exported, ImportError> {
        let value: serde_json::Value = serde_json::from_str(line).map_err(ImportError::Json)?;
        let schema = value["schema"].as_str().ok_or(ImportError::NoSchema)?;
        let is_blocks = schema == TEMPLATE_FIRST || value["maker"] == BLOCKS;
        match schema {
            MODEL => {
                let line: ModelLine = serde_json::from_value(value).map_err(ImportError::Json)?;
                Ok(Exported::Model(line.read()?))
            }
            TEMPLATE_FIRST | TEMPLATE_BEFORE | TEMPLATE if is_blocks => {
                let site = value["site"].as_str().filter(|site| is_shown(site)).unwrap_or("its site").to_owned();
                Err(ImportError::Blocks { site })
            }
            TEMPLATE | TEMPLATE_BEFORE => {
                let line: TemplateLine = serde_json::from_value(value).map_err(ImportError::Json)?;
                let exported = line.read();
                let name = line.template.escape_debug().to_string();
                Ok(Exported::Template(Box::new(exported.ok_or(ImportError::DamagedTemplate { name })?)))
            }
            other => Err(ImportError::Schema { found: other.to_owned() }),
        }
    }
}

impl ExportedModel {
    fn to_json(&self) -> String {
        let line = ModelLine {
            schema: MODEL.to_owned(),
            site: self.site.clone(),
            pages: self.model.pages(),
            model: hex(&self.model.to_bytes()),
            created: self.created.clone(),
            learned: self.learned.clone(),
        };
        serde_json::to_string(&line).expect("a line is plain data")
    }
}

impl ModelLine {
    fn read(self) -> Result<ExportedModel, ImportError> {
        let ModelLine { site, pages, model, created, learned, .. } = self;
        let damaged = |why: ModelError| ImportError::DamagedModel { site: site.escape_debug().to_string(), why };
        let bytes = unhex(&model).ok_or_else(|| damaged(ModelError::Damaged))?;
        let model = SiteModel::from_bytes(&bytes).map_err(damaged)?;
        if model.pages() != pages || pages == 0 || !is_shown(&site) || !is_time(&created) || !is_time(&learned) {
            return Err(damaged(ModelError::Damaged));
        }
        Ok(ExportedModel { site, model, created, learned })
    }
}

impl ExportedTemplate {
    fn to_json(&self) -> String {
        let StoredTemplate { name, site, maker, url, dom, paths, blocks, ripe, text, tried, agreed } = &self.template;
        let line = TemplateLine {
            schema: TEMPLATE.to_owned(),
            template: name.clone(),
            site: site.clone(),
            maker: maker.clone(),
            url: url.clone(),
            tree: hex(&dom.to_bytes()),
            paths: hex(&path_bytes(paths)),
            blocks: block_json(blocks),
            ripe: *ripe,
            text: *text,
            tried: *tried,
            agreed: *agreed,
            pages: self.pages,
            created: self.created.clone(),
            matched: self.matched.clone(),
            retired: self.retired.clone(),
        };
        serde_json::to_string(&line).expect("a line is plain data")
    }
}

impl TemplateLine {
    /// The template, if nothing is wrong with it.
    fn read(&self) -> Option<ExportedTemplate> {
        let TemplateLine { template: name, site, maker, url, blocks, .. } = self;
        let times = [Some(&self.created), self.matched.as_ref(), self.retired.as_ref()];
        let are_times = times.into_iter().flatten().all(|time| is_time(time));
        if !are_times || self.pages > MOST_PAGES || !is_name(name) || ![site, maker].iter().all(|text| is_shown(text)) {
            return None;
        }
        if url.chars().any(char::is_control) {
            return None;
        }
        let (tree, paths) = (&unhex(&self.tree)?[..], &unhex(&self.paths)?[..]);
        let (ripe, text, tried, agreed) = (self.ripe, self.text, self.tried, self.agreed);
        let template = Columns { name, site, maker, url, tree, paths, blocks, ripe, text, tried, agreed }.read()?;
        Some(ExportedTemplate {
            template,
            pages: self.pages,
            created: self.created.clone(),
            matched: self.matched.clone(),
            retired: self.retired.clone(),
        })
    }
}

impl TemplateStore {
    /// Hands everything to `write`: first the models by site, then the templates by site and in the order in which they were stored.
    ///
    /// # Errors
    /// If the file cannot be read, something in it is damaged, or `write` fails.
    pub fn export<E: From<StoreError>>(&self, mut write: impl FnMut(&Exported) -> Result<(), E>) -> Result<(), E> {
        let failed = |error: rusqlite::Error| E::from(StoreError::from(error));
        // Both at one moment, whatever others write.
        let reading = self.connection.unchecked_transaction().map_err(failed)?;
        let mut query =
            reading.prepare_cached("SELECT site, bytes, created, learned FROM model ORDER BY site").map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let read = || -> Result<ExportedModel, StoreError> {
                let site: String = row.get(0)?;
                let model = rows::read_model(&site, row.get_ref(1)?.as_blob().unwrap_or_default())?;
                Ok(ExportedModel { site, model, created: row.get(2)?, learned: row.get(3)? })
            };
            write(&Exported::Model(read()?))?;
        }
        let mut query = reading
            .prepare_cached(&format!(
                "SELECT {TEMPLATE_COLUMNS}, template.pages, created, matched, retired
                 FROM template JOIN site ON site.id = template.site ORDER BY site.name, template.id"
            ))
            .map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let read = || -> Result<ExportedTemplate, StoreError> {
                Ok(ExportedTemplate {
                    template: rows::read_template(row)?,
                    pages: row.get(12)?,
                    created: row.get(13)?,
                    matched: row.get(14)?,
                    retired: row.get(15)?,
                })
            };
            write(&Exported::Template(Box::new(read()?)))?;
        }
        Ok(())
    }

    /// Stores what comes from another store: a model is merged into that of its site; of two templates of one name the one that
    /// recognised more pages stays. Returns whether anything in it was new.
    ///
    /// # Errors
    /// If the file cannot be written, or what is there is damaged.
    pub fn import(&mut self, exported: &Exported) -> Result<bool, StoreError> {
        match exported {
            Exported::Model(exported) => self.import_model(exported),
            Exported::Template(exported) => self.import_template(exported),
        }
    }

    fn import_model(&mut self, exported: &ExportedModel) -> Result<bool, StoreError> {
        let ExportedModel { site, model, created, learned } = exported;
        self.change(|transaction| {
            let is_known = transaction.prepare_cached("SELECT 1 FROM model WHERE site = ?")?.exists([site])?;
            let (_, is_new) = rows::merge_model(transaction, site, model.clone())?;
            // Times are written so that their order is that of the text.
            let times = if is_known { "min(created, ?2), learned = max(learned, ?3)" } else { "?2, learned = ?3" };
            let mut update = transaction.prepare_cached(&format!("UPDATE model SET created = {times} WHERE site = ?1"))?;
            update.execute([site, created, learned])?;
            Ok(is_new)
        })
    }

    fn import_template(&mut self, exported: &ExportedTemplate) -> Result<bool, StoreError> {
        let ExportedTemplate { template, pages, created, matched, retired } = exported;
        let StoredTemplate { name, site, maker, .. } = template;
        self.change(|transaction| {
            let known: Option<u64> = transaction
                .prepare_cached(
                    "SELECT template.pages FROM template JOIN site ON site.id = template.site
                     WHERE site.name = ? AND maker = ? AND template.name = ?",
                )?
                .query_row([site, maker, name], |row| row.get(0))
                .optional()?;
            if known.is_some_and(|known| known >= *pages) {
                return Ok(false);
            }
            let id = rows::put(transaction, template)?;
            transaction
                .prepare_cached("UPDATE template SET pages = ?2, created = ?3, matched = ?4, retired = ?5 WHERE id = ?1")?
                .execute(params![id.0, pages, created, matched, retired])?;
            rows::forget_paths_of_retired(transaction, site, maker)?;
            Ok(true)
        })
    }
}

/// Whether a text can be shown on a line: something, and nothing that a terminal would obey.
fn is_shown(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a text is a time as the store writes it: `2026-01-31T12:00:00Z`.
fn is_time(text: &str) -> bool {
    let form = b"0000-00-00T00:00:00Z";
    let fits = |(byte, form): (u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form };
    text.len() == form.len() && text.bytes().zip(form).all(fits)
}

/// Bytes in hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests;
