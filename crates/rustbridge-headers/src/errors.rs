//! A page of all errors of the library, collected from the sources of the core and the host ABI.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::header::workspace_root;

const SOURCES: [&str; 2] = [
    "crates/rustbridge-core/src",
    "crates/rustbridge-host-abi/src",
];

const PREAMBLE: &str = "<!-- Written by `cargo xtask regen` from the sources of the library. -->
# Errors of the library

Every error type that begins with `rustbridge.` and that the library itself reports, with its status and its messages. `{}` and `{name}` stand
for values. Bindings add a few types of their own, and plugins have theirs. [How errors reach each language](../guide/errors.md).
";

/// An error type's statuses and messages.
type Errors = BTreeMap<String, (Vec<String>, Vec<String>)>;

/// The page: where it belongs, relative to the workspace's root, and its text.
///
/// # Panics
/// If the sources can't be read.
#[must_use]
pub fn page() -> (PathBuf, String) {
    let mut errors = Errors::new();
    for folder in SOURCES {
        for path in sources(&workspace_root().join(folder)) {
            let text = fs::read_to_string(&path).expect("a source of the workspace is readable");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            collect(code, &mut errors);
        }
    }
    let mut page = String::from(PREAMBLE);
    page.push_str("\n| type | status | messages |\n| --- | --- | --- |\n");
    for (kind, (statuses, messages)) in errors {
        let messages: Vec<String> = messages.iter().map(|it| it.replace('|', "\\|")).collect();
        let _ = writeln!(
            page,
            "| `rustbridge.{kind}` | {} | {} |",
            statuses.join(", "),
            messages.join("<br>")
        );
    }
    (Path::new("docs/abi/errors.md").to_owned(), page)
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the workspace is readable");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry is readable").path())
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .collect();
    paths.sort();
    paths
}

/// Adds the errors that `code` makes: a status, a type, and the first text behind them.
fn collect(code: &str, errors: &mut Errors) {
    const TEXT: &str = r#"(?:format!\(\s*|&format!\(\s*)?"((?:[^"\\]|\\.)+)""#;
    let made = Regex::new(&format!(r#"Status::(\w+),\s*"([A-Z]\w+)"(?:,\s*{TEXT})?"#)).unwrap();
    for found in made.captures_iter(code) {
        add(
            errors,
            &found[2],
            &found[1],
            found.get(3).map(|it| it.as_str()),
        );
    }
    // A refusal's type stands in one place, its message in another.
    let kind = Regex::new(r#"((?:Refusal::\w+[\s|]*)+)=> \(Status::\w+, "(\w+)"\)"#).unwrap();
    let said = Regex::new(r#"Refusal::(\w+)[^=>"]*=> (?:\{\s*(?:name\([^)]*\)\?;)?\s*)?(?:out\.write_str|write!)\(\s*(?:out,\s*)?"([^"]+)""#).unwrap();
    for found in said.captures_iter(code) {
        let names = |variants: &str| {
            variants
                .split([' ', '|', '\n'])
                .any(|it| it == format!("Refusal::{}", &found[1]))
        };
        if let Some(kind) = kind.captures_iter(code).find(|it| names(&it[1])) {
            let message = if found[2].starts_with(' ') {
                format!("instance `{{name}}`{}", &found[2])
            } else {
                found[2].to_owned()
            };
            add(errors, &kind[2], "", Some(&message));
        }
    }
}

fn add(errors: &mut Errors, kind: &str, status: &str, message: Option<&str>) {
    let (statuses, messages) = errors.entry(kind.to_owned()).or_default();
    let status = upper(status);
    if !status.is_empty() && !statuses.contains(&status) {
        statuses.push(status);
    }
    let message = message.map(|it| {
        it.replace("\\\"", "\"")
            .replace("{{", "{")
            .replace("}}", "}")
    });
    if let Some(message) = message.filter(|it| !messages.contains(it)) {
        messages.push(message);
    }
}

/// `NotFound` as `NOT_FOUND`.
fn upper(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text
}
