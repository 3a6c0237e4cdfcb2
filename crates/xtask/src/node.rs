//! Node's modules and the package that is built of them, in the binding's folder.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::step::{Missing, Step};
use crate::tools::{Version, output, show, version_in, which};
use crate::workspace::Workspace;

/// The binding's folder.
pub const FOLDER: &str = "rustbridge-node";

/// The addon's package.
const ADDON: &str = "rustbridge-napi";

/// The oldest Node that the binding supports; its `package.json` says the same.
const OLDEST: Version = [20, 0, 0];

/// The machine's Node, if it's new enough.
pub fn found() -> Option<(PathBuf, Version)> {
    let path = which("node")?;
    let version = version_in(&output(&path, &["--version"])?)?;
    (version >= OLDEST).then_some((path, version))
}

fn missing() -> Missing {
    Missing(format!(
        "no Node {} or later; `cargo xtask doctor` says how to get it",
        show(OLDEST)
    ))
}

/// A command of Node's in the binding's folder.
pub fn node(step: &Step<'_>) -> Result<Command> {
    let (path, _) = found().ok_or_else(missing)?;
    let mut command = step.workspace.command(path);
    command.current_dir(step.workspace.root.join(FOLDER));
    Ok(command)
}

/// A command that a module brings, which is a script for Node.
pub fn module(step: &Step<'_>, script: &str) -> Result<Command> {
    let mut command = node(step)?;
    let folder = step.workspace.root.join(FOLDER).join("node_modules");
    command.arg(folder.join(script));
    Ok(command)
}

/// Installs what the binding's lock file names, if it isn't there.
pub fn modules(step: &mut Step<'_>) -> Result<()> {
    modules_in(step, FOLDER)
}

/// Installs what a folder's lock file names, if it isn't there.
pub fn modules_in(step: &mut Step<'_>, folder: &str) -> Result<()> {
    let (_, version) = found().ok_or_else(missing)?;
    let folder = step.workspace.root.join(folder);
    let lock = folder.join("package-lock.json");
    let text = fs::read_to_string(&lock).with_context(|| format!("reading {}", lock.display()))?;
    let mut hasher = DefaultHasher::new();
    (version, text).hash(&mut hasher);
    let wanted = format!("{:016x}", hasher.finish());
    let stamp = folder.join("node_modules").join("rustbridge-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    let npm = which("npm").ok_or_else(|| Missing("no npm, which comes with Node".to_owned()))?;
    let mut install = step.workspace.command(npm);
    install
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(&folder);
    step.run(&mut install)?;
    fs::write(&stamp, wanted).with_context(|| format!("writing {}", stamp.display()))
}

/// Compiles the package, and puts the addon of the release build where the package looks for it.
pub fn install(step: &mut Step<'_>) -> Result<()> {
    modules(step)?;
    let mut compile = module(step, "typescript/bin/tsc")?;
    step.run(compile.args(["-p", "."]))?;
    let folder = step
        .workspace
        .root
        .join(FOLDER)
        .join("native")
        .join(platform());
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let place = folder.join("rustbridge.node");
    // Not written over: another program may have it mapped.
    let fresh = folder.join("rustbridge.node.new");
    let built = library(step.workspace);
    fs::copy(&built, &fresh).with_context(|| format!("copying {}", built.display()))?;
    fs::rename(&fresh, &place).with_context(|| format!("writing {}", place.display()))
}

/// The addon as cargo calls it.
fn library(workspace: &Workspace) -> PathBuf {
    let name = format!(
        "{}{}{}",
        std::env::consts::DLL_PREFIX,
        ADDON.replace('-', "_"),
        std::env::consts::DLL_SUFFIX
    );
    workspace.target.join("release").join(name)
}

/// This system as Node names it.
fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{machine}")
}
