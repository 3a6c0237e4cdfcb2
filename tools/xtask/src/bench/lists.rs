//! Compares each harness's list of its measures with the catalogue.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result};
use bench_report::{Budgets, Catalogue, Difference, Key};

use super::harness::{Harness, Job};
use super::pin::Pinning;
use crate::step::Step;
use crate::workspace::Workspace;

fn catalogue(workspace: &Workspace) -> Result<Catalogue> {
    Catalogue::read(&workspace.root.join("benches/catalogue.toml"))
}

/// The catalogue and the budgets fit each other.
pub fn check_budgets(step: &mut Step<'_>) -> Result<()> {
    let catalogue = catalogue(step.workspace)?;
    let budgets = Budgets::read(&step.workspace.root.join("benches/budgets.toml"))?;
    let strangers = budgets.strangers(&catalogue);
    let problem = (!strangers.is_empty()).then(|| strangers.join("\n"));
    step.check("every budget is about a scenario of the catalogue", problem)
}

/// Compares a harness's list with the catalogue.
pub fn check(step: &mut Step<'_>, harness: &Harness) -> Result<()> {
    let catalogue = catalogue(step.workspace)?;
    let text = without_measuring(step, harness, harness.list)?;
    let problem = compare(&catalogue, harness, &text);
    let name = format!("{} measures what the catalogue says", harness.title);
    step.check(&name, problem)
}

/// Runs a harness without measuring.
pub fn without_measuring<T>(
    step: &mut Step<'_>,
    harness: &Harness,
    work: impl FnOnce(&mut Job<'_, '_>) -> Result<T>,
) -> Result<T> {
    let folder = step.workspace.target.join("xtask").join("lists");
    let folder = folder.join(harness.name);
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    work(&mut Job {
        step,
        folder: &folder,
        rows: &folder,
        pinning: &Pinning::find(),
        quick: false,
        peers: false,
        scenario: None,
        method: &mut BTreeMap::new(),
        tools: &mut BTreeMap::new(),
        missing: &mut BTreeMap::new(),
    })
}

/// The differences, a line each; nothing if there are none.
fn compare(catalogue: &Catalogue, harness: &Harness, text: &str) -> Option<String> {
    let mut listed = match Key::parse_list(text) {
        Ok(listed) => listed,
        Err(error) => return Some(format!("{error:#}")),
    };
    listed.retain(|key| !key.is_peer() || lister(key) == harness.name);
    let mut expected = catalogue.expected();
    expected.retain(|key| match key.is_peer() {
        true => lister(key) == harness.name,
        false => catalogue.harness_of(key).as_deref() == Some(harness.name),
    });
    let difference = Difference::between(&expected, &listed);
    (!difference.is_empty()).then(|| format!("\n{difference}"))
}

/// Which harness lists a peer: JNA is measured with `--peers`, like the others, but by the Java benchmarks.
fn lister(key: &Key) -> &'static str {
    if key.subject.starts_with("jna") {
        super::jmh::HARNESS.name
    } else {
        super::peers::HARNESS.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::c;

    #[test]
    fn a_list_has_to_be_the_catalogue_s() {
        let workspace = Workspace::find().expect("the workspace is there");
        let catalogue = catalogue(&workspace).expect("it can be read");
        let lines: Vec<String> = catalogue
            .expected_from("c")
            .iter()
            .map(Key::to_string)
            .collect();
        let peer = "pod 8/8\tpython\t\tcffi\t1";
        let whole = format!("building\n{}\n{peer}\n", lines.join("\n"));
        assert_eq!(compare(&catalogue, &c::HARNESS, &whole), None);
        let lacking = compare(&catalogue, &c::HARNESS, &lines[1..].join("\n"));
        let lacking = lacking.expect("a line is missing");
        assert!(lacking.contains("missing: "), "{lacking}");
        let more = format!("{whole}pod 9/9\tc\tlibrustbridge\tours\t1\n");
        let invented = compare(&catalogue, &c::HARNESS, &more).expect("a line is invented");
        assert!(invented.contains("invented: pod 9/9"), "{invented}");
    }
}
