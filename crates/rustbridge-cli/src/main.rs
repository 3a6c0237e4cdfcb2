//! The command `rustbridge`: looks at plugins, and writes typed clients of them.

mod command;
mod problem;
mod subject;
mod times;
mod visible;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::command::{call, diff, generate, inspect};
use crate::subject::Subject;
use crate::visible::visible;

/// Looks at plugins built with rustbridge, and writes typed clients of them.
#[derive(Parser)]
#[command(version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Call a method with JSON, and print what it answers.
    Call(call::Arguments),
    /// Write a typed client of a plugin.
    Gen(generate::Arguments),
    /// Show what a plugin has: methods, types, sizes, what it needs.
    Inspect(inspect::Arguments),
    /// Tell what is different between two versions of a plugin, and fail if it breaks what was written for the older one.
    Diff(diff::Arguments),
    /// What this command starts itself for, so that a plugin's code runs in a process of its own.
    #[command(hide = true)]
    Describe(Subject),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Call(arguments) => call::run(&arguments),
        Command::Gen(arguments) => generate::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
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
