//! Go's text: comments, literals and columns, as gofmt lays them out.

use crate::prose::is_invisible;
use crate::source::Source;

/// How long a piece of a constant text is.
const PIECE: usize = 100;

/// Prose as a doc comment. gofmt lays these out as well: examples are set in by a tab, and nothing else is set in.
pub(super) fn doc(out: &mut Source, prose: &str) {
    let mut lines: Vec<String> = Vec::new();
    let gap = |lines: &mut Vec<String>| {
        if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(String::new());
        }
    };
    let mut example: Option<(&str, Vec<&str>)> = None;
    let whole = prose.split('\n').chain(["```", "~~~"]);
    for line in whole {
        let fence = ["```", "~~~"]
            .into_iter()
            .find(|it| line.trim_start().starts_with(it));
        match (&mut example, fence) {
            (Some((opened, inside)), Some(closed)) if *opened == closed => {
                let inside = std::mem::take(inside);
                example = None;
                gap(&mut lines);
                lines.extend(set_in(&inside));
                gap(&mut lines);
            }
            (Some((_, inside)), _) => inside.push(line),
            (None, Some(opened)) => example = Some((opened, Vec::new())),
            (None, None) if line.trim().is_empty() => gap(&mut lines),
            (None, None) => lines.push(plain(line)),
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    for line in lines {
        match line.is_empty() {
            true => out.line("//"),
            false if line.starts_with('\t') => out.line(format_args!("//{line}")),
            false => out.line(format_args!("// {line}")),
        }
    }
}

/// A line of prose that is nothing else: no constraint of a build, and no link's definition, which gofmt would put at the end.
fn plain(line: &str) -> String {
    let line = line.trim();
    if line.starts_with("+build") {
        return format!("({line})");
    }
    if line.starts_with('[') {
        return line.replace("]:", "]");
    }
    line.to_owned()
}

/// An example's lines, set in.
fn set_in(lines: &[&str]) -> Vec<String> {
    let is_empty = |line: &&&str| line.trim().is_empty();
    let lines = &lines[lines.iter().take_while(is_empty).count()..];
    let lines = &lines[..lines.len() - lines.iter().rev().take_while(is_empty).count()];
    let blank = |line: &str| line.len() - line.trim_start().len();
    let common = lines.iter().filter(|line| !is_empty(line));
    let common = common.map(|line| blank(line)).min().unwrap_or(0);
    let first = lines.first().map_or("", |line| line.trim_start());
    let number = first.trim_start_matches(|it: char| it.is_ascii_digit());
    // gofmt takes what begins so for a list.
    let is_list = first.starts_with(['-', '*', '+', '•'])
        || number.len() < first.len() && number.starts_with(['.', ')']);
    let line = |line: &&str| match line.trim().is_empty() {
        true => String::new(),
        false if is_list => plain(line),
        false => format!("\t{}", line[common.min(blank(line))..].trim_end()),
    };
    lines.iter().map(line).collect()
}

/// Text that stays on its line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(is_invisible, " ")
}

/// A constant text.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                written.push('\\');
                written.push(letter);
            }
            letter if is_invisible(letter) => {
                written.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            // A mark of byte order is refused wherever it stands.
            '\u{feff}' => written.push_str("\\ufeff"),
            letter => written.push(letter),
        }
    }
    written.push('"');
    written
}

/// A constant text that may be longer than a line, in several pieces.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(PIECE)
        .map(|piece| quoted(&piece.iter().collect::<String>()))
        .collect()
}

/// A declaration in a struct: what is said of it, its name, its type, its tag.
pub(super) struct Column {
    pub(super) doc: String,
    pub(super) name: String,
    pub(super) ty: String,
    /// Empty if it has none.
    pub(super) tag: String,
}

/// What is declared in a struct: gofmt puts the types below each other where nothing is said in between.
pub(super) fn columns(out: &mut Source, columns: &[Column]) {
    let mut rest = columns;
    while !rest.is_empty() {
        let others = rest[1..].iter().take_while(|it| it.doc.trim().is_empty());
        let (run, behind) = rest.split_at(1 + others.count());
        let widest = |of: fn(&Column) -> &str| {
            let widths = run.iter().map(|it| of(it).chars().count());
            widths.max().unwrap_or(0)
        };
        let (width, types) = (widest(|it| &it.name), widest(|it| &it.ty));
        for Column {
            doc: about,
            name,
            ty,
            tag,
        } in run
        {
            doc(out, about);
            match &**tag {
                "" => out.line(format_args!("{name:width$} {ty}")),
                tag => out.line(format_args!("{name:width$} {ty:types$} {tag}")),
            }
        }
        rest = behind;
    }
}

/// What of a text isn't said: without comments and constant texts. For what is written here, in which comments have lines of their own.
pub(super) fn code_of(text: &str) -> String {
    let mut code = String::new();
    for line in text.split('\n') {
        if line.trim_start().starts_with("//") {
            continue;
        }
        let mut is_text = false;
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => is_text = !is_text,
                '\\' if is_text => drop(letters.next()),
                letter if !is_text => code.push(letter),
                _ => {}
            }
        }
        code.push('\n');
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(prose: &str) -> String {
        let mut out = Source::new("\t");
        doc(&mut out, prose);
        out.finish()
    }

    #[test]
    fn prose_is_laid_out_as_gofmt_does() {
        assert_eq!(written("  One.\n\n\n   Two.\n\n"), "// One.\n//\n// Two.\n");
        assert_eq!(written(""), "");
        assert_eq!(
            written("Before\n```rust\n\n    let a = 1;\n\n      b\n```\nafter"),
            "// Before\n//\n//\tlet a = 1;\n//\n//\t  b\n//\n// after\n"
        );
        assert_eq!(written("```\n- a\n```"), "// - a\n");
        assert_eq!(written("~~~\n```\n~~~"), "//\t```\n");
        assert_eq!(written("```\nopen"), "//\topen\n");
        assert_eq!(written("+build no\n[a]: b"), "// (+build no)\n// [a] b\n");
    }

    #[test]
    fn what_is_said_is_no_code() {
        let code = code_of("// time.Now\n\tx := \"a\\\"wire.\" + iter.Seq\n");
        assert_eq!(code.trim_end(), "\tx :=  + iter.Seq");
    }

    #[test]
    fn types_stand_below_each_other() {
        let column = |doc: &str, name: &str| Column {
            doc: doc.to_owned(),
            name: name.to_owned(),
            ty: "int".to_owned(),
            tag: String::new(),
        };
        let mut out = Source::new("\t");
        columns(
            &mut out,
            &[
                column("Said.", "A"),
                column("", "Long"),
                column("Too.", "B"),
            ],
        );
        assert_eq!(
            out.finish(),
            "// Said.\nA    int\nLong int\n// Too.\nB int\n"
        );
    }
}
