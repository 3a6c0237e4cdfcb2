//! The instances that are alive in this mapping.

use std::sync::{PoisonError, RwLock};

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
}

pub(crate) fn remove(host: &Host) {
    write(|live| {
        live.hosts.retain(|other| !other.same(host));
        if live.alone.as_ref().is_some_and(|alone| alone.same(host)) {
            live.alone = None;
        }
        live.arrange();
    });
}

/// Says that plugins of this copy are linked into the host's binary.
pub(crate) fn set_linked() {
    write(|live| {
        live.linked = true;
        live.arrange();
    });
}

/// The instance that the current thread works for, if that's known.
pub(crate) fn current() -> Option<Host> {
    ambient::marked().or_else(|| {
        LIVE.read()
            .unwrap_or_else(PoisonError::into_inner)
            .alone
            .clone()
    })
}
