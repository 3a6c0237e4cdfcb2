//! How many instructions the core's hot paths need, counted by callgrind and compared with what is written down.
//!
//! A count belongs to the sources and the compiler, and to nothing else:
//! * Not to the processor or the C library: what the C library and the loader execute isn't counted, which is also where
//!   `memcpy` and `strlen` are chosen by processor. That they are called is, because the call is an instruction of ours.
//! * Not to where the checkout is: the program runs in the folder that it loads from and names files without their folder.
//! * Not to the environment: nothing that is counted reads it, and its size moves nothing that is.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::build;
use crate::files::{self, emptied};
use crate::step::{Missing, Step, Unavailable};
use crate::tools::{find_cc, output, which};
use crate::workspace::Workspace;

const FOLDER: &str = "benches/instructions";

/// What is counted, and what calls it.
const LIBRARIES: [&str; 2] = ["librustbridge.so", "libcounted_plugin.so"];
const PROGRAM: &str = "paths";

/// What the libraries are of, built as users have them.
const PACKAGES: [&str; 2] = ["rustbridge-capi", "counted-plugin"];

#[derive(Args)]
pub struct Options {
    /// Writes the counts to benches/instructions/counts.toml.
    #[arg(long)]
    save: bool,
}

/// `counts.toml`.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    /// The compiler that the counts belong to, as in `1.95.0`.
    rustc: String,
    /// By how much a count may differ, as a share of it.
    tolerance: f64,
    /// By how many instructions it may differ in any case.
    tolerance_instructions: f64,
    /// Instructions of one operation.
    counts: BTreeMap<String, f64>,
}

impl Counts {
    fn allowed(&self, expected: f64) -> f64 {
        (expected * self.tolerance).max(self.tolerance_instructions)
    }

    /// What is wrong with each path, or nothing; those that only one side knows come, too.
    fn compare<'a>(
        &'a self,
        counted: &'a BTreeMap<String, f64>,
    ) -> impl Iterator<Item = (&'a str, Option<String>)> {
        let known = self.counts.iter().map(|(path, &expected)| {
            let problem = match counted.get(path) {
                None => Some("it wasn't counted".into()),
                Some(&now) if (now - expected).abs() > self.allowed(expected) => Some(format!(
                    "{now:.1} instructions, and {expected:.1} +- {:.1} are written down; `cargo xtask instructions --save` writes \
                     them anew if that is meant",
                    self.allowed(expected)
                )),
                Some(_) => None,
            };
            (path.as_str(), problem)
        });
        let new = counted
            .keys()
            .filter(|path| !self.counts.contains_key(*path));
        known.chain(new.map(|path| (path.as_str(), Some("it isn't in counts.toml".into()))))
    }
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "instructions")?;
    let counted = count(&mut step).inspect_err(|_| eprint!("{}", step.read_log()))?;
    let before = read(workspace)?;
    for (path, count) in &counted {
        let was = before.counts.get(path).map(|was| format!("{was:.1}"));
        println!("{path:<40} {count:>12.1} {:>12}", was.unwrap_or_default());
    }
    if options.save {
        write(workspace, &before, counted)?;
        return Ok(ExitCode::SUCCESS);
    }
    let problems: Vec<String> = before
        .compare(&counted)
        .filter_map(|(path, problem)| Some(format!("{path}: {}", problem?)))
        .collect();
    println!("{}", problems.join("\n"));
    Ok(ExitCode::from(u8::from(!problems.is_empty())))
}

/// The suite.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let expected = read(step.workspace)?;
    let rustc = rustc_version();
    if rustc != expected.rustc {
        return Err(Unavailable(format!(
            "the counts are those of rustc {}, and this is {rustc}",
            expected.rustc
        ))
        .into());
    }
    let counted = count(step)?;
    for (path, problem) in expected.compare(&counted) {
        step.check(path, problem)?;
    }
    Ok(())
}

fn file(workspace: &Workspace) -> PathBuf {
    workspace.root.join(FOLDER).join("counts.toml")
}

fn read(workspace: &Workspace) -> Result<Counts> {
    let file = file(workspace);
    let text = files::read(&file)?;
    toml::from_str(&text).with_context(|| format!("reading {}", file.display()))
}

fn write(workspace: &Workspace, before: &Counts, counted: BTreeMap<String, f64>) -> Result<()> {
    let Counts {
        tolerance,
        tolerance_instructions,
        ..
    } = before;
    let mut text = format!(
        "# Written by `cargo xtask instructions --save`; README.md says what it is.\nrustc = \"{}\"\ntolerance = {tolerance:?}\n\
         tolerance_instructions = {tolerance_instructions:?}\n\n[counts]\n",
        rustc_version()
    );
    for (path, count) in counted {
        text.push_str(&format!("{path} = {count:.1}\n"));
    }
    let file = file(workspace);
    files::write(&file, text)
}

fn rustc_version() -> String {
    which("rustc")
        .and_then(|rustc| output(&rustc, &["--version"]))
        .and_then(|text| text.split_whitespace().nth(1).map(str::to_owned))
        .unwrap_or_default()
}

/// From what age on the core knows a file again by its times.
const OLD: Duration = Duration::from_secs(3);

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

/// Counts are those of Linux.
#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Instructions of one operation, by path.
fn count(step: &mut Step<'_>) -> Result<BTreeMap<String, f64>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Unavailable("the counts are those of x86-64 Linux".into()).into());
    }
    let valgrind = which("valgrind").ok_or_else(|| Missing::tool("valgrind"))?;
    let compiler = find_cc().ok_or_else(|| Missing::tool("C compiler"))?;
    let workspace = step.workspace;
    let natives = build::as_shipped(step, &PACKAGES)?;
    let folder = emptied(workspace.target.join("instructions"))?;
    for library in LIBRARIES {
        let from = natives.join(library);
        link(&from, &folder.join(library))
            .with_context(|| format!("linking {}", from.display()))?;
        // A file that was written just now is read whole each time it's loaded, since it may be written again.
        let written = from.metadata().and_then(|data| data.modified());
        let age = written.map_or(OLD, |time| time.elapsed().unwrap_or_default());
        thread::sleep(OLD.saturating_sub(age));
    }
    let mut compile = workspace.command(compiler);
    compile
        .args([
            "-std=c11",
            "-D_GNU_SOURCE",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Iinclude",
        ])
        .arg(Path::new(FOLDER).join("paths.c"))
        .arg(format!("-L{}", folder.display()))
        .args(["-lrustbridge", "-Wl,-rpath,$ORIGIN", "-o"])
        .arg(folder.join(PROGRAM));
    step.run(&mut compile)?;
    let mut callgrind = workspace.command(valgrind);
    callgrind
        .current_dir(&folder)
        .args(["--tool=callgrind", "--dump-before=path_*"])
        .args(["--callgrind-out-file=profile", &format!("./{PROGRAM}")]);
    let said = step.run(&mut callgrind)?;
    let totals = totals(&folder)?;
    let mut counts = BTreeMap::new();
    for (path, operations) in operations(&said) {
        let instructions = totals
            .get(path)
            .with_context(|| format!("callgrind wrote no third profile of {path}"))?;
        let count = instructions / operations;
        step.note(&format!("{path}: {count:.1}"))?;
        counts.insert(path.to_owned(), count);
    }
    ensure!(
        !counts.is_empty() && counts.len() == totals.len(),
        "{} paths were announced and {} counted",
        counts.len(),
        totals.len()
    );
    Ok(counts)
}

/// What the program says of each path: its name, and how many operations it is.
fn operations(said: &str) -> impl Iterator<Item = (&str, f64)> {
    said.lines().filter_map(|line| {
        let (path, operations) = line.split_once(' ')?;
        Some((path, operations.parse().ok()?))
    })
}

/// The instructions in the profile that ended when a path began for the third time, by path.
fn totals(folder: &Path) -> Result<BTreeMap<String, f64>> {
    let mut profiles: Vec<(u32, PathBuf)> = Vec::new();
    for entry in folder.read_dir().context("reading the profiles")?.flatten() {
        let number = entry.file_name().to_str().and_then(|name| {
            name.strip_prefix("profile.")
                .and_then(|number| number.parse().ok())
        });
        profiles.extend(number.map(|number| (number, entry.path())));
    }
    profiles.sort();
    let mut begun: BTreeMap<String, u32> = BTreeMap::new();
    let mut totals = BTreeMap::new();
    for (_, profile) in profiles {
        let text = files::read(&profile)?;
        let (path, total) =
            ended(&text).with_context(|| format!("{} has another form", profile.display()))?;
        let times = begun.entry(path.to_owned()).or_default();
        *times += 1;
        if *times == 3 {
            totals.insert(path.to_owned(), total);
        }
    }
    Ok(totals)
}

/// Which path's beginning ended a profile, and the instructions of ours in it.
fn ended(profile: &str) -> Option<(&str, f64)> {
    let path = profile
        .lines()
        .find_map(|line| line.strip_prefix("desc: Trigger: --dump-before=path_"))?;
    Some((path, ours(profile)?))
}

/// Files of the system, by how their names begin: which of their functions run is for the processor to say.
const SYSTEM: [&str; 7] = [
    "ld-linux",
    "libc.",
    "libdl.",
    "libm.",
    "libgcc_s.",
    "libpthread.",
    "vgpreload_",
];

/// The instructions executed in our files; a mapping without a name is a plugin's.
fn ours(profile: &str) -> Option<f64> {
    let mut systems = BTreeSet::new();
    let mut is_ours = true;
    let mut is_inclusive = false;
    let mut sum = 0.0;
    for line in profile.lines() {
        // The same number stands for the same file, whose path is only there the first time: `ob=(3) /lib/libc.so.6`.
        let object = line.strip_prefix("ob=").or(line.strip_prefix("cob="));
        if let Some((number, path)) = object.and_then(|object| object.split_once(')')) {
            let name = path.rsplit('/').next().unwrap_or_default();
            if SYSTEM.iter().any(|system| name.starts_with(system)) {
                systems.insert(number);
            }
            if line.starts_with("ob=") {
                is_ours = !systems.contains(number);
            }
        } else if line.starts_with("calls=") {
            // The next line has what the called one needed, with all that it called.
            is_inclusive = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let cost: f64 = line.rsplit(' ').next()?.parse().ok()?;
            if is_ours && !is_inclusive {
                sum += cost;
            }
            is_inclusive = false;
        }
    }
    Some(sum)
}
