//! What a row of the table of languages has in it.

use crate::bench::Harness;
use crate::demo::Host;
use crate::doctor::Tool;
use crate::suite::Suite;

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
    /// Calls the plugin of `demo`.
    pub demo: &'static Host,
    /// What `soak` repeats.
    pub soak: &'static [Suite],
    /// What it needs on the machine; `doctor` says whether that is there, `test --setup` installs it.
    pub tools: &'static [Tool],
}
