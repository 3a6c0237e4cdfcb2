//! The functions of the suites that `suites.toml` names, and the suites that belong to no language.

mod fuzz;
mod names;
mod plugins;
mod supply;
mod workflows;

use anyhow::Result;

use crate::languages::{c, csharp, go, java, node, python, rust};
use crate::step::Step;
use crate::{
    bench, book, examples, instructions, packages, regen, sanitize, tested, tidy, windows,
};

/// Returns the function that runs a suite.
pub fn run_of(suite: &str) -> Option<fn(&mut Step<'_>) -> Result<()>> {
    Some(match suite {
        "build" => tested::build,
        "tidy" => tidy::check,
        "workflows" => workflows::check,
        "regen" => regen::check,
        "licences" => supply::check,
        "book" => book::check,
        "packages" => packages::check,
        "examples" => examples::check,
        "instructions" => instructions::check,
        "names" | "soak-names" => names::run,
        "plugins-c" => plugins::c,
        "plugins-go" => plugins::go,
        "plugins-csharp" => plugins::csharp,

        "fmt-rust" => rust::format,
        "rustfmt" => rust::format_check,
        "clippy" => rust::clippy,
        "doc" => rust::doc,
        "rust" => rust::workspace,
        "features" => rust::features,
        "c" => c::tests,
        "c-versions" => c::tests_that_call_cargo,
        "c-valgrind" => c::cases_under_valgrind,
        "fmt-go" => go::format,
        "go-lint" => go::lint,
        "go-staticcheck" => go::staticcheck,
        "go" => go::tests,
        "go-race" => go::race,
        "fmt-node" => node::format,
        "node-install" => crate::node::install,
        "node-lint" => node::lint,
        "node" => node::tests,
        "node-others" => node::others,
        "node-routes" => node::routes,
        "fmt-csharp" => csharp::format,
        "csharp-build" => csharp::build,
        "csharp-format" => csharp::format_check,
        "csharp-net8" => csharp::older,
        "csharp-net10" => csharp::newer,
        "csharp-aot" => csharp::ahead_of_time,
        "fmt-python" => python::format,
        "ruff" => python::ruff,
        "mypy" => python::mypy,
        "python-install" => python::install,
        "python-native" => python::native,
        "python-ctypes" => python::ctypes,
        "python-stubs" => python::stubs,
        "fmt-java" => java::format,
        "java-lint" => java::lint,
        "java" => java::verify,
        "java-older" => java::older,

        "windows-setup" => windows::setup,
        "windows-build" => windows::build,
        "windows-rust" => windows::rust,
        "windows-c" => windows::c,
        "windows-hosts" => windows::hosts,
        "windows-python-native" => |step| windows::python(step, "native", &["python/native"]),
        "windows-python-ctypes" => |step| windows::python(step, "ctypes", &["python/ctypes"]),
        "windows-java-build" => windows::java_build,
        "windows-java-ffm" => |step| windows::java(step, "ffm", &["java/ffm"]),
        "windows-java-jni" => |step| windows::java(step, "jni", &["java/jni"]),
        "windows-csharp" => windows::csharp,
        "windows-go" => windows::go,
        "windows-node" => windows::node,
        "windows-packages" => windows::packages,

        "catalogue" => bench::check_budgets,
        "catalogue-rust" => |step| bench::check_list(step, &bench::CRITERION),
        "catalogue-c" => |step| bench::check_list(step, &bench::C),
        "catalogue-cpp" => |step| bench::check_list(step, &bench::CPP),
        "catalogue-go" => |step| bench::check_list(step, &bench::GO),
        "catalogue-node" => |step| bench::check_list(step, &bench::NODE),
        "catalogue-csharp" => |step| bench::check_list(step, &bench::BDN),
        "catalogue-python" => |step| bench::check_list(step, &bench::PYTEST),
        "catalogue-java" => |step| bench::check_list(step, &bench::JMH),
        "catalogue-kotlin" => |step| bench::check_list(step, &bench::KOTLIN),
        "catalogue-peers" => |step| bench::check_list(step, &bench::PEERS),

        "fuzz" => fuzz::run,
        "fuzz-build" => fuzz::build,
        "soak-fuzz-wire" => |step| fuzz::tried(step, |name| name == "wire"),
        "soak-fuzz-json" => |step| fuzz::tried(step, |name| name == "json"),
        "soak-fuzz-resolve" => |step| fuzz::tried(step, |name| name == "resolve"),
        "soak-fuzz" => {
            |step| fuzz::tried(step, |name| !["wire", "json", "resolve"].contains(&name))
        }
        "soak-csharp" => csharp::soak,
        "soak-types-csharp" => csharp::soak_types,
        "soak-java" => java::soak,
        "soak-types-java" => java::soak_types,
        "soak-python" => python::soak,
        "soak-types-python" => python::soak_types,
        "soak-rust" => rust::soak,
        "soak-types-rust" => rust::soak_types,
        "soak-grpc-rust" => bench::check_grpc,
        "soak-grpc" => bench::smoke_grpc,
        "soak-grpc-catalogue" => |step| bench::check_list(step, &bench::GRPC),
        "thread" => sanitize::threads,
        "address" => sanitize::addresses,
        _ => return None,
    })
}
