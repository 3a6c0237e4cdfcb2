//! `rustbridge run`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use std::{env, fs};

use clap::Args;

use crate::client::is_so;
use crate::command::build;
use crate::language::Language;
use crate::packages::{self, Packages};
use crate::problem::Problem;
use crate::project::{Host, Project, cargo};
use crate::template::file_url;
use crate::tool::{MAVEN, NPM, PYTHON};
use crate::visible::visible;

/// What `run` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The host's language; without it each host is run.
    #[arg(value_name = "HOST")]
    host: Option<Language>,
    /// Build the plugin as it ships, which takes longer, and not for development.
    #[arg(short, long)]
    release: bool,
    /// The plugin's folder, or one in it.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    project: PathBuf,
    /// What the host is given, behind `--`. In Java and Kotlin it stands in `pom.xml`.
    #[arg(last = true, value_name = "ARGUMENTS", requires = "host")]
    arguments: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Problem> {
    let project = Project::around(&arguments.project)?;
    let chosen: Vec<&Host> = project
        .hosts
        .iter()
        .filter(|host| {
            arguments
                .host
                .is_none_or(|language| language == host.language)
        })
        .collect();
    if chosen.is_empty() {
        let which = arguments
            .host
            .map_or(String::new(), |language| format!(" in {language}"));
        return Err(Problem::new(format_args!(
            "`{}` has no host{which}: `rustbridge new` makes them with a plugin, by `--host`",
            project.name
        )));
    }
    let in_pom = |host: &&&Host| matches!(host.language, Language::Java | Language::Kotlin);
    if !arguments.arguments.is_empty()
        && let Some(host) = chosen.iter().find(in_pom)
    {
        return Err(Problem::new(format_args!(
            "arguments can't be passed to a host in {}: edit them in `{}`",
            host.language,
            host.folder.join("pom.xml").display()
        )));
    }
    let built = build::build(&project, build::profile(arguments.release), None, false)?;
    eprint!("{}", visible(&built.text()));
    for host in chosen {
        eprintln!("{:>9}  the host in {}", "running", host.language);
        Runner::new(&project, host, &arguments.arguments)?.run()?;
    }
    Ok(())
}

/// Runs a host by its language's own tools.
struct Runner<'p> {
    host: &'p Host,
    folder: PathBuf,
    /// The plugin's library, without what the system adds to its name.
    library: PathBuf,
    /// PATH, with this program's folder first, since the hosts' builds call it.
    path: OsString,
    /// The folder of packages, for builds that take its place from the environment; nothing if this program isn't in one.
    packages: Option<Packages>,
    /// The plugin's folder.
    root: &'p Path,
    /// What the host is given.
    arguments: &'p [OsString],
}

impl<'p> Runner<'p> {
    fn new(
        project: &'p Project,
        host: &'p Host,
        arguments: &'p [OsString],
    ) -> Result<Runner<'p>, Problem> {
        let program = env::current_exe().map_err(Problem::new)?;
        let own = program.parent().map(Path::to_owned);
        let others = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(own.into_iter().chain(env::split_paths(&others)));
        Ok(Runner {
            host,
            folder: project.root.join(&host.folder),
            library: project.root.join(&host.library).join(&project.library),
            path: path.map_err(Problem::new)?,
            packages: Packages::find(None).ok(),
            root: &project.root,
            arguments,
        })
    }

    fn run(&self) -> Result<(), Problem> {
        match self.host.language {
            Language::Python => self.python(),
            Language::Java | Language::Kotlin => {
                let mut command = self.command(MAVEN);
                self.host(command.args(["--quiet", "compile", "exec:exec"]))
            }
            Language::CSharp => {
                let mut command = self.command("dotnet");
                self.host(command.args(["run", "--"]).args(self.arguments))
            }
            Language::Cpp => self.cpp(),
            Language::Rust => {
                let mut command = cargo();
                self.prepare(&mut command);
                command.args(["run", "--quiet", "--"]);
                self.host(command.args(self.arguments))
            }
            Language::Go => {
                let mut command = self.command("go");
                self.host(command.args(["run", "."]).args(self.arguments))
            }
            Language::Node => self.node(),
        }
    }

    /// In an environment of the host's own, with what it requires.
    fn python(&self) -> Result<(), Problem> {
        let environment = self.folder.join(".venv");
        let python = environment.join(if cfg!(windows) {
            "Scripts/python.exe"
        } else {
            "bin/python"
        });
        // What was installed last, so that it's done again when it's no longer that.
        let installed = environment.join("requirements.txt");
        let wanted = self.folder.join("requirements.txt");
        let mut requirements = fs::read(&wanted).map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be read: {error}",
                wanted.display()
            ))
        })?;
        requirements.extend(self.wheel());
        if !is_so(&installed, &requirements) {
            // One that was left half made, without what installs, has the program already.
            if !python.is_file() || !installed.is_file() {
                let mut make = self.command(PYTHON);
                self.go(make.args(["-m", "venv", ".venv"]))?;
            }
            let mut install = self.command(&python);
            install
                .args(["-m", "pip", "install", "--quiet"])
                // A wheel of another day may have the same version.
                .args(["--force-reinstall", "--disable-pip-version-check"])
                .arg("--requirement")
                .arg(&wanted);
            self.go(&mut install)?;
            fs::write(&installed, &requirements).map_err(Problem::new)?;
        }
        self.host(self.command(&python).arg("main.py").args(self.arguments))
    }

    /// Which wheel would be installed: one of another day may have the same version.
    fn wheel(&self) -> Vec<u8> {
        let wheel = self
            .packages
            .as_ref()
            .and_then(|packages| packages.wheel().ok());
        let made = wheel.as_ref().and_then(|wheel| {
            let made = fs::metadata(wheel).ok()?.modified().ok()?;
            made.duration_since(SystemTime::UNIX_EPOCH).ok()
        });
        let made = made.map_or(0, |made| made.as_nanos());
        wheel.map_or_else(Vec::new, |wheel| {
            format!("# {} of {made}\n", wheel.display()).into_bytes()
        })
    }

    /// With the modules that its manifest names.
    fn node(&self) -> Result<(), Problem> {
        // What was installed last, so that it's done again when it's no longer that.
        let installed = self.folder.join("node_modules/.rustbridge-installed");
        let wanted = self.folder.join("package.json");
        let manifest = fs::read(&wanted).map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be read: {error}",
                wanted.display()
            ))
        })?;
        if !is_so(&installed, &manifest) {
            let mut install = self.command(NPM);
            install.args(["install", "--silent", "--no-audit", "--no-fund"]);
            self.go(&mut install)?;
            fs::write(&installed, &manifest).map_err(Problem::new)?;
        }
        let mut start = self.command(NPM);
        start.args(["start", "--silent", "--"]).args(self.arguments);
        self.host(&mut start)
    }

    fn cpp(&self) -> Result<(), Problem> {
        let mut configure = self.command("cmake");
        configure
            .args(["-B", "build", "-DCMAKE_BUILD_TYPE=Release"])
            .args(["--log-level=WARNING"]);
        self.go(configure.stdout(Stdio::null()))?;
        let mut build = self.command("cmake");
        build.args(["--build", "build", "--config", "Release"]);
        self.go(build.stdout(Stdio::null()))?;
        let mut name = self.library.file_name().unwrap_or_default().to_owned();
        name.push("_host");
        let program = built(&self.folder.join("build"), &name)?;
        let mut program = self.command(&program);
        self.host(program.arg(&self.library).args(self.arguments))
    }

    /// A program that runs in the host's folder.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        self.prepare(&mut command);
        command
    }

    fn prepare(&self, command: &mut Command) {
        command
            .current_dir(&self.folder)
            .env("PATH", &self.path)
            .env(build::BUILT, self.root)
            .stdin(Stdio::null());
        if let Some(packages) = &self.packages {
            command.env(packages::VARIABLE, packages.folder());
            // Where a place has to be a URL, with what isn't allowed in one written otherwise.
            if let Ok(path) = packages.path() {
                command.env(packages::URL, file_url(&path));
            }
        }
    }

    /// Runs the host itself, which gets this program's standard input.
    fn host(&self, command: &mut Command) -> Result<(), Problem> {
        self.go(command.stdin(Stdio::inherit()))
    }

    /// Waits for it, for as long as it runs.
    fn go(&self, command: &mut Command) -> Result<(), Problem> {
        let program = command.get_program().display().to_string();
        let status = command.status().map_err(|error| {
            Problem::new(format_args!(
                "the host in {} needs `{program}`, which can't be run: {error}; `rustbridge doctor` lists missing tools and where to get them",
                self.host.language
            ))
        })?;
        if status.success() {
            return Ok(());
        }
        Err(Problem::answer(format_args!(
            "the host in {} has failed: `{program}` ended with {status}",
            self.host.language
        )))
    }
}

/// The program that CMake has built.
pub(crate) fn built(folder: &Path, name: &OsStr) -> Result<PathBuf, Problem> {
    let mut file = name.to_owned();
    file.push(env::consts::EXE_SUFFIX);
    // Where a build is for several configurations, each has its folder.
    let places = [folder.join("Release"), folder.to_owned()].map(|place| place.join(&file));
    let found = places.into_iter().find(|place| place.is_file());
    found.ok_or_else(|| {
        Problem::new(format_args!(
            "CMake has built no `{}` in `{}`: let the target in `CMakeLists.txt` be called so",
            file.display(),
            folder.display()
        ))
    })
}
