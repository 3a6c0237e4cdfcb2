//! A page of all errors of the library and of the author's crate, collected from their sources.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;

use crate::header::workspace_root;

const SOURCES: [&str; 3] = [
    "crates/rustbridge-core/src",
    "crates/rustbridge-host-abi/src",
    "crates/rustbridge/src",
];

/// What is shown where the status is that of the failure behind it, e.g. of a cancellation.
const OF_THE_CAUSE: &str = "that of the cause";

const PREAMBLE: &str = "<!-- Written by `cargo xtask regen` from the sources of the library. -->
# Errors of the library

Every error type that begins with `rustbridge.` and that the library, or a plugin's part of it (the crate `rustbridge`), reports, with its
status and its messages. `{}` and `{name}` stand for values. Bindings add a few types of their own, e.g. for values that don't fit a type,
and plugins have theirs. [How errors reach each language](../guide/errors.md).
";

/// An error type's statuses and messages.
type Errors = BTreeMap<String, (Vec<String>, Vec<String>)>;

/// The page: where it belongs, relative to the workspace's root, and its text.
///
/// # Panics
/// If the sources can't be read.
#[must_use]
pub fn page() -> (PathBuf, String) {
    let errors = errors();
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

fn errors() -> Errors {
    let mut errors = Errors::new();
    for code in codes() {
        collect(&code, &mut errors);
        collect_typed(&code, &mut errors);
    }
    errors
}

/// The sources without their tests, which stand last.
fn codes() -> impl Iterator<Item = String> {
    let paths = SOURCES
        .iter()
        .flat_map(|folder| sources(&workspace_root().join(folder)));
    paths.map(|path| {
        let text = fs::read_to_string(&path).expect("a source of the workspace is readable");
        let tests = text.find("#[cfg(test)]").into_iter();
        let end = tests.chain(text.find("#[cfg(all(test")).min();
        let code = text[..end.unwrap_or(text.len())].lines();
        code.filter(|line| !line.trim_start().starts_with("//"))
            .fold(String::new(), |code, line| code + line + "\n")
    })
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

const TEXT: &str = r#"(?:format!\(\s*|&format!\(\s*)?"((?:[^"\\]|\\(?s:.))+)""#;

/// Adds the errors that `code` makes of a status, a type, and a text.
fn collect(code: &str, errors: &mut Errors) {
    let made = Regex::new(&format!(
        r#"Status::(\w+)(?:\(\w+\))?,\s*"([A-Z]\w+)"\)?(?:,\s*(?:{TEXT}|\w+\.(to_string)\(\)))?"#
    ))
    .unwrap();
    for found in made.captures_iter(code) {
        let message = match found.get(4) {
            // The message of what has failed, as it is.
            Some(_) => Some("{error}"),
            None => found.get(3).map(|it| it.as_str()),
        };
        add(errors, &found[2], &found[1], message);
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

/// Adds the errors to which `code` gives a type last, in the same function.
fn collect_typed(code: &str, errors: &mut Errors) {
    let typed = Regex::new(r#"with_type\(\s*"rustbridge\.(\w+)"\s*,?\s*\)"#).unwrap();
    let made = Regex::new(&format!(
        r"(?:Error::new\(\s*(?:[a-z_]+::)*(?:Status::)?(\w+),|\b(internal|invalid_argument|not_found)\()\s*{TEXT}"
    ))
    .unwrap();
    for found in typed.captures_iter(code) {
        let before = &code[..found.get(0).map_or(0, |it| it.start())];
        let function = &before[before.rfind("fn ").unwrap_or(0)..];
        let last = made.captures_iter(function).last();
        let status = last
            .as_ref()
            .and_then(|it| it.get(1).or(it.get(2)))
            .map_or("", |it| it.as_str());
        let message = last.as_ref().map(|it| &it[3]);
        add(errors, &found[1], status, message);
    }
}

fn add(errors: &mut Errors, kind: &str, status: &str, message: Option<&str>) {
    let (statuses, messages) = errors.entry(kind.to_owned()).or_default();
    let status = match status {
        "from_code" | "other" | "status" => OF_THE_CAUSE.to_owned(),
        status => upper(status),
    };
    if !status.is_empty() && !statuses.contains(&status) {
        statuses.push(status);
    }
    let message = message.map(|it| {
        // A text may go on in the next line of the source.
        let lines: Vec<&str> = it.split("\\\n").map(str::trim_start).collect();
        lines
            .concat()
            .replace("\\\"", "\"")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_status_and_a_message() {
        for (kind, (statuses, messages)) in errors() {
            assert!(!statuses.is_empty(), "{kind} has no status");
            assert!(!messages.is_empty(), "{kind} has no message");
        }
    }

    #[test]
    fn every_error_of_the_sources_is_on_the_page() {
        let errors = errors();
        let patterns = [
            r#"Error::new\([^";]*,\s*"([A-Z]\w+)",?"#,
            r#""rustbridge\.([A-Z]\w+)""#,
        ]
        .map(|it| Regex::new(it).unwrap());
        let mut found = 0;
        for code in codes() {
            for pattern in &patterns {
                for kind in pattern.captures_iter(&code) {
                    found += 1;
                    assert!(errors.contains_key(&kind[1]), "{}", &kind[1]);
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
