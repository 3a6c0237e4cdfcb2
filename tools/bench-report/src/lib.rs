//! The catalogue of benchmark scenarios, the format of results, the budgets, and the report that is made of them.
//!
//! Harnesses measure; `cargo xtask bench` collects what they measured into a [`Run`], one JSON file per machine and
//! run; everything a reader sees is a function of such files and of the two TOML files beside them.

pub mod budgets;
pub mod catalogue;
pub mod charts;
pub mod expected;
pub mod markdown;
pub mod page;
pub mod predecessor;
pub mod readme;
pub mod report;
pub mod results;
pub mod words;

pub use budgets::Budgets;
pub use catalogue::Catalogue;
pub use expected::{Difference, Key};
pub use predecessor::Predecessor;
pub use report::{Report, Sources, report, short};
pub use results::{Machine, Measure, Run, newest};
