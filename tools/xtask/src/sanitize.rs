//! `xtask sanitize`: the tests of what threads do to each other, under ThreadSanitizer and AddressSanitizer, with a standard
//! library that is built with them too. How that went is written down.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::counts;
use crate::files;
use crate::step::{Missing, Step, Unavailable};
use crate::tools::{find_nightly, output, which};

/// What they are run on.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// Tests of a package, in one of its programs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tests {
    package: String,
    /// An example that they load, and that no test can build by itself with these flags.
    library: Option<String>,
    /// Some memory is kept permanently, so leaks aren't looked for.
    #[serde(default)]
    keeps: bool,
    /// How cargo is asked for the program.
    program: Vec<String>,
    /// The modules of the program whose tests are run; without any, all are.
    #[serde(default)]
    modules: Vec<String>,
    /// Tests that the sanitizers can't run.
    #[serde(default)]
    without: Vec<String>,
}

/// A sanitizer, and a program in which it has to find something: one that finds nothing anywhere isn't there.
struct Sanitizer {
    name: &'static str,
    options: (&'static str, &'static str),
    wrong: &'static str,
    finds: &'static str,
}

const THREAD: Sanitizer = Sanitizer {
    name: "thread",
    // Children of a fork that go on with threads are what some tests are about.
    options: ("TSAN_OPTIONS", "die_after_fork=0:history_size=7"),
    wrong: "static mut N: u64 = 0;
fn main() {
    let other = std::thread::spawn(|| unsafe { N += 1 });
    unsafe { N += 1 };
    other.join().unwrap();
}
",
    finds: "ThreadSanitizer: data race",
};

const ADDRESS: Sanitizer = Sanitizer {
    name: "address",
    options: ("ASAN_OPTIONS", "detect_stack_use_after_return=1"),
    wrong: "fn main() {
    let gone = Box::into_raw(Box::new(1_u64));
    unsafe { drop(Box::from_raw(gone)) };
    println!(\"{}\", unsafe { std::ptr::read_volatile(gone) });
}
",
    finds: "AddressSanitizer: heap-use-after-free",
};

pub fn threads(step: &mut Step<'_>) -> Result<()> {
    sanitize(step, &THREAD)
}

pub fn addresses(step: &mut Step<'_>) -> Result<()> {
    sanitize(step, &ADDRESS)
}

fn sanitize(step: &mut Step<'_>, sanitizer: &Sanitizer) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Unavailable(format!("the sanitizers are run on {TRIPLE}")).into());
    }
    find_nightly().ok_or_else(|| Missing("no nightly Rust, which the sanitizers need".into()))?;
    if !has_source() {
        let what = "no source of the standard library; `rustup component add rust-src --toolchain nightly` gets it";
        return Err(Missing(what.into()).into());
    }
    let target = step.workspace.target.join("sanitize").join(sanitizer.name);
    finds_something(step, sanitizer, &target)?;
    let leaks = (
        sanitizer.options.0,
        format!("{}:detect_leaks=0", sanitizer.options.1),
    );
    #[derive(Deserialize)]
    struct Table {
        tests: Vec<Tests>,
    }
    let table: Table = toml::from_str(include_str!("../sanitize.toml"))?;
    for tests in table.tests {
        if let Some(library) = &tests.library {
            let mut command = cargo(step, sanitizer, &target, "build", &tests.package);
            step.run(command.args(["--example", library]))?;
        }
        let mut command = cargo(step, sanitizer, &target, "test", &tests.package);
        command.arg("--no-fail-fast").args(&tests.program);
        command.args(["--", "--test-threads=2"]);
        command.args(tests.modules.iter().map(|module| format!("{module}::")));
        for test in &tests.without {
            command.args(["--skip", test]);
        }
        if tests.keeps {
            command.env(leaks.0, &leaks.1);
        }
        step.test(&mut command, counts::cargo_test)?;
    }
    Ok(())
}

/// Cargo with everything instrumented, the standard library too.
fn cargo(
    step: &Step<'_>,
    sanitizer: &Sanitizer,
    target: &Path,
    verb: &str,
    package: &str,
) -> Command {
    let mut command = step.workspace.nightly_cargo();
    command
        .args([
            verb,
            "--locked",
            "-Zbuild-std",
            "--target",
            TRIPLE,
            "--package",
            package,
        ])
        .env("CARGO_TARGET_DIR", target)
        // With a target given, the flags reach neither build scripts nor macros.
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            // The sanitizer is in the program, and a library that it loads wants it, too.
            format!("{}\x1f-Clink-arg=-Wl,--export-dynamic", flag(sanitizer)),
        )
        .env_remove("RUSTFLAGS")
        .env(sanitizer.options.0, sanitizer.options.1);
    command
}

fn flag(sanitizer: &Sanitizer) -> String {
    format!("-Zsanitizer={}", sanitizer.name)
}

/// Builds and runs a program that's wrong, and has the sanitizer find it.
fn finds_something(step: &mut Step<'_>, sanitizer: &Sanitizer, target: &Path) -> Result<()> {
    let (source, program) = (target.join("wrong.rs"), target.join("wrong"));
    files::write(&source, sanitizer.wrong)?;
    let mut compile = step.workspace.command("rustc");
    compile
        .args(["+nightly", "--edition=2021", "-g", &flag(sanitizer)])
        // The standard library as it comes does for so little.
        .args(["-Cunsafe-allow-abi-mismatch=sanitizer", "-o"])
        .env_remove("RUSTUP_TOOLCHAIN")
        .arg(&program)
        .arg(&source);
    step.run(&mut compile)?;
    let said = match step.run(Command::new(&program).env("NO_COLOR", "1")) {
        Ok(_) => bail!(
            "the {} sanitizer finds nothing in {}",
            sanitizer.name,
            source.display()
        ),
        Err(_) => step.read_log(),
    };
    let problem = (!said.contains(sanitizer.finds)).then(|| format!("no `{}`", sanitizer.finds));
    step.check("a program that's wrong is found to be", problem)
}

/// Whether nightly's standard library is there to be built.
fn has_source() -> bool {
    let root = which("rustc").and_then(|rustc| output(&rustc, &["+nightly", "--print", "sysroot"]));
    root.is_some_and(|root| {
        let library = Path::new(root.trim()).join("lib/rustlib/src/rust/library/std");
        library.is_dir()
    })
}
