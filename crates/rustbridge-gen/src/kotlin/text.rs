//! Kotlin's text: comments, literals, lines that are too long.

use crate::source::Source;

/// The longest line.
pub(super) const WIDTH: usize = 100;

/// How deep a level is.
pub(super) const INDENT: &str = "    ";

/// A constant text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' | '$' => {
                written.push('\\');
                written.push(letter);
            }
            '\n' => written.push_str("\\n"),
            letter if letter.is_control() => {
                written.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => written.push(letter),
        }
    }
    written.push('"');
    written
}

/// A text that may be longer than a line, in pieces of a line each.
pub(super) fn pieces(text: &str) -> Vec<String> {
    const ROOM: usize = WIDTH - 24;
    let mut pieces = vec![String::new()];
    let mut room = ROOM;
    for letter in text.chars() {
        let width = match letter {
            '"' | '\\' | '\n' | '$' => 2,
            letter if letter.is_control() => 6,
            _ => 1,
        };
        if width > room {
            pieces.push(String::new());
            room = ROOM;
        }
        room -= width;
        if let Some(last) = pieces.last_mut() {
            last.push(letter);
        }
    }
    pieces.iter().map(|piece| quoted(piece)).collect()
}

/// What stands in the parentheses of a call or a declaration: in one line, or in a line each.
pub(super) fn call(out: &mut Source, before: &str, inside: &[String], behind: &str) {
    let line = format!("{before}({}){behind}", inside.join(", "));
    if fits(out, &line) {
        out.line(line);
        return;
    }
    broken(out, &format!("{before}("), inside);
    out.line(format_args!("){behind}"));
}

/// What opens, and then a line each. The formatter wants no comma where there's one alone.
fn broken(out: &mut Source, before: &str, inside: &[String]) {
    let comma = if inside.len() == 1 { "" } else { "," };
    out.line(before);
    out.indented(|out| {
        for item in inside {
            let line = format!("{item}{comma}");
            let lambda = item.strip_prefix("{ ").and_then(|it| it.strip_suffix(" }"));
            match lambda {
                Some(lambda) if !fits(out, &line) => {
                    let (head, text) = match lambda.split_once(" -> ") {
                        Some((parameters, text)) => (format!("{{ {parameters} ->"), text),
                        None => ("{".to_owned(), lambda),
                    };
                    out.line(head);
                    out.indented(|out| body(out, text));
                    out.line(format_args!("}}{comma}"));
                }
                _ => out.line(line),
            }
        }
    });
}

/// The body of a lambda: a call, with its arguments in a line each if it's too long.
fn body(out: &mut Source, text: &str) {
    let parts = text.strip_suffix(')').and_then(|it| it.split_once('('));
    match parts {
        Some((before, inside)) if !fits(out, text) => {
            let inside: Vec<String> = inside.split(", ").map(str::to_owned).collect();
            call(out, before, &inside, "");
        }
        _ => out.line(text),
    }
}

/// What is declared by one call: in a line, or behind the `=`.
pub(super) fn assign(out: &mut Source, left: &str, before: &str, inside: &[String]) {
    let line = format!("{left} = {before}({})", inside.join(", "));
    if fits(out, &line) {
        out.line(line);
        return;
    }
    out.line(format_args!("{left} ="));
    out.indented(|out| call(out, before, inside, ""));
}

/// A property of a type that may be long, made by one call.
pub(super) fn property(out: &mut Source, left: &str, ty: &str, before: &str, inside: &[String]) {
    let whole = format!("{left}: {ty}");
    if fits(out, &format!("{whole} =")) {
        assign(out, &whole, before, inside);
        return;
    }
    out.line(format_args!("{left}:"));
    out.indented(|out| {
        long_type(out, ty, " =");
        call(out, before, inside, "");
    });
}

/// A type in a line, or with what stands in its angle brackets in a line each.
fn long_type(out: &mut Source, ty: &str, behind: &str) {
    let line = format!("{ty}{behind}");
    let parts = ty.strip_suffix('>').and_then(|ty| ty.split_once('<'));
    match parts {
        Some((name, inside)) if !fits(out, &line) => {
            let inside = arguments(inside);
            let comma = if inside.len() == 1 { "" } else { "," };
            out.line(format_args!("{name}<"));
            out.indented(|out| inside.iter().for_each(|one| long_type(out, one, comma)));
            out.line(format_args!(">{behind}"));
        }
        _ => out.line(line),
    }
}

/// What commas separate, but for those in angle brackets.
fn arguments(text: &str) -> Vec<String> {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for letter in text.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            ' ' if parts.last().is_some_and(String::is_empty) => continue,
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(letter);
        }
    }
    parts
}

/// A function, with what is behind its `=`: a call, as `before` and what stands in its parentheses.
pub(super) fn function(
    out: &mut Source,
    head: &str,
    parameters: &[String],
    gives: &str,
    before: &str,
    inside: &[String],
) {
    let short = format!("{head}({}){gives}", parameters.join(", "));
    if fits(out, &format!("{short} =")) {
        assign(out, &short, before, inside);
        return;
    }
    broken(out, &format!("{head}("), parameters);
    assign(out, &format!("){gives}"), before, inside);
}

/// A constructor that calls another one of the class.
pub(super) fn construct(out: &mut Source, parameters: &[String], inside: &[String]) {
    let line = format!(
        "public constructor({}) : this({})",
        parameters.join(", "),
        inside.join(", ")
    );
    if fits(out, &line) {
        out.line(line);
        return;
    }
    broken(out, "public constructor(", parameters);
    call(out, ") : this", inside, "");
}

/// Whether a line isn't too long at the present depth.
pub(super) fn fits(out: &Source, line: &str) -> bool {
    out.column() + line.chars().count() <= WIDTH
}

/// Prose as KDoc has it: Markdown, as it's in Rust, without tags, links, and ends or beginnings of comments.
pub(super) fn escaped(text: &str) -> String {
    let mut written = String::new();
    for letter in text.trim().chars() {
        match letter {
            '@' => written.push_str("&#64;"),
            '[' => written.push_str("&#91;"),
            ']' => written.push_str("&#93;"),
            '<' => written.push_str("&lt;"),
            '*' if written.ends_with('/') => written.push_str("&#42;"),
            '/' if written.ends_with('*') => written.push_str("&#47;"),
            letter => written.push(letter),
        }
    }
    written
}

/// A comment: paragraphs, and what is behind tags.
pub(super) struct Doc {
    paragraphs: Vec<String>,
    tags: Vec<(String, String)>,
}

impl Doc {
    /// Of the plugin's prose, or else of a name.
    pub(super) fn of(prose: &str, name: &str) -> Doc {
        let prose = escaped(prose);
        let paragraphs = prose
            .split("\n\n")
            .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|paragraph| !paragraph.is_empty())
            .collect::<Vec<_>>();
        Doc {
            paragraphs: if paragraphs.is_empty() {
                vec![format!("`{name}`.")]
            } else {
                paragraphs
            },
            tags: Vec::new(),
        }
    }

    /// With our own words in place of all others.
    pub(super) fn replaced(mut self, text: &str) -> Doc {
        self.paragraphs = vec![text.to_owned()];
        self
    }

    /// A paragraph of our own.
    pub(super) fn paragraph(mut self, text: impl Into<String>) -> Doc {
        self.paragraphs.push(text.into());
        self
    }

    /// A tag with our own text.
    pub(super) fn tag(mut self, tag: impl Into<String>, text: impl Into<String>) -> Doc {
        self.tags.push((tag.into(), text.into()));
        self
    }

    /// A property or parameter with the plugin's prose, or else by its name.
    pub(super) fn named(self, tag: &str, name: &str, prose: &str, more: &str) -> Doc {
        let prose = escaped(prose);
        let prose = prose.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match (&*prose, more) {
            ("", "") => format!("`{name}`"),
            ("", more) => more.to_owned(),
            (prose, "") => prose.to_owned(),
            (prose, more) => format!("{prose} ({more})"),
        };
        self.tag(format!("@{tag} {name}"), text)
    }

    /// Writes it.
    pub(super) fn write(&self, out: &mut Source) {
        if let ([only], []) = (&*self.paragraphs, &*self.tags) {
            let line = format!("/** {only} */");
            if fits(out, &line) {
                out.line(line);
                return;
            }
        }
        out.line("/**");
        for (place, paragraph) in self.paragraphs.iter().enumerate() {
            if place > 0 {
                out.line(" *");
            }
            filled(out, paragraph, "");
        }
        if !self.tags.is_empty() {
            out.line(" *");
        }
        for (tag, text) in &self.tags {
            filled(out, &format!("{tag} {text}"), "  ");
        }
        out.line(" */");
    }
}

/// Words in lines that aren't too long. None but the first begins with what would make it a list's item, as the formatter has it.
fn filled(out: &mut Source, text: &str, indent: &str) {
    let mut front = String::from(" *");
    let mut line: Vec<&str> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() && !fits(out, &format!("{front} {} {word}", line.join(" "))) {
            let last = match line.len() > 1 && is_item(word) {
                true => line.pop(),
                false => None,
            };
            out.line(format_args!("{front} {}", line.join(" ")));
            front = format!(" *{}", " ".repeat(indent.len()));
            line = last.into_iter().collect();
        }
        line.push(word);
    }
    out.line(format_args!("{front} {}", line.join(" ")));
}

/// `1.`, `-`: what begins an item of a list in Markdown.
fn is_item(word: &str) -> bool {
    let behind = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    matches!(word, "-" | "*" | "+") || (behind.len() < word.len() && matches!(behind, "." | ")"))
}

/// What something is, and what else can be said of it.
pub(super) fn said(what: &str, meaning: &str) -> String {
    match meaning {
        "" => what.to_owned(),
        meaning => format!("{what}; {meaning}"),
    }
}
