//! Where a handler's `&self` comes from.

use std::ffi::c_void;
use std::slice;

use rustbridge_abi::{CallContext, Growing, Status};

use super::{ObjectType, shell};
use crate::handler::Way;
use crate::instance::{Core, Instance};
use crate::{Error, Host, Plugin};

/// The plugin's own value.
#[derive(Debug)]
pub enum OfPlugin {}

/// The instance's host, for a method that creates an object.
#[derive(Debug)]
pub enum OfHost {}

/// No value, for a constructor or an associated function.
#[derive(Debug)]
pub enum OfClass {}

/// The type that `#[object]` generates for the functions without a receiver.
pub trait Class: Send + Sync + Sized + 'static {
    /// Its only value.
    const INSTANCE: &'static Self;
}

/// The first of the objects that are lent to the call.
#[derive(Debug)]
pub enum OfObject {}

impl<P: Plugin> Way<P> for OfPlugin {
    const RECEIVER: &'static str = "";
    const IS_LENT: bool = false;

    #[inline(always)]
    unsafe fn receive<'a>(
        instance: *mut c_void,
        _header: *const CallContext,
        _method: &'static str,
    ) -> Result<&'a P, Error> {
        // SAFETY: the caller's promise.
        Ok(unsafe { &(*instance.cast::<Instance<P>>()).value })
    }
}

impl<C: Class> Way<C> for OfClass {
    const RECEIVER: &'static str = "";
    const IS_LENT: bool = false;

    #[inline(always)]
    unsafe fn receive<'a>(
        _instance: *mut c_void,
        _header: *const CallContext,
        _method: &'static str,
    ) -> Result<&'a C, Error> {
        Ok(C::INSTANCE)
    }
}

impl Way<Host> for OfHost {
    const RECEIVER: &'static str = "";
    const IS_LENT: bool = false;

    #[inline(always)]
    unsafe fn receive<'a>(
        instance: *mut c_void,
        _header: *const CallContext,
        _method: &'static str,
    ) -> Result<&'a Host, Error> {
        // SAFETY: the caller's promise; an instance leads with its core.
        Ok(unsafe { &*instance.cast::<Core>() }.host())
    }
}

impl<T: ObjectType> Way<T> for OfObject {
    const RECEIVER: &'static str = T::NAME;
    const IS_LENT: bool = true;

    #[inline(always)]
    unsafe fn receive<'a>(
        _instance: *mut c_void,
        header: *const CallContext,
        method: &'static str,
    ) -> Result<&'a T, Error> {
        // SAFETY: the caller's promise.
        let Some(&address) = unsafe { lent(header) }.first() else {
            return Err(no_receiver(method, T::NAME));
        };
        // SAFETY: what the core lends is an address that this plugin gave, which isn't dropped before the call is over: so a
        // reference will do, and the count needn't be touched.
        match unsafe { shell::<T>(address) } {
            Ok(shell) => Ok(&shell.value),
            Err(found) => Err(wrong_receiver(method, found, T::NAME)),
        }
    }
}

/// The objects that a call is lent.
///
/// # Safety
/// The header is null or as the ABI says, for `'a`.
#[inline(always)]
pub(super) unsafe fn lent<'a>(header: *const CallContext) -> &'a [u64] {
    // SAFETY: the caller's promise; each version's has its size in front, and the first version's has the objects.
    unsafe {
        if header.is_null() || ((*header).size as usize) < CallContext::SIZE_1_0 {
            return &[];
        }
        let (objects, count) = ((*header).objects, (*header).object_count);
        if objects.is_null() {
            &[]
        } else {
            slice::from_raw_parts(objects, count as usize)
        }
    }
}

#[cold]
#[inline(never)]
fn no_receiver(method: &str, expected: &str) -> Error {
    Error::new(
        Status::FailedPrecondition,
        format!(
            "`{method}` is a method of an object, but the call borrows none: put the `{expected}` first in `objects` of the call context"
        ),
    )
    .with_type("rustbridge.NoReceiver")
}

#[cold]
#[inline(never)]
fn wrong_receiver(method: &str, found: &str, expected: &str) -> Error {
    Error::invalid_argument(format!(
        "object 0 of the call of `{method}` is a `{found}`, expected a `{expected}`"
    ))
    .with_type("rustbridge.WrongObject")
}
