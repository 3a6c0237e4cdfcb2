//! `cargo xtask doctor`: which tools are here, which are missing and what needs them; and `--setup`, which installs them.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::setup::packages_of_debian;
use crate::step::{Missing, Step};
use crate::table::{Align, Table};
use crate::tools::{
    OLDEST_GO, OLDEST_GO_HOST, Version, find_cc, find_cxx, find_dotnet, find_jdks, find_nightly,
    output, show, version_in, which,
};
use crate::workspace::Workspace;
use crate::{dotnet, java, node};

/// A tool that something needs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    name: String,
    /// Its program on the path, if that is all there is to find.
    program: Option<String>,
    needed_for: String,
    /// Whether `xtask test` and `xtask demo` can't do without it.
    #[serde(default)]
    required: bool,
    get: Vec<String>,
}

/// A tool's version and place.
type Found = (String, String);

fn tools() -> Result<Vec<Tool>> {
    #[derive(Deserialize)]
    struct Listed {
        tools: Vec<Tool>,
    }
    let listed: Result<Listed, _> = toml::from_str(include_str!("../tools.toml"));
    Ok(listed.context("reading tools/xtask/tools.toml")?.tools)
}

impl Tool {
    fn found(&self, workspace: &Workspace) -> Option<Found> {
        if let Some(program) = &self.program {
            return at(which(program), &["--version"]);
        }
        match self.name.as_str() {
            "rustc" => newer(
                which("rustc"),
                &["--version"],
                version_in(env!("CARGO_PKG_RUST_VERSION"))?,
            ),
            "C compiler" => at(find_cc(), &["--version"]),
            "C++ compiler" => at(find_cxx(), &["--version"]),
            "Python" => {
                let python = workspace.python()?;
                Some((show(python.version), python.path.display().to_string()))
            }
            "JDK 22 or later" => jdks(|version| version >= java::NEWEST_NEEDED),
            "JDK 17 to 21" => jdks(|version| java::OLDER.contains(&version)),
            ".NET SDK" => {
                let program = find_dotnet()?;
                let newest = dotnet::sdks(&program).into_iter().max();
                let newest = newest.filter(|version| *version >= dotnet::SDK_NEEDED)?;
                Some((show(newest), program.display().to_string()))
            }
            ".NET 8 runtime" => {
                let program = find_dotnet()?;
                let mut runtimes = dotnet::runtimes(&program).into_iter();
                let older = runtimes.find(|version| version[0] == dotnet::FRAMEWORKS[0])?;
                Some((show(older), program.display().to_string()))
            }
            "Go" => newer(which("go"), &["version"], OLDEST_GO),
            "Go for the Go host" => newer(which("go"), &["version"], OLDEST_GO_HOST),
            "Node" => {
                node::found().map(|(path, version)| (show(version), path.display().to_string()))
            }
            "nightly rustc" => {
                let version = find_nightly()?;
                Some((
                    version.trim_start_matches("rustc ").to_owned(),
                    "rustup".to_owned(),
                ))
            }
            _ => None,
        }
    }

    /// Whether everything needs it on this system.
    fn is_required(&self) -> bool {
        self.required && (self.name != "valgrind" || cfg!(target_os = "linux"))
    }

    /// How to get it on this system.
    fn source(&self) -> &str {
        let system = match std::env::consts::OS {
            "macos" => 1,
            "windows" => 2,
            _ => 0,
        };
        self.get.get(system).unwrap_or(&self.get[0])
    }
}

/// Lists the tools; fails if one is missing that everything needs.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let columns = ["", "tool", "version", "where", "needed for"];
    let mut table = Table::new(&columns.map(|title| (title, Align::Left)));
    let mut missing = Vec::new();
    for tool in tools()? {
        let found = tool.found(workspace);
        let mark = match (&found, tool.is_required()) {
            (Some(_), _) => "ok",
            (None, true) => "MISSING",
            (None, false) => "-",
        };
        let is_missing = found.is_none();
        let (version, place) = found.unwrap_or_default();
        let needed_for = tool.needed_for.clone();
        table.row(vec![
            mark.into(),
            tool.name.clone(),
            version,
            place,
            needed_for,
        ]);
        missing.extend(is_missing.then_some(tool));
    }
    print!("{}", table.render());
    if !missing.is_empty() {
        println!("\nTo install the missing tools:");
        for tool in &missing {
            println!("  {:<22} {}", tool.name, tool.source());
        }
        println!("`cargo xtask test --setup` installs those that Debian and rustup have.");
    }
    println!(
        "\nPython's packages are installed into the target folder when a step needs them; nothing else is touched."
    );
    Ok(ExitCode::from(u8::from(
        missing.iter().any(Tool::is_required),
    )))
}

/// Installs the missing tools that Debian's packages and rustup have. The others stay missing, and the suites that need them report it.
pub fn install(workspace: &Workspace) -> Result<()> {
    let mut step = Step::start(workspace, "setup")?;
    for tool in tools()? {
        if tool.found(workspace).is_some() {
            continue;
        }
        println!("setup: {}", tool.name);
        let source = &tool.get[0];
        let installed = if let Some(packages) = source.strip_prefix("apt install ") {
            let packages = packages.split(',').next().unwrap_or_default();
            let packages: Vec<&str> = packages.split_whitespace().collect();
            packages_of_debian(&mut step, &packages)
        } else if let Some(command) = source.strip_prefix("`rustup ") {
            let mut rustup = workspace.command("rustup");
            rustup.args(command.trim_end_matches('`').split_whitespace());
            step.run(&mut rustup).map(drop)
        } else {
            Err(Missing(source.clone()).into())
        };
        if let Err(error) = installed {
            println!(
                "setup: {} can't be installed from here: {error:#}",
                tool.name
            );
        }
    }
    Ok(())
}

/// A program's version and place.
fn at(path: Option<PathBuf>, arguments: &[&str]) -> Option<Found> {
    let path = path?;
    let version = output(&path, arguments).as_deref().and_then(version_in);
    Some((
        version.map_or_else(|| "there".to_owned(), show),
        path.display().to_string(),
    ))
}

/// The same of a program that is new enough.
fn newer(path: Option<PathBuf>, arguments: &[&str], oldest: Version) -> Option<Found> {
    let version = version_in(&output(path.as_ref()?, arguments)?)?;
    (version >= oldest).then(|| at(path, arguments))?
}

/// The JDKs of a range.
fn jdks(range: impl Fn(Version) -> bool) -> Option<Found> {
    let (versions, places): (Vec<String>, Vec<String>) = find_jdks()
        .iter()
        .filter(|(version, _)| range(*version))
        .map(|(version, home)| (show(*version), home.display().to_string()))
        .unzip();
    (!versions.is_empty()).then(|| (versions.join(", "), places.join(", ")))
}
