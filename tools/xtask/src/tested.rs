//! The workspace as its tests are built, and what suites run of it.
//!
//! Cargo builds a dependency once for each set of features that commands ask of it. The set depends on the packages that a command
//! names and on whether it builds tests, so one command per package would rebuild most dependencies. Therefore one command builds
//! everything that the suites load and run on this system: the libraries, the plugins, the programs and the tests.

use std::collections::BTreeSet;
use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context as _, Result, ensure};

use crate::cargo::{self, Artifact};
use crate::step::{Missing, Step};
use crate::tools::which;
use crate::workspace::Workspace;

/// A test program of the workspace.
pub struct Program {
    package: String,
    /// What its target is called: a file of `tests`, or the package.
    pub name: String,
    path: PathBuf,
    manifest: PathBuf,
    /// It's linked with the standard library as the compiler is, since it tests what the compiler loads.
    is_of_compiler: bool,
}

/// Everything that there is of a package. Not `--all-targets`, which compiles each library once more as a benchmark of itself, those
/// without tests as well.
pub const TARGETS: [&str; 8] = [
    "--lib",
    "--bins",
    "--tests",
    "--examples",
    "--bench",
    BENCHMARK,
    "--bench",
    "calls",
];

/// The benchmark that `cargo xtask bench` runs; the core has another one, for its developers.
const BENCHMARK: &str = "boundary";

/// The command that builds everything, which does nothing if all of it is there.
fn everything(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    workspace.with_all_cores(&mut command);
    command.args(["build", "--locked", "--workspace"]);
    command.args(TARGETS);
    command
}

/// The suite that every other one needs which loads a library of ours.
pub fn build(step: &mut Step<'_>) -> Result<()> {
    artifacts(step).map(drop)
}

/// What cargo has built in this run. Whoever asks again has no need to wait for other commands of cargo's, which hold its lock for minutes.
static BUILT: OnceLock<Vec<Artifact>> = OnceLock::new();

/// Has cargo compile with clippy what is ours, which reports its findings along; another run would check all that it depends on once
/// more. Only for programs without `unsafe`: clippy's code lacks the compiler's checks of pointers, which our tests are to have. What
/// another compiler has built is built again, so all commands about one folder have to agree. Where clippy is missing, the compiler
/// compiles.
pub fn lint(command: &mut Command) {
    if which(LINTER).is_some() {
        command.env("RUSTC_WORKSPACE_WRAPPER", LINTER);
    }
}

/// Clippy, as rustup has it beside the compiler.
const LINTER: &str = "clippy-driver";

/// Runs a build with [`lint`], and fails if clippy, the compiler or cargo has warned of anything. Cargo repeats the warnings about what
/// is there already.
pub fn build_without_a_warning(step: &mut Step<'_>, build: &mut Command) -> Result<()> {
    which(LINTER).ok_or_else(|| Missing("no clippy; `rustup component add clippy`".into()))?;
    let output = step.run(build)?;
    let warnings: Vec<&str> = output
        .lines()
        .filter(|line| line.starts_with("warning"))
        .collect();
    let problem = (!warnings.is_empty()).then(|| warnings.join("\n"));
    step.check("clippy has no warning on any target", problem)
}

/// What cargo has built, after building whatever isn't there.
fn artifacts(step: &mut Step<'_>) -> Result<&'static [Artifact]> {
    if let Some(built) = BUILT.get() {
        return Ok(built);
    }
    step.run(&mut everything(step.workspace))?;
    // Its output is for us alone.
    let mut listing = everything(step.workspace);
    listing.arg("--message-format=json-render-diagnostics");
    let listed = child_process::output(&mut listing, child_process::BUILD);
    ensure!(
        listed.status.success(),
        "cargo can't list what it has built"
    );
    let artifacts = cargo::artifacts(&listed.stdout)?;
    Ok(BUILT.get_or_init(|| artifacts))
}

/// The program of the benchmark, as it's built along with the tests.
pub fn benchmark(step: &mut Step<'_>) -> Result<PathBuf> {
    artifacts(step)?
        .iter()
        .filter(|artifact| artifact.target.is("bench") && artifact.target.name == BENCHMARK)
        .find_map(|artifact| artifact.executable.as_ref())
        .map(|executable| executable.into())
        .with_context(|| format!("cargo has built no benchmark {BENCHMARK}"))
}

/// Builds all test programs, unless they are there, and returns those of the wanted packages.
pub fn programs(step: &mut Step<'_>, wanted: impl Fn(&str) -> bool) -> Result<Vec<Program>> {
    let metadata = step.workspace.metadata();
    let mut programs = Vec::new();
    for artifact in artifacts(step)? {
        let executable = artifact.executable.as_ref();
        let Some(path) = executable.filter(|_| artifact.profile.test) else {
            continue;
        };
        let package = &metadata[&artifact.package_id];
        let is_test = !artifact.target.is("example") && !artifact.target.is("bench");
        if !is_test || !wanted(&package.name) {
            continue;
        }
        programs.push(Program {
            package: package.name.to_string(),
            is_of_compiler: artifact.target.is("proc-macro"),
            name: artifact.target.name.clone(),
            path: path.into(),
            manifest: package.manifest_path.clone(),
        });
    }
    // Whatever got between the lines of cargo's, no test may be left out unseen.
    let there: BTreeSet<(&str, &str)> = programs
        .iter()
        .map(|program| (program.package.as_str(), program.name.as_str()))
        .collect();
    let missing: Vec<String> = metadata
        .packages
        .iter()
        .filter(|package| wanted(&package.name))
        .flat_map(|package| package.targets.iter().map(move |target| (package, target)))
        .filter(|(_, target)| target.test && !target.is("bench") && !target.is("example"))
        .filter(|(package, target)| !there.contains(&(package.name.as_str(), target.name.as_str())))
        .map(|(package, target)| format!("{} of {}", target.name, package.name))
        .collect();
    ensure!(
        missing.is_empty(),
        "cargo said nothing of the tests {}",
        missing.join(", ")
    );
    programs.sort_by(|one, other| (&one.package, &one.name).cmp(&(&other.package, &other.name)));
    Ok(programs)
}

impl Program {
    /// The command that cargo would start.
    fn command(&self, workspace: &Workspace) -> Command {
        let mut command = workspace.command(&self.path);
        let folder = self.manifest.parent().unwrap_or(&self.manifest);
        command
            .current_dir(folder)
            .env("CARGO", workspace.cargo().get_program())
            .env("CARGO_MANIFEST_DIR", folder)
            .env("CARGO_PKG_NAME", &self.package);
        command
    }
}

/// Runs test programs one after the other.
pub fn run(
    step: &mut Step<'_>,
    programs: &[Program],
    prepare: impl Fn(&mut Command),
) -> Result<()> {
    let workspace = step.workspace;
    let mut asked = workspace.command(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let standard = step.run(asked.args(["--print", "target-libdir"]))?;
    let variable = match env::consts::OS {
        "windows" => "PATH",
        "macos" => "DYLD_FALLBACK_LIBRARY_PATH",
        _ => "LD_LIBRARY_PATH",
    };
    let before = env::var_os(variable).unwrap_or_default();
    let places = [PathBuf::from(standard.trim())]
        .into_iter()
        .chain(env::split_paths(&before));
    let path = env::join_paths(places).context("making the path of libraries")?;
    let commands = programs.iter().map(|program| {
        let mut command = program.command(workspace);
        if program.is_of_compiler {
            command.env(variable, &path);
        }
        prepare(&mut command);
        command
    });
    step.test_each(commands)
}

/// Builds some programs of the workspace, unless they are there, and returns their folder. They are the same as those that
/// [`build`] makes.
pub fn binaries(step: &mut Step<'_>, names: &[&str]) -> Result<PathBuf> {
    // With an example, cargo uses the features that tests ask for, here as there.
    let more = ["--workspace", "--example", "tiny_plugin"];
    built(step, &more, "--bin", names)
}

/// Builds an example of the workspace, unless it's there, and returns its file.
pub fn example(step: &mut Step<'_>, name: &str) -> Result<PathBuf> {
    let folder = built(step, &["--workspace"], "--example", &[name])?;
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    Ok(folder.join("examples").join(file))
}

/// Builds the libraries of some packages, unless they are there, and returns their folder. Nothing else is built, so that what is
/// generated from them may be wrong until then.
pub fn libraries(step: &mut Step<'_>, packages: &[&str]) -> Result<PathBuf> {
    built(step, &["--lib"], "--package", packages)
}

fn built(step: &mut Step<'_>, more: &[&str], flag: &str, names: &[&str]) -> Result<PathBuf> {
    if BUILT.get().is_none() {
        let mut command = step.workspace.cargo();
        command.args(["build", "--locked"]).args(more);
        command.args(names.iter().flat_map(|name| [flag, name]));
        step.run(&mut command)?;
    }
    Ok(step.workspace.natives.clone())
}

/// Has the tests in Rust and in C load the plugins that are built, as those in the other languages do. By themselves they would
/// build each plugin by a command of its own.
pub fn with_plugins(workspace: &Workspace, tests: &mut Command) {
    tests.env("RUSTBRIDGE_PLUGIN_DIR", &workspace.natives);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files;

    #[test]
    fn a_library_whose_tests_are_not_built_has_none() {
        let workspace = Workspace::find().expect("the workspace is there");
        let mut without = 0;
        for package in &workspace.metadata().packages {
            let is_library = |target: &&cargo::Target| target.is("lib") || target.is("cdylib");
            let Some(library) = package.targets.iter().find(is_library) else {
                continue;
            };
            let folder = library.src_path.parent().expect("a file has a folder");
            let files = files::below(folder).expect("it can be read");
            let texts = files.iter().filter_map(|file| files::read(file).ok());
            let texts: String = texts.collect();
            let name = &package.name;
            without += usize::from(!library.test) + usize::from(!library.doctest);
            let has_tests = !library.test && texts.contains("#[test]\n");
            assert!(!has_tests, "{name} has tests: remove `test = false`");
            let has_examples = ["\n/// ```", "\n//! ```"]
                .iter()
                .any(|it| texts.contains(it));
            assert!(
                library.doctest || !has_examples,
                "{name} has examples: remove `doctest = false`"
            );
        }
        assert!(without > 0, "no library has `test = false`");
    }
}
