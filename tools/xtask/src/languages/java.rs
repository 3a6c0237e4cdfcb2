//! The suites of the Java bindings: format, lint, tests and jars.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::bench;
use crate::demo;
use crate::doctor::{Found, Tool, on_path};
use crate::jars::{self, Published};
use crate::java::{self, FOLDER, Java, NEWEST_NEEDED, OLDER, program};
use crate::junit;
use crate::language::Language;
use crate::recording::Recording;
use crate::step::{Missing, Step};
use crate::suite::{Lane, Suite};
use crate::tools::{Version, find_jdks, show};

/// What xtask knows of it.
pub const LANGUAGE: Language = Language {
    format: &[Suite {
        name: "spotless",
        about: "",
        lane: Lane::Maven,
        after: &[],
        run: format,
    }],
    lint: &[Suite {
        name: "java-lint",
        about: "google-java-format, ktfmt, Error Prone and javac without a warning, licences of dependencies",
        lane: Lane::Maven,
        after: &[],
        run: lint,
    }],
    test: &[
        Suite {
            name: "java",
            about: "the Maven build with its checks and tests: FFM and JNI on the newest JDK",
            lane: Lane::Maven,
            after: &["build"],
            run: verify,
        },
        Suite {
            name: "java-older",
            about: "the classes for Java 17 on an older JDK",
            lane: Lane::Maven,
            after: &["java"],
            run: older,
        },
        Suite {
            name: "java-jars",
            about: "the jars have the expected contents, and the same sources make the same bytes",
            lane: Lane::Maven,
            after: &["java"],
            run: jars,
        },
    ],
    list: Suite {
        name: "catalogue-java",
        about: "the JMH benchmarks' own list against the catalogue of scenarios",
        lane: Lane::Maven,
        after: &["build"],
        run: |step| bench::check_list(step, &bench::JMH),
    },
    harness: &bench::JMH,
    demo: &demo::JAVA,
    soak: &[
        Suite {
            name: "soak-java",
            about: "memory after many loads, calls and records, and a million calls that end later, by FFM and by JNI",
            lane: Lane::Maven,
            after: &["build"],
            run: soak,
        },
        Suite {
            name: "soak-types-java",
            about: "100,000 random values of every type through the clients in Java and Kotlin and back, and as JSON, by FFM and by JNI",
            lane: Lane::Maven,
            after: &["build"],
            run: soak_types,
        },
    ],
    tools: &[
        Tool {
            name: "JDK 22 or later",
            found: |_| jdks(|version| version >= NEWEST_NEEDED),
            needed_for: "Java and Kotlin bindings, demo",
            required: true,
            get: [
                "apt install openjdk-25-jdk",
                "brew install openjdk",
                "winget install EclipseAdoptium.Temurin.25.JDK",
            ],
        },
        Tool {
            name: "JDK 17 to 21",
            found: |_| jdks(|version| OLDER.contains(&version)),
            needed_for: "Java tests on an older JVM",
            required: false,
            get: [
                "apt install openjdk-17-jdk",
                "brew install openjdk@17",
                "winget install EclipseAdoptium.Temurin.17.JDK",
            ],
        },
        Tool {
            name: "Maven",
            found: |_| on_path("mvn", &["--version"]),
            needed_for: "Java and Kotlin bindings (3.8 or later)",
            required: true,
            get: [
                "apt install maven",
                "brew install maven",
                "choco install maven",
            ],
        },
    ],
};

/// The JDKs of a range.
fn jdks(range: impl Fn(Version) -> bool) -> Option<Found> {
    let (versions, places): (Vec<String>, Vec<String>) = find_jdks()
        .iter()
        .filter(|(version, _)| range(*version))
        .map(|(version, home)| (show(*version), home.display().to_string()))
        .unzip();
    (!versions.is_empty()).then(|| (versions.join(", "), places.join(", ")))
}

fn has_build(step: &Step<'_>) -> bool {
    step.workspace.has("rustbridge-java/pom.xml")
}

pub fn format(step: &mut Step<'_>) -> Result<()> {
    if has_build(step) {
        let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
        step.run(command.args(["--quiet", "spotless:apply"]))?;
    }
    Ok(())
}

/// Format, Error Prone, every warning of the compiler, and the licences of what we ship with.
pub fn lint(step: &mut Step<'_>) -> Result<()> {
    if has_build(step) {
        let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
        // The check of licences comes after the phase to which the profile binds the others.
        const LICENCES: &str = "org.codehaus.mojo:license-maven-plugin:add-third-party";
        step.run(command.args(["--activate-profiles=lint", "test-compile", LICENCES]))?;
    }
    Ok(())
}

/// One run of Maven: everything is built and tested on the newest JDK.
pub fn verify(step: &mut Step<'_>) -> Result<()> {
    if !has_build(step) {
        return Ok(());
    }
    let java = Java::find()?;
    let mut command = java.maven(step.workspace, &step.workspace.root);
    // Format, Error Prone and warnings are checked along, so that everything is compiled once. What a deleted file or another JDK
    // has left behind would go into the jars.
    command
        .args(["--activate-profiles=lint", "-Drustbridge.build=target"])
        .args(["clean", "verify"]);
    let recording = Recording::here(step, &["java/ffm", "java/jni"], &mut command)?;
    let reports = Java::reports(step.workspace)?;
    let inputs = bench::jmh_inputs(step.workspace);
    step.test(&mut command, |_| junit::sum(&reports))?;
    // Those who list the benchmarks needn't build them again.
    bench::jmh_is_made_of(step.workspace, &inputs)?;
    recording.end(step)
}

/// The tests of the classes for Java 17, on a JDK between 17 and 21.
fn older(step: &mut Step<'_>) -> Result<()> {
    if !has_build(step) {
        return Ok(());
    }
    let java = Java::find()?;
    let Some(home) = &java.older else {
        return Err(Missing("no JDK between 17 and 21".into()).into());
    };
    let mut command = java.maven(step.workspace, &step.workspace.root);
    command
        .arg(format!(
            "-Drustbridge.test.older={}",
            program(home, "java").display()
        ))
        .args([
            "-Drustbridge.test.newest.skip=true",
            "-Drustbridge.build=target",
            "test",
        ]);
    let reports = Java::reports(step.workspace)?;
    step.test(&mut command, |_| junit::sum(&reports))
}

/// The jars hold what they should and nothing else, and the same sources in another folder make the same bytes.
pub fn jars(step: &mut Step<'_>) -> Result<()> {
    if !has_build(step) {
        return Ok(());
    }
    let java = Java::find()?;
    let workspace = step.workspace;
    let again = workspace.target.join("xtask").join("java-again");
    java::copy_sources(workspace, &again)?;
    let modules: Vec<String> = jars::PUBLISHED
        .iter()
        .map(|module| module.name.to_owned())
        .collect();
    let mut command = java.maven(workspace, &again);
    command.args(["-Dmaven.test.skip=true", "--also-make", "package"]);
    step.run(command.arg(format!("--projects={}", modules.join(","))))?;
    for module in jars::PUBLISHED {
        inspect(step, &java, module, &again)?;
    }
    Ok(())
}

fn inspect(step: &mut Step<'_>, java: &Java, module: &Published, again: &Path) -> Result<()> {
    let name = module.name;
    let folder = Path::new(FOLDER).join(name);
    let version = env!("CARGO_PKG_VERSION");
    for kind in ["", "-sources", "-javadoc"] {
        let file = format!("{name}-{version}{kind}.jar");
        let path = folder.join("target").join(&file);
        let jar = step.workspace.root.join(&path);
        let mut list = step.workspace.command(java.program("jar"));
        let listed = step.run(list.arg("--list").arg("--file").arg(&jar))?;
        let entries: Vec<&str> = listed.lines().filter(|line| !line.ends_with('/')).collect();
        let sources = jars::sources(&step.workspace.root.join(&folder).join("src/main"))?;
        let findings = match kind {
            "" => jars::classes(module, &entries, &sources),
            "-sources" => jars::source_entries(&entries, &sources),
            _ => jars::pages(&entries),
        };
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(&format!("{file} has the expected contents"), problem)?;
        let same = read(&jar)? == read(&again.join(&path))?;
        let problem = (!same).then(|| format!("{} is another one", again.join(&path).display()));
        step.check(&format!("{file} can be built again"), problem)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

/// Memory, whose tests read the factor.
fn soak(step: &mut Step<'_>) -> Result<()> {
    soaked(step, "rustbridge-tests", "MemoryTest,HammerTest")
}

/// Random values, likewise.
fn soak_types(step: &mut Step<'_>) -> Result<()> {
    soaked(
        step,
        "rustbridge-tests,rustbridge-kotlin",
        "TypesTest#random*",
    )
}

/// The tests of that name in these projects.
fn soaked(step: &mut Step<'_>, projects: &str, tests: &str) -> Result<()> {
    let mut command = Java::find()?.maven(step.workspace, &step.workspace.root);
    command
        .arg(format!("--projects={projects}"))
        .args(["--also-make", "verify"])
        .arg(format!("-Dtest={tests}"))
        // By the compiler that users have, which so long a run is worth.
        .arg("-Drustbridge.test.compiler=")
        .arg("-Dsurefire.failIfNoSpecifiedTests=false");
    let reports = Java::reports(step.workspace)?;
    step.test(&mut command, |_| junit::sum(&reports))
}
