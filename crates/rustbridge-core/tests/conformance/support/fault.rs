//! fault-plugin through the core.
#![allow(dead_code, reason = "each test that has this module uses a part of it")]

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustbridge_conformance::libraries;
use rustbridge_core::{Level, Load, LogSink, Plugin, Record, RecordKind};
use serde_json::Value;

/// Long enough for whatever ends at all.
pub const LONG: Duration = Duration::from_secs(60);

/// How to load fault-plugin with that config.
pub fn fault(config: &Value) -> Load<'static> {
    Load::path(libraries::path("fault-plugin")).config(config.to_string())
}

/// An instance that does nothing wrong by itself.
pub fn well() -> Plugin {
    fault(&serde_json::json!({}))
        .open()
        .expect("fault-plugin loads")
}

/// The number that `count` and the like answer.
pub fn number(plugin: &Plugin, method: &str) -> u64 {
    let reply = plugin.call(method, "").expect("it counts");
    let value: Value = serde_json::from_slice(&reply).expect("an object");
    value["n"].as_u64().expect("a number")
}

/// The events a sink got: level and message.
#[derive(Clone, Default)]
pub struct Events {
    seen: Arc<Mutex<Vec<(Level, String)>>>,
}

impl Events {
    /// A sink that keeps them.
    pub fn sink(&self) -> Box<dyn LogSink> {
        let seen = Arc::clone(&self.seen);
        Box::new(move |record: &Record<'_>| {
            if record.kind() == RecordKind::Event {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.push((record.level(), record.message().to_owned()));
            }
        })
    }

    /// The messages so far.
    pub fn messages(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().map(|(_, message)| message.clone()).collect()
    }

    /// How many so far.
    pub fn len(&self) -> usize {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }
}
