//! What the framework we started from needs for the same work, from `benches/predecessor.json`.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// Its figures and where they come from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predecessor {
    /// What it is.
    pub about: String,
    /// Where it was measured.
    pub machine: String,
    /// By whom, and what the figures are good for.
    pub source: String,
    /// Where those figures come from that nobody has measured but who published them.
    pub published: String,
    /// The figures.
    pub rows: Vec<Before>,
}

/// One of its figures.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Before {
    /// The caller's language.
    pub host: String,
    /// The lane of ours that it's like.
    pub transport: String,
    /// The scenario of ours that does the same work.
    pub scenario: String,
    /// Nanoseconds of one operation.
    pub ns: f64,
    /// Bytes that one operation allocates on the host's heap.
    #[serde(default)]
    pub alloc_bytes: Option<f64>,
    /// Whether it's taken from its own tables.
    #[serde(default)]
    pub published: bool,
}

impl Predecessor {
    /// Reads the file.
    ///
    /// # Errors
    /// When it isn't there or has another form.
    pub fn read(file: &Path) -> Result<Predecessor> {
        let text =
            fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))
    }

    /// Its figure for the work of that row.
    #[must_use]
    pub fn find(&self, scenario: &str, host: &str, transport: &str) -> Option<&Before> {
        self.rows
            .iter()
            .find(|row| row.scenario == scenario && row.host == host && row.transport == transport)
    }
}
