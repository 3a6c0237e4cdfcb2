//! Circles: files and rooms that all depend on one another, so that none can be read before the others.

mod graph;
mod modules;
mod rust;

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context as _, Result};
use cargo_metadata::{Metadata, TargetKind};

use self::graph::{Circle, Graph};
use self::modules::Modules;
use super::source::{Exceptions, Source};

/// Circles outside of the exceptions, and exceptions that aren't needed.
pub fn findings(
    metadata: &Metadata,
    sources: &[Source],
    exceptions: &Exceptions,
) -> Result<Vec<String>> {
    let mut found = all(metadata, sources, false)?;
    let mut findings = Vec::new();
    for name in exceptions.circles.keys() {
        if found.remove(name).is_none_or(|circles| circles.is_empty()) {
            findings.push(format!("{name} has no circle and needs no exception"));
        }
    }
    findings.extend(found.into_values().flatten());
    Ok(findings)
}

/// What of each crate forms a circle. `whole` names every edge within one, not only the
/// shortest way around.
pub fn all(
    metadata: &Metadata,
    sources: &[Source],
    whole: bool,
) -> Result<BTreeMap<String, Vec<String>>> {
    let texts: HashMap<&str, &str> = sources
        .iter()
        .map(|source| (&*source.path, &*source.text))
        .collect();
    let read = |path: &str| texts.get(path).map(|&text| text.to_owned());
    let mut found = BTreeMap::new();
    for package in metadata.workspace_packages() {
        let mut circles = Vec::new();
        let shipped = |kind: &TargetKind| {
            !matches!(
                kind,
                TargetKind::Bench
                    | TargetKind::CustomBuild
                    | TargetKind::Example
                    | TargetKind::Test
            )
        };
        let targets = package.targets.iter();
        for target in targets.filter(|target| target.kind.iter().all(shipped)) {
            let root = target
                .src_path
                .strip_prefix(&metadata.workspace_root)
                .with_context(|| format!("{} lies outside of the workspace", target.src_path))?;
            let modules = Modules::read(&root.as_str().replace('\\', "/"), &read)?;
            let files = rust::files(&modules);
            let rooms = rust::rooms(&modules, &files);
            let name = package.name.as_str();
            let of_files = files.circles();
            // Where rooms are files, their circle is told already.
            let mut of_rooms = rooms.circles();
            of_rooms.retain(|circle| of_files.iter().all(|told| told.members != circle.members));
            circles.extend(described(
                &files,
                &of_files,
                &format!("files of {name}"),
                whole,
            ));
            circles.extend(described(
                &rooms,
                &of_rooms,
                &format!("rooms of {name}"),
                whole,
            ));
        }
        found.insert(package.name.to_string(), circles);
    }
    Ok(found)
}

fn described(graph: &Graph, circles: &[Circle<'_>], what: &str, whole: bool) -> Vec<String> {
    let describe = |circle: &Circle<'_>| {
        let mut text = format!(
            "{} {what} form a circle: {}; the shortest way around:{}",
            circle.members.len(),
            circle.members.join(", "),
            graph.describe(&circle.shortest)
        );
        if whole {
            text += &format!(
                "\n  all that's between them:{}",
                graph.describe(&circle.edges)
            );
        }
        text
    };
    circles.iter().map(describe).collect()
}
