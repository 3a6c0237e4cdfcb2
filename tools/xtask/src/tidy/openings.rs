//! What a source file says of itself before anything else.

use super::source::{EXCEPTIONS, Exceptions, Source};

/// Files that don't begin with a sentence on what is in them: a module doc in Rust, a docstring in Python, and in Java,
/// Kotlin and C# the doc comment of the first type.
pub fn findings(sources: &[Source], exceptions: &Exceptions) -> Vec<String> {
    let excepted = |path: &str, name: &str| {
        path.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let names = || exceptions.openings.keys();
    let mut findings: Vec<String> = sources
        .iter()
        .filter(|source| source.is_ours_to_write() && !source.text.trim().is_empty())
        .filter(|source| !names().any(|name| excepted(&source.path, name)))
        .filter_map(|source| Some(format!("{}: {}", source.path, problem(source)?)))
        .collect();
    let gone = names().filter(|name| !sources.iter().any(|source| excepted(&source.path, name)));
    findings.extend(gone.map(|name| format!("{EXCEPTIONS} names {name}, which is not there")));
    findings
}

fn problem(source: &Source) -> Option<&'static str> {
    let said = match source.ending() {
        // The README of a package is as good.
        "rs" if source.text.starts_with("#![doc = include_str!(") => return None,
        "rs" => rust(&source.text),
        "py" => python(&source.text),
        // A class of tests has sentences for names.
        "java" | "kt" | "cs" if is_test(&source.path) => return None,
        "java" | "kt" | "cs" => {
            let documented = first_type_is_documented(&source.text);
            return (!documented).then_some("its first type has no doc comment");
        }
        _ => return None,
    };
    match said {
        None => Some("it doesn't begin with a description of its contents"),
        Some(said) => (!is_sentence(&said)).then_some("its description isn't a sentence"),
    }
}

fn is_test(path: &str) -> bool {
    path.contains("/src/test/") || path.contains(".Tests/")
}

/// The first paragraph of a module doc.
fn rust(text: &str) -> Option<String> {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let paragraph: Vec<&str> = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    (!paragraph.is_empty()).then(|| paragraph.join(" "))
}

/// The first paragraph of a docstring, which only comments may stand before.
fn python(text: &str) -> Option<String> {
    let mut lines = text
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with('#'));
    let first = lines
        .next()?
        .trim_start_matches('r')
        .strip_prefix("\"\"\"")?;
    let paragraph: Vec<&str> = [first]
        .into_iter()
        .chain(lines)
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    let said = paragraph.join(" ");
    let (said, _) = said.split_once("\"\"\"").unwrap_or((&said, ""));
    Some(said.trim().to_owned())
}

fn is_sentence(text: &str) -> bool {
    text.contains(' ') && text.ends_with(['.', ':', '?', '!'])
}

/// Whether a doc comment ends right above the first type and its annotations. A file without a type needs none.
fn first_type_is_documented(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let Some(index) = lines.iter().position(|line| declares_type(line)) else {
        return true;
    };
    let above = lines[..index]
        .iter()
        .rev()
        .take_while(|line| !line.trim().is_empty());
    above
        .map(|line| line.trim())
        .any(|line| line.starts_with("///") || line.ends_with("*/"))
}

/// Whether a line at the margin consists of modifiers and then a type's keyword and name.
fn declares_type(line: &str) -> bool {
    const KINDS: &[&str] = &[
        "class",
        "interface",
        "@interface",
        "enum",
        "record",
        "struct",
        "object",
    ];
    if line.starts_with(char::is_whitespace) {
        return false;
    }
    let mut words = line.split_whitespace();
    let modifiers = words.by_ref().find(|word| {
        !word.chars().all(|c| c.is_ascii_lowercase() || c == '-') || KINDS.contains(word)
    });
    modifiers.is_some_and(|word| KINDS.contains(&word)) && words.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Option<&'static str> {
        problem(&Source {
            path: path.into(),
            text: text.into(),
        })
    }

    #[test]
    fn a_sentence_stands_first_in_rust_and_python() {
        assert_eq!(
            said(
                "a.rs",
                "//! What a thing\n//! is.\n//!\n//! more\n\nfn a() {}\n"
            ),
            None
        );
        assert_eq!(
            said(
                "a.py",
                "#!/usr/bin/env python3\n\"\"\"Makes things.\"\"\"\nx = 1\n"
            ),
            None
        );
        assert_eq!(said("a.py", "\"\"\"Makes\nthings.\n\nmore\n\"\"\"\n"), None);
        for (path, text) in [
            ("a.rs", "fn a() {}\n"),
            ("a.rs", "use a;\n//! Too late.\n"),
            ("a.rs", "//!\n//! After nothing.\n"),
            ("a.rs", "//! the things\n"),
            ("a.rs", "//! Things.\n"),
            ("a.py", "import a\n\"\"\"Too late.\"\"\"\n"),
            ("a.py", "\"\"\"\"\"\"\n"),
        ] {
            assert!(said(path, text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn the_first_type_has_a_doc_comment() {
        let java = "package a;\n\nimport a.record.B;\n\n/** A thing. */\n@A(\n    1)\npublic final class A {\n  class B {}\n}\n";
        assert_eq!(said("A.java", java), None);
        assert!(said("A.java", &java.replace("/** A thing. */\n", "")).is_some());
        assert_eq!(
            said(
                "A.cs",
                "/// <summary>A.</summary>\n[A]\ninternal readonly record struct A(int B);\n"
            ),
            None
        );
        assert!(said("A.cs", "namespace A;\n\npublic sealed class A\n").is_some());
        assert_eq!(said("package-info.java", "package a;\n"), None);
        assert_eq!(said("a/src/test/A.java", "class A {\n"), None);
    }
}
