//! What is in a store, told without reading trees and models, and how it is removed.

use crate::store::TemplateStore;
use crate::{StoreError, rows};
use rusqlite::Connection;
use unchaff_site::carried_over::templates::{StoredTemplate, TemplateId};

/// What is known of a site's model without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelSummary {
    /// The site.
    pub site: String,
    /// From how many pages it is.
    pub pages: u64,
    /// How many bytes it takes.
    pub bytes: u64,
    /// When it was first stored.
    pub created: String,
    /// When pages of the site were learned last, also if nothing was new.
    pub learned: String,
}

/// What is known of a template without reading its tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateSummary {
    /// Its name.
    pub name: String,
    /// Its site.
    pub site: String,
    /// Who says what its elements are.
    pub maker: String,
    /// The page that stands for it.
    pub url: String,
    /// Whether its blocks are carried over already.
    pub ripe: bool,
    /// How many pages were recognised.
    pub pages: u64,
    /// How many pages were like it but could not take its blocks.
    pub missed: u64,
    /// When it was stored.
    pub created: String,
    /// When a page was recognised last.
    pub matched: Option<String>,
    /// Since when it is not used any more.
    pub retired: Option<String>,
    /// How many bytes it takes.
    pub bytes: u64,
}

/// How many answers are kept of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswersSummary {
    /// The site.
    pub site: String,
    /// How many.
    pub answers: u64,
    /// How many bytes they take.
    pub bytes: u64,
}

/// What is in a store.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// The models, by site.
    pub models: Vec<ModelSummary>,
    /// The answers, by site.
    pub answers: Vec<AnswersSummary>,
    /// The templates, by site and in the order in which they were stored.
    pub templates: Vec<TemplateSummary>,
}

/// What to remove.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Removal {
    /// Templates that are retired.
    pub retired: bool,
    /// Templates by which no page was recognised for so many days, and models of sites of which no page was learned.
    pub unused_days: Option<u32>,
    /// All of a site: its model, its answers and its templates.
    pub site: Option<String>,
    /// This template, by its name or how it starts.
    pub template: Option<String>,
}

/// What was removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removed {
    /// How many models, with their answers.
    pub models: usize,
    /// How many templates.
    pub templates: usize,
}

impl TemplateStore {
    /// What is in the store; of one site if it is named.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn list(&self, site: Option<&str>) -> Result<Listing, StoreError> {
        // Both at one moment, whatever others write.
        let reading = self.connection.unchecked_transaction()?;
        let mut query = reading.prepare_cached(
            "SELECT site, pages, length(bytes), created, learned FROM model WHERE ?1 IS NULL OR site = ?1 ORDER BY site",
        )?;
        let models = query.query_map([site], |row| {
            Ok(ModelSummary {
                site: row.get(0)?,
                pages: row.get(1)?,
                bytes: row.get(2)?,
                created: row.get(3)?,
                learned: row.get(4)?,
            })
        })?;
        let models = models.collect::<Result<_, _>>()?;
        let mut query = reading.prepare_cached(
            "SELECT site, count(*), sum(length(bytes)) FROM answer WHERE ?1 IS NULL OR site = ?1 GROUP BY site ORDER BY site",
        )?;
        let answers =
            query.query_map([site], |row| Ok(AnswersSummary { site: row.get(0)?, answers: row.get(1)?, bytes: row.get(2)? }))?;
        let answers = answers.collect::<Result<_, _>>()?;
        let mut query = reading.prepare_cached(
            "SELECT template.name, site.name, url, ripe, template.pages, missed, created, matched, retired,
               length(tree) + length(template.paths) + length(blocks), maker
             FROM template JOIN site ON site.id = template.site WHERE ?1 IS NULL OR site.name = ?1 ORDER BY site.name, template.id",
        )?;
        let templates = query.query_map([site], |row| {
            Ok(TemplateSummary {
                name: row.get(0)?,
                site: row.get(1)?,
                url: row.get(2)?,
                ripe: row.get(3)?,
                pages: row.get(4)?,
                missed: row.get(5)?,
                created: row.get(6)?,
                matched: row.get(7)?,
                retired: row.get(8)?,
                bytes: row.get(9)?,
                maker: row.get(10)?,
            })
        })?;
        Ok(Listing { models, answers, templates: templates.collect::<Result<_, _>>()? })
    }

    /// A template by its name, or by how that starts.
    ///
    /// # Errors
    /// If there is none, or several; if it is damaged.
    pub fn template(&self, name: &str) -> Result<StoredTemplate, StoreError> {
        let id = find(&self.connection, name)?;
        let found = rows::load(&self.connection, id)?;
        Ok(found.ok_or_else(|| StoreError::Unknown { wanted: name.to_owned() })?.1)
    }

    /// Removes models and templates, and what is then of no use.
    ///
    /// # Errors
    /// If the file cannot be written, or the template that is named is not there.
    pub fn prune(&mut self, which: &Removal) -> Result<Removed, StoreError> {
        let removed = self.change(|transaction| {
            let mut removed = Removed::default();
            if which.retired {
                removed.templates += transaction.execute("DELETE FROM template WHERE retired IS NOT NULL", [])?;
            }
            if let Some(days) = which.unused_days {
                removed.models +=
                    transaction.execute("DELETE FROM model WHERE julianday(learned) < julianday('now') - ?", [days])?;
                removed.templates += transaction
                    .execute("DELETE FROM template WHERE julianday(coalesce(matched, created)) < julianday('now') - ?", [days])?;
            }
            if let Some(site) = &which.site {
                removed.models += transaction.execute("DELETE FROM model WHERE site = ?", [site])?;
                removed.templates +=
                    transaction.execute("DELETE FROM template WHERE site IN (SELECT id FROM site WHERE name = ?)", [site])?;
            }
            if let Some(name) = &which.template {
                removed.templates += transaction.execute("DELETE FROM template WHERE id = ?", [find(transaction, name)?.0])?;
            }
            transaction.execute("DELETE FROM answer WHERE site NOT IN (SELECT site FROM model)", [])?;
            transaction.execute("DELETE FROM site WHERE id NOT IN (SELECT site FROM template)", [])?;
            Ok(removed)
        })?;
        if removed != Removed::default() {
            // Others may be at work; the space is then used again, if not given back.
            let _ = self.connection.execute_batch("VACUUM");
        }
        Ok(removed)
    }
}

fn find(connection: &Connection, name: &str) -> Result<TemplateId, StoreError> {
    let mut query = connection.prepare_cached("SELECT id FROM template WHERE substr(name, 1, length(?1)) = ?1")?;
    let ids: Vec<i64> = query.query_map([name], |row| row.get(0))?.collect::<Result<_, _>>()?;
    match ids[..] {
        [id] if !name.is_empty() => Ok(TemplateId(id)),
        [] | [_] => Err(StoreError::Unknown { wanted: name.to_owned() }),
        _ => Err(StoreError::Ambiguous { wanted: name.to_owned(), count: ids.len() }),
    }
}
