//! The fuzz targets, each built with libFuzzer and run for a while.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::files::emptied;
use crate::step::{Missing, Step, Unavailable};
use crate::tools::{find_cc, find_nightly, output, which};

/// The programs of the fuzz crate, each with a number of inputs that reaches everything a seed reaches, in a few seconds; `soak` tries many
/// times as many. `describe` keeps memory permanently, as its mappings do, so leaks aren't looked for. Each input of `json` is read as each of
/// the types of `all_same`, by two readers.
const TARGETS: [(&str, u32); 7] = [
    ("image", 20_000),
    ("describe", 10_000),
    ("requests", 10_000),
    ("wire", 100_000),
    ("json", 25_000),
    ("resolve", 100_000),
    ("record", 5_000),
];

/// What cargo-fuzz passes to the compiler: coverage counters for libFuzzer, and AddressSanitizer. Passing it ourselves saves
/// building that tool, and keeps its version from deciding what runs.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Zsanitizer=address",
    "-Ccodegen-units=1",
    "--cfg=fuzzing",
];

pub fn run(step: &mut Step<'_>) -> Result<()> {
    build(step)?;
    tried(step, |_| true)?;
    step.done_with("fuzz")
}

/// Builds all of them.
pub fn build(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    if !cfg!(target_os = "linux") {
        return Err(Unavailable("libFuzzer and AddressSanitizer are run on Linux".into()).into());
    }
    find_nightly().ok_or_else(|| Missing("no nightly Rust, which the sanitizers need".into()))?;
    let mut build = workspace.nightly_cargo();
    build
        .args([
            "build",
            "--locked",
            "--release",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--target",
            &host_triple()?,
        ])
        // With a target given, the flags reach neither build scripts nor macros.
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\x1f"))
        .env("CARGO_TARGET_DIR", workspace.target.join("fuzz"));
    step.run(&mut build).map(drop)
}

/// Gives the wanted ones, which are built, their inputs.
pub fn tried(step: &mut Step<'_>, wanted: impl Fn(&str) -> bool) -> Result<()> {
    let workspace = step.workspace;
    let triple = host_triple()?;
    let target = workspace.target.join("fuzz");
    let found = target.join("found");
    fs::create_dir_all(&found).with_context(|| format!("making {}", found.display()))?;
    for (name, inputs) in TARGETS.into_iter().filter(|(name, _)| wanted(name)) {
        let inputs = inputs * workspace.soak;
        // New inputs go into a folder that starts out empty, so that each run is the same and the seeds stay as they are.
        let corpus = target.join("corpus").join(name);
        let corpus = emptied(corpus)?;
        if name == "image" {
            let library = smallest_library(step)?;
            fs::copy(&library, corpus.join("library")).context("copying a library as a seed")?;
        }
        let mut command = workspace.command(target.join(&triple).join("release").join(name));
        command
            .arg(format!("-runs={inputs}"))
            .args([
                "-seed=1",
                "-timeout=20",
                "-max_len=16384",
                "-verbosity=0",
                "-print_final_stats=1",
            ])
            .arg(format!("-artifact_prefix={}/{name}-", found.display()))
            .arg(&corpus);
        if name == "describe" {
            command.env("ASAN_OPTIONS", "detect_leaks=0");
        }
        let seeds = workspace.root.join("fuzz").join("seeds").join(name);
        if seeds.is_dir() {
            command.arg(seeds);
        }
        let problem = step.run(&mut command).err();
        let problem = problem.map(|error| format!("{error}; the input is in {}", found.display()));
        step.check(&format!("{name} finds nothing in {inputs} inputs"), problem)?;
    }
    Ok(())
}

/// The smallest library that the check accepts: a seed of a few kilobytes reaches what one of a megabyte can't.
fn smallest_library(step: &mut Step<'_>) -> Result<PathBuf> {
    let folder = step.workspace.target.join("fuzz");
    let source = folder.join("seed.c");
    let library = folder.join("seed.so");
    fs::write(
        &source,
        "const void *rustbridge_plugin(unsigned version) { (void)version; return 0; }\n",
    )
    .with_context(|| format!("writing {}", source.display()))?;
    let cc = find_cc().ok_or_else(|| Missing("no C compiler".into()))?;
    let mut compile = step.workspace.command(cc);
    compile.args([
        "-shared",
        "-nostdlib",
        "-s",
        "-O1",
        "-Wl,-z,noseparate-code",
        "-Wl,--build-id=none",
        "-o",
    ]);
    step.run(compile.arg(&library).arg(&source))?;
    Ok(library)
}

/// The triple that rustc builds for by default.
fn host_triple() -> Result<String> {
    let said = which("rustc")
        .and_then(|path| output(&path, &["-vV"]))
        .unwrap_or_default();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` names no host")?.to_owned())
}
