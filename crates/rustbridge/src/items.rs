//! The items that a handler receives: [`Items`], and the [`Inbox`] into which the host pushes them.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use bytes::Bytes;
use rustbridge_abi::{AsyncHost, Batch, Op, RB_BATCH_ENDS, Status};

use crate::contain::contained;
use crate::lock_wait::{look_or_leave, wait_until};
use crate::{Error, Result, context};

/// How many items a handler is sent ahead of what it has taken, and how many bytes.
const WINDOW: (u64, u64) = (64, 1 << 20);

/// Reads one item, which is so much of a batch.
pub(crate) type Read<T> = fn(&Bytes, Range<usize>) -> Result<T>;

/// The items that a caller sends, in order. It's the parameter of a method that accepts a stream.
///
/// An `async fn` calls [`next`](Items::next), or uses it as a [`Stream`](crate::Stream). A plain `fn` runs on a thread
/// of its own and uses a `for` loop, which waits. An item that can't be decoded is an error. It's also an error if the
/// caller ends the stream with one, or if the call is cancelled while a plain `fn` waits.
///
/// At most 64 items and 1 MiB are in flight.
///
/// ```
/// use rustbridge::prelude::*;
///
/// #[derive(Default)]
/// struct Sums;
///
/// #[plugin(export = false)]
/// impl Sums {
///     /// Adds what it's sent.
///     pub fn sum(&self, items: Items<u64>) -> Result<u64> {
///         items.into_iter().sum()
///     }
/// }
///
/// // A test can create them from any iterator.
/// assert_eq!(Sums.sum(Items::from_iter([1, 2, 3])).ok(), Some(6));
/// ```
pub struct Items<T> {
    source: Source<T>,
}

enum Source<T> {
    Host(Incoming<T>),
    Given(VecDeque<Result<T>>),
}

/// What a host sends.
struct Incoming<T> {
    inbox: Arc<Inbox>,
    read: Read<T>,
    batch: Option<ReceivedItems>,
    /// Taken since the host was last asked for more.
    taken: (u64, u64),
}

impl<T> Items<T> {
    pub(crate) fn received(inbox: Arc<Inbox>, read: Read<T>) -> Items<T> {
        Items {
            source: Source::Host(Incoming {
                inbox,
                read,
                batch: None,
                taken: (0, 0),
            }),
        }
    }

    /// None, for a handler that takes none.
    pub(crate) fn none() -> Items<T> {
        Items {
            source: Source::Given(VecDeque::new()),
        }
    }

    /// Creates items for a test, which may include errors.
    ///
    /// ```
    /// use rustbridge::{Error, Items};
    ///
    /// let items = Items::from_results([Ok(1), Err(Error::internal("the wire broke"))]);
    /// assert_eq!(items.into_iter().map(Result::ok).collect::<Vec<_>>(), [Some(1), None]);
    /// ```
    pub fn from_results(items: impl IntoIterator<Item = Result<T>>) -> Items<T> {
        Items {
            source: Source::Given(items.into_iter().collect()),
        }
    }

    /// Returns the next item, or `None` after the last one. After an error at the end, it also returns `None`.
    pub async fn next(&mut self) -> Option<Result<T>> {
        poll_fn(|context| self.poll_item(context)).await
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        match &mut self.source {
            Source::Given(items) => Poll::Ready(items.pop_front()),
            Source::Host(incoming) => incoming.poll(context),
        }
    }

    fn wait(&mut self) -> Option<Result<T>> {
        match &mut self.source {
            Source::Given(items) => items.pop_front(),
            Source::Host(incoming) => incoming.wait(),
        }
    }
}

/// Nothing in it is ever pinned.
impl<T> Unpin for Items<T> {}

impl<T> FromIterator<T> for Items<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Items<T> {
        Items::from_results(items.into_iter().map(Ok))
    }
}

impl<T> IntoIterator for Items<T> {
    type Item = Result<T>;
    type IntoIter = BlockingItems<T>;

    fn into_iter(self) -> BlockingItems<T> {
        BlockingItems(self)
    }
}

#[cfg(feature = "async")]
impl<T> futures_core::Stream for Items<T> {
    type Item = Result<T>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<T>>> {
        self.poll_item(context)
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// The blocking iterator over the items of a plain `fn`.
#[derive(Debug)]
pub struct BlockingItems<T>(Items<T>);

impl<T> Iterator for BlockingItems<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.0.wait()
    }
}

impl<T> Incoming<T> {
    /// The next item of the batch that is being read.
    fn at_hand(&mut self) -> Option<Result<T>> {
        let batch = self.batch.as_mut()?;
        let Some(range) = batch.next() else {
            self.batch = None;
            return None;
        };
        self.taken.0 += 1;
        self.taken.1 += range.len() as u64;
        let item = (self.read)(&batch.bytes, range);
        if self.taken.0 >= WINDOW.0 / 2 || self.taken.1 >= WINDOW.1 / 2 {
            let (items, bytes) = std::mem::take(&mut self.taken);
            self.inbox.ask(items, bytes);
        }
        Some(item)
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T>>> {
        loop {
            if let Some(item) = self.at_hand() {
                return Poll::Ready(Some(item));
            }
            let inbox = &self.inbox;
            let found = look_or_leave(
                context.waker(),
                || inbox.lock(),
                |mail| match mail.take() {
                    Next::Nothing => Err(&mut mail.waker),
                    next => Ok(next),
                },
            );
            match found {
                Some(Next::Batch(batch)) => self.batch = Some(batch),
                Some(Next::End(error)) => return Poll::Ready(error.map(Err)),
                Some(Next::Nothing) | None => return Poll::Pending,
            }
        }
    }

    fn wait(&mut self) -> Option<Result<T>> {
        loop {
            if let Some(item) = self.at_hand() {
                return Some(item);
            }
            match self.inbox.wait() {
                Next::Batch(batch) => self.batch = Some(batch),
                Next::End(error) => return error.map(Err),
                Next::Nothing => {}
            }
        }
    }
}

impl<T> Drop for Incoming<T> {
    fn drop(&mut self) {
        // What still comes is for nobody.
        self.inbox.close();
    }
}

/// Where the items of one operation arrive.
pub(crate) struct Inbox {
    op: Op,
    host: AsyncHost,
    deadline: Option<Instant>,
    mail: Mutex<Mail>,
    arrived: Condvar,
}

#[derive(Default)]
struct Mail {
    batches: VecDeque<ReceivedItems>,
    /// The caller has sent its last item, and how that went.
    end: Option<Option<Error>>,
    closed: bool,
    waker: Option<Waker>,
}

/// What there is for a reader.
enum Next {
    Batch(ReceivedItems),
    End(Option<Error>),
    Nothing,
}

impl Mail {
    fn take(&mut self) -> Next {
        if let Some(batch) = self.batches.pop_front() {
            return Next::Batch(batch);
        }
        match &mut self.end {
            // The error once, the end for good.
            Some(error) => Next::End(error.take()),
            None if self.closed => Next::End(None),
            None => Next::Nothing,
        }
    }
}

impl Inbox {
    /// One for an operation. Nothing comes before it's opened.
    pub(crate) fn new(op: Op, host: AsyncHost, deadline: Option<Instant>) -> Inbox {
        Inbox {
            op,
            host,
            deadline,
            mail: Mutex::default(),
            arrived: Condvar::new(),
        }
    }

    /// Asks the caller for as much as the window has.
    pub(crate) fn open(&self) {
        self.ask(WINDOW.0, WINDOW.1);
    }

    fn lock(&self) -> MutexGuard<'_, Mail> {
        // Nothing under it panics but an allocation, which leaves it as it was.
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for more. An operation that's over by now is for the host to see.
    fn ask(&self, items: u64, bytes: u64) {
        if let Some(demand) = self.host.demand {
            // SAFETY: any operation's number may be passed, on any thread.
            unsafe { demand(self.op, items, bytes) };
        }
    }

    /// Takes a batch from the host.
    ///
    /// # Safety
    /// `batch` is as [`Batch`] says.
    pub(crate) unsafe fn push(&self, batch: &Batch) {
        // SAFETY: the caller's promise.
        let Some(received) = (unsafe { ReceivedItems::copy(batch) }) else {
            self.end(Err(Error::internal(
                "the host's batch is invalid: its items extend beyond its bytes",
            )
            .with_type("rustbridge.InvalidBatch")));
            return;
        };
        let mut mail = self.lock();
        if !mail.closed && mail.end.is_none() {
            mail.batches.push_back(received);
            self.tell(mail);
        }
    }

    /// There's no more. The first end counts.
    pub(crate) fn end(&self, how: Result<()>) {
        let mut mail = self.lock();
        if !mail.closed && mail.end.is_none() {
            mail.end = Some(how.err());
            self.tell(mail);
        }
    }

    /// Nobody reads any more.
    pub(crate) fn close(&self) {
        let mut mail = self.lock();
        mail.closed = true;
        let gone = (std::mem::take(&mut mail.batches), mail.waker.take());
        drop(mail);
        // A waker may be its author's.
        contained(|| drop(gone));
    }

    /// The call is over. Whoever has the items still, on a thread or in a task of the author's, reads what has come and isn't left
    /// waiting for more.
    pub(crate) fn over(&self) {
        let mut mail = self.lock();
        if !mail.closed && mail.end.is_none() {
            mail.end = Some(Some(
                Error::new(
                    Status::Cancelled,
                    "the call that receives these items has completed: read them all before its handler returns",
                )
                .with_type("rustbridge.CallOver"),
            ));
            self.tell(mail);
        }
    }

    fn tell(&self, mut mail: MutexGuard<'_, Mail>) {
        let waker = mail.waker.take();
        drop(mail);
        self.arrived.notify_all();
        if let Some(waker) = waker {
            // The handler may have polled it with a waker of its author's.
            contained(|| waker.wake());
        }
    }

    /// The error of who waits when the time is over, once.
    fn late(&self) -> Option<Error> {
        let mut mail = self.lock();
        if mail.end.is_some() {
            return None;
        }
        mail.end = Some(None);
        Some(context::ended(Status::DeadlineExceeded))
    }

    fn wait(&self) -> Next {
        let mut mail = self.lock();
        loop {
            match mail.take() {
                Next::Nothing => match wait_until(&self.arrived, mail, self.deadline) {
                    Some(again) => mail = again,
                    None => return Next::End(self.late()),
                },
                next => return next,
            }
        }
    }
}

/// Items as they came, and how far they are read.
struct ReceivedItems {
    bytes: Bytes,
    count: usize,
    next: usize,
    /// Where the next begins.
    at: usize,
    length: Lengths,
}

enum Lengths {
    /// Each is so long.
    Same(usize),
    /// Their ends are there in the bytes.
    Ends(usize),
}

impl ReceivedItems {
    /// Copies a batch; nothing if it can't be true.
    ///
    /// # Safety
    /// As many bytes are readable as it says.
    unsafe fn copy(batch: &Batch) -> Option<ReceivedItems> {
        let count = batch.count as usize;
        let bytes = if batch.len == 0 || batch.data.is_null() {
            Bytes::new()
        } else {
            // SAFETY: the caller's promise.
            Bytes::copy_from_slice(unsafe { std::slice::from_raw_parts(batch.data, batch.len) })
        };
        let length = if batch.flags & RB_BATCH_ENDS != 0 {
            let ends = bytes.len().checked_sub(count.checked_mul(4)?)?;
            let mut before = 0;
            for index in 0..count {
                let end = end_at(&bytes, ends, index)?;
                if end < before || end > ends {
                    return None;
                }
                before = end;
            }
            Lengths::Ends(ends)
        } else if count == 0 {
            Lengths::Same(0)
        } else if bytes.len() % count == 0 {
            Lengths::Same(bytes.len() / count)
        } else {
            return None;
        };
        Some(ReceivedItems {
            bytes,
            count,
            next: 0,
            at: 0,
            length,
        })
    }

    fn next(&mut self) -> Option<Range<usize>> {
        if self.next == self.count {
            return None;
        }
        let end = match self.length {
            Lengths::Same(length) => self.at + length,
            Lengths::Ends(ends) => end_at(&self.bytes, ends, self.next)?,
        };
        let range = self.at..end;
        self.next += 1;
        self.at = end;
        Some(range)
    }
}

fn end_at(bytes: &[u8], ends: usize, index: usize) -> Option<usize> {
    let end = bytes.get(ends + 4 * index..)?.first_chunk()?;
    Some(u32::from_ne_bytes(*end) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(data: &[u8], count: u32, flags: u32) -> Batch {
        Batch {
            flags,
            data: data.as_ptr(),
            len: data.len(),
            count,
            ..Batch::EMPTY
        }
    }

    fn texts(data: &[u8], count: u32, flags: u32) -> Option<Vec<String>> {
        // SAFETY: the bytes are there.
        let mut received = unsafe { ReceivedItems::copy(&batch(data, count, flags)) }?;
        let mut texts = Vec::new();
        while let Some(range) = received.next() {
            texts.push(String::from_utf8(received.bytes[range].to_vec()).unwrap());
        }
        Some(texts)
    }

    fn with_ends(data: &[u8], ends: &[u32]) -> Vec<u8> {
        let mut bytes = data.to_vec();
        bytes.extend(ends.iter().flat_map(|end| end.to_ne_bytes()));
        bytes
    }

    #[test]
    fn items_are_of_one_length_or_end_where_the_tail_says() {
        assert_eq!(texts(b"abcdef", 3, 0).unwrap(), ["ab", "cd", "ef"]);
        assert_eq!(texts(b"", 2, 0).unwrap(), ["", ""]);
        assert!(texts(b"", 0, 0).unwrap().is_empty());
        let mixed = with_ends(b"abcdef", &[1, 1, 6]);
        assert_eq!(texts(&mixed, 3, RB_BATCH_ENDS).unwrap(), ["a", "", "bcdef"]);
    }

    #[test]
    fn a_batch_that_cant_be_true_is_none() {
        assert_eq!(texts(b"abc", 2, 0), None);
        assert_eq!(texts(b"abc", 1, RB_BATCH_ENDS), None);
        for ends in [[2, 1], [1, 7], [7, 7]] {
            assert_eq!(texts(&with_ends(b"abcdef", &ends), 2, RB_BATCH_ENDS), None);
        }
        assert_eq!(texts(b"abcd", u32::MAX, RB_BATCH_ENDS), None);
    }

    #[test]
    fn who_waits_gets_what_came_and_then_the_error_once() {
        let inbox = Arc::new(Inbox::new(7, AsyncHost::EMPTY, None));
        let read: Read<usize> = |_, range| Ok(range.len());
        let items = Items::received(inbox.clone(), read);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| items.into_iter().map(Result::ok).collect::<Vec<_>>());
            // SAFETY: the bytes are there.
            unsafe { inbox.push(&batch(b"abcd", 2, 0)) };
            inbox.end(Err(Error::internal("the wire broke")));
            assert_eq!(waiting.join().unwrap(), [Some(2), Some(2), None]);
        });
        // Nobody is there any more.
        // SAFETY: the bytes are there.
        unsafe { inbox.push(&batch(b"abcd", 2, 0)) };
        assert!(inbox.lock().batches.is_empty());
    }

    #[test]
    fn a_waker_may_come_back_to_what_it_waits_for() {
        use crate::lock_wait::nosy;

        nosy::in_time(|| {
            let inbox = Arc::new(Inbox::new(7, AsyncHost::EMPTY, None));
            let items = Items::<()>::received(inbox.clone(), |_, _| Ok(()));
            let items = Arc::new(Mutex::new(items));
            let wakers = [(); 2].map(|()| {
                let inbox = inbox.clone();
                nosy::waker(move || drop(inbox.lock()))
            });
            for waker in wakers.iter().chain(&wakers) {
                let mut items = items.lock().unwrap();
                assert!(
                    items
                        .poll_item(&mut Context::from_waker(waker))
                        .is_pending()
                );
            }
            inbox.end(Ok(()));
        });
    }
}
