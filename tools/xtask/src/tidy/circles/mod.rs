//! Circles: files, rooms and packages that all depend on one another, so that none can be read before the others.

mod graph;
mod modules;
mod rust;

use std::collections::HashMap;

use anyhow::{Context as _, Result};

use self::graph::{Circle, Graph};
use self::modules::Modules;
use super::source::Source;
use crate::cargo::{Metadata, Target};

/// The circles among the files and rooms of each crate, and among the packages of the Java sources.
pub fn findings(metadata: &Metadata, sources: &[Source]) -> Result<Vec<String>> {
    let texts: HashMap<&str, &str> = sources
        .iter()
        .map(|source| (&*source.path, &*source.text))
        .collect();
    let read = |path: &str| texts.get(path).map(|&text| text.to_owned());
    let mut found = Vec::new();
    for package in &metadata.packages {
        let is_shipped = |target: &&Target| {
            !["bench", "custom-build", "example", "test"]
                .iter()
                .any(|kind| target.is(kind))
        };
        for target in package.targets.iter().filter(is_shipped) {
            let root = target
                .src_path
                .strip_prefix(&metadata.workspace_root)
                .with_context(|| {
                    format!(
                        "{} lies outside of the workspace",
                        target.src_path.display()
                    )
                })?;
            let modules = Modules::read(&root.to_string_lossy().replace('\\', "/"), &read)?;
            let files = rust::files(&modules);
            let rooms = rust::rooms(&modules, &files);
            let of_files = files.circles();
            // If rooms are files, their circle is reported already.
            let mut of_rooms = rooms.circles();
            of_rooms.retain(|circle| of_files.iter().all(|it| it.members != circle.members));
            let name = &*package.name;
            found.extend(described(&files, &of_files, &format!("files of {name}")));
            found.extend(described(&rooms, &of_rooms, &format!("rooms of {name}")));
        }
    }
    Ok(found)
}

fn described(graph: &Graph, circles: &[Circle<'_>], what: &str) -> Vec<String> {
    let describe = |circle: &Circle<'_>| {
        format!(
            "{} {what} form a circle: {}; the shortest way around:{}",
            circle.members.len(),
            circle.members.join(", "),
            graph.describe(&circle.shortest)
        )
    };
    circles.iter().map(describe).collect()
}
