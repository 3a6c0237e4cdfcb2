//! The programs of other languages, and what to do where one is missing.

use std::env;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::problem::Problem;

/// Node's installer, which also runs the scripts of a package. On Windows, a script's ending is part of its name.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Maven, by the name that starts a process.
pub(crate) const MAVEN: &str = if cfg!(windows) { "mvn.cmd" } else { "mvn" };

/// Python's interpreter.
pub(crate) const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// How many lines of a failed program's output an error shows.
const LINES: usize = 30;

/// Runs a program, which is part of `what`, and returns its standard output.
pub(crate) fn output(command: &mut Command, what: &str) -> Result<String, Problem> {
    let program = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => missing(what, &program),
        _ => Problem::new(format_args!("{what}: `{program}` can't be run: {error}")),
    })?;
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(out);
    }
    let all = format!("{out}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = all.lines().collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
    Err(Problem::answer(format_args!(
        "{what}: `{program}` failed ({}):\n{last}",
        output.status
    )))
}

/// Fails if a program can't be run, before the time for a build is spent.
pub(crate) fn check(program: &str, what: &str) -> Result<(), Problem> {
    output(Command::new(program).arg("--version"), what).map(drop)
}

/// A program of the JDK: that of `JAVA_HOME`, if it's set.
pub(crate) fn jdk(name: &str) -> String {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let home = env::var_os("JAVA_HOME").map(PathBuf::from);
    let program = home.map(|home| home.join("bin").join(file));
    match program.filter(|program| program.is_file()) {
        Some(program) => program.display().to_string(),
        None => name.to_owned(),
    }
}

fn missing(what: &str, program: &str) -> Problem {
    let from = match program {
        "dotnet" => "the .NET SDK 8 or later: https://dotnet.microsoft.com/download",
        "javac" | "jar" => "a JDK 17 or later, by `JAVA_HOME` or on the PATH: https://adoptium.net",
        NPM => "Node 20 or later, with npm: https://nodejs.org",
        PYTHON => "Python 3.10 or later: https://www.python.org/downloads",
        _ => "`rustbridge doctor` lists what is missing",
    };
    Problem::new(format_args!(
        "{what} needs `{program}`, which isn't on the PATH. Install {from}"
    ))
}
