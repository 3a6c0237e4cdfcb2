//! The clients of gRPC that not every machine can have: in C++, Go and Node. Where one can't be made, the others are measured.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::bench::c;
use crate::bench::harness::Job;
use crate::go;
use crate::node;
use crate::python;
use crate::setup::packages_of_debian;
use crate::step::{Missing, Unavailable};
use crate::tools::which;
use crate::workspace::Workspace;

/// One of them.
pub struct Client {
    /// As `grpc-bench` calls it: `--host NAME`, and `--NAME` for its program.
    pub name: &'static str,
    /// Whose its measures are.
    pub hosts: &'static [&'static str],
    build: fn(&mut Job<'_, '_>) -> Result<()>,
    /// The program that runs it, if it was built.
    pub program: fn(&Workspace) -> Option<PathBuf>,
}

pub const CLIENTS: [Client; 3] = [
    Client {
        name: "cpp",
        hosts: &["c", "cpp"],
        build: build_cpp,
        program: |workspace| made(&folder_of_cpp(workspace), "client"),
    },
    Client {
        name: "go",
        hosts: &["go"],
        build: build_go,
        program: |workspace| made(&folder_of_go(workspace), "client"),
    },
    Client {
        name: "node",
        hosts: &["node"],
        build: |job| node::modules_in(job.step, NODE),
        program: |workspace| {
            let modules = workspace.root.join(NODE).join("node_modules/@grpc/grpc-js");
            modules.is_dir().then(node::found)?.map(|(node, _)| node)
        },
    },
];

const CPP: &str = "benches/grpc/cpp";
const GO: &str = "benches/grpc/go";
const NODE: &str = "benches/grpc/node";

/// Debian's packages for the client in C++.
const LIBRARY_OF_CPP: [&str; 4] = [
    "libgrpc++-dev",
    "libprotobuf-dev",
    "protobuf-compiler",
    "protobuf-compiler-grpc",
];

/// Makes those that can be made here.
pub fn build(job: &mut Job<'_, '_>) -> Result<()> {
    for client in &CLIENTS {
        match (client.build)(job) {
            Err(error) if error.is::<Missing>() || error.is::<Unavailable>() => {
                let name = client.name;
                job.step
                    .note(&format!("without the client `{name}`: {error:#}"))?;
            }
            other => other?,
        }
    }
    Ok(())
}

fn made(folder: &Path, name: &str) -> Option<PathBuf> {
    let program = folder.join(format!("{name}{EXE_SUFFIX}"));
    program.is_file().then_some(program)
}

fn folder_of_cpp(workspace: &Workspace) -> PathBuf {
    workspace.target.join("cmake").join("bench-grpc")
}

fn build_cpp(job: &mut Job<'_, '_>) -> Result<()> {
    if which("grpc_cpp_plugin").is_none() {
        packages_of_debian(job.step, &LIBRARY_OF_CPP)?;
    }
    let into = folder_of_cpp(job.workspace());
    c::compile(job, CPP, &into, &[])
}

fn folder_of_go(workspace: &Workspace) -> PathBuf {
    workspace.target.join("grpc").join("go")
}

/// The code generated from `bench.proto` is next to the program; an overlay puts it into its package for Go.
fn build_go(job: &mut Job<'_, '_>) -> Result<()> {
    let workspace = job.workspace();
    let into = folder_of_go(workspace);
    let messages = into.join("messages");
    fs::create_dir_all(&messages).with_context(|| format!("making {}", messages.display()))?;
    let folder = workspace.root.join(GO);
    let proto = workspace.root.join("benches/grpc/proto");
    let mut protoc = match which("protoc") {
        Some(protoc) => workspace.command(protoc),
        None => {
            let python = python::environment(job.step)?;
            let mut protoc = workspace.command(python);
            protoc.args(["-m", "grpc_tools.protoc"]);
            protoc
        }
    };
    protoc.arg("bench.proto");
    protoc.arg(format!("--proto_path={}", proto.display()));
    for (kind, generator) in [("go", "protoc-gen-go"), ("go-grpc", "protoc-gen-go-grpc")] {
        let said = job
            .step
            .run(&mut go::command(workspace, GO, &["tool", "-n", generator])?)?;
        // Before the path there may be messages about downloads.
        let path = said.lines().last().unwrap_or_default().trim();
        protoc.arg(format!("--plugin=protoc-gen-{kind}={path}"));
        protoc.arg(format!("--{kind}_out={}", messages.display()));
        protoc.arg(format!("--{kind}_opt=paths=source_relative"));
        let package = "github.com/rustbridge/rustbridge/benches/grpc/go/messages";
        protoc.arg(format!("--{kind}_opt=Mbench.proto={package}"));
    }
    job.step.run(&mut protoc)?;
    let replaced: serde_json::Map<_, _> = ["bench.pb.go", "bench_grpc.pb.go"]
        .into_iter()
        .map(|name| {
            let place = folder.join("messages").join(name);
            (place.display().to_string(), json!(messages.join(name)))
        })
        .collect();
    let overlay = into.join("overlay.json");
    fs::write(&overlay, json!({ "Replace": replaced }).to_string())
        .with_context(|| format!("writing {}", overlay.display()))?;
    let mut build = go::command(workspace, GO, &["build", "-buildvcs=false", "-o"])?;
    build
        .arg(into.join(format!("client{EXE_SUFFIX}")))
        .arg("-overlay")
        .arg(&overlay)
        .arg(".")
        .env("CGO_ENABLED", "0");
    job.step.run(&mut build).map(drop)
}
