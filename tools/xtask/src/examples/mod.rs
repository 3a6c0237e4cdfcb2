//! The examples that are projects as `rustbridge new` makes them: plugins of well-known crates, and programs that use them. Each
//! program is built and run by its language's own tools, from the packages as users get them, and what it says and writes is looked at.

mod columns;
mod example;
mod patterns;
mod schemas;
mod thumbnails;
mod web;

use std::fs;
use std::time::Instant;

use anyhow::{Context as _, Result};

use self::example::Example;
use crate::packages::making::emptied;
use crate::packages::user::{User, maven_repository};
use crate::portable::Portable;
use crate::step::{Missing, Step, Unavailable};
use crate::suite::{Lane, Suite};

/// The suite.
pub const SUITE: Suite = Suite {
    name: "examples",
    about: "plugins of well-known crates in programs of each language, from the packages: their output and files",
    // Most of it is cargo's work, in the workspace's own target folder.
    lane: Lane::Release,
    after: &["packages"],
    run: check,
};

/// A program that uses a plugin.
struct Program {
    /// The folder of the plugin's project, below `examples`.
    example: &'static str,
    language: &'static str,
    /// What of the packages it takes, besides the command; nothing where it takes the crates of this workspace.
    packages: Option<&'static str>,
    check: fn(&mut Step<'_>, &Example<'_>) -> Result<()>,
}

const PROGRAMS: &[Program] = &[
    Program {
        example: "markdown",
        language: "java",
        packages: Some("maven"),
        check: web::check,
    },
    Program {
        example: "thumbnails",
        language: "csharp",
        packages: Some("nuget"),
        check: thumbnails::check,
    },
    Program {
        example: "columns",
        language: "python",
        packages: Some("python"),
        check: columns::check,
    },
    Program {
        example: "patterns",
        language: "cpp",
        packages: Some("c"),
        check: patterns::cpp,
    },
    Program {
        example: "patterns",
        language: "kotlin",
        packages: Some("maven"),
        check: patterns::kotlin,
    },
    Program {
        example: "schemas",
        language: "rust",
        packages: None,
        check: schemas::check,
    },
];

fn check(step: &mut Step<'_>) -> Result<()> {
    if !Portable::is_for_this_system() {
        return Err(Unavailable(
            "the packages that the programs take are tested on Linux only".into(),
        )
        .into());
    }
    let workspace = step.workspace;
    let packages = workspace.target.join("xtask/packages/packages");
    if !packages.join("bin/rustbridge").is_file() {
        return Err(
            Missing("no packages: `cargo xtask test --only packages` makes them".into()).into(),
        );
    }
    let left = emptied(workspace.target.join("xtask/examples"))?;
    let maven = maven_repository(&left.join("maven-repository"))?;
    for program in PROGRAMS {
        let folder = workspace.root.join("examples").join(program.example);
        let example = Example {
            user: User {
                packages: &packages,
                folder: &folder,
                maven: &maven,
                offline: false,
            },
            left: left.join(program.example),
        };
        let what = format!("{} in {}", program.example, program.language);
        if let Some(part) = program.packages
            && !packages.join(part).is_dir()
        {
            let why =
                format!("the packages were made without `{part}`, because its tools are missing");
            if workspace.ci {
                return Err(Missing(why).into());
            }
            step.skip(&what, &why)?;
            continue;
        }
        fs::create_dir_all(&example.left)
            .with_context(|| format!("making {}", example.left.display()))?;
        let began = Instant::now();
        match (program.check)(step, &example) {
            Err(error) if error.is::<Missing>() && !workspace.ci => {
                step.skip(&what, &format!("{error:#}"))?;
            }
            // One that can't be built doesn't keep the others from being looked at.
            Err(error) => step.check(&what, Some(format!("{error:#}")))?,
            Ok(()) => {}
        }
        step.note(&format!("{what}: {:.1} s", began.elapsed().as_secs_f64()))?;
    }
    // What is built of users' projects, which is begun anew with the packages.
    step.done_with("xtask/packages/cargo-build")
}
