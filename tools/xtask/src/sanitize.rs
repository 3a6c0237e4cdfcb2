//! `xtask sanitize`: the tests of what threads do to each other, under ThreadSanitizer and AddressSanitizer, with a standard
//! library that is built with them too. How that went is written down.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::counts;
use crate::step::{Missing, Step, Unavailable};
use crate::tools::{find_nightly, output, which};

/// What they are run on.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// What both sanitizers run: threads, operations and memory, of the core and of the author's side. Not among them is `shared`,
/// in which a request is written to while it's copied: that race is what it's about.
const TESTS: &[Tests] = &[
    Tests {
        package: "rustbridge-core",
        library: Some("tiny_plugin"),
        // As below.
        keeps: true,
        program: &["--lib"],
        modules: &[],
        without: &[],
    },
    Tests {
        package: "rustbridge-core",
        library: Some("tiny_plugin"),
        // Mappings, what the tests' plugins keep on purpose, and all that a forked child has of its parent.
        keeps: true,
        program: &["--test", "core_api"],
        modules: &[
            "closing",
            "forking",
            "hammer",
            "lies",
            "log_threads",
            "logging",
            "objects",
            "services_lifetime",
        ],
        without: &[
            // It counts the pages that are in use, and the sanitizers' own are among them.
            "ten_thousand_loads_and_closes_leave_nothing_behind",
            // It counts them as well.
            "what_waits_for_a_sink_is_bounded_by_bytes_as_well",
            // It allows the process no thread more, and the sanitizers have their own.
            "records_outlast_a_lack_of_threads",
        ],
    },
    Tests {
        package: "rustbridge-core",
        library: None,
        keeps: false,
        program: &["--test", "core_api"],
        modules: &[
            "futures",
            "futures_streams",
            "operations",
            "operations_queues",
            "operations_streams",
            "services",
            "services_queue",
        ],
        without: &[],
    },
    Tests {
        package: "rustbridge-core",
        library: None,
        keeps: false,
        program: &["--test", "operations_hammer"],
        modules: &[],
        without: &[],
    },
    Tests {
        package: "rustbridge",
        library: None,
        keeps: false,
        program: &["--all-features", "--test", "author"],
        modules: &[
            "async_streams",
            "asynchronous",
            "carrying",
            "objects",
            "pending",
            "streams",
            "through_core",
        ],
        without: &[],
    },
    Tests {
        package: "rustbridge",
        library: None,
        keeps: false,
        program: &["--all-features", "--test", "memory"],
        modules: &["drops"],
        without: &[],
    },
];

/// Tests of a package, in one of its programs.
struct Tests {
    package: &'static str,
    /// An example that they load, and that no test can build by itself with these flags.
    library: Option<&'static str>,
    /// Some memory is kept for good, so leaks aren't looked for.
    keeps: bool,
    /// How cargo is asked for the program.
    program: &'static [&'static str],
    /// The modules of the program whose tests are run; without any, all are.
    modules: &'static [&'static str],
    /// Tests that the sanitizers make no sense of.
    without: &'static [&'static str],
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
    for tests in TESTS {
        if let Some(library) = tests.library {
            let mut command = cargo(step, sanitizer, &target, "build", tests.package);
            step.run(command.args(["--example", library]))?;
        }
        let mut command = cargo(step, sanitizer, &target, "test", tests.package);
        command.arg("--no-fail-fast").args(tests.program);
        command.args(["--", "--test-threads=2"]);
        command.args(tests.modules.iter().map(|module| format!("{module}::")));
        for test in tests.without {
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
    fs::create_dir_all(target).with_context(|| format!("making {}", target.display()))?;
    let (source, program) = (target.join("wrong.rs"), target.join("wrong"));
    fs::write(&source, sanitizer.wrong).with_context(|| format!("writing {}", source.display()))?;
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
