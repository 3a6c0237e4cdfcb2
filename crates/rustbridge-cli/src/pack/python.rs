//! Wheels: the client's module with the plugin's library beside it, one for each target.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustbridge_gen::Language;

use super::needs::glibc;
use super::parts::{Kind, Made, Parts, check_name, copy, emptied, is_license, is_readme};
use super::platform::{Platform, System};
use crate::client::write;
use crate::problem::Problem;
use crate::project::Project;
use crate::tool::{self, PYTHON};

const WHAT: &str = "a package for Python";

/// Packs a folder as a wheel, with the list of its files: in the order of their names, and of one time.
const WHEEL: &str = r#"
import base64, hashlib, pathlib, sys, zipfile
folder, wheel, record = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
lines = []
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    def add(name, data):
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.external_attr = (0o755 if name.endswith((".so", ".dylib")) else 0o644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, data)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name, data = path.relative_to(folder).as_posix(), path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
        add(name, data)
    add(record, "".join(lines) + f"{record},,\n")
"#;

struct Names {
    name: String,
    version: String,
}

impl Names {
    /// The name as the names of files have it.
    fn file(&self) -> String {
        let lower = self.name.to_lowercase();
        let words = lower.split(['-', '_', '.']).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("_")
    }
}

fn names(project: &Project) -> Result<Names, Problem> {
    let given = &project.manifest.names.python;
    let name = given.name.clone().unwrap_or_else(|| project.name.clone());
    let is_end = |letter: char| letter.is_ascii_alphanumeric();
    let is_valid = name.starts_with(is_end)
        && name.ends_with(is_end)
        && name
            .chars()
            .all(|letter| is_end(letter) || "-_.".contains(letter));
    check_name(
        &name,
        "the name of a Python distribution",
        "python.name",
        is_valid,
    )?;
    Ok(Names {
        name,
        version: version(&project.manifest.version)?,
    })
}

pub(super) fn check(project: &Project) -> Result<(), Problem> {
    names(project)?;
    tool::check(PYTHON, WHAT)
}

/// A version of Cargo's as Python has it: `1.2.3-rc.1` is `1.2.3rc1`.
fn version(version: &str) -> Result<String, Problem> {
    let (plain, local) = match version.split_once('+') {
        Some((plain, local)) => (plain, format!("+{}", local.replace('-', "."))),
        None => (version, String::new()),
    };
    let Some((release, before)) = plain.split_once('-') else {
        return Ok(version.replace('-', "."));
    };
    let (word, number) = before.split_once('.').unwrap_or((before, "0"));
    let word = match word {
        "alpha" => "a",
        "beta" => "b",
        "rc" => "rc",
        _ => "",
    };
    if word.is_empty() || number.parse::<u32>().is_err() {
        return Err(Problem::new(format_args!(
            "Python has no version `{version}`: a pre-release version must end with `-alpha.1`, `-beta.1` or `-rc.1`"
        )));
    }
    Ok(format!("{release}{word}{number}{local}"))
}

pub(super) fn make(parts: &Parts<'_>) -> Result<Made, Problem> {
    let names = names(parts.project)?;
    let work = emptied(parts.work(Kind::Python))?;
    let output = parts.output(Kind::Python)?;
    let mut files = Vec::new();
    for (number, (platform, library)) in parts.libraries.iter().enumerate() {
        let tag = format!("py3-none-{}", platform_tag(*platform, library)?);
        let folder = work.join(number.to_string());
        let wheel = output.join(format!("{}-{}-{tag}.whl", names.file(), names.version));
        fill(parts, &names, &folder, library, &tag)?;
        let record = format!("{}-{}.dist-info/RECORD", names.file(), names.version);
        let mut pack = Command::new(PYTHON);
        pack.args(["-c", WHEEL])
            .arg(&folder)
            .arg(&wheel)
            .arg(record);
        tool::output(&mut pack, WHAT)?;
        files.push(wheel);
    }
    Ok(Made {
        kind: Kind::Python,
        files,
        line: format!("pip install {}=={}", names.name, names.version),
    })
}

/// Writes what is in a wheel, except for the list of its files.
fn fill(
    parts: &Parts<'_>,
    names: &Names,
    folder: &Path,
    library: &Path,
    tag: &str,
) -> Result<(), Problem> {
    let namespace = parts.project.manifest.names.python.namespace.clone();
    let module = parts.client(Language::Python, namespace, folder)?;
    for file in module {
        let package = package_of(&file, folder)?;
        let place = package.join("__init__.py");
        fs::create_dir_all(&package)
            .and_then(|()| fs::rename(&file, &place))
            .map_err(|error| {
                Problem::new(format_args!(
                    "`{}` can't be written: {error}",
                    place.display()
                ))
            })?;
        write(&package.join("py.typed"), b"")?;
        copy(library, &package)?;
    }
    let about = folder.join(format!("{}-{}.dist-info", names.file(), names.version));
    let wheel = format!(
        "Wheel-Version: 1.0\nGenerator: rustbridge {}\nRoot-Is-Purelib: false\nTag: {tag}\n",
        env!("CARGO_PKG_VERSION")
    );
    write(&about.join("WHEEL"), wheel.as_bytes())?;
    for text in parts.texts.iter().filter(|path| is_license(path)) {
        copy(text, &about.join("licenses"))?;
    }
    write(&about.join("METADATA"), metadata(parts, names)?.as_bytes()).map(drop)
}

/// The folder of a module, which is a package: its library lies in there.
fn package_of(file: &Path, folder: &Path) -> Result<PathBuf, Problem> {
    let package = file.with_extension("");
    let first = package.strip_prefix(folder).ok();
    let first = first.and_then(|path| path.iter().next());
    let first = first.unwrap_or_default().to_string_lossy();
    if rustbridge_gen::hides_python_module(&first) {
        return Err(Problem::new(format_args!(
            "a module `{first}` would hide Python's own: name another by `python.namespace` in `[package.metadata.rustbridge.package]`"
        )));
    }
    Ok(package)
}

fn metadata(parts: &Parts<'_>, names: &Names) -> Result<String, Problem> {
    let manifest = &parts.project.manifest;
    let mut text = format!(
        "Metadata-Version: 2.4\nName: {}\nVersion: {}\nSummary: {}\nLicense-Expression: {}\n",
        names.name, names.version, parts.description, parts.license
    );
    for file in parts.texts.iter().filter(|path| is_license(path)) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        text.push_str(&format!("License-File: {name}\n"));
    }
    for author in &manifest.authors {
        // With an address it's another field.
        let field = if author.contains('@') {
            "Author-email"
        } else {
            "Author"
        };
        text.push_str(&format!("{field}: {author}\n"));
    }
    if let Some(url) = &manifest.repository {
        text.push_str(&format!("Project-URL: Repository, {url}\n"));
    }
    text.push_str(&format!(
        "Requires-Python: >=3.10\nRequires-Dist: rustbridge~={}\n",
        env!("CARGO_PKG_VERSION")
    ));
    if let Some(readme) = parts.texts.iter().find(|path| is_readme(path)) {
        let prose = fs::read_to_string(readme).map_err(|error| {
            Problem::new(format_args!(
                "`{}` can't be read: {error}",
                readme.display()
            ))
        })?;
        text.push_str(&format!(
            "Description-Content-Type: text/markdown\n\n{prose}"
        ));
    }
    Ok(text)
}

/// The tag of the systems that a library runs on.
fn platform_tag(platform: Platform, library: &Path) -> Result<String, Problem> {
    let machine = platform.python_machine();
    Ok(match platform.system {
        System::Windows => format!("win_{machine}"),
        // What rustc links for, unless it's told otherwise.
        System::MacOs => {
            let oldest = if platform.arm { "11.0" } else { "10.12" };
            let given = env::var("MACOSX_DEPLOYMENT_TARGET");
            let version = given.unwrap_or_else(|_| oldest.to_owned());
            let (major, minor) = version.split_once('.').unwrap_or((&version, "0"));
            let minor = minor.split('.').next().unwrap_or("0");
            format!("macosx_{major}_{minor}_{machine}")
        }
        System::Musl => format!("musllinux_1_2_{machine}"),
        System::Linux => {
            let bytes = fs::read(library).map_err(|error| {
                Problem::new(format_args!(
                    "`{}` can't be read: {error}",
                    library.display()
                ))
            })?;
            match glibc(&bytes) {
                Some(minor) => format!("manylinux_2_{minor}_{machine}"),
                None => format!("linux_{machine}"),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_one_of_pythons() {
        for (cargo, python) in [
            ("1.2.3", "1.2.3"),
            ("1.2.3-alpha.1", "1.2.3a1"),
            ("1.2.3-beta.2", "1.2.3b2"),
            ("1.2.3-rc", "1.2.3rc0"),
            ("1.2.3+linux-1", "1.2.3+linux.1"),
            ("1.2.3-rc.1+x", "1.2.3rc1+x"),
        ] {
            assert_eq!(version(cargo).unwrap(), python);
        }
        for other in ["1.2.3-nightly", "1.2.3-rc.x", "1.2.3-0.1"] {
            assert!(version(other).is_err(), "{other}");
        }
    }

    #[test]
    fn a_name_of_a_file_has_words_of_small_letters() {
        let names = Names {
            name: "Some.Plugin--of-mine".to_owned(),
            version: "1.0.0".to_owned(),
        };
        assert_eq!(names.file(), "some_plugin_of_mine");
    }
}
