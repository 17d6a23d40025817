//! The workbench: suites with gold standards, measures, runs, results, reports.
