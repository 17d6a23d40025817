//! The file in which models, templates and answers are kept: one SQLite database, shared by as many processes as like.
//!
//! After Zelený (2017), §7.4: all that is needed to recognise a page and to carry blocks over is stored ready-made,
//! by site. His representatives are all compared; here those paths of a template are indexed that a similar page must share
//! ([`index_paths`](unchaff_site::carried_over::match_dom::index_paths)), so that a look-up reads a few rows however many templates there are.
//! Every change is one transaction with a write-ahead log: a process that is killed leaves whole templates and models only, readers never
//! wait, and two writers take turns. The file says what it is and of which version before anything is written to it.

use crate::rows::{self, NOW};
use crate::{StoreError, store_file};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::path::Path;
use unchaff_site::SiteModel;
use unchaff_site::carried_over::match_dom::THRESHOLD;
use unchaff_site::carried_over::path_set::PathSet;
use unchaff_site::carried_over::templates::{Candidate, Counted, Digest, KeptAnswer, StoredTemplate, TemplateId, Templates};

/// A file of models and templates; see the [module](self).
#[derive(Debug)]
pub struct TemplateStore {
    pub(crate) connection: Connection,
}

impl TemplateStore {
    /// Opens a store, which is made if there is none. One of an earlier version is brought up to date.
    ///
    /// # Errors
    /// If it cannot be opened, is something else, or was written by a later version.
    pub fn open(path: &Path) -> Result<TemplateStore, StoreError> {
        Ok(TemplateStore { connection: store_file::open(path, false)? })
    }

    /// Opens a store that must be there. A file without anything in it is none, and stays as it is.
    ///
    /// # Errors
    /// If it is not there, or empty, and as [`TemplateStore::open`].
    pub fn open_existing(path: &Path) -> Result<TemplateStore, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        Ok(TemplateStore { connection: store_file::open(path, true)? })
    }

    /// Opens a store that must be there, to look at it. Where it cannot be written, or is of an earlier version and cannot be brought up to date,
    /// it is read as it is, if it can be.
    ///
    /// # Errors
    /// As [`TemplateStore::open_existing`].
    pub fn open_to_read(path: &Path) -> Result<TemplateStore, StoreError> {
        TemplateStore::open_existing(path).or_else(|refused| match refused {
            StoreError::Open { .. } | StoreError::Query(_) => {
                store_file::open_to_read(path).map(|connection| TemplateStore { connection }).map_err(|_| refused)
            }
            refused => Err(refused),
        })
    }

    /// A store that is forgotten at the end.
    ///
    /// # Errors
    /// If SQLite cannot be used at all.
    pub fn in_memory() -> Result<TemplateStore, StoreError> {
        Ok(TemplateStore { connection: store_file::prepare(Connection::open_in_memory()?, Path::new(":memory:"))? })
    }

    pub(crate) fn change<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// Numbers of SQLite have a sign.
fn at_most(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Templates for TemplateStore {
    type Error = StoreError;

    fn model(&self, site: &str) -> Result<Option<SiteModel>, StoreError> {
        Ok(rows::model(&self.connection, site)?.map(|(model, _)| model))
    }

    fn learn(&mut self, site: &str, learned: SiteModel) -> Result<SiteModel, StoreError> {
        if learned.pages() == 0 {
            return Ok(self.model(site)?.unwrap_or_default());
        }
        self.change(|transaction| {
            let (both, _) = rows::merge_model(transaction, site, learned)?;
            transaction.prepare_cached(&format!("UPDATE model SET learned = {NOW} WHERE site = ?"))?.execute([site])?;
            Ok(both)
        })
    }

    fn answers(&self, questions: &[Digest]) -> Result<Vec<Option<KeptAnswer>>, StoreError> {
        // All at one moment.
        let reading = self.connection.unchecked_transaction()?;
        questions.iter().map(|question| rows::answer(&reading, question)).collect()
    }

    fn keep_answers(&mut self, site: &str, answers: &[(Digest, KeptAnswer)]) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction.prepare_cached(&format!("UPDATE model SET learned = {NOW} WHERE site = ?"))?.execute([site])?;
            rows::keep_answers(transaction, site, answers)
        })
    }

    fn candidates(&self, site: &str, maker: &str, paths: &PathSet) -> Result<Vec<Candidate>, StoreError> {
        rows::candidates(&self.connection, site, maker, paths)
    }

    fn load(&self, id: TemplateId) -> Result<Option<(u64, StoredTemplate)>, StoreError> {
        rows::load(&self.connection, id)
    }

    fn insert(
        &mut self,
        template: &StoredTemplate,
        of_no_help: &[TemplateId],
        most: usize,
    ) -> Result<(TemplateId, String), StoreError> {
        let StoredTemplate { name, site, maker, paths, .. } = template;
        self.change(|transaction| {
            for Candidate { id, .. } in rows::candidates(transaction, site, maker, paths)? {
                if of_no_help.contains(&id) {
                    continue;
                }
                if let Some((_, known)) = rows::load(transaction, id)?
                    && known.paths.similarity(paths) > THRESHOLD
                {
                    return Ok((id, known.name));
                }
            }
            let id = rows::put(transaction, template)?;
            transaction
                .prepare_cached(&format!(
                    "UPDATE template SET retired = {NOW} WHERE retired IS NULL AND id <> ?1 AND id IN (
                       SELECT id FROM template WHERE retired IS NULL AND site = (SELECT site FROM template WHERE id = ?1)
                       ORDER BY last_page DESC, id DESC LIMIT -1 OFFSET ?2)"
                ))?
                .execute(params![id.0, at_most(most as u64)])?;
            rows::forget_paths_of_retired(transaction, site, maker)?;
            Ok((id, name.clone()))
        })
    }

    fn update(&mut self, id: TemplateId, change: &mut dyn FnMut(&mut StoredTemplate)) -> Result<bool, StoreError> {
        self.change(|transaction| {
            let mut query = transaction.prepare_cached("SELECT 1 FROM template WHERE id = ? AND retired IS NULL")?;
            if !query.exists([id.0])? {
                return Ok(false);
            }
            let Some((_, mut template)) = rows::load(transaction, id)? else { return Ok(false) };
            change(&mut template);
            rows::overwrite(transaction, id, &template)?;
            Ok(true)
        })
    }

    fn count(&mut self, site: &str, maker: &str, pages: u64, counted: &[Counted]) -> Result<(), StoreError> {
        self.change(|transaction| {
            let row: i64 = transaction
                .prepare_cached(
                    "INSERT INTO site(name, maker, pages) VALUES(?1, ?2, ?3)
                     ON CONFLICT(name, maker) DO UPDATE SET pages = pages + ?3 RETURNING id",
                )?
                .query_row(params![site, maker, at_most(pages)], |row| row.get(0))?;
            let mut update = transaction.prepare_cached(&format!(
                "UPDATE template SET pages = pages + ?2, missed = missed + ?3,
                   matched = CASE WHEN ?2 > 0 THEN {NOW} ELSE matched END,
                   last_page = CASE WHEN ?2 > 0 THEN (SELECT pages FROM site WHERE site.id = ?4) ELSE last_page END
                 WHERE id = ?1 AND site = ?4"
            ))?;
            for Counted { id, pages, missed } in counted {
                update.execute(params![id.0, at_most(*pages), at_most(*missed), row])?;
            }
            Ok(())
        })
    }

    fn retire(&mut self, site: &str, maker: &str, after_pages: u64) -> Result<usize, StoreError> {
        self.change(|transaction| {
            let retired = transaction
                .prepare_cached(&format!(
                    "UPDATE template SET retired = {NOW} WHERE retired IS NULL
                     AND site = (SELECT id FROM site WHERE name = ?1 AND maker = ?2)
                     AND last_page + ?3 < (SELECT pages FROM site WHERE name = ?1 AND maker = ?2)"
                ))?
                .execute(params![site, maker, at_most(after_pages)])?;
            rows::forget_paths_of_retired(transaction, site, maker)?;
            Ok(retired)
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
