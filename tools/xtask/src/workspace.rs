//! The repository that is worked on: its folders and files, its packages, and commands within it.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread;

use anyhow::{Context as _, Result, bail};

use crate::cargo::{Metadata, Packages};
use crate::tools::{self, Interpreter};

/// Tells tests in every language how many times as often as usual to do what they repeat.
const SOAK: &str = "RUSTBRIDGE_SOAK";

/// Cargo's own variable for how many compilers it runs.
const JOBS: &str = "CARGO_BUILD_JOBS";

/// The folder of cargo's builds for development.
const DEVELOPMENT: &str = "debug";

/// Says that nothing is built a second time here, and that there may be little room.
const ONCE: &str = "RUSTBRIDGE_BUILT_ONCE";

/// Where we are, what we may use, and what is in the repository.
pub struct Workspace {
    /// The folder of the workspace's Cargo.toml.
    pub root: PathBuf,
    /// Cargo's target folder; everything we make goes there.
    pub target: PathBuf,
    /// The folder of the libraries and plugins that a command's programs load: those of the development build for tests, and of a
    /// release build where speed or size is looked at.
    pub natives: PathBuf,
    /// How many things may run at once.
    pub cores: usize,
    /// The number of parallel jobs of each cargo command; cargo's default if none. Suites run in parallel, and more compilers than cores
    /// take more processor time each.
    jobs: Option<usize>,
    /// `CI` is set: a missing tool is then a failure.
    pub ci: bool,
    /// Packages of the system that are missing may be installed: on CI, and where somebody asked for it.
    pub installs: bool,
    /// What no later suite needs is removed on the way.
    pub built_once: bool,
    /// How many times as often tests that repeat themselves do so.
    pub soak: u32,
    /// Tests under Wine start processes of their own, each of which takes seconds.
    pub processes_under_wine: bool,
    metadata: Metadata,
    dependencies: OnceLock<Metadata>,
    python: OnceLock<Option<Interpreter>>,
}

impl Workspace {
    pub fn find() -> Result<Workspace> {
        // `cargo run` tells where this package is; the path of the build is the fallback for a binary started by hand.
        let here = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = here
            .ancestors()
            .nth(2)
            .context("xtask is not two folders below the workspace")?
            .to_path_buf();
        if !root.join("Cargo.toml").is_file() {
            bail!(
                "no workspace at {}; run it as `cargo xtask`",
                root.display()
            );
        }
        let metadata = Metadata::read(&root, Packages::Workspace)
            .context("reading the workspace with `cargo metadata`")?;
        let ci = is_set("CI");
        let target = metadata.target_directory.clone();
        Ok(Workspace {
            natives: target.join(DEVELOPMENT),
            target,
            root,
            cores: thread::available_parallelism().map_or(2, usize::from),
            jobs: None,
            ci,
            installs: ci,
            built_once: is_set(ONCE),
            soak: 1,
            processes_under_wine: false,
            metadata,
            dependencies: OnceLock::new(),
            python: OnceLock::new(),
        })
    }

    /// Limits each cargo command to half of the cores, unless the environment sets a limit.
    pub fn share_cores(&mut self) {
        if env::var_os(JOBS).is_none() {
            self.jobs = Some((self.cores / 2).max(1));
        }
    }

    /// Lifts that limit for a command that nearly all suites wait for.
    pub fn with_all_cores(&self, cargo: &mut Command) {
        if self.jobs.is_some() {
            cargo.env_remove(JOBS);
        }
    }

    /// The number of commits up to this one; 0 outside a git repository.
    pub fn commits(&self) -> usize {
        let counted = tools::asked(self.command("git").args(["rev-list", "--count", "HEAD"]));
        let counted = counted.ok().map(|(_, count, _)| count);
        counted
            .and_then(|count| count.trim().parse().ok())
            .unwrap_or_default()
    }

    /// What cargo says of the workspace's own packages.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// What cargo says of all that they depend on, too, asked once.
    pub fn dependencies(&self) -> Result<&Metadata> {
        if let Some(known) = self.dependencies.get() {
            return Ok(known);
        }
        let read = Metadata::read(&self.root, Packages::All);
        let read = read.context("reading the dependencies with `cargo metadata`")?;
        Ok(self.dependencies.get_or_init(|| read))
    }

    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The newest suitable Python, looked for once.
    pub fn python(&self) -> Option<&Interpreter> {
        self.python.get_or_init(tools::find_python).as_ref()
    }

    /// A command that runs in the workspace's root with an environment as if it had been started from a plain shell.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        clean_environment(&mut command, &self.target);
        if self.soak > 1 {
            command.env(SOAK, self.soak.to_string());
        }
        if let Some(jobs) = self.jobs {
            command.env(JOBS, jobs.to_string());
        }
        command
    }

    pub fn cargo(&self) -> Command {
        let mut command = self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.env("CARGO_TERM_COLOR", "never");
        command
    }

    /// The cargo of the nightly toolchain, which rustup knows.
    pub fn nightly_cargo(&self) -> Command {
        let mut command = self.command("cargo");
        command
            .arg("+nightly")
            .env_remove("RUSTUP_TOOLCHAIN")
            .env_remove("RUSTC")
            .env("CARGO_TERM_COLOR", "never");
        command
    }

    /// The files that git tracks or would track below `paths` (all, if there are none), with forward slashes.
    pub fn files(&self, paths: &[&str]) -> Result<Vec<String>> {
        let mut command = self.command("git");
        command
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
                "--",
            ])
            .args(paths);
        let (status, names, errors) =
            tools::asked(&mut command).context("listing the files with git")?;
        if !status.success() {
            bail!("git ls-files failed: {}", errors.trim());
        }
        Ok(names
            .split('\0')
            .filter(|path| !path.is_empty())
            .map(str::to_owned)
            .collect())
    }

    /// A package's C library among those that this command's programs load.
    pub fn cdylib(&self, library: &str) -> PathBuf {
        self.natives.join(file_of_cdylib(library))
    }
}

/// What cargo calls a package's C library.
pub fn file_of_cdylib(library: &str) -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    format!("{DLL_PREFIX}{}{DLL_SUFFIX}", library.replace('-', "_"))
}

/// Whether a variable says yes.
fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// `cargo run` hands its child the package's own variables and a library path into the target folder. A build or test
/// started from here must not see them: it would be built twice over, or find libraries that a user's would not.
fn clean_environment(command: &mut Command, target: &Path) {
    // The tests provoke panics by the hundred; with a backtrace of each, the one that matters isn't found.
    command.env("RUST_BACKTRACE", "0");
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_")
            || text.starts_with("CARGO_MANIFEST_")
            || text == "CARGO_BIN_NAME"
        {
            command.env_remove(&name);
        }
    }
    for variable in ["LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"] {
        let Some(value) = env::var_os(variable) else {
            continue;
        };
        let kept: Vec<PathBuf> = env::split_paths(&value)
            .filter(|path| {
                !path.starts_with(target)
                    && !path.components().any(|part| part.as_os_str() == "rustlib")
            })
            .collect();
        match env::join_paths(&kept) {
            Ok(path) if !kept.is_empty() => command.env(variable, path),
            _ => command.env_remove(variable),
        };
    }
}
