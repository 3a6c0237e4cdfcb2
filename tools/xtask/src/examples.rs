//! The suite of the examples that are projects as `rustbridge new` makes them: `examples.toml` has their programs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::files::{self, copy, emptied};
use crate::packages::Running;
use crate::packages::user::{User, maven_repository};
use crate::portable;
use crate::python;
use crate::step::{Missing, Step, Unavailable};

/// Until a server listens: its plugin is built, and Maven may have to fetch its compiler.
const STARTED: Duration = Duration::from_secs(300);

/// Until it answers.
const ANSWERED: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Program {
    example: String,
    language: String,
    packages: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, Content>,
    #[serde(default)]
    copies: Vec<(String, String)>,
    runs: Vec<Run>,
    #[serde(default)]
    requests: Vec<(String, u16, String)>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Lines { lines: u32, each: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    #[serde(default, rename = "in")]
    folder: String,
    command: Vec<String>,
    #[serde(default)]
    code: i32,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    pictures: Vec<String>,
}

pub fn check(step: &mut Step<'_>) -> Result<()> {
    #[derive(Deserialize)]
    struct Table {
        programs: Vec<Program>,
    }
    if !portable::is_for_this_system() {
        let why = "the packages that the programs use are tested on Linux only";
        return Err(Unavailable(why.into()).into());
    }
    let table: Table = toml::from_str(include_str!("../examples.toml"))?;
    let workspace = step.workspace;
    let packages = workspace.target.join("xtask/packages/packages");
    if !packages.join("bin/rustbridge").is_file() {
        let how = "`cargo xtask test --only packages` makes them";
        return Err(Missing(format!("no packages: {how}")).into());
    }
    let left = emptied(workspace.target.join("xtask/examples"))?;
    let maven = maven_repository(&left.join("maven-repository"))?;
    for program in table.programs {
        let name = format!("{} in {}", program.example, program.language);
        let is_made = |part: &String| packages.join(part).is_dir();
        if !program.packages.as_ref().is_none_or(is_made) {
            step.skip(
                &name,
                "its tools are missing, so the packages were made without its own",
            )?;
            continue;
        }
        let folder = workspace.root.join("examples").join(&program.example);
        let example = Example {
            user: User {
                packages: &packages,
                folder: &folder,
                maven: &maven,
                offline: false,
            },
            left: left.join(&program.example),
        };
        let began = Instant::now();
        match example.check(step, &program) {
            Err(error) if error.is::<Missing>() && !workspace.ci => {
                step.skip(&name, &format!("{error:#}"))?;
            }
            // One that can't be built doesn't keep the others from being checked.
            Err(error) => step.check(&name, Some(format!("{error:#}")))?,
            Ok(()) => {}
        }
        step.note(&format!("{name}: {:.1} s", began.elapsed().as_secs_f64()))?;
    }
    // What is built of users' projects is built again with the packages.
    step.done_with("xtask/packages/cargo-build")
}

/// An example as its user has it, and the folder for its outputs.
struct Example<'e> {
    user: User<'e>,
    left: PathBuf,
}

impl Example<'_> {
    fn check(&self, step: &mut Step<'_>, program: &Program) -> Result<()> {
        fs::create_dir_all(&self.left).context("making the folder for outputs")?;
        // It would keep the wheel of another day, which has the same version.
        files::remove(&self.user.folder.join("python/.venv"))?;
        for (name, content) in &program.files {
            let text = match content {
                Content::Text(text) => text.clone(),
                Content::Lines { lines, each } => (0..*lines)
                    .map(|n| each.replace("{n}", &n.to_string()) + "\n")
                    .collect(),
            };
            let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
            files::write(
                &self.left.join(name),
                bytes.context("a text isn't Latin-1")?,
            )?;
        }
        for (from, to) in &program.copies {
            copy(
                &self.user.folder.join(from),
                Path::new(&self.filled(step, to)),
            )?;
        }
        for run in &program.runs {
            let mut command = self.command(step, run)?;
            if !program.requests.is_empty() {
                let server = Running::start(command.env("PORT", "0"))?;
                return ask_all(step, port(&server)?, &program.requests);
            }
            let what = format!("`{}` ends with {}", run.command.join(" "), run.code);
            ends(step, &what, &mut command, run.code, &run.says)?;
            if !run.pictures.is_empty() {
                let sizes = run.pictures.iter().map(|it| self.filled(step, it));
                let sizes: Vec<String> = sizes.collect();
                let mut decode = step.workspace.command(python::interpreter(step.workspace)?);
                decode.arg("tools/xtask/pictures.py");
                decode.args(sizes.iter().filter_map(|it| it.split(" is ").next()));
                ends(step, "the pictures can be decoded", &mut decode, 0, &sizes)?;
            }
        }
        Ok(())
    }

    fn filled(&self, step: &Step<'_>, text: &str) -> String {
        text.replace("{left}", &self.left.display().to_string())
            .replace("{target}", &step.workspace.target.display().to_string())
    }

    /// A command with the variables that the build files read.
    fn command(&self, step: &Step<'_>, run: &Run) -> Result<Command> {
        let mut words = run.command.iter().map(|word| self.filled(step, word));
        let program = words.next().context("a command has a program")?;
        let packages = self.user.packages;
        let mut command = if program == "rustbridge" {
            self.user.rustbridge(step)?
        } else {
            let program = if program.contains('/') {
                self.user.folder.join(program)
            } else {
                program.into()
            };
            let mut command = self.user.command(step, program)?;
            let url = format!("file://{}", packages.display());
            command.env("RUSTBRIDGE_PACKAGES", packages);
            command.env("RUSTBRIDGE_PACKAGES_URL", url);
            command
        };
        command
            .args(words)
            .current_dir(self.user.folder.join(&run.folder))
            // To optimise these decoders and compilers takes a minute, and they have little to do here.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            // The folder of matplotlib's list of fonts.
            .env("MPLCONFIGDIR", self.left.join("matplotlib"));
        Ok(command)
    }
}

/// Checks that a program ends with a code and prints all these texts.
fn ends(
    step: &mut Step<'_>,
    what: &str,
    command: &mut Command,
    code: i32,
    says: &[String],
) -> Result<()> {
    let (status, said) = step.execute(command)?;
    let missing = says.iter().find(|it| !said.contains(*it));
    let problem = match missing {
        _ if status.code() != Some(code) => Some(format!("it ended with {status}:\n{said}")),
        Some(missing) => Some(format!("its output lacks {missing:?}:\n{said}")),
        None => None,
    };
    step.check(what, problem)
}

/// The port in the address that a server prints.
fn port(server: &Running) -> Result<u16> {
    let mut said = Vec::new();
    loop {
        let Ok(line) = server.lines.recv_timeout(STARTED) else {
            bail!(
                "the server didn't print its address, but:\n{}",
                said.join("\n")
            );
        };
        let address = line.trim().strip_prefix("http://localhost:");
        match address.and_then(|rest| rest.trim_end_matches('/').parse().ok()) {
            Some(port) => return Ok(port),
            None => said.push(line),
        }
    }
}

fn ask_all(step: &mut Step<'_>, port: u16, requests: &[(String, u16, String)]) -> Result<()> {
    for (request, status, part) in requests {
        let answer = ask(port, request)?;
        let is_right = answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains(part);
        let problem = (!is_right).then_some(answer);
        step.check(&format!("{request} is answered with {status}"), problem)?;
    }
    // One instance answers many at once.
    let (request, _, part) = &requests[1];
    let answers: Vec<Result<String>> = thread::scope(|scope| {
        let asked: Vec<_> = (0..16)
            .map(|_| scope.spawn(|| ask(port, request)))
            .collect();
        let joined = asked.into_iter().map(|asked| asked.join());
        joined
            .map(|answer| answer.unwrap_or_else(|_| bail!("asking panicked")))
            .collect()
    });
    let answers = answers.into_iter().collect::<Result<Vec<String>>>()?;
    let wrong = answers.into_iter().find(|answer| !answer.contains(part));
    step.check("many requests at once are answered alike", wrong)
}

fn ask(port: u16, request: &str) -> Result<String> {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let mut stream = TcpStream::connect_timeout(&address, ANSWERED).context("connecting")?;
    stream.set_read_timeout(Some(ANSWERED))?;
    stream.set_write_timeout(Some(ANSWERED))?;
    write!(
        stream,
        "{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream
        .read_to_end(&mut answer)
        .with_context(|| format!("reading the answer to {request}"))?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
