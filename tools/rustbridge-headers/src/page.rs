//! The headers as pages of the documentation: what is a comment there is text here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::header::generate;

/// Both pages: where each belongs, relative to the workspace's root, and its text.
///
/// # Panics
/// As [`generate`].
#[must_use]
pub fn pages() -> Vec<(PathBuf, String)> {
    let names = [
        ("rustbridge_plugin", "plugin", "The plugin ABI"),
        ("rustbridge", "host", "The host ABI"),
    ];
    generate()
        .into_iter()
        .map(|(header, text)| {
            let stem = header.file_stem().unwrap_or_default().to_string_lossy();
            let (_, file, title) = names
                .iter()
                .find(|(name, ..)| *name == stem)
                .expect("each header has a page");
            let path = Path::new("docs/abi").join(file).with_extension("md");
            (path, page(&text, &stem, title))
        })
        .collect()
}

fn page(header: &str, name: &str, title: &str) -> String {
    let mut page = format!(
        "<!-- Written by `cargo xtask regen` from include/{name}.h. -->\n# {title}\n\n[`{name}.h`](../../include/{name}.h), whole. \
         [How the two headers go together](../guide/abi.md).\n"
    );
    let (preamble, body) = header.split_once("*/\n").unwrap_or((header, ""));
    push_preamble(&mut page, preamble);
    let mut lines = body.lines().peekable();
    let mut comment: Vec<&str> = Vec::new();
    let mut in_table = false;
    while let Some(line) = lines.next() {
        if let Some(part) = line
            .strip_prefix("/* ---- ")
            .and_then(|rest| rest.strip_suffix(" ---- */"))
        {
            let _ = write!(page, "\n## {part}\n");
            in_table = false;
        } else if let Some(only) = line.strip_prefix("/* ") {
            comment = vec![only.trim_end_matches(" */")];
        } else if line == "/*" {
            comment = lines
                .by_ref()
                .take_while(|line| *line != " */")
                .map(|line| line.strip_prefix(" *").unwrap_or(line))
                .map(|line| line.strip_prefix(' ').unwrap_or(line))
                .collect();
        } else if !comment.is_empty() && !line.is_empty() {
            let prose = std::mem::take(&mut comment);
            let constant = line.strip_prefix("#define ");
            if let (Some(constant), [meaning]) = (constant, prose.as_slice()) {
                push_row(&mut page, constant, meaning, &mut in_table);
                continue;
            }
            let mut code = vec![line];
            while !ends(&code) {
                let Some(next) = lines.next() else { break };
                code.push(next);
            }
            push_item(&mut page, &prose, &code);
            in_table = false;
        }
    }
    page
}

/// Whether a declaration is whole: a struct and a function that is defined here end with a brace, what begins a condition with
/// that, and others with a semicolon.
fn ends(code: &[&str]) -> bool {
    let (first, last) = (code[0], code[code.len() - 1]);
    if first.starts_with("#define") {
        true
    } else if first.starts_with("#if") {
        last == "#endif"
    } else if first.ends_with('{') {
        last.starts_with('}')
    } else {
        last.ends_with(';')
    }
}

fn push_row(page: &mut String, constant: &str, meaning: &str, in_table: &mut bool) {
    if !*in_table {
        page.push_str("\n| constant | value | |\n| --- | --- | --- |\n");
        *in_table = true;
    }
    let (name, value) = constant.split_once(' ').unwrap_or((constant, ""));
    let [value, meaning] = [value, meaning].map(|text| text.replace('|', "\\|"));
    let _ = writeln!(page, "| `{name}` | `{value}` | {meaning} |");
}

fn push_item(page: &mut String, prose: &[&str], code: &[&str]) {
    let _ = write!(page, "\n### `{}`\n\n", name_of(code));
    for line in prose {
        let _ = writeln!(page, "{line}");
    }
    let _ = write!(page, "\n```c\n{}\n```\n", code.join("\n"));
}

/// What is declared.
fn name_of<'c>(code: &[&'c str]) -> &'c str {
    let first = code[0];
    let words = |text: &'c str| text.split(|c: char| !c.is_alphanumeric() && c != '_');
    if let Some(rest) = first.strip_prefix("#define ") {
        return words(rest).next().unwrap_or(rest);
    }
    if first.starts_with("#if") {
        let defined = code.iter().find_map(|line| line.strip_prefix("#define "));
        return defined.and_then(|rest| words(rest).next()).unwrap_or(first);
    }
    // A function, or a pointer to one: the name stands before the last opening parenthesis of its line or within the first.
    let before = first.split_once('(').map_or(first, |(before, rest)| {
        rest.split_once(')')
            .filter(|(inside, _)| inside.starts_with('*'))
            .map_or(before, |(inside, _)| inside)
    });
    words(before)
        .rfind(|word| !word.is_empty())
        .unwrap_or(first)
}

/// What stands at the top: a first paragraph, then sections whose titles are in capitals.
fn push_preamble(page: &mut String, preamble: &str) {
    let lines = preamble
        .lines()
        .skip(1)
        .map(|line| line.strip_prefix(" *").unwrap_or(line))
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let mut generated = false;
    // Of a list of codes, each with what it's for.
    let mut in_codes = false;
    let mut in_list = false;
    page.push('\n');
    for line in lines {
        // A reader of the page edits nothing.
        generated = line.starts_with("Generated by") || (generated && !line.is_empty());
        if generated {
            continue;
        }
        let is_title = line.len() > 3
            && line
                .chars()
                .all(|c| c.is_ascii_uppercase() || " ,".contains(c));
        if is_title {
            let lower = line.to_lowercase();
            let _ = write!(page, "## {}{}\n\n", &line[..1], &lower[1..]);
            continue;
        }
        let text = line.strip_prefix("  ").unwrap_or(line);
        // What follows a list would be taken for its last entry's.
        if in_list && !text.starts_with([' ', '-']) {
            page.push('\n');
        }
        in_list = text.starts_with("- ") || (in_list && text.starts_with(' '));
        let code = text
            .strip_prefix("  RB_")
            .and_then(|rest| rest.split_once(' '));
        if let Some((code, what)) = code {
            let _ = write!(
                page,
                "{}- `RB_{code}` {}",
                if in_codes { "" } else { "\n" },
                what.trim_start()
            );
            in_codes = true;
        } else if in_codes && text.starts_with("   ") {
            let _ = write!(page, " {}", text.trim_start());
        } else {
            let _ = write!(page, "{}{text}", if in_codes { "\n" } else { "" });
            in_codes = false;
        }
        page.push('\n');
    }
    while let Some(at) = page.find("\n\n\n") {
        page.remove(at);
    }
    while page.ends_with("\n\n") {
        page.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_text_and_constants_a_table() {
        let header = "/*\n * x.h: what it is.\n *\n * Generated by a\n * tool.\n *\n * OF CODES\n *   Each gives\n *     RB_A    for one,\n *             \
            or two;\n *   and no other.\n */\n\n#ifndef X\n\n/* ---- First ---- */\n\n/* One | two. */\n#define RB_A 1\n/* Two. */\n#define RB_B 2\n\n\
            /*\n * Long.\n *\n * Thread: any.\n */\nint rb_f(int a,\n         int b);\n\n/* A struct. */\ntypedef struct rb_s {\n  /* A field. */\n  int a;\n} rb_s;\n\n\
            /* A type. */\ntypedef const int *(*rb_t)(int a);\n";
        let page = page(header, "x", "X");
        let (_, text) = page.split_once("guide/abi.md).\n").unwrap();
        assert_eq!(
            text,
            "\nx.h: what it is.\n\n## Of codes\n\nEach gives\n\n- `RB_A` for one,\n or two;\n\nand no other.\n\n## First\n\n\
             | constant | value | |\n| --- | --- | --- |\n| `RB_A` | `1` | One \\| two. |\n| `RB_B` | `2` | Two. |\n\n\
             ### `rb_f`\n\nLong.\n\nThread: any.\n\n```c\nint rb_f(int a,\n         int b);\n```\n\n\
             ### `rb_s`\n\nA struct.\n\n```c\ntypedef struct rb_s {\n  /* A field. */\n  int a;\n} rb_s;\n```\n\n\
             ### `rb_t`\n\nA type.\n\n```c\ntypedef const int *(*rb_t)(int a);\n```\n"
        );
    }

    #[test]
    fn every_function_and_struct_has_its_place() {
        let headers = generate();
        for ((_, header), (path, page)) in headers.iter().zip(pages()) {
            let mut found = 0;
            for line in header
                .lines()
                .filter(|line| !line.starts_with([' ', '/', '#', '}']))
            {
                let structs = line
                    .strip_prefix("typedef struct ")
                    .and_then(|rest| rest.strip_suffix(" {"));
                let functions = line
                    .split_once('(')
                    .and_then(|(before, _)| before.rsplit([' ', '*']).next())
                    .filter(|name| name.starts_with("rb_") || *name == "rustbridge_plugin");
                for name in structs.into_iter().chain(functions) {
                    found += 1;
                    let heading = format!("\n### `{name}`\n");
                    assert!(page.contains(&heading), "{}: {name}", path.display());
                }
            }
            assert!(found > 10, "{}: {found}", path.display());
        }
    }
}
