//! Every scenario of the lane `rust/core`, by the catalogue's groups.

mod by_hand;
mod clients;
mod json;
mod later;
mod lifecycle;
mod metaffi;
mod owned;
mod raw;
mod rpclib;
mod structs;
mod subjects;
mod tables;
mod typed;

use crate::Scenario;

/// All of them, in the order in which they are measured.
#[must_use]
pub fn all() -> Vec<Scenario> {
    let groups = [
        structs::scenarios(),
        json::scenarios(),
        raw::scenarios(),
        tables::scenarios(),
        metaffi::scenarios(),
        rpclib::scenarios(),
        clients::scenarios(),
        typed::scenarios(),
        later::scenarios(),
        owned::scenarios(),
        lifecycle::scenarios(),
    ];
    groups.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_measure_is_there_twice() {
        let mut seen = BTreeSet::new();
        for scenario in all() {
            for (subject, threads) in scenario.measures() {
                assert!(
                    seen.insert((scenario.name.clone(), subject, threads)),
                    "{}/{subject}/{threads}",
                    scenario.name
                );
            }
        }
        assert!(seen.len() > 80);
    }
}
