//! `xtask package`: the packages that users get, of every language, with libraries as they ship; and the suite that takes them
//! apart and loads a plugin with each.

mod bom;
mod crates;
mod first_minute;
pub mod making;
mod sums;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use self::making::{CALL, copy, emptied, file_in, says_hello};
use crate::dotnet::{self, Dotnet};
use crate::java::Java;
use crate::portable::{self, Portable};
use crate::step::{Missing, Step, Unavailable};
use crate::suite::{Lane, Suite};
use crate::workspace::Workspace;
use crate::{build, jars, java, notices, nupkg, python};

/// What every package is made of, the extension goes into the wheel; the command, and the plugin that it measures beside others.
const SHIPPED: [&str; 5] = [
    "rustbridge-capi",
    "rustbridge-jni",
    "rustbridge-pyext",
    "rustbridge-cli",
    "empty-plugin",
];

/// The POM that the others inherit from.
const PARENT: &str = "rustbridge-parent";

#[derive(Args)]
pub struct Options {
    /// Libraries of other systems, each in its `<os>-<arch>` as `cargo xtask build --into` leaves them there, for packages
    /// that run on those too.
    #[arg(long, value_name = "FOLDER")]
    natives: Option<PathBuf>,
}

/// The suite.
pub const SUITE: Suite = Suite {
    name: "packages",
    about: "the packages for Linux: content with glibc 2.17, a plugin is loaded with each, and from nothing else a new one is made and called",
    lane: Lane::OwnTarget,
    after: &[],
    run: check,
};

pub fn run(workspace: &Workspace, options: &Options) -> Result<ExitCode> {
    let mut step = Step::start(workspace, "package")?;
    let folder = workspace.target.join("packages");
    let natives = options.natives.as_deref().map(whole_path).transpose()?;
    make(&mut step, &folder, natives.as_deref(), true)
        .and_then(|()| step.finish())
        .inspect_err(|_| eprint!("{}", step.read_log()))?;
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

/// Makes them in a folder that has nothing else afterwards. `more` has libraries of other systems, and `documented` jars come with
/// their sources and pages.
fn make(step: &mut Step<'_>, folder: &Path, more: Option<&Path>, documented: bool) -> Result<()> {
    let workspace = step.workspace;
    let folder = emptied(folder.to_owned())?;
    let natives = build::as_shipped(step, &SHIPPED)?;
    let command = format!("rustbridge{}", std::env::consts::EXE_SUFFIX);
    copy(&natives.join(&command), &folder.join("bin").join(&command))?;
    copy(
        &workspace.root.join(notices::OF_COMMAND),
        &folder.join("bin").join(notices::FILE),
    )?;
    let empty = file_in(&natives, "empty_plugin");
    copy(
        &empty,
        &folder
            .join("bench")
            .join(empty.file_name().unwrap_or_default()),
    )?;
    crates::make(step, &folder.join("crates"))?;
    or_skip(step, "the wheel", |step| {
        if Portable::is_for_this_system() {
            let made = wheel(step, &folder.join("python"), &natives)?;
            fs::remove_dir_all(made.site).context("removing the wheel that was unpacked")
        } else {
            let environment = python::environment(step)?;
            let mut command = workspace.command(environment);
            command
                .args(["-m", "pip", "wheel", "--disable-pip-version-check"])
                .args(["--no-build-isolation", "--no-deps", "--wheel-dir"])
                .arg(folder.join("python"))
                .arg(workspace.root.join(python::FOLDER))
                .env("CARGO_TARGET_DIR", &workspace.target);
            step.run(&mut command).map(drop)
        }
    })?;
    or_skip(step, "the jars", |step| {
        let java = Java::find()?;
        let modules: Vec<&str> = jars::PUBLISHED.iter().map(|module| module.name).collect();
        let place = folder.join("maven");
        let sources = making::jars(step, &java, &place, &modules, &natives, more, documented)?;
        repository(&sources, &place, documented)?;
        if let Some(more) = more {
            for module in jars::PUBLISHED {
                let jar = making::jar(&sources, module.name);
                hold_all(step, &java, &jar, module, more)?;
            }
        }
        fs::remove_dir_all(sources).context("removing the sources that were built")
    })?;
    or_skip(step, "the NuGet packages", |step| {
        let dotnet = Dotnet::find()?;
        let mut libraries = vec![(
            dotnet::runtime_identifier(),
            file_in(&natives, "rustbridge"),
        )];
        if let Some(more) = more {
            libraries.extend(of_other_systems(more)?);
        }
        let place = folder.join("nuget");
        making::nuget(step, &dotnet, &place, &libraries)?;
        for made_of in ["built", "runtimes"] {
            fs::remove_dir_all(place.join(made_of)).context("removing what was packed")?;
        }
        Ok(())
    })?;
    let mut command = workspace.cargo();
    command
        .args(["run", "--locked", "--quiet", "--package"])
        .args(["rustbridge-headers", "--", "install"])
        .arg(&natives)
        .arg(folder.join("c"));
    step.run(&mut command)?;
    bom::write(workspace, &SHIPPED, &folder)?;
    sums::list(&folder)
}

/// Where a Maven repository has an artifact's files.
fn artifact(repository: &Path, name: &str) -> PathBuf {
    repository
        .join("io/github/rustbridge")
        .join(name)
        .join(env!("CARGO_PKG_VERSION"))
}

/// Puts jars and POMs where Maven looks for them in a repository, and beside each its checksum. The POM that they all inherit from is
/// there, too: nobody can depend on a jar without.
fn repository(sources: &Path, place: &Path, documented: bool) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let poms = sources.join(java::FOLDER);
    let mut files = vec![(
        poms.join("pom.xml"),
        artifact(place, PARENT).join(format!("{PARENT}-{version}.pom")),
    )];
    for module in jars::PUBLISHED {
        let name = module.name;
        let to = artifact(place, name);
        files.push((
            poms.join(name).join("pom.xml"),
            to.join(format!("{name}-{version}.pom")),
        ));
        let kinds: &[&str] = if documented {
            &["", "-sources", "-javadoc"]
        } else {
            &[""]
        };
        for kind in kinds {
            let file = format!("{name}-{version}{kind}.jar");
            files.push((
                making::jar(sources, name).with_file_name(&file),
                to.join(file),
            ));
        }
    }
    for (from, to) in files {
        copy(&from, &to)?;
        sums::sha1_beside(&to)?;
    }
    Ok(())
}

/// Whether a jar has the library of each system that there is one of.
fn hold_all(
    step: &mut Step<'_>,
    java: &Java,
    jar: &Path,
    module: &jars::Published,
    more: &Path,
) -> Result<()> {
    let Some(library) = module.library else {
        return Ok(());
    };
    let mut list = step.workspace.command(java.program("jar"));
    let listed = step.run(list.arg("--list").arg("--file").arg(jar))?;
    for wanted in natives_of(library, more)? {
        let problem = (!listed.lines().any(|entry| entry == wanted)).then(|| listed.clone());
        step.check(&format!("{} holds {wanted}", module.name), problem)?;
    }
    Ok(())
}

/// Where a jar has the libraries of this name that lie in the folders of systems.
fn natives_of(library: &str, more: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(more).with_context(|| format!("reading {}", more.display()))? {
        let place = entry
            .with_context(|| format!("reading {}", more.display()))?
            .path();
        let system = place.file_name().unwrap_or_default().to_string_lossy();
        for file in [
            format!("lib{library}.so"),
            format!("lib{library}.dylib"),
            format!("{library}.dll"),
        ] {
            if place.join(&file).is_file() {
                found.push(format!("native/{system}/{file}"));
            }
        }
    }
    Ok(found)
}

/// Does a part, or leaves it out where its tools aren't there; CI has them all.
fn or_skip(
    step: &mut Step<'_>,
    what: &str,
    part: impl FnOnce(&mut Step<'_>) -> Result<()>,
) -> Result<()> {
    match part(step) {
        Err(error) if error.is::<Missing>() && !step.workspace.ci => {
            step.skip(what, &format!("{error:#}"))
        }
        result => result,
    }
}

/// The C libraries in the folders of other systems, by .NET's names of these.
fn of_other_systems(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut libraries = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let place = entry
            .with_context(|| format!("reading {}", folder.display()))?
            .path();
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let Some((system, file)) = dotnet::platform(&name) else {
            continue;
        };
        let library = place.join(file);
        if library.is_file() {
            libraries.push((system, library));
        }
    }
    Ok(libraries)
}

fn wheel(step: &mut Step<'_>, folder: &Path, natives: &Path) -> Result<making::Wheel> {
    let folder = emptied(folder.to_owned())?;
    let extension = folder.join("_native.abi3.so");
    copy(&file_in(natives, "_native"), &extension)?;
    let made = making::wheel(step, &folder, &extension, portable::WHEEL)?;
    fs::remove_dir_all(folder.join("sources")).context("removing the sources that were built")?;
    fs::remove_file(extension).context("removing the extension beside the wheel")?;
    Ok(made)
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
    make(step, &made, None, false)?;
    // An author's plugin is built in the same way.
    let natives = build::as_shipped(step, &["hello-plugin"])?;
    for library in ["rustbridge", "rustbridge_jni", "_native", "hello_plugin"] {
        content(step, &file_in(&natives, library))?;
    }
    content(step, &made.join("bin/rustbridge"))?;
    let plugin = file_in(&natives, "hello_plugin");
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
    first_minute::check(step, &made, &folder.join("first-minute"))
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
    )
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

    #[test]
    fn libraries_of_other_systems_have_their_places_in_a_jar() {
        let workspace = Workspace::find().expect("the workspace is there");
        let folder = emptied(workspace.target.join("xtask").join("self-test-natives"))
            .expect("a folder can be made");
        for file in [
            "windows-x86_64/rustbridge.dll",
            "windows-x86_64/hello_plugin.dll",
            "linux-aarch64/librustbridge.so",
        ] {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().expect("it has one")).expect("a folder can be made");
            fs::write(&file, "").expect("a file can be written");
        }
        let mut found = natives_of("rustbridge", &folder).expect("it can be read");
        found.sort();
        assert_eq!(
            found,
            [
                "native/linux-aarch64/librustbridge.so",
                "native/windows-x86_64/rustbridge.dll"
            ]
        );
    }
}
