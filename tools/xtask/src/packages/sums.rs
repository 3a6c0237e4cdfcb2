//! The list of all files of the packages with their checksums.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use sha2::{Digest, Sha256};

use crate::files::{self, below};

/// The list in the folder of packages.
const LIST: &str = "SHA256SUMS";

/// Lists every file of a folder with its SHA-256, as `sha256sum --check` reads it.
pub fn list(folder: &Path) -> Result<()> {
    let mut list = String::new();
    for file in below(folder)? {
        let name = file.strip_prefix(folder).context("it's below the folder")?;
        if name == Path::new(LIST) {
            continue;
        }
        let bytes = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        let sum = Sha256::digest(bytes);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = name.display().to_string().replace('\\', "/");
        list.push_str(&format!("{sum}  {name}\n"));
    }
    files::write(&folder.join(LIST), list)
}

/// Returns the lines that only one of two folders' lists has.
pub fn differing(one: &Path, other: &Path) -> Result<Option<String>> {
    let [one, other] = [one, other].map(|folder| files::read(&folder.join(LIST)));
    let (one, other) = (one?, other?);
    let [one, other]: [BTreeSet<&str>; 2] = [&one, &other].map(|list| list.lines().collect());
    let differing: Vec<&str> = one.symmetric_difference(&other).copied().collect();
    Ok((!differing.is_empty()).then(|| differing.join("\n")))
}
