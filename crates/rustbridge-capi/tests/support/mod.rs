//! Builds what the tests run: librustbridge by cargo, C by the machine's compiler.
#![allow(dead_code, reason = "each test file uses a part of this")]

pub mod hang;
mod precompiled;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use rustbridge_conformance::{libraries, system};

/// The folder of this crate.
pub const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// The workspace's folder.
pub fn workspace() -> PathBuf {
    PathBuf::from(CRATE).join("../..")
}

/// A folder of its own for what a test writes.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Has another build take from ours what both have in common, and leave its own there for the next time.
pub fn sharing(cargo: &mut Command) -> &mut Command {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    cargo.env("CARGO_BUILD_BUILD_DIR", target)
}

/// Where the libraries are: in the folder of the plugins that a variable names, or where cargo leaves them in the profile that this
/// test was built in, beside `deps`, where the test itself is.
pub fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // They are built along with the plugins there.
        if let Some(folder) = env::var_os(libraries::PLUGIN_DIR) {
            return folder.into();
        }
        assert!(
            system::cross().is_none(),
            "cross tests say in {} where the libraries are",
            libraries::PLUGIN_DIR
        );
        let test = env::current_exe().unwrap();
        let folder = test.parent().and_then(Path::parent).unwrap().to_owned();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        // Cargo builds a package's cdylib for its integration tests only if they could link it as Rust.
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--package", "rustbridge-capi"])
            .current_dir(workspace());
        match folder.file_name().and_then(|name| name.to_str()).unwrap() {
            "debug" => {}
            profile => {
                cargo.args(["--profile", profile]);
            }
        }
        if folder.parent() != Some(target) {
            cargo.args(["--target", env!("RUSTBRIDGE_TARGET")]);
        }
        run(&mut cargo);
        folder
    })
}

/// The shared librustbridge.
pub fn librustbridge() -> PathBuf {
    built().join(system::shared_name("rustbridge"))
}

/// How a C program gets at librustbridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    Shared,
    Static,
    /// It loads it itself.
    Loader,
    Nothing,
}

/// A C or C++ source on its way to a program or a library.
pub struct Source<'a> {
    /// The file, relative to this crate.
    pub file: &'a str,
    /// Where headers are looked for before `include`.
    pub include: &'a str,
    pub link: Link,
    pub address_sanitizer: bool,
    /// Whether it's for `rustbridge.hpp`: C++20, with all warnings that its users may have switched on.
    pub hpp: bool,
}

pub fn source(file: &str) -> Source<'_> {
    Source {
        file,
        include: "tests/c",
        link: Link::Nothing,
        address_sanitizer: false,
        hpp: false,
    }
}

impl<'a> Source<'a> {
    pub fn include(self, include: &'a str) -> Self {
        Source { include, ..self }
    }

    pub fn link(self, link: Link) -> Self {
        Source { link, ..self }
    }

    pub fn with_address_sanitizer(self) -> Self {
        Source {
            address_sanitizer: true,
            ..self
        }
    }

    pub fn with_hpp(self) -> Self {
        Source { hpp: true, ..self }
    }

    /// Builds a program called `name` in the test's folder.
    pub fn program(self, folder: &Path, name: &str) -> PathBuf {
        let program = folder.join(system::program_name(name));
        self.build(&program, false);
        program
    }

    /// Builds a shared library called `name` in the test's folder.
    pub fn library(self, folder: &Path, name: &str) -> PathBuf {
        let library = folder.join(system::shared_name(name));
        self.build(&library, true);
        library
    }

    fn build(&self, out: &Path, is_library: bool) {
        let file = Path::new(CRATE).join(self.file);
        let cpp = file.extension().is_some_and(|extension| extension == "cpp");
        let compiler = compiler(cpp);
        let mut command = Command::new(compiler.path());
        command.args(compiler.args());
        // Visual Studio's compiler finds its headers and libraries by the environment.
        command.envs(compiler.get_envs());
        command.current_dir(out.parent().unwrap());
        let includes = [
            Path::new(CRATE).join(self.include),
            workspace().join("include"),
        ];
        if compiler.is_like_msvc() {
            command.args(["/nologo", "/W3", "/WX", "/MD", "/D_CRT_SECURE_NO_WARNINGS"]);
            // Tests compile the same source at the same time.
            command.arg(format!("/Fo:{}.obj", out.display()));
            command.arg(match cpp {
                true if self.hpp => "/std:c++20",
                true => "/std:c++17",
                false => "/std:c11",
            });
            if self.hpp {
                command.args(["/EHsc", "/utf-8"]);
            }
            for include in includes {
                command.arg("/I").arg(include);
            }
            command.arg(&file);
            command.arg(format!("/Fe:{}", out.display()));
            if is_library {
                command.arg("/LD");
            }
            command.arg("/link");
            match self.link {
                Link::Shared => {
                    command.arg(built().join("rustbridge.dll.lib"));
                }
                Link::Static => {
                    command.arg(built().join("rustbridge.lib"));
                    command.args(
                        ["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp"]
                            .map(|library| format!("{library}.lib")),
                    );
                }
                Link::Loader | Link::Nothing => {}
            }
        } else {
            command.arg(match cpp {
                true if self.hpp => "-std=c++20",
                true => "-std=c++17",
                false => "-std=c11",
            });
            command.args(["-Wall", "-Wextra", "-Werror", "-pedantic"]);
            // Templates are compiled a quarter faster without an optimizer. Line numbers are enough for memory checkers; everything that a
            // debugger needs makes compiling templates half as long again.
            command.args(if cpp { ["-O0", "-g1"] } else { ["-O1", "-g"] });
            if self.hpp {
                command.args(["-Wconversion", "-Wshadow", "-Wold-style-cast"]);
                command.arg("-Wnon-virtual-dtor");
            }
            command.args(["-D_DEFAULT_SOURCE", "-D_DARWIN_C_SOURCE"]);
            if !system::is_windows() {
                // Code for Windows can be moved anyway, and its compiler warns of the option.
                command.arg("-fPIC");
            }
            if self.address_sanitizer {
                command.arg("-fsanitize=address");
            }
            for include in includes {
                command.arg("-I").arg(include);
            }
            if self.hpp && !self.address_sanitizer && can_precompile(&compiler) {
                precompiled::include(&mut command, &file);
            }
            command.arg(&file).arg("-o").arg(out);
            if is_library {
                command.arg("-shared");
            }
            match self.link {
                Link::Shared => {
                    let built = built();
                    command.arg("-L").arg(built).arg("-lrustbridge");
                    if !system::is_windows() {
                        command.arg(format!("-Wl,-rpath,{}", built.display()));
                        command.arg("-lpthread");
                    }
                }
                Link::Static => {
                    command.arg(built().join("librustbridge.a"));
                    if system::is_windows() {
                        command.args([
                            "-lkernel32",
                            "-lntdll",
                            "-luserenv",
                            "-lws2_32",
                            "-ldbghelp",
                        ]);
                    } else if cfg!(target_os = "macos") {
                        command.args(["-lSystem", "-lc", "-lm"]);
                    } else {
                        command.args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"]);
                    }
                }
                Link::Loader if !system::is_windows() => {
                    command.args(["-ldl", "-lpthread"]);
                }
                Link::Loader | Link::Nothing => {}
            }
        }
        run(&mut command);
    }
}

/// Reports whether this is GCC for the machine that the tests run on. Other compilers have precompiled headers, too, but with other options.
fn can_precompile(compiler: &cc::Tool) -> bool {
    compiler.is_like_gnu() && system::cross().is_none() && cfg!(target_os = "linux")
}

fn compiler(cpp: bool) -> cc::Tool {
    let here = env!("RUSTBRIDGE_TARGET");
    cc::Build::new()
        .cpp(cpp)
        .target(system::cross().map_or(here, |cross| &cross.target))
        .host(here)
        .opt_level(1)
        .debug(true)
        .cargo_metadata(false)
        .no_default_flags(true)
        .get_compiler()
}

/// How many times as often as usual its programs do what they repeat: `cargo xtask soak` says it.
pub fn soak() -> u32 {
    env::var("RUSTBRIDGE_SOAK").map_or(1, |factor| factor.parse().unwrap())
}

/// Runs a command that must succeed; its output is shown when it doesn't.
pub fn run(command: &mut Command) -> String {
    let output = child_process::output(command, child_process::BUILD * soak());
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        text(&output)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Everything a command has said.
pub fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// A command for a program linked with librustbridge, which Windows looks for on the path.
pub fn command(program: &Path) -> Command {
    let mut command = system::command(program, built());
    // Plugins panic on purpose here, and naming the frames of each takes longer than the tests.
    command.env("RUST_BACKTRACE", "0");
    command
}

/// Whether memcheck can run what is built here.
pub fn have_valgrind() -> bool {
    are_wanted() && !system::is_windows() && have("valgrind")
}

/// Whether programs also run under a memory checker: not in the suite that leaves this to another one.
fn are_wanted() -> bool {
    env::var_os("RUSTBRIDGE_MEMORY_CHECKS").is_none_or(|it| it != "0")
}

/// Whether AddressSanitizer can: it does with a shared library of Rust's, where it is in the C compiler.
pub fn have_address_sanitizer() -> bool {
    are_wanted() && !system::is_windows() && cfg!(all(unix, not(target_os = "macos")))
}

/// Whether a tool is installed.
pub fn have(tool: &str) -> bool {
    child_process::run(Command::new(tool).arg("--version"), child_process::RUN).is_ok()
}

/// The same command under memcheck: fails on any error and on any leak that's certain.
pub fn under_valgrind(command: &Command) -> Command {
    let mut checked = Command::new("valgrind");
    checked
        .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
        .args([
            "--errors-for-leak-kinds=definite",
            "--show-leak-kinds=definite",
        ])
        // Valgrind runs one thread at a time; without this, one that spins may keep its turn for a minute.
        .arg("--fair-sched=try")
        // Rust's stack frames can be large, and none of them is another stack.
        .arg("--max-stackframe=8000000")
        .arg(command.get_program());
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            checked.env(name, value);
        }
    }
    checked
}
