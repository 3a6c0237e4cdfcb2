//! A version to come, in which every struct that may grow has one field more, gets on with the version of today: host,
//! library and plugins of either, in all mixes, over all conformance cases.
//!
//! The version to come is today's sources with the feature `grown`, and the header that cbindgen makes of them then.
//!
//! A program of its own, because it has cargo build another librustbridge in the folder of intermediate files where the one lies
//! that other tests link with.
#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use child_process::BUILD;
use rustbridge_conformance::cases::{Files, Plugin};
use rustbridge_conformance::libraries;
use rustbridge_conformance::run::{self, CASE_LIMIT, Selection};
use rustbridge_conformance::testee::Testee;
use support::Link;

/// One of the two, by what its host, its library and its plugins are.
#[derive(Clone)]
struct Version {
    name: &'static str,
    headers: String,
    testee: PathBuf,
    sizes: PathBuf,
    library: PathBuf,
    plugins: fn(&str) -> PathBuf,
}

/// Where the libraries of the version to come are built. A target folder of its own, since the files have the same names.
fn grown_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth-target")
}

fn grown_plugin(package: &str) -> PathBuf {
    grown_folder()
        .join("debug")
        .join(libraries::file_name(package))
}

fn programs(folder: &Path, headers: &str) -> (PathBuf, PathBuf) {
    let program = |source: &str, name: &str| {
        support::source(source)
            .include(headers)
            .link(Link::Shared)
            .program(folder, name)
    };
    (
        program("tests/c/conformance.c", "conformance"),
        program("tests/c/growth.c", "growth"),
    )
}

fn today() -> Version {
    let headers = "tests/c".to_owned();
    let (testee, sizes) = programs(&support::folder("growth-today"), &headers);
    Version {
        name: "today's",
        headers,
        testee,
        sizes,
        library: support::built().to_owned(),
        plugins: libraries::path,
    }
}

fn to_come() -> Version {
    let folder = support::folder("growth-to-come");
    for (path, text) in rustbridge_headers::generate_grown() {
        fs::write(folder.join(path.file_name().unwrap()), text).unwrap();
    }
    let headers = folder.to_str().unwrap().to_owned();
    let (testee, sizes) = programs(&folder, &headers);
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args([
            "build",
            "--quiet",
            "--locked",
            "--features",
            "rustbridge-capi/grown",
        ])
        .args(["--package", "rustbridge-capi"])
        .args([
            "--package",
            "hello-plugin",
            "--package",
            "conformance-plugin",
            "--package",
            "lying-plugin",
            "--package",
            "operations-plugin",
            "--package",
            "fault-services",
        ])
        .arg("--target-dir")
        .arg(grown_folder())
        .current_dir(support::workspace());
    let output = child_process::output(support::sharing(&mut cargo), BUILD);
    assert!(output.status.success(), "{}", support::text(&output));
    Version {
        name: "the next",
        headers,
        testee,
        sizes,
        library: grown_folder().join("debug"),
        plugins: grown_plugin,
    }
}

/// What is begun, told and streamed, by hosts, libraries and a plugin of either version.
fn operations(versions: &[Version]) {
    let built = |version: usize, name: &str| {
        let folder = support::folder(&format!("growth-operations-{version}"));
        support::source(&format!("tests/c/{name}.c"))
            .include(&versions[version].headers)
            .link(Link::Shared)
            .program(&folder, name)
    };
    let puppets = [0, 1].map(|version| {
        let folder = support::folder(&format!("growth-operations-{version}"));
        support::source("tests/c/puppet.c")
            .include(&versions[version].headers)
            .library(&folder, "puppet")
    });
    for name in ["operations", "streams", "queues"] {
        for host in [0, 1] {
            let program = built(host, name);
            for library in versions {
                for (plugin, puppet) in puppets.iter().enumerate() {
                    let said = support::run(on(&program, library).arg(puppet));
                    assert!(
                        said.contains(&format!("{name}: ok")),
                        "{name} of {host} on {} with {plugin}: {said}",
                        library.name
                    );
                }
            }
        }
    }
}

/// A program of one version on the library of another.
fn on(program: &Path, library: &Version) -> Command {
    let mut command = support::command(program);
    command.env("LD_LIBRARY_PATH", &library.library);
    command
}

#[test]
fn hosts_libraries_and_plugins_of_two_versions_get_on_with_each_other_in_every_mix() {
    let versions = [today(), to_come()];
    let sizes = versions.clone().map(|version| {
        let plugin = (version.plugins)("conformance-plugin");
        support::run(on(&version.sizes, &version).arg(plugin))
    });
    // Of a method here, an outcome of the library's and a plugin's table: what is compared really is another version.
    assert_eq!(sizes, ["48 48 56\n", "56 56 64\n"]);

    operations(&versions);
    let files = Files::read().unwrap();
    let mut mixes = 0;
    for host in &versions {
        for library in &versions {
            for plugins in &versions {
                let names = [host, library, plugins].map(|version| version.name);
                if names == ["today's"; 3] {
                    // The other suites' business.
                    continue;
                }
                let (program, on_library) = (host.testee.clone(), library.clone());
                let find = plugins.plugins;
                let mut testee = Testee::start(
                    move || {
                        let mut command = on(&program, &on_library);
                        command.arg("guard");
                        command
                    },
                    move |plugin: Plugin| find(plugin.package()),
                    CASE_LIMIT,
                )
                .unwrap();
                let selection = Selection {
                    case: &|_| true,
                    way: &|_| true,
                    until: None,
                };
                let report = run::all(&files, &mut testee, &selection);
                eprintln!(
                    "host {}, library {}, plugins {}: {report}",
                    names[0], names[1], names[2]
                );
                report.assert_right();
                // C can express all others.
                let throwing = files.cases().filter(|case| case.throws()).count();
                assert_eq!(report.skipped().len(), throwing);
                assert_eq!(
                    report.case_counts().passed,
                    files.cases().count() - throwing
                );
                mixes += 1;
            }
        }
    }
    assert_eq!(mixes, 7);
}
