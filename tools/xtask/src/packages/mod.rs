//! `xtask package`: the packages that users get, of every language, with libraries as they ship; and the suite that makes them twice and uses
//! each as a user does.

mod bom;
mod crates;
mod first_minute;
mod guides;
pub mod loading;
pub mod making;
mod running;
mod shipped;
mod sums;
pub mod user;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use self::loading::System;
use self::making::{JARS, Making, jar};
pub use self::running::Running;
use crate::dotnet;
use crate::files::{self, copy, emptied, remove};
use crate::go;
use crate::java::Java;
use crate::platforms::{self, DOTNET, NODE, file_in};
use crate::portable;
use crate::step::{Step, Unavailable};
use crate::workspace::Workspace;
use crate::{build, node, python};

#[derive(Args, Default)]
pub struct Options {
    /// Libraries of other systems, each in a folder `<os>-<arch>` as `cargo xtask build --into` writes it, for packages
    /// that run on those systems too.
    #[arg(long, value_name = "FOLDER")]
    natives: Option<PathBuf>,
}

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "package")?;
    // Maven, which runs elsewhere, would look for a relative path there and go on without a message.
    let natives = options
        .natives
        .as_deref()
        .map(std::path::absolute)
        .transpose()?;
    if let Some(folder) = &natives {
        ensure!(folder.is_dir(), "{} is no folder", folder.display());
    }
    make(&mut step, natives.as_deref())
        .and_then(|folder| report(&mut step, &folder))
        .inspect_err(|_| eprint!("{}", step.read_log()))
}

/// Makes all packages where users find them, with libraries of other systems, and returns that folder.
pub fn make(step: &mut Step<'_>, natives: Option<&Path>) -> Result<PathBuf> {
    let folder = step.workspace.target.join("packages");
    let making = Making {
        folder: &folder,
        more: natives,
        build: build::as_shipped,
    };
    making.make(step)?;
    Ok(folder)
}

/// Prints where the packages are, and which couldn't be made.
pub fn report(step: &mut Step<'_>, folder: &Path) -> Result<ExitCode> {
    step.finish()?;
    for part in &step.skipped {
        println!("omitted: {part}");
    }
    println!("packages in {}", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Installs a wheel of the extension that the tests built, or pip's build of the sources on systems whose wheels pip makes.
pub fn install_wheel(step: &mut Step<'_>) -> Result<()> {
    let workspace = step.workspace;
    if !portable::is_for_this_system() || !python::backends(workspace).contains(&"native") {
        return python::install(step, &workspace.root.join(python::FOLDER)).map(drop);
    }
    let folder = workspace.target.join("xtask").join("wheel");
    let extension = workspace.cdylib("_native");
    let wheel = making::wheel(
        step,
        &folder,
        &extension,
        "_native.abi3.so",
        portable::WHEEL,
    )?;
    python::install(step, &wheel).map(drop)
}

/// Adds a wheel of another system to the packages.
pub fn add_wheel(folder: &Path, wheel: &Path) -> Result<()> {
    copy(wheel, &folder.join("python").join(files::name(wheel)))?;
    sums::list(folder)
}

pub fn check(step: &mut Step<'_>) -> Result<()> {
    if !portable::is_for_this_system() {
        let why = "only on Linux, shipped libraries are linked in another way than the tests'";
        return Err(Unavailable(why.into()).into());
    }
    let workspace = step.workspace;
    let folder = emptied(workspace.target.join("xtask").join("packages"))?;
    let [made, before] = ["packages", "packages-before"].map(|name| folder.join(name));
    let making = Making {
        folder: &made,
        more: None,
        build: build::linked_as_shipped,
    };
    making.make(step)?;
    // The second time in the same folder: generated C# sources are compiled there, and the assemblies have their paths.
    fs::rename(&made, &before).with_context(|| format!("renaming {}", made.display()))?;
    making.make(step)?;
    let problem = sums::differing(&before, &made)?;
    step.check("packages made twice are the same, byte for byte", problem)?;
    remove(&before)?;
    // An author's plugin is built in the same way.
    let natives = build::linked_as_shipped(step, &["hello-plugin"])?;
    for library in [
        "rustbridge",
        "rustbridge_jni",
        "rustbridge_napi",
        "_native",
        "hello_plugin",
    ] {
        is_portable(step, &file_in(&natives, library))?;
    }
    is_portable(step, &made.join("bin/rustbridge"))?;
    load(
        step,
        &made,
        &folder.join("loading"),
        file_in(&natives, "hello_plugin"),
    )?;
    let maven = user::maven_repository(&folder.join("maven-repository"))?;
    let built = first_minute::check(step, &made, &folder.join("first-minute"), &maven)?;
    let plugin = file_in(&natives, "hello_plugin");
    guides::check(
        step,
        &made,
        &folder.join("guides"),
        &plugin,
        [&maven, &built],
    )
}

/// Loads a plugin by each package that was made; the log names those that weren't.
fn load(step: &mut Step<'_>, packages: &Path, folder: &Path, plugin: PathBuf) -> Result<()> {
    let workspace = step.workspace;
    let system = System {
        packages,
        folder,
        command: &|program| workspace.command(program),
        path: &|path| path.display().to_string(),
        separator: ":",
        plugin,
    };
    let is_made = |part: &str| packages.join(part).is_dir();
    if is_made("python") {
        let wheel = files::entries(&packages.join("python"))?.pop();
        let wheel = wheel.context("there is no wheel")?;
        let site = system.python(step, python::interpreter(workspace)?, &wheel, |_| ())?;
        is_portable(step, &site.join("rustbridge/_native.abi3.so"))?;
    }
    if is_made("maven") {
        let java = Java::find()?;
        system.java(step, &java.program("java"))?;
        for (module, library) in JARS {
            let Some(library) = library else { continue };
            let inside = emptied(folder.join("jars"))?;
            let library = platforms::each(
                library,
                &inside.join("native").join(platforms::here()),
                None,
            )?;
            let mut extract = workspace.command(java.program("jar"));
            extract.current_dir(&inside).args(["--extract", "--file"]);
            step.run(extract.arg(jar(packages, module)))?;
            is_portable(step, &library[0].1)?;
        }
    }
    if is_made("nuget") {
        system.dotnet_in_one_file(step)?;
        let cache = folder
            .join("csharp/OneFile.cs/packages/rustbridge")
            .join(making::VERSION);
        let platform = DOTNET.here();
        let library = dotnet::packaged_library(&platform);
        is_portable(
            step,
            &cache.join(format!("runtimes/{platform}/native/{library}")),
        )?;
    }
    if is_made("go") {
        let build = go::command(workspace, "", &["build", "-buildvcs=false", "-o"])?;
        system.go(step, build, "program")?;
    }
    if is_made("node") {
        let installed = system.npm(step)?;
        system.node(step, &installed, &node::program()?.0)?;
        let native = installed.join("node_modules/rustbridge/native");
        is_portable(step, &native.join(NODE.here()).join(node::FILE))?;
    }
    Ok(())
}

/// Checks that a library loads with the oldest supported glibc, and doesn't contain the path where it was built.
fn is_portable(step: &mut Step<'_>, library: &Path) -> Result<()> {
    let mut findings = portable::findings(step, library)?;
    let bytes = fs::read(library).with_context(|| format!("reading {}", library.display()))?;
    for (place, _) in portable::places(step.workspace) {
        if bytes
            .windows(place.len())
            .any(|part| part == place.as_bytes())
        {
            findings.push(format!("it contains the path {place}"));
        }
    }
    let problem = (!findings.is_empty()).then(|| findings.join("; "));
    let [major, minor] = portable::GLIBC;
    let name = files::name(library);
    step.check(
        &format!("{name} needs glibc {major}.{minor} at most, and names no path"),
        problem,
    )
}
