//! What searches lines in C++, and what redacts them in Kotlin.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::example::{Example, ends};
use crate::step::{Missing, Step};
use crate::tools::{find_cxx, which};

pub fn cpp(step: &mut Step<'_>, example: &Example<'_>) -> Result<()> {
    if which("cmake").is_none() || find_cxx().is_none() {
        return Err(Missing("no CMake, or no C++ compiler".into()).into());
    }
    let mut run = example.rustbridge(step)?;
    run.args(["run", "cpp", "--", "-n", "(?i)password", "../server.log"]);
    let says = ["\n3:2026-11-26T10:30:05Z WARN "];
    ends(
        step,
        "lines are found, with their numbers",
        &mut run,
        0,
        &says,
    )?;

    let odd = example.left.join("latin-1.txt");
    fs::write(&odd, b"fine\ncaf\xe9\n").context("writing a text that is none")?;
    let odd = odd.display().to_string();
    let all: [(&[&str], i32, &[&str]); 8] = [
        (
            &["-o", r"\b\d+(\.\d+){3}\b", "server.log"],
            0,
            &["10.20.30.40\n10.20.30.40\n192.168.7.9\n"],
        ),
        (
            &["-ci", "INFO|warn", "server.log", "rules.tsv"],
            0,
            &["server.log:4\nrules.tsv:0\n"],
        ),
        (&["-F", "a.b(", "server.log"], 1, &[]),
        (
            &["a(b", "server.log"],
            2,
            &["unclosed group:\n  a(b\n   ^\n"],
        ),
        (&["ä[z-a]", "server.log"], 2, &[":\n  ä[z-a]\n    ^\n"]),
        (&["i", "cpp"], 2, &["cpp: it can't be read"]),
        (&["i", &odd], 2, &["fine\n", "isn't UTF-8"]),
        (
            &["i", "no-such-file"],
            2,
            &["no-such-file: it can't be read"],
        ),
    ];
    for (arguments, code, says) in all {
        let program = example.folder().join("cpp/build/patterns_plugin_host");
        let mut search = example.command(step, program)?;
        search.arg("cpp/plugin/patterns_plugin").args(arguments);
        let what = format!("the search for {:?} ends with {code}", arguments[0]);
        ends(step, &what, &mut search, code, says)?;
    }
    Ok(())
}

/// What a log looks like in which nobody is named.
const REDACTED: &[&str] = &[
    "2026-11-26T10:30:00Z INFO  10.20.x.x signed in as [mail]\n",
    "2026-11-26T10:30:02Z INFO  10.20.x.x GET /orders?token=[secret]&page=2\n",
    "2026-11-26T10:30:05Z WARN  192.168.x.x wrong Password=[secret] for [mail]\n",
    "2026-11-26T10:30:09Z INFO  nothing to hide: 42 orders, version 1.2.3\n",
];

pub fn kotlin(step: &mut Step<'_>, example: &Example<'_>) -> Result<()> {
    let mut run = example.rustbridge(step)?;
    run.args(["run", "kotlin"]);
    ends(step, "a log is redacted", &mut run, 0, REDACTED)?;

    // So many lines that those which come and those which go are under way at once.
    let log = example.left.join("long.log");
    let lines: String = (0..20_000)
        .map(|n| format!("{n} by a{n}@b.example\n"))
        .collect();
    fs::write(&log, lines).context("writing a long log")?;
    let mut long = maven(step, example)?;
    long.arg(format!("-Dlog={}", log.display()));
    let says = ["\n9999 by [mail]\n10000 by [mail]\n", "\n19999 by [mail]\n"];
    ends(step, "a long log is redacted", &mut long, 0, &says)?;

    let rules = example.left.join("wrong.tsv");
    fs::write(&rules, "a(b\tc\n").context("writing a wrong rule")?;
    let mut wrong = maven(step, example)?;
    wrong.arg(format!("-Drules={}", rules.display()));
    let says = ["unclosed group, at byte 1 of `a(b`"];
    ends(step, "a wrong rule is refused", &mut wrong, 1, &says)?;

    let odd = example.left.join("latin-1.log");
    fs::write(&odd, b"a@b.example\ncaf\xe9\n").context("writing a log that is no text")?;
    for (log, why) in [
        (odd, "MalformedInput"),
        (example.left.join("none.log"), "NoSuchFile"),
    ] {
        let mut unread = maven(step, example)?;
        unread.arg(format!("-Dlog={}", log.display()));
        let says = ["log: it isn't redacted to its end: ", why];
        let what = format!("a log that can't be read is reported: {why}");
        ends(step, &what, &mut unread, 1, &says)?;
    }
    Ok(())
}

/// Maven, which runs what is built already.
fn maven(step: &Step<'_>, example: &Example<'_>) -> Result<Command> {
    let mut maven = example.command(step, "mvn")?;
    maven
        .current_dir(example.folder().join("kotlin"))
        .args(["--quiet", "exec:exec"]);
    Ok(maven)
}
