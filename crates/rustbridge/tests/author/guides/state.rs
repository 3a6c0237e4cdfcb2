//! What docs/guide/plugins.md shows of state and configuration.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rustbridge::prelude::*;
use rustbridge_core::Load;

/// The configuration of an instance. Every field may be left out.
#[derive(Clone, Message)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How many words are kept.
    pub capacity: usize,
    /// The prefix of every word.
    pub prefix: Option<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            capacity: 1000,
            prefix: None,
        }
    }
}

pub struct Words {
    settings: Settings,
    kept: Mutex<HashMap<String, u64>>,
    calls: AtomicU64,
}

#[plugin(name = "words", export = false)]
impl Words {
    /// If it fails, the host gets the error, and the plugin isn't loaded.
    pub fn create(settings: Settings) -> Result<Words> {
        if settings.capacity == 0 {
            return Err(Error::invalid_argument("a capacity of 0 keeps nothing"));
        }
        Ok(Words {
            settings,
            kept: Mutex::default(),
            calls: AtomicU64::new(0),
        })
    }

    /// Counts a word, and says how often it came.
    pub fn add(&self, word: String) -> Result<u64> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let prefix = self.settings.prefix.as_deref().unwrap_or_default();
        if !word.starts_with(prefix) {
            return Err(Error::invalid_argument(format!("{word} is no {prefix}..")));
        }
        let mut kept = self
            .kept
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        if kept.len() >= self.settings.capacity && !kept.contains_key(&word) {
            return Err(Error::new(Status::ResourceExhausted, "it's full"));
        }
        let count = kept.entry(word).or_default();
        *count += 1;
        Ok(*count)
    }
}

#[test]
fn an_instance_has_its_settings_and_its_words() {
    let load = |config: &str| {
        // SAFETY: our own plugin's entry point.
        unsafe { Load::linked(rustbridge::entry_point::<Words>(), "words") }
            .config(config)
            .open()
    };
    let (one, other) = (load("{}").unwrap(), load(r#"{"capacity":1}"#).unwrap());
    assert_eq!(&*one.call("add", r#""a""#).unwrap(), b"1");
    assert_eq!(&*one.call("add", r#""a""#).unwrap(), b"2");
    assert_eq!(&*other.call("add", r#""a""#).unwrap(), b"1");
    let full = other.call("add", r#""b""#).unwrap_err();
    assert_eq!(full.status(), Status::ResourceExhausted);
    let prefixed = load(r#"{"prefix":"x"}"#).unwrap();
    assert!(prefixed.call("add", r#""a""#).is_err());
    for wrong in [r#"{"capacity":0}"#, r#"{"capcity":1}"#] {
        let refused = load(wrong).unwrap_err();
        assert_eq!(refused.status(), Status::InvalidArgument, "{wrong}");
    }
}
