//! Rust's text: comments, literals, and calls that are too long for a line, as rustfmt lays them out.

use crate::source::Source;

/// The longest line.
pub(super) const WIDTH: usize = 100;

/// How long what is between a call's parentheses may be in one line.
pub(super) const CALL: usize = 60;

/// How long a chain of several calls may be in one line.
const CHAIN: usize = 60;

/// What a comment of documentation begins with.
pub(super) const OUTER: &str = "///";

/// Prose as documentation. Examples in it are the plugin's, not a client's, and aren't to be run as its own.
pub(super) fn doc(out: &mut Source, mark: &str, prose: &str) {
    let mut in_example = false;
    for line in prose.trim_end().split('\n') {
        let line: String = line
            .chars()
            .map(|letter| if is_break(letter) { ' ' } else { letter })
            .collect();
        let line = line.trim_end();
        let fence = line.trim_start();
        let fence = ["```", "~~~"].iter().find_map(|it| {
            let language = fence.strip_prefix(it)?;
            Some((*it, language.trim_start_matches(['`', '~'])))
        });
        let line = match fence {
            Some((marks, language)) if !in_example && is_rust(language) => format!("{marks}text"),
            _ => line.to_owned(),
        };
        in_example ^= fence.is_some();
        if line.is_empty() {
            out.line(mark);
        } else {
            out.line(format_args!("{mark} {line}"));
        }
    }
}

/// Whether rustdoc takes an example in that language for a test.
fn is_rust(language: &str) -> bool {
    let known = ["rust", "ignore", "no_run", "should_panic", "compile_fail"];
    language
        .split([',', ' ', '{'])
        .all(|word| word.is_empty() || known.contains(&word) || word.starts_with("edition"))
}

/// What ends a line, here or for somebody else, or would hide what is written.
fn is_break(letter: char) -> bool {
    (letter.is_control() && letter != '\t')
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}')
        || ('\u{202a}'..='\u{202e}').contains(&letter)
        || ('\u{2066}'..='\u{2069}').contains(&letter)
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.escape_debug())
}

/// A function up to its body: in one line, or with a line for each parameter.
pub(super) fn head(out: &mut Source, before: &str, parameters: &[String], result: &str, end: &str) {
    let line = format!("{before}({}){result}{end}", parameters.join(", "));
    let is_long = parameters.iter().any(|it| has_long_tuple(it)) || has_long_tuple(result);
    if end == ";" && out.column() + width(&line) == WIDTH && !is_long {
        // The semicolon alone is too much.
        out.line(format_args!("{before}({})", parameters.join(", ")));
        out.line(format_args!("{}{end}", result.trim_start()));
        return;
    }
    if out.column() + width(&line) <= WIDTH && !is_long {
        out.line(line);
        return;
    }
    out.line(format_args!("{before}("));
    out.indented(|out| parameters.iter().for_each(|it| broken(out, "", it, ",")));
    broken(out, ")", result, end);
}

/// A type in one line, or if it's too long with a line for each of its parts.
fn broken(out: &mut Source, before: &str, ty: &str, behind: &str) {
    let line = format!("{before}{ty}{behind}");
    let close = ty.chars().next_back();
    let parts = ty
        .find(['<', '('])
        .zip(close.filter(|it| ">)".contains(*it)));
    let is_long = out.column() + width(&line) > WIDTH || has_long_tuple(ty);
    let (Some((opened, close)), true) = (parts, is_long) else {
        out.line(line);
        return;
    };
    out.line(format_args!("{before}{}", &ty[..=opened]));
    out.indented(|out| {
        let inside = &ty[opened + 1..ty.len() - close.len_utf8()];
        parts_of(inside).for_each(|part| broken(out, "", part, ","));
    });
    out.line(format_args!("{close}{behind}"));
}

/// A field in one line, or its type in one of its own, or in more.
pub(super) fn field(out: &mut Source, name: &str, ty: &str) {
    let line = format!("{name}: {ty},");
    if out.column() + width(&line) <= WIDTH || has_long_tuple(ty) {
        broken(out, &format!("{name}: "), ty, ",");
        return;
    }
    out.line(format_args!("{name}:"));
    out.indented(|out| out.line(format_args!("{ty},")));
}

/// Whether there's a tuple in a type that takes several lines.
fn has_long_tuple(ty: &str) -> bool {
    ty.match_indices('(').any(|(opened, _)| {
        let mut depth = 0;
        let end = ty[opened..].find(|letter| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        end.is_some_and(|end| width(&ty[opened + 1..opened + end]) > CALL)
    })
}

/// What stands between the commas of a list of types.
fn parts_of(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let split = list.split(move |letter| {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && letter == ','
    });
    split.map(str::trim).filter(|part| !part.is_empty())
}

/// A call's arguments: of each its text, or what is in a tuple that's lent.
pub(super) enum Argument {
    Plain(String),
    Tuple(Vec<String>),
}

impl Argument {
    fn text(&self) -> String {
        match self {
            Argument::Plain(text) => text.clone(),
            Argument::Tuple(inside) => match &inside[..] {
                [one] => format!("&({one},)"),
                several => format!("&({})", several.join(", ")),
            },
        }
    }

    /// In a line of its own, or more.
    fn line(&self, out: &mut Source) {
        match self {
            Argument::Tuple(inside) if inside.join(", ").len() > CALL => {
                out.line("&(");
                out.indented(|out| inside.iter().for_each(|it| out.line(format_args!("{it},"))));
                out.line("),");
            }
            _ => out.line(format_args!("{},", self.text())),
        }
    }
}

/// `caller.0.function(..)`, and what is behind it.
pub(super) fn call(
    out: &mut Source,
    caller: &str,
    function: &str,
    arguments: &[Argument],
    behind: &str,
) {
    let all: Vec<String> = arguments.iter().map(Argument::text).collect();
    let all = all.join(", ");
    let line = format!("{caller}.0.{function}({all}){behind}");
    if width(&line) <= CHAIN {
        out.line(line);
        return;
    }
    if behind.is_empty() && width(&all) > CALL {
        out.line(format_args!("{caller}.0.{function}("));
        out.indented(|out| arguments.iter().for_each(|it| it.line(out)));
        out.line(")");
        return;
    }
    // Only what is as short as an indentation has the next part of a chain on its line.
    let is_short = caller.len() <= 4;
    out.line(if is_short {
        format!("{caller}.0")
    } else {
        caller.to_owned()
    });
    out.indented(|out| {
        if !is_short {
            out.line(".0");
        }
        let line = format!(".{function}({all})");
        if width(&all) <= CALL && out.column() + width(&line) <= WIDTH {
            out.line(line);
        } else {
            out.line(format_args!(".{function}("));
            out.indented(|out| arguments.iter().for_each(|it| it.line(out)));
            out.line(")");
        }
        if !behind.is_empty() {
            out.line(behind);
        }
    });
}

/// A constant text that may be longer than a line, in several pieces.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(WIDTH - 16)
        .map(|piece| {
            let piece: String = piece.iter().collect();
            if piece.contains('\\') || piece.contains("\"#") {
                return quoted(&piece);
            }
            format!("r#\"{piece}\"#")
        })
        .collect()
}

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Whether a word stands in a text.
pub(super) fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
}
