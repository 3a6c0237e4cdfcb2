//! The hosts that aren't Rust or C: runtimes built for Windows, from the registries, with our bindings, under Wine.

mod csharp;
pub mod go;
mod host;
mod java;
pub mod node;
mod program;
mod python;
mod runtime;

use anyhow::Result;

use self::host::Host;
use super::cross::Cross;
use crate::step::Step;
use crate::suite::{Lane, Suite};

/// In the order in which they are fetched.
const ALL: [&Host; 5] = [
    &python::HOST,
    &java::HOST,
    &csharp::HOST,
    &go::HOST,
    &node::HOST,
];

pub fn suites() -> Vec<Suite> {
    let mut suites = vec![Suite {
        name: "windows-hosts",
        about: "CPython, a Java runtime, .NET and Node for Windows, from the registries",
        lane: Lane::Free,
        after: &["windows-setup"],
        run: fetch,
    }];
    suites.extend(ALL.iter().flat_map(|host| host.suites));
    suites
}

fn fetch(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    runtimes(step, &cross, &mut |_| ())
}

/// Fetches what isn't there yet. `say` gets a line for each runtime.
pub fn runtimes(step: &mut Step<'_>, cross: &Cross<'_>, say: &mut dyn FnMut(&str)) -> Result<()> {
    for host in ALL {
        let line = (host.runtime)(step, cross)?;
        say(&line);
        step.note(&line)?;
    }
    Ok(())
}
