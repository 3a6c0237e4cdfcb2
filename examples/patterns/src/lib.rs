//! A plugin for regular expressions. A pattern is compiled once, stays in the plugin, and has methods.
//!
//! For every pattern, the time to test whether a text contains it grows with the pattern's size times the text's length. The time to find
//! all matches may grow with the square of the length. So the length of texts is limited for the methods that find all matches.

mod redactor;
mod replaced;

use regex::RegexBuilder;
use rustbridge::prelude::*;

pub use redactor::{Redactor, Rule};

/// The configuration of an instance. Every field has a default, so `{}` is a valid configuration.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct PatternsConfig {
    /// The maximum size of a compiled pattern, in bytes.
    pub most_bytes: u64,
    /// The maximum length, in bytes, of a text in which all matches are found or replaced, and of the text after the replacement.
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

/// The options for compiling a pattern.
#[derive(Clone, Debug, Default, Message)]
#[serde(default)]
pub struct Flags {
    /// Whether `a` also matches `A`.
    pub ignore_case: bool,
    /// Whether the pattern is the literal text to find, not a regular expression.
    pub literal: bool,
}

/// The position of a match in a text. A list of positions crosses the boundary in one copy.
#[derive(Debug, Message, PartialEq, Pod)]
#[repr(C)]
pub struct Span {
    /// The offset of the first byte, in UTF-8.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
}

/// The reason why a pattern couldn't be compiled.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PatternError {
    /// The pattern isn't a valid regular expression.
    #[error("{problem}, at byte {at} of `{pattern}`")]
    #[status(INVALID_ARGUMENT)]
    Syntax {
        /// The pattern.
        pattern: String,
        /// A description of the problem.
        problem: String,
        /// The byte offset of the problem, counted from 0.
        at: u64,
    },
    /// The compiled pattern would take more memory than the configuration allows.
    #[error("`{pattern}` would take more than {most} bytes")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLarge {
        /// The pattern.
        pattern: String,
        /// The maximum number of bytes.
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
    /// Reports whether a text contains the pattern.
    pub fn matches(&self, text: String) -> bool {
        self.regex.is_match(&text)
    }

    /// Returns the positions of all matches in a text. A text that is longer than the configuration allows is an error.
    pub fn find_all(&self, text: String) -> Result<Vec<Span>> {
        replaced::limit(text.len(), self.longest)?;
        let found = self.regex.find_iter(&text);
        let spans = found.map(|found| Span {
            start: found.start() as u64,
            end: found.end() as u64,
        });
        Ok(spans.collect())
    }

    /// Returns the texts of the groups in the first match, with the whole match first. Returns nothing if there's no match.
    pub fn capture(&self, text: String) -> Option<Vec<Option<String>>> {
        let caught = self.regex.captures(&text)?;
        let groups = caught.iter();
        let texts = groups.map(|group| group.map(|group| group.as_str().to_owned()));
        Some(texts.collect())
    }

    /// Replaces all matches in a text. In the replacement, `$1` and `${name}` stand for the texts of the match's groups. It's an error
    /// if the text or the result is, or may become, longer than the configuration allows.
    pub fn replace_all(&self, text: &str, by: &str) -> Result<String> {
        Ok(replaced::replaced(&self.regex, text, by, self.longest)?.into_owned())
    }
}

/// The state of an instance: its configuration.
#[derive(Debug, Default)]
pub struct Patterns {
    config: PatternsConfig,
}

/// Finds and replaces text with regular expressions.
#[plugin(name = "patterns", objects(Pattern, Redactor))]
impl Patterns {
    /// Creates an instance.
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

    /// Compiles rules for redacting lines.
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

/// Returns the error for an invalid pattern, with the position of the problem.
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
