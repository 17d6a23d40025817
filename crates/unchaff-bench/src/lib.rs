//! The workbench: suites with gold standards, measures, runs, results, reports.

pub mod bootstrap;
pub mod database;
pub mod digest;
pub mod export;
pub mod figures;
pub mod form;
pub mod gate;
pub mod gold;
pub mod label;
pub mod measure;
pub mod report;
pub mod run;
pub mod structure;
pub mod suite;
pub mod summary;
pub mod sweep;
pub mod timing;
