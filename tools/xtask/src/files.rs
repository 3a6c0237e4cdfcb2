//! Files and folders, with errors that name them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// Makes a folder empty, or creates it.
pub fn emptied(folder: impl Into<PathBuf>) -> Result<PathBuf> {
    let folder = folder.into();
    remove(&folder)?;
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

/// Removes a folder, if it's there.
pub fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    Ok(())
}

/// Copies a file, and makes its folder.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    make_parent(to)?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

/// Writes a file, and makes its folder.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    make_parent(file)?;
    fs::write(file, content).with_context(|| format!("writing {}", file.display()))
}

pub fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))
}

/// Returns the names in a folder, sorted.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths
        .collect::<Result<Vec<_>, _>>()
        .context("reading a folder")?;
    paths.sort();
    Ok(paths)
}

/// Returns the files below a folder, sorted.
pub fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            found.extend(below(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// Returns the last part of a path.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn make_parent(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file has a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))
}
