//! Finds the toolchains of the machine.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result};

/// A version as far as comparing goes: the first three numbers.
pub type Version = [u32; 3];

/// The oldest Python that the bindings support.
pub const PYTHON: Version = [3, 10, 0];

/// The oldest Go that the example of a plugin is written for; its `go.mod` says the same.
pub const OLDEST_GO: Version = [1, 19, 0];

/// The oldest Go that the Go package is written for; its `go.mod` says the same.
pub const OLDEST_GO_HOST: Version = [1, 24, 0];

/// A Python that is new enough.
#[derive(Clone, Debug)]
pub struct Interpreter {
    pub path: PathBuf,
    pub version: Version,
}

/// Looks a program up as a shell would, honouring Windows' endings.
pub fn which(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .flat_map(|folder| spellings(&folder, name))
        .find(|file| file.is_file())
}

/// The names under which a program may lie in `folder`.
pub fn spellings(folder: &Path, name: &str) -> Vec<PathBuf> {
    if cfg!(windows) {
        ["exe", "cmd", "bat"]
            .iter()
            .map(|ending| folder.join(format!("{name}.{ending}")))
            .collect()
    } else {
        vec![folder.join(name)]
    }
}

/// How long a tool may take to say what it is; Maven and .NET start a runtime for it.
const ANSWER: Duration = Duration::from_secs(60);

/// The command as a person would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![
        program
            .file_stem()
            .unwrap_or(program.as_os_str())
            .to_string_lossy()
            .into_owned(),
    ];
    words.extend(
        command
            .get_args()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    words.join(" ")
}

/// Runs a command that only says something, as `git` and `rustc` do.
///
/// # Errors
/// If it can't be started or hangs.
pub fn asked(command: &mut Command) -> Result<(ExitStatus, String, String)> {
    let ended = child_process::run(command.stdin(Stdio::null()), ANSWER)?;
    let said = ended.said();
    let status = ended.status.with_context(|| {
        let (command, limit) = (shown(command), ANSWER.as_secs());
        format!("`{command}` was ended after {limit} s; its output: {said}")
    })?;
    let [out, err] =
        [ended.stdout, ended.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok((status, out, err))
}

/// What a program prints of itself, both streams; `None` if it cannot be run, fails or hangs.
pub fn output(program: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).env_remove("RUSTUP_TOOLCHAIN");
    let (status, out, err) = asked(&mut command).ok()?;
    status.success().then_some(out + &err)
}

/// The first dotted number in a text: how all the tools print their versions.
pub fn version_in(text: &str) -> Option<Version> {
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = &rest[start..];
        let end = number
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(number.len());
        let parts: Vec<u32> = number[..end]
            .split('.')
            .map_while(|part| part.parse().ok())
            .collect();
        if parts.len() >= 2 {
            return Some([parts[0], parts[1], parts.get(2).copied().unwrap_or(0)]);
        }
        rest = &number[end..];
    }
    None
}

/// `3.11.7`
pub fn show(version: Version) -> String {
    format!("{}.{}.{}", version[0], version[1], version[2])
}

/// The Python to use: `PYTHON` if set, else the first on the path that is new enough.
pub fn find_python() -> Option<Interpreter> {
    let named = env::var_os("PYTHON").map(PathBuf::from);
    let on_path = [
        "python3",
        "python",
        "python3.13",
        "python3.12",
        "python3.11",
        "python3.10",
    ];
    named
        .into_iter()
        .chain(on_path.iter().filter_map(|name| which(name)))
        .find_map(|path| {
            // Its own word for where it lies, so that a shim which follows the current folder doesn't change under us.
            let said = output(
                &path,
                &[
                    "-c",
                    "import sys; print(sys.executable); print('%d.%d.%d' % sys.version_info[:3])",
                ],
            )?;
            let mut lines = said.lines();
            let path = PathBuf::from(lines.next()?.trim());
            let version = version_in(lines.next()?)?;
            (version >= PYTHON).then_some(Interpreter { path, version })
        })
}

/// Every JDK of the machine, newest first, with its home folder.
pub fn find_jdks() -> Vec<(Version, PathBuf)> {
    // CI services name those they have as `JAVA_HOME_17_X64` and so on.
    let mut homes: Vec<PathBuf> = env::vars_os()
        .filter(|(name, _)| name.to_string_lossy().starts_with("JAVA_HOME"))
        .map(|(_, home)| PathBuf::from(home))
        .collect();
    for folder in [
        "/usr/lib/jvm",
        "/Library/Java/JavaVirtualMachines",
        "C:\\Program Files\\Java",
        "C:\\Program Files\\Eclipse Adoptium",
    ] {
        let Ok(entries) = Path::new(folder).read_dir() else {
            continue;
        };
        homes.extend(entries.flatten().map(|entry| {
            let inside = entry.path().join("Contents/Home");
            if inside.is_dir() {
                inside
            } else {
                entry.path()
            }
        }));
    }
    if let Some(home) = which("javac").and_then(|path| path.canonicalize().ok()) {
        homes.extend(home.ancestors().nth(2).map(Path::to_path_buf));
    }
    let mut jdks: Vec<(Version, PathBuf)> = homes
        .into_iter()
        .filter_map(|home| home.canonicalize().ok())
        .filter_map(|home| {
            let javac = spellings(&home.join("bin"), "javac")
                .into_iter()
                .find(|file| file.is_file())?;
            Some((java_version(&output(&javac, &["-version"])?)?, plain(home)))
        })
        .collect();
    jdks.sort();
    jdks.dedup();
    jdks.reverse();
    jdks
}

/// What follows the word `javac`; a JDK's first release has one number only.
fn java_version(said: &str) -> Option<Version> {
    let (_, version) = said.split_once("javac ")?;
    let end = version
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(version.len());
    let mut parts = version[..end].split('.').map(str::parse);
    let major = parts.next()?.ok()?;
    let mut next = || parts.next().and_then(Result::ok).unwrap_or(0);
    Some([major, next(), next()])
}

/// Without the prefix that Windows gives a canonical path and that batch files such as Maven's cannot read.
fn plain(path: PathBuf) -> PathBuf {
    match path.to_str().and_then(|text| text.strip_prefix(r"\\?\")) {
        Some(text) => PathBuf::from(text),
        None => path,
    }
}

/// The .NET SDK: on the path, where `DOTNET_ROOT` says, or where its own installer puts it.
pub fn find_dotnet() -> Option<PathBuf> {
    let home = env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    let folders = env::var_os("DOTNET_ROOT")
        .map(PathBuf::from)
        .into_iter()
        .chain(home.map(|home| home.join(".dotnet")));
    which("dotnet").or_else(|| {
        folders
            .flat_map(|folder| spellings(&folder, "dotnet"))
            .find(|file| file.is_file())
    })
}

/// The C compiler: `CC` if set, else the platform's usual ones.
pub fn find_cc() -> Option<PathBuf> {
    named_or("CC", &["cc", "gcc", "clang", "cl"])
}

/// The C++ compiler: `CXX` if set, else the platform's usual ones.
pub fn find_cxx() -> Option<PathBuf> {
    named_or("CXX", &["c++", "g++", "clang++", "cl"])
}

fn named_or(variable: &str, names: &[&str]) -> Option<PathBuf> {
    let named = env::var(variable).ok().and_then(|name| {
        let path = PathBuf::from(&name);
        if path.is_file() {
            Some(path)
        } else {
            which(&name)
        }
    });
    named.or_else(|| names.iter().find_map(|name| which(name)))
}

/// The version of the nightly toolchain, if rustup has one; the sanitizers of the fuzz targets need it.
pub fn find_nightly() -> Option<String> {
    let said = output(&which("rustc")?, &["+nightly", "--version"])?;
    said.lines().next().map(str::to_owned)
}
