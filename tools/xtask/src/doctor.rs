//! `cargo xtask doctor`: which tools are here, which are missing and who needs them.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::setup::packages_of_debian;
use crate::step::{Missing, Step};
use crate::table::{Align, Table};
use crate::tools::{OLDEST_GO, Version, find_nightly, output, show, version_in, which};
use crate::workspace::Workspace;

/// A tool's version and place.
pub type Found = (String, String);

/// A tool that something needs.
pub struct Tool {
    pub name: &'static str,
    /// What is there of it.
    pub found: fn(&Workspace) -> Option<Found>,
    pub needed_for: &'static str,
    /// Whether `xtask test` and `xtask demo` cannot do without it.
    pub required: bool,
    /// How to get it on Debian, macOS and Windows.
    pub get: [&'static str; 3],
}

const RUSTUP: &str = "install rustup, then `rustup toolchain install stable`";

/// What xtask itself and the checks of the house need.
const FIRST: [Tool; 4] = [
    Tool {
        name: "rustc",
        found: |_| {
            let path = which("rustc")?;
            let version = version_in(&output(&path, &["--version"])?)?;
            (Some(version) >= oldest_rust()).then(|| (show(version), path.display().to_string()))
        },
        needed_for: concat!(
            "everything (",
            env!("CARGO_PKG_RUST_VERSION"),
            " or later; the native libraries 1.88, plugins 1.85)"
        ),
        required: true,
        get: [RUSTUP; 3],
    },
    Tool {
        name: "rustfmt",
        found: |_| on_path("rustfmt", &["--version"]),
        needed_for: "fmt, lint",
        required: true,
        get: ["`rustup component add rustfmt`"; 3],
    },
    Tool {
        name: "clippy",
        found: |_| on_path("cargo-clippy", &["--version"]),
        needed_for: "lint",
        required: true,
        get: ["`rustup component add clippy`"; 3],
    },
    Tool {
        name: "git",
        found: |_| on_path("git", &["--version"]),
        needed_for: "tidy, regen",
        required: true,
        get: [
            "apt install git",
            "xcode-select --install",
            "winget install Git.Git",
        ],
    },
];

/// What is no language's own, and what languages to come need.
const LAST: [Tool; 2] = [
    Tool {
        name: "nightly rustc",
        found: |_| {
            let version = find_nightly()?;
            Some((
                version.trim_start_matches("rustc ").to_owned(),
                "rustup".to_owned(),
            ))
        },
        needed_for: "fuzz",
        required: false,
        get: ["`rustup toolchain install nightly`"; 3],
    },
    Tool {
        name: "Go",
        found: |_| {
            let path = which("go")?;
            let version = version_in(&output(&path, &["version"])?)?;
            (version >= OLDEST_GO).then(|| (show(version), path.display().to_string()))
        },
        needed_for: "the example of a plugin in Go (1.19 or later), CI's workflows",
        required: true,
        get: [
            "apt install golang-go",
            "brew install go",
            "winget install GoLang.Go",
        ],
    },
];

/// The `rust-version` of xtask, without which there is no command.
fn oldest_rust() -> Option<Version> {
    version_in(env!("CARGO_PKG_RUST_VERSION"))
}

/// Says what is here and what is missing; fails if something is missing that every developer needs. `languages` are the
/// tools that they need, in the order in which they are shown.
pub fn run(workspace: &Workspace, languages: &[&'static Tool]) -> ExitCode {
    let tools = examine(workspace, languages);
    let mut table = Table::new(&[
        ("", Align::Left),
        ("tool", Align::Left),
        ("version", Align::Left),
        ("where", Align::Left),
        ("needed for", Align::Left),
    ]);
    for (tool, found) in &tools {
        let mark = match (found, tool.required) {
            (Some(_), _) => "ok",
            (None, true) => "MISSING",
            (None, false) => "-",
        };
        let (version, place) = found.clone().unwrap_or_default();
        table.row(vec![
            mark.into(),
            tool.name.into(),
            version,
            place,
            tool.needed_for.into(),
        ]);
    }
    print!("{}", table.render());
    let missing: Vec<&Tool> = tools
        .iter()
        .filter(|(_, found)| found.is_none())
        .map(|(tool, _)| *tool)
        .collect();
    if !missing.is_empty() {
        let system = if cfg!(target_os = "macos") {
            1
        } else if cfg!(windows) {
            2
        } else {
            0
        };
        println!("\nTo install the missing tools:");
        for tool in &missing {
            println!("  {:<22} {}", tool.name, tool.get[system]);
        }
        if system == 0 {
            println!("`cargo xtask test --setup` installs those that Debian and rustup have.");
        }
    }
    println!(
        "\nPython's packages are installed into the target folder when a step needs them; nothing else is touched."
    );
    if missing.iter().any(|tool| tool.required) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Installs what `doctor` misses, as far as Debian's packages and rustup have it; what they don't stays missing, and the
/// suites that need it say so.
pub fn install(workspace: &Workspace, languages: &[&'static Tool]) -> Result<()> {
    let mut step = Step::start(workspace, "setup")?;
    for (name, source) in missing(workspace, languages) {
        println!("setup: {name}");
        let installed = match source {
            Source::Debian(packages) => packages_of_debian(&mut step, &packages),
            Source::Rustup(arguments) => {
                let mut command = workspace.command("rustup");
                step.run(command.args(arguments)).map(drop)
            }
            Source::Elsewhere => {
                Err(Missing("`cargo xtask doctor` shows how to get it".into()).into())
            }
        };
        if let Err(error) = installed {
            println!("setup: {name} can't be installed from here: {error:#}");
        }
    }
    Ok(())
}

/// Where a missing tool can be had without a person.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    /// Packages of Debian's.
    Debian(Vec<String>),
    /// The words after `rustup`.
    Rustup(Vec<String>),
    Elsewhere,
}

/// What is missing and is needed for something, and where it comes from.
fn missing(workspace: &Workspace, languages: &[&'static Tool]) -> Vec<(&'static str, Source)> {
    examine(workspace, languages)
        .into_iter()
        .filter(|(tool, found)| found.is_none() && !tool.needed_for.starts_with("nothing yet"))
        .map(|(tool, _)| (tool.name, source(tool.get[0])))
        .collect()
}

/// Reads what a person is told: `apt install a b, or …`, or a command of rustup's in backticks.
fn source(get: &str) -> Source {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    if let Some(packages) = get.strip_prefix("apt install ") {
        Source::Debian(words(packages.split(',').next().unwrap_or_default()))
    } else if let Some(command) = get.strip_prefix("`rustup ") {
        Source::Rustup(words(command.trim_end_matches('`')))
    } else {
        Source::Elsewhere
    }
}

fn examine(
    workspace: &Workspace,
    languages: &[&'static Tool],
) -> Vec<(&'static Tool, Option<Found>)> {
    let tools = FIRST.iter().chain(languages.iter().copied()).chain(&LAST);
    tools.map(|tool| (tool, (tool.found)(workspace))).collect()
}

/// What a program on the path says of its version, and where it is.
pub fn on_path(name: &str, arguments: &[&str]) -> Option<Found> {
    at(which(name), arguments)
}

/// The same of one that was found otherwise.
pub fn at(path: Option<PathBuf>, arguments: &[&str]) -> Option<Found> {
    let path = path?;
    let said = output(&path, arguments);
    let version = said
        .as_deref()
        .and_then(version_in)
        .map_or_else(|| "there".to_owned(), show);
    Some((version, path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_rust_is_what_the_manifests_say() {
        let workspace = Workspace::find().expect("the workspace is there");
        let read = |path: &str| -> toml::Table {
            let text = std::fs::read_to_string(workspace.root.join(path)).expect(path);
            text.parse().expect(path)
        };
        let libraries = &read("Cargo.toml")["workspace"]["package"]["rust-version"];
        let plugins = [
            "rustbridge",
            "rustbridge-abi",
            "rustbridge-description",
            "rustbridge-json",
            "rustbridge-macros",
            "rustbridge-stack",
            "rustbridge-wire",
        ]
        .map(|name| read(&format!("crates/{name}/Cargo.toml"))["package"]["rust-version"].clone());
        assert!(
            plugins.iter().all(|version| version == &plugins[0]),
            "{plugins:?}"
        );
        let text = |version: &toml::Value| version.as_str().expect("it's text").to_owned();
        assert_eq!(
            FIRST[0].needed_for,
            format!(
                "everything ({} or later; the native libraries {}, plugins {})",
                env!("CARGO_PKG_RUST_VERSION"),
                text(libraries),
                text(&plugins[0])
            )
        );
    }

    #[test]
    fn what_a_person_is_told_is_what_setup_does() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        assert_eq!(
            source("apt install dotnet-sdk-10.0, or dotnet-install.sh of dot.net"),
            Source::Debian(words("dotnet-sdk-10.0"))
        );
        assert_eq!(
            source("apt install python3 python3-venv"),
            Source::Debian(words("python3 python3-venv"))
        );
        assert_eq!(
            source("`rustup toolchain install nightly`"),
            Source::Rustup(words("toolchain install nightly"))
        );
        assert_eq!(
            source("`cargo install --locked cargo-deny`"),
            Source::Elsewhere
        );
    }
}
