//! The languages that call plugins: a row of data each, in the file of the language's suites. Another one arrives as a row and
//! the two modules that it names, its suites and its harness.

use crate::bench::Harness;
use crate::suite::Suite;
use crate::suites::{c, csharp, java, python, rust};

/// What the developer commands do with a language.
pub struct Language {
    /// What `fmt` runs.
    pub format: &'static [Suite],
    /// What `lint` runs, and `test` first.
    pub lint: &'static [Suite],
    /// What `test` runs besides.
    pub test: &'static [Suite],
    /// Compares the benchmarks' own list with the catalogue.
    pub list: Suite,
    /// Measures it, and says what it's called in the catalogue of scenarios and after `--only` of `bench`.
    pub harness: &'static Harness,
}

/// In the order in which they are measured: those that react most to a warm machine come first.
pub const ALL: [&Language; 5] = [
    &rust::LANGUAGE,
    &c::LANGUAGE,
    &csharp::LANGUAGE,
    &python::LANGUAGE,
    &java::LANGUAGE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_about_one_language() {
        for language in ALL {
            let name = language.harness.language;
            assert_eq!(language.list.name, format!("catalogue-{name}"));
            assert!(!language.test.is_empty(), "{name}");
        }
    }
}
