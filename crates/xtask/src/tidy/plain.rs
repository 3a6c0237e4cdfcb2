//! Plain English in pages, headers and messages: phrases that readers have to read twice.
//!
//! CONTRIBUTING.md has the rules, `docs/words.md` the terms, `tidy.toml` the phrases.

use std::mem;

use anyhow::{Context as _, Result};
use regex::Regex;

use super::source::{EXCEPTIONS, Exceptions, Source};

/// The most exceptions that there may be.
const MOST: usize = 50;

/// The most words in a sentence of a header or a message.
const LONGEST: usize = 40;

/// A phrase, and the words in front that make it an ordinary one.
type Rule<'a> = (&'a str, Regex, &'a [String]);

/// Phrases to avoid, in the texts that users read.
pub fn findings(sources: &[Source], exceptions: &Exceptions) -> Result<Vec<String>> {
    let compile =
        |pattern: &str| Regex::new(pattern).with_context(|| format!("a phrase of {EXCEPTIONS}"));
    let rules: Vec<Rule<'_>> = exceptions
        .phrases
        .iter()
        .map(|it| Ok((it.name.as_str(), compile(&it.pattern)?, it.after.as_slice())))
        .collect::<Result<_>>()?;
    let code = compile(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->|\{[^}]*\}")?;
    let literal = compile(r#""((?:[^"\\]|\\.)*)""#)?;
    let end = compile(r"[.!?:]\s+")?;
    let mut unused: Vec<&str> = exceptions.plain.keys().map(String::as_str).collect();
    let mut findings = Vec::new();
    for source in sources {
        let texts = match () {
            () if is_page(&source.path) => paragraphs(source, true),
            () if is_header(&source.path) => paragraphs(source, false),
            () if is_code(&source.path) => messages(source, &literal),
            () => continue,
        };
        for (line, text) in texts {
            let text = code.replace_all(&text, "CODE");
            for sentence in end.split(&text).map(str::trim) {
                let Some(problem) = problem(sentence, &rules, !is_page(&source.path)) else {
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
        "benches/report/fixtures/golden/",
        "examples/markdown/pages/",
    ]
    .iter()
    .any(|it| path.starts_with(it));
    path.ends_with(".md") && !is_left_out
}

fn is_header(path: &str) -> bool {
    path.starts_with("include/") && path.ends_with(".h")
}

/// The library, the bindings, the author's crates and the command.
fn is_code(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default();
    let not = [
        "test",
        "bench",
        "-conformance/",
        "-gen/",
        "-headers/",
        "/internal/",
    ];
    ["crates/rustbridge", "include/rustbridge", "rustbridge-"]
        .iter()
        .any(|it| path.starts_with(it))
        && ["rs", "java", "kt", "cs", "py", "go", "ts", "hpp"].contains(&ending)
        && !not.iter().any(|it| path.to_lowercase().contains(it))
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

/// The paragraphs of a page, or the comments of a header, each with the line it begins in.
fn paragraphs(source: &Source, is_page: bool) -> Vec<(usize, String)> {
    let (mut blocks, mut block, mut start) = (Vec::new(), String::new(), 1);
    let mut is_inside = is_page;
    for (number, line) in source.text.lines().map(str::trim).enumerate() {
        let mut is_text = is_inside;
        if is_page {
            is_inside ^= ["```", "<!-- figures", "<!-- end of figures"]
                .iter()
                .any(|it| line.starts_with(it));
            is_text &= is_inside;
        } else if let Some(comment) = line.strip_prefix("/*") {
            is_inside = !comment.contains("*/");
            is_text = true;
        } else if line.ends_with("*/") {
            is_inside = false;
        }
        let text = line.trim_matches(['/', '*', ' ', '#', '|', '-']);
        let begins = if is_page {
            line.starts_with(['#', '|', '-', '*'])
        } else {
            line.starts_with("/*")
        };
        if !is_text || text.is_empty() || begins {
            blocks.push((start, mem::take(&mut block)));
            start = number + 1;
        }
        if is_text && !text.is_empty() {
            block.push_str(text);
            block.push(' ');
        }
    }
    blocks.push((start, block));
    blocks
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
