//! `xtask demo`: one plugin, called from every language, beside bare calls.

mod c;
mod csharp;
mod go;
mod host;
mod java;
mod lines;
mod node;
mod python;
mod rust;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use crate::progress::Progress;
use crate::python as environment;
use crate::step::{Missing, Step};
use crate::tools::which;
use crate::workspace::Workspace;

pub use c::HOST as C;
pub use csharp::HOST as CSHARP;
pub use go::HOST as GO;
pub use host::Host;
pub use java::HOST as JAVA;
pub use node::HOST as NODE;
pub use python::HOST as PYTHON;
pub use rust::HOST as RUST;

use host::Demo;
use lines::{Line, render};

/// Calls the plugin from the languages of these hosts, in their order.
pub fn run(workspace: &Workspace, hosts: &[&'static Host]) -> Result<ExitCode> {
    println!(
        "One plugin (plugins/hello-plugin, Rust) loaded and called by programs in {}.",
        listed(hosts)
    );
    println!(
        "Each timed call takes turns with a bare call to a hand-written function that does the same work.\n"
    );
    let progress = Progress::start();
    let mut step = Step::start(workspace, "demo")?;
    let result = build_and_run(&mut step, &progress, hosts);
    drop(progress);
    match result {
        Ok(lines) => {
            print!("{}", render(&lines, io::stdout().is_terminal()));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprint!("{}", step.read_log());
            Err(error)
        }
    }
}

/// The languages, as in a sentence.
fn listed(hosts: &[&Host]) -> String {
    let names: Vec<&str> = hosts.iter().map(|host| host.language).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.join(""),
    }
}

fn build_and_run(
    step: &mut Step<'_>,
    progress: &Progress,
    hosts: &[&'static Host],
) -> Result<Vec<Line>> {
    let workspace = step.workspace;
    let cmake = cmake()?;
    let mut demo = Demo {
        built: workspace.target.join("cmake").join("demo"),
        step,
        progress,
        lines: Vec::new(),
    };
    demo.stage(
        "building the plugins and librustbridge in release mode",
        |demo| {
            // One by one, so that no package is built with the features that another one asks for.
            for package in [
                "hello-plugin",
                "shop-plugin",
                "contacts-plugin",
                "rustbridge-cli",
                "rustbridge-capi",
                "floor",
                "demo-host",
                "shop-host",
                "contacts-host",
            ] {
                let mut build = workspace.cargo();
                demo.step.run(build.args([
                    "build",
                    "--locked",
                    "--release",
                    "--package",
                    package,
                ]))?;
            }
            Ok(())
        },
    )?;
    // CMake builds Python's bare calls, too, for the interpreter that will load them.
    demo.stage(
        "installing the Python package into the target folder",
        |demo| environment::install_package(demo.step),
    )?;
    demo.stage("building the C hosts", |demo| build_c(demo, &cmake))?;
    for host in hosts {
        match (host.run)(&mut demo) {
            Err(why) if why.is::<Missing>() => {
                progress.say(&format!("skip {}: {why}", host.title));
            }
            result => result?,
        }
    }
    Ok(demo.lines)
}

/// The program that builds the C and C++ hosts.
fn cmake() -> Result<PathBuf> {
    let missing = || {
        Missing(
            "no CMake, which builds the C hosts; `cargo xtask doctor` says how to get it".into(),
        )
    };
    Ok(which("cmake").ok_or_else(missing)?)
}

fn build_c(demo: &mut Demo<'_, '_>, cmake: &Path) -> Result<()> {
    let python = environment::program(demo.workspace(), "python");
    let python = format!("-DPython3_EXECUTABLE={}", slashes(&python));
    let build = demo.built.clone();
    build_by(demo, cmake, "examples/demo", &build, &[python])
}

/// Builds the programs of a folder in release mode.
fn build_by(
    demo: &mut Demo<'_, '_>,
    cmake: &Path,
    source: &str,
    build: &Path,
    definitions: &[String],
) -> Result<()> {
    let workspace = demo.workspace();
    let mut configure = workspace.command(cmake);
    configure
        .arg("-S")
        .arg(workspace.root.join(source))
        .arg("-B")
        .arg(build)
        .arg("-DCMAKE_BUILD_TYPE=Release")
        .arg(format!(
            "-DRUSTBRIDGE_LIBRARY_DIR={}",
            slashes(&workspace.target.join("release"))
        ))
        .args(definitions);
    demo.step.run(&mut configure)?;
    demo.step.run(
        workspace
            .command(cmake)
            .arg("--build")
            .arg(build)
            .args(["--config", "Release"]),
    )?;
    Ok(())
}

/// CMake takes backslashes for escapes.
fn slashes(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_listed_as_in_a_sentence() {
        assert_eq!(listed(&[&C, &RUST, &PYTHON]), "C, Rust and Python");
        assert_eq!(listed(&[&C]), "C");
    }
}
