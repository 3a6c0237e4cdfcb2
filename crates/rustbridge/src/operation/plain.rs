//! Plain handlers: they run in `start` as they do in `call`, or on a thread of the runtime.

use std::ffi::c_void;

use rustbridge_abi::{CallContext, RB_CONTEXT_OFFLOAD, Response, StatusCode};

use crate::methods::unknown_entry;
use crate::{Plugin, entry};

/// Starts an entry that has no start of its own.
///
/// # Safety
/// See [`Start`](crate::signature::Start).
pub(super) unsafe extern "C" fn start<P: Plugin>(
    instance: *mut c_void,
    entry: u32,
    header: *const CallContext,
    request: *const u8,
    request_len: usize,
    response: *mut Response,
    task: *mut *mut c_void,
) -> StatusCode {
    let run = P::ENTRIES.get(entry as usize).copied();
    // SAFETY: the parameters are the caller's; the flags are in every version's header.
    unsafe {
        let offload = !header.is_null() && (*header).flags & RB_CONTEXT_OFFLOAD != 0;
        match run {
            Some(run) if offload => {
                #[cfg(feature = "async")]
                {
                    let given = super::start::StartArguments {
                        instance,
                        header,
                        request,
                        request_len,
                        response,
                        task,
                    };
                    offloaded::start(entry, run, &given)
                }
                #[cfg(not(feature = "async"))]
                {
                    let _ = (run, task);
                    no_thread(response)
                }
            }
            run => entry::run(
                run.unwrap_or(unknown_entry),
                instance,
                entry,
                header,
                request,
                request_len,
                response,
            ),
        }
    }
}

/// # Safety
/// The caller owns the response.
#[cfg(not(feature = "async"))]
#[cold]
unsafe fn no_thread(response: *mut Response) -> StatusCode {
    // SAFETY: the caller's promise.
    unsafe { crate::response::Reply::new(response) }.error(
        &crate::Error::new(
            rustbridge_abi::Status::Unimplemented,
            "the plugin has no threads for plain methods: build it with the feature `async` of `rustbridge`",
        )
        .with_type("rustbridge.NoThread"),
    )
}

#[cfg(feature = "async")]
mod offloaded {
    //! Plain handlers on a thread of the runtime.

    use std::ffi::c_void;
    use std::ptr::NonNull;

    use rustbridge_abi::StatusCode;

    use crate::entry;
    use crate::instance::Core;
    use crate::operation::bodies::Work;
    use crate::operation::start::{StartArguments, StartResult, guarded, host_of};
    use crate::operation::task::Body;
    use crate::operation::task::new_task::{NewTask, Seed};
    use crate::operation::thread;
    use crate::signature::Entry;

    /// The arguments of the entry, moved to the other thread.
    struct Arguments {
        instance: *mut c_void,
        entry: u32,
        request: &'static [u8],
    }

    // SAFETY: an instance may be called on any thread.
    unsafe impl Send for Arguments {}

    impl Arguments {
        fn get(&self) -> (*mut c_void, u32, &'static [u8]) {
            (self.instance, self.entry, self.request)
        }
    }

    /// # Safety
    /// As for a [`Start`](crate::signature::Start), and `run` is the entry.
    pub(super) unsafe fn start(entry: u32, run: Entry, given: &StartArguments) -> StatusCode {
        // SAFETY: the caller passes an instance of a plugin of ours, which leads with its core.
        let core = unsafe { &*given.instance.cast::<Core>() };
        let body = || {
            let host = host_of(core)?;
            // The body's type is known by what it's made of, which needs the block.
            let make = |begun: &mut NewTask| {
                let request = if given.request_len == 0 {
                    &[]
                } else {
                    // SAFETY: the request is the caller's, and copied.
                    begun.keep_request(unsafe {
                        std::slice::from_raw_parts(given.request, given.request_len)
                    })
                };
                let arguments = Arguments {
                    instance: given.instance,
                    entry,
                    request,
                };
                let target = begun.target();
                Work(Some(move || {
                    let (instance, entry, request) = arguments.get();
                    // SAFETY: the instance and the copy are there until the task has ended, and the response is that of the
                    // task, whose body this is.
                    unsafe {
                        let header = target.header();
                        let header = header.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
                        entry::run(
                            run,
                            instance,
                            entry,
                            header,
                            request.as_ptr(),
                            request.len(),
                            target.response(),
                        )
                    }
                }))
            };
            let seed = Seed {
                core: NonNull::from(core),
                host,
                header: given.header,
                response: given.response,
                beside: std::ptr::null_mut(),
                takes_items: false,
            };
            // SAFETY: the header is the caller's.
            let mut begun = unsafe { block_for(&make, seed) };
            let body = make(&mut begun);
            // SAFETY: made for this type.
            unsafe { begun.put(body) };
            Ok(StartResult::Pending(thread::spawn(begun, core)?))
        };
        // SAFETY: the parameters are the caller's.
        unsafe { guarded(core, given, body) }
    }

    /// Creates a block for the body that `make` returns.
    ///
    /// # Safety
    /// As for [`NewTask::new`].
    unsafe fn block_for<B: Body>(_make: &impl Fn(&mut NewTask) -> B, seed: Seed) -> NewTask {
        // SAFETY: the caller's promise.
        unsafe { NewTask::new::<B>(seed) }
    }
}
