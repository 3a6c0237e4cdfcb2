//! The Java host against the jars as users get them, on each backend, and Kotlin's over the same.

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::host::{Demo, Host};
use crate::java::{self, Java};

pub const HOST: Host = Host {
    language: "Java",
    title: "the Java hosts",
    run,
};

fn run(demo: &mut Demo<'_, '_>) -> Result<()> {
    let java = Java::find()?;
    let workspace = demo.workspace();
    let classes = workspace.target.join("demo").join("java");
    let client = demo.stage("writing the client in Java", |demo| demo.client("java"))?;
    let class_path = demo.stage("building the jars and the Java host", |demo| {
        let mut build = workspace.cargo();
        demo.step.run(build.args([
            "build",
            "--locked",
            "--release",
            "--package",
            "rustbridge-jni",
        ]))?;
        let mut maven = java.maven(workspace, &workspace.root);
        maven.args(["--quiet", "--also-make", "package"]).args([
            "--projects=rustbridge-ffm,rustbridge-jni",
            "-Dmaven.test.skip=true",
            "-Dmaven.javadoc.skip=true",
            "-Dmaven.source.skip=true",
        ]);
        demo.step.run(&mut maven)?;
        let mut class_path: Vec<PathBuf> = ["rustbridge", "rustbridge-ffm", "rustbridge-jni"]
            .map(|module| java::jar(workspace, module))
            .to_vec();
        class_path.push(classes.clone());
        let class_path = env::join_paths(class_path)
            .context("the path of the workspace has a separator of paths in it")?;
        let sources = workspace.files(&[
            "examples/demo/java",
            "examples/shop/java",
            "examples/contacts/java",
        ])?;
        let mut javac = workspace.command(java.program("javac"));
        javac.arg("-d").arg(&classes).arg("-cp").arg(&class_path);
        // What the hosts use of the client is compiled with them.
        javac.arg("-sourcepath").arg(&client);
        demo.step
            .run(javac.args(sources.iter().filter(|path| path.ends_with(".java"))))?;
        Ok(class_path)
    })?;
    for backend in ["ffm", "jni"] {
        let what = format!("running the Java host, {backend}");
        demo.stage(&what, |demo| {
            let program = |class: &str| {
                let mut host = workspace.command(java.program("java"));
                host.arg("--enable-native-access=ALL-UNNAMED")
                    .arg(format!("-Drustbridge.backend={backend}"))
                    .arg("-cp")
                    .arg(&class_path)
                    .args([class, backend]);
                host
            };
            demo.collect(program("Host").arg(demo.plugin()).arg(demo.floor()))?;
            demo.collect_shop(program("ShopHost").arg(demo.shop()))?;
            demo.collect_contacts(program("ContactsHost").arg(demo.contacts()))
        })?;
    }
    let client = demo.stage("writing the client in Kotlin", |demo| demo.client("kotlin"))?;
    demo.stage(
        "building and running the Kotlin host, ffm and jni",
        |demo| {
            let mut maven = java.maven(workspace, &workspace.root);
            maven
                .args(["--quiet", "--also-make", "package", "--projects"])
                .args([
                    ":rustbridge-example-contacts-kotlin",
                    "-Dmaven.test.skip=true",
                    "-Dmaven.javadoc.skip=true",
                    "-Dmaven.source.skip=true",
                    "-Ddokka.skip=true",
                ])
                .arg(format!("-Dcontacts.client={}", client.display()))
                .arg(format!("-Dcontacts.plugin={}", demo.contacts().display()));
            demo.collect_contacts(&mut maven)
        },
    )
}
