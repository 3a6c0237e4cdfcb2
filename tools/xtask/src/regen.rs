//! `cargo xtask regen`: writes what is generated, and checks that it has been.

use std::process::ExitCode;
use std::sync::LazyLock;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::conformance;
use crate::figures;
use crate::files::copy;
use crate::notices;
use crate::python;
use crate::step::Step;
use crate::tested;
use crate::workspace::{self, Workspace};

/// The table `regen.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Generated {
    generated: Vec<String>,
    plugins: Vec<Described>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    package: String,
    description: String,
    /// Per client the language, the folder of sources, the namespace, and perhaps options.
    clients: Vec<Vec<String>>,
}

/// Read once: it's part of the program.
static TABLE: LazyLock<Generated> = LazyLock::new(|| {
    toml::from_str(include_str!("../regen.toml"))
        .expect("regen.toml has a folder, a file or a client in each line")
});

/// Whether a file is generated.
pub fn is_generated(path: &str) -> bool {
    let mut generated = TABLE.generated.iter();
    generated.any(|it| {
        path.strip_prefix(it)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Writes all generated files.
///
/// The generator of the headers runs as a program of its own and is no dependency of xtask: cbindgen would double the time it takes
/// until the first command of a clean clone starts.
pub fn write(step: &mut Step<'_>) -> Result<()> {
    notices::write(step.workspace)?;
    let program = tested::binaries(step, &[HEADERS])?.join(HEADERS);
    step.run(&mut step.workspace.command(program))?;
    // A module of Go's sees nothing outside of its folder.
    for header in ["rustbridge.h", "rustbridge_plugin.h"] {
        let root = &step.workspace.root;
        let to = root.join("rustbridge-go/internal/native").join(header);
        copy(&root.join("include").join(header), &to)?;
    }
    let python = python::interpreter(step.workspace)?;
    step.run(
        step.workspace
            .command(python)
            .arg("conformance/generate.py"),
    )?;
    // Workspaces of their own, whose lock files follow what this one depends on.
    for folder in ["fuzz", "benches/grpc"] {
        let manifest = format!("{folder}/Cargo.toml");
        if step.workspace.has(&manifest) {
            let mut command = step.workspace.cargo();
            command.args([
                "tree",
                "--quiet",
                "--depth",
                "0",
                "--manifest-path",
                &manifest,
            ]);
            step.run(&mut command)?;
        }
    }
    clients(step)?;
    conformance::write(step.workspace)?;
    figures::write(step.workspace)
}

/// What writes the headers, and its program.
const HEADERS: &str = "rustbridge-headers";

/// The command that users have.
const COMMAND: &str = "rustbridge";

/// Writes typed clients, as users write theirs.
fn clients(step: &mut Step<'_>) -> Result<()> {
    let generator = tested::binaries(step, &[COMMAND])?.join(COMMAND);
    let described = TABLE.plugins.iter().map(|plugin| &*plugin.package);
    let described: Vec<&str> = described.collect();
    let plugins = tested::libraries(step, &described)?;
    for Described {
        package,
        description,
        clients,
    } in &TABLE.plugins
    {
        let plugin = plugins.join(workspace::file_of_cdylib(package));
        for client in clients {
            let [language, out, namespace, options @ ..] = &**client else {
                bail!("{package}: a client has a language, a folder and a namespace in regen.toml");
            };
            let mut command = step.workspace.command(&generator);
            command
                .args(["gen", "--language", language, "--out", out])
                .args(["--namespace", namespace, "--keep", description])
                .args(options)
                .arg(&plugin);
            step.run(&mut command)?;
        }
    }
    Ok(())
}

/// Writes them and fails if that changed anything against what is committed or staged.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    // Before they are written: a document may have changes of its own that aren't committed yet.
    figures::check(step)?;
    write(step)?;
    for folder in &TABLE.generated {
        let mut diff = step.workspace.command("git");
        let changed = step.run(diff.args(["status", "--porcelain", "--", folder]))?;
        let mut text = step.workspace.command("git");
        step.run(text.args(["--no-pager", "diff", "--", folder]))?;
        let problem = (!changed.trim().is_empty()).then(|| {
            format!(
                "`cargo xtask regen` changes it; commit the result:\n{}",
                changed.trim_end()
            )
        });
        step.check(&format!("{folder} equals the generator's output"), problem)?;
    }
    Ok(())
}

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "regen")?;
    write(&mut step).inspect_err(|_| eprint!("{}", step.read_log()))?;
    println!(
        "written: {}",
        TABLE.generated.join(", ") + ", and the tables of figures"
    );
    Ok(ExitCode::SUCCESS)
}
