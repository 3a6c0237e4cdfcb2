//! The languages that call plugins: a row of data each, in a file with the suites that it names. Another one arrives as
//! such a file and a harness.

pub mod c;
mod csharp;
mod go;
mod java;
mod node;
pub mod python;
pub mod rust;
mod single_file;

use crate::bench::{self, Harness};
use crate::demo::Host;
use crate::doctor::Tool;
use crate::language::Language;
use crate::suite::Suite;

/// In the order in which they are measured: those that react most to a warm machine come first.
pub const ALL: [&Language; 7] = [
    &rust::LANGUAGE,
    &c::LANGUAGE,
    &go::LANGUAGE,
    &node::LANGUAGE,
    &csharp::LANGUAGE,
    &python::LANGUAGE,
    &java::LANGUAGE,
];

/// In the order in which they are shown.
const SHOWN: [&Language; 7] = [
    &c::LANGUAGE,
    &rust::LANGUAGE,
    &python::LANGUAGE,
    &java::LANGUAGE,
    &csharp::LANGUAGE,
    &go::LANGUAGE,
    &node::LANGUAGE,
];

/// What the languages need on the machine.
pub fn tools() -> Vec<&'static Tool> {
    SHOWN.iter().flat_map(|language| language.tools).collect()
}

/// What `soak` repeats of the languages' tests.
pub fn soak() -> impl Iterator<Item = Suite> {
    SHOWN.iter().flat_map(|language| language.soak).copied()
}

/// What `demo` runs.
pub fn hosts() -> Vec<&'static Host> {
    SHOWN.iter().map(|language| language.demo).collect()
}

/// What measures the languages, then those whose suites are another language's, and then the ways beside all languages, in
/// the order in which they run.
pub fn harnesses() -> Vec<&'static Harness> {
    let each = ALL.iter().map(|language| language.harness);
    let others = [&bench::CPP, &bench::KOTLIN, &bench::GRPC, &bench::PEERS];
    each.chain(others).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use bench_report::Catalogue;

    use super::*;

    #[test]
    fn every_lane_of_the_catalogue_has_its_harness() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/catalogue.toml");
        let catalogue = Catalogue::read(&file).expect("it can be read");
        for lane in &catalogue.lanes {
            let known = harnesses()
                .iter()
                .any(|it| it.name == lane.harness && it.language == lane.name.host);
            assert!(known, "{} has no harness {}", lane.name, lane.harness);
        }
        for harness in harnesses() {
            assert!(
                !catalogue.expected_from(harness.name).is_empty(),
                "nothing is expected of {}",
                harness.name
            );
        }
    }

    #[test]
    fn every_language_is_shown() {
        let names = |languages: [&Language; 7]| {
            BTreeSet::from(languages.map(|language| language.harness.language))
        };
        assert_eq!(names(SHOWN), names(ALL));
    }

    #[test]
    fn a_row_is_about_one_language() {
        for language in ALL {
            let name = language.harness.language;
            assert_eq!(language.list.name, format!("catalogue-{name}"));
            assert!(!language.test.is_empty(), "{name}");
        }
    }
}
