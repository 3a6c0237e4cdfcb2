//! A harness, which measures one language, and its context.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use bench_report::Measure;
use serde::de::DeserializeOwned;

use super::pin::{Bind, Pinning};
use crate::step::Step;
use crate::tools::output;
use crate::workspace::Workspace;

/// One language's tool, or another way for all languages.
pub struct Harness {
    /// As in the catalogue's lanes.
    pub name: &'static str,
    /// As `--only` names it.
    pub language: &'static str,
    /// `measuring ..`
    pub title: &'static str,
    /// The folder or file that has to be in the repository.
    pub folder: &'static str,
    pub build: fn(&mut Job<'_, '_>) -> Result<()>,
    pub measure: fn(&mut Job<'_, '_>) -> Result<()>,
    /// Lists the measures of a full run, a line each, and builds the program for that.
    pub list: fn(&mut Job<'_, '_>) -> Result<String>,
}

/// A harness's context.
pub struct Job<'a, 'b> {
    pub step: &'a mut Step<'b>,
    /// The folder for the tools' own files; empty at the beginning of a run.
    pub folder: &'a Path,
    /// The folder for measures.
    pub rows: &'a Path,
    pub pinning: &'a Pinning,
    pub quick: bool,
    pub peers: bool,
    pub scenario: Option<&'a str>,
    /// Additions to the run's `method` and `tools`.
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

    /// A command with the environment of every harness.
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

    /// Adds to the description of a harness's method.
    pub fn say(&mut self, harness: &str, words: &str) {
        let said = self.method.entry(harness.to_owned()).or_default();
        if !said.is_empty() {
            said.push_str("; ");
        }
        said.push_str(words);
    }

    /// Records a part that failed, or for which a tool is missing.
    pub fn lack(&mut self, what: &str, error: &anyhow::Error, lacking: bool) {
        let why = blame(self.step, error, lacking);
        self.missing.insert(what.to_owned(), why);
    }

    pub fn tool(&mut self, name: &str, version: Option<String>) {
        if let Some(version) = version {
            self.tools.insert(name.to_owned(), version);
        }
    }

    /// Records the version of a program: the first line that it prints.
    pub fn tool_of(&mut self, name: &str, program: Option<&Path>, argument: &str) {
        let text = program.and_then(|program| output(program, &[argument]));
        let line = text.and_then(|text| text.lines().next().map(|line| line.trim().to_owned()));
        self.tool(name, line);
    }

    /// Passes `--quick` and the scenario to a program, which has a name of its own for the latter.
    pub fn choose(&self, command: &mut Command, scenario: &str) {
        if self.quick {
            command.arg("--quick");
        }
        if let Some(name) = self.scenario {
            command.args([scenario, name]);
        }
    }

    /// Writes a harness's measures.
    pub fn write(&self, name: &str, measures: &[Measure]) -> Result<()> {
        let file = self.rows.join(format!("{name}.json"));
        let text = serde_json::to_string(measures).context("writing measures")?;
        fs::write(&file, text).with_context(|| format!("writing {}", file.display()))
    }
}

/// Reads a file that a tool has written.
pub fn json<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))
}

/// The reason of a failure in a line, with the last line of the failing command; the terminal shows more of its output.
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
    // A command's first word is enough: its arguments are in the log.
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
