//! What others ask to be handed on with their work that is linked into what ships: their licences, with their names. Each package has it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use cargo_metadata::Package;

use crate::linked::linked;
use crate::python;
use crate::workspace::Workspace;

/// The file with the notices, in the repository and in each package.
pub const FILE: &str = "THIRD-PARTY.txt";

/// Our own licences.
pub const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Where the notices of the command are kept, which is made of more than the libraries are.
pub const OF_COMMAND: &str = "crates/rustbridge-cli/THIRD-PARTY.txt";

/// What the packages of every language have inside.
const LIBRARIES: [&str; 5] = [
    "rustbridge-capi",
    "rustbridge-jni",
    "rustbridge-napi",
    "rustbridge-pyext",
    "empty-plugin",
];

/// How the names of files begin that have to be handed on.
const NAMES: [&str; 6] = [
    "license",
    "licence",
    "copying",
    "copyright",
    "notice",
    "unlicense",
];

/// Who is to be named of packages under MIT's licence that come without a file of it, as the repository has it that they're from.
const NAMED: [(&str, &str); 1] = [(
    "napi-sys",
    "Copyright (c) 2020 LongYinan\nCopyright (c) 2018 GitHub",
)];

/// Writes them, and gives the Python package's folder what it can't take from outside.
pub fn write(workspace: &Workspace) -> Result<()> {
    let root = &workspace.root;
    let put = |path: &str, text: String| {
        fs::write(root.join(path), text).with_context(|| format!("writing {path}"))
    };
    put(FILE, notices(workspace, &LIBRARIES)?)?;
    put(OF_COMMAND, notices(workspace, &["rustbridge-cli"])?)?;
    for file in LICENCES.into_iter().chain([FILE]) {
        let text =
            fs::read_to_string(root.join(file)).with_context(|| format!("reading {file}"))?;
        put(&format!("{}/{file}", python::FOLDER), text)?;
    }
    Ok(())
}

fn notices(workspace: &Workspace, shipped: &[&str]) -> Result<String> {
    let linked = linked(workspace, shipped)?;
    let mut packages: Vec<&Package> = linked
        .keys()
        .map(|id| &workspace.metadata()[id])
        .filter(|package| package.source.is_some())
        .collect();
    packages.sort_by_key(|package| (package.name.to_string(), package.version.clone()));
    let mut said = String::from(
        "What is linked in here and isn't rustbridge's own. Written by `cargo xtask regen`.\n\n\
         The Rust standard library, by the Rust Project's contributors, is licensed under MIT OR Apache-2.0. So is, or as it says, each of these:\n\n",
    );
    // Many have the same text, which is then given once.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("see below");
        said.push_str(&format!("  {name}: {licence}\n"));
        let files = files(package)?;
        if files.is_empty()
            && let Some((_, who)) = NAMED.iter().find(|(one, _)| *package.name == *one)
        {
            texts.entry(mit_of(workspace, who)?).or_default().push(name);
            continue;
        }
        if files.is_empty() {
            // Of those that one may choose from, the one that asks for no name but has a text that we have ourselves.
            ensure!(
                licence.contains("Apache-2.0") && !licence.contains("AND"),
                "{name} has no file with its licence, {licence}: look for its text"
            );
            let text = fs::read_to_string(workspace.root.join(LICENCES[0]))
                .with_context(|| format!("reading {}", LICENCES[0]))?;
            texts.entry(tidied(&text)).or_default().push(name);
            continue;
        }
        for file in files {
            let text =
                fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
            texts.entry(tidied(&text)).or_default().push(name.clone());
        }
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|(_, one), (_, other)| one.cmp(other));
    for (text, names) in texts {
        said.push_str(&format!(
            "\n{}\n{}:\n\n{text}",
            "-".repeat(80),
            names.join(", ")
        ));
    }
    Ok(said)
}

/// The text of MIT's licence, which is ours, with others' names.
fn mit_of(workspace: &Workspace, who: &str) -> Result<String> {
    let text = fs::read_to_string(workspace.root.join(LICENCES[1]))
        .with_context(|| format!("reading {}", LICENCES[1]))?;
    let lines = text.lines().map(|line| match line {
        ours if ours.starts_with("Copyright (c)") => who,
        line => line,
    });
    Ok(tidied(&lines.collect::<Vec<_>>().join("\n")))
}

/// The files that a package asks to be handed on: where one may choose a licence, that of MIT, which is the shortest.
fn files(package: &Package) -> Result<Vec<PathBuf>> {
    let folder = package.manifest_path.parent().context("it has a folder")?;
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {folder}"))? {
        let path = entry.with_context(|| format!("reading {folder}"))?.path();
        let name = name_of(&path);
        if path.is_file() && NAMES.iter().any(|begin| name.starts_with(begin)) {
            found.push(path);
        }
    }
    found.sort();
    let licence = package.license.as_deref().unwrap_or_default();
    let may_choose = licence.contains("MIT") && !licence.contains("AND");
    let is_chosen = |path: &PathBuf| {
        let name = name_of(path);
        name.contains("mit") || name.starts_with("notice") || name.starts_with("copyright")
    };
    if may_choose && found.iter().any(|path| name_of(path).contains("mit")) {
        found.retain(is_chosen);
    }
    Ok(found)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_lowercase()
}

/// A text with ends of lines as ours are, and nothing at them.
fn tidied(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n").trim_matches('\n'))
}
