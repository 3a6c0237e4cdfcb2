//! `xtask windows`: builds for Windows on Linux and runs what was built under Wine, with real Windows libraries, loaders and
//! calls. It shows correctness, not speed. On Windows itself the same verbs do the ordinary thing.

mod bench;
mod cross;
mod hosts;
mod packages;
mod rust;
mod setup;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use self::cross::Cross;
pub use self::hosts::csharp::tests as csharp;
pub use self::hosts::fetch as hosts;
pub use self::hosts::go::tests as go;
pub use self::hosts::java::{build as java_build, tests as java};
pub use self::hosts::node::tests as node;
pub use self::hosts::python::tests as python;
pub use self::packages::check as packages;
pub use self::rust::{build, c, tests as rust};
pub use self::setup::tools as setup;
use crate::step::Step;
use crate::suite::Selection;
use crate::workspace::Workspace;

#[derive(Subcommand)]
pub enum Verb {
    /// Installs the compilers, Rust's standard library for Windows and Wine, prepares Wine's folder and fetches the hosts' runtimes;
    /// everything that is there already stays.
    Setup,
    /// Builds the libraries and plugins for Windows in release mode, and prints their folder.
    Build,
    /// Makes the packages of every language for this system and for Windows, in target/packages.
    Package,
    /// Runs the tests under Wine.
    Test(Selection),
    /// Measures the C host and CPython under Wine; figures of Wine, for comparing platforms in the report.
    Bench(bench::WineOptions),
}

/// Runs every verb except `test`.
pub fn run(workspace: &Workspace, verb: &Verb) -> Result<ExitCode> {
    if cfg!(windows) {
        return on_windows(workspace, verb);
    }
    match verb {
        Verb::Setup => {
            let mut step = Step::start(workspace, "windows-setup")?;
            setup::everything(&mut step).inspect_err(|_| eprint!("{}", step.read_log()))?;
            println!("set up in {}", Cross::ready(workspace)?.folder().display());
        }
        Verb::Build => {
            let cross = Cross::ready(workspace)?;
            let mut step = Step::start(workspace, "windows-build")?;
            rust::libraries(&mut step, &cross).inspect_err(|_| eprint!("{}", step.read_log()))?;
            let place = cross.release_libraries();
            println!("libraries for Windows in {}", place.display());
        }
        Verb::Package => return packages::run(workspace),
        Verb::Bench(options) => return bench::run(workspace, options),
        Verb::Test(_) => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn on_windows(workspace: &Workspace, verb: &Verb) -> Result<ExitCode> {
    match verb {
        Verb::Build => crate::build::run(workspace, &crate::build::Options::default()),
        Verb::Package => crate::packages::run(workspace, &crate::packages::Options::default()),
        Verb::Setup | Verb::Test(_) | Verb::Bench(_) => {
            println!("this is Windows: use `cargo xtask doctor`, `test` and `bench`");
            Ok(ExitCode::SUCCESS)
        }
    }
}
