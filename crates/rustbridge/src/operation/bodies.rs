//! The bodies of tasks: a handler's future, iterator or stream, or blocking work.

#[cfg(feature = "async")]
use std::pin::Pin;
use std::ptr::NonNull;
use std::task::{Context, Poll};

use rustbridge_abi::StatusCode;

use super::send::{NextItem, Write, send};
use super::task::{Body, Head};
use crate::{Error, Result};

/// A future that writes the response itself.
#[cfg(feature = "async")]
pub(crate) struct Future<F>(pub(crate) F);

#[cfg(feature = "async")]
impl<F: std::future::Future<Output = StatusCode> + Send + 'static> Body for Future<F> {
    const ANSWERS: bool = true;

    unsafe fn poll(&mut self, _head: &Head, context: &mut Context<'_>) -> Poll<StatusCode> {
        // SAFETY: a body stays where it is.
        unsafe { Pin::new_unchecked(&mut self.0) }.poll(context)
    }
}

/// A request that an iterator or stream may borrow, in its own allocation.
pub(crate) struct RequestBox<R>(NonNull<Option<R>>);

// SAFETY: it owns the request.
unsafe impl<R: Send> Send for RequestBox<R> {}

impl<R> RequestBox<R> {
    pub(crate) fn new(request: R) -> RequestBox<R> {
        RequestBox(NonNull::from(Box::leak(Box::new(Some(request)))))
    }

    /// Returns the request.
    ///
    /// # Safety
    /// It's called once, and everything that borrows the request is dropped before this value.
    pub(crate) unsafe fn lend(&self) -> &'static mut Option<R> {
        // SAFETY: the caller's promise; it's never touched through this value but to drop it.
        unsafe { &mut *self.0.as_ptr() }
    }
}

impl<R> Drop for RequestBox<R> {
    fn drop(&mut self) {
        // SAFETY: leaked by `new`, and nobody borrows it by the promise of `lend`.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// An iterator that runs while the consumer requests more items.
pub(crate) struct IteratorBody<I, T, R> {
    // First, because it may borrow the request.
    pub(crate) items: I,
    pub(crate) _request: RequestBox<R>,
    pub(crate) write: Write<T>,
}

impl<I, T, R> Body for IteratorBody<I, T, R>
where
    I: Iterator<Item = Result<T>> + Send + 'static,
    T: 'static,
    R: Send + 'static,
{
    const PULLED: bool = true;

    unsafe fn poll(&mut self, head: &Head, _context: &mut Context<'_>) -> Poll<StatusCode> {
        let items = &mut self.items;
        let next = || items.next().map_or(NextItem::Over, NextItem::Item);
        // SAFETY: the caller has the body.
        unsafe { send(head, self.write, || head.credit.now(), next) }
    }
}

/// An iterator that waits for incoming items, on its own thread, where it's also created.
pub(crate) struct BlockingBody<M, I, T, R> {
    pub(crate) make: Option<M>,
    pub(crate) items: Option<I>,
    pub(crate) _request: RequestBox<R>,
    pub(crate) write: Write<T>,
}

impl<M, I, T, R> Body for BlockingBody<M, I, T, R>
where
    M: FnOnce() -> Result<I> + Send + 'static,
    I: Iterator<Item = Result<T>> + Send + 'static,
    T: 'static,
    R: Send + 'static,
{
    const BLOCKS: bool = true;

    unsafe fn poll(&mut self, head: &Head, _context: &mut Context<'_>) -> Poll<StatusCode> {
        if let Some(make) = self.make.take() {
            match make() {
                Ok(items) => self.items = Some(items),
                // SAFETY: the caller has the body, and this is the end.
                Err(error) => return Poll::Ready(unsafe { head.reply() }.error(&error)),
            }
        }
        let items = &mut self.items;
        let next = || {
            let item = items.as_mut().and_then(Iterator::next);
            item.map_or(NextItem::Over, NextItem::Item)
        };
        let room = || head.credit.wait(head.deadline());
        // SAFETY: the caller has the body.
        unsafe { send(head, self.write, room, next) }
    }
}

/// A stream that the runtime polls, and may also create.
#[cfg(feature = "async")]
pub(crate) struct StreamBody<M, S, T, R> {
    // First, because both may borrow the request.
    make: Option<M>,
    items: Option<S>,
    _request: RequestBox<R>,
    write: Write<T>,
}

#[cfg(feature = "async")]
impl<M, S, T, R> StreamBody<M, S, T, R> {
    /// Creates a body from a stream.
    pub(crate) fn made(items: S, request: RequestBox<R>, write: Write<T>) -> Self {
        StreamBody {
            make: None,
            items: Some(items),
            _request: request,
            write,
        }
    }

    /// Creates a body whose stream is created at the first poll.
    pub(crate) fn of(make: M, request: RequestBox<R>, write: Write<T>) -> Self {
        StreamBody {
            make: Some(make),
            items: None,
            _request: request,
            write,
        }
    }
}

/// The number of batches that a stream which is always ready sends before it yields the thread.
#[cfg(feature = "async")]
const BATCHES: u32 = 2;

#[cfg(feature = "async")]
impl<M, S, T, R> Body for StreamBody<M, S, T, R>
where
    M: FnOnce() -> Result<S> + Send + 'static,
    S: futures_core::Stream<Item = Result<T>> + Send + 'static,
    T: 'static,
    R: Send + 'static,
{
    unsafe fn poll(&mut self, head: &Head, context: &mut Context<'_>) -> Poll<StatusCode> {
        use std::cell::RefCell;

        if let Some(make) = self.make.take() {
            match make() {
                Ok(items) => self.items = Some(items),
                // SAFETY: the caller has the body, and this is the end.
                Err(error) => return Poll::Ready(unsafe { head.reply() }.error(&error)),
            }
        }
        let context = RefCell::new(context);
        let items = &mut self.items;
        let mut batches = 0;
        let room = || {
            let context = &mut **context.borrow_mut();
            batches += 1;
            if batches > BATCHES {
                context.waker().wake_by_ref();
                return None;
            }
            match head.credit.poll(context) {
                Poll::Ready(room) => Some(room),
                Poll::Pending => None,
            }
        };
        let next = || {
            let Some(items) = items else {
                return NextItem::Over;
            };
            // SAFETY: a body stays where it is.
            let items = unsafe { Pin::new_unchecked(items) };
            match items.poll_next(&mut context.borrow_mut()) {
                Poll::Ready(item) => item.map_or(NextItem::Over, NextItem::Item),
                Poll::Pending => NextItem::NotYet,
            }
        };
        // SAFETY: the caller has the body.
        unsafe { send(head, self.write, room, next) }
    }
}

/// Work that a thread runs to its end, and that writes the response itself.
pub(crate) struct Work<F>(pub(crate) Option<F>);

impl<F: FnOnce() -> StatusCode + Send + 'static> Body for Work<F> {
    const BLOCKS: bool = true;

    unsafe fn poll(&mut self, head: &Head, _context: &mut Context<'_>) -> Poll<StatusCode> {
        Poll::Ready(match self.0.take() {
            Some(work) => work(),
            // A thread takes it once.
            // SAFETY: the caller has the body, and this is the end.
            None => unsafe { head.reply() }.error(&Error::internal("the work was done before")),
        })
    }
}
