//! The parts of `xtask test`, in the order in which they are begun: quick checks first, so that failures show early.

mod c;
mod catalogue;
mod csharp;
mod fuzz;
mod grpc;
mod java;
mod python;
mod report;
mod rust;
mod supply;

pub use fuzz::run as fuzz;
pub use java::{copy_sources as copy_java_sources, sum as sum_java};
pub use rust::{libraries, release, shipped};

use crate::suite::{Lane, Suite};
use crate::{instructions, regen, tidy, windows};

/// Everything that `xtask test` runs.
pub fn all() -> Vec<Suite> {
    let mut suites = lint();
    suites.extend([
        Suite {
            name: "regen",
            about: "generated files are what their generators write",
            lane: Lane::Cargo,
            after: &[],
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
            run: rust::doc,
        },
        Suite {
            name: "release",
            about: "the libraries and plugins in release mode, as users build them",
            lane: Lane::Cargo,
            after: &[],
            run: release,
        },
        Suite {
            name: "instructions",
            about: "the core's hot paths need as many instructions as is written down, counted by callgrind",
            lane: Lane::Free,
            after: &["release"],
            run: instructions::check,
        },
        Suite {
            name: "java",
            about: "the Maven build with its tests: FFM and JNI on the newest JDK, the Java 17 classes on an older one too",
            lane: Lane::Maven,
            after: &["release"],
            run: java::verify,
        },
        Suite {
            name: "java-jars",
            about: "the jars hold what they should, and the same sources make the same bytes",
            lane: Lane::Maven,
            after: &["java"],
            run: java::jars,
        },
        Suite {
            name: "csharp-net8",
            about: "the C# tests on .NET 8",
            lane: Lane::Dotnet,
            after: &["csharp-build", "release"],
            run: csharp::older,
        },
        Suite {
            name: "csharp-net10",
            about: "the same C# tests on .NET 10",
            lane: Lane::Dotnet,
            after: &["csharp-build", "release"],
            run: csharp::newer,
        },
        Suite {
            name: "csharp-packages",
            about: "the NuGet packages hold what they should and nothing else",
            lane: Lane::Dotnet,
            after: &["csharp-build", "release"],
            run: csharp::packages,
        },
        Suite {
            name: "csharp-aot",
            about: "the C# example compiled ahead of time loads a plugin and calls it",
            lane: Lane::Dotnet,
            after: &["csharp-build", "release"],
            run: csharp::ahead_of_time,
        },
        Suite {
            name: "rust",
            about: "the workspace's tests, loom models and doc-tests",
            lane: Lane::Cargo,
            after: &[],
            run: rust::workspace,
        },
        Suite {
            name: "c",
            about: "librustbridge from C and C++: headers, hosts, conformance cases, valgrind",
            lane: Lane::Cargo,
            after: &[],
            run: c::tests,
        },
        Suite {
            name: "python-install",
            about: "pip install of the Python package",
            lane: Lane::Cargo,
            after: &[],
            run: python::install,
        },
        Suite {
            name: "python-native",
            about: "the Python tests on the extension",
            lane: Lane::Python,
            after: &["python-install"],
            run: python::native,
        },
        Suite {
            name: "python-ctypes",
            about: "the same Python tests on ctypes",
            lane: Lane::Python,
            after: &["python-install"],
            run: python::ctypes,
        },
        Suite {
            name: "python-stubs",
            about: "stubtest: the type stubs against the installed package",
            lane: Lane::Python,
            after: &["python-install"],
            run: python::stubs,
        },
        Suite {
            name: "catalogue-rust",
            about: "the criterion benchmarks' own list against the catalogue of scenarios",
            lane: Lane::Cargo,
            after: &[],
            run: catalogue::rust,
        },
        Suite {
            name: "catalogue-c",
            about: "the C benchmarks' own list against the catalogue of scenarios",
            lane: Lane::Free,
            after: &["release"],
            run: catalogue::c,
        },
        Suite {
            name: "catalogue-python",
            about: "the pytest-benchmark benchmarks' own list against the catalogue of scenarios",
            lane: Lane::Python,
            after: &["python-install"],
            run: catalogue::python,
        },
        Suite {
            name: "catalogue-java",
            about: "the JMH benchmarks' own list against the catalogue of scenarios",
            lane: Lane::Maven,
            after: &["release"],
            run: catalogue::java,
        },
        Suite {
            name: "catalogue-csharp",
            about: "the BenchmarkDotNet benchmarks' own list against the catalogue of scenarios",
            lane: Lane::Dotnet,
            after: &["release"],
            run: catalogue::csharp,
        },
        Suite {
            name: "grpc-rust",
            about: "gRPC's server and Rust client of the benchmarks, without a warning, in a workspace of their own",
            lane: Lane::OwnTarget,
            after: &[],
            run: grpc::rust,
        },
        Suite {
            name: "grpc",
            about: "every gRPC client of the benchmarks calls every method once and looks at the answers",
            lane: Lane::Maven,
            after: &["release", "python-install", "grpc-rust"],
            run: grpc::clients,
        },
        Suite {
            name: "catalogue-grpc",
            about: "the gRPC benchmarks' own list against the catalogue of scenarios",
            lane: Lane::Maven,
            after: &["release", "python-install", "grpc-rust"],
            run: catalogue::grpc,
        },
        Suite {
            name: "catalogue-peers",
            about: "the peers' own lists against the catalogue of scenarios; no peer is built",
            lane: Lane::Free,
            after: &[],
            run: catalogue::peers,
        },
        Suite {
            name: "catalogue",
            about: "the budgets against the catalogue, after every language's benchmarks",
            lane: Lane::Free,
            after: &[
                "catalogue-rust",
                "catalogue-c",
                "catalogue-python",
                "catalogue-java",
                "catalogue-csharp",
                "catalogue-grpc",
                "catalogue-peers",
            ],
            run: catalogue::budgets,
        },
        Suite {
            name: "report",
            about: "the benchmark report in a browser: on a phone, on a desktop and on paper",
            lane: Lane::Free,
            after: &[],
            run: report::check,
        },
        Suite {
            name: "features",
            about: "the author's side with no feature, with each one alone, and with all",
            lane: Lane::Cargo,
            after: &[],
            run: rust::features,
        },
        Suite {
            name: "fuzz",
            about: "every fuzz target for a fixed number of inputs, with AddressSanitizer",
            lane: Lane::OwnTarget,
            after: &[],
            run: fuzz::run,
        },
    ]);
    suites.extend(windows::suites());
    suites
}

/// What `xtask lint` runs.
pub fn lint() -> Vec<Suite> {
    vec![
        Suite {
            name: "rustfmt",
            about: "rustfmt --check",
            lane: Lane::Free,
            after: &[],
            run: rust::format_check,
        },
        Suite {
            name: "tidy",
            about: "the rules of the house",
            lane: Lane::Free,
            after: &[],
            run: tidy::check,
        },
        Suite {
            name: "ruff",
            about: "ruff check and ruff format --check",
            lane: Lane::Python,
            after: &[],
            run: python::ruff,
        },
        Suite {
            name: "java-lint",
            about: "google-java-format, ktfmt, Error Prone and javac without a warning, licences of dependencies",
            lane: Lane::Maven,
            after: &[],
            run: java::lint,
        },
        Suite {
            name: "csharp-build",
            about: "the C# side for every framework, without a warning of compiler, analysers or documentation",
            lane: Lane::Dotnet,
            after: &[],
            run: csharp::build,
        },
        Suite {
            name: "csharp-format",
            about: "dotnet format --verify-no-changes",
            lane: Lane::Dotnet,
            after: &[],
            run: csharp::format_check,
        },
        Suite {
            name: "clippy",
            about: "clippy on all targets and features, without a warning",
            lane: Lane::Cargo,
            after: &[],
            run: rust::clippy,
        },
        Suite {
            name: "mypy",
            about: "mypy --strict",
            lane: Lane::Python,
            after: &[],
            run: python::mypy,
        },
    ]
}

/// What `xtask fmt` runs.
pub fn fmt() -> Vec<Suite> {
    vec![
        Suite {
            name: "rustfmt",
            about: "",
            lane: Lane::Free,
            after: &[],
            run: rust::format,
        },
        Suite {
            name: "ruff",
            about: "",
            lane: Lane::Python,
            after: &[],
            run: python::format,
        },
        Suite {
            name: "spotless",
            about: "",
            lane: Lane::Maven,
            after: &[],
            run: java::format,
        },
        Suite {
            name: "dotnet-format",
            about: "",
            lane: Lane::Dotnet,
            after: &[],
            run: csharp::format,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

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
