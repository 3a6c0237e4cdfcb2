//! Callbacks: objects of the host, behind a trait that the plugin declares.
//!
//! A host's object crosses as a number that the host chose. The plugin makes an object of its own of it, which calls services with that
//! number, and which releases it by a service when the last reference is dropped.

use std::fmt;
use std::sync::Arc;

use rustbridge_abi::Encoding;
use rustbridge_wire::{Type, Typed};

use crate::object::ObjectType;
use crate::service::{ParkedCall, PendingServiceCall, ServiceInfo, Services, Wire};
use crate::{Call, Error, Host, Result};

/// The object that [`#[callback]`](macro@crate::callback) generates from a trait.
pub trait Callback: ObjectType {
    /// The services by which the host's objects are called, in the order of the trait's functions, and the one that releases an object.
    const SERVICES: &'static [ServiceInfo];
    /// The types of the objects that the trait's functions accept and return, by name.
    const OBJECTS: &'static [&'static str];
}

/// Returns the description of the service that releases an object of the host.
#[must_use]
pub const fn release_info(
    name: &'static str,
    receiver: &'static str,
    doc: &'static str,
) -> ServiceInfo {
    ServiceInfo {
        error: None,
        name,
        encoding: Encoding::Wire,
        optional: true,
        doc,
        parameter: "object",
        arguments: false,
        receiver,
        schemas: None,
        layouts: None,
        types: Some((<u64 as Typed>::TYPE, Type::Unit)),
    }
}

/// The implementation of a callback.
pub enum CallbackSource<Local: ?Sized> {
    /// In the host.
    Host(HostObject),
    /// In this process.
    Local(Arc<Local>),
}

impl<Local: ?Sized> CallbackSource<Local> {
    /// Returns the implementation by the host's object with this number.
    ///
    /// # Errors
    /// If the number is 0, which isn't an object's.
    pub fn of_host(host: &Host, infos: &'static [ServiceInfo], object: u64) -> Result<Self> {
        if object == 0 {
            return Err(Error::invalid_argument(
                "0 isn't the number of an object of the host",
            ));
        }
        Ok(CallbackSource::Host(HostObject {
            services: Services::of_object(host, infos, object),
            object,
        }))
    }

    /// Returns the number of the host's object, or 0 if there's none.
    #[must_use]
    pub fn object(&self) -> u64 {
        match self {
            CallbackSource::Host(object) => object.object,
            CallbackSource::Local(_) => 0,
        }
    }

    /// Returns the same implementation, for calls that belong to `call`.
    #[must_use]
    pub fn within(&self, call: &Call<'_>) -> Self {
        match self {
            CallbackSource::Host(object) => CallbackSource::Host(HostObject {
                services: object.services.within(call),
                object: object.object,
            }),
            CallbackSource::Local(local) => CallbackSource::Local(Arc::clone(local)),
        }
    }
}

impl<Local: ?Sized> Clone for CallbackSource<Local> {
    fn clone(&self) -> Self {
        match self {
            CallbackSource::Host(object) => CallbackSource::Host(object.clone()),
            CallbackSource::Local(local) => CallbackSource::Local(Arc::clone(local)),
        }
    }
}

impl<Local: ?Sized> fmt::Debug for CallbackSource<Local> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallbackSource::Host(object) => write!(f, "object {} of the host", object.object),
            CallbackSource::Local(_) => f.write_str("local"),
        }
    }
}

/// An object of the host.
#[derive(Clone)]
pub struct HostObject {
    services: Services,
    object: u64,
}

impl HostObject {
    /// Returns its number.
    #[must_use]
    pub fn object(&self) -> u64 {
        self.object
    }

    /// Parks the arguments of a call that have objects, for as long as the returned value exists.
    pub fn park<A: Send + 'static>(&self, arguments: A) -> ParkedCall {
        self.services.park(arguments)
    }

    /// Calls a function of the object, and waits for its response.
    ///
    /// # Errors
    /// The error of the function, or the reason why it can't be called.
    #[inline]
    pub fn call<W: Wire<Req, Res>, Req, Res>(&self, function: usize, request: Req) -> Result<Res> {
        self.services.call::<W, Req, Res>(function, request)
    }

    /// Returns a future that calls a function of the object when it's first polled.
    pub fn start<W: Wire<Req, Res>, Req, Res>(
        &self,
        function: usize,
        request: Req,
    ) -> PendingServiceCall<W, Req, Res> {
        self.services.start::<W, Req, Res>(function, request)
    }
}
