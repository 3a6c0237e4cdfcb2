//! The suites of the Node package: format, lint, types, and tests in Node, Bun and Deno.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::bench;
use crate::counts;
use crate::demo;
use crate::doctor::Tool;
use crate::language::Language;
use crate::node;
use crate::recording::Recording;
use crate::step::Step;
use crate::suite::{Lane, Suite};
use crate::tools::show;

/// What xtask knows of it.
pub const LANGUAGE: Language = Language {
    format: &[Suite {
        name: "biome",
        about: "",
        lane: Lane::Free,
        after: &[],
        run: format,
    }],
    // Its types are those of the package as it's compiled, so it comes among the tests.
    lint: &[],
    test: &[
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
    ],
    list: Suite {
        name: "catalogue-node",
        about: "the Node benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Free,
        after: &[],
        run: |step| bench::check_list(step, &bench::NODE),
    },
    harness: &bench::NODE,
    demo: &demo::NODE,
    soak: &[],
    tools: &[Tool {
        name: "Node",
        found: |_| {
            let (path, version) = node::found()?;
            Some((show(version), path.display().to_string()))
        },
        needed_for: "Node binding (20 or later), demo; Bun and Deno come from npm",
        required: true,
        get: [
            "https://nodejs.org, or `apt install nodejs npm` where that is new enough",
            "brew install node",
            "winget install OpenJS.NodeJS.LTS",
        ],
    }],
};

/// What of ours lies elsewhere, from the package's folder.
const EXAMPLES: [&str; 3] = [
    "../examples/contacts/node/main.ts",
    "../examples/demo/node",
    "../examples/shop/node",
];

fn format(step: &mut Step<'_>) -> Result<()> {
    node::modules(step)?;
    let mut command = node::module(step, "@biomejs/biome/bin/biome")?;
    command.args(["check", "--write", "."]).args(EXAMPLES);
    step.run(&mut command)?;
    Ok(())
}

fn lint(step: &mut Step<'_>) -> Result<()> {
    node::modules(step)?;
    let mut command = node::module(step, "@biomejs/biome/bin/biome")?;
    command.args(["ci", "--colors=off", "--error-on-warnings", "."]);
    step.run(command.args(EXAMPLES))?;
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
