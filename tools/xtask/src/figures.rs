//! The figures in the documents, generated from the results in `benches/results`: the README's tables and the report.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use bench_report::report::{alternatives, one_call, pages};

use crate::report;
use crate::step::Step;
use crate::workspace::Workspace;

const README: &str = "README.md";
/// The folder of the report's pages.
const PAGES: &str = "docs/benchmarks";
const BEGIN: &str = "<!-- figures: written by `cargo xtask regen` from benches/results -->\n";
const BEGIN_ALTERNATIVES: &str =
    "<!-- figures of alternatives: written by `cargo xtask regen` from benches/results -->\n";
const END: &str = "<!-- end of figures -->";

/// Writes the documents.
pub fn write(workspace: &Workspace) -> Result<()> {
    for (file, text) in generate(workspace)? {
        fs::write(&file, text).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

/// Fails if a document differs from the generated text.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    for (file, text) in generate(step.workspace)? {
        let is = fs::read_to_string(&file).unwrap_or_default();
        let problem = (is != text).then(|| {
            format!(
                "{} differs from benches/results; run `cargo xtask regen`",
                file.display()
            )
        });
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        step.check(
            &format!("the figures of {name} are those of benches/results"),
            problem,
        )?;
    }
    Ok(())
}

/// Every document with its text; none while there is no full run to make them of.
fn generate(workspace: &Workspace) -> Result<Vec<(PathBuf, String)>> {
    let sources = report::sources(workspace, report::committed(workspace)?)?;
    let tables = one_call(&sources).zip(alternatives(&sources));
    let Some((languages, others)) = tables else {
        return Ok(Vec::new());
    };
    let file = workspace.root.join(README);
    let text = fs::read_to_string(&file).context("reading the README")?;
    let text = between_marks(&text, BEGIN, &languages)?;
    let readme = (file, between_marks(&text, BEGIN_ALTERNATIVES, &others)?);
    let folder = workspace.root.join(PAGES);
    let pages = pages(&sources).into_iter();
    let pages = pages.map(|(name, text)| (folder.join(name), text));
    Ok([readme].into_iter().chain(pages).collect())
}

fn between_marks(text: &str, begin: &str, table: &str) -> Result<String> {
    let (before, rest) = text
        .split_once(begin)
        .context("the README lacks the mark before its figures")?;
    let (_, after) = rest
        .split_once(END)
        .context("the README lacks the mark after its figures")?;
    Ok(format!("{before}{begin}{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let text = format!("before\n{BEGIN}old\n{END}\nafter\n");
        let changed = between_marks(&text, BEGIN, "new\n").unwrap();
        assert_eq!(changed, format!("before\n{BEGIN}new\n{END}\nafter\n"));
        assert!(between_marks("no marks", BEGIN, "new").is_err());
    }
}
