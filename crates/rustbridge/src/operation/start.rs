//! The monomorphised starts: one function per handler and encoding, next to its [`Entry`](crate::signature::Entry).
//!
//! Each start reads the request and creates the handler's future, iterator or work. It either completes the call at once or leaves a task.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::slice;
#[cfg(feature = "async")]
use std::task::Poll;

use rustbridge_abi::{
    AsyncHost, CallContext, RB_CONTEXT_OFFLOAD, RB_PENDING, Response, Status, StatusCode,
};

use super::bodies::{BlockingBody, IteratorBody, RequestBox, Work};
use super::form::Form;
use super::task::new_task::{NewTask, Seed};
use super::task::target::Target;
use super::task::{Body, Head};
use super::thread;
use crate::call::Call;
#[cfg(feature = "async")]
use crate::handler::{AsyncHandler, StreamHandler};
use crate::handler::{BlockingHandler, Handler, IterHandler, Way};
use crate::instance::Core;
use crate::items::Items;
use crate::logging::ambient;
use crate::object::{self, Address};
use crate::response::Reply;
#[cfg(feature = "async")]
use crate::runtime::{self, RuntimeGuard};
use crate::{Error, Result, panics};

/// The arguments of a start.
pub(crate) struct StartArguments {
    pub(crate) instance: *mut c_void,
    pub(crate) header: *const CallContext,
    pub(crate) request: *const u8,
    pub(crate) request_len: usize,
    pub(crate) response: *mut Response,
    pub(crate) task: *mut *mut c_void,
}

impl StartArguments {
    /// Returns whether no code of the handler may run on this thread.
    ///
    /// # Safety
    /// The call context is the caller's.
    unsafe fn is_offloaded(&self) -> bool {
        // SAFETY: the caller's promise; the flags are in every version's header.
        !self.header.is_null() && unsafe { (*self.header).flags } & RB_CONTEXT_OFFLOAD != 0
    }
}

/// The result of a start: the call has completed, or there is a task.
pub(crate) enum StartResult {
    #[cfg(feature = "async")]
    Over(StatusCode),
    Pending(NonNull<Head>),
}

/// The values from which a body is created.
struct Parts<H: Handler> {
    plugin: &'static H::Plugin,
    request: H::Request<'static>,
    items: Items<H::Item>,
    call: &'static Call<'static>,
    target: Target,
}

/// Runs `body`, catches panics, and returns the status of the start.
///
/// # Safety
/// The core is that of the called instance, and `given` is as for a [`Start`].
pub(crate) unsafe fn guarded(
    core: &Core,
    given: &StartArguments,
    body: impl FnOnce() -> Result<StartResult>,
) -> StatusCode {
    let mark = ambient::mark(core.host());
    let StartArguments { response, task, .. } = *given;
    // SAFETY: the caller's response, which nobody else writes to before it's passed on.
    let status = unsafe {
        let reply = Reply::new(response);
        // An error is the author's, too: it's asked what it is, and dropped, where a panic can do no harm.
        let start = || match body() {
            Ok(started) => Ok(started),
            Err(error) => Err(reply.error(&error)),
        };
        match catch_unwind(AssertUnwindSafe(start)) {
            #[cfg(feature = "async")]
            Ok(Ok(StartResult::Over(status))) => status,
            Ok(Ok(StartResult::Pending(head))) => {
                task.write(head.as_ptr().cast());
                RB_PENDING
            }
            Ok(Err(status)) => status,
            Err(payload) => panics::report(payload, Reply::after_panic(response)),
        }
    };
    ambient::unmark(mark);
    status
}

/// Returns the host's table. Without it, completions can't be reported.
pub(crate) fn host_of(core: &Core) -> Result<AsyncHost> {
    core.async_host().ok_or_else(|| {
        Error::new(
            Status::FailedPrecondition,
            "the host lacks the extension `rb.async/1` for asynchronous calls: use `call`",
        )
        .with_type("rustbridge.NoAsyncHost")
    })
}

/// Creates a task for a call that has none yet.
///
/// # Safety
/// As for [`guarded`], with the core of that instance.
unsafe fn start_task<H: Handler, F: Form<H>, B: Body>(
    core: &Core,
    given: &StartArguments,
    make: impl FnOnce(Parts<H>) -> Result<B>,
) -> Result<NewTask> {
    let host = host_of(core)?;
    // SAFETY: the header is the caller's, and there until `start` returns.
    let mut begun = unsafe {
        NewTask::new::<B>(Seed {
            core: NonNull::from(core),
            host,
            header: given.header,
            response: given.response,
            beside: object::place(given.header),
            takes_items: H::TAKES_ITEMS,
        })
    };
    let items = match &begun.head().inbox {
        Some(inbox) => Items::received(inbox.clone(), F::item),
        None => Items::none(),
    };
    let bytes: &'static [u8] = if given.request_len == 0 {
        &[]
    } else {
        // SAFETY: the request is the caller's, readable until this returns. It's read below, and a request that doesn't borrow
        // holds nothing of it afterwards; one that does borrows the copy, which stays.
        unsafe {
            let bytes = slice::from_raw_parts(given.request, given.request_len);
            if H::BORROWS {
                begun.keep_request(bytes)
            } else {
                bytes
            }
        }
    };
    // SAFETY: the header is the caller's. What's lent is there until the task has ended, by which time the body is gone.
    let (plugin, request): (&'static H::Plugin, _) = unsafe {
        let plugin = H::Way::receive(given.instance, given.header, H::METHOD)?;
        let request = object::reading::<H, _>(given.header, || F::read(bytes))?;
        (plugin, request)
    };
    let call =
        begun.keep_call(|core, context| Call::of_task(H::METHOD, F::ENCODING, core, context));
    let body = make(Parts {
        plugin,
        request,
        items,
        call,
        target: begun.target(),
    })?;
    // SAFETY: made for this type.
    unsafe { begun.put(body) };
    if let Some(inbox) = &begun.head().inbox {
        inbox.open();
    }
    Ok(begun)
}

/// Returns the function that receives a handler's result.
fn reply_to<H: Handler, F: Form<H>>(
    target: Target,
) -> impl for<'a> FnOnce(Result<H::Response<'a>>) -> StatusCode + Send + 'static {
    move |result: Result<H::Response<'_>>| {
        // SAFETY: it's called from inside the body, and once.
        let reply = unsafe { target.reply() };
        match result {
            Ok(value) => {
                let (status, objects) = object::writing::<H>(|| F::write(value, reply));
                if H::RETURNS_OBJECTS {
                    // SAFETY: as above; that there's a place was seen before.
                    unsafe { object::put(objects, target.beside()) };
                }
                status
            }
            Err(error) => reply.error(&error),
        }
    }
}

/// Writes an item, and adds its objects.
fn write_item<H: Handler, F: Form<H>>(
    value: H::Response<'static>,
    reply: Reply,
    objects: &mut Vec<Address>,
) -> StatusCode {
    let (status, given) = object::writing::<H>(|| F::write(value, reply));
    if H::RETURNS_OBJECTS {
        objects.extend(given);
    }
    status
}

/// A kind of handler, and how its calls start.
pub(crate) trait Starter {
    /// Starts a call.
    ///
    /// # Safety
    /// As for [`guarded`], with the core of that instance.
    unsafe fn begin(core: &Core, given: &StartArguments) -> Result<StartResult>;
}

/// Starts a call of the kind `S`.
///
/// # Safety
/// See [`Start`](crate::signature::Start).
pub(crate) unsafe extern "C" fn start<S: Starter>(
    instance: *mut c_void,
    _entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode {
    let given = StartArguments {
        instance,
        header,
        request,
        request_len,
        response,
        task,
    };
    // SAFETY: the caller passes an instance of this plugin, which leads with its core.
    let core = unsafe { &*instance.cast::<Core>() };
    // SAFETY: the parameters are the caller's.
    unsafe { guarded(core, &given, || S::begin(core, &given)) }
}

/// An async handler.
#[cfg(feature = "async")]
pub(crate) struct Futures<H, F>(PhantomData<(H, F)>);

#[cfg(feature = "async")]
impl<H: AsyncHandler, F: Form<H>> Starter for Futures<H, F>
where
    H::Request<'static>: Send,
{
    unsafe fn begin(core: &Core, given: &StartArguments) -> Result<StartResult> {
        let runtime = runtime::of(core.host())?;
        let _context = RuntimeGuard::of(runtime);
        // SAFETY: the caller's promise.
        let mut begun = unsafe {
            start_task::<H, F, _>(core, given, |parts| {
                let reply = reply_to::<H, F>(parts.target);
                Ok(super::bodies::Future(H::run(
                    parts.plugin,
                    parts.request,
                    parts.items,
                    parts.call,
                    reply,
                )))
            })?
        };
        // The items of a stream can't be there yet. An answer that may have objects needs a place for them, as its end has later.
        // SAFETY: the header is the caller's.
        let has_place = unsafe { object::has_place::<H>(given.header) }.is_ok();
        // SAFETY: as above.
        let may_stay = !unsafe { given.is_offloaded() };
        if !H::SPAWN && !H::TAKES_ITEMS && has_place && may_stay {
            if let Poll::Ready(status) = begun.poll() {
                begun.write_beside();
                return Ok(StartResult::Over(status));
            }
        }
        Ok(StartResult::Pending(super::drive::spawn(begun, runtime)))
    }
}

/// A handler that returns a stream.
#[cfg(feature = "async")]
pub(crate) struct Streams<H, F>(PhantomData<(H, F)>);

#[cfg(feature = "async")]
impl<H: StreamHandler, F: Form<H>> Starter for Streams<H, F>
where
    H::Request<'static>: Send,
{
    unsafe fn begin(core: &Core, given: &StartArguments) -> Result<StartResult> {
        let runtime = runtime::of(core.host())?;
        let _context = RuntimeGuard::of(runtime);
        // SAFETY: the caller's promise. The request is kept beside what borrows it, and goes after.
        let begun = unsafe {
            let may_stay = !given.is_offloaded();
            start_task::<H, F, _>(core, given, |parts| {
                let (plugin, items, call) = (parts.plugin, parts.items, parts.call);
                let request = RequestBox::new(parts.request);
                let lent = MovedRequest(request.lend());
                let make = move || H::stream(plugin, lent.request(), items, call);
                Ok(if may_stay {
                    super::bodies::StreamBody::made(make()?, request, write_item::<H, F>)
                } else {
                    super::bodies::StreamBody::of(make, request, write_item::<H, F>)
                })
            })?
        };
        Ok(StartResult::Pending(super::drive::spawn(begun, runtime)))
    }
}

/// A handler that returns an iterator. It runs on the threads that request items, unless it also waits for items or these threads mustn't
/// be blocked.
pub(crate) struct Iterators<H, F>(PhantomData<(H, F)>);

impl<H: IterHandler, F: Form<H>> Starter for Iterators<H, F>
where
    H::Request<'static>: Send,
{
    unsafe fn begin(core: &Core, given: &StartArguments) -> Result<StartResult> {
        // SAFETY: the caller's promise.
        if H::TAKES_ITEMS || unsafe { given.is_offloaded() } {
            // SAFETY: as above. The request is kept beside what borrows it, and goes after.
            let begun = unsafe {
                start_task::<H, F, _>(core, given, |parts| {
                    let (plugin, items, call) = (parts.plugin, parts.items, parts.call);
                    let request = RequestBox::new(parts.request);
                    let lent = MovedRequest(request.lend());
                    Ok(BlockingBody {
                        make: Some(move || H::iterate(plugin, lent.request(), items, call)),
                        items: None,
                        _request: request,
                        write: write_item::<H, F>,
                    })
                })?
            };
            return Ok(StartResult::Pending(thread::spawn(begun, core)?));
        }
        // SAFETY: as above.
        let begun = unsafe {
            start_task::<H, F, _>(core, given, |parts| {
                let request = RequestBox::new(parts.request);
                Ok(IteratorBody {
                    items: H::iterate(parts.plugin, request.lend(), parts.items, parts.call)?,
                    _request: request,
                    write: write_item::<H, F>,
                })
            })?
        };
        Ok(StartResult::Pending(begun.pending()))
    }
}

/// A request that is moved to the thread that uses it.
struct MovedRequest<R: 'static>(&'static mut R);

impl<R> MovedRequest<R> {
    fn request(self) -> &'static mut R {
        self.0
    }
}

/// A plain handler that accepts items and waits for them.
pub(crate) struct BlockingStarter<H, F>(PhantomData<(H, F)>);

impl<H: BlockingHandler, F: Form<H>> Starter for BlockingStarter<H, F>
where
    H::Request<'static>: Send,
{
    unsafe fn begin(core: &Core, given: &StartArguments) -> Result<StartResult> {
        // SAFETY: the caller's promise.
        let begun = unsafe {
            start_task::<H, F, _>(core, given, |parts| {
                let reply = reply_to::<H, F>(parts.target);
                let (plugin, items, call) = (parts.plugin, parts.items, parts.call);
                let request = parts.request;
                Ok(Work(Some(move || {
                    H::block(plugin, request, items, call, reply)
                })))
            })?
        };
        Ok(StartResult::Pending(thread::spawn(begun, core)?))
    }
}
