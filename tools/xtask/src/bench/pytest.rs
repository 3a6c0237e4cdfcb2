//! The Python benchmarks, on the extension and on ctypes; they write measures themselves.

use std::fs;

use anyhow::{Context as _, Result};

use super::harness::{Harness, Job};
use super::pin::Bind;
use crate::python;

pub const HARNESS: Harness = Harness {
    name: "pytest-benchmark",
    language: "python",
    title: "the Python host, extension and ctypes",
    folder: "rustbridge-python/benchmarks",
    build,
    measure,
    list,
};

fn build(job: &mut Job<'_, '_>) -> Result<()> {
    let python = python::install_package(job.step)?;
    let mut command = job.command(python);
    let versions = "import importlib.metadata as m, platform\n\
        print('python', platform.python_version())\n\
        for name in ('pytest-benchmark', 'orjson', 'msgspec'): print(name, m.version(name))";
    command.args(["-c", versions]);
    for line in job.step.run(&mut command)?.lines() {
        if let Some((name, version)) = line.split_once(' ') {
            job.tool(name, Some(version.to_owned()));
        }
    }
    Ok(())
}

/// Benchmarks with one thread are bound to one core. A benchmark's id has its number of threads behind an x; those of the
/// founding tables that bring a pool of threads with them count as one call.
fn measure(job: &mut Job<'_, '_>) -> Result<()> {
    const ALONE: &str = "x1 and not concurrent";
    const TOGETHER: &str = "not x1 or concurrent";
    let parts = [
        (Bind::One, ALONE, "one thread"),
        (Bind::All, TOGETHER, "several threads"),
    ];
    // A scenario that fails fails pytest, which has measured and written the others nevertheless.
    let mut failed = Ok(());
    for (bind, expression, what) in parts {
        // Both parts call their files alike.
        let rows = job.folder.join(what.replace(' ', "-"));
        fs::create_dir_all(&rows).with_context(|| format!("making {}", rows.display()))?;
        let mut command = job.command(python::program(job.workspace(), "python"));
        command
            .args(["-m", "pytest", "benchmarks", "-p", "no:cacheprovider", "-q"])
            .args(["-k", expression])
            .current_dir(job.workspace().root.join(python::FOLDER))
            .env("RUSTBRIDGE_BENCH_ROWS", &rows);
        job.choose(&mut command, "--scenario");
        let ran = job.run(command, bind);
        // A scenario may have only one of the parts; pytest then fails without tests.
        let nothing = job.scenario.is_some() && rows.read_dir()?.next().is_none();
        if !nothing {
            failed = failed.and(ran.map(drop));
        }
        for entry in rows.read_dir()?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let to = job.rows.join(format!("{}-{name}", what.replace(' ', "-")));
            fs::copy(entry.path(), &to).with_context(|| format!("writing {}", to.display()))?;
        }
        let words = format!("{what} {}", job.pinning.words(bind));
        job.say(HARNESS.name, &words);
    }
    failed
}

fn list(job: &mut Job<'_, '_>) -> Result<String> {
    let python = python::environment(job.step)?;
    let mut command = job.command(python);
    command
        .args(["-m", "benchmarks.list"])
        .current_dir(job.workspace().root.join(python::FOLDER));
    job.step.run(&mut command)
}
