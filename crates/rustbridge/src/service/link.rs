//! The way to a host's services: the table that it gives, and their numbers.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustbridge_abi::{
    self as abi, CallHeader, Op, RB_EXTENSION_SERVICES, RB_HEADER_TIMEOUT, RB_HEADER_TRACE,
    ServiceHost, Status, StatusCode, Text,
};

use super::answer;
use super::calling::Calling;
use super::info::ServiceInfo;
use super::wire::{Storage, Wire, written};
use crate::{Call, Error, Host, Result};

/// Where a client's services are.
#[doc(hidden)]
pub enum Of<Fake: ?Sized> {
    /// With the host.
    Host(Services),
    /// In a test.
    Fake(Arc<Fake>),
}

impl<Fake: ?Sized> Clone for Of<Fake> {
    fn clone(&self) -> Self {
        match self {
            Of::Host(services) => Of::Host(services.clone()),
            Of::Fake(fake) => Of::Fake(Arc::clone(fake)),
        }
    }
}

impl<Fake: ?Sized> Of<Fake> {
    /// The same services, called as part of a call.
    #[must_use]
    pub fn within(&self, call: &Call<'_>) -> Self {
        match self {
            Of::Host(services) => Of::Host(services.within(call)),
            Of::Fake(fake) => Of::Fake(Arc::clone(fake)),
        }
    }
}

impl<Fake: ?Sized> fmt::Debug for Of<Fake> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Of::Host(services) => services.fmt(f),
            Of::Fake(_) => f.write_str("a fake"),
        }
    }
}

/// Services of a host's.
#[doc(hidden)]
#[derive(Clone)]
pub struct Services {
    link: Arc<Link>,
    inherited: Inherited,
}

pub(super) struct Link {
    host: Host,
    pub(super) table: ServiceHost,
    infos: &'static [ServiceInfo],
    /// By the place in `infos`; none for one that's optional and isn't there.
    numbers: Box<[Option<u32>]>,
}

/// What service calls take over from the call that they are made for.
#[derive(Clone, Default)]
pub(super) struct Inherited {
    op: Op,
    deadline: Option<Instant>,
    trace: Option<([u8; 16], [u8; 8], u32)>,
    trace_state: Option<Arc<str>>,
}

impl Link {
    pub(super) fn context(&self) -> *mut std::ffi::c_void {
        self.host.context()
    }
}

/// The host's table.
fn table(host: &Host) -> Result<ServiceHost> {
    let table = host.extension(RB_EXTENSION_SERVICES).cast::<ServiceHost>();
    let none = || {
        Error::new(
            Status::Unimplemented,
            "there are no services here: the host is of a version before them, or a test's detached one",
        )
        .with_type("rustbridge.NoServices")
    };
    if table.is_null() || !table.is_aligned() {
        return Err(none());
    }
    // SAFETY: what a host gives under this name is its table, as long as it says.
    let table = unsafe { abi::read(table) }.map_err(|_| none())?;
    if table.find.is_none() || table.call.is_none() || table.start.is_none() {
        return Err(none());
    }
    Ok(table)
}

/// The number of a service.
pub(super) fn find(host: &Host, info: &ServiceInfo) -> Result<u32> {
    let table = table(host)?;
    let mut number = 0;
    let status = table.find.map_or(abi::RB_UNIMPLEMENTED, |find| {
        // SAFETY: the host's own function with the context of its table; the name lives for good.
        unsafe {
            find(
                host.context(),
                Text::new(info.name),
                info.encoding.code(),
                &raw mut number,
            )
        }
    });
    match Status::from_code(status) {
        Status::Ok => Ok(number),
        other => Err(not_there(info, other)),
    }
}

#[cold]
fn not_there(info: &ServiceInfo, status: Status) -> Error {
    let why = match status {
        Status::NotFound => "isn't registered",
        Status::Unimplemented => "is registered in another encoding",
        _ => "can't be found now",
    };
    Error::new(
        status,
        format!(
            "service `{}` ({}) {why}: the host registers it when it loads the plugin",
            info.name, info.encoding
        ),
    )
    .with_type("rustbridge.NoSuchService")
}

impl Services {
    /// Finds them all.
    ///
    /// # Errors
    /// For one that isn't there, unless it's optional.
    pub fn connect(host: &Host, infos: &'static [ServiceInfo]) -> Result<Services> {
        let numbers = infos
            .iter()
            .map(|info| match find(host, info) {
                Ok(number) => Ok(Some(number)),
                Err(_) if info.optional => Ok(None),
                Err(error) => Err(error),
            })
            .collect::<Result<_>>()?;
        Ok(Services {
            link: Arc::new(Link {
                host: host.clone(),
                // Of a host that isn't there, where all are optional, nothing is called.
                table: table(host).unwrap_or(ServiceHost::EMPTY),
                infos,
                numbers,
            }),
            inherited: Inherited::default(),
        })
    }

    fn within(&self, call: &Call<'_>) -> Services {
        Services {
            link: Arc::clone(&self.link),
            inherited: Inherited::from(call),
        }
    }

    fn number(&self, service: usize) -> Result<u32> {
        self.link.numbers[service].ok_or_else(|| self.absent(service))
    }

    #[cold]
    fn absent(&self, service: usize) -> Error {
        not_there(&self.link.infos[service], Status::NotFound)
    }

    /// Calls a service, and waits for its answer.
    ///
    /// # Errors
    /// What the service answers, and why it can't be called.
    #[inline]
    pub fn call<W: Wire<Req, Res>, Req, Res>(&self, service: usize, request: Req) -> Result<Res> {
        let name = self.link.infos[service].name;
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
            self.link.table.call.map_or(abi::RB_UNIMPLEMENTED, |call| {
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

    /// Begins to call a service when it's first polled.
    pub fn start<W: Wire<Req, Res>, Req, Res>(
        &self,
        service: usize,
        request: Req,
    ) -> Calling<W, Req, Res> {
        let name = self.link.infos[service].name;
        let begun = self.number(service).and_then(|number| {
            let mut storage = Storage::new();
            let sent = written::<W, Req, Res>(name, request, &mut storage)?;
            Ok((number, sent.bytes().to_vec()))
        });
        Calling::new(Arc::clone(&self.link), self.inherited.clone(), name, begun)
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.link.infos.iter().map(|info| info.name))
            .finish()
    }
}

impl Inherited {
    fn from(call: &Call<'_>) -> Inherited {
        let Some(context) = call.context() else {
            return Inherited::default();
        };
        let trace = context.trace();
        Inherited {
            op: context.op(),
            deadline: context.deadline(),
            trace: trace
                .as_ref()
                .map(|trace| (trace.id(), trace.span_id(), trace.flags())),
            trace_state: trace
                .map(|trace| trace.state())
                .filter(|state| !state.is_empty())
                .map(Arc::from),
        }
    }

    /// What a call says now; nothing if there's nothing to say.
    #[inline(always)]
    pub(super) fn header(&self) -> Option<CallHeader> {
        if self.op == 0 && self.deadline.is_none() && self.trace.is_none() {
            return None;
        }
        Some(self.said())
    }

    #[cold]
    fn said(&self) -> CallHeader {
        let mut header = CallHeader {
            op: self.op,
            ..CallHeader::EMPTY
        };
        if let Some(deadline) = self.deadline {
            let left: Duration = deadline.saturating_duration_since(Instant::now());
            header.flags |= RB_HEADER_TIMEOUT;
            header.timeout_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
        }
        if let Some((trace_id, span_id, flags)) = self.trace {
            header.flags |= RB_HEADER_TRACE;
            header.trace_id = trace_id;
            header.span_id = span_id;
            header.trace_flags = flags;
            if let Some(state) = &self.trace_state {
                header.trace_state = Text {
                    data: state.as_ptr().cast(),
                    len: state.len(),
                };
            }
        }
        header
    }
}
