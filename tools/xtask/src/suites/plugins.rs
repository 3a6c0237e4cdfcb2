//! The plugins of `examples/plugins`, each in another language than Rust: built with that language's own tools, and called by
//! a host in Rust and one in Python.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::dotnet::{self, Dotnet};
use crate::files;
use crate::step::{Missing, Step, Unavailable};
use crate::tested;
use crate::tools::{OLDEST_GO, find_cc, find_cxx, which};
use crate::workspace::{Workspace, file_of_cdylib};
use crate::{python, tools};

const FOLDER: &str = "examples/plugins";

/// C and C++, and the host in Rust that all are called by.
pub fn c(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    tested::build(step)?;
    if cfg!(windows) {
        return Err(Unavailable("the examples in C are written for GCC and Clang".into()).into());
    }
    for (program, what) in [
        (find_cc(), "C compiler"),
        (find_cxx(), "C++ compiler"),
        (which("cmake"), "CMake"),
    ] {
        program.ok_or_else(|| Missing::tool(what))?;
    }
    let folder = place(workspace);
    let mut configure = workspace.command("cmake");
    configure
        .args(["-S", FOLDER, "-DCMAKE_BUILD_TYPE=Release", "-B"])
        .arg(folder.join("cmake"));
    step.run(&mut configure)?;
    let mut build = workspace.command("cmake");
    step.run(build.arg("--build").arg(folder.join("cmake")))?;
    for (name, language, compiler) in [
        ("shout_c", "c/", find_cc()),
        ("shout_cpp", "cpp/", find_cxx()),
    ] {
        let shown = shown_command(&guide(workspace)?, language)?;
        let compiler = compiler.ok_or_else(|| Missing::tool("C compiler"))?;
        let mut by_hand = workspace.command(compiler);
        by_hand
            .current_dir(workspace.root.join(FOLDER))
            .args(shown)
            .arg("-o")
            .arg(folder.join(file_of_cdylib(name)));
        step.run(&mut by_hand)?;
        // CMake calls a module so on every Unix.
        called(step, &folder.join("cmake").join(format!("lib{name}.so")))?;
    }
    typed(step, &folder.join(file_of_cdylib("shout_c")))
}

/// What the plugin in C says of its types, by hand, is right, and a client that is generated of it calls it.
fn typed(step: &mut Step<'_>, library: &Path) -> Result<()> {
    let workspace = step.workspace;
    let clients = place(workspace).join("clients");
    let tool = format!("rustbridge{}", std::env::consts::EXE_SUFFIX);
    let tool = workspace.natives.join(tool);
    let mut inspect = workspace.command(&tool);
    step.run(inspect.arg("inspect").arg(library))?;
    let mut generate = workspace.command(&tool);
    generate.args(["gen", "-l", "python", "-o"]);
    step.run(generate.arg(&clients).arg(library))?;
    let environment = python::environment(step)?;
    for backend in python::backends(workspace) {
        let mut command = workspace.command(&environment);
        command
            .arg(format!("{FOLDER}/host/typed.py"))
            .arg(library)
            .arg(&clients)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RUSTBRIDGE_BACKEND", backend);
        let problem = step.run(&mut command).err();
        step.check(
            &format!("the plugin in C is right by its types to a host in Python by {backend}"),
            problem.map(|error| format!("{error:#}")),
        )?;
    }
    Ok(())
}

/// The arguments of the command by which the guide builds a plugin, up to what it's called.
fn shown_command(guide: &str, language: &str) -> Result<Vec<String>> {
    let row = format!("| `{language}` | `");
    let command = guide.lines().find_map(|line| line.strip_prefix(&row));
    let command = command.and_then(|rest| rest.split_once(" -o "));
    let (command, _) =
        command.with_context(|| format!("the guide has no command for {language}"))?;
    Ok(command
        .split_whitespace()
        .skip(1)
        .map(str::to_owned)
        .collect())
}

fn guide(workspace: &Workspace) -> Result<String> {
    files::read(&workspace.root.join("docs/guide/other-languages.md"))
}

pub fn go(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let go = which("go")
        .filter(|go| {
            tools::output(go, &["version"])
                .and_then(|said| tools::version_in(&said))
                .is_some_and(|version| version >= OLDEST_GO)
        })
        .ok_or_else(|| Missing::tool("Go"))?;
    if cfg!(windows) {
        return Err(Unavailable("Go builds libraries with MinGW's GCC on Windows".into()).into());
    }
    find_cc().ok_or_else(|| Missing::tool("C compiler"))?;
    let folder = place(workspace);
    let library = folder.join(file_of_cdylib("shout_go"));
    let source = workspace.root.join(FOLDER).join("go");
    let mut vet = workspace.command(&go);
    step.run(vet.args(["vet", "."]).current_dir(&source))?;
    let mut build = workspace.command(&go);
    build
        .current_dir(source)
        .args(["build", "-buildmode=c-shared", "-buildvcs=false", "-o"])
        .arg(&library)
        .arg(".")
        .env("CGO_ENABLED", "1")
        // Go's cache doesn't see that a header outside of the package is another one, but it sees other flags.
        .env(
            "CGO_CFLAGS",
            format!("-O2 -DHEADER={:016x}", hash_of_header(workspace)?),
        )
        // Only what is here and of this Go: nothing is fetched.
        .env("GOPROXY", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GOCACHE", folder.join("go-cache"));
    step.run(&mut build)?;
    called(step, &library)
}

fn hash_of_header(workspace: &Workspace) -> Result<u64> {
    let text = files::read(&workspace.root.join("include/rustbridge_plugin.h"))?;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    Ok(hasher.finish())
}

pub fn csharp(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    let dotnet = Dotnet::find()?;
    let folder = place(workspace);
    let published = folder.join("csharp");
    let mut publish = dotnet.command(workspace, "publish");
    publish
        .arg(format!("{FOLDER}/csharp/shout.csproj"))
        .arg("--configuration=Release")
        .arg(format!("--runtime={}", dotnet::runtime_identifier()))
        .arg("--artifacts-path")
        .arg(folder.join("csharp-built"))
        .arg("--output")
        .arg(&published);
    step.run(&mut publish)?;
    let name = format!("shout_csharp{}", std::env::consts::DLL_SUFFIX);
    called(step, &published.join(name))
}

/// Has both hosts call a plugin in every way that must work.
fn called(step: &mut Step<'_>, library: &Path) -> Result<()> {
    let workspace = step.workspace;
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    let host = format!("plugin-check{}", std::env::consts::EXE_SUFFIX);
    let mut command = workspace.command(workspace.natives.join(host));
    let problem = step.run(command.arg(library)).err();
    step.check(
        &format!("{name} is right to a host in Rust"),
        problem.map(|error| format!("{error:#}")),
    )?;
    let environment = python::environment(step)?;
    for backend in python::backends(workspace) {
        let mut command = workspace.command(&environment);
        command
            .arg(format!("{FOLDER}/host/check.py"))
            .arg(library)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RUSTBRIDGE_BACKEND", backend);
        let problem = step.run(&mut command).err();
        step.check(
            &format!("{name} is right to a host in Python by {backend}"),
            problem.map(|error| format!("{error:#}")),
        )?;
    }
    Ok(())
}

/// Everything that is built of the examples.
fn place(workspace: &Workspace) -> PathBuf {
    workspace.target.join("plugins")
}
