//! The workbench: suites with gold standards, measures, runs, results, reports.

pub mod annotation;
pub mod bootstrap;
pub mod bundle;
pub mod cluster_report;
pub mod database;
pub mod digest;
pub mod exchange;
pub mod export;
pub mod figures;
pub mod form;
pub mod gate;
pub mod gold;
pub mod label;
pub mod landmarks;
pub mod measure;
pub mod package;
pub mod report;
pub mod run;
pub mod run_times;
pub mod statistics;
pub mod structure;
pub mod suite;
pub mod summary;
pub mod sweep;
pub mod timing;
