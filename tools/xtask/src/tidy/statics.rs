//! Statics without a reason.

use anyhow::Result;
use regex_lite::Regex;

use super::source::Source;

/// A static, its attributes and a `thread_local!` around it, after the line above them.
const STATIC: &str = r"(?m)^(.*)\n(?:[ \t]*#\[(?:[^\]]|\n)*?\]\n|[ \t]*thread_local! \{\n)*[ \t]*(?:pub(?:\([^)]*\))? )?static (?:mut )?(\w+):";

/// Every `static` outside of tests has a comment right above it: with two libraries and several instances in one process, each has to state
/// why it is right.
pub fn findings(sources: &[Source]) -> Result<Vec<String>> {
    let pattern = Regex::new(STATIC)?;
    let mut findings = Vec::new();
    for source in sources
        .iter()
        .filter(|it| it.ending() == "rs" && is_shipped(&it.path))
    {
        let code = source
            .text
            .split("#[cfg(test)]\nmod ")
            .next()
            .unwrap_or_default();
        for found in pattern.captures_iter(code) {
            if !found[1].trim_start().starts_with("//") {
                findings.push(format!(
                    "{}: static {} has no comment",
                    source.path, &found[2]
                ));
            }
        }
    }
    Ok(findings)
}

fn is_shipped(path: &str) -> bool {
    let is_test =
        |part: &str| matches!(part, "tests" | "benches" | "examples") || part.ends_with("tests.rs");
    (path.starts_with("crates/") || path.starts_with("plugins/")) && !path.split('/').any(is_test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statics_are_found_with_and_without_their_comment() {
        let text = "/// One per process: only counts.\n#[used]\npub(crate) static A: u8 = 0;\n\nstatic mut B: u8 = 0;\n\
            // States why.\n#[cfg_attr(\n    unix,\n    used\n)]\nstatic E: u8 = 0;\n// States why.\nthread_local! {\n    static C: u8 = 0;\n}\nlet x: &'static str = \"\";\n\
            #[cfg(test)]\nmod tests {\n    static D: u8 = 0;\n}\n";
        let source = Source {
            path: "crates/a/src/a.rs".into(),
            text: text.into(),
        };
        let found = findings(&[source]).expect("the pattern is right");
        assert_eq!(found, ["crates/a/src/a.rs: static B has no comment"]);
    }
}
