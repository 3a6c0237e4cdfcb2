//! What calls the plugin from one language, and what it works with.

use std::env;
use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use super::lines::{Line, What};
use crate::progress::{Progress, seconds};
use crate::step::Step;
use crate::workspace::Workspace;

/// One language's programs.
pub struct Host {
    pub language: &'static str,
    /// `skip ..`, where its toolchain is missing.
    pub title: &'static str,
    /// Builds them, unless that was done for all, and runs them.
    pub run: fn(&mut Demo<'_, '_>) -> Result<()>,
}

/// What a host works with.
pub struct Demo<'a, 'b> {
    pub step: &'a mut Step<'b>,
    pub progress: &'a Progress,
    /// Where CMake has built the C host, and Python's bare calls.
    pub built: PathBuf,
    /// What the programs have said.
    pub lines: Vec<Line>,
}

impl<'b> Demo<'_, 'b> {
    pub fn workspace(&self) -> &'b Workspace {
        self.step.workspace
    }

    /// The library that every host loads.
    pub fn plugin(&self) -> PathBuf {
        self.workspace().cdylib("hello_plugin")
    }

    /// That of the bare calls.
    pub fn floor(&self) -> PathBuf {
        self.workspace().cdylib("floor")
    }

    /// Says what is being done, and afterwards how long it took.
    pub fn stage<T>(&mut self, what: &str, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.progress.begin(what);
        let began = Instant::now();
        let result = work(self);
        let mark = if result.is_ok() { "ok  " } else { "FAIL" };
        self.progress.end(
            what,
            &format!("{mark} {what} ({})", seconds(began.elapsed())),
        );
        result
    }

    /// The library of `examples/shop`.
    pub fn shop(&self) -> PathBuf {
        self.workspace().cdylib("shop_plugin")
    }

    /// The library of `examples/contacts`.
    pub fn contacts(&self) -> PathBuf {
        self.workspace().cdylib("contacts_plugin")
    }

    /// Writes the typed client of `examples/contacts` in a language, and gives the folder of its sources.
    pub fn client(&mut self, language: &str) -> Result<PathBuf> {
        let workspace = self.workspace();
        let out = workspace.target.join("demo").join("clients").join(language);
        let command = workspace
            .target
            .join("release")
            .join(format!("rustbridge{EXE_SUFFIX}"));
        let mut generate = workspace.command(command);
        generate
            .args(["gen", "--language", language, "--out"])
            .arg(&out)
            .arg(self.contacts());
        self.step.run(&mut generate)?;
        Ok(out)
    }

    /// Runs a program of `examples/contacts`, and keeps what it says.
    pub fn collect_contacts(&mut self, command: &mut Command) -> Result<()> {
        self.collect_all(command, &["typed"])
    }

    /// Runs a program that calls and times, and keeps what it says.
    pub fn collect(&mut self, command: &mut Command) -> Result<()> {
        self.collect_all(command, &["log", "error"])
    }

    /// Runs a program of `examples/shop`, and keeps what it says.
    pub fn collect_shop(&mut self, command: &mut Command) -> Result<()> {
        self.collect_all(command, &["object", "callback", "stream", "cancel", "log"])
    }

    /// Runs a program and keeps what it says, each of these kinds among it.
    fn collect_all(&mut self, command: &mut Command, wanted: &[&str]) -> Result<()> {
        if cfg!(windows) {
            // There a program finds its DLLs by the path.
            let mut folders = vec![self.step.workspace.target.join("release")];
            folders.extend(
                env::var_os("PATH")
                    .iter()
                    .flat_map(env::split_paths)
                    .collect::<Vec<PathBuf>>(),
            );
            command.env(
                "PATH",
                env::join_paths(folders).context("a folder on the path has a quote in its name")?,
            );
        }
        let output = self.step.run(command)?;
        let before = self.lines.len();
        for line in output.lines().filter(|line| line.starts_with('{')) {
            self.lines
                .push(serde_json::from_str(line).with_context(|| format!("reading {line}"))?);
        }
        for wanted in wanted {
            let arrived = |line: &Line| match &line.what {
                What::Event { event: kind, text }
                | What::Happened {
                    happened: kind,
                    text,
                    ..
                } => kind == wanted && !text.is_empty(),
                What::Call { .. } => false,
            };
            if !self.lines[before..].iter().any(arrived) {
                bail!("no {wanted} arrived in the host");
            }
        }
        Ok(())
    }
}
