//! The command `rustbridge`: makes, builds and runs plugins with their hosts, looks at plugins, calls them, and writes typed clients of them.

mod client;
mod command;
mod language;
mod manifest;
mod name;
mod pack;
mod packages;
mod problem;
mod project;
mod subject;
mod template;
mod times;
mod tool;
mod visible;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::command::{
    bench, build, call, completions, diff, doctor, generate, inspect, new, run, watch,
};
use crate::subject::Subject;
use crate::visible::visible;

/// Makes plugins in Rust and the hosts that call them, looks at plugins, calls them, and writes typed clients of them.
#[derive(Parser)]
#[command(version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a plugin, and hosts that call it by typed clients.
    New(new::Arguments),
    /// Build the plugin as it ships, and bring the hosts' typed clients in step with it.
    Build(build::Arguments),
    /// Build the plugin, and run its hosts.
    Run(run::Arguments),
    /// Build the plugin whenever its sources change, load it anew, and call a method.
    Watch(watch::Arguments),
    /// Call a method with JSON, and print what it answers.
    Call(call::Arguments),
    /// Measure what calls of methods take from each language that is here, beside a call that does nothing.
    Bench(bench::Arguments),
    /// Write a typed client of a plugin.
    Gen(generate::Arguments),
    /// Show what a plugin has: methods, types, sizes, what it needs.
    Inspect(inspect::Arguments),
    /// Tell what is different between two versions of a plugin, and fail if it breaks what was written for the older one.
    Diff(diff::Arguments),
    /// Say which tools are here that plugins and hosts take, which are missing, and where they come from.
    Doctor(doctor::Arguments),
    /// Print what a shell completes this command by.
    Completions(completions::Arguments),
    /// What this command starts itself for, so that a plugin's code runs in a process of its own.
    #[command(hide = true)]
    Describe(Subject),
    /// What `bench` starts to measure calls from Rust.
    #[command(hide = true)]
    Measure(bench::measure::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::New(arguments) => new::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Call(arguments) => call::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Gen(arguments) => generate::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Measure(arguments) => bench::measure::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, &mut Arguments::command()),
        Command::Describe(subject) => subject.describe_here(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {}", visible(&problem.to_string()));
            problem.exit_code()
        }
    }
}
