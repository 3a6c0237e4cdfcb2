//! The report: everything that is said of a set of runs, as a function of them and of nothing else.
//!
//! No clock, no environment, no order of files changes a byte of it. [`crate::markdown`] and [`crate::page`] decide
//! how it looks.

mod advice;
mod budgets;
mod encodings;
pub mod facts;
mod floors;
mod groups;
mod grpc;
mod java;
mod languages;
mod machines;
mod memory;
pub mod model;
mod names;
mod platforms;
mod predecessor;
mod python;
mod ranking;
mod summary;
mod tails;
mod threads;
mod typed;

pub use facts::{Facts, Sources};
pub use model::Report;

use model::Section;

type Chapter = fn(&Facts<'_>) -> Section;

/// Everything there is to say.
#[must_use]
pub fn report(sources: &Sources) -> Report {
    let chapters: [Chapter; 23] = [
        summary::chapter,
        advice::chapter,
        machines::chapter,
        ranking::chapter,
        encodings::chapter,
        grpc::chapter,
        grpc::peers,
        typed::chapter,
        floors::chapter,
        floors::direct,
        predecessor::chapter,
        languages::chapter,
        java::backends,
        java::methods,
        python::chapter,
        platforms::chapter,
        threads::chapter,
        tails::chapter,
        memory::chapter,
        groups::metaffi,
        groups::rpclib,
        budgets::chapter,
        groups::others,
    ];
    of(sources, "report", "", &chapters)
}

/// What is worth reading without a browser: the figures, what to use, and the budgets.
#[must_use]
pub fn short(sources: &Sources) -> Report {
    let more = " `cargo xtask report` makes the whole report, with every row and chart, as `target/report/report.html`.";
    let chapters: [Chapter; 4] = [
        summary::chapter,
        advice::chapter,
        typed::in_short,
        budgets::in_short,
    ];
    of(sources, "regen", more, &chapters)
}

/// `writer` is the command that writes it, and `more` what else its reader should know at once.
fn of(sources: &Sources, writer: &str, more: &str, chapters: &[Chapter]) -> Report {
    let facts = Facts::new(sources);
    let sections = chapters
        .iter()
        .map(|chapter| chapter(&facts))
        .filter(|section: &Section| !section.is_empty());
    Report {
        title: "rustbridge: what a call costs".into(),
        lead: format!(
            "Written by `cargo xtask {writer}` from the raw results in `benches/results`; nothing in it is typed. A figure is \
             the median of its samples on release builds; a ratio is made of two figures of one run. The floor is a \
             hand-written foreign call that does the same work with nothing around it. Less time is better everywhere.{more}"
        ),
        cards: summary::cards(&facts),
        sections: sections.collect(),
    }
}
