//! CI's workflows, as far as they can be looked at without running them.

use anyhow::Result;

use crate::step::{Missing, Step};
use crate::tools::{OLDEST_GO, output, version_in, which};

/// Go's own packages are where it can be had in this version without a person.
const ACTIONLINT: &str = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";

/// Has actionlint look at names, expressions, labels of machines and the shell lines in them.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let go = which("go")
        .filter(|go| output(go, &["version"]).and_then(|said| version_in(&said)) >= Some(OLDEST_GO))
        .ok_or_else(|| Missing("no Go; `cargo xtask doctor` shows how to get it".into()))?;
    let folder = step.workspace.target.join("actionlint");
    let program = folder.join(format!("actionlint{}", std::env::consts::EXE_SUFFIX));
    let stamp = folder.join("version");
    if std::fs::read_to_string(&stamp).is_ok_and(|version| version == ACTIONLINT)
        && program.is_file()
    {
        return lint(step, &program);
    }
    let mut install = step.workspace.command(go);
    install
        .args(["install", ACTIONLINT])
        .env("GOBIN", &folder)
        .env("GOTOOLCHAIN", "local");
    if let Err(error) = step.run(&mut install) {
        return Err(Missing(format!("actionlint can't be had: {error:#}")).into());
    }
    std::fs::write(stamp, ACTIONLINT)?;
    lint(step, &program)
}

fn lint(step: &mut Step<'_>, program: &std::path::Path) -> Result<()> {
    let mut command = step.workspace.command(program);
    // shellcheck would be used where it happens to be installed.
    command.args(["-no-color", "-shellcheck=", "-pyflakes="]);
    let said = step.run(&mut command).err();
    step.check(
        "actionlint finds nothing in the workflows",
        said.map(|error| format!("{error:#}")),
    )
}
