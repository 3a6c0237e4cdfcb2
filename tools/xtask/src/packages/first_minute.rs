//! What a new user does first: makes a plugin with the command, and calls it from each language that is here. All of it
//! comes from the folder of packages, and nothing of ours from a registry.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::running::Running;
use super::shipped;
use super::user::{self, User};
use crate::files::{self, emptied};
use crate::step::Step;

/// The plugin; of two words, since each language joins them in its own way.
const NAME: &str = "first-minute";
const LIBRARY: &str = "first_minute";

/// Longer than it takes to build the plugin once more.
const BUILD: Duration = Duration::from_secs(180);

/// What every host says.
const SAID: [&str; 2] = ["Hallo, Ada!", "The mean is 2.5"];

/// The language of a host, our packages that it takes, and how a user builds and runs it with the language's own tools in the host's
/// folder; nothing where none of them builds.
const HOSTS: [(&str, &str, &str); 8] = [
    ("cpp", "c", "cmake --build build"),
    ("csharp", "nuget", "dotnet run"),
    ("go", "go", ""),
    ("java", "maven", "mvn -q compile exec:exec"),
    ("kotlin", "maven", "mvn -q compile exec:exec"),
    ("node", "node", "npm start"),
    ("python", "python", ""),
    ("rust", "crates", "cargo run"),
];

/// `maven` is what Maven keeps of repositories. Returns the target folder of the host in Rust.
pub fn check(step: &mut Step<'_>, packages: &Path, folder: &Path, maven: &Path) -> Result<PathBuf> {
    let folder = emptied(folder)?;
    let user = User {
        packages,
        folder: &folder,
        maven,
        offline: true,
    };
    let is_made = |part: &str| packages.join(part).is_dir();
    let made = HOSTS.iter().filter(|(_, part, _)| is_made(part));
    let languages: Vec<&str> = made.map(|(language, ..)| *language).collect();
    let mut new = user.rustbridge(step)?;
    new.args(["new", NAME, "--host", &languages.join(",")]);
    step.run(&mut new)?;

    // Built as somebody else's checkout, in another folder and without the link.
    let project = folder.join("checkout").join(NAME);
    let parent = project.parent().context("it's in a folder")?;
    fs::create_dir(parent).context("making a folder")?;
    fs::rename(folder.join(NAME), &project).context("moving the new project")?;
    fs::remove_file(project.join("packages")).context("removing the link to the packages")?;
    shipped::prepare(&project)?;
    let user = User {
        folder: &project,
        ..user
    };
    let mut build = user.rustbridge(step)?;
    let said = step.run(build.arg("build"))?;
    let problem = (!said.contains("built ")).then_some(said);
    step.check("a new plugin is built", problem)?;
    let mut call = user.rustbridge(step)?;
    let request = r#"{"name": "Ada", "languages": ["fr"]}"#;
    let library = format!("target/release/{LIBRARY}");
    call.args(["call", &library, "greet", request]);
    let said = step.run(&mut call)?;
    let problem = (!said.contains("Bonjour, Ada!")).then_some(said);
    step.check("a new plugin is called by the command", problem)?;
    let mut tests = user.command(step, "cargo")?;
    step.run(tests.args(["test", "--quiet"]))?;

    if project.join("node").is_dir() {
        user::lock_node(step.workspace, &project.join("node"))?;
    }
    for language in &languages {
        let began = Instant::now();
        let mut run = user.rustbridge(step)?;
        let said = step.run(run.args(["run", language]))?;
        let what = format!("`rustbridge run {language}` of a new plugin");
        step.note(&format!("{what}: {:.1} s", began.elapsed().as_secs_f64()))?;
        let is_right = SAID.iter().all(|line| said.contains(line));
        step.check(&what, (!is_right).then_some(said))?;
    }
    shipped::check(step, &user, &folder.join("shipped"))?;
    measured(step, &user, &languages)?;
    in_step(step, &user)?;
    without_the_command(step, &user)?;
    watched(step, &user)?;
    Ok(project.join("rust/target"))
}

/// `rustbridge bench` measures calls from each language that has a host, beside a call that does nothing.
fn measured(step: &mut Step<'_>, user: &User<'_>, hosts: &[&str]) -> Result<()> {
    let library = format!("target/release/{LIBRARY}");
    let request = r#"{"name": "Ada", "languages": ["fr"]}"#;
    let hosts: Vec<&str> = hosts
        .iter()
        .copied()
        .filter(|host| *host != "kotlin")
        .collect();
    let mut bench = user.rustbridge(step)?;
    bench
        .args(["bench", &library, "greet", request, "--seconds", "0.05"])
        .args(["--json", "--host", &hosts.join(",")]);
    let said = step.run(&mut bench)?;
    // Before it comes how far it is, on standard error.
    let json = said.find('{').map_or("", |at| &said[at..]);
    let measured: Value = serde_json::from_str(json).context("reading the measurements")?;
    let rows = measured["hosts"].as_array().into_iter().flatten();
    for row in rows.clone() {
        let calls = row["calls"].as_array().into_iter().flatten();
        let took = calls.filter(|call| call["median_ns"].as_f64() > Some(0.0));
        let problem = (took.count() != 2).then(|| row.to_string());
        step.check(&format!("`rustbridge bench` from {}", row["host"]), problem)?;
    }
    let problem = (rows.count() < hosts.len()).then_some(said);
    step.check("`rustbridge bench` from every host", problem)
}

/// `rustbridge watch` calls each build, and takes a new one in place of what it had.
fn watched(step: &mut Step<'_>, user: &User<'_>) -> Result<()> {
    let source = user.folder.join("src/lib.rs");
    let mut watch = user.rustbridge(step)?;
    watch.args(["watch", "greet", r#"{"name": "Ada", "languages": ["fr"]}"#]);
    let watch = Running::start(&mut watch)?;
    for (was, says) in [("", "Bonjour"), ("\"Bonjour\"", "Salut")] {
        if !was.is_empty() {
            let text = files::read(&source)?;
            let text = text.replace(was, &format!("\"{says}\""));
            files::write(&source, text)?;
        }
        let said = watch.lines.recv_timeout(BUILD).unwrap_or_default();
        let problem = (!said.contains(says)).then_some(said);
        step.check(&format!("`rustbridge watch` answers {says}"), problem)?;
    }
    Ok(())
}

/// A host's own build takes what has changed in the plugin: its client and its library.
fn in_step(step: &mut Step<'_>, user: &User<'_>) -> Result<()> {
    let source = user.folder.join("src/lib.rs");
    let text = files::read(&source)?;
    let text = text.replace("\"Hallo\"", "\"Guten Tag\"").replace(
        "    pub language: String,\n",
        "    pub language: String,\n    /// How many letters there are.\n    pub letters: u32,\n",
    );
    let text = text.replace(
        "Greeting { text, language }",
        "Greeting { letters: text.len() as u32, text, language }",
    );
    files::write(&source, text)?;
    for (language, _, by_hand) in HOSTS {
        let Some(mut run) = by_hand_in(step, user, language, by_hand)? else {
            continue;
        };
        let mut said = step.run(&mut run)?;
        if language == "cpp" {
            let folder = user.folder.join(language);
            let mut run = user.command(step, folder.join(format!("build/{LIBRARY}_host")))?;
            said = step.run(run.arg(folder.join("plugin").join(LIBRARY)))?;
        }
        let problem = (!said.contains("Guten Tag, Ada!")).then_some(said);
        step.check(
            &format!("`{by_hand}` has the plugin's latest, in {language}"),
            problem,
        )?;
    }
    let client = user
        .folder
        .join("java/src/main/java")
        .join(LIBRARY)
        .join("Greeting.java");
    if client.is_file() {
        let text = files::read(&client)?;
        let problem = (!text.contains("letters")).then_some(text);
        step.check("a client in Java has a field that is new", problem)?;
    }
    Ok(())
}

/// Where the command isn't on the PATH, the build of a host that has one of its own says what to install.
fn without_the_command(step: &mut Step<'_>, user: &User<'_>) -> Result<()> {
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::split_paths(&path).filter(|folder| !folder.join("rustbridge").is_file());
    let path = env::join_paths(path).context("making PATH")?;
    for (language, _, by_hand) in HOSTS {
        if !["csharp", "java", "kotlin"].contains(&language) {
            continue;
        }
        let Some(mut run) = by_hand_in(step, user, language, by_hand)? else {
            continue;
        };
        let (status, said) = step.execute(run.env("PATH", &path))?;
        let expected = "by the command `rustbridge`, which isn't on the PATH";
        let problem = (status.success() || !said.contains(expected)).then_some(said);
        let what = format!("a host in {language} reports that the command is missing");
        step.check(&what, problem)?;
    }
    Ok(())
}

/// The command that builds a host with its language's own tools, if there are both.
fn by_hand_in(
    step: &Step<'_>,
    user: &User<'_>,
    language: &str,
    by_hand: &str,
) -> Result<Option<Command>> {
    let folder = user.folder.join(language);
    let mut words = by_hand.split_whitespace();
    let Some(program) = words.next().filter(|_| folder.is_dir()) else {
        return Ok(None);
    };
    let mut command = user.command(step, program)?;
    command.args(words).current_dir(folder);
    Ok(Some(command))
}
