//! The suites of the Node package: format, lint, types, and tests in Node, Bun and Deno.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::counts;
use crate::doctor::Tool;
use crate::node;
use crate::recording::Recording;
use crate::step::Step;
use crate::suite::{Lane, Suite};
use crate::tools::show;

/// What `fmt` runs.
pub const FORMAT: Suite = Suite {
    name: "biome",
    about: "",
    lane: Lane::Free,
    after: &[],
    run: format,
};

/// What `test` runs.
pub const SUITES: [Suite; 4] = [
    Suite {
        name: "node-install",
        about: "the Node package: its modules, TypeScript and the addon",
        lane: Lane::Free,
        after: &["release"],
        run: node::install,
    },
    Suite {
        name: "node-lint",
        about: "biome's lint and format, and the types by `tsc --strict`",
        lane: Lane::Free,
        after: &["node-install"],
        run: lint,
    },
    Suite {
        name: "node",
        about: "the Node tests, and the conformance cases in Node",
        lane: Lane::Free,
        after: &["node-install"],
        run: tests,
    },
    Suite {
        name: "node-others",
        about: "the package in Bun and in Deno",
        lane: Lane::Free,
        after: &["node-install"],
        run: others,
    },
];

/// What they need on the machine.
pub const TOOL: Tool = Tool {
    name: "Node",
    found: |_| {
        let (path, version) = node::found()?;
        Some((show(version), path.display().to_string()))
    },
    needed_for: "Node binding (20 or later); Bun and Deno come from npm",
    required: true,
    get: [
        "https://nodejs.org, or `apt install nodejs npm` where that is new enough",
        "brew install node",
        "winget install OpenJS.NodeJS.LTS",
    ],
};

fn format(step: &mut Step<'_>) -> Result<()> {
    node::modules(step)?;
    let mut command = node::module(step, "@biomejs/biome/bin/biome")?;
    step.run(command.args(["check", "--write", "."]))?;
    Ok(())
}

fn lint(step: &mut Step<'_>) -> Result<()> {
    node::modules(step)?;
    let mut command = node::module(step, "@biomejs/biome/bin/biome")?;
    step.run(command.args(["ci", "--colors=off", "--error-on-warnings", "."]))?;
    let mut types = node::module(step, "typescript/bin/tsc")?;
    step.run(types.args(["-p", "test"]))?;
    Ok(())
}

fn tests(step: &mut Step<'_>) -> Result<()> {
    let mut command = node::node(step)?;
    // So that tests can have garbage collected; what hangs is ended.
    command.args([
        "--expose-gc",
        "--test",
        "--test-reporter=tap",
        "--test-timeout=900000",
    ]);
    command.args(files(step)?);
    command.env(
        "RUSTBRIDGE_PLUGIN_DIR",
        step.workspace.target.join("release"),
    );
    let recording = Recording::here(step, &["node/napi"], &mut command)?;
    step.test(&mut command, counts::node_test)?;
    recording.end(step)
}

/// The files of tests: what else lies beside them, Node would run as one of them.
fn files(step: &Step<'_>) -> Result<Vec<PathBuf>> {
    let folder = step.workspace.root.join(node::FOLDER).join("test");
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// What the two make of the same few calls.
fn others(step: &mut Step<'_>) -> Result<()> {
    let plugins = step.workspace.target.join("release");
    for (script, arguments) in [
        ("bun/bin/bun.exe", &["test/smoke.mjs"][..]),
        ("deno/bin.cjs", &["run", "--allow-all", "test/smoke.mjs"]),
    ] {
        let mut command = node::module(step, script)?;
        if script.starts_with("bun") {
            let program = step.workspace.root.join(node::FOLDER).join("node_modules");
            let folder = step.workspace.root.join(node::FOLDER);
            command = step.workspace.command(program.join(script));
            command.current_dir(folder);
        }
        command
            .args(arguments)
            .env("RUSTBRIDGE_PLUGIN_DIR", &plugins);
        step.run(&mut command)?;
    }
    Ok(())
}
