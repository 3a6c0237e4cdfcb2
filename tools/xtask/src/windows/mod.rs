//! `xtask windows`: builds for Windows on Linux and runs what was built under Wine, with real Windows libraries, loaders and
//! calls. It shows correctness, not speed. On Windows itself the same verbs do the ordinary thing.

mod bench;
mod build;
mod c;
mod cross;
mod hosts;
mod packages;
mod rust;
mod setup;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use self::cross::Cross;
use crate::step::Step;
use crate::suite::{self, Lane, Selection, Suite};
use crate::workspace::Workspace;

#[derive(Subcommand)]
pub enum Verb {
    /// Installs the compilers and Wine, builds Rust's standard library for Windows, prepares Wine's folder and fetches the
    /// hosts' runtimes; what is there already stays.
    Setup,
    /// Builds the libraries and plugins for Windows in release mode and says where they are.
    Build,
    /// Makes the packages of every language for this system and for Windows, in target/packages.
    Package,
    /// Runs the tests under Wine.
    Test(Selection),
    /// Measures the C host and CPython under Wine; figures of Wine's, for comparing platforms in the report.
    Bench(bench::WineOptions),
}

impl Verb {
    /// Which suites it runs, where that can be chosen.
    pub fn selection(&self) -> Option<&Selection> {
        match self {
            Verb::Test(selection) => Some(selection),
            Verb::Setup | Verb::Build | Verb::Package | Verb::Bench(_) => None,
        }
    }

    /// Whether it's asked to install what is missing.
    pub fn installs(&self) -> bool {
        match self {
            Verb::Setup => true,
            Verb::Test(selection) => selection.installs(),
            Verb::Build | Verb::Package | Verb::Bench(_) => false,
        }
    }
}

/// `everything` is what `test` runs.
pub fn run(workspace: &Workspace, verb: &Verb, everything: Vec<Suite>) -> Result<ExitCode> {
    if cfg!(windows) {
        return on_windows(workspace, verb, everything);
    }
    match verb {
        Verb::Setup => {
            let mut step = Step::start(workspace, "windows-setup")?;
            let cross = setup::found(&mut step)?;
            let mut say = crate::progress::say;
            setup::run(&mut step, &cross, &mut say)
                .and_then(|()| hosts::runtimes(&mut step, &cross, &mut say))
                .inspect_err(|_| eprint!("{}", step.read_log()))?;
            Ok(ExitCode::SUCCESS)
        }
        Verb::Build => {
            let cross = Cross::find(workspace)?;
            let mut step = Step::start(workspace, "windows-build")?;
            build::libraries(&mut step, &cross).inspect_err(|_| eprint!("{}", step.read_log()))?;
            let place = cross.release_libraries();
            println!("libraries for Windows in {}", place.display());
            Ok(ExitCode::SUCCESS)
        }
        Verb::Package => packages::run(workspace),
        Verb::Test(selection) => {
            let mut all = preparation();
            all.extend(suites());
            suite::run(workspace, all, selection)
        }
        Verb::Bench(options) => bench::run(workspace, options),
    }
}

fn on_windows(workspace: &Workspace, verb: &Verb, everything: Vec<Suite>) -> Result<ExitCode> {
    match verb {
        Verb::Setup => {
            println!("this is Windows: `cargo xtask doctor` lists the missing tools");
            Ok(ExitCode::SUCCESS)
        }
        Verb::Build => crate::build::run(workspace, &crate::build::Options::default()),
        Verb::Package => crate::packages::run(workspace, &crate::packages::Options::default()),
        Verb::Test(selection) => suite::run(workspace, everything, selection),
        Verb::Bench(_) => {
            println!("this is Windows: `cargo xtask bench` measures it");
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// What `xtask windows test` runs first, and `xtask test` as soon as it can.
pub fn preparation() -> Vec<Suite> {
    vec![
        Suite {
            name: "windows-setup",
            about: "the compilers for Windows, Rust's standard library for it, and Wine",
            lane: Lane::Windows,
            after: &[],
            run: setup::suite,
        },
        Suite {
            name: "windows-build",
            about: "the libraries, plugins and tests for Windows",
            lane: Lane::Cargo,
            after: &["windows-setup", "build"],
            run: build::suite,
        },
    ]
}

/// What `xtask windows test` runs then, and `xtask test` besides everything else.
pub fn suites() -> Vec<Suite> {
    let mut suites = vec![
        Suite {
            name: "windows-rust",
            about: "the Rust tests under Wine: core, plugins, conformance cases, doc-tests",
            lane: Lane::Windows,
            after: &["windows-build"],
            run: rust::tests,
        },
        Suite {
            name: "windows-c",
            about: "librustbridge for Windows from C and C++ under Wine: headers, exports, hosts, conformance cases",
            lane: Lane::Free,
            after: &["windows-build", "c"],
            run: c::tests,
        },
    ];
    suites.extend(hosts::suites());
    suites.extend(packages::suites());
    suites
}
