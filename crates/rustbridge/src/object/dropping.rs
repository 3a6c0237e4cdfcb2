//! The host's last hold of an object goes.

use std::ffi::c_void;

use rustbridge_abi::ObjectsExtension;

use super::Address;
use crate::contain::contained;
use crate::instance::Core;
use crate::logging::ambient;

/// What the core finds under `rb.objects/1`. For any plugin of ours: an object itself knows how it's dropped.
pub(crate) static EXTENSION: ObjectsExtension = ObjectsExtension {
    drop: Some(drop_object),
    ..ObjectsExtension::EMPTY
};

unsafe extern "C" fn drop_object(instance: *mut c_void, object: u64) {
    // SAFETY: an instance leads with its core, and is alive, by the ABI.
    let core = unsafe { &*instance.cast::<Core>() };
    // Its destructor is the author's, so it may log, and what it logs is this instance's.
    let _scope = ambient::Scope::enter(core.host().clone());
    // SAFETY: the core drops what it was given, once.
    let address = unsafe { Address::from_number(object) };
    // A panic is logged by the hook, and harms nobody else.
    contained(|| drop(address));
}
