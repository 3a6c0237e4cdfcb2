//! The languages that calls are measured from: a small program of each, which is among the templates, is built by the language's own
//! tools and run.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, iter};

use super::measured_call::MeasuredCall;
use super::table::Row;
use crate::command::run::built;
use crate::language::Language;
use crate::packages::Packages;
use crate::problem::Problem;
use crate::template::{Template, Values};
use crate::tool::PYTHON;

/// Those that are measured, in the order of the table. Kotlin calls as Java does.
pub(super) const LANGUAGES: [Language; 7] = [
    Language::Rust,
    Language::Cpp,
    Language::CSharp,
    Language::Java,
    Language::Go,
    Language::Node,
    Language::Python,
];

/// The language, for people.
pub(super) fn title(language: Language) -> &'static str {
    match language {
        Language::Python => "Python",
        Language::Java => "Java",
        Language::CSharp => "C#",
        Language::Cpp => "C++",
        Language::Kotlin => "Kotlin",
        Language::Rust => "Rust",
        Language::Go => "Go",
        Language::Node => "Node",
    }
}

/// How many lines are shown of what a program said that failed.
const LINES: usize = 20;

/// From which Java on the faster of its two ways can be had.
const FFM: u32 = 22;

/// Measures calls from a language.
pub(super) struct Host<'b> {
    pub(super) packages: &'b Packages,
    /// Where files can be written.
    pub(super) work: &'b Path,
    pub(super) calls: &'b [MeasuredCall],
    pub(super) time: Duration,
}

impl Host<'_> {
    /// A row, or two where there are two ways.
    pub(super) fn measure(&self, language: Language) -> Result<Vec<Row>, Problem> {
        let folder = self.program(language)?;
        let row = match language {
            Language::Python => self.python(&folder)?,
            Language::Java => return self.java(&folder),
            Language::CSharp => self.csharp(&folder)?,
            Language::Cpp => self.cpp(&folder)?,
            Language::Node => self.node(&folder)?,
            Language::Rust => self.rust()?,
            Language::Go => self.go(&folder)?,
            Language::Kotlin => {
                return Err(Problem::new(format_args!(
                    "there is no program that measures calls from {}",
                    title(language)
                )));
            }
        };
        Ok(vec![row])
    }

    /// Writes the program's sources.
    fn program(&self, language: Language) -> Result<PathBuf, Problem> {
        let folder = self.work.join(language.name());
        fs::create_dir_all(&folder).map_err(Problem::new)?;
        let values = Values::of_bench(language, self.packages)?;
        for template in Template::of_bench(language) {
            let (path, text) = values.filled(template);
            fs::write(folder.join(path), text).map_err(Problem::new)?;
        }
        Ok(folder)
    }

    fn rust(&self) -> Result<Row, Problem> {
        let mut command = Command::new(env::current_exe().map_err(Problem::new)?);
        command.arg("measure");
        self.run(title(Language::Rust), command)
    }

    fn python(&self, folder: &Path) -> Result<Row, Problem> {
        let wheel = self.packages.wheel()?;
        let site = folder.join("site");
        let mut unpack = Command::new(PYTHON);
        unpack.args(["-m", "zipfile", "--extract"]).arg(wheel);
        build(unpack.arg(&site))?;
        let mut command = Command::new(PYTHON);
        command.arg(folder.join("bench.py")).env("PYTHONPATH", site);
        self.run(title(Language::Python), command)
    }

    fn java(&self, folder: &Path) -> Result<Vec<Row>, Problem> {
        let home = env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
        let java = home.map_or_else(
            || PathBuf::from("java"),
            |home| Path::new(&home).join("bin/java"),
        );
        let says = build(Command::new(&java).arg("--version"))?;
        let version = says.split_whitespace().nth(1).unwrap_or_default();
        let version = version.split(['.', '-', '+']).next().unwrap_or_default();
        let has_ffm = version.parse().is_ok_and(|version: u32| version >= FFM);
        let jar = |name: &str| self.packages.jar(name);
        let ways = [
            ("Java, FFM", "rustbridge-ffm", has_ffm),
            ("Java, JNI", "rustbridge-jni", true),
        ];
        let mut rows = Vec::new();
        for (title, backend, _) in ways.into_iter().filter(|(.., can)| *can) {
            let class_path = env::join_paths([jar("rustbridge")?, jar(backend)?]);
            let mut command = Command::new(&java);
            command
                .args(["--enable-native-access=ALL-UNNAMED", "--class-path"])
                .arg(class_path.map_err(Problem::new)?)
                .arg(folder.join("Bench.java"));
            rows.push(self.run(title, command)?);
        }
        Ok(rows)
    }

    /// The module, the library in it too, lies among the packages.
    fn go(&self, folder: &Path) -> Result<Row, Problem> {
        let program = folder.join(if cfg!(windows) { "bench.exe" } else { "bench" });
        let mut compile = Command::new("go");
        compile.args(["build", "-o"]).arg(&program);
        build(compile.current_dir(folder))?;
        self.run(title(Language::Go), Command::new(program))
    }

    /// The package lies where the program says it is, so nothing is installed.
    fn node(&self, folder: &Path) -> Result<Row, Problem> {
        let mut command = Command::new("node");
        command.arg(folder.join("bench.mjs"));
        self.run(title(Language::Node), command)
    }

    fn csharp(&self, folder: &Path) -> Result<Row, Problem> {
        let dotnet = |verb: &str| {
            let mut command = Command::new("dotnet");
            command.arg(verb).arg("--configuration=Release");
            command.current_dir(folder);
            command
        };
        build(dotnet("build").args(["--nologo", "--verbosity=quiet"]))?;
        let mut run = dotnet("run");
        run.args(["--no-build", "--"]);
        self.run(title(Language::CSharp), run)
    }

    fn cpp(&self, folder: &Path) -> Result<Row, Problem> {
        let mut configure = Command::new("cmake");
        configure
            .args(["-B", "build", "-DCMAKE_BUILD_TYPE=Release"])
            .current_dir(folder);
        build(&mut configure)?;
        let mut compile = Command::new("cmake");
        compile
            .args(["--build", "build", "--config", "Release"])
            .current_dir(folder);
        build(&mut compile)?;
        let program = built(&folder.join("build"), OsStr::new("bench"))?;
        self.run(title(Language::Cpp), Command::new(program))
    }

    /// Has a program make the calls, and reads how long they took.
    fn run(&self, title: &'static str, mut command: Command) -> Result<Row, Problem> {
        let times = self.work.join("times");
        command.arg(self.time.as_secs_f64().to_string()).arg(&times);
        for call in self.calls {
            command
                .arg(&call.library)
                .arg(call.config.as_deref().unwrap_or(Path::new("")))
                .arg(&call.method)
                .arg(if call.is_text { "json" } else { "raw" })
                .arg(&call.request_file);
        }
        // Whatever a plugin prints is no time.
        build(command.stdout(Stdio::null()))?;
        let said = fs::read_to_string(&times).map_err(Problem::new)?;
        let samples = samples(&said, self.calls.len()).ok_or_else(|| {
            Problem::new(format_args!(
                "the program that measures calls from {title} wrote output that can't be read"
            ))
        })?;
        Ok(Row::of(title, samples))
    }
}

/// The times of each call: a line for a batch has the call's number and nanoseconds.
fn samples(said: &str, calls: usize) -> Option<Vec<Vec<f64>>> {
    let mut samples: Vec<Vec<f64>> = iter::repeat_n(Vec::new(), calls).collect();
    for line in said.lines() {
        let (index, time) = line.split_once(' ')?;
        let index: usize = index.parse().ok()?;
        samples.get_mut(index)?.push(time.parse().ok()?);
    }
    let is_whole = samples.iter().all(|times| !times.is_empty());
    is_whole.then_some(samples)
}

/// What a program says that does what it should.
fn build(command: &mut Command) -> Result<String, Problem> {
    let program = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        Problem::new(format_args!(
            "`{program}` can't be run: {error}; `rustbridge doctor` lists missing tools and where to get them"
        ))
    })?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let complaints = said + &String::from_utf8_lossy(&output.stderr);
    Err(Problem::new(format_args!(
        "`{program}` ended with {}\n{}",
        output.status,
        end_of(&complaints)
    )))
}

/// The last of what a program said, which tells why it ended: a plugin may print with every call.
fn end_of(said: &str) -> String {
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let from = lines.len().saturating_sub(LINES);
    lines[from..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_of_every_call_or_not_at_all() {
        let read = samples("0 20.5\n1 1e3\n0 21\n", 2);
        assert_eq!(read, Some(vec![vec![20.5, 21.0], vec![1000.0]]));
        for said in [
            "",
            "0 20\n",
            "0 20\n1 fast\n",
            "0 20\n1 30\n2 40\n",
            "hello\n",
        ] {
            assert_eq!(samples(said, 2), None, "{said}");
        }
    }
}
