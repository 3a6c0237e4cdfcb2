//! The instances that are alive in this mapping.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use rustbridge_abi::{RB_LOG_DEBUG, RB_LOG_ERROR, RB_LOG_INFO, RB_LOG_OFF, RB_LOG_WARN};
use tracing_core::LevelFilter;

use super::ambient;
use crate::Host;

/// The instances that are alive.
///
/// One list per copy of this crate, so per library, and exactly that is wanted: `tracing`'s subscriber, the panic hook
/// and the thread marks are per library too, and all of them ask here for whom they work. Instances don't reach each
/// other through it.
static LIVE: RwLock<Live> = RwLock::new(Live {
    hosts: Vec::new(),
    alone: None,
    linked: false,
});

struct Live {
    hosts: Vec<Host>,
    /// The instance that unmarked threads work for: the one that is alone, or was when the second came, because its
    /// calls that were running then have left no mark.
    alone: Option<Host>,
    /// The plugin is part of the host's own binary, so an unmarked thread may well be the host's.
    linked: bool,
}

impl Live {
    fn arrange(&mut self) {
        match self.hosts.as_slice() {
            [] => self.alone = None,
            [host] if !self.linked => self.alone = Some(host.clone()),
            _ => {}
        }
        if self.linked {
            self.alone = None;
        }
        ambient::set_marking(self.linked || self.hosts.len() > 1);
    }
}

fn write<R>(change: impl FnOnce(&mut Live) -> R) -> R {
    change(&mut LIVE.write().unwrap_or_else(PoisonError::into_inner))
}

pub(crate) fn add(host: &Host) {
    write(|live| {
        live.hosts.push(host.clone());
        live.arrange();
    });
    refresh_level();
}

pub(crate) fn remove(host: &Host) {
    write(|live| {
        live.hosts.retain(|other| !other.same(host));
        if live.alone.as_ref().is_some_and(|alone| alone.same(host)) {
            live.alone = None;
        }
        live.arrange();
    });
    refresh_level();
}

/// Says that plugins of this copy are linked into the host's binary.
pub(crate) fn set_linked() {
    write(|live| {
        live.linked = true;
        live.arrange();
    });
}

/// The instance that unmarked threads work for, if there's only one that it can be.
pub(crate) fn alone() -> Option<Host> {
    read().alone.clone()
}

/// The instance that the current thread works for, if that's known.
pub(crate) fn current() -> Option<Host> {
    ambient::marked().or_else(alone)
}

fn read() -> RwLockReadGuard<'static, Live> {
    LIVE.read().unwrap_or_else(PoisonError::into_inner)
}

/// The level of the chattiest instance, which `tracing` compares events with before anything else.
///
/// Per copy of this crate, as `tracing`'s own maximum is. Each instance's own level is asked again for each event.
static MAX_LEVEL: AtomicU32 = AtomicU32::new(RB_LOG_OFF);

/// Held while the maximum is worked out and told to `tracing`, so that of two changes at once the later one stays. Per
/// copy of this crate, like what it guards.
static REFRESHING: Mutex<()> = Mutex::new(());

pub(crate) fn max_level() -> LevelFilter {
    match MAX_LEVEL.load(Ordering::Relaxed) {
        RB_LOG_OFF => LevelFilter::OFF,
        RB_LOG_ERROR => LevelFilter::ERROR,
        RB_LOG_WARN => LevelFilter::WARN,
        RB_LOG_INFO => LevelFilter::INFO,
        RB_LOG_DEBUG => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    }
}

/// Has `log` turn away what no instance wants, as `tracing` does.
fn set_max_level_of_log() {
    let level = match max_level().into_level() {
        None => log::LevelFilter::Off,
        Some(tracing_core::Level::ERROR) => log::LevelFilter::Error,
        Some(tracing_core::Level::WARN) => log::LevelFilter::Warn,
        Some(tracing_core::Level::INFO) => log::LevelFilter::Info,
        Some(tracing_core::Level::DEBUG) => log::LevelFilter::Debug,
        Some(tracing_core::Level::TRACE) => log::LevelFilter::Trace,
    };
    log::set_max_level(level);
}

/// Reads the levels again, and tells `tracing` and `log` if their maximum has changed.
pub(crate) fn refresh_level() {
    let _guard = REFRESHING.lock().unwrap_or_else(PoisonError::into_inner);
    let level = read()
        .hosts
        .iter()
        .map(Host::level_code)
        .max()
        .unwrap_or(RB_LOG_OFF);
    if MAX_LEVEL.swap(level, Ordering::Relaxed) != level {
        tracing_core::callsite::rebuild_interest_cache();
        set_max_level_of_log();
    }
}
