//! What the published NuGet packages have to hold, and may.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::dotnet::{FOLDER, FRAMEWORKS, packaged_library, runtime_identifier};
use crate::notices;

/// A Python program that prints the names in a package, then an empty line, then what the package says of itself.
pub const READ: &str = r#"
import sys, zipfile
package = zipfile.ZipFile(sys.argv[1])
names = package.namelist()
print(*names, "", sep="\n")
print(*(package.read(name).decode("utf-8-sig") for name in names if name.endswith(".nuspec")))
"#;

/// The packages that users get: every project of the bindings but tests and figures.
pub fn published(files: &[String]) -> Vec<String> {
    let mut names: Vec<String> = files
        .iter()
        .filter_map(|path| path.strip_prefix(FOLDER)?.strip_suffix(".csproj"))
        .filter_map(|path| path.rsplit_once('/'))
        .map(|(_, name)| name.to_owned())
        .filter(|name| !name.ends_with(".Tests") && !name.ends_with(".Benchmarks"))
        .collect();
    names.sort();
    names
}

/// The packages in a folder.
pub fn made(folder: &Path) -> Result<Vec<String>> {
    let ending = format!(".{}.nupkg", env!("CARGO_PKG_VERSION"));
    let mut names = Vec::new();
    for entry in folder
        .read_dir()
        .with_context(|| format!("reading {}", folder.display()))?
    {
        let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(&ending).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// The file of a package, which has the version of everything here.
pub fn file_name(package: &str, ending: &str) -> String {
    format!("{package}.{}.{ending}", env!("CARGO_PKG_VERSION"))
}

/// What is wrong with a package, by what `READ` prints of it.
pub fn findings(package: &str, read: &str) -> Vec<String> {
    findings_with(package, read, &[])
}

/// The same where the library for Windows is to be in it too.
pub fn findings_for_windows_too(package: &str, read: &str) -> Vec<String> {
    findings_with(
        package,
        read,
        &["runtimes/win-x64/native/librustbridge.dll"],
    )
}

fn findings_with(package: &str, read: &str, more: &[&str]) -> Vec<String> {
    let read = read.replace('\r', "");
    let (names, about) = read.split_once("\n\n").unwrap_or((&read, ""));
    let mut needed = needed(package);
    if package == "RustBridge" {
        needed.extend(more.iter().map(|name| (*name).to_owned()));
    }
    let mut findings = compared(names, &needed);
    let mut said = vec![
        format!("<id>{package}</id>"),
        format!("<version>{}</version>", env!("CARGO_PKG_VERSION")),
        r#"<license type="expression">MIT OR Apache-2.0</license>"#.to_owned(),
        "<readme>README.md</readme>".to_owned(),
        r#"<repository type="git""#.to_owned(),
    ];
    said.retain(|said| !about.contains(said));
    findings.extend(said.iter().map(|said| format!("it lacks {said}")));
    if package == "RustBridge" && about.contains("<dependency ") {
        findings.push("it depends on other packages".into());
    }
    findings
}

/// What is wrong with the symbols beside a package, by what `READ` prints of them.
pub fn symbol_findings(package: &str, read: &str) -> Vec<String> {
    let read = read.replace('\r', "");
    let (names, _) = read.split_once("\n\n").unwrap_or((&read, ""));
    let mut needed = vec![format!("{package}.nuspec")];
    needed.extend(FRAMEWORKS.map(|framework| format!("lib/net{framework}.0/{package}.pdb")));
    compared(names, &needed)
}

fn compared(names: &str, needed: &[String]) -> Vec<String> {
    let entries: Vec<&str> = names.lines().collect();
    let mut findings: Vec<String> = needed
        .iter()
        .filter(|needed| !entries.contains(&needed.as_str()))
        .map(|needed| format!("{needed} is missing"))
        .collect();
    findings.extend(
        entries
            .iter()
            .filter(|entry| !needed.iter().any(|needed| needed == *entry) && !is_frame(entry))
            .map(|entry| format!("{entry} isn't expected")),
    );
    findings
}

fn needed(package: &str) -> Vec<String> {
    let mut needed = vec!["README.md".to_owned(), format!("{package}.nuspec")];
    for framework in FRAMEWORKS {
        for ending in ["dll", "xml"] {
            needed.push(format!("lib/net{framework}.0/{package}.{ending}"));
        }
    }
    if package == "RustBridge" {
        let platform = runtime_identifier();
        needed.push(notices::FILE.to_owned());
        needed.push(format!(
            "runtimes/{platform}/native/{}",
            packaged_library(&platform)
        ));
    }
    needed
}

/// Whether an entry belongs to the format itself, whatever is in the package.
fn is_frame(entry: &str) -> bool {
    entry == "_rels/.rels"
        || entry == "[Content_Types].xml"
        || (entry.starts_with("package/services/metadata/") && entry.ends_with(".psmdcp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: &str = concat!(
        "<id>RustBridge</id><version>",
        env!("CARGO_PKG_VERSION"),
        "</version><license type=\"expression\">MIT OR Apache-2.0</license>",
        "<readme>README.md</readme><repository type=\"git\" />"
    );

    fn package(change: impl Fn(&mut Vec<String>), about: &str) -> Vec<String> {
        let mut entries = needed("RustBridge");
        entries.extend(["_rels/.rels", "[Content_Types].xml"].map(str::to_owned));
        change(&mut entries);
        findings(
            "RustBridge",
            &format!("{}\n\n{about}\n", entries.join("\n")),
        )
    }

    #[test]
    fn a_package_with_everything_and_nothing_else_is_fine() {
        assert_eq!(package(|_| {}, ABOUT), Vec::<String>::new());
    }

    #[test]
    fn a_missing_native_a_stray_file_and_a_dependency_are_found() {
        let library = needed("RustBridge").pop().expect("there are some");
        let found = package(
            |entries| {
                entries.retain(|entry| *entry != library);
                entries.push("lib/net8.0/Stray.dll".into());
            },
            &ABOUT.replace("<readme>", "<dependency id=\"x\" /><readme>"),
        );
        assert_eq!(
            found,
            [
                format!("{library} is missing"),
                "lib/net8.0/Stray.dll isn't expected".into(),
                "it depends on other packages".into(),
            ]
        );
        assert_eq!(package(|_| {}, "").len(), 5);
    }

    #[test]
    fn symbols_are_there_for_every_framework_and_nothing_else_is() {
        let names = "A.nuspec\r\nlib/net8.0/A.pdb\r\nlib/net10.0/A.pdb\r\n_rels/.rels\r\n\r\n";
        assert_eq!(symbol_findings("A", names), Vec::<String>::new());
        assert_eq!(
            symbol_findings("A", &names.replace("net10.0/A.pdb", "net10.0/A.dll")).len(),
            2
        );
    }

    #[test]
    fn tests_and_figures_are_not_published() {
        let files = ["A/A", "A.Tests/A.Tests", "A.Benchmarks/A.Benchmarks"]
            .map(|path| format!("{FOLDER}/{path}.csproj"));
        assert_eq!(published(&files), ["A"]);
    }
}
