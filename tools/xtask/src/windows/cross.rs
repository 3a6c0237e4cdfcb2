//! How this machine builds for Windows and runs what it built.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::step::{Missing, Step, Unavailable};
use crate::tools;
use crate::workspace::Workspace;

/// The target; its tools are free software and run everywhere.
pub const TARGET: &str = "x86_64-pc-windows-gnu";

/// The system in Rust's words.
pub const SYSTEM: &str = "windows-x86_64";

/// The C compiler for it, which links Rust's and Go's programs, too.
pub const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// Where Debian puts the two programs, which are on nobody's path.
const WINE: &str = "/usr/lib/wine/wine64";
const WINE_SERVER: &str = "/usr/lib/wine/wineserver64";

/// How many seconds Wine's server goes on.
const SERVED: u32 = 20;

/// How this machine builds for Windows and runs it.
pub struct Cross<'a> {
    pub workspace: &'a Workspace,
    /// Everything for it lies here.
    folder: PathBuf,
}

impl<'a> Cross<'a> {
    /// # Errors
    /// [`Unavailable`] on a machine that isn't a Debian for x86-64.
    pub fn find(workspace: &'a Workspace) -> Result<Cross<'a>> {
        if cfg!(windows) {
            return Err(Unavailable(
                "this is Windows: the other suites are run on it and need no Wine".into(),
            )
            .into());
        }
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        if !cfg!(all(target_os = "linux", target_arch = "x86_64"))
            || !release.lines().any(|line| line == "ID=debian")
        {
            return Err(Unavailable(
                "Windows is built for and run under Wine only on Debian for x86-64, whose packages are known; see `windows-latest` in .github/workflows/ci.yml for Windows itself"
                    .into(),
            )
            .into());
        }
        let folder = workspace.target.join("windows");
        Ok(Cross { workspace, folder })
    }

    /// The same, once it is set up.
    ///
    /// # Errors
    /// [`Missing`] before that.
    pub fn ready(workspace: &'a Workspace) -> Result<Cross<'a>> {
        let cross = Cross::find(workspace)?;
        if cross.stamp().is_file() {
            Ok(cross)
        } else {
            Err(Missing("not set up: run `cargo xtask windows setup`".into()).into())
        }
    }

    /// Written last by the set-up.
    pub fn stamp(&self) -> PathBuf {
        self.folder.join("ready")
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Wine's drive C and registry.
    pub fn prefix(&self) -> PathBuf {
        self.folder.join("prefix")
    }

    /// The folder of the libraries and plugins for Windows that the tests load.
    pub fn libraries(&self) -> PathBuf {
        self.workspace.target.join(TARGET).join("debug")
    }

    /// The folder of those that are built as users build them.
    pub fn release_libraries(&self) -> PathBuf {
        self.workspace.target.join(TARGET).join("release")
    }

    /// The cargo whose builds are for Windows, and whose tests run under Wine.
    pub fn cargo(&self, verb: &str) -> Command {
        let mut command = self.workspace.cargo();
        self.wine_environment(&mut command);
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER"] {
            command.env_remove(variable);
        }
        command
            .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", COMPILER)
            // As a list, since a path may have a space in it.
            .arg("--config")
            .arg(format!(
                "target.{TARGET}.runner = {:?}",
                ["bash", &self.script("run.sh"), &self.script("wine.sh")]
            ))
            .args([verb, "--locked", "--target", TARGET]);
        command
    }

    /// A script of ours for Wine.
    fn script(&self, name: &str) -> String {
        let folder = self.workspace.root.join("tools/xtask/windows");
        folder.join(name).to_string_lossy().into_owned()
    }

    /// Has Wine's server go on for a while after the last program, with what else Wine starts beside it: each program would start
    /// all of it again, and one that comes while it ends would fail.
    pub fn keep_serving(&self, step: &mut Step<'_>) -> Result<()> {
        let mut server = self.workspace.command(WINE_SERVER);
        self.wine_environment(&mut server);
        // It's there already where it fails.
        step.execute(server.arg(format!("--persistent={SERVED}")))?;
        Ok(())
    }

    /// Wine, for a program of Windows.
    pub fn wine(&self) -> Command {
        let mut command = self.workspace.command(WINE);
        self.wine_environment(&mut command);
        command
    }

    /// A program for Windows, whose output goes through a pipe: to CPython and Java a file of Linux is an invalid handle.
    pub fn program(&self, program: &Path) -> Command {
        let mut command = self.workspace.command("bash");
        self.wine_environment(&mut command);
        command
            .args(["-o", "pipefail", "-c", r#""$@" 2>&1 | cat"#, "bash"])
            .arg(self.runner())
            .arg(program);
        command
    }

    /// The script that starts a program under Wine.
    pub fn runner(&self) -> PathBuf {
        self.script("wine.sh").into()
    }

    /// What every program under Wine has: a folder of ours, no window, no browser, no debugger, no menus.
    pub fn wine_environment(&self, command: &mut Command) {
        command
            .env("WINEPREFIX", self.prefix())
            .env("WINEDEBUG", "-all")
            .env(
                "WINEDLLOVERRIDES",
                "mshtml,winemenubuilder.exe,winedbg.exe=d",
            )
            // The platform's name in the tables.
            .env("RUSTBRIDGE_PLATFORM", self.platform())
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY");
    }

    /// What tables and reports call this: never `Windows` alone. Asks Wine for its version, without its folder.
    pub fn platform(&self) -> String {
        let version = tools::output(Path::new(WINE), &["--version"])
            .and_then(|text| tools::version_in(&text))
            .map_or_else(String::new, |[major, ..]| format!(" {major}"));
        format!("windows (Wine{version})")
    }

    /// A path as programs under Wine know it: the whole file system is drive Z.
    pub fn path(path: &Path) -> String {
        format!("Z:{}", path.display().to_string().replace('/', "\\"))
    }
}

/// Whether the toolchain has the standard library for Windows.
pub fn has_target(workspace: &Workspace) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = workspace.command(rustc);
    command.args(["--print", "target-libdir", "--target", TARGET]);
    tools::asked(&mut command)
        .is_ok_and(|(status, folder, _)| status.success() && Path::new(folder.trim()).is_dir())
}
