//! What the published jars have to hold, and may.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// A module that users get.
pub struct Published {
    /// The name of the artifact and of its folder.
    pub name: &'static str,
    /// The library inside, as Rust calls it.
    pub library: Option<&'static str>,
    /// The resource that only this module has.
    resource: Option<&'static str>,
}

/// The file by which the module's implementation of the backend is found.
const SERVICE: &str = "META-INF/services/io.github.rustbridge.BackendProvider";

pub const PUBLISHED: &[Published] = &[
    Published {
        name: "rustbridge",
        library: None,
        resource: None,
    },
    Published {
        name: "rustbridge-ffm",
        library: Some("rustbridge"),
        resource: Some(SERVICE),
    },
    Published {
        name: "rustbridge-jni",
        library: Some("rustbridge_jni"),
        resource: Some(SERVICE),
    },
    Published {
        name: "rustbridge-kotlin",
        library: None,
        resource: None,
    },
    Published {
        name: "rustbridge-spring-boot-starter",
        library: None,
        resource: Some("META-INF/spring-configuration-metadata.json"),
    },
];

/// Where the libraries for Windows lie in a jar.
const WINDOWS: &str = "native/windows-x86_64";

/// What is asked by those whose work is linked into the libraries.
const NOTICES: &str = "META-INF/THIRD-PARTY.txt";

const LICENCES: [&str; 2] = ["META-INF/LICENSE-APACHE", "META-INF/LICENSE-MIT"];

/// The source files below `src/main`, from the folder of their language on, with forward slashes.
pub fn sources(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for language in ["java", "kotlin"] {
        let root = folder.join(language);
        if root.is_dir() {
            walk(&root, "", &mut found)?;
        }
    }
    Ok(found)
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{name}/"), found)?;
        } else {
            found.push(name);
        }
    }
    Ok(())
}

/// What is wrong with the entries of a jar of classes that runs on this system.
pub fn classes(module: &Published, entries: &[&str], sources: &[String]) -> Vec<String> {
    classes_for(module, entries, sources, false)
}

/// The same of a jar that runs on Windows too.
pub fn classes_for_windows_too(
    module: &Published,
    entries: &[&str],
    sources: &[String],
) -> Vec<String> {
    classes_for(module, entries, sources, true)
}

fn classes_for(
    module: &Published,
    entries: &[&str],
    sources: &[String],
    windows: bool,
) -> Vec<String> {
    let mut needed: Vec<String> = vec!["META-INF/MANIFEST.MF".into(), "module-info.class".into()];
    needed.extend(LICENCES.map(str::to_owned));
    needed.extend(module.library.map(native));
    needed.extend(module.library.map(|_| NOTICES.to_owned()));
    if windows {
        needed.extend(
            module
                .library
                .map(|library| format!("{WINDOWS}/{library}.dll")),
        );
    }
    needed.extend(module.resource.map(str::to_owned));
    let mut allowed = needed.clone();
    for file in ["pom.xml", "pom.properties"] {
        allowed.push(format!(
            "META-INF/maven/io.github.rustbridge/{}/{file}",
            module.name
        ));
    }
    let expected = |entry: &str| {
        allowed.iter().any(|name| name == entry)
            || comes_from(entry, sources)
            || (module.name == "rustbridge-kotlin"
                && entry.starts_with("META-INF/")
                && entry.ends_with(".kotlin_module"))
    };
    let mut findings = lacking(entries, needed.iter().map(String::as_str));
    findings.extend(
        entries
            .iter()
            .filter(|entry| !expected(entry))
            .map(|entry| format!("{entry} isn't expected")),
    );
    findings
}

/// What is wrong with the entries of a jar of sources.
pub fn source_entries(entries: &[&str], sources: &[String]) -> Vec<String> {
    let needed = sources.iter().map(String::as_str).chain(LICENCES);
    let mut findings = lacking(entries, needed);
    findings.extend(
        entries
            .iter()
            .filter(|entry| {
                !entry.starts_with("META-INF/") && !sources.iter().any(|source| source == *entry)
            })
            .map(|entry| format!("{entry} isn't expected")),
    );
    findings
}

/// What is wrong with the entries of a jar of documentation; which pages there are is its generator's business.
pub fn pages(entries: &[&str]) -> Vec<String> {
    lacking(entries, ["index.html"].into_iter())
}

fn lacking<'a>(entries: &[&str], needed: impl Iterator<Item = &'a str>) -> Vec<String> {
    needed
        .filter(|needed| !entries.contains(needed))
        .map(|needed| format!("{needed} is missing"))
        .collect()
}

/// Where the library of this platform lies in a jar: Rust's names of system and architecture are those that the API uses.
pub fn native(library: &str) -> String {
    use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
    format!("native/{OS}-{ARCH}/{DLL_PREFIX}{library}{DLL_SUFFIX}")
}

/// Whether a class is that of a source file or lies within it. Kotlin's files may hold classes of any name, so there the
/// package decides.
fn comes_from(entry: &str, sources: &[String]) -> bool {
    let Some(class) = entry.strip_suffix(".class") else {
        return false;
    };
    let (package, _) = class.rsplit_once('/').unwrap_or(("", class));
    let outer = class.split('$').next().unwrap_or(class);
    sources.iter().any(|source| match source.rsplit_once('.') {
        Some((stem, "java")) => stem == outer,
        Some((stem, "kt")) => stem.rsplit_once('/').map_or("", |(folder, _)| folder) == package,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(name: &str) -> &'static Published {
        PUBLISHED
            .iter()
            .find(|module| module.name == name)
            .expect("it is published")
    }

    fn sources() -> Vec<String> {
        ["module-info.java", "a/Thing.java", "a/b/Things.kt"]
            .map(str::to_owned)
            .to_vec()
    }

    const GOOD: [&str; 7] = [
        "META-INF/MANIFEST.MF",
        "META-INF/LICENSE-APACHE",
        "META-INF/LICENSE-MIT",
        "META-INF/maven/io.github.rustbridge/rustbridge/pom.xml",
        "module-info.class",
        "a/Thing.class",
        "a/Thing$Inner$1.class",
    ];

    #[test]
    fn a_jar_with_its_classes_and_nothing_else_is_fine() {
        assert_eq!(
            classes(module("rustbridge"), &GOOD, &sources()),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_stray_class_or_native_and_a_missing_entry_are_found() {
        let stray = native("rustbridge");
        let mut entries = GOOD.to_vec();
        entries.retain(|entry| *entry != "module-info.class");
        entries.extend(["a/Gone.class", "META-INF/notes.txt", &stray]);
        assert_eq!(
            classes(module("rustbridge"), &entries, &sources()),
            [
                "module-info.class is missing".to_owned(),
                "a/Gone.class isn't expected".into(),
                "META-INF/notes.txt isn't expected".into(),
                format!("{stray} isn't expected"),
            ]
        );
        let findings = classes(module("rustbridge-ffm"), &GOOD[..3], &sources());
        assert!(
            findings.contains(&format!("{stray} is missing")),
            "{findings:?}"
        );
    }

    #[test]
    fn the_library_for_windows_is_needed_where_it_is_wanted() {
        let here = native("rustbridge_jni");
        let mut entries = GOOD[..3].to_vec();
        entries.extend(["module-info.class", SERVICE, NOTICES, &here]);
        let found = classes_for_windows_too(module("rustbridge-jni"), &entries, &sources());
        let wanted = "native/windows-x86_64/rustbridge_jni.dll";
        if cfg!(windows) {
            assert_eq!(found, Vec::<String>::new());
        } else {
            assert_eq!(found, [format!("{wanted} is missing")]);
            entries.push(wanted);
            let found = classes(module("rustbridge-jni"), &entries, &sources());
            assert_eq!(found, [format!("{wanted} isn't expected")]);
        }
    }

    #[test]
    fn classes_of_kotlin_belong_to_their_package() {
        assert!(comes_from("a/b/ThingsKt.class", &sources()));
        assert!(!comes_from("a/ThingsKt.class", &sources()));
        assert!(!comes_from("a/b/c/ThingsKt.class", &sources()));
    }

    #[test]
    fn a_jar_of_sources_has_all_of_them_and_no_native() {
        let mut entries = vec!["META-INF/LICENSE-APACHE", "META-INF/LICENSE-MIT"];
        let all = sources();
        entries.extend(all.iter().map(String::as_str));
        assert_eq!(source_entries(&entries, &all), Vec::<String>::new());
        entries.retain(|entry| *entry != "a/Thing.java");
        entries.push("native/x/librustbridge.so");
        assert_eq!(source_entries(&entries, &all).len(), 2);
    }
}
