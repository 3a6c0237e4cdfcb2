//! What measures one language, and what it works with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::pin::{Bind, Pinning};
use crate::step::Step;
use crate::workspace::Workspace;

/// One language's tool, or one way beside all languages.
pub struct Harness {
    /// As in the catalogue's lanes.
    pub name: &'static str,
    /// As `--only` names it.
    pub language: &'static str,
    /// `measuring ..`
    pub title: &'static str,
    /// What has to be in the repository.
    pub folder: &'static str,
    /// Seconds that building takes if most is built already, and that a quick and a full run take: guesses for the
    /// first run's estimates. The last two are also what the harness may use.
    pub guess: [f64; 3],
    pub build: fn(&mut Job<'_, '_>) -> Result<()>,
    pub measure: fn(&mut Job<'_, '_>) -> Result<()>,
    /// What a full run measures, a line each; builds what it needs for that.
    pub list: fn(&mut Job<'_, '_>) -> Result<String>,
}

/// What a harness works with.
pub struct Job<'a, 'b> {
    pub step: &'a mut Step<'b>,
    /// Where tools put what they make of their own accord; empty at the beginning of a run.
    pub folder: &'a Path,
    /// Where measures go.
    pub rows: &'a Path,
    pub pinning: &'a Pinning,
    pub quick: bool,
    pub peers: bool,
    pub scenario: Option<&'a str>,
    /// What's added to the run's `method` and `tools`.
    pub method: &'a mut BTreeMap<String, String>,
    pub tools: &'a mut BTreeMap<String, String>,
    /// Parts that failed while the harness went on, and why.
    pub missing: &'a mut BTreeMap<String, String>,
}

impl<'b> Job<'_, 'b> {
    pub fn workspace(&self) -> &'b Workspace {
        self.step.workspace
    }

    pub fn natives(&self) -> PathBuf {
        self.workspace().natives.clone()
    }

    /// A command with what every harness finds in its environment.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        self.prepared(self.workspace().command(program))
    }

    pub fn prepared(&self, mut command: Command) -> Command {
        command
            .env("RUSTBRIDGE_PLUGIN_DIR", self.natives())
            .env("RUSTBRIDGE_LIBRARY", self.natives())
            .env("RUSTBRIDGE_BENCH_ROWS", self.rows);
        command
    }

    /// Runs a command on the processors that it should have.
    pub fn run(&mut self, command: Command, bind: Bind) -> Result<String> {
        let mut bound = self.pinning.bind(command, bind);
        self.step.run(&mut bound)
    }

    /// Says how a harness was run, in addition to what it says itself.
    pub fn say(&mut self, harness: &str, words: &str) {
        let said = self.method.entry(harness.to_owned()).or_default();
        if !said.is_empty() {
            said.push_str("; ");
        }
        said.push_str(words);
    }

    /// Names a part that failed, or for which a tool is lacking.
    pub fn lack(&mut self, what: &str, error: &anyhow::Error, lacking: bool) {
        let why = blame(self.step, error, lacking);
        self.missing.insert(what.to_owned(), why);
    }

    pub fn tool(&mut self, name: &str, version: Option<String>) {
        if let Some(version) = version {
            self.tools.insert(name.to_owned(), version);
        }
    }
}

/// Why something is missing, in a line, with what the failing command said last; more of that goes to the terminal.
pub fn blame(step: &Step<'_>, error: &anyhow::Error, lacking: bool) -> String {
    let log = step.read_log();
    let lines: Vec<&str> = log.lines().collect();
    if !lacking {
        let tail = &lines[lines.len().saturating_sub(30)..];
        eprintln!("{}", tail.join("\n"));
    }
    // A file of results is no place for the paths of one machine.
    let root = step.workspace.root.to_string_lossy();
    let target = step.workspace.target.to_string_lossy();
    let neutral = |text: &str| text.replace(&*target, "target").replace(&*root, ".");
    let text = neutral(&format!("{error:#}"));
    let line = text.lines().next().unwrap_or_default();
    // A command is told by its first word; its arguments are many, and in the log.
    match line.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        Some((command, rest)) => {
            let program = command.split(' ').next().unwrap_or_default();
            let last = lines.iter().rev().find(|line| !line.trim().is_empty());
            let said: String = neutral(last.unwrap_or(&"")).chars().take(200).collect();
            format!("`{program}`{rest}; the end of its output: {}", said.trim())
        }
        None => line.to_owned(),
    }
}
