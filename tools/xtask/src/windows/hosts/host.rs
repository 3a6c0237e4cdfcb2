//! What a row of the table of hosts under Wine has in it.

use anyhow::Result;

use crate::step::Step;
use crate::suite::Suite;
use crate::windows::cross::Cross;

/// A runtime for Windows, and what is run in it.
pub struct Host {
    /// Fetches it unless it's there, and says in a line which it is.
    pub runtime: fn(&mut Step<'_>, &Cross<'_>) -> Result<String>,
    pub suites: &'static [Suite],
}
