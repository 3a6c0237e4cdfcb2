//! Node's modules and the package that is built of them, in the binding's folder.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};

use crate::files;
use crate::platforms::NODE;
use crate::step::{Missing, Step};
use crate::tools::{Version, output, show, version_in, which};
use crate::workspace::Workspace;

/// The binding's folder.
pub const FOLDER: &str = "rustbridge-node";

/// The addon's package.
pub const ADDON: &str = "rustbridge-napi";

/// What the package has it as, in a folder of its platform's.
pub const FILE: &str = "rustbridge.node";

/// The oldest Node that the binding supports; its `package.json` says the same.
const OLDEST: Version = [20, 0, 0];

/// The machine's Node, if it's new enough.
pub fn found() -> Option<(PathBuf, Version)> {
    let path = which("node")?;
    let version = version_in(&output(&path, &["--version"])?)?;
    (version >= OLDEST).then_some((path, version))
}

/// The same, which is missing otherwise.
pub fn program() -> Result<(PathBuf, Version)> {
    let missing = || {
        Missing(format!(
            "no Node {} or later; `cargo xtask doctor` shows how to get it",
            show(OLDEST)
        ))
    };
    Ok(found().ok_or_else(missing)?)
}

/// A command of Node's in the binding's folder.
pub fn node(step: &Step<'_>) -> Result<Command> {
    let (path, _) = program()?;
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

/// Held while modules are installed and the package is compiled: suites of one run may ask for that at the same time, and have one
/// folder for each.
static AT_IT: Mutex<()> = Mutex::new(());

/// Installs what the binding's lock file names, if it isn't there.
pub fn modules(step: &mut Step<'_>) -> Result<()> {
    modules_in(step, FOLDER)
}

/// Installs what a folder's lock file names, if it isn't there.
pub fn modules_in(step: &mut Step<'_>, folder: &str) -> Result<()> {
    let _alone = AT_IT.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, version) = program()?;
    let folder = step.workspace.root.join(folder);
    let lock = folder.join("package-lock.json");
    let text = files::read(&lock)?;
    let mut hasher = DefaultHasher::new();
    (version, text).hash(&mut hasher);
    let wanted = format!("{:016x}", hasher.finish());
    let stamp = folder.join("node_modules").join("rustbridge-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    let mut install = npm(step)?;
    install
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(&folder);
    step.run(&mut install)?;
    files::write(&stamp, wanted)
}

/// npm, which comes with Node.
pub fn npm(step: &Step<'_>) -> Result<Command> {
    let npm = which("npm").ok_or_else(|| Missing("no npm, which comes with Node".to_owned()))?;
    Ok(step.workspace.command(npm))
}

/// Compiles the package in a folder of the target's, which keeps what is needed to do nothing where nothing has changed, and gives that of the
/// scripts and types. What an earlier compilation has left of other sources may be there, too.
pub fn compiled(step: &mut Step<'_>) -> Result<PathBuf> {
    modules(step)?;
    let _alone = AT_IT.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = step.workspace.target.join("xtask").join("node");
    let scripts = folder.join("dist");
    // Without the scripts it would be said that there's nothing to do.
    if !scripts.is_dir() {
        files::remove(&folder)?;
    }
    let mut compile = module(step, "typescript/bin/tsc")?;
    compile
        .args(["-p", ".", "--incremental", "--outDir"])
        .arg(&scripts)
        .arg("--tsBuildInfoFile")
        .arg(folder.join("compiled.json"));
    step.run(&mut compile)?;
    Ok(scripts)
}

/// Compiles the package, and puts the addon that this command's programs load where the package looks for it.
pub fn install(step: &mut Step<'_>) -> Result<()> {
    let addon = step.workspace.cdylib(ADDON);
    installed(step, &NODE.here(), &addon)
}

/// The same with an addon for a system as Node names it.
pub fn installed(step: &mut Step<'_>, platform: &str, addon: &Path) -> Result<()> {
    let scripts = compiled(step)?;
    let _alone = AT_IT.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = step.workspace.root.join(FOLDER);
    copy_all(&scripts, &folder.join("dist"))?;
    copy(addon, &folder.join("native").join(platform), FILE)
}

/// The files of tests. Node would run every other file next to them as one of them.
pub fn test_files(step: &Step<'_>) -> Result<Vec<PathBuf>> {
    let mut files = files::entries(&step.workspace.root.join(FOLDER).join("test"))?;
    files.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    Ok(files)
}

/// Puts the package where Node finds it for programs in a folder.
pub fn installed_beside(workspace: &Workspace, folder: &Path) -> Result<()> {
    let ours = workspace.root.join(FOLDER);
    let place = folder.join("node_modules").join("rustbridge");
    for name in ["package.json", "bundled.mjs", "index.mjs", "typed.mjs"] {
        copy(&ours.join(name), &place, name)?;
    }
    for part in ["dist", "native"] {
        copy_all(&ours.join(part), &place.join(part))?;
    }
    Ok(())
}

/// Copies the files of a folder into another, whatever else is there.
pub fn copy_all(from: &Path, to: &Path) -> Result<()> {
    for file in files::below(from)? {
        let place = to.join(file.strip_prefix(from).context("it's below the folder")?);
        let folder = place.parent().context("a file has a folder")?;
        copy(&file, folder, &files::name(&place))?;
    }
    Ok(())
}

/// Copies a file to a name in a folder. An existing file isn't overwritten but replaced: another program may have it mapped.
fn copy(from: &Path, folder: &Path, name: &str) -> Result<()> {
    let place = folder.join(name);
    let fresh = folder.join(format!("{name}.new"));
    files::copy(from, &fresh)?;
    fs::rename(&fresh, &place).with_context(|| format!("writing {}", place.display()))
}
