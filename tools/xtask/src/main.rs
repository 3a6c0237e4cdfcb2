//! The developer commands, the same on every platform: `cargo xtask <command>`. CI calls only these.

mod api;
mod bench;
mod book;
mod budgets;
mod build;
#[cfg(test)]
mod commands;
mod conformance;
mod counts;
mod demo;
mod digest;
mod doctor;
mod dotnet;
mod elf;
mod examples;
mod figures;
mod go;
mod instructions;
mod jars;
mod java;
mod junit;
mod language;
mod languages;
mod library;
mod lines;
mod linked;
mod node;
mod notices;
mod nupkg;
mod packages;
mod portable;
mod progress;
mod python;
mod recording;
mod regen;
mod report;
mod sanitize;
mod setup;
mod soak;
mod step;
mod suite;
mod suites;
mod table;
mod tested;
mod tidy;
mod tools;
mod windows;
mod workspace;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::progress::{processor_minutes, seconds};
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
    /// Compares two folders of packages: whether the newer are compatible with the older.
    Api(api::Options),
    /// Runs all tests except those of other commits' shards; exits with 0 only if none failed.
    Test(suite::Selection),
    /// Runs the repeated tests a hundred times as often as `test`, and writes the results to docs/soak.json; takes hours.
    Soak(suite::Selection),
    /// Runs the concurrency tests under ThreadSanitizer and AddressSanitizer, and writes the results to docs/sanitize.json.
    Sanitize(suite::Selection),
    /// Measures every language, the floor, direct calls and gRPC in one run.
    Bench(bench::Options),
    /// Counts the instructions of the core's hot paths, and compares them with the committed counts.
    Instructions(instructions::Options),
    /// Checks format and style of every language.
    Lint,
    /// Formats the sources of every language.
    Fmt,
    /// Creates the pages of the benchmark report from result files.
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
    Tidy(tidy::Options),
    /// Builds for Windows on Linux and tests it under Wine.
    #[command(subcommand)]
    Windows(windows::Verb),
    /// Lists the tools that are installed or missing, the suites that need them, and how to install them.
    Doctor,
}

impl Command {
    /// Which suites it runs, where that can be chosen.
    fn selection(&self) -> Option<&suite::Selection> {
        match self {
            Command::Test(selection) | Command::Soak(selection) | Command::Sanitize(selection) => {
                Some(selection)
            }
            Command::Windows(verb) => verb.selection(),
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

    /// Whether it's asked to install what is missing.
    fn installs(&self) -> bool {
        match self {
            Command::Test(selection) => selection.installs(),
            Command::Windows(verb) => verb.installs(),
            _ => false,
        }
    }
}

fn main() -> ExitCode {
    // Told to stop, the supervisor ends all that the commands have started.
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

fn run(arguments: Arguments) -> Result<ExitCode> {
    let began = Instant::now();
    let mut workspace = Workspace::find()?;
    workspace.installs |= arguments.command.installs();
    if matches!(arguments.command, Command::Soak(_)) {
        workspace.soak = soak::FACTOR;
    }
    if let Some(folder) = arguments.command.folder_of_natives() {
        workspace.natives = workspace.target.join(folder);
    }
    let selection = arguments.command.selection();
    if selection.is_some_and(suite::Selection::is_everything) {
        workspace.share_cores();
    }
    workspace.processes_under_wine = matches!(arguments.command, Command::Windows(_));
    if selection.is_some_and(suite::Selection::installs_first) {
        doctor::install(&workspace, &languages::tools())?;
    }
    let is_counted = matches!(
        arguments.command,
        Command::Build(_) | Command::Demo(_) | Command::Package(_)
    );
    let result = match arguments.command {
        Command::Demo(options) => demo::run(&workspace, &options, &languages::hosts()),
        Command::Build(options) => build::run(&workspace, &options),
        Command::Api(options) => api::run(&workspace, &options),
        Command::Lines => lines::run(&workspace),
        Command::Package(options) => packages::run(&workspace, &options),
        Command::Bench(options) => bench::run(&workspace, &options, &languages::harnesses()),
        Command::Report(options) => report::run(&workspace, &options),
        Command::Test(selection) => suite::run_shard(&workspace, suites::all(), &selection),
        Command::Soak(selection) => soak::run(&workspace, &selection),
        Command::Sanitize(selection) => sanitize::run(&workspace, &selection),
        Command::Instructions(options) => instructions::run(&workspace, &options),
        Command::Lint => suite::run(&workspace, suites::lint(), &suite::Selection::everything()),
        Command::Fmt => suite::run(&workspace, suites::fmt(), &suite::Selection::everything()),
        Command::Book => book::run(&workspace),
        Command::Conformance => conformance::run(&workspace),
        Command::Regen => regen::run(&workspace),
        Command::Tidy(options) => tidy::run(&workspace, &options),
        Command::Windows(verb) => windows::run(&workspace, &verb, suites::all()),
        Command::Doctor => Ok(doctor::run(&workspace, &languages::tools())),
    };
    if is_counted {
        let work = processor_minutes(child_process::work_of_all());
        println!("{} in all; {work}", seconds(began.elapsed()));
    }
    result
}
