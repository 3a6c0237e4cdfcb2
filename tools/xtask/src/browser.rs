//! Finds a browser and starts it without a window.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::setup::packages_of_debian;
use crate::step::{Missing, Step};
use crate::tools::which;
use crate::workspace::Workspace;

/// A browser of the machine; where installing was asked for, Debian's.
pub fn found_or_installed(step: &mut Step<'_>) -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if let Err(error) = packages_of_debian(step, &["chromium"]) {
        step.note(&format!("{error:#}"))?;
    }
    find().ok_or_else(|| {
        Missing("no Chromium, Chrome or Edge; `cargo xtask test --setup` installs one".into())
            .into()
    })
}

/// Chromium, or one of those made of it.
pub fn find() -> Option<PathBuf> {
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
        "msedge",
    ];
    let places = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
        "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    ];
    let on_path = names.iter().find_map(|name| which(name));
    on_path.or_else(|| places.iter().map(PathBuf::from).find(|path| path.is_file()))
}

/// A browser without a window, a profile's past or a wish to reach the network.
pub fn command(workspace: &Workspace, browser: &Path, folder: &Path) -> Command {
    let mut command = workspace.command(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--force-device-scale-factor=1",
    ]);
    command.arg(format!(
        "--user-data-dir={}",
        folder.join("profile").display()
    ));
    command
}

/// A file as a browser is given it.
pub fn address(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{path}")
}
