//! How many instructions the core's hot paths need, counted by callgrind and compared with what is written down.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::step::{Missing, Step, Unavailable};
use crate::suites;
use crate::table::{Align, Table};
use crate::tools::{find_cc, output, which};
use crate::workspace::Workspace;

const FOLDER: &str = "benches/instructions";

#[derive(Args)]
pub struct Options {
    /// Writes what was counted to benches/instructions/counts.toml.
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
    let counted = suites::release(&mut step)
        .and_then(|()| count(&mut step))
        .inspect_err(|_| eprint!("{}", step.read_log()))?;
    let before = read(workspace).ok();
    let mut table = Table::new(&[
        ("path", Align::Left),
        ("instructions", Align::Right),
        ("written down", Align::Right),
    ]);
    for (path, count) in &counted {
        let was = before.as_ref().and_then(|before| before.counts.get(path));
        table.row(vec![
            path.clone(),
            format!("{count:.1}"),
            was.map(|was| format!("{was:.1}")).unwrap_or_default(),
        ]);
    }
    print!("{}", table.render());
    if options.save {
        write(workspace, before, counted)?;
        return Ok(ExitCode::SUCCESS);
    }
    let wrong = before
        .context("there is no counts.toml; --save makes it")?
        .compare(&counted)
        .filter_map(|(path, problem)| problem.map(|problem| println!("{path}: {problem}")))
        .count();
    Ok(if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The suite; the release build is there already.
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
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    toml::from_str(&text).with_context(|| format!("reading {}", file.display()))
}

fn write(
    workspace: &Workspace,
    before: Option<Counts>,
    counted: BTreeMap<String, f64>,
) -> Result<()> {
    let (tolerance, tolerance_instructions) = before.map_or((0.03, 4.0), |before| {
        (before.tolerance, before.tolerance_instructions)
    });
    let mut text = format!(
        "# Written by `cargo xtask instructions --save`; README.md says what it is.\nrustc = \"{}\"\ntolerance = {tolerance:?}\n\
         tolerance_instructions = {tolerance_instructions:?}\n\n[counts]\n",
        rustc_version()
    );
    for (path, count) in counted {
        text.push_str(&format!("{path} = {count:.1}\n"));
    }
    let file = file(workspace);
    fs::write(&file, text).with_context(|| format!("writing {}", file.display()))
}

fn rustc_version() -> String {
    which("rustc")
        .and_then(|rustc| output(&rustc, &["--version"]))
        .and_then(|text| text.split_whitespace().nth(1).map(str::to_owned))
        .unwrap_or_default()
}

/// Instructions of one operation, by path.
fn count(step: &mut Step<'_>) -> Result<BTreeMap<String, f64>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Unavailable("the counts are those of x86-64 Linux".into()).into());
    }
    let missing = |what: &str| {
        Missing(format!(
            "no {what}; `cargo xtask doctor` says how to get it"
        ))
    };
    let valgrind = which("valgrind").ok_or_else(|| missing("valgrind"))?;
    let compiler = find_cc().ok_or_else(|| missing("C compiler"))?;
    let workspace = step.workspace;
    let natives = workspace.target.join("release");
    let folder = workspace.target.join("instructions");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let program = folder.join("paths");
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
        .arg(format!("-L{}", natives.display()))
        .args([
            "-lrustbridge",
            &format!("-Wl,-rpath,{}", natives.display()),
            "-o",
        ])
        .arg(&program);
    step.run(&mut compile)?;
    let profile = folder.join("profile");
    let mut callgrind = workspace.command(valgrind);
    callgrind
        .args(["--tool=callgrind", "--dump-before=path_*"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(&program)
        .arg(&natives);
    let said = step.run(&mut callgrind)?;
    let totals = totals(&folder)?;
    let mut counts = BTreeMap::new();
    for (path, operations) in operations(&said) {
        let instructions = totals
            .get(path)
            .with_context(|| format!("callgrind wrote no third profile of {path}"))?;
        counts.insert(path.to_owned(), instructions / operations);
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
        let text = fs::read_to_string(&profile)
            .with_context(|| format!("reading {}", profile.display()))?;
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

/// Which path's beginning ended a profile, and the instructions in it.
fn ended(profile: &str) -> Option<(&str, f64)> {
    let after = |mark: &str| profile.lines().find_map(|line| line.strip_prefix(mark));
    let path = after("desc: Trigger: --dump-before=path_")?;
    let total = after("totals: ").or_else(|| after("summary: "))?;
    Some((path, total.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_says_what_ended_it_and_how_much_it_holds() {
        let text = "version: 1\ndesc: Trigger: --dump-before=path_json_echo\nevents: Ir\nsummary: 5\nfn=(1)\n1 5\ntotals: 1522020\n";
        assert_eq!(ended(text), Some(("json_echo", 1_522_020.0)));
        assert_eq!(
            ended("desc: Trigger: Program termination\ntotals: 5\n"),
            None
        );
        let said: Vec<_> = operations("==1== Callgrind\npod_8_8 1000\n\nbad line\n").collect();
        assert_eq!(said, [("pod_8_8", 1000.0)]);
    }

    #[test]
    fn counts_may_differ_a_little_in_both_directions() {
        let expected = Counts {
            rustc: "1".into(),
            tolerance: 0.03,
            tolerance_instructions: 4.0,
            counts: BTreeMap::from([("call".into(), 100.0), ("load".into(), 10_000.0)]),
        };
        let wrong = |call: f64, load: f64| {
            let counted = BTreeMap::from([("call".into(), call), ("load".into(), load)]);
            let wrong = expected
                .compare(&counted)
                .filter(|(_, problem)| problem.is_some());
            wrong.map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
        };
        assert!(wrong(104.0, 9_700.0).is_empty());
        assert_eq!(wrong(104.1, 10_300.0), ["call"]);
        assert_eq!(wrong(90.0, 10_301.0), ["call", "load"]);
        let other = BTreeMap::from([("new".into(), 1.0)]);
        let found: Vec<_> = expected.compare(&other).collect();
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|(_, problem)| problem.is_some()));
    }
}
