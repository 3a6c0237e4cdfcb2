//! `cargo xtask doctor`: which tools are here, which are missing and who needs them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use crate::setup::packages_of_debian;
use crate::step::{Missing, Step};
use crate::table::{Align, Table};
use crate::tools::{
    Version, find_cc, find_cxx, find_dotnet, find_jdks, find_nightly, output, show, version_in,
    which,
};
use crate::workspace::Workspace;
use crate::{browser, dotnet, java};

/// A tool as `doctor` shows it.
struct Tool {
    name: &'static str,
    /// Version and place, if it is there.
    found: Option<(String, String)>,
    needed_for: &'static str,
    /// Whether `xtask test` and `xtask demo` cannot do without it.
    required: bool,
    /// How to get it on Debian, macOS and Windows.
    get: [&'static str; 3],
}

/// Says what is here and what is missing; fails if something is missing that every developer needs.
pub fn run(workspace: &Workspace) -> ExitCode {
    let tools = examine(workspace);
    let mut table = Table::new(&[
        ("", Align::Left),
        ("tool", Align::Left),
        ("version", Align::Left),
        ("where", Align::Left),
        ("needed for", Align::Left),
    ]);
    for tool in &tools {
        let mark = match (&tool.found, tool.required) {
            (Some(_), _) => "ok",
            (None, true) => "MISSING",
            (None, false) => "-",
        };
        let (version, place) = tool.found.clone().unwrap_or_default();
        table.row(vec![
            mark.into(),
            tool.name.into(),
            version,
            place,
            tool.needed_for.into(),
        ]);
    }
    print!("{}", table.render());
    let missing: Vec<&Tool> = tools.iter().filter(|tool| tool.found.is_none()).collect();
    if !missing.is_empty() {
        let system = if cfg!(target_os = "macos") {
            1
        } else if cfg!(windows) {
            2
        } else {
            0
        };
        println!("\nHow to get what is missing here:");
        for tool in &missing {
            println!("  {:<22} {}", tool.name, tool.get[system]);
        }
        if system == 0 {
            println!("`cargo xtask test --setup` installs what Debian and rustup have of it.");
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
pub fn install(workspace: &Workspace) -> Result<()> {
    let mut step = Step::start(workspace, "setup")?;
    for (name, source) in missing(workspace) {
        println!("setup: {name}");
        let installed = match source {
            Source::Debian(packages) => packages_of_debian(&mut step, &packages),
            Source::Rustup(arguments) => {
                let mut command = workspace.command("rustup");
                step.run(command.args(arguments)).map(drop)
            }
            Source::Elsewhere => {
                Err(Missing("`cargo xtask doctor` says how to get it".into()).into())
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
fn missing(workspace: &Workspace) -> Vec<(&'static str, Source)> {
    examine(workspace)
        .into_iter()
        .filter(|tool| tool.found.is_none() && !tool.needed_for.starts_with("nothing yet"))
        .map(|tool| (tool.name, source(tool.get[0])))
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

fn examine(workspace: &Workspace) -> Vec<Tool> {
    let by =
        |path: Option<PathBuf>, arguments: &[&str]| path.and_then(|path| ask(&path, arguments));
    let on_path = |name: &str, arguments: &[&str]| by(which(name), arguments);
    let python = workspace
        .python()
        .map(|python| (show(python.version), python.path.display().to_string()));
    let jdks = find_jdks();
    let jdk = |range: &dyn Fn(Version) -> bool| {
        let (versions, places): (Vec<String>, Vec<String>) = jdks
            .iter()
            .filter(|(version, _)| range(*version))
            .map(|(version, home)| (show(*version), home.display().to_string()))
            .unzip();
        (!versions.is_empty()).then(|| (versions.join(", "), places.join(", ")))
    };
    let dotnet = |version: &dyn Fn(&Path) -> Option<Version>| {
        let program = find_dotnet()?;
        Some((show(version(&program)?), program.display().to_string()))
    };
    let nightly = find_nightly().map(|version| {
        (
            version.trim_start_matches("rustc ").to_owned(),
            "rustup".to_owned(),
        )
    });
    let rustup_get = "install rustup, then `rustup toolchain install stable`";
    vec![
        Tool {
            name: "rustc",
            found: on_path("rustc", &["--version"]),
            needed_for: "everything (1.95 or later)",
            required: true,
            get: [rustup_get; 3],
        },
        Tool {
            name: "rustfmt",
            found: on_path("rustfmt", &["--version"]),
            needed_for: "fmt, lint",
            required: true,
            get: ["`rustup component add rustfmt`"; 3],
        },
        Tool {
            name: "clippy",
            found: on_path("cargo-clippy", &["--version"]),
            needed_for: "lint",
            required: true,
            get: ["`rustup component add clippy`"; 3],
        },
        Tool {
            name: "git",
            found: on_path("git", &["--version"]),
            needed_for: "tidy, regen",
            required: true,
            get: [
                "apt install git",
                "xcode-select --install",
                "winget install Git.Git",
            ],
        },
        Tool {
            name: "C compiler",
            found: by(find_cc(), &["--version"]),
            needed_for: "C hosts and plugins, demo",
            required: true,
            get: [
                "apt install gcc",
                "xcode-select --install",
                "the C++ build tools of Visual Studio",
            ],
        },
        Tool {
            name: "C++ compiler",
            found: by(find_cxx(), &["--version"]),
            needed_for: "header tests, fuzz",
            required: true,
            get: [
                "apt install g++",
                "xcode-select --install",
                "the C++ build tools of Visual Studio",
            ],
        },
        Tool {
            name: "CMake",
            found: on_path("cmake", &["--version"]),
            needed_for: "C tests",
            required: true,
            get: [
                "apt install cmake",
                "brew install cmake",
                "winget install Kitware.CMake",
            ],
        },
        Tool {
            name: "Python",
            found: python,
            needed_for: "Python binding (3.10 or later; extension from 3.11), demo",
            required: true,
            get: [
                "apt install python3 python3-venv",
                "brew install python",
                "winget install Python.Python.3.13",
            ],
        },
        Tool {
            name: "Chromium",
            // Asked for its version, a browser opens a window on Windows.
            found: browser::find().map(|path| (String::new(), path.display().to_string())),
            needed_for: "the test of the benchmark report",
            required: false,
            get: [
                "apt install chromium",
                "brew install --cask chromium",
                "Edge is part of Windows",
            ],
        },
        Tool {
            name: "valgrind",
            found: on_path("valgrind", &["--version"]),
            needed_for: "C tests on Linux",
            required: cfg!(target_os = "linux"),
            get: [
                "apt install valgrind",
                "not to be had; the suite is left out",
                "not to be had; the suite is left out",
            ],
        },
        Tool {
            name: "nightly rustc",
            found: nightly,
            needed_for: "fuzz",
            required: false,
            get: ["`rustup toolchain install nightly`"; 3],
        },
        Tool {
            name: "JDK 22 or later",
            found: jdk(&|version| version >= java::NEWEST_NEEDED),
            needed_for: "Java and Kotlin bindings, demo",
            required: true,
            get: [
                "apt install openjdk-25-jdk",
                "brew install openjdk",
                "winget install EclipseAdoptium.Temurin.25.JDK",
            ],
        },
        Tool {
            name: "JDK 17 to 21",
            found: jdk(&|version| java::OLDER.contains(&version)),
            needed_for: "Java tests on an older JVM",
            required: false,
            get: [
                "apt install openjdk-17-jdk",
                "brew install openjdk@17",
                "winget install EclipseAdoptium.Temurin.17.JDK",
            ],
        },
        Tool {
            name: "Maven",
            found: on_path("mvn", &["--version"]),
            needed_for: "Java and Kotlin bindings (3.8 or later)",
            required: true,
            get: [
                "apt install maven",
                "brew install maven",
                "choco install maven",
            ],
        },
        Tool {
            name: ".NET SDK",
            found: dotnet(&|program| newest(dotnet::sdks(program), dotnet::SDK_NEEDED)),
            needed_for: "C# binding, demo (10 or later)",
            required: true,
            get: [
                "apt install dotnet-sdk-10.0, or dotnet-install.sh of dot.net",
                "brew install dotnet-sdk",
                "winget install Microsoft.DotNet.SDK.10",
            ],
        },
        Tool {
            name: ".NET 8 runtime",
            found: dotnet(&|program| {
                let mut runtimes = dotnet::runtimes(program);
                runtimes.retain(|version| version[0] == dotnet::FRAMEWORKS[0]);
                runtimes.last().copied()
            }),
            needed_for: "C# tests on the older framework",
            required: false,
            get: [
                "apt install dotnet-runtime-8.0, or dotnet-install.sh of dot.net",
                "brew install dotnet@8",
                "winget install Microsoft.DotNet.Runtime.8",
            ],
        },
        Tool {
            name: "Go",
            found: on_path("go", &["version"]),
            needed_for: "nothing yet; Go hosts to come",
            required: false,
            get: [
                "apt install golang",
                "brew install go",
                "winget install GoLang.Go",
            ],
        },
        Tool {
            name: "Node",
            found: on_path("node", &["--version"]),
            needed_for: "nothing yet; JavaScript hosts to come",
            required: false,
            get: [
                "apt install nodejs npm",
                "brew install node",
                "winget install OpenJS.NodeJS",
            ],
        },
    ]
}

/// The newest of some versions, if it's new enough.
fn newest(versions: Vec<Version>, needed: Version) -> Option<Version> {
    versions
        .into_iter()
        .max()
        .filter(|newest| *newest >= needed)
}

/// A program's version and place.
fn ask(path: &Path, arguments: &[&str]) -> Option<(String, String)> {
    let said = output(path, arguments);
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
