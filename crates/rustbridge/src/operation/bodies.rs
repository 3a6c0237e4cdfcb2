//! The bodies of tasks: a handler's future, its iterator, its stream, or what a thread runs.

#[cfg(feature = "async")]
use std::pin::Pin;
use std::ptr::NonNull;
use std::task::{Context, Poll};

use rustbridge_abi::StatusCode;

use super::send::{NextItem, Write, send};
use super::task::{Body, Head};
use crate::{Error, Result};

/// A future that writes the answer itself.
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

/// A request that an iterator or stream may borrow, at a place of its own.
pub(crate) struct RequestBox<R>(NonNull<Option<R>>);

// SAFETY: it owns the request.
unsafe impl<R: Send> Send for RequestBox<R> {}

impl<R> RequestBox<R> {
    pub(crate) fn new(request: R) -> RequestBox<R> {
        RequestBox(NonNull::from(Box::leak(Box::new(Some(request)))))
    }

    /// The request.
    ///
    /// # Safety
    /// Called once, and what borrows it is gone before this value is.
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

/// An iterator, which is pulled while the consumer asks for more.
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

/// An iterator that waits for items in turn, on a thread of its own. It's made there.
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

/// A stream, which the runtime polls. It may be made there, too.
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
    /// One that's there.
    pub(crate) fn made(items: S, request: RequestBox<R>, write: Write<T>) -> Self {
        StreamBody {
            make: None,
            items: Some(items),
            _request: request,
            write,
        }
    }

    /// One that's made when it's first polled.
    pub(crate) fn of(make: M, request: RequestBox<R>, write: Write<T>) -> Self {
        StreamBody {
            make: Some(make),
            items: None,
            _request: request,
            write,
        }
    }
}

/// How many batches a stream sends that is always ready before it lets others have the thread.
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

/// Work that a thread does to its end, and that writes the answer itself.
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
