//! Plain English in pages, headers and messages.
//!
//! It finds phrases that readers have to read twice; CONTRIBUTING.md has the rules, `docs/words.md` the terms.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::source::{EXCEPTIONS, Source};

/// The most exceptions that there may be.
const MOST: usize = 50;

/// The most words in a sentence of a header or a message.
const LONGEST: usize = 40;

/// A phrase to avoid, and the words in front of it that make it an ordinary one.
struct Rule(&'static str, Regex, &'static [&'static str]);

/// `show what failed` is a question within a sentence; `what failed is released` isn't.
const ASKING: &[&str] = &[
    "see",
    "show",
    "shows",
    "know",
    "knows",
    "list",
    "lists",
    "explain",
    "explains",
    "describe",
    "describes",
    "decide",
    "decides",
    "check",
    "checks",
    "matter",
    "exactly",
    "reports",
    "report",
    "understand",
    "determines",
    "so",
];

/// Compiled once.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let possessed = r"\bof (?:(?:the|an?|that|this|its|their|your|our|each|another|one) )?(?:\w+ )?(?:[A-Za-z]+['’]s|yours|ours|theirs)";
    [
        ("`what` as a noun", r"(?:(\w+) )?\b[Ww]hat\b".to_owned(), ASKING),
        ("`who` without a noun", r"(?:\b(?:for|of|to|by|and|or|than|from|is|with|as)|[.;:,(]) [Ww]ho(?:ever)?\b|\b[Ww]ho(?:m|mever|sever)\b|^Who\b|\bwhosever\b".to_owned(), &[][..]),
        ("`say` or `tell`", r"\b(?:[Ss]ays?|[Ss]aid|[Ss]aying|[Tt]ells?|[Tt]old|[Tt]elling)\b".to_owned(), &[]),
        ("`nobody`", r"\b[Nn]obody\b".to_owned(), &[]),
        ("`anew`, `beside`, `for good`, `for want of`", r"\banew\b|\b[Bb]eside\b|\bfor good\b|\bfor want of\b|\ba hold of\b|\bends? early\b".to_owned(), &[]),
        ("X of Y's", format!(r"{possessed}(?:[.,;:)]|$|\s+(?:that|which|is|was|are|were|and|or|in|on|as|for|to|by|with|from|at|can|may|must|has|have|when|if)\b)"), &[]),
    ]
    .into_iter()
    .map(|(name, pattern, after)| Rule(name, Regex::new(&pattern).unwrap(), after))
    .collect()
});

/// Phrases to avoid, in what users read.
pub fn findings(sources: &[Source], exceptions: &BTreeMap<String, String>) -> Vec<String> {
    let mut used = vec![false; exceptions.len()];
    let mut findings = Vec::new();
    for source in sources
        .iter()
        .filter(|source| is_read(&source.path) || is_code(&source.path))
    {
        let is_strict = !source.path.ends_with(".md");
        let found = if is_code(&source.path) {
            messages(source)
        } else {
            texts(source)
        };
        for (line, text) in found {
            for sentence in sentences(&text) {
                let Some(problem) = problem(sentence, is_strict) else {
                    continue;
                };
                match exceptions
                    .keys()
                    .position(|it| sentence.contains(it.as_str()))
                {
                    Some(index) => used[index] = true,
                    None => findings.push(format!("{}:{line}: {problem}: {sentence}", source.path)),
                }
            }
        }
    }
    let unused = exceptions.keys().zip(&used).filter(|(_, used)| !**used);
    findings.extend(
        unused.map(|(name, _)| format!("{EXCEPTIONS} excepts a sentence that isn't there: {name}")),
    );
    if exceptions.len() > MOST {
        findings.push(format!(
            "{EXCEPTIONS} has {} exceptions, expected {MOST} at most",
            exceptions.len()
        ));
    }
    findings
}

fn is_read(path: &str) -> bool {
    let is_page = path.ends_with(".md") && (path == "README.md" || path.starts_with("docs/"));
    let is_kept = [
        "docs/adr/",
        "docs/benchmarks/",
        "docs/abi/",
        "docs/SUMMARY.md",
    ]
    .iter()
    .any(|it| path.starts_with(it));
    is_page && !is_kept || path.starts_with("include/") && path.ends_with(".h")
}

/// Sources whose texts users see: the library, the bindings, the author's crates and the command.
fn is_code(path: &str) -> bool {
    let is_product = ["crates/rustbridge", "include/rustbridge", "rustbridge-"]
        .iter()
        .any(|it| path.starts_with(it));
    let is_shown = ["rs", "java", "kt", "cs", "py", "go", "ts", "hpp"]
        .iter()
        .any(|it| path.ends_with(&format!(".{it}")));
    let is_tool = [
        "test",
        "bench",
        "-conformance/",
        "-gen/",
        "-headers/",
        "/internal/",
    ]
    .iter()
    .any(|it| path.to_lowercase().contains(it));
    is_product && is_shown && !is_tool
}

/// The text literals of a source that may be messages: of four words or more.
fn messages(source: &Source) -> Vec<(usize, String)> {
    // Compiled once.
    static TEXT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""((?:[^"\\]|\\.)*)""#).unwrap());
    // Compiled once.
    static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`[^`]*`|\{[^}]*\}").unwrap());
    let code = source.text.split("#[cfg(test)]").next().unwrap_or_default();
    let is_comment = |line: &str| {
        ["//", "*", "/*", "#", "\"\"\""]
            .iter()
            .any(|it| line.starts_with(it))
    };
    let is_internal = |line: &str| {
        ["reason = ", "expect(", "assert"]
            .iter()
            .any(|it| line.contains(it))
    };
    let lines = code
        .lines()
        .enumerate()
        .filter(|(_, line)| !is_comment(line.trim()) && !is_internal(line));
    lines
        .flat_map(|(number, line)| {
            TEXT.captures_iter(line)
                .map(move |found| (number + 1, found[1].to_owned()))
        })
        .map(|(number, text)| (number, CODE.replace_all(&text, "CODE").into_owned()))
        .filter(|(_, text)| text.split_whitespace().count() > 3)
        .collect()
}

fn problem(sentence: &str, is_strict: bool) -> Option<String> {
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
    let breaks = |rule: &&Rule| {
        rule.1.captures_iter(sentence).any(|found| {
            let before = found.get(1).map_or("", |it| it.as_str());
            !rule.2.contains(&before)
        })
    };
    RULES.iter().find(breaks).map(|rule| rule.0.to_owned())
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    // Compiled once.
    static END: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[.!?:]\s+").unwrap());
    let mut starts = vec![0];
    starts.extend(END.find_iter(text).map(|end| end.end()));
    let ends: Vec<usize> = starts[1..].iter().copied().chain([text.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| text[start..end].trim())
}

/// The paragraphs of a page, or the comments of a header, each with the line it begins in and without code.
fn texts(source: &Source) -> Vec<(usize, String)> {
    // Compiled once.
    static CODE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->").unwrap());
    let is_page = source.path.ends_with(".md");
    let (mut blocks, mut block, mut start) = (Vec::new(), String::new(), 0);
    let mut is_inside = is_page;
    for (number, line) in source.text.lines().enumerate() {
        let line = line.trim();
        let mut is_text = is_inside;
        if is_page {
            is_inside ^= line.starts_with("```")
                || line.starts_with("<!-- figures")
                || line.starts_with("<!-- end of figures");
            is_text &= is_inside;
        } else if let Some(comment) = line.strip_prefix("/*") {
            is_inside = !comment.contains("*/");
            is_text = true;
        } else if line.ends_with("*/") {
            is_inside = false;
        }
        let text = line.trim_matches(['/', '*', ' ', '#', '|', '-']);
        if !is_text
            || text.is_empty()
            || is_page && line.starts_with(['#', '|', '-', '*'])
            || !is_page && line.starts_with("/*")
        {
            blocks.push((start, std::mem::take(&mut block)));
            start = number + 1;
        }
        if is_text && !text.is_empty() {
            block.push_str(text);
            block.push(' ');
        }
    }
    blocks.push((start, block));
    blocks.retain(|(_, text)| !text.is_empty());
    blocks
        .into_iter()
        .map(|(line, text)| (line, CODE.replace_all(&text, "CODE").into_owned()))
        .collect()
}
