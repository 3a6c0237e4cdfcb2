//! Plain English in pages, headers, messages and public doc comments: phrases that readers have to read twice.
//!
//! CONTRIBUTING.md has the rules, `docs/words.md` the terms, `tidy.toml` the phrases.

use std::mem;

use anyhow::{Context as _, Result};
use regex_lite::Regex;

use super::source::{EXCEPTIONS, Exceptions, Source};

/// The most exceptions that there may be.
const MOST: usize = 50;

/// The most words in a sentence of a header or a message.
const LONGEST: usize = 40;

/// Doc comments of the published crates and bindings, by the endings of files: the comment and the line of its item, and how that
/// line begins if the item is public.
const DOCS: [(&[&str], &str, &str); 7] = [
    (
        &["rs"],
        r"((?:[ \t]*//[/!].*\n)+)(?:[ \t]*#\[.*\n)*(.*)",
        r"^\s*pub ",
    ),
    (
        &["cs"],
        r"((?:[ \t]*///.*\n)+)(?:[ \t]*\[.*\n)*(.*)",
        r"^\s*(public|protected) ",
    ),
    (&["hpp"], r"((?:[ \t]*///.*\n)+)(.*)", ""),
    (
        &["go"],
        r"((?:[ \t]*//.*\n)+)(.*)",
        r"^(package|((func (\(.*?\) )?|type )?[A-Z]))",
    ),
    (
        &["java", "kt", "ts"],
        r"(?s)/\*\*(.*?)\*/\s*(?:@[^\n]*\n\s*)*([^\n]*)",
        r"^(public|protected|package|export) ",
    ),
    (&["h"], r"(?s)/\*(.*?)\*/()", ""),
    (&["py"], r#"(?s)"""(.*?)""""#, ""),
];

/// A phrase, and the words in front that make it an ordinary one.
type Rule<'a> = (&'a str, Regex, &'a [String]);

/// Endings of files, and a row of [`DOCS`] for them.
type Comments<'a> = (&'a [&'a str], Regex, Regex);

/// Phrases to avoid, in the texts that users read.
pub fn findings(sources: &[Source], exceptions: &Exceptions) -> Result<Vec<String>> {
    let compile =
        |pattern: &str| Regex::new(pattern).with_context(|| format!("a phrase of {EXCEPTIONS}"));
    let rules: Vec<Rule<'_>> = exceptions
        .phrases
        .iter()
        .map(|it| Ok((it.name.as_str(), compile(&it.pattern)?, it.after.as_slice())))
        .collect::<Result<_>>()?;
    let code = compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|\{[^}]*\}")?;
    let literal = compile(r#""((?:[^"\\]|\\.)*)""#)?;
    let end = compile(r"[.!?:]\s+")?;
    let comments: Vec<Comments<'_>> = DOCS
        .iter()
        .map(|(endings, comment, public)| Ok((*endings, compile(comment)?, compile(public)?)))
        .collect::<Result<_>>()?;
    let mut unused: Vec<&str> = exceptions.plain.keys().map(String::as_str).collect();
    let mut findings = Vec::new();
    for source in sources {
        let path = source.path.as_str();
        let (strict, lenient) = match () {
            () if is_page(path) => (vec![], paragraphs(&source.text)),
            () if path.ends_with(".h") && path.starts_with("include/") => {
                (docs(source, &comments), vec![])
            }
            () if is_public(path) => (messages(source, &literal), docs(source, &comments)),
            () if is_code(path) => (messages(source, &literal), vec![]),
            () => continue,
        };
        let strict = strict.into_iter().map(|text| (text, true));
        for ((line, text), is_strict) in strict.chain(lenient.into_iter().map(|text| (text, false)))
        {
            let text = code.replace_all(&text, "CODE");
            for sentence in end.split(&text).map(str::trim) {
                let Some(problem) = problem(sentence, &rules, is_strict) else {
                    continue;
                };
                let excepted = exceptions
                    .plain
                    .keys()
                    .find(|it| sentence.contains(it.as_str()));
                match excepted {
                    Some(name) => unused.retain(|it| it != name),
                    None => findings.push(format!("{}:{line}: {problem}: {sentence}", source.path)),
                }
            }
        }
    }
    findings.extend(
        unused
            .iter()
            .map(|it| format!("{EXCEPTIONS} excepts a sentence that isn't there: {it}")),
    );
    if exceptions.plain.len() > MOST {
        findings.push(format!(
            "{EXCEPTIONS} has more than {MOST} exceptions from plain English"
        ));
    }
    Ok(findings)
}

fn is_page(path: &str) -> bool {
    // Decisions stay as they were written. CONTRIBUTING.md lists the phrases themselves. The rest is generated, or a program's input.
    let is_left_out = [
        "docs/adr/",
        "docs/benchmarks/",
        "docs/abi/",
        "docs/SUMMARY.md",
        "CONTRIBUTING.md",
        "examples/markdown/pages/",
    ]
    .iter()
    .any(|it| path.starts_with(it));
    path.ends_with(".md") && !is_left_out
}

/// The library, the bindings, the author's crates, the command and the tools.
fn is_code(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    let not = ["test", "bench", "/internal/"];
    [
        "crates/rustbridge",
        "include/rustbridge",
        "rustbridge-",
        "tools/",
    ]
    .iter()
    .any(|it| path.starts_with(it))
        && ["rs", "java", "kt", "cs", "py", "go", "ts", "hpp"].contains(&ending)
        && !not.iter().any(|it| path.to_lowercase().contains(it))
}

/// The published crates, the headers of C++ and the bindings.
fn is_public(path: &str) -> bool {
    let crates = ["", "-abi", "-host", "-macros", "-wire"];
    let is_crate = |name| path.starts_with(&format!("crates/rustbridge{name}/src/"));
    let is_other = !["crates/", "tools/"].iter().any(|it| path.starts_with(it));
    is_code(path) && (is_other || crates.into_iter().any(is_crate))
}

fn problem(sentence: &str, rules: &[Rule<'_>], is_strict: bool) -> Option<String> {
    if sentence
        .trim_end_matches(['*', '_', ')', '"'])
        .ends_with('?')
    {
        return None;
    }
    let words = sentence.split_whitespace().count();
    if is_strict && words > LONGEST {
        return Some(format!("{words} words, expected {LONGEST} at most"));
    }
    let breaks = |(_, pattern, after): &&Rule<'_>| {
        pattern.captures_iter(sentence).any(|found| {
            let before = found.get(1).map_or("", |it| it.as_str());
            !after.iter().any(|it| it == before)
        })
    };
    rules
        .iter()
        .find(breaks)
        .map(|(name, ..)| (*name).to_owned())
}

/// The paragraphs of a page, each with the line it begins in. Blocks of code and generated figures are left out.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let (mut blocks, mut block, mut start) = (Vec::new(), String::new(), 1);
    let mut is_text = true;
    for (number, line) in text.lines().map(str::trim).enumerate() {
        let is_fence = ["```", "<!-- figures", "<!-- end of figures"]
            .iter()
            .any(|it| line.starts_with(it));
        is_text ^= is_fence;
        let text = line.trim_matches(['/', '*', ' ', '#', '|', '-']);
        if is_fence || !is_text || text.is_empty() || line.starts_with(['#', '|', '-', '*']) {
            blocks.push((start, mem::take(&mut block)));
            start = number + 1;
        }
        if is_text && !is_fence && !text.is_empty() {
            block.push_str(text);
            block.push(' ');
        }
    }
    blocks.push((start, block));
    blocks
}

/// The paragraphs of the doc comments of public items.
fn docs(source: &Source, comments: &[Comments<'_>]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (text, ending) = (source.text.as_str(), source.ending());
    for (_, comment, public) in comments.iter().filter(|it| it.0.contains(&ending)) {
        for parts in comment.captures_iter(text) {
            let next = parts.get(2).map_or("", |it| it.as_str());
            let is_public = public.is_match(next) || parts[1].contains("//!");
            if parts[1].contains("@internal") || !is_public {
                continue;
            }
            let start = parts.get(1).map_or(0, |it| it.start());
            let start = text[..start].lines().count();
            let lines = parts[1].lines();
            let lines = lines.map(|it| it.trim().trim_start_matches(['/', '!', '*']));
            let page = lines.collect::<Vec<_>>().join("\n");
            let paragraphs = paragraphs(&page).into_iter();
            found.extend(paragraphs.map(|(line, text)| (start + line, text)));
        }
    }
    found
}

/// The literals of a source that may be messages: of four words or more.
fn messages(source: &Source, literal: &Regex) -> Vec<(usize, String)> {
    let code = source.text.split("#[cfg(test)]").next().unwrap_or_default();
    let not = ["reason = ", "expect(", "assert"];
    let is_comment = |line: &str| {
        ["//", "*", "/*", "#", "\"\"\""]
            .iter()
            .any(|it| line.starts_with(it))
    };
    let lines = code.lines().enumerate();
    lines
        .filter(|(_, line)| !is_comment(line.trim()) && !not.iter().any(|it| line.contains(it)))
        .flat_map(|(number, line)| {
            literal
                .captures_iter(line)
                .map(move |it| (number + 1, it[1].to_owned()))
        })
        .filter(|(_, text)| text.split_whitespace().count() > 3)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::tidy::source::Phrase;

    use super::*;

    #[test]
    fn comments_of_public_items_are_checked_in_every_language() {
        let phrase = Phrase {
            name: "anew".into(),
            pattern: r"\banew\b".into(),
            after: vec![],
        };
        let exceptions = Exceptions {
            phrases: vec![phrase],
            ..Exceptions::default()
        };
        for (path, public, private) in [
            (
                "crates/rustbridge/src/a.rs",
                "/// Anew: anew.\n#[inline]\npub fn a() {}\n",
                "/// Anew anew.\nfn a() {}\n",
            ),
            (
                "include/rustbridge.h",
                "/*\n * Loads anew.\n */\n",
                "int a;\n",
            ),
            (
                "include/rustbridge/a.hpp",
                "  /// Loads anew.\n  int a();\n",
                "  // Loads anew.\n  int a();\n",
            ),
            (
                "rustbridge-csharp/RustBridge/A.cs",
                "/// <summary>Loads anew.</summary>\n[A]\npublic int A;\n",
                "/// Loads anew.\nint a;\n",
            ),
            (
                "rustbridge-go/a.go",
                "// A loads anew.\nfunc (a *A) A() {}\n",
                "// a loads anew.\nfunc a() {}\n",
            ),
            (
                "rustbridge-java/a/A.java",
                "/**\n * Loads anew.\n */\n@A\npublic int a;\n",
                "/** Loads anew. */\nint a;\n",
            ),
            (
                "rustbridge-node/src/a.ts",
                "/** Loads anew. */\nexport const a = 1;\n",
                "/** @internal Loads anew. */\nexport const a = 1;\n",
            ),
            (
                "rustbridge-python/src/a.py",
                "def a():\n    \"\"\"Load anew.\"\"\"\n",
                "# Load anew.\n",
            ),
        ] {
            let found = |text: &str| {
                let source = Source {
                    path: path.into(),
                    text: text.into(),
                };
                findings(&[source], &exceptions)
                    .expect("the phrases are right")
                    .len()
            };
            assert_eq!((found(public), found(private)), (1, 0), "{path}");
        }
    }
}
