//! Plain English in pages, headers, messages and public doc comments: phrases that readers have to read twice.
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
    let mut unused: Vec<&str> = exceptions.plain.keys().map(String::as_str).collect();
    let mut findings = Vec::new();
    for source in sources {
        let path = source.path.as_str();
        let (strict, lenient) = match () {
            () if is_page(path) => (vec![], paragraphs(&source.text)),
            () if path.ends_with(".h") && path.starts_with("include/") => (docs(source)?, vec![]),
            () if is_public(path) => (messages(source, &literal), docs(source)?),
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
        "benches/report/fixtures/golden/",
        "examples/markdown/pages/",
    ]
    .iter()
    .any(|it| path.starts_with(it));
    path.ends_with(".md") && !is_left_out
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

/// The published crates, the headers of C++ and the bindings.
fn is_public(path: &str) -> bool {
    let crates = ["", "-abi", "-host", "-macros", "-wire"];
    let is_crate = |name| path.starts_with(&format!("crates/rustbridge{name}/src/"));
    is_code(path) && (!path.starts_with("crates/") || crates.into_iter().any(is_crate))
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
fn docs(source: &Source) -> Result<Vec<(usize, String)>> {
    let mut found = Vec::new();
    for (endings, comment, public) in DOCS {
        let (comment, public) = (Regex::new(comment)?, Regex::new(public)?);
        let text = if endings.contains(&source.ending()) {
            source.text.as_str()
        } else {
            ""
        };
        for comment in comment.captures_iter(text) {
            let (all, text) = (comment.get(1), &comment[1]);
            let next = comment.get(2).map_or("", |it| it.as_str());
            if text.contains("@internal") || !(public.is_match(next) || text.contains("//!")) {
                continue;
            }
            let start = source.text[..all.map_or(0, |it| it.start())]
                .lines()
                .count();
            let lines = text
                .lines()
                .map(|it| it.trim().trim_start_matches(['/', '!', '*']));
            let page = lines.collect::<Vec<_>>().join("\n");
            let paragraphs = paragraphs(&page).into_iter();
            found.extend(paragraphs.map(|(line, text)| (start + line, text)));
        }
    }
    Ok(found)
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
