//! Lines that come and go, with what nobody may read put out of them.

use futures_util::StreamExt as _;
use regex::Regex;
use rustbridge::prelude::*;

/// What is put out of lines.
#[derive(Clone, Debug, Message)]
pub struct Rule {
    /// What is looked for.
    pub pattern: String,
    /// What is put in its place: `$1` and `${name}` in it are what the pattern's groups have caught.
    pub by: String,
}

/// Rules that are compiled.
#[derive(Debug)]
pub struct Redactor {
    rules: Vec<(Regex, String)>,
}

/// Rules that are compiled.
#[object]
impl Redactor {
    pub(crate) fn new(rules: Vec<(Regex, String)>) -> Redactor {
        Redactor { rules }
    }

    /// Takes lines and gives each back redacted, as they come: the rules are applied one after the other.
    pub fn redact(&self, lines: Items<String>) -> impl Stream<Item = Result<String>> + use<> {
        let rules = self.rules.clone();
        lines.map(move |line| line.map(|line| redacted(&rules, line)))
    }
}

fn redacted(rules: &[(Regex, String)], line: String) -> String {
    rules.iter().fold(line, |line, (pattern, by)| {
        match pattern.replace_all(&line, by) {
            std::borrow::Cow::Borrowed(_) => line,
            std::borrow::Cow::Owned(replaced) => replaced,
        }
    })
}
