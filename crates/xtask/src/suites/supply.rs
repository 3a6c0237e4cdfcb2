//! What we build on: licences, sources, bans and advisories.

use anyhow::Result;

use crate::licences;
use crate::step::{Step, shown};
use crate::tools::which;

/// What we build on: licences, sources and bans by deny.toml; known vulnerabilities by cargo-deny, if it is there.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    for (name, findings) in licences::check(step.workspace)? {
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(name, problem)?;
    }
    if which("cargo-deny").is_none() {
        return step.skip(
            "advisories",
            "cargo-deny is not installed here; the CI service runs it",
        );
    }
    let mut advisories = step.workspace.command("cargo-deny");
    advisories.args(["--locked", "check", "advisories"]);
    match step.run(&mut advisories) {
        Ok(_) => step.check("no advisory applies", None),
        Err(error)
            if step
                .read_log()
                .contains("failed to fetch advisory database") =>
        {
            step.skip(
                "advisories",
                &format!("the database cannot be fetched from here ({error})"),
            )
        }
        Err(error) => step.check(&shown(&advisories), Some(error.to_string())),
    }
}
