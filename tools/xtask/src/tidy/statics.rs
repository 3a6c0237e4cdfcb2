//! Statics that do not say why they may be ones.

use super::source::Source;

/// Every `static` outside of tests has a comment right above it (attributes and a `thread_local!` may come between):
/// with two libraries and several instances in one process, each has to say why it is right.
pub fn findings(sources: &[Source]) -> Vec<String> {
    let ours = sources
        .iter()
        .filter(|source| source.ending() == "rs" && is_shipped(&source.path));
    ours.flat_map(|source| {
        uncommented(&source.text)
            .into_iter()
            .map(move |(line, name)| {
                format!("{}:{line}: static {name} has no comment", source.path)
            })
    })
    .collect()
}

fn is_shipped(path: &str) -> bool {
    (path.starts_with("crates/") || path.starts_with("plugins/"))
        && !path.split('/').any(|part| {
            matches!(part, "tests" | "benches" | "examples") || part.ends_with("tests.rs")
        })
}

fn uncommented(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.trim() == "#[cfg(test)]"
            && lines
                .get(index + 1)
                .is_some_and(|next| next.trim_start().starts_with("mod "))
        {
            break;
        }
        let Some(name) = static_name(line) else {
            continue;
        };
        let above = line_above(&lines[..index]);
        if !above.is_some_and(|line| line.starts_with("//")) {
            found.push((index + 1, name.to_owned()));
        }
    }
    found
}

/// The line before an item, its attributes and a `thread_local!` around it.
fn line_above<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let mut inside_attribute = false;
    lines.iter().rev().map(|line| line.trim()).find(|line| {
        if line.starts_with("#[") {
            inside_attribute = false;
            return false;
        }
        // Going upwards, an attribute of several lines begins with its end.
        inside_attribute |= line.ends_with(")]");
        !inside_attribute && !line.ends_with("thread_local! {")
    })
}

/// The name in `pub(crate) static mut NAME: ..`.
fn static_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1.trim_start(),
        Some(rest) if rest.starts_with(' ') => rest.trim_start(),
        _ => line,
    };
    let rest = line.strip_prefix("static ")?;
    let rest = rest.strip_prefix("mut ").unwrap_or(rest);
    let name = rest.split(':').next()?.trim();
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statics_are_found_with_and_without_their_comment() {
        let text = "/// One per process: only counts.\n#[used]\npub(crate) static A: u8 = 0;\n\nstatic mut B: u8 = 0;\n\
            // Says why.\nthread_local! {\n    static C: u8 = 0;\n}\nlet x: &'static str = \"\";\n\
            #[cfg(test)]\nmod tests {\n    static D: u8 = 0;\n}\n";
        assert_eq!(uncommented(text), [(5, "B".to_owned())]);
    }
}
