//! `rustbridge build --package`: a program in each language depends on a plugin's package and nothing else of it, and calls it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::making::npm_file;
use super::user::{self, User};
use crate::dotnet;
use crate::files::{self, below, copy};
use crate::python;
use crate::step::Step;

/// The output of every program.
const SAID: &str = "Hallo, Ada!";

/// The package managers, each with the folder of our packages that it takes.
const KINDS: [(&str, &str); 4] = [
    ("java", "maven"),
    ("csharp", "nuget"),
    ("node", "node"),
    ("python", "python"),
];

/// Adds to a plugin's manifest the names that packages need.
pub fn prepare(project: &Path) -> Result<()> {
    let manifest = project.join("Cargo.toml");
    let text = files::read(&manifest)?;
    let text = text.replacen("[package]\n", "[package]\nlicense = \"MIT\"\n", 1);
    let framework = dotnet::newest_framework();
    let names = format!(
        "\n[package.metadata.rustbridge.package]\njava = {{ group = \"com.example\" }}\ncsharp = {{ framework = \"{framework}\" }}\n"
    );
    files::write(&manifest, text + &names)
}

/// Makes the packages of the user's project, and runs the programs of `tools/xtask/packages/depends`.
pub fn check(step: &mut Step<'_>, user: &User<'_>, folder: &Path) -> Result<()> {
    let is_made = |(_, ours): &&(&str, &str)| user.packages.join(ours).is_dir();
    let kinds: Vec<&str> = KINDS
        .iter()
        .filter(is_made)
        .map(|(kind, _)| *kind)
        .collect();
    let made = user.folder.join("target/packages");
    if kinds.contains(&"node") {
        // The client's compiler was fetched for the tests.
        let work = made.join("build/node");
        fs::create_dir_all(&work).context("making a folder")?;
        user::lock_node(step.workspace, &work)?;
    }
    let mut build = user.rustbridge(step)?;
    step.run(build.args(["build", "--package", &kinds.join(",")]))?;
    let sources = step.workspace.root.join("tools/xtask/packages/depends");
    for kind in kinds {
        let place = folder.join(kind);
        let source = sources.join(kind);
        for file in below(&source)? {
            let name = file
                .strip_prefix(&source)
                .context("it's below the folder")?;
            copy(&file, &place.join(name))?;
        }
        let user = User {
            folder: &place,
            ..*user
        };
        let said = run(step, &user, kind, &made.join(kind))?;
        let problem = (!said.contains(SAID)).then_some(said);
        step.check(
            &format!("a program depends on a plugin's package alone, in {kind}"),
            problem,
        )?;
    }
    Ok(())
}

/// Installs the plugin's package and runs the program.
fn run(step: &mut Step<'_>, user: &User<'_>, kind: &str, made: &Path) -> Result<String> {
    let ours = user.packages;
    let command = |step: &Step<'_>, program: &Path| -> Result<std::process::Command> {
        let mut command = user.command(step, program)?;
        let framework = dotnet::newest_framework();
        command
            .env("OURS", ours)
            .env("MADE", made)
            .env("FRAMEWORK", framework);
        Ok(command)
    };
    match kind {
        "java" => {
            let mut run = command(step, Path::new("mvn"))?;
            step.run(run.args(["-q", "compile", "exec:exec"]))
        }
        "csharp" => step.run(command(step, Path::new("dotnet"))?.arg("run")),
        "node" => {
            let mut install = command(step, Path::new("npm"))?;
            install
                .args(["install", "--offline", "--no-audit", "--no-fund"])
                // Its cache would keep the package of another day, which has the same version.
                .arg("--cache")
                .arg(user.folder.join("cache"))
                .arg(ours.join("node").join(npm_file()))
                .arg(made.join("first-minute-0.1.0.tgz"));
            step.run(&mut install)?;
            step.run(command(step, Path::new("node"))?.arg("main.mjs"))
        }
        _ => {
            let python = python::interpreter(step.workspace)?;
            let mut install = command(step, python)?;
            install
                .args(["-m", "pip", "install", "--quiet", "--no-index"])
                .args(["--disable-pip-version-check", "--target", "site"])
                .arg("--find-links")
                .arg(ours.join("python"))
                .arg("--find-links")
                .arg(made)
                .arg("first-minute==0.1.0");
            step.run(&mut install)?;
            // An installed package would be found before one on the path.
            let mut run = command(step, python)?;
            step.run(run.args(["-S", "main.py"]).env("PYTHONPATH", "site"))
        }
    }
}
