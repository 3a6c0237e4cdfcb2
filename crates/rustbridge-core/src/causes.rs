//! Errors of the host's own behind those that its services answered plugins with. A plugin gets the name of one, and its own error has the
//! name if it failed with that: so the host's caller gets the original error back.

use std::collections::VecDeque;
use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::registry::fork::{self, OverFork};

/// How many are kept at most, and for how long: a plugin may never send a name back.
const MOST: usize = 256;
const TIME: Duration = Duration::from_secs(60);

/// An error of the host's own.
pub(crate) type Source = Arc<dyn Error + Send + Sync>;

struct CauseEntry {
    number: u64,
    source: Source,
    since: Instant,
}

#[derive(Default)]
struct Causes {
    /// What the names begin with, so that those of another library in this process are others.
    prefix: String,
    last: u64,
    /// Oldest first.
    kept: VecDeque<CauseEntry>,
}

struct Table(Mutex<Causes>);

/// Of this copy of the library: errors are read wherever a call ends, and names are all that a plugin sends back.
static CAUSES: Table = Table(Mutex::new(Causes {
    prefix: String::new(),
    last: 0,
    kept: VecDeque::new(),
}));

impl Table {
    fn lock(&self) -> MutexGuard<'_, Causes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OverFork for Table {
    type Held = MutexGuard<'static, Causes>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    fn in_child(&'static self, _: &mut Self::Held) {}
}

/// Keeps an error, and gives its name.
pub(crate) fn keep(source: Source) -> String {
    fork::watch(&CAUSES);
    let now = Instant::now();
    let mut dropped = Vec::new();
    let mut causes = CAUSES.lock();
    if causes.prefix.is_empty() {
        let random = RandomState::new().hash_one(std::process::id());
        causes.prefix = format!("{random:016x}-");
    }
    while let Some(oldest) = causes.kept.front()
        && (causes.kept.len() >= MOST || now.duration_since(oldest.since) >= TIME)
    {
        dropped.extend(causes.kept.pop_front());
    }
    causes.last += 1;
    let number = causes.last;
    causes.kept.push_back(CauseEntry {
        number,
        source,
        since: now,
    });
    let name = format!("{}{number}", causes.prefix);
    drop(causes);
    // The host's code, so without the lock.
    drop(dropped);
    name
}

/// The error of a name, which is kept no longer.
pub(crate) fn take(name: &str) -> Option<Source> {
    // Before the lock is taken for the first time: a fork in that moment would leave it locked in the child.
    fork::watch(&CAUSES);
    let mut causes = CAUSES.lock();
    if causes.prefix.is_empty() {
        return None;
    }
    let number: u64 = name.strip_prefix(&*causes.prefix)?.parse().ok()?;
    let found = causes
        .kept
        .binary_search_by_key(&number, |kept| kept.number);
    Some(causes.kept.remove(found.ok()?)?.source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_found_once_by_its_name_and_only_so_many_are_kept() {
        let error =
            |text: &str| -> Source { Arc::from(Box::<dyn Error + Send + Sync>::from(text)) };
        let first = keep(error("first"));
        let name = keep(error("mine"));
        assert_eq!(take(&name).unwrap().to_string(), "mine");
        assert!(take(&name).is_none() && take("1").is_none() && take("").is_none());
        for _ in 0..MOST {
            keep(error("another"));
        }
        assert!(take(&first).is_none());
        assert!(CAUSES.lock().kept.len() <= MOST);
    }

    #[test]
    fn a_cause_that_is_no_name_leaves_the_rest_of_the_error() {
        for cause in ["7", "null", r#"{"of":"the plugin's own"}"#] {
            let payload =
                format!(r#"{{"message":"sold out","type":"Shop.SoldOut","cause":{cause}}}"#);
            let error = crate::Error::from_payload(9, payload.as_bytes());
            assert_eq!(
                (error.message(), error.type_name()),
                ("sold out", "Shop.SoldOut")
            );
            assert!(error.source().is_none());
        }
    }
}
