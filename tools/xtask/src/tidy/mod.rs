//! The rules of the house that no other tool checks.

mod circles;
mod dependencies;
mod folders;
mod openings;
mod plain;
mod snippets;
pub mod source;
mod statics;
mod text;

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use self::source::Exceptions;
use crate::step::Step;
use crate::workspace::Workspace;

#[derive(Args)]
pub struct Options {
    /// Only lists the circles between modules, including the excepted ones, with their causes.
    #[arg(long)]
    circles: bool,
}

/// Runs every rule; each counts as one check.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let sources = source::all(workspace)?;
    let exceptions = Exceptions::read(workspace)?;
    let rules: [(&str, Vec<String>); 11] = [
        (
            "dependencies point one way",
            dependencies::findings(workspace.metadata()),
        ),
        (
            "every folder has a description of its contents",
            folders::findings(workspace, &sources),
        ),
        (
            "no file is too long",
            text::long_files(&sources, &exceptions),
        ),
        (
            "no modules form a circle",
            circles::findings(workspace.metadata(), &sources, &exceptions)?,
        ),
        (
            "every source file begins with a description of its contents",
            openings::findings(&sources, &exceptions),
        ),
        (
            "no unfinished work is left in the code",
            text::unfinished(&sources),
        ),
        (
            "no path of one machine is in the repository",
            text::machine_paths(&sources),
        ),
        (
            "the demo or the tests run the code of the guides that show all languages",
            snippets::findings(&sources),
        ),
        ("every static has a reason", statics::findings(&sources)),
        (
            "pages, headers and messages are in plain English",
            plain::findings(&sources, &exceptions)?,
        ),
        (
            "text files end in one line feed and have no carriage return",
            text::line_ends(&sources),
        ),
    ];
    for (name, findings) in rules {
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(name, problem)?;
    }
    Ok(())
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    if options.circles {
        let found = circles::all(workspace.metadata(), &source::all(workspace)?, true)?;
        let circles: Vec<String> = found.into_values().flatten().collect();
        println!("{}\n{} circles", circles.join("\n\n"), circles.len());
        return Ok(ExitCode::from(u8::from(!circles.is_empty())));
    }
    let mut step = Step::start(workspace, "tidy")?;
    check(&mut step)?;
    print!("{}", step.read_log());
    println!("{}", step.counts);
    Ok(if step.counts.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
