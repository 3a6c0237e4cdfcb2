//! `xtask package`: the packages that users get, of every language, with libraries as they ship; and the suite that takes them
//! apart and loads a plugin with each.

mod bom;
mod crates;
mod first_minute;
pub mod go;
mod guides;
pub mod making;
pub mod node;
mod parts;
pub mod running;
mod shipped;
mod sums;
pub mod user;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use self::making::{CALL, artifact, copy, emptied, file_in, says_hello};
use self::parts::Making;
use crate::dotnet::{self, Dotnet};
use crate::java::Java;
use crate::portable::{self, Portable};
use crate::step::{Step, Unavailable};
use crate::suite::{Lane, Suite};
use crate::workspace::Workspace;
use crate::{build, jars, nupkg, python};

#[derive(Args, Default)]
pub struct Options {
    /// Libraries of other systems, each in a folder `<os>-<arch>` as `cargo xtask build --into` writes it, for packages
    /// that run on those systems too.
    #[arg(long, value_name = "FOLDER")]
    natives: Option<PathBuf>,
}

/// The suite.
pub const SUITE: Suite = Suite {
    name: "packages",
    about: "the packages for Linux: content with glibc 2.17, a plugin is loaded with each, and from nothing else a new one is made and called, and the guides' projects are built",
    lane: Lane::OwnTarget,
    after: &["build"],
    run: check,
};

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "package")?;
    let natives = options.natives.as_deref().map(whole_path).transpose()?;
    make(&mut step, natives.as_deref())
        .and_then(|folder| told(&mut step, &folder))
        .inspect_err(|_| eprint!("{}", step.read_log()))
}

/// Makes all packages where users find them, with libraries of other systems, and gives that folder.
pub fn make(step: &mut Step<'_>, natives: Option<&Path>) -> Result<PathBuf> {
    let folder = step.workspace.target.join("packages");
    let making = Making {
        folder: &folder,
        more: natives,
        documented: true,
        build: build::as_shipped,
    };
    making.make(step)?;
    Ok(folder)
}

/// Installs a wheel of the extension that the tests built where Python's tests find it, or what pip makes of the sources on systems
/// whose wheels pip makes.
pub fn install_wheel(step: &mut Step<'_>) -> Result<()> {
    if !Portable::is_for_this_system() || !python::backends(step.workspace).contains(&"native") {
        return python::install_package(step).map(drop);
    }
    let folder = step.workspace.target.join("xtask").join("wheel");
    let made = parts::wheel(step, &folder, &step.workspace.natives)?;
    python::install(step, &folder.join(made.file)).map(drop)
}

/// Puts a wheel of another system beside those that are there.
pub fn add_wheel(folder: &Path, wheel: &Path) -> Result<()> {
    let name = wheel.file_name().context("a wheel has a name")?;
    copy(wheel, &folder.join("python").join(name))?;
    sums::list(folder)
}

/// Says where the packages are, and what couldn't be made.
pub fn told(step: &mut Step<'_>, folder: &Path) -> Result<ExitCode> {
    step.finish()?;
    for part in &step.skipped {
        println!("left out: {part}");
    }
    println!("packages in {}", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Maven, which runs elsewhere, would look for a relative path there and go on without a word.
fn whole_path(natives: &Path) -> Result<PathBuf> {
    let folder = std::path::absolute(natives).context("making the path a whole one")?;
    ensure!(folder.is_dir(), "{} is no folder", folder.display());
    Ok(folder)
}

fn check(step: &mut Step<'_>) -> Result<()> {
    if !Portable::is_for_this_system() {
        return Err(
            Unavailable("only on Linux the libraries are linked otherwise to ship".into()).into(),
        );
    }
    let workspace = step.workspace;
    let folder = emptied(workspace.target.join("xtask").join("packages"))?;
    let made = folder.join("packages");
    let making = Making {
        folder: &made,
        more: None,
        documented: false,
        build: build::linked_as_shipped,
    };
    making.make(step)?;
    let sums = sums::read_list(&made)?;
    making.again(step)?;
    let problem = sums::differing(&sums, &sums::read_list(&made)?);
    step.check("packages made twice are the same, byte for byte", problem)?;
    // An author's plugin is built in the same way.
    let natives = build::linked_as_shipped(step, &["hello-plugin"])?;
    for library in ["rustbridge", "rustbridge_jni", "_native", "hello_plugin"] {
        content(step, &file_in(&natives, library))?;
    }
    content(step, &made.join("bin/rustbridge"))?;
    let plugin = file_in(&natives, "hello_plugin");
    check_archive(step, &made)?;
    // What is missing was named when the packages were made.
    if made.join("python").is_dir() {
        check_wheel(step, &made.join("python"), &folder.join("wheel"), &plugin)?;
    }
    if made.join("maven").is_dir() {
        check_jars(step, &made.join("maven"), &folder.join("jars"), &plugin)?;
    }
    if made.join("nuget").is_dir() {
        check_nuget(step, &made.join("nuget"), &folder.join("nuget"), &plugin)?;
    }
    if made.join("go").is_dir() {
        go::check(step, &made.join("go"), &folder.join("go"), &plugin)?;
    }
    if made.join("node").is_dir() {
        let addon = node::check(step, &made.join("node"), &folder.join("node"), &plugin)?;
        content(step, &addon)?;
    }
    let maven = user::maven_repository(&folder.join("maven-repository"))?;
    let built = first_minute::check(step, &made, &folder.join("first-minute"), &maven)?;
    guides::check(
        step,
        &made,
        &folder.join("guides"),
        &plugin,
        [&maven, &built],
    )
}

/// Whether a library loads wherever glibc is as old as we say.
fn content(step: &mut Step<'_>, library: &Path) -> Result<()> {
    let findings = portable::findings(library)?;
    let problem = (!findings.is_empty()).then(|| findings.join("; "));
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    let [major, minor] = portable::GLIBC;
    step.check(
        &format!("{name} is content with glibc {major}.{minor}"),
        problem,
    )?;
    let bytes = fs::read(library).with_context(|| format!("reading {}", library.display()))?;
    let named: Vec<String> = portable::places(step.workspace)
        .into_iter()
        .map(|(place, _)| place)
        .filter(|place| {
            let mut parts = bytes.windows(place.len());
            parts.any(|part| part == place.as_bytes())
        })
        .collect();
    let problem = (!named.is_empty()).then(|| format!("it names {}", named.join(", ")));
    step.check(
        &format!("{name} doesn't contain the path where it was built"),
        problem,
    )
}

/// Whether the archive for C has what is beside it as a folder.
fn check_archive(step: &mut Step<'_>, made: &Path) -> Result<()> {
    let name = parts::c_archive();
    let python = python::interpreter(step.workspace)?;
    let mut list = step.workspace.command(python);
    list.args(["-m", "tarfile", "--list"])
        .arg(made.join(format!("{name}.tar.gz")));
    let listed = step.run(&mut list)?;
    let mut files = Vec::new();
    making::names(&made.join("c"), &format!("{name}/"), &mut files)?;
    files.retain(|file| !listed.lines().any(|line| line.trim() == file));
    let problem = (!files.is_empty()).then(|| files.join(", "));
    step.check("the archive for C has every file", problem)
}

fn check_wheel(step: &mut Step<'_>, made: &Path, folder: &Path, plugin: &Path) -> Result<()> {
    let file = making::wheel_file(portable::WHEEL);
    let site = making::unpack(step, &made.join(&file), &emptied(folder.to_owned())?)?;
    content(step, &site.join("rustbridge/_native.abi3.so"))?;
    // The environment's own package would be found before one on the path.
    let python = python::interpreter(step.workspace)?;
    for backend in python::backends(step.workspace) {
        let mut command = step.workspace.command(python);
        command
            .args(["-S", "-c", CALL])
            .arg(plugin)
            .env("PYTHONPATH", &site)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RUSTBRIDGE_BACKEND", backend)
            .env_remove("RUSTBRIDGE_LIBRARY");
        let what = format!("CPython calls a plugin with {file} by {backend}");
        says_hello(step, &what, &mut command, &format!("{backend}: "))?;
    }
    Ok(())
}

fn check_jars(step: &mut Step<'_>, made: &Path, folder: &Path, plugin: &Path) -> Result<()> {
    let workspace = step.workspace;
    let java = Java::find()?;
    let folder = emptied(folder.to_owned())?;
    let jar =
        |name: &str| artifact(made, name).join(format!("{name}-{}.jar", env!("CARGO_PKG_VERSION")));
    let api = jar("rustbridge");
    let program = making::java_program(step, &java, &folder, &api)?;
    let with_library = jars::PUBLISHED
        .iter()
        .filter_map(|module| Some((module.name, module.library?)));
    for (module, library) in with_library {
        let path = jar(module);
        let inside = folder.join(module);
        fs::create_dir_all(&inside).with_context(|| format!("making {}", inside.display()))?;
        let entry = jars::native(library);
        let mut extract = workspace.command(java.program("jar"));
        extract
            .current_dir(&inside)
            .args(["--extract", "--file"])
            .arg(&path)
            .arg(&entry);
        step.run(&mut extract)?;
        content(step, &inside.join(entry))?;

        let mut command = workspace.command(java.program("java"));
        let class_path = std::env::join_paths([&program, &api, &path]).context("a class path")?;
        command
            .args(["--enable-native-access=ALL-UNNAMED", "-cp"])
            .arg(class_path)
            .arg("LoadsAPlugin")
            .arg(plugin);
        for variable in ["RUSTBRIDGE_LIBRARY", "RUSTBRIDGE_PLUGIN_DIR"] {
            command.env_remove(variable);
        }
        let what = format!("a JVM calls a plugin with {module} and nothing else");
        let backend = module.trim_start_matches("rustbridge-");
        says_hello(step, &what, &mut command, &format!("{backend}: "))?;
    }
    Ok(())
}

fn check_nuget(step: &mut Step<'_>, made: &Path, folder: &Path, plugin: &Path) -> Result<()> {
    let workspace = step.workspace;
    let dotnet = Dotnet::find()?;
    let folder = emptied(folder.to_owned())?;
    let platform = dotnet::runtime_identifier();
    let file = nupkg::file_name("RustBridge", "nupkg");
    copy(&made.join(&file), &folder.join(&file))?;
    let inside = making::unpack(step, &folder.join(&file), &folder)?;
    let library = dotnet::packaged_library(&platform);
    content(
        step,
        &inside.join(format!("runtimes/{platform}/native/{library}")),
    )?;
    let program =
        making::dotnet_program(step, &dotnet, &folder, &platform, &["--no-self-contained"])?;
    let mut command = dotnet.command(workspace, program.join("LoadsAPlugin.dll"));
    command.arg(plugin);
    for variable in ["RUSTBRIDGE_LIBRARY", "RUSTBRIDGE_PLUGIN_DIR"] {
        command.env_remove(variable);
    }
    let what = format!(".NET calls a plugin with {file} and nothing else");
    says_hello(step, &what, &mut command, "package: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_natives_is_named_from_the_root_or_refused() {
        let here = std::env::current_dir().expect("there is one");
        assert_eq!(whole_path(Path::new("src")).ok(), Some(here.join("src")));
        assert!(whole_path(Path::new("no-such-folder")).is_err());
    }
}
