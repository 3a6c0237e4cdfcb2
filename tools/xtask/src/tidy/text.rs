//! What can be wrong with a file's text: its length, words and paths in it, and its line ends.

use super::source::{EXCEPTIONS, Exceptions, Source};

/// Past this a file is asking to be two.
const LONGEST: usize = 500;

/// Files with more lines of code than one concept needs. Comments, blank lines and unit tests don't count.
pub fn long_files(sources: &[Source], exceptions: &Exceptions) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_ours_to_write()) {
        let Some(comment) = line_comment(source.ending()) else {
            continue;
        };
        let lines = lines_of_code(&source.text, comment);
        if lines > LONGEST && !exceptions.long.contains_key(&source.path) {
            findings.push(format!(
                "{}: {lines} lines of code, more than {LONGEST}: split it, or give the reason in {EXCEPTIONS}",
                source.path
            ));
        }
    }
    let gone = exceptions
        .long
        .keys()
        .filter(|path| !sources.iter().any(|source| source.path == **path));
    findings.extend(gone.map(|path| format!("{EXCEPTIONS} names {path}, which is not there")));
    findings
}

fn line_comment(ending: &str) -> Option<&'static str> {
    match ending {
        "rs" | "c" | "h" | "cc" | "cpp" | "hpp" | "java" | "kt" | "cs" | "go" | "js" | "ts" => {
            Some("//")
        }
        "py" | "pyi" => Some("#"),
        _ => None,
    }
}

fn lines_of_code(text: &str, comment: &str) -> usize {
    let mut count = 0;
    let mut in_block = false;
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if comment == "//" {
            if line == "#[cfg(test)]"
                && lines
                    .peek()
                    .is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'))
            {
                break;
            }
            if in_block {
                in_block = !line.contains("*/");
                continue;
            }
            if line.starts_with("/*") {
                in_block = !line.contains("*/");
                continue;
            }
        }
        if !line.is_empty() && !line.starts_with(comment) {
            count += 1;
        }
    }
    count
}

/// Marks of unfinished work, and tests that are switched off.
pub fn unfinished(sources: &[Source]) -> Vec<String> {
    // Put together here so that this file isn't one of its own findings.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("todo", "!("),
        concat!("unimple", "mented!("),
        concat!("#[ig", "nore"),
        concat!("@Disa", "bled"),
        concat!("raise NotImpl", "ementedError"),
        concat!("new NotImpl", "ementedException"),
        concat!("Sk", "ip = \""),
    ];
    // A function of Go's standard library.
    let of_go = concat!("context.TO", "DO()");
    find(sources, |line| {
        let line = line.replace(of_go, "");
        words.iter().copied().find(|word| has_word(&line, word))
    })
}

/// Absolute paths that only exist on the machine of whoever wrote them.
pub fn machine_paths(sources: &[Source]) -> Vec<String> {
    let paths = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("C:\\Us", "ers\\"),
    ];
    find(sources, |line| {
        paths.iter().copied().find(|path| {
            // Inside a longer path it's somebody's subfolder, e.g. `framework/`.
            line.match_indices(path).any(|(at, _)| {
                !line[..at].ends_with(|c: char| {
                    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | '$' | '~')
                })
            })
        })
    })
}

fn find<'a>(sources: &[Source], test: impl Fn(&str) -> Option<&'a str>) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources
        .iter()
        .filter(|source| !source.path.ends_with(".lock"))
    {
        for (index, line) in source.text.lines().enumerate() {
            if let Some(what) = test(line) {
                findings.push(format!("{}:{}: {what}", source.path, index + 1));
            }
        }
    }
    findings
}

/// Whether `word` stands in `line` and isn't part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        !line[..at].ends_with(part)
            && (!word.ends_with(char::is_alphanumeric)
                || !line[at + word.len()..].starts_with(part))
    })
}

/// Every text file of ours ends in exactly one line feed; git and editors on Windows are told to keep it so.
pub fn line_ends(sources: &[Source]) -> Vec<String> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| {
        line_comment(source.ending()).is_some()
            || matches!(
                source.ending(),
                "md" | "toml" | "xml" | "yml" | "csproj" | "props" | "targets" | "slnx"
            )
    }) {
        if source.text.contains('\r') {
            findings.push(format!("{} has carriage returns", source.path));
        } else if !source.text.is_empty()
            && (!source.text.ends_with('\n') || source.text.ends_with("\n\n"))
        {
            findings.push(format!(
                "{} does not end in exactly one line feed",
                source.path
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_finds_a_fault() {
        let source = |path: &str, text: String| {
            [Source {
                path: path.into(),
                text,
            }]
        };
        let code = "//! About.\n\nfn a() {\n    // why\n    b();\n}\n/* one\n two */\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\n";
        assert_eq!(lines_of_code(code, "//"), 3);
        let long = source("a.rs", "a();\n".repeat(LONGEST + 1));
        assert_eq!(long_files(&long, &Exceptions::default()).len(), 1);
        let mark = concat!("TO", "DO");
        assert_eq!(
            unfinished(&source("a.rs", format!("// {mark}: later\n"))).len(),
            1
        );
        assert!(unfinished(&source("a.rs", format!("const {mark}_LIST: u8 = 0;\n"))).is_empty());
        let home = concat!("/ho", "me/someone/");
        assert_eq!(
            machine_paths(&source("a.md", format!("see {home}a\n"))).len(),
            1
        );
        assert!(machine_paths(&source("a.md", format!("see ~{home}a\n"))).is_empty());
        for text in ["x", "x\n\n", "x\r\n"] {
            assert_eq!(line_ends(&source("a.rs", text.into())).len(), 1);
        }
    }
}
