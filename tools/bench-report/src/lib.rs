//! The catalogue of benchmark scenarios, the format of results, the budgets, and the report.
//!
//! Harnesses measure; `cargo xtask bench` collects their measures into a [`Run`], one JSON file for each machine and run.
//! The report is a function of such files, the catalogue and the budgets.

pub mod budgets;
pub mod catalogue;
pub mod expected;
pub mod report;
pub mod results;
pub mod table;

pub use budgets::Budgets;
pub use catalogue::Catalogue;
pub use expected::{Difference, Key};
pub use report::Sources;
pub use results::{Machine, Measure, Run, newest};
