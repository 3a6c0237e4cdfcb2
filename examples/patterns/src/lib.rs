//! Regular expressions: a pattern is compiled once, stays in the plugin, and has methods. Whether it's in a text takes time
//! that grows with the pattern's size times the text's length, whatever they are. To find all of it may take the square of the length, so
//! a text for that has a limit.

mod redactor;
mod replaced;

use regex::RegexBuilder;
use rustbridge::prelude::*;

pub use redactor::{Redactor, Rule};

/// How an instance is set up. Everything has a default, so `{}` is enough.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct PatternsConfig {
    /// How many bytes a compiled pattern may take.
    pub most_bytes: u64,
    /// How many bytes a text may have that all of a pattern is looked for in, and one that comes of replacing.
    pub longest_text: u64,
}

impl Default for PatternsConfig {
    fn default() -> PatternsConfig {
        PatternsConfig {
            most_bytes: 1 << 20,
            longest_text: 1 << 20,
        }
    }
}

/// How a pattern is read.
#[derive(Clone, Debug, Default, Message)]
#[serde(default)]
pub struct Flags {
    /// Whether `a` is `A`, too.
    pub ignore_case: bool,
    /// Whether the pattern is just the text to be found.
    pub literal: bool,
}

/// A place in a text. A list of them crosses in one copy.
#[derive(Debug, Message, PartialEq, Pod)]
#[repr(C)]
pub struct Span {
    /// The byte of UTF-8 that it begins at.
    pub start: u64,
    /// The byte behind it.
    pub end: u64,
}

/// Why a pattern isn't compiled.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PatternError {
    /// It's no pattern.
    #[error("{problem}, at byte {at} of `{pattern}`")]
    #[status(INVALID_ARGUMENT)]
    Syntax {
        /// The pattern.
        pattern: String,
        /// What is wrong.
        problem: String,
        /// The byte where, counted from 0.
        at: u64,
    },
    /// Compiled, it would take more memory than the configuration lets it.
    #[error("`{pattern}` would take more than {most} bytes")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// The pattern.
        pattern: String,
        /// How many it may take.
        most: u64,
    },
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    regex: regex::Regex,
    longest: u64,
}

/// A compiled pattern.
#[object]
impl Pattern {
    /// Whether it's in a text.
    pub fn matches(&self, text: String) -> bool {
        self.regex.is_match(&text)
    }

    /// Where it is in a text, as often as it's there. A text that is longer than the configuration lets it is an error.
    pub fn find_all(&self, text: String) -> Result<Vec<Span>> {
        replaced::limit(text.len(), self.longest)?;
        let found = self.regex.find_iter(&text);
        let spans = found.map(|found| Span {
            start: found.start() as u64,
            end: found.end() as u64,
        });
        Ok(spans.collect())
    }

    /// What its groups have caught where it's first in a text, the whole first; nothing if it isn't there.
    pub fn capture(&self, text: String) -> Option<Vec<Option<String>>> {
        let caught = self.regex.captures(&text)?;
        let groups = caught.iter();
        let texts = groups.map(|group| group.map(|group| group.as_str().to_owned()));
        Some(texts.collect())
    }

    /// Puts something in its place everywhere: `$1` and `${name}` in it are what its groups have caught. A text, or
    /// what would come of it, that is longer than the configuration lets it is an error.
    pub fn replace_all(&self, text: &str, by: &str) -> Result<String> {
        Ok(replaced::replaced(&self.regex, text, by, self.longest)?.into_owned())
    }
}

/// Compiles patterns.
#[derive(Debug, Default)]
pub struct Patterns {
    config: PatternsConfig,
}

/// Finds and replaces by regular expressions.
#[plugin(name = "patterns", objects(Pattern, Redactor))]
impl Patterns {
    /// Makes an instance.
    pub fn create(config: PatternsConfig) -> Result<Patterns> {
        Ok(Patterns { config })
    }

    /// Compiles a pattern.
    pub fn compile(&self, pattern: &str, flags: Flags) -> Result<Object<Pattern>, PatternError> {
        Ok(Object::new(Pattern {
            regex: self.regex(pattern, &flags)?,
            longest: self.config.longest_text,
        }))
    }

    /// Compiles rules, by which lines are redacted.
    pub fn redactor(&self, rules: Vec<Rule>) -> Result<Object<Redactor>, PatternError> {
        let flags = Flags::default();
        let compiled: Result<_, PatternError> = rules
            .into_iter()
            .map(|rule| Ok((self.regex(&rule.pattern, &flags)?, rule.by)))
            .collect();
        Ok(Object::new(Redactor::new(
            compiled?,
            self.config.longest_text,
        )))
    }
}

impl Patterns {
    fn regex(&self, pattern: &str, flags: &Flags) -> Result<regex::Regex, PatternError> {
        let written = match flags.literal {
            true => regex::escape(pattern),
            false => pattern.to_owned(),
        };
        let built = RegexBuilder::new(&written)
            .case_insensitive(flags.ignore_case)
            .size_limit(usize::try_from(self.config.most_bytes).unwrap_or(usize::MAX))
            .build();
        built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => PatternError::TooLarge {
                pattern: pattern.to_owned(),
                most: self.config.most_bytes,
            },
            error => syntax(pattern, &error),
        })
    }
}

/// Where a pattern is wrong.
fn syntax(pattern: &str, error: &regex::Error) -> PatternError {
    let (problem, at) = match regex_syntax::parse(pattern) {
        Err(regex_syntax::Error::Parse(error)) => {
            (error.kind().to_string(), error.span().start.offset)
        }
        Err(regex_syntax::Error::Translate(error)) => {
            (error.kind().to_string(), error.span().start.offset)
        }
        _ => (error.to_string(), 0),
    };
    PatternError::Syntax {
        pattern: pattern.to_owned(),
        problem,
        at: at as u64,
    }
}

#[cfg(test)]
mod tests;
