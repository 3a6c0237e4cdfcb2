//! The parts of a service client: the location of its services, and their calls.

use std::fmt;
use std::sync::Arc;

use rustbridge_abi::{self as abi, Status, StatusCode};

use super::answer;
use super::info::ServiceInfo;
use super::link::{Found, InheritedContext, Link, not_there};
use super::parked::ParkedCall;
use super::pending_call::PendingServiceCall;
use super::wire::{Storage, Wire, written};
use crate::{Call, Error, Host, Result};

/// The location of a client's services.
#[doc(hidden)]
pub enum ServiceSource<Local: ?Sized> {
    /// In the host.
    Host(Services),
    /// In this process, for a test.
    Local(Arc<Local>),
}

impl<Local: ?Sized> Clone for ServiceSource<Local> {
    fn clone(&self) -> Self {
        match self {
            ServiceSource::Host(services) => ServiceSource::Host(services.clone()),
            ServiceSource::Local(local) => ServiceSource::Local(Arc::clone(local)),
        }
    }
}

impl<Local: ?Sized> ServiceSource<Local> {
    /// Returns the same services, for calls that belong to `call`.
    #[must_use]
    pub fn within(&self, call: &Call<'_>) -> Self {
        match self {
            ServiceSource::Host(services) => ServiceSource::Host(services.within(call)),
            ServiceSource::Local(local) => ServiceSource::Local(Arc::clone(local)),
        }
    }
}

impl<Local: ?Sized> fmt::Debug for ServiceSource<Local> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServiceSource::Host(services) => services.fmt(f),
            ServiceSource::Local(_) => f.write_str("local"),
        }
    }
}

/// The services of a host that a client calls.
#[doc(hidden)]
#[derive(Clone)]
pub struct Services {
    link: Arc<Link>,
    inherited: InheritedContext,
}

impl Services {
    /// Looks up the services in the host.
    ///
    /// # Errors
    /// If a service is missing that isn't optional.
    pub fn connect(host: &Host, infos: &'static [ServiceInfo]) -> Result<Services> {
        Ok(Services::new(
            host,
            Arc::new(Found::look_up(host, infos)?),
            None,
        ))
    }

    /// Returns the services of an object of the host, which is released with the last clone.
    pub(crate) fn of_object(host: &Host, infos: &'static [ServiceInfo], object: u64) -> Services {
        let found = host.kept(
            |found: &Found| found.is_of(infos),
            || Found::look_up_optional(host, infos),
        );
        Services::new(host, found, Some(object))
    }

    fn new(host: &Host, found: Arc<Found>, object: Option<u64>) -> Services {
        Services {
            link: Arc::new(Link {
                host: host.clone(),
                found,
                object,
            }),
            inherited: InheritedContext::default(),
        }
    }

    pub(crate) fn within(&self, call: &Call<'_>) -> Services {
        Services {
            link: Arc::clone(&self.link),
            inherited: InheritedContext::from(call),
        }
    }

    /// Parks the arguments of a call that have objects.
    pub(crate) fn park<A: Send + 'static>(&self, arguments: A) -> ParkedCall {
        ParkedCall::new(&self.link.host, arguments)
    }

    fn number(&self, service: usize) -> Result<u32> {
        self.link.found.numbers[service].ok_or_else(|| self.absent(service))
    }

    #[cold]
    fn absent(&self, service: usize) -> Error {
        not_there(&self.link.found.infos[service], Status::NotFound)
    }

    /// Calls a service, and waits for its response.
    ///
    /// # Errors
    /// The error of the service, or the reason why it can't be called.
    #[inline]
    pub fn call<W: Wire<Req, Res>, Req, Res>(&self, service: usize, request: Req) -> Result<Res> {
        let name = self.link.found.infos[service].name;
        let number = self.number(service)?;
        let (mut sent, mut storage) = (Storage::new(), Storage::new());
        let sent = written::<W, Req, Res>(name, request, &mut sent)?;
        let mut answer = storage.response();
        let status = self.ask(number, sent.bytes(), &mut answer.response);
        answer::read(status, answer.bytes(), |bytes| W::read(name, bytes))
    }

    #[inline(always)]
    fn ask(&self, number: u32, request: &[u8], response: &mut abi::Response) -> StatusCode {
        let header = self.inherited.header();
        let header = header.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let response: *mut abi::Response = response;
        let call = || {
            self.link
                .found
                .table
                .call
                .map_or(abi::RB_UNIMPLEMENTED, |call| {
                    // SAFETY: the host's own function with the context of its table; what's passed is borrowed for the call.
                    unsafe {
                        call(
                            self.link.context(),
                            number,
                            header,
                            request.as_ptr(),
                            request.len(),
                            response,
                        )
                    }
                })
        };
        #[cfg(feature = "async")]
        return crate::runtime::in_place(call);
        #[cfg(not(feature = "async"))]
        call()
    }

    /// Returns a future that calls a service when it's first polled.
    pub fn start<W: Wire<Req, Res>, Req, Res>(
        &self,
        service: usize,
        request: Req,
    ) -> PendingServiceCall<W, Req, Res> {
        let name = self.link.found.infos[service].name;
        let begun = self.number(service).and_then(|number| {
            let mut storage = Storage::new();
            let sent = written::<W, Req, Res>(name, request, &mut storage)?;
            Ok((number, sent.bytes().to_vec()))
        });
        PendingServiceCall::new(Arc::clone(&self.link), self.inherited.clone(), name, begun)
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.link.found.infos.iter().map(|info| info.name))
            .finish()
    }
}
