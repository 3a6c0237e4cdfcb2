//! `rustbridge doctor`.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::{Value, json};

use crate::packages::Packages;
use crate::problem::Problem;
use crate::tool::{MAVEN, NPM, PYTHON};

/// What `doctor` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder that `cargo xtask package` has written, if this command isn't in it.
    #[arg(long, value_name = "FOLDER")]
    packages: Option<PathBuf>,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

/// A tool, and how to see which version is there.
struct Tool {
    name: &'static str,
    /// The program, by the names that it has on some system or other, and what makes it tell its version.
    programs: &'static [&'static str],
    arguments: &'static [&'static str],
    /// What stands before the version.
    before: &'static str,
    /// The oldest that does.
    least: [u32; 2],
    /// Where it comes from.
    get: &'static str,
}

/// What something takes.
struct Purpose {
    /// For the command line.
    name: &'static str,
    /// For people.
    about: &'static str,
    tools: &'static [Tool],
}

/// Both tell of Maven: the Java that it runs is the one that its builds take.
const JVM: &[Tool] = &[
    Tool {
        name: "Maven",
        programs: &[MAVEN],
        arguments: &["-version"],
        before: "Apache Maven ",
        least: [3, 8],
        get: "its own site, or the system's packages",
    },
    Tool {
        name: "JDK",
        programs: &[MAVEN],
        arguments: &["-version"],
        before: "Java version: ",
        least: [17, 0],
        get: "Adoptium or the system's packages, and JAVA_HOME",
    },
];

/// With Visual Studio the compiler isn't on PATH, and CMake finds it.
const CPP: &[Tool] = &[
    Tool {
        name: "CMake",
        programs: &["cmake"],
        arguments: &["--version"],
        before: "cmake version ",
        least: [3, 20],
        get: "its own site, or the system's packages",
    },
    #[cfg(unix)]
    Tool {
        name: "C++ compiler",
        programs: &["c++", "g++", "clang++"],
        arguments: &["-dumpfullversion", "-dumpversion"],
        before: "",
        least: [10, 0],
        get: "the system's packages: GCC from 10 on, or Clang from 12 on",
    },
];

/// Whose cgo takes a C compiler.
const GO: &[Tool] = &[
    Tool {
        name: "Go",
        programs: &["go"],
        arguments: &["version"],
        before: "go version go",
        least: [1, 24],
        get: "its own site",
    },
    #[cfg(unix)]
    Tool {
        name: "C compiler",
        programs: &["cc", "gcc", "clang"],
        arguments: &["-dumpfullversion", "-dumpversion"],
        before: "",
        least: [4, 0],
        get: "the system's packages: GCC or Clang",
    },
];

/// Some systems have npm apart from Node.
const NODE: &[Tool] = &[
    Tool {
        name: "Node",
        programs: &["node"],
        arguments: &["--version"],
        before: "v",
        least: [20, 0],
        get: "its own site, or the system's packages",
    },
    Tool {
        name: "npm",
        programs: &[NPM],
        arguments: &["--version"],
        before: "",
        least: [9, 0],
        get: "where Node comes from",
    },
];

const PURPOSES: [Purpose; 7] = [
    Purpose {
        name: "plugin",
        about: "plugins, and hosts in Rust",
        tools: &[Tool {
            name: "Rust",
            programs: &["cargo"],
            arguments: &["--version"],
            before: "cargo ",
            least: [1, 85],
            get: "rustup",
        }],
    },
    Purpose {
        name: "python",
        about: "hosts in Python",
        tools: &[Tool {
            name: "Python",
            programs: &[PYTHON],
            arguments: &["--version"],
            before: "Python ",
            least: [3, 10],
            get: "its own site, or the system's packages, with `venv`",
        }],
    },
    Purpose {
        name: "java",
        about: "hosts in Java and Kotlin",
        tools: JVM,
    },
    Purpose {
        name: "csharp",
        about: "hosts in C#",
        tools: &[Tool {
            name: ".NET SDK",
            programs: &["dotnet"],
            arguments: &["--version"],
            before: "",
            least: [8, 0],
            get: "its own site, or the system's packages",
        }],
    },
    Purpose {
        name: "cpp",
        about: "hosts in C++",
        tools: CPP,
    },
    Purpose {
        name: "go",
        about: "hosts in Go",
        tools: GO,
    },
    Purpose {
        name: "node",
        about: "hosts in Node",
        tools: NODE,
    },
];

/// What was found of a tool.
enum Found {
    /// A version that does.
    Good(String),
    Old(String),
    /// It's there, and fails or says something else.
    Silent,
    Missing,
}

impl Tool {
    fn find(&self) -> Found {
        let mut is_there = false;
        let version = self.programs.iter().find_map(|program| {
            let output = Command::new(program)
                .args(self.arguments)
                .stdin(Stdio::null())
                .output()
                .ok()?;
            is_there = true;
            let said = String::from_utf8_lossy(&output.stdout);
            version(&said, self.before).filter(|_| output.status.success())
        });
        match version {
            Some(version) if is_at_least(&version, self.least) => Found::Good(version),
            Some(version) => Found::Old(version),
            None if is_there => Found::Silent,
            None => Found::Missing,
        }
    }

    /// What's wrong, and what to do about it.
    fn problem(&self, found: &Found) -> Option<String> {
        let [major, minor] = self.least;
        let wanted = format!("{} {major}.{minor} or later, from {}", self.name, self.get);
        match found {
            Found::Good(_) => None,
            Found::Old(version) => Some(format!("it's {version}: get {wanted}")),
            Found::Silent => Some(format!(
                "`{} {}` doesn't report its version: run it to see why, or install {wanted}",
                self.programs.join("` or `"),
                self.arguments.join(" ")
            )),
            Found::Missing => Some(format!("it isn't on PATH: get {wanted}")),
        }
    }
}

/// The version that stands behind these words.
fn version(said: &str, before: &str) -> Option<String> {
    let at = said.find(before)? + before.len();
    let version: String = said[at..]
        .chars()
        .take_while(|letter| letter.is_ascii_digit() || *letter == '.')
        .collect();
    (!version.is_empty()).then_some(version)
}

fn is_at_least(version: &str, least: [u32; 2]) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    let found = [numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)];
    found >= least
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let found: Vec<(&Purpose, Vec<(&Tool, Found)>)> = PURPOSES
        .iter()
        .map(|purpose| {
            let tools = purpose.tools.iter().map(|tool| (tool, tool.find()));
            (purpose, tools.collect())
        })
        .collect();
    let packages = Packages::find(arguments.packages.as_deref());
    let mut out = io::stdout();
    if arguments.json {
        let said = as_json(&found, &packages);
        writeln!(out, "{said}").map_err(Problem::new)?;
    } else {
        let text = as_text(&found, &packages, out.is_terminal());
        write!(out, "{text}").map_err(Problem::new)?;
    }
    let can_build = found
        .iter()
        .filter(|(purpose, _)| purpose.name == "plugin")
        .flat_map(|(_, tools)| tools)
        .all(|(_, found)| matches!(found, Found::Good(_)));
    match (can_build, packages) {
        (true, Ok(_)) => Ok(()),
        (false, _) => Err(Problem::answer("without Rust no plugin is built")),
        (true, Err(_)) => Err(Problem::answer("without the packages `new` makes nothing")),
    }
}

fn as_json(
    found: &[(&Purpose, Vec<(&Tool, Found)>)],
    packages: &Result<Packages, Problem>,
) -> Value {
    let purposes = found.iter().map(|(purpose, tools)| {
        let tools: Vec<Value> = tools
            .iter()
            .map(|(tool, found)| {
                let version = match found {
                    Found::Good(version) | Found::Old(version) => Some(version),
                    Found::Silent | Found::Missing => None,
                };
                json!({"name": tool.name, "version": version, "problem": tool.problem(found)})
            })
            .collect();
        json!({"for": purpose.name, "tools": tools})
    });
    let purposes: Vec<Value> = purposes.collect();
    let packages = match packages {
        Ok(packages) => {
            // As it's shown: JSON has no paths that aren't Unicode.
            let folder = packages.folder().display().to_string();
            json!({"folder": folder, "problem": null})
        }
        Err(problem) => json!({"folder": null, "problem": problem.to_string()}),
    };
    json!({"version": env!("CARGO_PKG_VERSION"), "purposes": purposes, "packages": packages})
}

fn as_text(
    found: &[(&Purpose, Vec<(&Tool, Found)>)],
    packages: &Result<Packages, Problem>,
    colours: bool,
) -> String {
    let mark = |good: bool| match (good, colours) {
        (true, true) => "\x1b[32mok\x1b[0m     ",
        (true, false) => "ok     ",
        (false, true) => "\x1b[33mmissing\x1b[0m",
        (false, false) => "missing",
    };
    let mut text = String::new();
    for (purpose, tools) in found {
        text.push_str(&format!("{}\n", purpose.about));
        for (tool, found) in tools {
            let (good, said) = match (found, tool.problem(found)) {
                (Found::Good(version), _) => (true, version.clone()),
                (_, problem) => (false, problem.unwrap_or_default()),
            };
            text.push_str(&format!("  {}  {:<14}{said}\n", mark(good), tool.name));
        }
    }
    let (good, said) = match packages {
        Ok(packages) => (true, packages.folder().display().to_string()),
        Err(problem) => (false, problem.to_string()),
    };
    text.push_str(&format!(
        "sources of new projects\n  {}  {:<14}{said}\n",
        mark(good),
        "packages"
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_where_tools_say_them() {
        let maven = "Apache Maven 3.8.7\nMaven home: /usr/share/maven\nJava version: 17.0.15, vendor: Debian\n";
        assert_eq!(version(maven, "Apache Maven ").as_deref(), Some("3.8.7"));
        assert_eq!(version(maven, "Java version: ").as_deref(), Some("17.0.15"));
        assert_eq!(version("none", "Java version: "), None);
        assert_eq!(version("no number", ""), None);
        assert!(is_at_least("3.10", [3, 8]));
        assert!(is_at_least("25", [17, 0]));
        assert!(!is_at_least("3.7.9", [3, 8]));
    }

    #[test]
    fn what_is_missing_is_told_with_where_it_comes_from() {
        let tool = Tool {
            name: "Tool",
            programs: &["rustbridge-no-such-program"],
            arguments: &[],
            before: "",
            least: [1, 2],
            get: "its own site",
        };
        let found = tool.find();
        assert!(matches!(found, Found::Missing));
        let problem = tool.problem(&found).unwrap();
        assert!(
            problem.contains("Tool 1.2 or later, from its own site"),
            "{problem}"
        );
    }
}
