//! The parts of `xtask test`, in the order in which they are begun: quick checks first, so that failures show early.

pub mod fuzz;
pub mod grpc;
pub mod names;
mod plugins;
mod supply;
mod workflows;

use crate::suite::{Lane, Suite};
use crate::{
    bench, book, examples, instructions, languages, packages, regen, tested, tidy, windows,
};

/// Everything that `xtask test` runs.
pub fn all() -> Vec<Suite> {
    // What others wait for comes first among those that take long, and what takes long before what doesn't, or a single one would
    // run alone at the end.
    let mut suites = vec![BUILD];
    // The tests in Java check format and style along, so that everything is compiled once.
    let lints = lint().into_iter();
    suites.extend(lints.filter(|suite| suite.name != "java-lint"));
    suites.extend(LONG);
    suites.extend(windows::preparation());
    let mut by_length = languages::ALL;
    by_length.sort_by_key(|language| language.harness.language != "java");
    for language in by_length {
        suites.extend(language.test);
    }
    suites.extend(windows::suites());
    suites.extend(GENERAL);
    suites.extend(plugins::SUITES);
    suites.push(names::SUITE);
    suites.extend(languages::ALL.map(|language| language.list));
    suites.extend(LAST);
    suites
}

/// What `xtask lint` runs.
pub fn lint() -> Vec<Suite> {
    let mut suites = vec![TIDY];
    suites.extend(languages::ALL.iter().flat_map(|language| language.lint));
    suites
}

/// What `xtask fmt` runs.
pub fn fmt() -> Vec<Suite> {
    languages::ALL
        .iter()
        .flat_map(|language| language.format)
        .copied()
        .collect()
}

/// Needed by every language's tests, and by what is soaked.
pub const BUILD: Suite = Suite {
    name: "build",
    about: "the libraries, plugins, programs and tests that the suites load and run, by one command",
    lane: Lane::Cargo,
    after: &[],
    run: tested::build,
};

const TIDY: Suite = Suite {
    name: "tidy",
    about: "the rules of the house",
    lane: Lane::Free,
    after: &[],
    run: tidy::check,
};

/// What is nobody's alone, and short.
const GENERAL: [Suite; 5] = [
    Suite {
        name: "workflows",
        about: "CI's workflows by actionlint",
        lane: Lane::Free,
        after: &[],
        run: workflows::check,
    },
    Suite {
        name: "regen",
        about: "generated files equal their generators' output",
        lane: Lane::Cargo,
        after: &["build"],
        run: regen::check,
    },
    Suite {
        name: "licences",
        about: "licences, sources and bans of deny.toml; advisories where the database can be had",
        lane: Lane::Python,
        after: &[],
        run: supply::check,
    },
    Suite {
        name: "doc",
        about: "rustdoc without a warning",
        lane: Lane::Cargo,
        after: &[],
        run: languages::rust::doc,
    },
    Suite {
        name: "book",
        about: "the documentation as a book, in which every link leads somewhere",
        lane: Lane::Free,
        after: &[],
        run: book::check,
    },
];

/// What needs nothing else and takes long.
const LONG: [Suite; 2] = [
    packages::SUITE,
    Suite {
        name: "fuzz",
        about: "every fuzz target for a fixed number of inputs, with AddressSanitizer",
        lane: Lane::Free,
        after: &[],
        run: fuzz::run,
    },
];

/// What needs others, or every language.
const LAST: [Suite; 6] = [
    examples::SUITE,
    Suite {
        name: "instructions",
        about: "the core's hot paths need as many instructions as is written down, counted by callgrind",
        lane: Lane::OwnTarget,
        after: &[],
        run: instructions::check,
    },
    Suite {
        name: "catalogue-cpp",
        about: "the C++ benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Cargo,
        after: &["build"],
        run: |step| bench::check_list(step, &bench::CPP),
    },
    Suite {
        name: "catalogue-kotlin",
        about: "the Kotlin benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Maven,
        after: &["build"],
        run: |step| bench::check_list(step, &bench::KOTLIN),
    },
    Suite {
        name: "catalogue-peers",
        about: "the peers' own lists against the catalogue of scenarios; no peer is built",
        lane: Lane::Free,
        after: &[],
        run: |step| bench::check_list(step, &bench::PEERS),
    },
    Suite {
        name: "catalogue",
        about: "the budgets against the catalogue, after every language's benchmarks",
        lane: Lane::Free,
        after: &[
            "catalogue-rust",
            "catalogue-c",
            "catalogue-cpp",
            "catalogue-python",
            "catalogue-java",
            "catalogue-kotlin",
            "catalogue-csharp",
            "catalogue-go",
            "catalogue-node",
            "catalogue-peers",
        ],
        run: bench::check_budgets,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_checked_after_every_language_is_listed() {
        let suites = all();
        let catalogue = suites.iter().find(|suite| suite.name == "catalogue");
        let catalogue = catalogue.expect("it is among them");
        for language in languages::ALL {
            let list = language.list.name;
            assert!(catalogue.after.contains(&list), "{list}");
        }
    }

    #[test]
    fn every_suite_has_its_own_name_and_needs_only_earlier_ones() {
        let suites = all();
        for (index, suite) in suites.iter().enumerate() {
            let earlier: Vec<&str> = suites[..index].iter().map(|suite| suite.name).collect();
            assert!(
                !earlier.contains(&suite.name),
                "{} is there twice",
                suite.name
            );
            for need in suite.after {
                assert!(
                    earlier.contains(need),
                    "{} needs {need}, which does not come before it",
                    suite.name
                );
            }
        }
    }
}
