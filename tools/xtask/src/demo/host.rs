//! What calls the plugin from one language, and what it works with.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::built::{self, Needs};
use super::lines::{Line, What};
use crate::step::Step;
use crate::workspace::Workspace;

/// One language's programs.
pub struct Host {
    /// What `--host` calls it.
    pub name: &'static str,
    pub language: &'static str,
    /// What cargo builds for it beside the plugins, in each of its two commands.
    pub packages: [&'static [&'static str]; 2],
    /// Which of these commands has to be over before `run` and before `run_typed`.
    pub needs: [Needs; 2],
    /// Fetches and builds what doesn't depend on anything that cargo builds.
    pub prepare: fn(&mut Demo<'_, '_>) -> Result<()>,
    /// Runs the programs of `examples/demo` and `examples/shop`.
    pub run: fn(&mut Demo<'_, '_>) -> Result<()>,
    /// Runs that of `examples/contacts`, with a typed client.
    pub run_typed: fn(&mut Demo<'_, '_>) -> Result<()>,
}

impl Host {
    /// Whether a person means it.
    pub fn is_called(&self, name: &str) -> bool {
        [self.name, self.language]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// The package of the command `rustbridge`, which writes typed clients.
pub const CLI: &str = "rustbridge-cli";

/// The package of librustbridge.
pub const CAPI: &str = "rustbridge-capi";

/// What a host works with.
pub struct Demo<'a, 'b> {
    pub step: &'a mut Step<'b>,
    /// What the programs have said.
    pub lines: Vec<Line>,
}

impl<'b> Demo<'_, 'b> {
    pub fn workspace(&self) -> &'b Workspace {
        self.step.workspace
    }

    /// Where a host may build something: nobody else's folder.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.workspace()
            .target
            .join("xtask")
            .join("demo")
            .join(name)
    }

    /// Where the libraries are.
    pub fn natives(&self) -> PathBuf {
        built::folder(self.workspace())
    }

    /// The library that every host loads.
    pub fn plugin(&self) -> PathBuf {
        built::library(self.workspace(), "hello_plugin")
    }

    /// That of the bare calls.
    pub fn floor(&self) -> PathBuf {
        built::library(self.workspace(), "floor")
    }

    /// The library of `examples/shop`.
    pub fn shop(&self) -> PathBuf {
        built::library(self.workspace(), "shop_plugin")
    }

    /// The library of `examples/contacts`.
    pub fn contacts(&self) -> PathBuf {
        built::library(self.workspace(), "contacts_plugin")
    }

    /// Writes the typed client of `examples/contacts` in a language, and gives the folder of its sources.
    pub fn client(&mut self, language: &str) -> Result<PathBuf> {
        let workspace = self.workspace();
        let out = self.folder("clients").join(language);
        let mut generate = workspace.command(built::program(workspace, "rustbridge"));
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
            let mut folders = vec![self.natives()];
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
