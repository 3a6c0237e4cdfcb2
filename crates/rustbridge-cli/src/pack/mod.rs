//! Packages of a plugin for other languages' package managers: its libraries for one or more systems, with the typed client. A program
//! that depends on one loads the plugin without a path.

mod csharp;
mod java;
mod needs;
mod node;
mod parts;
mod platform;
mod python;

use rustbridge_gen::ClientSchema;

pub(crate) use self::parts::{Kind, Library, Made};
use self::parts::{Parts, license, texts};
use self::platform::Platform;
use crate::problem::Problem;
use crate::project::Project;

/// Checks everything that can be checked before the plugin is built.
pub(crate) fn check(project: &Project, kinds: &[Kind], triples: &[String]) -> Result<(), Problem> {
    license(project)?;
    let folder = project.manifest.target.join("packages");
    if folder.join("crates/rustbridge").is_dir() {
        return Err(Problem::new(format_args!(
            "`{}` has rustbridge's own packages: choose another target folder by CARGO_TARGET_DIR",
            folder.display()
        )));
    }
    for kind in kinds {
        let mut systems: Vec<(String, &String)> = Vec::new();
        for triple in triples {
            let system = kind.system(Platform::of(triple)?);
            if let Some((_, other)) = systems.iter().find(|(known, _)| *known == system) {
                return Err(Problem::new(format_args!(
                    "`{other}` and `{triple}` are both {system} in a package for {}, which has one library for it: build one of them",
                    kind.name()
                )));
            }
            systems.push((system, triple));
        }
        match kind {
            Kind::Java => java::check(project),
            Kind::CSharp => csharp::check(project),
            Kind::Node => node::check(project),
            Kind::Python => python::check(project),
        }?;
    }
    Ok(())
}

/// Makes the packages.
pub(crate) fn make(
    project: &Project,
    kinds: &[Kind],
    libraries: &[Library],
    client_schema: &ClientSchema,
) -> Result<Vec<Made>, Problem> {
    let found = libraries
        .iter()
        .map(|library| Ok((Platform::of(&library.triple)?, &*library.file)));
    let manifest = &project.manifest;
    let parts = Parts {
        project,
        client_schema,
        libraries: found.collect::<Result<_, Problem>>()?,
        license: license(project)?,
        description: match &manifest.description {
            Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            None => format!("The plugin {}.", project.name),
        },
        texts: texts(&project.root)?,
        folder: manifest.target.join("packages"),
    };
    kinds
        .iter()
        .map(|kind| match kind {
            Kind::Java => java::make(&parts),
            Kind::CSharp => csharp::make(&parts),
            Kind::Node => node::make(&parts),
            Kind::Python => python::make(&parts),
        })
        .collect()
}
