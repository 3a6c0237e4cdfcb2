//! The hosts of `demo.toml`, and running their lines.

use std::env::{self, consts::EXE_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::lines::Line;
use crate::dotnet::Dotnet;
use crate::files::{self, copy};
use crate::java::{self, Java};
use crate::platforms::{NODE, file_in};
use crate::step::{Missing, Step};
use crate::tools::which;
use crate::workspace::Workspace;
use crate::{go, node, python};

/// Quick to build, and calls cost about what they cost in a release.
pub const PROFILE: &str = "demo";

/// The programs of one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// The name for `--host`.
    pub name: String,
    pub language: String,
    pub packages: [Vec<String>; 2],
    pub needs: [usize; 2],
    #[serde(default)]
    pub nice: u8,
    #[serde(default)]
    pub prepare: Vec<String>,
    pub run: Vec<String>,
    pub typed: Vec<String>,
}

impl Host {
    pub fn all() -> Result<Vec<Host>> {
        #[derive(Deserialize)]
        struct Table {
            hosts: Vec<Host>,
        }
        let table: Table = toml::from_str(include_str!("../../demo.toml"))?;
        Ok(table.hosts)
    }

    /// Whether a person means it.
    pub fn is_called(&self, name: &str) -> bool {
        let names = [&self.name, &self.language];
        names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// A host's run.
pub struct Demo<'a, 'b> {
    pub step: &'a mut Step<'b>,
    /// The output of its programs.
    pub lines: Vec<Line>,
}

impl<'b> Demo<'_, 'b> {
    fn workspace(&self) -> &'b Workspace {
        self.step.workspace
    }

    /// Where hosts build something.
    fn folder(&self) -> PathBuf {
        self.workspace().target.join("xtask").join("demo")
    }

    fn natives(&self) -> PathBuf {
        self.workspace().target.join(PROFILE)
    }

    /// Runs the lines of a phase.
    pub fn run(&mut self, lines: &[String]) -> Result<()> {
        for line in lines {
            let backends: &[&str] = match line {
                line if !line.contains("{backend}") => &[""],
                line if line.contains(": java ") => &["ffm", "jni"],
                _ => python::backends(self.workspace()),
            };
            for backend in backends {
                match line.strip_prefix('?') {
                    Some(line) => drop(self.line(line, backend)),
                    None => self.line(line, backend)?,
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str, backend: &str) -> Result<()> {
        let (kind, line) = line.split_once(": ").unwrap_or(("", line));
        let mut words = line.split(' ');
        let program = words.next().context("a line has a program")?;
        let mut arguments = Vec::new();
        for word in words {
            arguments.extend(self.filled(word, backend)?);
        }
        match program {
            "install-python" => return self.install_python(),
            "compile-node" => return node::compiled(self.step).map(drop),
            "install-node" => return self.install_node(),
            _ => {}
        }
        let mut command = self.command(program, &arguments)?;
        let wanted: &[&str] = match kind {
            "demo" => &["log", "error"],
            "shop" => &["object", "callback", "stream", "cancel", "log"],
            "typed" => &["typed"],
            _ => return self.step.run(&mut command).map(drop),
        };
        self.collect(&mut command, wanted)
    }

    /// Returns the words that a word of a line stands for.
    fn filled(&self, word: &str, backend: &str) -> Result<Vec<String>> {
        let workspace = self.workspace();
        if let Some((folder, ending)) = word.strip_suffix('*').and_then(|it| it.rsplit_once('/')) {
            let mut sources = workspace.files(&[folder])?;
            sources.retain(|path| path.ends_with(&format!(".{ending}")));
            return Ok(sources);
        }
        let natives = self.natives();
        let library = |name: &str| file_in(&natives, name);
        // CMake reads backslashes as escapes.
        let slashes = |path: &Path| path.display().to_string().replace('\\', "/");
        if word == "{bare}" {
            let built = self.folder().join("python-floor");
            let is_extension = |path: &PathBuf| files::name(path).starts_with("floor_extension.");
            let files = files::entries(&built).unwrap_or_default();
            let is_there = backend == "native" && files.iter().any(is_extension);
            return Ok(is_there.then(|| slashes(&built)).into_iter().collect());
        }
        let mut word = word
            .replace("{backend}", backend)
            .replace("{exe}", EXE_SUFFIX);
        for (name, path) in [
            ("{root}", workspace.root.clone()),
            ("{folder}", self.folder()),
            ("{clients}", self.folder().join("clients")),
            ("{natives}", natives.clone()),
            ("{plugin}", library("hello_plugin")),
            ("{shop}", library("shop_plugin")),
            ("{contacts}", library("contacts_plugin")),
            ("{floor}", library("floor")),
            ("{floor-napi}", library("floor-napi")),
        ] {
            word = word.replace(name, &slashes(&path));
        }
        if word.contains("{python}") {
            word = word.replace("{python}", &slashes(python::interpreter(workspace)?));
        }
        Ok(vec![word])
    }

    /// A tool of a language, or a program.
    fn command(&self, program: &str, arguments: &[String]) -> Result<Command> {
        let workspace = self.workspace();
        let natives = self.natives();
        let mut command = match (program, arguments) {
            ("cmake", _) => {
                workspace.command(which("cmake").ok_or_else(|| Missing::tool("CMake"))?)
            }
            ("python", _) => {
                let mut command = workspace.command(python::interpreter(workspace)?);
                let client = self.folder().join("clients/python");
                let path = env::join_paths([self.folder().join("python"), client]);
                command.env("PYTHONPATH", path?);
                command
            }
            ("mvn", _) => {
                let mut maven = Java::find()?.maven_with(workspace, &workspace.root, &natives);
                // The first leaves tests uncompiled. The second is for those that an earlier build compiled: the POM has a `skip` of its own.
                maven.args([
                    "--quiet",
                    "--also-make",
                    "-Dmaven.test.skip=true",
                    "-DskipTests",
                ]);
                maven.args(["-Dmaven.javadoc.skip=true", "-Dmaven.source.skip=true"]);
                maven
            }
            ("javac" | "java", _) => {
                let mut command = workspace.command(Java::find()?.program(program));
                let classes = self.folder().join("java");
                if program == "javac" {
                    command.arg("-d").arg(&classes);
                } else {
                    command.arg("--enable-native-access=ALL-UNNAMED");
                    command.arg(format!("-Drustbridge.library={}", natives.display()));
                }
                let bindings = workspace.root.join(java::FOLDER);
                let modules = ["rustbridge", "rustbridge-ffm", "rustbridge-jni"];
                let modules = modules.map(|module| bindings.join(module).join("target/classes"));
                let path = env::join_paths(modules.into_iter().chain([classes]));
                command.arg("-cp").arg(path.context("making a class path")?);
                command
            }
            ("dotnet", [verb, project, rest @ ..]) if verb == "build" => {
                let mut build = Dotnet::find()?.build(workspace, project);
                build.args(rest);
                return Ok(build);
            }
            ("dotnet", [_, name, rest @ ..]) => {
                let mut run = Dotnet::find()?.run(workspace, name);
                run.args(rest).env("RUSTBRIDGE_LIBRARY", natives);
                return Ok(run);
            }
            ("go", [folder, program]) => return go::build(workspace, folder, Path::new(program)),
            ("node", _) => node::node(self.step)?,
            ("tsc", _) => node::module(self.step, "typescript/bin/tsc")?,
            ("gen", [language]) => {
                let out = self.folder().join("clients").join(language);
                let mut generate =
                    workspace.command(natives.join(format!("rustbridge{EXE_SUFFIX}")));
                generate
                    .args(["gen", "--language", language, "--out"])
                    .arg(out);
                generate.arg(file_in(&natives, "contacts_plugin"));
                return Ok(generate);
            }
            (program, _) => {
                let program = self.filled(program, "")?.concat();
                let mut command = workspace.command(program);
                command.env("RUSTBRIDGE_LIBRARY", &natives);
                command
            }
        };
        command.args(arguments);
        Ok(command)
    }

    /// Puts the package's modules and the extension, or librustbridge if there is none, into a folder for `PYTHONPATH`.
    fn install_python(&mut self) -> Result<()> {
        let workspace = self.workspace();
        let place = self.folder().join("python/rustbridge");
        let sources = format!("{}/src/rustbridge", python::FOLDER);
        for file in workspace.files(&[&sources])? {
            let from = workspace.root.join(&file);
            // A removed file is in git's list until the change is staged.
            if from.is_file() {
                copy(&from, &place.join(Path::new(&file).strip_prefix(&sources)?))?;
            }
        }
        let ending = if cfg!(windows) { "pyd" } else { "abi3.so" };
        let (library, name) = match python::backends(workspace) {
            ["native", ..] => (
                file_in(&self.natives(), "_native"),
                format!("_native.{ending}"),
            ),
            _ => {
                let library = file_in(&self.natives(), "rustbridge");
                let name = files::name(&library);
                (library, name)
            }
        };
        copy(&library, &place.join(name))
    }

    /// Puts the package where Node finds it for the programs in a folder.
    fn install_node(&mut self) -> Result<()> {
        let folder = self.folder().join("node");
        let addon = file_in(&self.natives(), node::ADDON);
        node::installed(self.step, &NODE.here(), &addon)?;
        node::installed_beside(self.workspace(), &folder)?;
        let examples = self.workspace().root.join("examples");
        for name in ["demo", "shop"] {
            let script = examples.join(name).join("node/main.mjs");
            copy(&script, &folder.join(format!("{name}.mjs")))?;
        }
        // By which Node sees that they're modules.
        let manifest = examples.join("contacts/node/package.json");
        copy(&manifest, &folder.join("contacts/package.json"))
    }

    /// Runs a program and keeps its output, each of these kinds among it.
    fn collect(&mut self, command: &mut Command, wanted: &[&str]) -> Result<()> {
        if cfg!(windows) {
            // There a program finds its DLLs by the path.
            let path = env::var_os("PATH").unwrap_or_default();
            let folders = [self.natives()].into_iter().chain(env::split_paths(&path));
            command.env("PATH", env::join_paths(folders)?);
        }
        let output = self.step.run(command)?;
        let before = self.lines.len();
        for line in output.lines().filter(|line| line.starts_with('{')) {
            let line = serde_json::from_str(line).with_context(|| format!("reading {line}"))?;
            self.lines.push(line);
        }
        for wanted in wanted {
            let arrived = |line: &Line| line.kind() == Some(*wanted) && !line.text.is_empty();
            if !self.lines[before..].iter().any(arrived) {
                bail!("no {wanted} arrived in the host");
            }
        }
        Ok(())
    }
}
