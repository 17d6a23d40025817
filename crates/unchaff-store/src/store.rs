//! The file in which templates are kept: one SQLite database, shared by as many processes as like.
//!
//! After Zelený (2017), §7.4: all that is needed to recognise a page and to carry blocks over is stored ready-made,
//! by site. His representatives are all compared; here those paths of a template are indexed that a similar page must share
//! ([`index_paths`]), so that a look-up reads a few rows however many templates there are. Every change of a template is
//! one transaction with a write-ahead log: a process that is killed leaves whole templates only, readers never
//! wait, and two writers take turns. The file says what it is and of which version before anything is written to it.

use crate::record::{Columns, EXPORT_SCHEMA, hex};
use crate::{ExportedTemplate, StoreError, StoredTemplate, store_file};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::path::Path;
use unchaff_site::carried_over::match_dom::{THRESHOLD, index_paths};
use unchaff_site::carried_over::path_set::PathSet;

const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

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

/// Which templates to remove.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Removal {
    /// Those that are retired.
    pub retired: bool,
    /// Those that no page was recognised by for so many days.
    pub unused_days: Option<u32>,
    /// All of a site.
    pub site: Option<String>,
    /// This one, by its name or how it starts.
    pub template: Option<String>,
}

/// A template that may be like a page, to be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: i64,
    /// Counts its changes, so that it can be told whether it was read already.
    pub(crate) revision: i64,
}

/// Pages recognised by a template, and pages that were like it but could not take its blocks.
pub(crate) type Counted = (i64, u64, u64);

/// A file of templates; see the [module](self).
#[derive(Debug)]
pub struct TemplateStore {
    connection: Connection,
}

impl TemplateStore {
    /// Opens a store, which is made if there is none.
    ///
    /// # Errors
    /// If it cannot be opened, is something else, or was written by another version.
    pub fn open(path: &Path) -> Result<TemplateStore, StoreError> {
        Ok(TemplateStore { connection: store_file::open(path)? })
    }

    /// Opens a store that must be there.
    ///
    /// # Errors
    /// If it is not there, and as [`TemplateStore::open`].
    pub fn open_existing(path: &Path) -> Result<TemplateStore, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        TemplateStore::open(path)
    }

    /// A store that is forgotten at the end.
    ///
    /// # Errors
    /// If SQLite cannot be used at all.
    pub fn in_memory() -> Result<TemplateStore, StoreError> {
        Ok(TemplateStore { connection: store_file::prepare(Connection::open_in_memory()?, Path::new(":memory:"))? })
    }

    /// The connection, for queries.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    fn change<T>(&mut self, work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }

    /// The templates of a site by a maker that may be like a page, in the order in which they were stored.
    pub(crate) fn candidates(&self, site: &str, maker: &str, paths: &PathSet) -> Result<Vec<Candidate>, StoreError> {
        candidates(&self.connection, site, maker, paths)
    }

    /// A template with its revision; none if it is gone.
    pub(crate) fn load(&self, id: i64) -> Result<Option<(i64, StoredTemplate)>, StoreError> {
        load(&self.connection, id)
    }

    /// Stores a template, unless one has come meanwhile that is like it and is not among those known to be of no help. Returns
    /// its number and name.
    ///
    /// Of a site's templates by one maker `most` are kept; the one that was not needed for longest is retired for a new one.
    pub(crate) fn insert(
        &mut self,
        template: &StoredTemplate,
        of_no_help: &[i64],
        most: usize,
    ) -> Result<(i64, String), StoreError> {
        self.change(|transaction| {
            for candidate in candidates(transaction, &template.site, &template.maker, &template.paths)? {
                if of_no_help.contains(&candidate.id) {
                    continue;
                }
                if let Some((_, stored)) = load(transaction, candidate.id)?
                    && stored.paths.similarity(&template.paths) > THRESHOLD
                {
                    return Ok((candidate.id, stored.name));
                }
            }
            let id = put(transaction, None, template)?;
            transaction
                .prepare_cached(&format!(
                    "UPDATE template SET retired = {NOW} WHERE retired IS NULL AND id <> ?1 AND id IN (
                       SELECT id FROM template WHERE retired IS NULL AND site = (SELECT site FROM template WHERE id = ?1)
                       ORDER BY last_page DESC, id DESC LIMIT -1 OFFSET ?2)"
                ))?
                .execute(params![id, most])?;
            forget_paths_of_retired(transaction)?;
            Ok((id, template.name.clone()))
        })
    }

    /// Changes a template as it is now, also by other processes; false if it is gone.
    pub(crate) fn update(&mut self, id: i64, change: impl FnOnce(&mut StoredTemplate)) -> Result<bool, StoreError> {
        self.change(|transaction| {
            let Some((_, mut template)) = load(transaction, id)? else { return Ok(false) };
            change(&mut template);
            put(transaction, Some(id), &template)?;
            Ok(true)
        })
    }

    /// Notes how many pages of a site went by for a maker, and which templates recognised them.
    pub(crate) fn count(&mut self, site: &str, maker: &str, pages: u64, counted: &[Counted]) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO site(name, maker, pages) VALUES(?1, ?2, ?3)
                     ON CONFLICT(name, maker) DO UPDATE SET pages = pages + ?3",
                )?
                .execute(params![site, maker, pages])?;
            let mut update = transaction.prepare_cached(&format!(
                "UPDATE template SET pages = pages + ?2, missed = missed + ?3,
                   matched = CASE WHEN ?2 > 0 THEN {NOW} ELSE matched END,
                   last_page = CASE WHEN ?2 > 0 THEN (SELECT pages FROM site WHERE id = template.site) ELSE last_page END
                 WHERE id = ?1"
            ))?;
            for (id, pages, missed) in counted {
                update.execute(params![id, pages, missed])?;
            }
            Ok(())
        })
    }

    /// Retires the templates of a site by a maker by which none of its last pages was recognised. Returns how many.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn retire(&mut self, site: &str, maker: &str, after_pages: u64) -> Result<usize, StoreError> {
        self.change(|transaction| {
            let retired = transaction
                .prepare_cached(&format!(
                    "UPDATE template SET retired = {NOW} WHERE retired IS NULL
                     AND site = (SELECT id FROM site WHERE name = ?1 AND maker = ?2)
                     AND last_page + ?3 < (SELECT pages FROM site WHERE name = ?1 AND maker = ?2)"
                ))?
                .execute(params![site, maker, after_pages])?;
            forget_paths_of_retired(transaction)?;
            Ok(retired)
        })
    }

    /// What is known of the templates, by site and in the order in which they were stored; of one site if it is named.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn list(&self, site: Option<&str>) -> Result<Vec<TemplateSummary>, StoreError> {
        let mut query = self.connection.prepare_cached(
            "SELECT template.name, site.name, url, ripe, template.pages, missed, created, matched, retired,
               length(tree) + length(template.paths) + length(blocks) + length(learned), maker
             FROM template JOIN site ON site.id = template.site WHERE ?1 IS NULL OR site.name = ?1 ORDER BY site.name, template.id",
        )?;
        let rows = query.query_map([site], |row| {
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
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// A template by its name, or by how that starts.
    ///
    /// # Errors
    /// If there is none, or several; if it is damaged.
    pub fn template(&self, name: &str) -> Result<StoredTemplate, StoreError> {
        let id = find(&self.connection, name)?;
        Ok(self.load(id)?.ok_or_else(|| StoreError::Unknown { wanted: name.to_owned() })?.1)
    }

    /// Removes templates, and what is then of no use. Returns how many.
    ///
    /// # Errors
    /// If the file cannot be written, or the template that is named is not there.
    pub fn prune(&mut self, which: &Removal) -> Result<usize, StoreError> {
        let removed = self.change(|transaction| {
            let mut removed = 0;
            if which.retired {
                removed += transaction.execute("DELETE FROM template WHERE retired IS NOT NULL", [])?;
            }
            if let Some(days) = which.unused_days {
                removed += transaction
                    .execute("DELETE FROM template WHERE julianday(coalesce(matched, created)) < julianday('now') - ?", [days])?;
            }
            if let Some(site) = &which.site {
                removed +=
                    transaction.execute("DELETE FROM template WHERE site IN (SELECT id FROM site WHERE name = ?)", [site])?;
            }
            if let Some(name) = &which.template {
                removed += transaction.execute("DELETE FROM template WHERE id = ?", [find(transaction, name)?])?;
            }
            transaction.execute("DELETE FROM site WHERE id NOT IN (SELECT site FROM template)", [])?;
            Ok(removed)
        })?;
        if removed > 0 {
            // Others may be at work; the space is then used again, if not given back.
            let _ = self.connection.execute_batch("VACUUM");
        }
        Ok(removed)
    }

    /// Hands every template to `write`, by site and in the order in which they were stored.
    ///
    /// # Errors
    /// If the file cannot be read, or `write` fails.
    pub fn export<E: From<StoreError>>(&self, write: impl FnMut(&ExportedTemplate) -> Result<(), E>) -> Result<(), E> {
        let mut write = write;
        let failed = |error: rusqlite::Error| E::from(StoreError::from(error));
        let mut query = self
            .connection
            .prepare_cached(
                "SELECT template.name, site.name, url, tree, template.paths, blocks, learned, ripe, template.pages, created, matched, retired,
                   tried, agreed, text, maker
                 FROM template JOIN site ON site.id = template.site ORDER BY site.name, template.id",
            )
            .map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let bytes = |at: usize| row.get_ref(at).and_then(|value| Ok(hex(value.as_blob()?)));
            let read = || -> Result<ExportedTemplate, rusqlite::Error> {
                Ok(ExportedTemplate {
                    schema: EXPORT_SCHEMA.to_owned(),
                    template: row.get(0)?,
                    site: row.get(1)?,
                    url: row.get(2)?,
                    tree: bytes(3)?,
                    paths: bytes(4)?,
                    blocks: row.get(5)?,
                    learned: bytes(6)?,
                    ripe: row.get(7)?,
                    pages: row.get(8)?,
                    created: row.get(9)?,
                    matched: row.get(10)?,
                    retired: row.get(11)?,
                    tried: row.get(12)?,
                    agreed: row.get(13)?,
                    text: row.get::<_, i64>(14)? as u64,
                    maker: row.get(15)?,
                })
            };
            write(&read().map_err(failed)?)?;
        }
        Ok(())
    }

    /// Stores a template of another store. Of two of one name the one that recognised more pages stays. Returns whether it was
    /// stored.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn import(&mut self, exported: &ExportedTemplate, template: &StoredTemplate) -> Result<bool, StoreError> {
        self.change(|transaction| {
            let known: Option<(i64, u64)> = transaction
                .prepare_cached("SELECT id, pages FROM template WHERE name = ?")?
                .query_row([&exported.template], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            if known.is_some_and(|(_, pages)| pages >= exported.pages) {
                return Ok(false);
            }
            let id = put(transaction, known.map(|(id, _)| id), template)?;
            transaction
                .prepare_cached("UPDATE template SET pages = ?2, created = ?3, matched = ?4, retired = ?5 WHERE id = ?1")?
                .execute(params![id, exported.pages, exported.created, exported.matched, exported.retired])?;
            forget_paths_of_retired(transaction)?;
            Ok(true)
        })
    }
}

fn candidates(connection: &Connection, site: &str, maker: &str, paths: &PathSet) -> Result<Vec<Candidate>, StoreError> {
    let mut query = connection.prepare_cached("SELECT id FROM site WHERE name = ? AND maker = ?")?;
    let site: Option<i64> = query.query_row([site, maker], |row| row.get(0)).optional()?;
    let Some(site) = site else { return Ok(Vec::new()) };
    let mut query = connection.prepare_cached(
        "SELECT template.id, template.revision FROM path JOIN template ON template.id = path.template
         WHERE path.site = ? AND path.hash = ?",
    )?;
    let mut found = Vec::new();
    for path in index_paths(paths, THRESHOLD) {
        let mut rows = query.query(params![site, *path as i64])?;
        while let Some(row) = rows.next()? {
            found.push(Candidate { id: row.get(0)?, revision: row.get(1)? });
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn load(connection: &Connection, id: i64) -> Result<Option<(i64, StoredTemplate)>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT template.name, site.name, url, tree, template.paths, blocks, learned, ripe, revision, tried, agreed, text, maker
         FROM template JOIN site ON site.id = template.site WHERE template.id = ?",
    )?;
    let mut rows = query.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let text = |at: usize| row.get_ref(at).and_then(|value| Ok(value.as_str()?));
    let bytes = |at: usize| row.get_ref(at).and_then(|value| Ok(value.as_blob()?));
    let columns = Columns {
        name: text(0)?,
        site: text(1)?,
        maker: text(12)?,
        url: text(2)?,
        tree: bytes(3)?,
        paths: bytes(4)?,
        blocks: text(5)?,
        learned: bytes(6)?,
        ripe: row.get(7)?,
        tried: row.get(9)?,
        agreed: row.get(10)?,
        text: row.get::<_, i64>(11)? as u64,
    };
    match columns.read() {
        Some(template) => Ok(Some((row.get(8)?, template))),
        None => Err(StoreError::Damaged { name: row.get(0)? }),
    }
}

/// Writes a template, a new one or one that is there, and its index.
fn put(transaction: &Transaction<'_>, id: Option<i64>, template: &StoredTemplate) -> Result<i64, StoreError> {
    let site: i64 = transaction
        .prepare_cached(
            "INSERT INTO site(name, maker) VALUES(?, ?) ON CONFLICT(name, maker) DO UPDATE SET name = name RETURNING id",
        )?
        .query_row([&template.site, &template.maker], |row| row.get(0))?;
    let (tree, paths, blocks) = (template.dom.to_bytes(), template.path_bytes(), template.block_json());
    let learned = template.learned.to_bytes();
    let id = match id {
        Some(id) => {
            transaction
                .prepare_cached(
                    "UPDATE template SET url = ?2, tree = ?3, paths = ?4, blocks = ?5, learned = ?6, ripe = ?7, tried = ?8, agreed = ?9, text = ?10,
                     revision = revision + 1 WHERE id = ?1",
                )?
                .execute(params![
                    id,
                    template.url,
                    tree,
                    paths,
                    blocks,
                    learned,
                    template.ripe,
                    template.tried,
                    template.agreed,
                    template.text as i64
                ])?;
            id
        }
        None => transaction
            .prepare_cached(&format!(
                "INSERT INTO template(name, site, url, tree, paths, blocks, learned, ripe, tried, agreed, text, created, last_page)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, {NOW}, (SELECT pages FROM site WHERE id = ?2))
                 ON CONFLICT(name) DO UPDATE SET tree = excluded.tree, paths = excluded.paths, blocks = excluded.blocks,
                 learned = excluded.learned, ripe = excluded.ripe, tried = excluded.tried, agreed = excluded.agreed, text = excluded.text,
                 revision = revision + 1, last_page = excluded.last_page, retired = NULL
                 RETURNING id"
            ))?
            .query_row(
                params![
                    template.name,
                    site,
                    template.url,
                    tree,
                    paths,
                    blocks,
                    learned,
                    template.ripe,
                    template.tried,
                    template.agreed,
                    template.text as i64
                ],
                |row| row.get(0),
            )?,
    };
    transaction.prepare_cached("DELETE FROM path WHERE template = ?")?.execute([id])?;
    let mut insert = transaction.prepare_cached("INSERT INTO path(site, hash, template) VALUES(?, ?, ?)")?;
    for path in index_paths(&template.paths, THRESHOLD) {
        insert.execute(params![site, *path as i64, id])?;
    }
    Ok(id)
}

/// What is retired is not found any more.
fn forget_paths_of_retired(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    transaction
        .prepare_cached("DELETE FROM path WHERE template IN (SELECT id FROM template WHERE retired IS NOT NULL)")?
        .execute([])?;
    Ok(())
}

fn find(connection: &Connection, name: &str) -> Result<i64, StoreError> {
    let mut query = connection.prepare_cached("SELECT id FROM template WHERE substr(name, 1, length(?1)) = ?1")?;
    let ids: Vec<i64> = query.query_map([name], |row| row.get(0))?.collect::<Result<_, _>>()?;
    match ids[..] {
        [id] if !name.is_empty() => Ok(id),
        _ => Err(StoreError::Unknown { wanted: name.to_owned() }),
    }
}

#[cfg(test)]
mod tests;
