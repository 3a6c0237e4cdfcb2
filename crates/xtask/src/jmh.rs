//! The Java benchmarks: building their jar, running it, and the first load of a fresh JVM.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::java::{self, Java};
use crate::rows;
use crate::step::Step;
use crate::workspace::Workspace;

/// The benchmarks' module.
pub const FOLDER: &str = "rustbridge-java/rustbridge-benchmarks";

/// The backends.
const TRANSPORTS: [&str; 2] = ["ffm", "jni"];

const FIRST_LOAD: &str = "first load and call of a fresh JVM";

fn jar(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FOLDER).join("target/benchmarks.jar")
}

/// Makes benchmarks.jar; the natives are there already.
pub fn build(step: &mut Step<'_>, java: &Java) -> Result<()> {
    let mut command = java.maven(step.workspace, &step.workspace.root);
    let module = FOLDER
        .trim_start_matches(java::FOLDER)
        .trim_start_matches('/');
    command
        .args(["--quiet", "--also-make", "--projects", module])
        .args(["-DskipTests", "-Dmaven.javadoc.skip", "package"]);
    step.run(&mut command)?;
    Ok(())
}

/// Runs them and writes rows.
pub fn measure(
    step: &mut Step<'_>,
    java: &Java,
    folder: &Path,
    row_folder: &Path,
    quick: bool,
) -> Result<()> {
    let workspace = step.workspace;
    let natives = workspace.target.join("release");
    let result = folder.join("jmh.json");
    let program = || {
        let mut command = workspace.command(java.program("java"));
        command.env("RUSTBRIDGE_PLUGIN_DIR", &natives);
        command
    };
    let mut command = program();
    command
        .arg("-jar")
        .arg(jar(workspace))
        .arg("--result")
        .arg(&result);
    if quick {
        command.arg("--quick");
    }
    step.run(&mut command)?;
    let mut all = rows::from_jmh(&result)?;
    for transport in TRANSPORTS {
        let mut times = Vec::new();
        for _ in 0..if quick { 3 } else { 9 } {
            let mut command = program();
            command
                .arg("--enable-native-access=ALL-UNNAMED")
                .arg("-cp")
                .arg(jar(workspace))
                .args(["io.github.rustbridge.benchmarks.FirstLoad", transport]);
            let said = step.run(&mut command)?;
            // Whatever the JVM may warn of beside it.
            let time = said.lines().find_map(|line| line.parse::<f64>().ok());
            times.push(time.with_context(|| format!("FirstLoad says `{}`", said.trim()))?);
        }
        let ns = rows::median(&times).context("nothing was measured")?;
        all.push(rows::row(
            FIRST_LOAD, "java", transport, 1, ns, None, "nanoTime",
        ));
    }
    rows::write(&row_folder.join("java.json"), &all)
}
