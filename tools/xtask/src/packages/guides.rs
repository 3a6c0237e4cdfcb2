//! The whole build files of the guides. What each page shows is written into an empty folder as it stands, beside a checkout
//! whose packages are made and a plugin that's built, and what it tells a shell is done there.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};

use super::loading::SAID;
use super::user::{User, link};
use crate::files::{self, copy, emptied};
use crate::java::Java;
use crate::python;
use crate::step::Step;
use crate::workspace::file_of_cdylib;

/// The page in `docs/guide`, and the packages that it takes.
const GUIDES: [(&str, &str); 7] = [
    ("c", "c"),
    ("cpp", "c"),
    ("csharp", "nuget"),
    ("java", "maven"),
    ("kotlin", "maven"),
    ("python", "python"),
    ("rust", "crates"),
];

/// Ends cargo's search for a workspace: the folder is in ours, and a user's isn't.
const WORKSPACE: &str =
    "[workspace]\nresolver = \"3\"\nmembers = [\"rust\"]\nexclude = [\"rustbridge\"]\n";

/// The pages say that these lie beside the project.
const CHECKOUT: &str = "rustbridge";
const PLUGIN: &str = "hello";

/// `maven` is what Maven keeps of repositories, and `built` a target folder in which the host's crates are built already.
pub fn check(
    step: &mut Step<'_>,
    packages: &Path,
    folder: &Path,
    plugin: &Path,
    [maven, built]: [&Path; 2],
) -> Result<()> {
    let folder = emptied(folder)?;
    let checkout = folder.join(CHECKOUT).join("target");
    fs::create_dir_all(&checkout).context("making the checkout")?;
    link(packages, &checkout.join("packages"))?;
    files::write(&folder.join("Cargo.toml"), WORKSPACE)?;
    let library = folder.join(PLUGIN).join("target/release");
    copy(plugin, &library.join(file_of_cdylib(PLUGIN)))?;
    let older = Java::find().ok().and_then(|java| java.older);
    for (name, needs) in GUIDES {
        if !packages.join(needs).is_dir() {
            continue;
        }
        let text = files::read(&step.workspace.root.join(format!("docs/guide/{name}.md")))?;
        let shown = Shown::of(&text);
        let lacks = shown.files.len() < 2 || shown.commands.is_empty();
        let problem = lacks.then(|| "it shows no file, no program or no command".to_owned());
        step.check(&format!("the guide {name} shows a whole project"), problem)?;
        let project = folder.join(name);
        for (file, text) in &shown.files {
            files::write(&project.join(file), text)?;
        }
        let user = User {
            packages,
            folder: &project,
            maven,
            offline: true,
        };
        shown.does(step, &user, name, built, None)?;
        // Once more where it's the other backend that the JVM can take.
        if name == "java"
            && let Some(older) = &older
        {
            shown.does(step, &user, "java on an older JDK", built, Some(older))?;
        }
    }
    Ok(())
}

/// What a page shows of a whole project.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    /// Paths and texts, each of a block that says `file=`.
    files: Vec<(String, String)>,
    /// The lines of the block that says `run`.
    commands: Vec<String>,
}

impl Shown {
    fn of(page: &str) -> Shown {
        let mut shown = Shown::default();
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            let Some(info) = line.strip_prefix("```") else {
                continue;
            };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            match info.split_once(' ') {
                Some((_, "run")) => shown.commands.extend(block.into_iter().map(str::to_owned)),
                Some((_, what)) => {
                    if let Some(file) = what.strip_prefix("file=") {
                        shown.files.push((file.to_owned(), block.join("\n") + "\n"));
                    }
                }
                None => {}
            }
        }
        shown
    }

    /// Does what it tells a shell, whose last words are those of the program.
    fn does(
        &self,
        step: &mut Step<'_>,
        user: &User<'_>,
        what: &str,
        built: &Path,
        java: Option<&PathBuf>,
    ) -> Result<()> {
        let began = Instant::now();
        let mut said = String::new();
        for line in &self.commands {
            let mut words = line.split_whitespace();
            let program = words.next().context("a line has a command")?;
            // The interpreter of the tests: another might be too old for the wheel.
            let mut command = if program == "python3" {
                user.command(step, python::interpreter(step.workspace)?)?
            } else if program.contains('/') {
                user.command(step, user.folder.join(program))?
            } else {
                user.command(step, program)?
            };
            command.args(words).env("CARGO_TARGET_DIR", built);
            if let Some(java) = java {
                command.env("JAVA_HOME", java);
            }
            // What a framework is compiled against lies here since our own projects were; not every machine can fetch it.
            if let Some(home) = std::env::home_dir() {
                command.env("NUGET_FALLBACK_PACKAGES", home.join(".nuget/packages"));
            }
            said = step.run(&mut command)?;
        }
        step.note(&format!("{what}: {:.1} s", began.elapsed().as_secs_f64()))?;
        let problem = (!said.contains(SAID)).then_some(said);
        step.check(&format!("the guide's commands work: {what}"), problem)
    }
}
