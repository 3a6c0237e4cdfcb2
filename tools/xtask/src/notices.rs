//! What others ask to be handed on with their work that is linked into what ships: their licences, with their names. Each package has it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use crate::cargo::Package;
use crate::files;
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

/// Writes them, and copies to the Python package's folder what it can't read from outside.
pub fn write(workspace: &Workspace) -> Result<()> {
    let root = &workspace.root;
    files::write(&root.join(FILE), notices(workspace, &LIBRARIES)?)?;
    files::write(
        &root.join(OF_COMMAND),
        notices(workspace, &["rustbridge-cli"])?,
    )?;
    let mut names = LICENCES.into_iter().chain([FILE]);
    names.try_for_each(|name| files::copy(&root.join(name), &root.join(python::FOLDER).join(name)))
}

fn notices(workspace: &Workspace, shipped: &[&str]) -> Result<String> {
    let linked = linked(workspace, shipped)?;
    let dependencies = workspace.dependencies()?;
    let packages = linked.keys().map(|id| &dependencies[id]);
    let mut packages: Vec<&Package> = packages.filter(|it| it.source.is_some()).collect();
    packages.sort_by_key(|package| (package.name.clone(), package.release()));
    let mut notices = String::from(
        "What is linked in here and isn't rustbridge's own. Written by `cargo xtask regen`.\n\n\
         The Rust standard library, by the Rust Project's contributors, is licensed under MIT OR Apache-2.0. So is, or as it says, each of these:\n\n",
    );
    // Many packages have the same text, which is written once.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("see below");
        notices.push_str(&format!("  {name}: {licence}\n"));
        for text in texts_of(workspace, package, licence)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|(_, one), (_, other)| one.cmp(other));
    for (text, names) in texts {
        let (line, names) = ("-".repeat(80), names.join(", "));
        notices.push_str(&format!("\n{line}\n{names}:\n\n{text}"));
    }
    Ok(notices)
}

/// The texts that a package wants passed on: if there is a choice of licences, that of MIT, which is the shortest.
fn texts_of(workspace: &Workspace, package: &Package, licence: &str) -> Result<Vec<String>> {
    let ours = |name: &str| files::read(&workspace.root.join(name));
    let folder = package.manifest_path.parent().context("it has a folder")?;
    let name_of = |path: &PathBuf| files::name(path).to_lowercase();
    let mut found = files::entries(folder)?;
    found.retain(|path| path.is_file() && NAMES.iter().any(|it| name_of(path).starts_with(it)));
    let is_mit = |path: &PathBuf| name_of(path).contains("mit");
    if licence.contains("MIT") && !licence.contains("AND") && found.iter().any(is_mit) {
        let is_notice = |name: String| name.starts_with("notice") || name.starts_with("copyright");
        found.retain(|path| is_mit(path) || is_notice(name_of(path)));
    }
    if !found.is_empty() {
        return found
            .iter()
            .map(|file| Ok(tidied(&files::read(file)?)))
            .collect();
    }
    if let Some((_, authors)) = NAMED.iter().find(|(name, _)| package.name == *name) {
        let text = ours(LICENCES[1])?;
        let with_authors = |line| {
            if str::starts_with(line, "Copyright (c)") {
                authors
            } else {
                line
            }
        };
        let lines: Vec<&str> = text.lines().map(with_authors).collect();
        return Ok(vec![tidied(&lines.join("\n"))]);
    }
    // The licence that requires no name and whose text we have ourselves.
    ensure!(
        licence.contains("Apache-2.0") && !licence.contains("AND"),
        "{} has no file with its licence, {licence}: look for its text",
        package.name
    );
    Ok(vec![tidied(&ours(LICENCES[0])?)])
}

/// A text with line ends as ours are, and without blanks there.
fn tidied(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n").trim_matches('\n'))
}
