//! The rules of the house that no other tool checks.

mod dependencies;
mod folders;
mod statics;
mod text;

use std::fs;
use std::process::ExitCode;

use anyhow::Result;

use crate::step::Step;
use crate::workspace::Workspace;

/// A file that git knows, with its text.
pub struct Source {
    /// Path from the workspace's root, with forward slashes.
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn ending(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    /// Frozen copies and generated files are as they are.
    pub fn is_ours_to_write(&self) -> bool {
        !self.path.split('/').any(|part| part == "frozen")
            && !crate::regen::GENERATED
                .iter()
                .any(|folder| self.path.starts_with(&format!("{folder}/")))
    }
}

/// Runs every rule; each counts as one check.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let sources = read_sources(workspace)?;
    let rules: [(&str, Vec<String>); 7] = [
        (
            "dependencies point one way",
            dependencies::findings(workspace.metadata()),
        ),
        (
            "every folder says what belongs in it",
            folders::findings(workspace, &sources),
        ),
        (
            "no file is too long",
            text::long_files(workspace, &sources)?,
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
            "every static says why it may be one",
            statics::findings(&sources),
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

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
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

/// All text files that git tracks or would track.
fn read_sources(workspace: &Workspace) -> Result<Vec<Source>> {
    let paths = workspace.files(&[])?;
    // What isn't text (or is deleted but not yet committed) is none of our business.
    let read = |path: String| {
        let text = fs::read_to_string(workspace.root.join(&path)).ok()?;
        Some(Source { path, text })
    };
    Ok(paths.into_iter().filter_map(read).collect())
}
