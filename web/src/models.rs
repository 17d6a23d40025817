//! Models of sites, under numbers. The caller keeps their bytes as well, so that they outlive this instance.

use crate::finding::page;
use crate::frame::{Answer, Given, Request};
use serde::Deserialize;
use std::cell::RefCell;
use std::rc::Rc;
use unchaff::SiteModel;

thread_local! {
    static MODELS: RefCell<Vec<Option<Rc<SiteModel>>>> = const { RefCell::new(Vec::new()) };
}

/// The model of a number.
pub(crate) fn get(number: usize) -> Result<Rc<SiteModel>, String> {
    MODELS.with_borrow(|models| models.get(number).cloned().flatten()).ok_or_else(|| format!("there is no model {number}"))
}

fn replace(number: usize, model: Option<Rc<SiteModel>>) {
    MODELS.with_borrow_mut(|models| models[number] = model);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    length: Option<usize>,
}

pub(crate) fn open(request: &Request<'_>) -> Result<Answer, String> {
    let Open { length } = request.options()?;
    let bytes = length.map(|length| request.part(length)).transpose()?;
    let model = bytes.map(SiteModel::from_bytes).transpose().map_err(|error| error.to_string())?.unwrap_or_default();
    let pages = model.pages();
    let number = MODELS.with_borrow_mut(|models| {
        let number = models.iter().position(Option::is_none).unwrap_or(models.len());
        models.resize(models.len().max(number + 1), None);
        models[number] = Some(Rc::new(model));
        number
    });
    Answer::json(&(number, pages))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Add {
    model: usize,
    pages: Vec<Given>,
}

pub(crate) fn add(request: &Request<'_>) -> Result<Answer, String> {
    let Add { model: number, pages } = request.options()?;
    let mut model = get(number)?;
    // There is one owner from here on, so that nothing is copied.
    replace(number, None);
    let learning = Rc::make_mut(&mut model);
    let learned = pages.into_iter().try_for_each(|given| page(request, given).map(|page| learning.add(&page)));
    let known = model.pages();
    replace(number, Some(model));
    learned?;
    Answer::json(&known)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Merge {
    model: usize,
    other: usize,
}

pub(crate) fn merge(request: &Request<'_>) -> Result<Answer, String> {
    let Merge { model, other } = request.options()?;
    let mut merged = SiteModel::clone(&*get(model)?);
    merged.merge(SiteModel::clone(&*get(other)?));
    let known = merged.pages();
    replace(model, Some(Rc::new(merged)));
    Answer::json(&known)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    model: usize,
}

pub(crate) fn bytes(request: &Request<'_>) -> Result<Answer, String> {
    let Which { model } = request.options()?;
    Ok(Answer::of(vec![get(model)?.to_bytes()]))
}

pub(crate) fn close(request: &Request<'_>) -> Result<Answer, String> {
    let Which { model } = request.options()?;
    get(model)?;
    replace(model, None);
    Ok(Answer::of(Vec::new()))
}
