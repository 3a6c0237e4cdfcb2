//! The Go module as it ships, with librustbridge inside, and whether a program that has nothing else calls a plugin by it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::making::{copy, emptied, file_in, says_hello};
use crate::go;
use crate::notices;
use crate::step::Step;
use crate::workspace::Workspace;

/// What is for this repository alone.
const OURS: [&str; 5] = ["benchmarks", "clients", "testee", "tools.mod", "tools.sum"];

/// Makes it in a folder that has nothing else afterwards, with libraries by Go's names of their systems.
pub fn make(workspace: &Workspace, folder: &Path, libraries: &[(String, PathBuf)]) -> Result<()> {
    let folder = emptied(folder.to_owned())?;
    sources(&workspace.root.join(go::FOLDER), &folder)?;
    for licence in notices::LICENCES {
        copy(&workspace.root.join(licence), &folder.join(licence))?;
    }
    copy(
        &workspace.root.join(notices::FILE),
        &folder.join(notices::FILE),
    )?;
    for (system, library) in libraries {
        let name = library.file_name().context("a library has a name")?;
        let name = name.to_string_lossy();
        copy(library, &folder.join("natives").join(system).join(&*name))?;
        let text = format!(
            "package rustbridge\n\nimport _ \"embed\"\n\n//go:embed natives/{system}/{name}\nvar ofThisSystem []byte\n\nfunc init() {{ embedded = ofThisSystem }}\n"
        );
        let file = folder.join(format!("embedded_{system}.go"));
        fs::write(&file, text).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

/// Copies what isn't a test.
fn sources(from: &Path, to: &Path) -> Result<()> {
    let entries = fs::read_dir(from).with_context(|| format!("reading {}", from.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("reading {}", from.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if OURS.contains(&&*name) || name.ends_with("_test.go") || name == "testdata" {
            continue;
        }
        let (path, to) = (entry.path(), to.join(&name));
        if path.is_dir() {
            sources(&path, &to)?;
        } else {
            copy(&path, &to)?;
        }
    }
    Ok(())
}

/// What Go calls a system, of which there are a name and a processor as ours are: `linux-x86_64`.
pub fn system(name: &str) -> Option<String> {
    let (system, processor) = name.split_once('-')?;
    let system = match system {
        "macos" => "darwin",
        "linux" | "windows" => system,
        _ => return None,
    };
    let processor = match processor {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        _ => return None,
    };
    Some(format!("{system}_{processor}"))
}

/// That of this system.
pub fn here() -> Result<String> {
    use std::env::consts::{ARCH, OS};
    let found = system(&format!("{OS}-{ARCH}"));
    found.with_context(|| format!("Go's name of {OS} on {ARCH} isn't known"))
}

/// The library for this system, as `make` takes it.
pub fn library(natives: &Path) -> Result<(String, PathBuf)> {
    Ok((here()?, file_in(natives, "rustbridge")))
}

/// Builds a program of the module that was made, and has it call a plugin.
pub fn check(step: &mut Step<'_>, made: &Path, folder: &Path, plugin: &Path) -> Result<()> {
    let program = folder.join("program");
    let build = go::build(step.workspace, "", &program)?;
    built(step, made, folder, build)?;
    ensure!(program.is_file(), "there's no program");
    let mut command = step.workspace.command(program);
    command
        .arg(plugin)
        .env_remove("RUSTBRIDGE_LIBRARY")
        .env_remove("RUSTBRIDGE_PLUGIN_DIR");
    says_hello(step, CALLS, &mut command, "")
}

/// What is looked at.
pub const CALLS: &str = "a program in Go calls a plugin with the module and nothing else";

/// Builds a program of the module that was made by a command of Go's, in a folder that has nothing else.
pub fn built(step: &mut Step<'_>, made: &Path, folder: &Path, mut build: Command) -> Result<()> {
    let folder = emptied(folder.to_owned())?;
    let made = std::path::absolute(made).context("making the path a whole one")?;
    let manifest = format!(
        "module program\n\ngo 1.24\n\nrequire {MODULE} v0.1.0\n\nreplace {MODULE} => {}\n",
        made.display()
    );
    for (name, text) in [("go.mod", &*manifest), ("main.go", PROGRAM)] {
        fs::write(folder.join(name), text).with_context(|| format!("writing {name}"))?;
    }
    build
        .current_dir(&folder)
        .env("GOPROXY", "off")
        .env("GOFLAGS", "-mod=mod");
    step.run(&mut build)?;
    Ok(())
}

const MODULE: &str = "github.com/rustbridge/rustbridge/rustbridge-go";

const PROGRAM: &str = r#"package main

import (
	"context"
	"fmt"
	"os"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

func main() {
	plugin, err := rustbridge.Load(os.Args[1], nil)
	if err == nil {
		defer plugin.Close()
		var answer struct{ Greeting string }
		err = plugin.Call(context.Background(), "greet", map[string]string{"name": "Ada"}, &answer)
		fmt.Println(answer.Greeting)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_has_a_library_and_no_tests() {
        let workspace = Workspace::find().expect("the workspace is there");
        let place = workspace.target.join("xtask").join("self-test-go");
        let folder = emptied(place).expect("a folder can be made");
        let library = folder.join("librustbridge.so");
        fs::write(&library, "no library").expect("a file can be written");
        let made = folder.join("go");
        let libraries = [("linux_amd64".to_owned(), library)];
        make(&workspace, &made, &libraries).expect("it's made");
        for file in [
            "go.mod",
            "plugin.go",
            "internal/native/shim.c",
            "internal/native/rustbridge.h",
            "wire",
            "natives/linux_amd64/librustbridge.so",
            "embedded_linux_amd64.go",
            "LICENSE-MIT",
        ] {
            assert!(made.join(file).exists(), "{file}");
        }
        for file in ["call_test.go", "benchmarks", "internal/testee", "tools.mod"] {
            assert!(!made.join(file).exists(), "{file}");
        }
    }

    #[test]
    fn systems_have_go_s_names() {
        assert_eq!(system("linux-x86_64").as_deref(), Some("linux_amd64"));
        assert_eq!(system("macos-aarch64").as_deref(), Some("darwin_arm64"));
        assert_eq!(system("windows-x86_64").as_deref(), Some("windows_amd64"));
        assert_eq!(system("plan9-x86_64"), None);
    }
}
