//! The suites of the Node package: format, lint, types, and tests in Node, Bun and Deno.

use std::collections::BTreeMap;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::counts;
use crate::files;
use crate::node;
use crate::recording::Recording;
use crate::step::Step;

/// What of ours lies elsewhere, from the package's folder.
const EXAMPLES: [&str; 3] = [
    "../examples/contacts/node/main.ts",
    "../examples/demo/node",
    "../examples/shop/node",
];

pub fn format(step: &mut Step<'_>) -> Result<()> {
    node::modules(step)?;
    let mut command = node::module(step, "@biomejs/biome/bin/biome")?;
    command.args(["check", "--write", "."]).args(EXAMPLES);
    step.run(&mut command)?;
    Ok(())
}

pub fn lint(step: &mut Step<'_>) -> Result<()> {
    node::modules(step)?;
    let mut command = node::module(step, "@biomejs/biome/bin/biome")?;
    command.args(["ci", "--colors=off", "--error-on-warnings", "."]);
    step.run(command.args(EXAMPLES))?;
    let mut types = node::module(step, "typescript/bin/tsc")?;
    step.run(types.args(["-p", "test"]))?;
    Ok(())
}

/// The example's folder.
const ROUTES: &str = "examples/routes/node";

/// Looks at whether the generated types are what their generator writes, and then runs what uses them.
pub fn routes(step: &mut Step<'_>) -> Result<()> {
    node::modules_in(step, ROUTES)?;
    let folder = step.workspace.root.join(ROUTES);
    let before = generated(&folder)?;
    // With what was installed: nothing is fetched.
    let mut buf = node::node(step)?;
    buf.args(["node_modules/@bufbuild/buf/bin/buf", "generate"])
        .current_dir(&folder);
    step.run(&mut buf)?;
    let written = generated(&folder)?;
    for (path, text) in &written {
        files::write(path, text)?;
    }
    if written != before {
        bail!(
            "{ROUTES}/gen differs from buf's output for routes.proto: commit the files that it has written there now"
        );
    }
    let release = &step.workspace.natives;
    let mut command = node::node(step)?;
    command
        .args(["--test", "--test-reporter=tap", "--test-timeout=120000"])
        .arg("routes.test.mjs")
        .env("RUSTBRIDGE_PLUGIN_DIR", release)
        .current_dir(&folder);
    step.test(&mut command, counts::node_test)?;
    let library = format!("{DLL_PREFIX}routes_plugin{DLL_SUFFIX}");
    let mut host = node::node(step)?;
    host.arg("host.mjs")
        .arg(release.join(library))
        .current_dir(&folder);
    step.run(&mut host)?;
    Ok(())
}

/// What is generated, ending as the house's files do.
fn generated(folder: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut generated = BTreeMap::new();
    for path in files::entries(&folder.join("gen"))? {
        let text = files::read(&path)?;
        generated.insert(path, format!("{}\n", text.trim_end()));
    }
    Ok(generated)
}

pub fn tests(step: &mut Step<'_>) -> Result<()> {
    let mut command = node::node(step)?;
    // So that tests can have garbage collected; what hangs is ended.
    command.args([
        "--expose-gc",
        "--test",
        "--test-reporter=tap",
        "--test-timeout=900000",
    ]);
    command.args(node::test_files(step)?);
    command.env("RUSTBRIDGE_PLUGIN_DIR", &step.workspace.natives);
    let recording = Recording::here(step, &["node/napi"], &mut command)?;
    step.test(&mut command, counts::node_test)?;
    recording.end(step)
}

/// What the two make of the same few calls.
pub fn others(step: &mut Step<'_>) -> Result<()> {
    let plugins = &step.workspace.natives;
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
            .env("RUSTBRIDGE_PLUGIN_DIR", plugins);
        step.run(&mut command)?;
    }
    Ok(())
}
