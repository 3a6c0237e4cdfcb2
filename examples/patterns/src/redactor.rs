//! Lines that come and go, with what nobody may read put out of them.

use std::borrow::Cow;

use futures_util::StreamExt as _;
use regex::Regex;
use rustbridge::prelude::*;

use crate::replaced::replaced;

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
    longest: u64,
}

/// Rules that are compiled.
#[object]
impl Redactor {
    pub(crate) fn new(rules: Vec<(Regex, String)>, longest: u64) -> Redactor {
        Redactor { rules, longest }
    }

    /// Takes lines and gives each back redacted, as they come: the rules are applied one after the other. A line
    /// that is longer than the configuration lets a text be, or becomes so, is an error.
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
