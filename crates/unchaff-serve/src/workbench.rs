//! The workbench in the browser (`--workbench`): results of experiments that are sent and asked for, the report on them, and pages that people annotate.
//!
//! After the evaluation back end of Alarte (2023): who runs experiments, on whatever machine, sends them here in batches, into the same database that `unchaff bench` has.
//! Everything that is known or decided here is in `unchaff-bench`; this is how it is asked.

mod annotating;
mod results;

use crate::options::Options;
use crate::problem::Problem;
use crate::routes::App;
use crate::server::ServeError;
use axum::Router;
use axum::routing::{get, post, put};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use unchaff_bench::annotation::project::Project;
use unchaff_bench::database::Database;
use unchaff_bench::suite::Suite;

pub(crate) use annotating::{PageAnnotations, PageList, SimilarPages, Undecided};
pub(crate) use results::ResultList;

/// Where results and suites are.
#[derive(Debug)]
pub(crate) struct Workbench {
    database: PathBuf,
    project: Option<Project>,
    /// Name, digest and folder of the suites in the project, as long as nothing changes in it.
    suites: Mutex<Option<Vec<(String, String, String)>>>,
    /// Held by who changes what a site is known by.
    changing: Mutex<()>,
}

impl Workbench {
    /// That of the options: a folder of suites, with `results.db` in it, or a database alone.
    pub(crate) fn open(options: &Options) -> Result<Option<Workbench>, ServeError> {
        let Some(path) = &options.workbench else { return Ok(None) };
        let failed = |cause: &dyn std::fmt::Display| ServeError::Workbench(cause.to_string());
        let project = if path.is_dir() { Some(Project::open(path).map_err(|cause| failed(&cause))?) } else { None };
        let database = if project.is_some() { path.join("results.db") } else { path.clone() };
        Database::open(&database).map_err(|cause| failed(&cause))?;
        Ok(Some(Workbench { database, project, suites: Mutex::default(), changing: Mutex::default() }))
    }

    /// The database, by a connection of its own: it may be read while others write.
    fn database(&self) -> Result<Database, Problem> {
        Ok(Database::open(&self.database)?)
    }

    fn project(&self) -> Result<&Project, Problem> {
        self.project.as_ref().ok_or_else(|| {
            Problem::not_found("this workbench has results only; `unchaff serve --workbench FOLDER` has pages to annotate")
        })
    }

    /// The folder of a suite that is ours.
    fn root(&self, name: &str, digest: &str) -> Option<String> {
        let project = self.project.as_ref()?;
        let mut suites = self.suites.lock().unwrap_or_else(PoisonError::into_inner);
        let known = suites.get_or_insert_with(|| {
            let found = Suite::open(project.root()).unwrap_or_default();
            found.into_iter().map(|suite| (suite.name, suite.digest, suite.root.to_string_lossy().into_owned())).collect()
        });
        known.iter().find(|known| known.0 == name && known.1 == digest).map(|known| known.2.clone())
    }

    /// Changes something in the project.
    fn change<T>(&self, change: impl FnOnce(&Project) -> Result<T, Problem>) -> Result<T, Problem> {
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let done = change(self.project()?);
        *self.suites.lock().unwrap_or_else(PoisonError::into_inner) = None;
        done
    }
}

impl App {
    /// Does some work with the workbench, if there is one.
    async fn bench<T: Send + 'static>(
        self: &Arc<App>,
        work: impl FnOnce(&Workbench) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let app = Arc::clone(self);
        if app.workbench.is_none() {
            return Err(Problem::not_found("this service has no workbench; start it with `unchaff serve --workbench FOLDER`"));
        }
        self.engine.work(move || app.workbench.as_ref().map_or_else(|| Err(Problem::internal("gone")), work)).await
    }
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/results", get(results::find).put(results::enter))
        .route("/v1/results/summary", get(results::summary))
        .route("/workbench/report", get(results::report))
        .route("/workbench/pages", get(results::pages))
        .route("/workbench/page", get(results::page))
        .route("/v1/annotation/pages", get(annotating::pages).post(annotating::add_page))
        .route("/v1/annotation/page", get(annotating::page))
        .route("/v1/annotation", put(annotating::save).delete(annotating::forget))
        .route("/v1/annotation/gold", post(annotating::gold))
        .route("/v1/annotation/similar", get(annotating::similar))
        .route("/v1/annotation/carried", get(annotating::carried))
}
