//! Rows of the store's tables: templates with the paths by which they are found, models, and answers.
//!
//! Whatever stands in the file is read as a template, a model or an error that says which one is damaged: the file may have been
//! written by anybody.

use crate::StoreError;
use crate::columns::{Columns, block_json, path_bytes};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use unchaff_site::carried_over::match_dom::{THRESHOLD, index_paths};
use unchaff_site::carried_over::path_set::PathSet;
use unchaff_site::carried_over::templates::{Candidate, Digest, KeptAnswer, MOST_ANSWERS, StoredTemplate, TemplateId};
use unchaff_site::{ModelError, SiteModel};

/// The time as SQLite says it: `2026-01-31T12:00:00Z`.
pub(crate) const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

/// What [`read_template`] reads, in its order, and the revision behind it.
pub(crate) const TEMPLATE_COLUMNS: &str =
    "template.name, site.name, maker, url, tree, template.paths, blocks, ripe, text, tried, agreed, revision";

/// The row of a site for a maker, if there is one.
pub(crate) fn find_site(connection: &Connection, site: &str, maker: &str) -> Result<Option<i64>, StoreError> {
    let mut query = connection.prepare_cached("SELECT id FROM site WHERE name = ? AND maker = ?")?;
    Ok(query.query_row([site, maker], |row| row.get(0)).optional()?)
}

pub(crate) fn candidates(
    connection: &Connection,
    site: &str,
    maker: &str,
    paths: &PathSet,
) -> Result<Vec<Candidate>, StoreError> {
    let Some(site) = find_site(connection, site, maker)? else { return Ok(Vec::new()) };
    let mut query = connection.prepare_cached(
        "SELECT template.id, template.revision FROM path JOIN template ON template.id = path.template
         WHERE path.site = ? AND path.hash = ?",
    )?;
    let mut found = Vec::new();
    for path in index_paths(paths, THRESHOLD) {
        let mut rows = query.query(params![site, *path as i64])?;
        while let Some(row) = rows.next()? {
            found.push(Candidate { id: TemplateId(row.get(0)?), revision: row.get(1)? });
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

pub(crate) fn load(connection: &Connection, id: TemplateId) -> Result<Option<(u64, StoredTemplate)>, StoreError> {
    let mut query = connection.prepare_cached(&format!(
        "SELECT {TEMPLATE_COLUMNS} FROM template JOIN site ON site.id = template.site WHERE template.id = ?"
    ))?;
    let mut rows = query.query([id.0])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some((row.get(11)?, read_template(row)?)))
}

/// Reads the columns [`TEMPLATE_COLUMNS`] of a row.
pub(crate) fn read_template(row: &Row<'_>) -> Result<StoredTemplate, StoreError> {
    let text = |at: usize| row.get_ref(at).ok()?.as_str().ok();
    let bytes = |at: usize| row.get_ref(at).ok()?.as_blob().ok();
    let read = || {
        let columns = Columns {
            name: text(0)?,
            site: text(1)?,
            maker: text(2)?,
            url: text(3)?,
            tree: bytes(4)?,
            paths: bytes(5)?,
            blocks: text(6)?,
            ripe: row.get(7).ok()?,
            text: row.get::<_, i64>(8).ok()? as u64,
            tried: row.get(9).ok()?,
            agreed: row.get(10).ok()?,
        };
        columns.read()
    };
    let named = |at: usize| text(at).unwrap_or("?").to_owned();
    read().ok_or_else(|| StoreError::DamagedTemplate { name: named(0), site: named(1) })
}

/// Writes a template and its index; one of this name is overwritten and back in use.
pub(crate) fn put(transaction: &Transaction<'_>, template: &StoredTemplate) -> Result<TemplateId, StoreError> {
    let site: i64 = transaction
        .prepare_cached(
            "INSERT INTO site(name, maker) VALUES(?, ?) ON CONFLICT(name, maker) DO UPDATE SET name = name RETURNING id",
        )?
        .query_row([&template.site, &template.maker], |row| row.get(0))?;
    let known: Option<i64> = transaction
        .prepare_cached("SELECT id FROM template WHERE site = ? AND name = ?")?
        .query_row(params![site, template.name], |row| row.get(0))
        .optional()?;
    let id = match known {
        Some(id) => {
            transaction
                .prepare_cached(
                    "UPDATE template SET retired = NULL, last_page = (SELECT pages FROM site WHERE site.id = template.site) WHERE id = ?",
                )?
                .execute([id])?;
            overwrite(transaction, TemplateId(id), template)?;
            return Ok(TemplateId(id));
        }
        None => transaction
            .prepare_cached(&format!(
                "INSERT INTO template(name, site, url, tree, paths, blocks, ripe, tried, agreed, text, created, last_page)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, {NOW}, (SELECT pages FROM site WHERE id = ?2)) RETURNING id"
            ))?
            .query_row(
                params![
                    template.name,
                    site,
                    template.url,
                    template.dom.to_bytes(),
                    path_bytes(&template.paths),
                    block_json(&template.blocks),
                    template.ripe,
                    template.tried,
                    template.agreed,
                    template.text as i64
                ],
                |row| row.get(0),
            )?,
    };
    index(transaction, TemplateId(id), template)?;
    Ok(TemplateId(id))
}

/// Writes a template over one that is there, all but its name, site and maker.
pub(crate) fn overwrite(transaction: &Transaction<'_>, id: TemplateId, template: &StoredTemplate) -> Result<(), StoreError> {
    transaction
        .prepare_cached(
            "UPDATE template SET url = ?2, tree = ?3, paths = ?4, blocks = ?5, ripe = ?6, tried = ?7, agreed = ?8, text = ?9,
             revision = revision + 1 WHERE id = ?1",
        )?
        .execute(params![
            id.0,
            template.url,
            template.dom.to_bytes(),
            path_bytes(&template.paths),
            block_json(&template.blocks),
            template.ripe,
            template.tried,
            template.agreed,
            template.text as i64
        ])?;
    index(transaction, id, template)
}

fn index(transaction: &Transaction<'_>, id: TemplateId, template: &StoredTemplate) -> Result<(), StoreError> {
    transaction.prepare_cached("DELETE FROM path WHERE template = ?")?.execute([id.0])?;
    let mut insert = transaction
        .prepare_cached("INSERT INTO path(site, hash, template) VALUES((SELECT site FROM template WHERE id = ?2), ?1, ?2)")?;
    for path in template.index_paths() {
        insert.execute(params![*path as i64, id.0])?;
    }
    Ok(())
}

/// What is retired is not found any more.
pub(crate) fn forget_paths_of_retired(transaction: &Transaction<'_>, site: &str, maker: &str) -> Result<(), StoreError> {
    transaction
        .prepare_cached(
            "DELETE FROM path WHERE template IN (SELECT id FROM template WHERE retired IS NOT NULL
               AND site = (SELECT id FROM site WHERE name = ? AND maker = ?))",
        )?
        .execute([site, maker])?;
    Ok(())
}

/// The model of a site and its bytes, if there is one. One of an earlier version is as good as none: it is learned again.
pub(crate) fn model(connection: &Connection, site: &str) -> Result<Option<(SiteModel, Vec<u8>)>, StoreError> {
    let mut query = connection.prepare_cached("SELECT bytes FROM model WHERE site = ?")?;
    let mut rows = query.query([site])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let bytes = row.get_ref(0)?.as_blob().unwrap_or_default();
    match read_model(site, bytes) {
        Err(StoreError::DamagedModel { why: ModelError::Version(found), .. }) if found < SiteModel::VERSION => Ok(None),
        model => Ok(Some((model?, bytes.to_vec()))),
    }
}

/// A model from its bytes.
pub(crate) fn read_model(site: &str, bytes: &[u8]) -> Result<SiteModel, StoreError> {
    let damaged = |why: ModelError| StoreError::DamagedModel { site: site.to_owned(), why };
    SiteModel::from_bytes(bytes).map_err(damaged)
}

/// Merges what was learned into the model of a site. Returns both together, and whether anything is new.
pub(crate) fn merge_model(
    transaction: &Transaction<'_>,
    site: &str,
    learned: SiteModel,
) -> Result<(SiteModel, bool), StoreError> {
    let known = model(transaction, site)?;
    let (mut both, known) = known.unwrap_or_default();
    both.merge(learned);
    let bytes = both.to_bytes();
    let is_new = bytes != known;
    if is_new {
        transaction
            .prepare_cached(&format!(
                "INSERT INTO model(site, bytes, pages, created, learned) VALUES(?, ?, ?, {NOW}, {NOW})
                 ON CONFLICT(site) DO UPDATE SET bytes = excluded.bytes, pages = excluded.pages"
            ))?
            .execute(params![site, bytes, both.pages()])?;
    }
    Ok((both, is_new))
}

/// The answer to a question, if there is one. One that is damaged is as good as none: it is given again.
pub(crate) fn answer(connection: &Connection, question: &Digest) -> Result<Option<KeptAnswer>, StoreError> {
    let mut query = connection.prepare_cached("SELECT state, bytes FROM answer WHERE question = ?")?;
    let mut rows = query.query([question])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let bytes = |at: usize| row.get_ref(at).ok()?.as_blob().ok();
    let state = bytes(0).and_then(|state| Digest::try_from(state).ok());
    Ok(state.zip(bytes(1)).map(|(state, bytes)| KeptAnswer { state, bytes: bytes.to_vec() }))
}

/// Writes answers over earlier ones to the same questions; new ones as long as there is room, if anything is known about the site.
pub(crate) fn keep_answers(
    transaction: &Transaction<'_>,
    site: &str,
    answers: &[(Digest, KeptAnswer)],
) -> Result<(), StoreError> {
    let is_known = transaction.prepare_cached("SELECT 1 FROM model WHERE site = ?")?.exists([site])?;
    let there: usize =
        transaction.prepare_cached("SELECT count(*) FROM answer WHERE site = ?")?.query_row([site], |row| row.get(0))?;
    let mut room = if is_known { MOST_ANSWERS.saturating_sub(there) } else { 0 };
    let mut update = transaction.prepare_cached("UPDATE answer SET state = ?2, bytes = ?3 WHERE question = ?1")?;
    let mut insert = transaction.prepare_cached("INSERT INTO answer(question, state, bytes, site) VALUES(?, ?, ?, ?)")?;
    for (question, KeptAnswer { state, bytes }) in answers {
        if update.execute(params![question, state, bytes])? == 0 && room > 0 {
            room -= insert.execute(params![question, state, bytes, site])?;
        }
    }
    Ok(())
}
