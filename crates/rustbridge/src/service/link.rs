//! The way to a host's services: the table that it gives, and their numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustbridge_abi::{
    self as abi, CallContext, Op, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_EXTENSION_SERVICES,
    ServiceHost, Status, Text,
};

use super::info::ServiceInfo;
use super::unreleased::Unreleased;
use crate::{Call, Error, Host, Result};

/// The way to them.
pub(super) struct Link {
    pub(super) host: Host,
    pub(super) found: Arc<Found>,
    /// For the functions of a callback: the number of the host's object, which is released with this value.
    pub(super) object: Option<u64>,
}

/// The services that an instance has looked up in its host. It doesn't keep the host, which keeps it.
pub(super) struct Found {
    pub(super) table: ServiceHost,
    pub(super) infos: &'static [ServiceInfo],
    /// By the index in `infos`; none for an optional service that isn't registered.
    pub(super) numbers: Box<[Option<u32>]>,
    unreleased: Unreleased,
}

impl Found {
    /// Looks up services.
    ///
    /// # Errors
    /// If a service is missing that isn't optional.
    pub(super) fn look_up(host: &Host, infos: &'static [ServiceInfo]) -> Result<Found> {
        let numbers = infos
            .iter()
            .map(|info| match find_service(host, info) {
                Ok(number) => Ok(Some(number)),
                Err(_) if info.optional => Ok(None),
                Err(error) => Err(error),
            })
            .collect::<Result<_>>()?;
        Ok(Found::new(host, infos, numbers))
    }

    /// Looks up services that are all optional.
    pub(super) fn look_up_optional(host: &Host, infos: &'static [ServiceInfo]) -> Found {
        let numbers = infos.iter().map(|info| find_service(host, info).ok());
        Found::new(host, infos, numbers.collect())
    }

    fn new(host: &Host, infos: &'static [ServiceInfo], numbers: Box<[Option<u32>]>) -> Found {
        Found {
            // If there's no host, no service was found, and none is called.
            table: table(host).unwrap_or(ServiceHost::EMPTY),
            infos,
            numbers,
            unreleased: Unreleased::default(),
        }
    }

    /// Returns whether these are the services of `infos`.
    pub(super) fn is_of(&self, infos: &'static [ServiceInfo]) -> bool {
        // A constant may have several addresses.
        std::ptr::eq(self.infos, infos)
            || self.infos.len() == infos.len()
                && std::iter::zip(self.infos, infos).all(|(one, other)| one.name == other.name)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let Found {
            table,
            numbers,
            unreleased,
            ..
        } = &*self.found;
        // The last service is the one that releases.
        if let (Some(object), Some(Some(release))) = (self.object, numbers.last()) {
            unreleased.release(self.host.context(), table, *release, object);
        }
    }
}

/// What service calls take over from the call that they are made for.
#[derive(Clone, Default)]
pub(super) struct InheritedContext {
    op: Op,
    deadline: Option<Instant>,
    trace: Option<([u8; 16], [u8; 8], u32)>,
    trace_state: Option<Arc<str>>,
    metadata: Option<Arc<[u8]>>,
}

impl Link {
    pub(super) fn context(&self) -> *mut std::ffi::c_void {
        self.host.context()
    }
}

/// The host's table.
pub(super) fn table(host: &Host) -> Result<ServiceHost> {
    let table = host.extension(RB_EXTENSION_SERVICES).cast::<ServiceHost>();
    let none = || {
        Error::new(
            Status::Unimplemented,
            "the host offers no services: it has an older version of rustbridge, or is a test's detached host",
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
pub(super) fn find_service(host: &Host, info: &ServiceInfo) -> Result<u32> {
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
pub(super) fn not_there(info: &ServiceInfo, status: Status) -> Error {
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

impl InheritedContext {
    pub(super) fn from(call: &Call<'_>) -> InheritedContext {
        let Some(context) = call.context() else {
            return InheritedContext::default();
        };
        let trace = context.trace();
        InheritedContext {
            op: context.op(),
            deadline: context.deadline(),
            trace: trace
                .as_ref()
                .map(|trace| (trace.id(), trace.span_id(), trace.flags())),
            trace_state: trace
                .map(|trace| trace.state())
                .filter(|state| !state.is_empty())
                .map(Arc::from),
            metadata: Some(context.metadata_bytes())
                .filter(|bytes| !bytes.is_empty())
                .map(Arc::from),
        }
    }

    /// What a call says now; nothing if there's nothing to say.
    #[inline(always)]
    pub(super) fn header(&self) -> Option<CallContext> {
        let is_empty = self.op == 0
            && self.deadline.is_none()
            && self.trace.is_none()
            && self.metadata.is_none();
        if is_empty {
            return None;
        }
        Some(self.said())
    }

    #[cold]
    fn said(&self) -> CallContext {
        let mut header = CallContext {
            op: self.op,
            ..CallContext::EMPTY
        };
        if let Some(deadline) = self.deadline {
            let left: Duration = deadline.saturating_duration_since(Instant::now());
            header.flags |= RB_CONTEXT_TIMEOUT;
            header.timeout_ns = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
        }
        if let Some((trace_id, span_id, flags)) = self.trace {
            header.flags |= RB_CONTEXT_TRACE;
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
        if let Some(metadata) = &self.metadata {
            header.metadata = metadata.as_ptr();
            header.metadata_len = metadata.len();
        }
        header
    }
}
