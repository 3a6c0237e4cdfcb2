//! The suites of each language, and the harnesses in the order in which they measure. Another language arrives as a file here,
//! a harness in `bench` and a host in `demo`.

pub mod c;
pub mod csharp;
pub mod go;
pub mod java;
pub mod node;
pub mod python;
pub mod rust;

use crate::bench::{self, Harness};

/// The harnesses of `bench`. Those that react most to a warm machine come first, then those whose suites are another language's, and then
/// the ways beside all languages.
pub const HARNESSES: [&Harness; 11] = [
    &bench::CRITERION,
    &bench::C,
    &bench::GO,
    &bench::NODE,
    &bench::BDN,
    &bench::PYTEST,
    &bench::JMH,
    &bench::CPP,
    &bench::KOTLIN,
    &bench::GRPC,
    &bench::PEERS,
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use bench_report::Catalogue;

    use super::*;

    #[test]
    fn every_lane_of_the_catalogue_has_its_harness() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/catalogue.toml");
        let catalogue = Catalogue::read(&file).expect("it can be read");
        for lane in &catalogue.lanes {
            let is_known =
                |it: &&&Harness| it.name == lane.harness && it.language == lane.name.host;
            assert!(HARNESSES.iter().any(|it| is_known(&it)), "{}", lane.name);
        }
        for harness in HARNESSES {
            assert!(
                !catalogue.expected_from(harness.name).is_empty(),
                "{}",
                harness.name
            );
        }
    }
}
