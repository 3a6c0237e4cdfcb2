//! A service call whose answer is awaited.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::{mem, ptr};

use rustbridge_abi::{RB_PENDING, RB_UNIMPLEMENTED, Response, StatusCode};

use super::answer;
use super::link::{InheritedContext, Link};
use super::wire::Wire;
use crate::contain::contained;
use crate::lock_wait::look_or_leave;
use crate::{Error, Result};

/// A service call that's begun when it's first polled; dropping it cancels the call.
#[doc(hidden)]
#[must_use = "nothing is asked until it's awaited"]
pub struct PendingServiceCall<W, Req, Res> {
    link: Arc<Link>,
    inherited: InheritedContext,
    name: &'static str,
    stage: Stage,
    kind: PhantomData<fn(Req) -> (W, Res)>,
}

enum Stage {
    /// The service's number and the request, or why it can't be called.
    New(Result<(u32, Vec<u8>)>),
    Pending {
        end: Arc<CompletionSlot>,
        call: u64,
    },
    Over,
}

/// Where the end comes in.
struct CompletionSlot(Mutex<Completion>);

#[derive(Default)]
struct Completion {
    waker: Option<Waker>,
    ended: Option<ServiceResult>,
}

/// A status and what came with it, released when it's dropped.
struct ServiceResult(StatusCode, Response);

// SAFETY: a response may be read and released on any thread.
unsafe impl Send for ServiceResult {}

impl Drop for ServiceResult {
    fn drop(&mut self) {
        answer::release(&mut self.1);
    }
}

impl CompletionSlot {
    fn lock(&self) -> MutexGuard<'_, Completion> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn poll(&self, waker: &Waker) -> Option<ServiceResult> {
        look_or_leave(
            waker,
            || self.lock(),
            |told| told.ended.take().ok_or(&mut told.waker),
        )
    }
}

/// Told by the host, once for each call that's pending.
unsafe extern "C" fn done(data: *mut c_void, status: StatusCode, response: *mut Response) {
    // SAFETY: what was given with the call, whose count was raised for this.
    let end = unsafe { Arc::from_raw(data.cast::<CompletionSlot>()) };
    let ended = if response.is_null() {
        ServiceResult(status, Response::empty())
    } else {
        // SAFETY: what it holds is ours from here on, by the ABI, so it's taken out.
        ServiceResult(status, unsafe {
            mem::replace(&mut *response, Response::empty())
        })
    };
    let mut told = end.lock();
    told.ended = Some(ended);
    let waker = told.waker.take();
    drop(told);
    // An executor's code, and possibly an author's.
    contained(|| {
        if let Some(waker) = waker {
            waker.wake();
        }
    });
}

impl<W, Req, Res> PendingServiceCall<W, Req, Res> {
    pub(super) fn new(
        link: Arc<Link>,
        inherited: InheritedContext,
        name: &'static str,
        begun: Result<(u32, Vec<u8>)>,
    ) -> Self {
        PendingServiceCall {
            link,
            inherited,
            name,
            stage: Stage::New(begun),
            kind: PhantomData,
        }
    }
}

// Nothing in it is pinned.
impl<W, Req, Res> Unpin for PendingServiceCall<W, Req, Res> {}

impl<W: Wire<Req, Res>, Req, Res> Future for PendingServiceCall<W, Req, Res> {
    type Output = Result<Res>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<Res>> {
        let this = &mut *self;
        if let Stage::Pending { end, .. } = &this.stage {
            let Some(ended) = end.poll(context.waker()) else {
                return Poll::Pending;
            };
            this.stage = Stage::Over;
            return Poll::Ready(this.read(&ended));
        }
        match mem::replace(&mut this.stage, Stage::Over) {
            Stage::New(Ok((number, request))) => this.begin(number, &request, context),
            Stage::New(Err(error)) => Poll::Ready(Err(error)),
            Stage::Pending { .. } | Stage::Over => Poll::Ready(Err(Error::internal(
                "a service call was polled after its completion",
            ))),
        }
    }
}

impl<W: Wire<Req, Res>, Req, Res> PendingServiceCall<W, Req, Res> {
    fn begin(&mut self, number: u32, request: &[u8], context: &Context<'_>) -> Poll<Result<Res>> {
        let end = Arc::new(CompletionSlot(Mutex::new(Completion {
            waker: Some(context.waker().clone()),
            ended: None,
        })));
        let data = Arc::into_raw(Arc::clone(&end));
        let header = self.inherited.header();
        let mut response = Response::empty();
        let mut call = 0;
        let status = self
            .link
            .found
            .table
            .start
            .map_or(RB_UNIMPLEMENTED, |start| {
                // SAFETY: the host's own function with the context of its table; what's passed is borrowed until it returns, but
                // for the data, which `done` takes over.
                unsafe {
                    start(
                        self.link.context(),
                        number,
                        header.as_ref().map_or(ptr::null(), ptr::from_ref),
                        request.as_ptr(),
                        request.len(),
                        &raw mut response,
                        Some(done),
                        data.cast_mut().cast(),
                        &raw mut call,
                    )
                }
            });
        if status == RB_PENDING {
            self.stage = Stage::Pending { end, call };
            return Poll::Pending;
        }
        // SAFETY: not taken over: `done` isn't called.
        drop(unsafe { Arc::from_raw(data) });
        Poll::Ready(self.read(&ServiceResult(status, response)))
    }

    fn read(&self, ended: &ServiceResult) -> Result<Res> {
        answer::read(ended.0, answer::bytes(&ended.1), |bytes| {
            W::read(self.name, bytes)
        })
    }
}

impl<W, Req, Res> Drop for PendingServiceCall<W, Req, Res> {
    fn drop(&mut self) {
        let Stage::Pending { end, call } = &self.stage else {
            return;
        };
        let is_over = end.lock().ended.is_some();
        if let (false, Some(cancel)) = (is_over, self.link.found.table.cancel) {
            // One that has ended meanwhile is told so, and nobody cares.
            // SAFETY: the host's own function with the context of its table.
            unsafe { cancel(self.link.context(), *call) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock_wait::nosy;

    #[test]
    fn a_waker_may_come_back_to_what_it_waits_for() {
        nosy::in_time(|| {
            let end = Arc::new(CompletionSlot(Mutex::default()));
            let wakers = [(); 2].map(|()| {
                let end = end.clone();
                nosy::waker(move || assert!(end.poll(Waker::noop()).is_none()))
            });
            for waker in wakers.iter().chain(&wakers) {
                assert!(end.poll(waker).is_none());
            }
        });
    }
}
