//! The registry of libraries: what this process has mapped, who is mapping, and what of it is a forked child's own.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustbridge_abi::Status;

use super::mapping::Mapping;
use super::stat::{Identity, Stat};
use crate::error::Error;
use crate::registry::fork::{self, OverFork};

/// How long a fork waits for another thread's load. The system's loader has changed half of what it keeps by then, and a
/// child couldn't load anything. But a load may itself wait for the thread that forks: a library's initialiser that joins
/// it, say. The loader is in order while initialisers run, so what such a child finds is good.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many files are known by what the file system says of them. More than a process ever uses at a time; beyond, reading a
/// file again costs a fraction of a millisecond.
const FILES: usize = 1024;

/// What the lock guards.
#[derive(Debug)]
pub(super) struct KnownLibraries {
    /// In the order they were mapped; leaked, since they are never given up.
    all: Vec<&'static Mapping>,
    /// Files whose content is known, each as it was last.
    files: BTreeMap<Identity, (Stat, &'static Mapping)>,
    /// A library is being found or mapped.
    loading: bool,
    /// How many forks lie between the process that first loaded something and this one.
    forks: u32,
}

impl KnownLibraries {
    fn of_file(&self, stat: &Stat) -> Option<&'static Mapping> {
        let (seen, mapping) = self.files.get(&stat.identity)?;
        (seen == stat && mapping.forks == self.forks).then_some(*mapping)
    }

    fn remember_file(&mut self, stat: Stat, mapping: &'static Mapping) {
        if self.files.len() >= FILES && !self.files.contains_key(&stat.identity) {
            // All of them: which one is needed next isn't known, and so many are met by programs that load each but once.
            self.files.clear();
        }
        #[cfg_attr(
            unix,
            expect(clippy::clone_on_copy, reason = "it has a path on Windows")
        )]
        let identity = stat.identity.clone();
        self.files.insert(identity, (stat, mapping));
    }
}

pub(super) struct Libraries {
    known: Mutex<KnownLibraries>,
    /// `loading` has become false.
    loaded: Condvar,
}

/// Mappings are the process's, as the loader's are: a library that two instances use is mapped once.
static LIBRARIES: Libraries = Libraries {
    known: Mutex::new(KnownLibraries {
        all: Vec::new(),
        files: BTreeMap::new(),
        loading: false,
        forks: 0,
    }),
    loaded: Condvar::new(),
};

thread_local! {
    // Whether this thread is in `Loading`: a library's initialiser may fork, or call us.
    static IS_LOADING: Cell<bool> = const { Cell::new(false) };
}

/// In a child the libraries are mapped as well, but with their statics as they were in the moment of the fork: locks held
/// by threads that don't exist there, runtimes without their threads. So the child's own loads map copies of their own.
impl OverFork for Libraries {
    type Held = MutexGuard<'static, KnownLibraries>;

    fn hold(&'static self) -> Self::Held {
        let known = lock();
        if IS_LOADING.get() {
            return known;
        }
        let (known, _) = self
            .loaded
            .wait_timeout_while(known, PATIENCE, |known| known.loading)
            .unwrap_or_else(PoisonError::into_inner);
        known
    }

    fn in_child(&'static self, known: &mut Self::Held) {
        known.forks += 1;
        // Whoever was loading doesn't exist here, unless it's the thread that forks.
        known.loading = IS_LOADING.get();
    }
}

fn lock() -> MutexGuard<'static, KnownLibraries> {
    LIBRARIES
        .known
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// The right to find or map a library, so that two loads of one content map it once. The lock isn't held meanwhile:
/// initialisers and `describe` run then, and mustn't block the registry.
pub(super) struct LoadGuard(());

impl LoadGuard {
    pub(super) fn start() -> Result<LoadGuard, Error> {
        if IS_LOADING.get() {
            return Err(Error::new(
                Status::FailedPrecondition,
                "LoadInLoad",
                "this thread is loading a library whose initialiser or `describe` tries to load another one: load it after the first has been loaded".to_owned(),
            ));
        }
        if !fork::is_looked_after() {
            return Err(Error::new(
                Status::FailedPrecondition,
                "ForkedUnseen",
                "this process was forked while another thread of its parent loaded its very first plugin, or by other means than `fork`, so the parent's state can't be used here: fork before the first plugin is loaded, or after".to_owned(),
            ));
        }
        fork::watch(&LIBRARIES);
        let mut known = LIBRARIES
            .loaded
            .wait_while(lock(), |known| known.loading)
            .unwrap_or_else(PoisonError::into_inner);
        known.loading = true;
        IS_LOADING.set(true);
        Ok(LoadGuard(()))
    }
}

impl Drop for LoadGuard {
    fn drop(&mut self) {
        lock().loading = false;
        IS_LOADING.set(false);
        // A fork may wait as well as loads.
        LIBRARIES.loaded.notify_all();
    }
}

/// Every mapping so far, in order, also those that a forked child has inherited.
pub(crate) fn all() -> Vec<&'static Mapping> {
    lock().all.clone()
}

/// How many forks ago the registry began; a mapping with a smaller number was inherited.
pub(crate) fn forks() -> u32 {
    lock().forks
}

/// The mapping that was made of this file, if it hasn't changed since, and not before a fork.
pub(super) fn of_file(stat: &Stat) -> Option<&'static Mapping> {
    lock().of_file(stat)
}

/// Remembers of which content a file is.
pub(super) fn remember_file(stat: Stat, mapping: &'static Mapping) {
    lock().remember_file(stat, mapping);
}

/// Keeps a mapping for good.
pub(super) fn remember(mapping: Mapping) -> &'static Mapping {
    let mapping: &'static Mapping = Box::leak(Box::new(mapping));
    lock().all.push(mapping);
    mapping
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    fn file(number: u64, version: u64) -> Stat {
        Stat {
            identity: (1, number),
            size: 10,
            modified: SystemTime::UNIX_EPOCH + Duration::from_secs(version),
            changed: (1, 1),
        }
    }

    #[test]
    fn of_each_file_the_last_version_is_known_and_of_many_files_no_more_than_the_limit() {
        let mut known = KnownLibraries {
            all: Vec::new(),
            files: BTreeMap::new(),
            loading: false,
            forks: 0,
        };
        let mapping: &'static Mapping = Box::leak(Box::new(Mapping::unusable()));
        for version in 0..2000 {
            known.remember_file(file(1, version), mapping);
        }
        assert_eq!(known.files.len(), 1);
        assert!(known.of_file(&file(1, 1999)).is_some() && known.of_file(&file(1, 1998)).is_none());
        for number in 0..5000 {
            known.remember_file(file(number, 1), mapping);
            assert!(known.files.len() <= FILES);
            assert!(known.of_file(&file(number, 1)).is_some());
        }
        // After a fork it's another process's.
        known.forks = 1;
        assert!(known.of_file(&file(4999, 1)).is_none());
    }
}
