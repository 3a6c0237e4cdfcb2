//! A stream of lines, from which private text is removed.

use std::borrow::Cow;

use futures_util::StreamExt as _;
use regex::Regex;
use rustbridge::prelude::*;

use crate::replaced::replaced;

/// A rule for redacting lines.
#[derive(Clone, Debug, Message)]
pub struct Rule {
    /// The pattern to find.
    pub pattern: String,
    /// The replacement, in which `$1` and `${name}` stand for the texts of the pattern's groups.
    pub by: String,
}

/// Compiled rules for redacting lines.
#[derive(Debug)]
pub struct Redactor {
    rules: Vec<(Regex, String)>,
    longest: u64,
}

/// Compiled rules for redacting lines.
#[object]
impl Redactor {
    pub(crate) fn new(rules: Vec<(Regex, String)>, longest: u64) -> Redactor {
        Redactor { rules, longest }
    }

    /// Returns each line redacted, as soon as it arrives. The rules are applied one after the other. A line that is, or may become,
    /// longer than the configuration allows for a text is an error.
    pub fn redact(&self, lines: Items<String>) -> impl Stream<Item = Result<String>> + use<> {
        let rules = self.rules.clone();
        let longest = self.longest;
        lines.map(move |line| redacted(&rules, line?, longest))
    }
}

fn redacted(rules: &[(Regex, String)], line: String, longest: u64) -> Result<String> {
    rules.iter().try_fold(line, |line, (pattern, by)| {
        Ok(match replaced(pattern, &line, by, longest)? {
            Cow::Borrowed(_) => line,
            Cow::Owned(replaced) => replaced,
        })
    })
}
