//! The developer commands, the same on every platform: `cargo xtask <command>`. CI calls only these.

mod bench;
mod book;
mod build;
mod cargo;
#[cfg(test)]
mod commands;
mod conformance;
mod counts;
mod demo;
mod digest;
mod doctor;
mod dotnet;
mod examples;
mod figures;
mod files;
mod go;
mod instructions;
mod java;
mod junit;
mod languages;
mod library;
mod lines;
mod linked;
mod node;
mod notices;
mod packages;
mod platforms;
mod portable;
mod progress;
mod python;
mod recording;
mod regen;
mod report;
mod runner;
mod sanitize;
mod setup;
mod step;
mod suite;
mod suites;
mod table;
mod tested;
mod tidy;
mod tools;
mod unchanged;
mod windows;
mod workspace;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::progress::{processor_minutes, seconds};
use crate::suite::{Group, Selection};
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "The developer commands of rustbridge",
    disable_version_flag = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds everything and shows one plugin called from every language, with times.
    Demo(demo::Options),
    /// Builds the libraries and plugins in release mode, and prints their folder.
    Build(build::Options),
    /// Makes the packages of every language as they ship, in target/packages; on Linux they require glibc 2.17 or later.
    Package(packages::Options),
    /// Runs all tests except those of other commits' shards; exits with 0 only if none failed.
    Test(Selection),
    /// Runs the repeated tests a hundred times as often as `test`, and writes the results to docs/soak.json; takes hours.
    Soak(Selection),
    /// Runs the concurrency tests under ThreadSanitizer and AddressSanitizer, and writes the results to docs/sanitize.json.
    Sanitize(Selection),
    /// Measures every language, the floor, direct calls and gRPC in one run.
    Bench(bench::Options),
    /// Counts the instructions of the core's hot paths, and compares them with the committed counts.
    Instructions(instructions::Options),
    /// Checks format and style of every language.
    Lint,
    /// Formats the sources of every language.
    Fmt,
    /// Creates the benchmark report from result files.
    Report(report::Options),
    /// Creates a book of the documentation in target/book.
    Book,
    /// Stores the results of the conformance cases in the last test runs, and writes their table.
    Conformance,
    /// Regenerates the generated files: headers, ABI layouts, clients, tables of figures and others.
    Regen,
    /// Counts the lines of the product, its tests and the machinery.
    Lines,
    /// Checks the rules of this repository that no other tool checks.
    Tidy,
    /// Builds for Windows on Linux and tests it under Wine.
    #[command(subcommand)]
    Windows(windows::Verb),
    /// Lists the tools that are installed or missing, the suites that need them, and how to install them.
    Doctor,
}

impl Command {
    /// The suites that it runs, and which of them.
    fn suites(&self) -> Option<(Group, &Selection)> {
        match self {
            Command::Test(selection) | Command::Windows(windows::Verb::Test(selection)) => {
                Some((Group::Test, selection))
            }
            Command::Soak(selection) => Some((Group::Soak, selection)),
            Command::Sanitize(selection) => Some((Group::Sanitize, selection)),
            _ => None,
        }
    }

    /// The folder of cargo's builds whose libraries its programs load, where it isn't that of the tests.
    fn folder_of_natives(&self) -> Option<&'static str> {
        match self {
            Command::Demo(_) => Some("demo"),
            Command::Bench(_) | Command::Windows(windows::Verb::Bench(_)) => Some("release"),
            _ => None,
        }
    }
}

fn main() -> ExitCode {
    // When it's told to stop, the supervisor ends all processes that the commands have started.
    #[cfg(unix)]
    if let Some(code) = child_process::supervise() {
        return code;
    }
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// How many times as often as `test` the command `soak` repeats tests.
const SOAKED: u32 = 100;

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let began = Instant::now();
    let mut workspace = Workspace::find()?;
    if let Command::Windows(verb) = &mut arguments.command {
        workspace.processes_under_wine = true;
        workspace.installs |= matches!(verb, windows::Verb::Setup);
        if let windows::Verb::Test(selection) = verb
            && selection.only.is_empty()
            && !cfg!(windows)
        {
            selection.only.push("windows".into());
        }
    }
    if let Some(folder) = arguments.command.folder_of_natives() {
        workspace.natives = workspace.target.join(folder);
    }
    if let Some((group, selection)) = arguments.command.suites() {
        workspace.installs |= selection.setup;
        if group == Group::Soak {
            workspace.soak = SOAKED;
        }
        if selection.is_everything() {
            workspace.share_cores();
        }
        if selection.setup && !selection.list {
            doctor::install(&workspace)?;
        }
        return runner::run(&workspace, group, selection);
    }
    let is_counted = matches!(
        arguments.command,
        Command::Build(_) | Command::Demo(_) | Command::Package(_)
    );
    let every = Selection::default();
    let result = match arguments.command {
        Command::Demo(options) => demo::run(&workspace, &options),
        Command::Build(options) => build::run(&workspace, &options),
        Command::Lines => lines::run(&workspace),
        Command::Package(options) => packages::run(&workspace, &options),
        Command::Bench(options) => bench::run(&workspace, &options, &languages::HARNESSES),
        Command::Report(options) => report::run(&workspace, &options),
        Command::Instructions(options) => instructions::run(&workspace, &options),
        Command::Lint => runner::run(&workspace, Group::Lint, &every),
        Command::Fmt => runner::run(&workspace, Group::Fmt, &every),
        Command::Book => book::run(&workspace),
        Command::Conformance => conformance::run(&workspace),
        Command::Regen => regen::run(&workspace),
        Command::Tidy => tidy::run(&workspace),
        Command::Windows(verb) => windows::run(&workspace, &verb),
        Command::Doctor => doctor::run(&workspace),
        Command::Test(_) | Command::Soak(_) | Command::Sanitize(_) => Ok(ExitCode::SUCCESS),
    };
    if is_counted {
        let work = processor_minutes(child_process::work_of_all());
        println!("{} in all; {work}", seconds(began.elapsed()));
    }
    result
}
