//! The registry of all mapped libraries and open instances in this process.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustbridge_abi::Level;
use serde_json::{Value, json};

use super::roster::{Instance, find_instance};
use super::target::{INSTANCES, Target};
use crate::async_call::{caller, objects};
use crate::library::known_libraries;
use crate::registry::guard::Place;
use crate::registry::thread_slots;
use crate::state::State;

/// Returns the registry of mapped libraries and open instances in this process, as a JSON object.
///
/// `mappings` has one object for each mapped library:
///
/// * `hash`, `size`, `source`, `kind`, `own_copy`, and the number of open instances that pin it
/// * `inherited`, for a mapping from before a fork
/// * `plugin`, `version`, `debug` and `tag`, or `refused`
///
/// A `kind` is `memory` or `file` for a private copy, `place` for a library that is mapped from its own file because it
/// finds other libraries next to it, or `linked`.
///
/// `instances` has one object for each open instance:
///
/// * `handle`, `name`, `plugin`, `tag`, `state`, `log_level`, `log`
/// * `in_flight`, the number of calls that have started and haven't ended
/// * `pending`, the methods of pending calls, including streams, with the number of calls of each
/// * `objects`, the number of returned objects that haven't been dropped
///
/// `threads` is the largest number of threads that ever called at the same time. Leases (responses that a host hasn't
/// released) aren't tracked: they need only the mapping, which is permanent.
///
/// ```
/// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
/// use rustbridge_core::Load;
/// // SAFETY: this is our own plugin, whose entry point follows the ABI.
/// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.name("mine").open()?;
/// let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
/// assert_eq!(report["instances"][0]["name"], "mine");
/// assert_eq!(report["instances"][0]["state"], "active");
/// # Ok::<(), rustbridge_core::Error>(())
/// ```
#[must_use]
pub fn inspect() -> String {
    let instances: Vec<Arc<Instance>> = INSTANCES
        .handles()
        .into_iter()
        .filter_map(|handle| find_instance(handle).ok())
        .collect();
    let forks = known_libraries::forks();
    let mappings: Vec<Value> = known_libraries::all()
        .into_iter()
        .map(|mapping| {
            let count = instances
                .iter()
                .filter(|instance| std::ptr::eq(instance.mapping, mapping))
                .count();
            let mut entry = json!({
                "kind": mapping.kind,
                "source": mapping.source,
                "size": mapping.size,
                "hash": format!("{:032x}", mapping.hash),
                "own_copy": mapping.own,
                "inherited": mapping.forks != forks,
                "instances": count,
            });
            match &mapping.plugin {
                Ok(plugin) => {
                    entry["tag"] = plugin.tag.into();
                    entry["plugin"] = plugin.description.name.as_str().into();
                    entry["version"] = plugin.description.version.as_str().into();
                    entry["debug"] = plugin.description.debug.into();
                }
                Err(error) => entry["refused"] = error.message().into(),
            }
            entry
        })
        .collect();
    let instances: Vec<Value> = instances
        .iter()
        .map(|instance| describe(instance))
        .collect();
    json!({"mappings": mappings, "instances": instances, "threads": thread_slots::count()})
        .to_string()
}

fn describe(instance: &Instance) -> Value {
    let slot = INSTANCES.slot(instance.handle);
    let counted = slot.counted().load(std::sync::atomic::Ordering::Relaxed);
    let log = instance.logger.figures();
    let mut pending = BTreeMap::new();
    for entry in caller::pending_entries(instance.handle) {
        *pending.entry(entry).or_insert(0_usize) += 1;
    }
    let running = thread_slots::running(Place::of::<Target>(instance.handle)).len();
    json!({
        "handle": instance.handle,
        "name": instance.name,
        "plugin": instance.plugin.description.name,
        "tag": instance.plugin.tag,
        "state": INSTANCES.state(instance.handle).map_or("starting", State::name),
        "in_flight": running + counted as usize + pending.values().sum::<usize>(),
        "pending": pending
            .into_iter()
            .map(|(entry, calls)| json!({"method": instance.plugin.name_of(entry), "calls": calls}))
            .collect::<Vec<_>>(),
        "services": instance.lock_services().as_ref().map_or_else(Vec::new, |services| services.shown()),
        "objects": objects::count(instance.handle),
        "log_level": Level::from_code(log.level).map_or("OFF", Level::name),
        "log": {
            "delivered": log.delivered,
            "waiting": log.waiting,
            "dropped": log.dropped,
            "sink_panics": log.sink_panics,
        },
    })
}
