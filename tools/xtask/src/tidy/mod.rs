//! The rules of this repository that no other tool checks.

mod circles;
mod dependencies;
mod folders;
mod plain;
mod snippets;
pub mod source;
mod statics;
mod text;

use std::process::ExitCode;

use anyhow::Result;

use self::source::Exceptions;
use crate::step::Step;
use crate::workspace::Workspace;

/// Runs every rule; each counts as one check.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let sources = source::all(workspace)?;
    let exceptions = Exceptions::read(workspace)?;
    let metadata = workspace.metadata();
    for (name, findings) in [
        (
            "dependencies point one way",
            dependencies::findings(metadata, &exceptions),
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
            circles::findings(metadata, &sources)?,
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
        ("every static has a reason", statics::findings(&sources)?),
        (
            "pages, headers and messages are in plain English",
            plain::findings(&sources, &exceptions)?,
        ),
        (
            "text files end in one line feed and have no carriage return",
            text::line_ends(&sources),
        ),
    ] {
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(name, problem)?;
    }
    Ok(())
}

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "tidy")?;
    check(&mut step)?;
    print!("{}", step.read_log());
    println!("{}", step.counts);
    Ok(ExitCode::from(u8::from(step.counts.failed > 0)))
}
