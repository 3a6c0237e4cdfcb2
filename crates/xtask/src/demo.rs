//! `xtask demo`: one plugin, called from every language, beside bare calls.

use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::dotnet::Dotnet;
use crate::java::{self, Java};
use crate::progress::{Progress, seconds};
use crate::python;
use crate::step::{Missing, Step};
use crate::table::{Align, Table, nanoseconds};
use crate::tools::which;
use crate::workspace::Workspace;

/// One line of a host program.
#[derive(Debug, Deserialize)]
struct Line {
    host: String,
    transport: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum What {
    /// A log record or an error that arrived.
    Event { event: String, text: String },
    /// A call and its answer, timed or not.
    Call {
        method: String,
        encoding: String,
        answer: String,
        ns: Option<f64>,
        bare_ns: Option<f64>,
        bare: Option<String>,
    },
}

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    println!(
        "One plugin (plugins/hello-plugin, Rust) loaded and called by programs in C, Rust, Python, Java and C#."
    );
    println!(
        "Each timed call takes turns with a bare call to a hand-written function that does the same work.\n"
    );
    let progress = Progress::start();
    let mut step = Step::start(workspace, "demo")?;
    let result = build_and_run(&mut step, &progress);
    drop(progress);
    match result {
        Ok(lines) => {
            print!("{}", render(&lines, io::stdout().is_terminal()));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprint!("{}", step.read_log());
            Err(error)
        }
    }
}

fn build_and_run(step: &mut Step<'_>, progress: &Progress) -> Result<Vec<Line>> {
    let workspace = step.workspace;
    let cmake = which("cmake").ok_or_else(|| {
        Missing("no CMake, which builds the C host; `cargo xtask doctor` says how to get it".into())
    })?;
    stage(
        progress,
        "building the plugin and librustbridge in release mode",
        || {
            // One by one, so that no package is built with the features that another one asks for.
            for package in ["hello-plugin", "rustbridge-capi", "floor", "demo-host"] {
                let mut build = workspace.cargo();
                step.run(build.args(["build", "--locked", "--release", "--package", package]))?;
            }
            Ok(())
        },
    )?;
    stage(
        progress,
        "installing the Python package into the target folder",
        || python::install_package(step),
    )?;
    let tools = workspace.target.join("cmake").join("demo");
    stage(progress, "building the C host", || {
        build_c(step, &cmake, &tools)
    })?;

    let plugin = workspace.cdylib("hello_plugin");
    let floor = workspace.cdylib("floor");
    let mut lines = Vec::new();
    stage(progress, "running the C host", || {
        let mut host =
            workspace.command(tools.join(format!("demo_host{}", env::consts::EXE_SUFFIX)));
        collect(step, host.arg(&plugin), &mut lines)
    })?;
    stage(progress, "running the Rust host", || {
        let program = workspace
            .target
            .join("release")
            .join(format!("demo-host{}", env::consts::EXE_SUFFIX));
        let mut host = workspace.command(program);
        collect(step, host.arg(&plugin).arg(&floor), &mut lines)
    })?;
    for backend in python::backends(workspace) {
        stage(
            progress,
            &format!("running the Python host, {backend}"),
            || {
                let mut host = workspace.command(python::program(workspace, "python"));
                host.arg(workspace.root.join("examples/demo/host.py"))
                    .arg(backend)
                    .arg(&plugin)
                    .arg(&floor);
                if *backend == "native" && has_extension(&tools) {
                    host.arg(&tools);
                }
                collect(step, &mut host, &mut lines)
            },
        )?;
    }
    match Java::find() {
        Ok(java) => run_java(step, progress, &java, &mut lines)?,
        Err(why) if why.is::<Missing>() => progress.say(&format!("skip the Java hosts: {why}")),
        Err(error) => return Err(error),
    }
    match Dotnet::find() {
        Ok(dotnet) => run_csharp(step, progress, &dotnet, &mut lines)?,
        Err(why) if why.is::<Missing>() => progress.say(&format!("skip the C# host: {why}")),
        Err(error) => return Err(error),
    }
    Ok(lines)
}

fn run_csharp(
    step: &mut Step<'_>,
    progress: &Progress,
    dotnet: &Dotnet,
    lines: &mut Vec<Line>,
) -> Result<()> {
    let workspace = step.workspace;
    stage(progress, "building the C# host", || {
        step.run(&mut dotnet.build(workspace, "examples/demo/csharp"))
            .map(drop)
    })?;
    stage(progress, "running the C# host", || {
        let mut host = dotnet.run(workspace, "DemoHost");
        host.arg(workspace.cdylib("hello_plugin"))
            .arg(workspace.cdylib("floor"));
        collect(step, &mut host, lines)
    })
}

/// Builds the Java host against the jars as users get them, and runs it on each backend.
fn run_java(
    step: &mut Step<'_>,
    progress: &Progress,
    java: &Java,
    lines: &mut Vec<Line>,
) -> Result<()> {
    let workspace = step.workspace;
    let classes = workspace.target.join("demo").join("java");
    let class_path = stage(progress, "building the jars and the Java host", || {
        let mut build = workspace.cargo();
        step.run(build.args([
            "build",
            "--locked",
            "--release",
            "--package",
            "rustbridge-jni",
        ]))?;
        let mut maven = java.maven(workspace, &workspace.root);
        maven.args(["--quiet", "--also-make", "package"]).args([
            "--projects=rustbridge-ffm,rustbridge-jni",
            "-Dmaven.test.skip=true",
            "-Dmaven.javadoc.skip=true",
            "-Dmaven.source.skip=true",
        ]);
        step.run(&mut maven)?;
        let mut class_path: Vec<PathBuf> = ["rustbridge", "rustbridge-ffm", "rustbridge-jni"]
            .map(|module| java::jar(workspace, module))
            .to_vec();
        class_path.push(classes.clone());
        let class_path = env::join_paths(class_path)
            .context("the path of the workspace has a separator of paths in it")?;
        let sources = workspace.files(&["examples/demo/java"])?;
        let mut javac = workspace.command(java.program("javac"));
        javac.arg("-d").arg(&classes).arg("-cp").arg(&class_path);
        step.run(javac.args(sources.iter().filter(|path| path.ends_with(".java"))))?;
        Ok(class_path)
    })?;
    for backend in ["ffm", "jni"] {
        let what = format!("running the Java host, {backend}");
        stage(progress, &what, || {
            let mut host = workspace.command(java.program("java"));
            host.arg("--enable-native-access=ALL-UNNAMED")
                .arg(format!("-Drustbridge.backend={backend}"))
                .arg("-cp")
                .arg(&class_path)
                .arg("Host")
                .arg(backend)
                .arg(workspace.cdylib("hello_plugin"))
                .arg(workspace.cdylib("floor"));
            collect(step, &mut host, lines)
        })?;
    }
    Ok(())
}

/// Says what is being done, and afterwards how long it took.
fn stage<T>(progress: &Progress, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    progress.begin(what);
    let began = Instant::now();
    let result = work();
    let mark = if result.is_ok() { "ok  " } else { "FAIL" };
    progress.end(
        what,
        &format!("{mark} {what} ({})", seconds(began.elapsed())),
    );
    result
}

fn build_c(step: &mut Step<'_>, cmake: &Path, build: &Path) -> Result<()> {
    let workspace = step.workspace;
    let mut configure = workspace.command(cmake);
    configure
        .arg("-S")
        .arg(workspace.root.join("examples/demo"))
        .arg("-B")
        .arg(build);
    configure.arg("-DCMAKE_BUILD_TYPE=Release");
    configure.arg(format!(
        "-DRUSTBRIDGE_LIBRARY_DIR={}",
        slashes(&workspace.target.join("release"))
    ));
    configure.arg(format!(
        "-DPython3_EXECUTABLE={}",
        slashes(&python::program(workspace, "python"))
    ));
    step.run(&mut configure)?;
    step.run(
        workspace
            .command(cmake)
            .arg("--build")
            .arg(build)
            .args(["--config", "Release"]),
    )?;
    Ok(())
}

/// CMake takes backslashes for escapes.
fn slashes(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

fn has_extension(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else {
        return false;
    };
    entries.flatten().any(|entry| {
        let path = entry.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        name.starts_with("floor_extension.")
            && path
                .extension()
                .is_some_and(|ending| ending == "so" || ending == "pyd")
    })
}

fn collect(step: &mut Step<'_>, command: &mut Command, lines: &mut Vec<Line>) -> Result<()> {
    if cfg!(windows) {
        // There a program finds its DLLs by the path.
        let mut folders = vec![step.workspace.target.join("release")];
        folders.extend(
            env::var_os("PATH")
                .iter()
                .flat_map(env::split_paths)
                .collect::<Vec<PathBuf>>(),
        );
        command.env(
            "PATH",
            env::join_paths(folders).context("a folder on the path has a quote in its name")?,
        );
    }
    let output = step.run(command)?;
    let before = lines.len();
    for line in output.lines().filter(|line| line.starts_with('{')) {
        lines.push(serde_json::from_str(line).with_context(|| format!("reading {line}"))?);
    }
    for wanted in ["log", "error"] {
        let arrived = |line: &Line| matches!(&line.what, What::Event { event, text } if event == wanted && !text.is_empty());
        if !lines[before..].iter().any(arrived) {
            bail!("no {wanted} arrived in the host");
        }
    }
    Ok(())
}

fn render(lines: &[Line], colours: bool) -> String {
    let mut text = String::from("\nLog records and errors as they arrive in each host:\n\n");
    let mut events = Table::new(&[
        ("host", Align::Left),
        ("", Align::Left),
        ("what arrived", Align::Left),
    ]);
    for line in lines {
        if let What::Event { event, text } = &line.what {
            let host = format!("{} ({})", line.host, line.transport);
            events.row(vec![host, event.clone(), shorten(text, 110)]);
        }
    }
    text.push_str(&events.render());
    text.push_str("\nAnswers and times:\n\n");
    let mut table = Table::new(&[
        ("host", Align::Left),
        ("transport", Align::Left),
        ("method", Align::Left),
        ("encoding", Align::Left),
        ("answer", Align::Left),
        ("median", Align::Right),
        ("bare call", Align::Right),
        ("ratio", Align::Right),
        ("the bare call is", Align::Left),
    ]);
    let mut last = None;
    for line in lines {
        let What::Call {
            method,
            encoding,
            answer,
            ns,
            bare_ns,
            bare,
        } = &line.what
        else {
            continue;
        };
        let this = (&line.host, &line.transport);
        if last.is_some_and(|last| last != this) {
            table.gap();
        }
        last = Some(this);
        let time = |ns: &Option<f64>| ns.map(nanoseconds).unwrap_or_default();
        let ratio = match (ns, bare_ns) {
            (Some(ns), Some(bare)) => paint(&format!("{:.2}", ns / bare), ns / bare, colours),
            _ => String::new(),
        };
        table.row(vec![
            line.host.clone(),
            line.transport.clone(),
            method.clone(),
            encoding.clone(),
            shorten(answer, 58),
            time(ns),
            time(bare_ns),
            ratio,
            bare.clone().unwrap_or_default(),
        ]);
    }
    text.push_str(&table.render());
    text.push_str(
        "\nmedian: the whole call as the host sees it, from its value to its value, median over batches.\n\
         bare call: the same work in a foreign function written by hand (benches/floor), with no handles, no guard,\n\
         no panic barrier, in the same run. ratio = median / bare call. Times differ between machines and runs;\n\
         the ratios are what to compare. The programs: examples/demo.\n",
    );
    text
}

/// Green for what costs little beside the bare call, yellow for more.
fn paint(text: &str, ratio: f64, colours: bool) -> String {
    match (colours, ratio) {
        (false, _) => text.to_owned(),
        (true, ratio) if ratio <= 2.0 => format!("\x1b[32m{text}\x1b[0m"),
        (true, _) => format!("\x1b[33m{text}\x1b[0m"),
    }
}

fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 3).collect();
    format!("{kept}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        serde_json::from_str(text).expect("it is a line of a host")
    }

    #[test]
    fn the_table_gives_the_ratio_of_what_was_timed_and_nothing_for_what_was_not() {
        let lines = [
            line(r#"{"host":"C","transport":"lib","event":"log","text":"INFO hello: hi"}"#),
            line(
                r#"{"host":"C","transport":"lib","method":"greet","encoding":"json","answer":"{}"}"#,
            ),
            line(
                r#"{"host":"C","transport":"lib","method":"echo","encoding":"json","answer":"{\"a\":1}","ns":30.0,"bare_ns":20.0,"bare":"pointer"}"#,
            ),
        ];
        let text = render(&lines, false);
        assert!(text.contains("C (lib)  log  INFO hello: hi"), "{text}");
        let echo = text
            .lines()
            .find(|line| line.contains("echo"))
            .expect("echo has a row");
        assert!(
            echo.contains("30.0 ns") && echo.contains("20.0 ns") && echo.contains("1.50"),
            "{echo}"
        );
        let greet = text
            .lines()
            .find(|line| line.contains("greet"))
            .expect("greet has a row");
        assert!(!greet.contains("ns"), "{greet}");
    }

    #[test]
    fn long_answers_are_cut_where_a_character_ends() {
        assert_eq!(shorten("äöüß", 4), "äöüß");
        assert_eq!(shorten("äöüßä", 4), "ä...");
    }
}
