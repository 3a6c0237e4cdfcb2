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

pub use facts::{Facts, Sources};
pub use model::Report;

use model::Section;

/// Everything there is to say.
#[must_use]
pub fn report(sources: &Sources) -> Report {
    let facts = Facts::new(sources);
    let chapters = [
        summary::chapter,
        advice::chapter,
        machines::chapter,
        ranking::chapter,
        encodings::chapter,
        grpc::chapter,
        grpc::peers,
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
    let sections = chapters
        .iter()
        .map(|chapter| chapter(&facts))
        .filter(|section: &Section| !section.is_empty());
    Report {
        title: "rustbridge: what a call costs".into(),
        lead: "Written by `cargo xtask report` from the raw results in `benches/results`; nothing in it is typed. A figure is \
               the median of its samples on release builds; a ratio is made of two figures of one run. The floor is a \
               hand-written foreign call that does the same work with nothing around it. Less time is better everywhere."
            .into(),
        cards: summary::cards(&facts),
        sections: sections.collect(),
    }
}
