//! The hosts that aren't Rust or C: runtimes built for Windows, from the registries, with our bindings, under Wine. Go needs no runtime: it
//! builds for Windows by itself.

pub mod csharp;
pub mod go;
pub mod java;
pub mod node;
mod program;
pub mod python;

use anyhow::Result;

use super::cross::Cross;
use crate::step::Step;

/// Fetches the runtimes that aren't there yet.
pub fn fetch(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    for runtime in [
        python::runtime,
        java::runtime,
        csharp::runtime,
        node::runtime,
    ] {
        runtime(step, &cross)?;
    }
    Ok(())
}
