//! The Java hosts over the modules' classes, on each backend, and Kotlin's over the same.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::built::Needs;
use super::host::{CAPI, CLI, Demo, Host};
use crate::java::{self, Java};

pub const HOST: Host = Host {
    name: "java",
    language: "Java",
    packages: [&[CAPI], &["rustbridge-jni", CLI]],
    needs: [Needs::Second, Needs::Second],
    prepare,
    run,
    run_typed,
};

const MODULES: [&str; 3] = ["rustbridge", "rustbridge-ffm", "rustbridge-jni"];

/// Compiles the modules, Kotlin's too, which fetches most of what Maven needs. Their jars would have the libraries in them.
fn prepare(demo: &mut Demo<'_, '_>) -> Result<()> {
    let java = Java::find()?;
    let workspace = demo.workspace();
    let mut maven = maven(demo, &java);
    maven.args([
        "compile",
        "--projects=rustbridge-ffm,rustbridge-jni,rustbridge-kotlin",
    ]);
    demo.step.run(&mut maven)?;
    let sources = workspace.files(&["examples/demo/java", "examples/shop/java"])?;
    let mut javac = javac(demo, &java)?;
    demo.step
        .run(javac.args(sources.iter().filter(|path| path.ends_with(".java"))))?;
    Ok(())
}

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let java = Java::find()?;
    for backend in ["ffm", "jni"] {
        let mut host = program(demo, &java, "Host", backend)?;
        demo.collect(host.arg(demo.plugin()).arg(demo.floor()))?;
        let mut shop = program(demo, &java, "ShopHost", backend)?;
        demo.collect_shop(shop.arg(demo.shop()))?;
    }
    Ok(())
}

fn run_typed(demo: &mut Demo<'_, '_>) -> Result<()> {
    let java = Java::find()?;
    let workspace = demo.workspace();
    let client = demo.client("java")?;
    let sources = workspace.files(&["examples/contacts/java"])?;
    let mut javac = javac(demo, &java)?;
    // What the host uses of the client is compiled with it.
    javac.arg("-sourcepath").arg(&client);
    demo.step
        .run(javac.args(sources.iter().filter(|path| path.ends_with(".java"))))?;
    for backend in ["ffm", "jni"] {
        let mut contacts = program(demo, &java, "ContactsHost", backend)?;
        demo.collect_contacts(contacts.arg(demo.contacts()))?;
    }
    let client = demo.client("kotlin")?;
    let mut maven = maven(demo, &java);
    maven
        .args([
            "package",
            "--projects=:rustbridge-example-contacts-kotlin",
            "-Ddokka.skip=true",
        ])
        .arg(format!("-Dcontacts.client={}", client.display()))
        .arg(format!("-Dcontacts.plugin={}", demo.contacts().display()));
    demo.collect_contacts(&mut maven)
}

fn maven(demo: &Demo<'_, '_>, java: &Java) -> Command {
    let workspace = demo.workspace();
    let mut maven = java.maven_with(workspace, &workspace.root, &demo.natives());
    // The first leaves tests uncompiled. The second is for those that an earlier build compiled: the POM has a `skip` of its own.
    maven.args([
        "--quiet",
        "--also-make",
        "-Dmaven.test.skip=true",
        "-DskipTests",
        "-Dmaven.javadoc.skip=true",
        "-Dmaven.source.skip=true",
    ]);
    maven
}

fn javac(demo: &Demo<'_, '_>, java: &Java) -> Result<Command> {
    let mut javac = demo.workspace().command(java.program("javac"));
    javac.arg("-d").arg(demo.folder("java"));
    javac.arg("-cp").arg(class_path(demo)?);
    Ok(javac)
}

fn class_path(demo: &Demo<'_, '_>) -> Result<OsString> {
    let bindings = demo.workspace().root.join(java::FOLDER);
    let classes = |module: &str| bindings.join(module).join("target").join("classes");
    let mut folders: Vec<PathBuf> = MODULES.map(classes).to_vec();
    folders.push(demo.folder("java"));
    env::join_paths(folders).context("the path of the workspace has a separator of paths in it")
}

fn program(demo: &Demo<'_, '_>, java: &Java, class: &str, backend: &str) -> Result<Command> {
    let mut host = demo.workspace().command(java.program("java"));
    host.arg("--enable-native-access=ALL-UNNAMED")
        .arg(format!("-Drustbridge.backend={backend}"))
        .arg(format!("-Drustbridge.library={}", demo.natives().display()))
        .arg("-cp")
        .arg(class_path(demo)?)
        .args([class, backend]);
    Ok(host)
}
