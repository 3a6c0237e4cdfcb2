//! A jar with the client's classes and the plugin's libraries, one with the sources, and a POM, in a folder that is a Maven repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use rustbridge_gen::Language;

use super::parts::{Kind, Made, Parts, check_name, copy, emptied, is_license, rustbridge, xml};
use super::platform::Platform;
use crate::client::write;
use crate::packages::slashes;
use crate::problem::Problem;
use crate::project::Project;
use crate::tool;

const WHAT: &str = "a package for Java";

/// The oldest Java that the bindings support.
const RELEASE: &str = "17";

/// The time of every entry, so that the same files make the same jar.
const DATE: &str = "--date=1980-01-01T00:00:02Z";

struct Names {
    group: String,
    artifact: String,
    namespace: String,
}

fn names(project: &Project) -> Result<Names, Problem> {
    let given = &project.manifest.names.java;
    let Some(group) = given.group.clone() else {
        return Err(Problem::new(format_args!(
            "{WHAT} has a group: add `java = {{ group = \"com.example\" }}`, with your reversed domain, to `[package.metadata.rustbridge.package]` in `{}`",
            project.root.join("Cargo.toml").display()
        )));
    };
    let artifact = given.artifact.clone();
    let artifact = artifact.unwrap_or_else(|| project.name.clone());
    let is_valid = |name: &str| {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        !name.is_empty() && name.chars().all(is_letter)
    };
    check_name(
        &group,
        "the group of a Maven artifact",
        "java.group",
        is_valid(&group),
    )?;
    check_name(
        &artifact,
        "a Maven artifact",
        "java.artifact",
        is_valid(&artifact),
    )?;
    let namespace = given.namespace.clone().unwrap_or_else(|| {
        let last = artifact.replace(['-', '.'], "_");
        format!("{}.{last}", group.replace('-', "_"))
    });
    Ok(Names {
        group,
        artifact,
        namespace,
    })
}

pub(super) fn check(project: &Project) -> Result<(), Problem> {
    names(project)?;
    rustbridge(project)?.jar("rustbridge")?;
    for program in ["javac", "jar"] {
        tool::check(&tool::jdk(program), WHAT)?;
    }
    Ok(())
}

pub(super) fn make(parts: &Parts<'_>) -> Result<Made, Problem> {
    let names = names(parts.project)?;
    let work = emptied(parts.work(Kind::Java))?;
    let (sources, classes) = (work.join("sources"), work.join("classes"));
    let files = parts.client(Language::Java, Some(names.namespace.clone()), &sources)?;
    compile(parts, &work, &files, &classes)?;
    let package = classes.join(names.namespace.replace('.', "/"));
    parts.place(&package.join("native"), Platform::jar)?;
    for text in parts.texts.iter().filter(|path| is_license(path)) {
        for folder in [&sources, &classes] {
            copy(text, &folder.join("META-INF"))?;
        }
    }
    let output = parts.output(Kind::Java)?;
    let version = &parts.project.manifest.version;
    // As a repository has them, which the folder is.
    let place = output
        .join(names.group.replace('.', "/"))
        .join(&names.artifact)
        .join(version);
    std::fs::create_dir_all(&place).map_err(Problem::new)?;
    let file = |ending: &str| place.join(format!("{}-{version}{ending}", names.artifact));
    let made = [file(".jar"), file("-sources.jar"), file(".pom")];
    let manifest = work.join("MANIFEST.MF");
    let text = format!(
        "Automatic-Module-Name: {}\nImplementation-Title: {}\nImplementation-Version: {version}\n",
        names.namespace, names.artifact
    );
    write(&manifest, text.as_bytes())?;
    jar(&made[0], Some(&manifest), &classes)?;
    jar(&made[1], None, &sources)?;
    write(&made[2], pom(parts, &names).as_bytes())?;
    let Names {
        group, artifact, ..
    } = names;
    Ok(Made {
        kind: Kind::Java,
        files: made.into(),
        line: format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>"
        ),
    })
}

fn compile(
    parts: &Parts<'_>,
    work: &Path,
    files: &[PathBuf],
    classes: &Path,
) -> Result<(), Problem> {
    let mut list = String::new();
    for file in files {
        // A backslash would escape what follows it.
        let path = slashes(file)?;
        list.push_str(&format!("\"{path}\"\n"));
    }
    let listed = work.join("files.txt");
    write(&listed, list.as_bytes())?;
    let mut argument = std::ffi::OsString::from("@");
    argument.push(&listed);
    let mut compile = Command::new(tool::jdk("javac"));
    compile
        .args(["--release", RELEASE, "-encoding", "UTF-8", "-proc:none"])
        .args(["-Xlint:none", "-g", "-classpath"])
        .arg(rustbridge(parts.project)?.jar("rustbridge")?)
        .arg("-d")
        .arg(classes)
        .arg(argument);
    tool::output(&mut compile, WHAT).map(drop)
}

fn jar(file: &Path, manifest: Option<&Path>, folder: &Path) -> Result<(), Problem> {
    let mut command = Command::new(tool::jdk("jar"));
    command.args(["--create", DATE, "--file"]).arg(file);
    if let Some(manifest) = manifest {
        command.arg("--manifest").arg(manifest);
    }
    command.arg("-C").arg(folder).arg(".");
    tool::output(&mut command, WHAT).map(drop)
}

fn pom(parts: &Parts<'_>, names: &Names) -> String {
    let manifest = &parts.project.manifest;
    let dependency = |artifact: &str, scope: &str| {
        format!(
            "    <dependency>\n      <groupId>io.github.rustbridge</groupId>\n      <artifactId>{artifact}</artifactId>\n      \
             <version>{}</version>\n      <scope>{scope}</scope>\n    </dependency>\n",
            env!("CARGO_PKG_VERSION")
        )
    };
    // The one is for JDK 22 and later, which older ones pass over.
    let dependencies = [
        dependency("rustbridge", "compile"),
        dependency("rustbridge-jni", "runtime"),
        dependency("rustbridge-ffm", "runtime"),
    ];
    let url = match &manifest.repository {
        Some(url) => format!("  <url>{}</url>\n", xml(url)),
        None => String::new(),
    };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{}</groupId>
  <artifactId>{}</artifactId>
  <version>{}</version>
  <name>{}</name>
  <description>{}</description>
{url}  <licenses>
    <license>
      <name>{}</name>
    </license>
  </licenses>
  <dependencies>
{}  </dependencies>
</project>
"#,
        xml(&names.group),
        xml(&names.artifact),
        xml(&manifest.version),
        xml(&names.artifact),
        xml(&parts.description),
        xml(&parts.license),
        dependencies.concat(),
    )
}
