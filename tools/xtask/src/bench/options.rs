//! The options of `xtask bench`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct Options {
    /// Fewer and shorter measurements: five minutes, for a first impression only.
    #[arg(long)]
    pub quick: bool,
    /// Measures this language only, instead of all; may be given several times.
    #[arg(long, value_name = "LANG")]
    pub only: Vec<String>,
    /// Measures only the scenarios whose name contains this.
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
    /// Measures other ways to call native code as well: UniFFI, BoltFFI, PyO3, JNA, cffi, the predecessor.
    #[arg(long)]
    pub peers: bool,
    /// Writes the run into this folder, instead of benches/results/MACHINE for a full run and target/bench for any other.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The name of this system in the report, instead of the one that the system reports.
    #[arg(long, value_name = "LABEL")]
    pub platform: Option<String>,
}

impl Options {
    pub fn wants(&self, language: &str) -> bool {
        let named = self.only.iter().any(|only| only == language);
        match language {
            "peers" => named || self.peers,
            _ => named || self.only.is_empty(),
        }
    }

    /// Whether it measures everything that the catalogue promises.
    pub fn is_full(&self) -> bool {
        !self.quick && self.only.is_empty() && self.scenario.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(quick: bool, only: &[&str], peers: bool) -> Options {
        Options {
            quick,
            only: only.iter().map(|&only| only.to_owned()).collect(),
            scenario: None,
            peers,
            out: None,
            platform: None,
        }
    }

    #[test]
    fn peers_are_measured_only_when_asked_for() {
        assert!(options(false, &[], false).wants("java"));
        assert!(!options(false, &[], false).wants("peers"));
        assert!(options(false, &[], true).wants("peers"));
        let java = options(false, &["java"], true);
        assert!(java.wants("java") && java.wants("peers") && !java.wants("c"));
        assert!(options(false, &["peers"], false).wants("peers"));
    }

    #[test]
    fn only_a_whole_run_is_kept_as_a_result() {
        assert!(options(false, &[], true).is_full());
        assert!(!options(true, &[], false).is_full());
        assert!(!options(false, &["c"], false).is_full());
    }
}
