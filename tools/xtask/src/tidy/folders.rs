//! Which folders say what belongs in them.

use std::collections::BTreeSet;

use super::source::Source;
use crate::workspace::Workspace;

/// Folders that hold one file or whose content speaks for itself to its tool.
const WITHOUT: &[&str] = &[".cargo", ".ci", ".github", ".mvn", ".vscode"];

/// Every folder at the top, every package and every folder of a group says in a README what belongs there.
pub fn findings(workspace: &Workspace, sources: &[Source]) -> Vec<String> {
    let mut folders = BTreeSet::new();
    for source in sources {
        let parts: Vec<&str> = source.path.split('/').collect();
        if parts.len() < 2 || WITHOUT.contains(&parts[0]) {
            continue;
        }
        folders.insert(parts[0].to_owned());
        if matches!(
            parts[0],
            "crates"
                | "tools"
                | "plugins"
                | "benches"
                | "examples"
                | "rustbridge-csharp"
                | "rustbridge-java"
        ) && parts.len() > 2
            && !WITHOUT.contains(&parts[1])
        {
            folders.insert(parts[..2].join("/"));
        }
    }
    let described = |folder: &String| workspace.has(&format!("{folder}/README.md"));
    folders
        .iter()
        .filter(|folder| !described(folder))
        .map(|folder| format!("{folder} has no README.md"))
        .collect()
}
