//! Checksums: those that Maven wants beside each file, and a list of all there is.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The list in the folder of packages.
const LIST: &str = "SHA256SUMS";

/// Writes a file's SHA-1 beside it, by which Maven sees that it has read all of it.
pub fn sha1_beside(file: &Path) -> Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".sha1");
    let beside = PathBuf::from(beside);
    let sum = hex(&Sha1::digest(read(file)?));
    fs::write(&beside, sum).with_context(|| format!("writing {}", beside.display()))
}

/// Lists every file of a folder with its SHA-256, as `sha256sum --check` reads it.
pub fn list(folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    super::making::names(folder, "", &mut files)?;
    files.retain(|file| file != LIST);
    files.sort();
    let mut list = String::new();
    for file in files {
        let sum = hex(&Sha256::digest(read(&folder.join(&file))?));
        list.push_str(&format!("{sum}  {file}\n"));
    }
    let place = folder.join(LIST);
    fs::write(&place, list).with_context(|| format!("writing {}", place.display()))
}

/// What was listed.
pub fn read_list(folder: &Path) -> Result<String> {
    let place = folder.join(LIST);
    fs::read_to_string(&place).with_context(|| format!("reading {}", place.display()))
}

/// What differs between two lists, if anything does.
pub fn differing(one: &str, other: &str) -> Option<String> {
    let alone = |one: &str, other: &str| {
        let lines = one
            .lines()
            .filter(|line| !other.lines().any(|has| has == *line));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let both = alone(one, other) + &alone(other, one);
    (!both.is_empty()).then_some(both)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("reading {}", file.display()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::making::emptied;
    use crate::workspace::Workspace;

    #[test]
    fn sums_are_those_that_the_usual_tools_make() {
        let workspace = Workspace::find().expect("the workspace is there");
        let folder = emptied(workspace.target.join("xtask").join("self-test-sums"))
            .expect("a folder can be made");
        let file = folder.join("abc.txt");
        fs::write(&file, "abc").expect("a file can be written");
        sha1_beside(&file).expect("it can be read");
        let beside = fs::read_to_string(folder.join("abc.txt.sha1")).expect("it's there");
        assert_eq!(beside, "a9993e364706816aba3e25717850c26c9cd0d89d");
        list(&folder).expect("it can be read");
        let listed = fs::read_to_string(folder.join(LIST)).expect("it's there");
        assert!(
            listed.starts_with(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc.txt\n"
            ),
            "{listed}"
        );
        assert_eq!(listed.lines().count(), 2);
    }
}
