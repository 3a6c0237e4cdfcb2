use std::path::PathBuf;

use anyhow::Result;

use crate::counts;
use crate::step::{Missing, Step};
use crate::tools::{find_cc, find_cxx, which};

/// The folders with a CMakeLists.txt whose tests CTest runs.
const PROJECTS: &[&str] = &["crates/rustbridge-capi"];

pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let projects: Vec<&str> = PROJECTS
        .iter()
        .copied()
        .filter(|folder| step.workspace.has(&format!("{folder}/CMakeLists.txt")))
        .collect();
    if projects.is_empty() {
        return Ok(());
    }
    let cmake = which("cmake")
        .ok_or_else(|| Missing("no CMake; `cargo xtask doctor` says how to get it".into()))?;
    find_cc()
        .and(find_cxx())
        .ok_or_else(|| Missing("no C and C++ compiler".into()))?;
    for folder in projects {
        project(step, &cmake, folder)?;
    }
    Ok(())
}

fn project(step: &mut Step<'_>, cmake: &PathBuf, folder: &str) -> Result<()> {
    let workspace = step.workspace;
    let build = workspace
        .target
        .join("cmake")
        .join(folder.replace('/', "-"));
    let mut configure = workspace.command(cmake);
    configure
        .arg("-S")
        .arg(workspace.root.join(folder))
        .arg("-B")
        .arg(&build);
    configure.arg("-DCMAKE_BUILD_TYPE=RelWithDebInfo");
    configure.arg(format!(
        "-DRUSTBRIDGE_LIBRARY_DIR={}",
        workspace.target.join("release").display()
    ));
    step.run(&mut configure)?;
    let jobs = workspace.cores.to_string();
    let mut compile = workspace.command(cmake);
    step.run(compile.arg("--build").arg(&build).args([
        "--config",
        "RelWithDebInfo",
        "--parallel",
        &jobs,
    ]))?;
    let mut test =
        workspace.command(cmake.with_file_name(if cfg!(windows) { "ctest.exe" } else { "ctest" }));
    test.arg("--test-dir").arg(&build).args([
        "-C",
        "RelWithDebInfo",
        "--output-on-failure",
        "--no-tests=error",
    ]);
    step.test(&mut test, counts::ctest)
}
