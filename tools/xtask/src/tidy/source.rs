//! What the rules look at, and the exceptions from them.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::files;
use crate::workspace::Workspace;

/// A file that git knows, with its text.
pub struct Source {
    /// Path from the workspace's root, with forward slashes.
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn ending(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    /// Frozen copies and generated files are as they are.
    pub fn is_ours_to_write(&self) -> bool {
        !self.path.split('/').any(|part| part == "frozen")
            && !crate::regen::is_generated(&self.path)
    }
}

/// Where the exceptions are, each with its reason.
pub const EXCEPTIONS: &str = "tools/xtask/tidy.toml";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exceptions {
    /// Path of a file → why it may be long.
    #[serde(default)]
    pub long: BTreeMap<String, String>,
    /// Name of a package → the packages of ours that it may depend on.
    #[serde(default)]
    pub depends: BTreeMap<String, Vec<String>>,
    /// Part of a sentence → why it may have a phrase that plain English avoids.
    #[serde(default)]
    pub plain: BTreeMap<String, String>,
    #[serde(default)]
    pub phrases: Vec<Phrase>,
}

/// A phrase that plain English avoids.
#[derive(Deserialize)]
pub struct Phrase {
    pub name: String,
    /// Its first group, if there is one, is the word in front of the phrase.
    pub pattern: String,
    /// The words in front that make it an ordinary one.
    #[serde(default)]
    pub after: Vec<String>,
}

impl Exceptions {
    pub fn read(workspace: &Workspace) -> Result<Exceptions> {
        let text = files::read(&workspace.root.join(EXCEPTIONS))?;
        let exceptions: Exceptions =
            toml::from_str(&text).with_context(|| format!("reading {EXCEPTIONS}"))?;
        for (name, reason) in exceptions.long.iter().chain(&exceptions.plain) {
            let has_reason = !reason.trim().is_empty();
            ensure!(has_reason, "{EXCEPTIONS} gives no reason for {name}");
        }
        Ok(exceptions)
    }
}

/// All text files that git tracks or would track.
pub fn all(workspace: &Workspace) -> Result<Vec<Source>> {
    let paths = workspace.files(&[])?;
    // What isn't text (or is deleted but not yet committed) is none of our business.
    let read = |path: String| {
        let text = fs::read_to_string(workspace.root.join(&path)).ok()?;
        Some(Source { path, text })
    };
    Ok(paths.into_iter().filter_map(read).collect())
}
