//! The services that a host registers, the context of their calls, and the check that a plugin finds all that it needs.

use std::cell::OnceCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use rustbridge_abi::{
    CallContext, Encoding, Op, RB_CONTEXT_TIMEOUT, RB_PENDING, Response, Status, StatusCode,
    check_metadata,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::call_threads::CallThreads;
use super::deferred::{self, CancelListener, Pending};
use crate::async_call::queue_table;
use crate::error::{Error, forget_panic};
use crate::library::negotiate::PluginFunctions;
use crate::library::resolved_service::ResolvedService;
use crate::metadata::Metadata;
use crate::registry::table::Handle;
use crate::response::{write_bytes, write_error};

/// A function of the host that a plugin calls. Every closure that accepts a request and the call, and returns bytes or
/// an [`Error`], is a service.
///
/// Any number of services run at once. If the plugin's thread waits for the response, the function is called on that
/// thread, also inside of a call of the host. If an `async fn` of the plugin awaits the response, the function is
/// called on a thread of the core. So it blocks neither the thread that submitted a call nor the plugin's runtime; see
/// [`Load::service_short`](crate::Load::service_short). If the function panics, the plugin receives `INTERNAL` with the
/// panic's message.
pub trait Service: Send + Sync + 'static {
    /// Returns the response to a request.
    ///
    /// # Errors
    /// The plugin gets it whole: status, message, type and details.
    fn call(&self, request: &[u8], call: &ServiceCall<'_>) -> Result<Vec<u8>, Error>;
}

impl<F, R> Service for F
where
    F: Fn(&[u8], &ServiceCall<'_>) -> Result<R, Error> + Send + Sync + 'static,
    R: Into<Vec<u8>>,
{
    fn call(&self, request: &[u8], call: &ServiceCall<'_>) -> Result<Vec<u8>, Error> {
        self(request, call).map(Into::into)
    }
}

/// Creates a service with the encoding JSON from a function that accepts and returns values.
///
/// ```
/// use rustbridge_core::{Encoding, Error, Load, ServiceCall, Status, service_fn};
///
/// let price = service_fn(|id: u64, _: &ServiceCall<'_>| match id {
///     1 => Ok(2.5),
///     _ => Err(Error::failure(Status::NotFound, format!("there's no price of {id}"))),
/// });
/// let load = Load::path("libshop.so").service("prices.get", Encoding::Json, price);
/// # drop(load);
/// ```
pub fn service_fn<Req, Res>(
    function: impl Fn(Req, &ServiceCall<'_>) -> Result<Res, Error> + Send + Sync + 'static,
) -> impl Service
where
    Req: DeserializeOwned,
    Res: Serialize,
{
    move |request: &[u8], call: &ServiceCall<'_>| -> Result<Vec<u8>, Error> {
        let request = serde_json::from_slice(request).map_err(|problem| {
            Error::new(
                Status::InvalidArgument,
                "InvalidRequest",
                format!(
                    "the request of service `{}` isn't a valid {}: {problem}",
                    call.name(),
                    std::any::type_name::<Req>()
                ),
            )
        })?;
        let answer = function(request, call)?;
        serde_json::to_vec(&answer).map_err(|problem| {
            Error::new(
                Status::Internal,
                "InvalidResponse",
                format!(
                    "the answer of service `{}` can't be written as JSON: {problem}",
                    call.name()
                ),
            )
        })
    }
}

/// A service of a binding for another language. Its result has the form of a plugin's.
///
/// # Safety
/// `call` answers by the rules of [`Response`], as far as those can't be checked, and doesn't unwind.
pub unsafe trait RawService: CancelListener + 'static {
    /// Writes the response and returns a status. After [`ServiceCall::later`] has returned a number, `RB_PENDING` means
    /// that [`service_reply`](crate::handles::service_reply) will send the response. Without a number, it means that
    /// the call goes to the service's queue, if the service was registered with one.
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode;

    /// Returns whether `call` may block. Then it's called on a thread of the core if the plugin doesn't wait for the
    /// response. This function is called once.
    fn may_block(&self) -> bool {
        true
    }
}

/// The call that a service answers.
pub struct ServiceCall<'a> {
    pub(super) services: &'a Services,
    pub(super) handle: Handle,
    pub(super) number: u32,
    pub(super) header: Option<&'a CallContext>,
    /// The operation that it's for, or 0.
    pub(super) op: Op,
    pub(super) request: &'a [u8],
    pub(super) pending: OnceCell<Arc<Pending>>,
    /// Whether the calling thread waits for an answer that comes later.
    pub(super) waits: bool,
}

impl<'a> ServiceCall<'a> {
    fn service(&self) -> &'a RegisteredService {
        &self.services.list[self.number as usize]
    }

    /// Returns the service's name, as it was registered.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.service().name
    }

    /// Returns the encoding of request and response.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.service().encoding
    }

    /// Returns the instance that calls.
    #[must_use]
    pub fn instance(&self) -> Handle {
        self.handle
    }

    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> &'a [u8] {
        self.request
    }

    /// Returns the time until the deadline when the call arrived, if the call has a deadline.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        let header = self.header?;
        (header.flags & RB_CONTEXT_TIMEOUT != 0).then(|| Duration::from_nanos(header.timeout_ns))
    }

    /// Returns whether the call that the plugin serves was cancelled, so that the response isn't needed.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        cancelled(self.header).is_some_and(|flag| flag.load(Ordering::Relaxed) != 0)
    }

    /// Returns the metadata of the call that the plugin serves. It's empty unless the plugin passes it on, as plugins
    /// in Rust do.
    #[must_use]
    pub fn metadata(&self) -> Metadata {
        let Some(header) = self.header.filter(|header| !header.metadata.is_null()) else {
            return Metadata::default();
        };
        // SAFETY: looked at as far as can be, and readable by the ABI.
        let bytes = unsafe { std::slice::from_raw_parts(header.metadata, header.metadata_len) };
        if check_metadata(bytes).is_err() {
            return Metadata::default();
        }
        Metadata::from_bytes(bytes.to_vec())
    }

    /// Returns the host's own number for the call that the plugin serves:
    /// [`CallOptions::number`](crate::CallOptions::number). It's 0 if that call has no number or has ended, or if the
    /// plugin calls from a thread of its own without specifying the call.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.header.map_or(0, |header| header.op)
    }

    /// Returns the rest of the call's context, in its form in the ABI.
    #[must_use]
    pub fn header(&self) -> Option<&'a CallContext> {
        self.header
    }

    /// Defers the response: returns the call's number, for [`service_reply`](crate::handles::service_reply). The
    /// function then returns `RB_PENDING`. Each call of this method returns the same number.
    ///
    /// # Errors
    /// `UNAVAILABLE`: the instance is closing. `FAILED_PRECONDITION`: the call was cancelled or its deadline has passed, or this is a
    /// forked child.
    pub fn later(&self) -> Result<u64, Error> {
        let pending = self.begin(self.service().queue)?;
        // Whether or not an event tells of it: it's known by its number. Of one that's over nobody would be told.
        if pending.make_known() {
            Ok(pending.number)
        } else {
            Err(deferred::over(pending.number))
        }
    }

    /// The call as one that's answered later, of which a queue tells, if that isn't 0.
    pub(super) fn begin(&self, queue: u64) -> Result<&Arc<Pending>, Error> {
        if let Some(pending) = self.pending.get() {
            return Ok(pending);
        }
        let service = self.service();
        let told: Arc<dyn CancelListener> = Arc::clone(&service.service) as _;
        let begun = deferred::defer_call(
            self.handle,
            self.number,
            queue,
            told,
            &self.services.is_ended,
        );
        let pending = begun.ok_or_else(|| {
            Error::new(
                Status::Unavailable,
                "Closed",
                format!(
                    "service `{}` can't be deferred: the calling instance is closing",
                    service.name
                ),
            )
        })?;
        Ok(self.pending.get_or_init(|| pending))
    }
}

/// The flag of what a call is for.
fn cancelled(header: Option<&CallContext>) -> Option<&'static AtomicU32> {
    // SAFETY: null, or the flag of an operation, which lives for good; it's the core's, not the plugin's.
    unsafe { header?.cancelled.cast::<AtomicU32>().as_ref() }
}

impl fmt::Debug for ServiceCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceCall")
            .field("name", &self.name())
            .field("encoding", &self.encoding())
            .field("timeout", &self.timeout())
            .finish_non_exhaustive()
    }
}

/// A service in Rust, behind which a panic ends.
struct PanicCatcher<S>(S);

impl<S: Service> CancelListener for PanicCatcher<S> {}

// SAFETY: what it answers is written by this crate, and a panic of the host's is caught.
unsafe impl<S: Service> RawService for PanicCatcher<S> {
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode {
        let run = || self.0.call(call.request, call);
        let answer = catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|payload| Err(Error::of_panic(payload)));
        // SAFETY: the plugin's response, of which the caller has made sure.
        unsafe {
            match answer {
                Ok(bytes) => write_bytes(bytes, response),
                Err(error) => match error.thrown_payload() {
                    Some(payload) => {
                        write_bytes(payload, response);
                        error.status().code()
                    }
                    None => write_error(&error.for_plugin(), response),
                },
            }
        }
    }
}

/// What answers a call by its number.
type Reply = fn(u64, Result<Vec<u8>, Error>) -> Result<(), Error>;

/// Sends the response to a call later, once, from any thread. If it's dropped without a response, the call fails with
/// `INTERNAL`.
///
/// A response that arrives too late is discarded: the call was cancelled, its deadline has passed, or the instance is
/// closed.
#[derive(Debug)]
pub struct ServiceReply {
    number: u64,
    reply: Reply,
}

impl ServiceReply {
    /// Sends the response.
    ///
    /// # Errors
    /// It's too late.
    pub fn answer(self, answer: Result<impl Into<Vec<u8>>, Error>) -> Result<(), Error> {
        let this = std::mem::ManuallyDrop::new(self);
        (this.reply)(this.number, answer.map(Into::into))
    }
}

impl Drop for ServiceReply {
    fn drop(&mut self) {
        let error = Error::new(
            Status::Internal,
            "Unanswered",
            "the host's service dropped the call without an answer",
        );
        let _ = (self.reply)(self.number, Err(error));
    }
}

/// A service in Rust that answers later.
struct Deferred<F> {
    function: F,
    reply: Reply,
}

impl<F: Send + Sync> CancelListener for Deferred<F> {}

// SAFETY: as for `PanicCatcher`.
unsafe impl<F> RawService for Deferred<F>
where
    F: Fn(&[u8], &ServiceCall<'_>, ServiceReply) + Send + Sync + 'static,
{
    fn call(&self, call: &ServiceCall<'_>, response: *mut Response) -> StatusCode {
        let answer = call.later().and_then(|number| {
            let later = ServiceReply {
                number,
                reply: self.reply,
            };
            catch_unwind(AssertUnwindSafe(|| {
                (self.function)(call.request, call, later)
            }))
            .map_err(Error::of_panic)
        });
        match answer {
            Ok(()) => RB_PENDING,
            // SAFETY: as for `PanicCatcher`.
            Err(error) => unsafe { write_error(&error, response) },
        }
    }
}

/// A service as it was registered.
pub(crate) struct RegisteredService {
    pub(crate) name: String,
    pub(crate) encoding: Encoding,
    pub(super) service: Arc<dyn RawService>,
    /// The queue that it goes to, or 0.
    pub(super) queue: u64,
    /// Whether its function may take its time.
    pub(super) may_block: bool,
    /// For a client whose types aren't the plugin's: what becomes of answers that come later. `service` sees to the rest.
    pub(super) resolved: Option<Arc<ResolvedService>>,
}

impl RegisteredService {
    pub(crate) fn new(
        name: String,
        encoding: Encoding,
        service: impl Service,
    ) -> RegisteredService {
        RegisteredService::raw(name, encoding, Arc::new(PanicCatcher(service)))
    }

    /// One whose function returns soon and doesn't block.
    pub(crate) fn short(self) -> RegisteredService {
        RegisteredService {
            may_block: false,
            ..self
        }
    }

    pub(crate) fn later(
        name: String,
        encoding: Encoding,
        function: impl Fn(&[u8], &ServiceCall<'_>, ServiceReply) + Send + Sync + 'static,
        reply: Reply,
    ) -> RegisteredService {
        RegisteredService::raw(name, encoding, Arc::new(Deferred { function, reply })).short()
    }

    pub(crate) fn raw(
        name: String,
        encoding: Encoding,
        service: Arc<dyn RawService>,
    ) -> RegisteredService {
        RegisteredService {
            name,
            encoding,
            may_block: service.may_block(),
            service,
            queue: 0,
            resolved: None,
        }
    }

    /// One that goes to a queue.
    pub(super) fn queued(
        name: String,
        encoding: Encoding,
        queue: u64,
        service: Arc<dyn RawService>,
    ) -> RegisteredService {
        RegisteredService {
            queue,
            ..RegisteredService::raw(name, encoding, service).short()
        }
    }

    pub(super) fn is(&self, name: &str, encoding: &str) -> bool {
        self.name == name && self.encoding.name() == encoding
    }
}

/// All that were registered for an instance; a service's number is its place.
pub(crate) struct Services {
    pub(super) list: Box<[RegisteredService]>,
    pub(super) plugin: &'static PluginFunctions,
    /// No call is answered later any more.
    pub(super) is_ended: AtomicBool,
    /// Calls whose functions run on threads of the core's, and those that wait for one.
    pub(super) apart: CallThreads,
}

impl Services {
    /// Takes what was registered for an instance of this plugin, if that's all that it needs.
    pub(crate) fn take(
        list: Vec<RegisteredService>,
        plugin: &'static PluginFunctions,
        most_threads: u32,
    ) -> Result<Services, Error> {
        let services = Services {
            list: list.into_boxed_slice(),
            plugin,
            is_ended: AtomicBool::new(false),
            apart: CallThreads::new(most_threads),
        };
        services.check_names()?;
        services.check_queues()?;
        services.check_needs()?;
        Ok(services)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Names a service for people.
    pub(crate) fn name_of(&self, number: u32) -> String {
        self.list.get(number as usize).map_or_else(
            || format!("service {number}"),
            |service| format!("service {}", service.name),
        )
    }

    /// All of them, for `inspect`.
    pub(crate) fn shown(&self) -> Vec<Value> {
        self.list
            .iter()
            .map(|service| json!({"name": service.name, "encoding": service.encoding.name()}))
            .collect()
    }

    fn check_names(&self) -> Result<(), Error> {
        for (position, service) in self.list.iter().enumerate() {
            if service.name.is_empty() {
                return Err(Error::new(
                    Status::InvalidArgument,
                    "InvalidService",
                    "a service has no name: register it by the name by which the plugin calls it",
                ));
            }
            let mut before = self.list[..position].iter();
            if before.any(|other| other.is(&service.name, service.encoding.name())) {
                return Err(Error::new(
                    Status::InvalidArgument,
                    "DuplicateService",
                    format!(
                        "the service `{}` is registered twice for {}: register it once for each encoding",
                        service.name, service.encoding
                    ),
                ));
            }
        }
        Ok(())
    }

    fn check_queues(&self) -> Result<(), Error> {
        for service in self.list.iter().filter(|service| service.queue != 0) {
            queue_table::find_queue(service.queue).map_err(|error| {
                let said = format!("service `{}`: {}", service.name, error.message());
                Error::new(error.status(), "InvalidService", said)
            })?;
        }
        Ok(())
    }

    fn check_needs(&self) -> Result<(), Error> {
        let description = &self.plugin.description;
        let missing: Vec<_> = description
            .services
            .iter()
            .filter(|need| !need.optional)
            .filter(|need| {
                !self
                    .list
                    .iter()
                    .any(|service| service.is(&need.name, &need.encoding))
            })
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let named: Vec<String> = missing
            .iter()
            .map(|need| format!("`{}` ({})", need.name, need.encoding))
            .collect();
        let registered: Vec<String> = self
            .list
            .iter()
            .map(|service| format!("`{}` ({})", service.name, service.encoding))
            .collect();
        Err(Error::new(
            Status::FailedPrecondition,
            "MissingService",
            format!(
                "plugin `{}` requires services that aren't registered: {}; registered: {}. Register each by its name and encoding when loading",
                description.name,
                named.join(", "),
                if registered.is_empty() {
                    "none".to_owned()
                } else {
                    registered.join(", ")
                }
            ),
        )
        .with_details(json!({
            "missing": missing
                .iter()
                .map(|need| json!({"name": need.name, "encoding": need.encoding}))
                .collect::<Vec<_>>(),
            "registered": self.shown(),
        })))
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.list.iter().map(|service| &service.name))
            .finish()
    }
}

/// Lets the host have back what it registered; what panics then is nobody's.
pub(crate) fn release_services(services: Option<Box<Services>>) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(services))) {
        forget_panic(payload);
    }
}
