//! C#'s text: literals, documentation, lines that are too long.

use crate::source::Source;

/// The longest line.
pub(super) const WIDTH: usize = 120;

/// Whether a word stands in a text.
pub(super) fn mentions(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
}

/// What ends a line in C#, or can't be in XML.
fn breaks(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Text that stays on its line.
pub(super) fn one_line(text: &str) -> String {
    text.replace(breaks, " ")
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
            letter if breaks(letter) => {
                written.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
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
        .chunks(WIDTH - 40)
        .map(|piece| quoted(&piece.iter().collect::<String>()))
        .collect()
}

/// Prose as XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// An element of a documentation comment.
pub(super) fn doc(out: &mut Source, element: &str, text: &str) {
    let name = element.split(' ').next().unwrap_or(element);
    let lines: Vec<String> = text
        .trim()
        .lines()
        .map(|line| escaped(&one_line(line)).trim_end().to_owned())
        .collect();
    if let [line] = &lines[..] {
        out.line(format_args!("/// <{element}>{line}</{name}>"));
        return;
    }
    out.line(format_args!("/// <{element}>"));
    for line in &lines {
        out.line(format!("/// {line}").trim_end());
    }
    out.line(format_args!("/// </{name}>"));
}

/// What comes before parentheses, what is in them, what comes behind: in one line, or a line each if it's too long.
pub(super) fn list(out: &mut Source, before: &str, items: &[String], behind: &str) {
    let line = format!("{before}({}){behind}", items.join(", "));
    if out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    out.line(format_args!("{before}("));
    out.indented(|out| {
        for (place, item) in items.iter().enumerate() {
            if place + 1 < items.len() {
                out.line(format_args!("{item},"));
            } else {
                out.line(format_args!("{item}){behind}"));
            }
        }
    });
}

/// A member whose value is an expression: in one line, or the expression in a line of its own.
pub(super) fn arrow(out: &mut Source, member: &str, expression: &str) {
    let line = format!("{member} => {expression};");
    if out.column() + line.chars().count() <= WIDTH {
        out.line(line);
    } else {
        out.line(format_args!("{member} =>"));
        out.indented(|out| out.line(format_args!("{expression};")));
    }
}
