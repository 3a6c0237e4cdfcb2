//! How long it will still take: by the last run's stages, or by a guess before the first one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};

/// What stages took, by their names, kept in a file between runs.
pub struct Durations {
    file: PathBuf,
    /// Apart for quick and full runs.
    prefix: &'static str,
    seconds: BTreeMap<String, f64>,
}

impl Durations {
    /// Reads the last run's; without a file, or with one that makes no sense, nothing is known.
    pub fn read(folder: &Path, quick: bool) -> Durations {
        let file = folder.join("durations.json");
        let seconds = fs::read(&file)
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        Durations {
            file,
            prefix: if quick { "quick" } else { "full" },
            seconds,
        }
    }

    /// How long a stage will take.
    pub fn expect(&self, stage: &str, guess: f64) -> f64 {
        let known = self.seconds.get(&self.key(stage));
        known.copied().unwrap_or(guess)
    }

    /// Remembers how long it took.
    pub fn remember(&mut self, stage: &str, time: Duration) -> Result<()> {
        self.seconds.insert(self.key(stage), time.as_secs_f64());
        let text = serde_json::to_string_pretty(&self.seconds).context("writing durations")?;
        fs::write(&self.file, text).with_context(|| format!("writing {}", self.file.display()))
    }

    fn key(&self, stage: &str) -> String {
        format!("{}: {stage}", self.prefix)
    }
}

/// `about 12 min`, as precisely as one can know.
pub fn about(seconds: f64) -> String {
    if seconds < 90.0 {
        // In steps of ten, upwards: nobody minds an end that comes early.
        format!("about {} s", ((seconds / 10.0).ceil() * 10.0).max(10.0))
    } else {
        format!("about {} min", (seconds / 60.0).round())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_takes_what_it_took_last_time() {
        let folder = std::env::temp_dir().join(format!("rustbridge-eta-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let mut first = Durations::read(&folder, true);
        assert_eq!(first.expect("measuring C", 90.0), 90.0);
        first
            .remember("measuring C", Duration::from_secs(30))
            .expect("it can be written");
        assert_eq!(
            Durations::read(&folder, true).expect("measuring C", 90.0),
            30.0
        );
        // A full run is another matter.
        assert_eq!(
            Durations::read(&folder, false).expect("measuring C", 90.0),
            90.0
        );
        fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn times_are_told_roughly() {
        assert_eq!(about(3.0), "about 10 s");
        assert_eq!(about(61.0), "about 70 s");
        assert_eq!(about(700.0), "about 12 min");
    }
}
