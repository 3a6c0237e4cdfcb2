//! The cells: one for each thread that calls, on a cache line of its own, where it marks the calls it is in.
//!
//! Cells live for good and are handed to a new thread when theirs ends, so there are as many as ever called at once.

use std::cell::Cell as LocalCell;
use std::fmt;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::guard::{Mark, Place, ThreadSlot};
use super::{fence, tls};

/// A cell and the thread that has it.
#[derive(Debug)]
pub(crate) struct IssuedSlot {
    cell: &'static ThreadSlot,
    thread: Option<ThreadLabel>,
}

/// Names a thread in the report of a `close` that timed out.
#[derive(Clone, Debug)]
pub(crate) struct ThreadLabel {
    name: Option<String>,
    id: u64,
}

impl fmt::Display for ThreadLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} ({})", self.id),
            None => write!(f, "{}", self.id),
        }
    }
}

/// A call that runs in a slot.
#[derive(Clone, Debug)]
pub(crate) struct RunningCall {
    pub(crate) entry: u32,
    pub(crate) thread: Option<ThreadLabel>,
}

/// Every cell. One list for the process, because a thread calls any plugin; another copy of this library in the same
/// process has instances and cells of its own.
static CELLS: Mutex<Vec<IssuedSlot>> = Mutex::new(Vec::new());

/// Locks the list; `fork.rs` holds it over a fork.
pub(crate) fn lock() -> MutexGuard<'static, Vec<IssuedSlot>> {
    CELLS.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Owner(LocalCell<Option<&'static ThreadSlot>>);

impl Drop for Owner {
    fn drop(&mut self) {
        tls::set_cell(None);
        let Some(cell) = self.0.take() else { return };
        if process_is_ending() {
            return;
        }
        // A mark that is still there belongs to a call this thread never left; its cell can't be anyone else's.
        if cell.is_idle()
            && let Some(issued) = lock().iter_mut().find(|issued| ptr::eq(issued.cell, cell))
        {
            issued.thread = None;
        }
    }
}

/// Windows ends all threads but one, wherever they are, and has that one destroy its thread-locals: a lock that one of
/// the others held is never given back, and waiting for it would keep the process from ending.
fn process_is_ending() -> bool {
    #[cfg(windows)]
    {
        #[link(name = "ntdll")]
        unsafe extern "system" {
            fn RtlDllShutdownInProgress() -> u8;
        }
        // SAFETY: takes nothing and cannot fail.
        unsafe { RtlDllShutdownInProgress() != 0 }
    }
    #[cfg(not(windows))]
    {
        false
    }
}

thread_local! {
    // Of each thread of this copy of the library: what gives the cell back when the thread ends.
    static OWNER: Owner = const { Owner(LocalCell::new(None)) };
}

/// This thread's cell, made if there is none yet. `None` when the thread is ending and its thread-locals are gone.
#[cold]
pub(crate) fn own() -> Option<&'static ThreadSlot> {
    OWNER
        .try_with(|owner| {
            if let Some(cell) = owner.0.get() {
                return cell;
            }
            let label = ThreadLabel::current();
            let mut cells = lock();
            let cell = match cells.iter_mut().find(|issued| issued.thread.is_none()) {
                Some(free) => {
                    free.thread = Some(label);
                    free.cell
                }
                None => {
                    let cell: &'static ThreadSlot = Box::leak(Box::new(ThreadSlot::idle()));
                    cells.push(IssuedSlot {
                        cell,
                        thread: Some(label),
                    });
                    cell
                }
            };
            drop(cells);
            owner.0.set(Some(cell));
            if fence::is_asymmetric() {
                tls::set_cell(Some(cell));
            }
            cell
        })
        .ok()
}

/// This thread's cell, if it has one.
pub(crate) fn existing() -> Option<&'static ThreadSlot> {
    tls::cell().or_else(|| OWNER.try_with(|owner| owner.0.get()).ok().flatten())
}

/// The calls that run in this slot. Complete only if the slot was shut and `fence::heavy` run before.
pub(crate) fn running(place: Place) -> Vec<RunningCall> {
    let mut found = Vec::new();
    for issued in lock().iter() {
        for mark in issued.cell.marks().filter(|mark| mark.place() == place) {
            found.push(RunningCall {
                entry: mark.entry(),
                thread: issued.thread.clone(),
            });
        }
    }
    found
}

/// Whether any call is marked in this slot; `running` without the names.
pub(crate) fn is_marked(place: Place) -> bool {
    lock()
        .iter()
        .any(|issued| issued.cell.marks().any(|mark| mark.place() == place))
}

/// Whether the calling thread itself is inside a call of this slot.
pub(crate) fn is_own_marked(place: Place) -> bool {
    OWNER
        .try_with(|owner| owner.0.get())
        .ok()
        .flatten()
        .is_some_and(|cell| cell.marks().any(|mark| mark.place() == place))
        || unmarked().any(|mark| mark.place() == place)
}

/// The entry of the calling thread's innermost call of this slot; `cell` is the thread's, if it has one.
pub(crate) fn innermost(cell: Option<&ThreadSlot>, place: Place) -> Option<u32> {
    unmarked()
        .find(|mark| mark.place() == place)
        .map(Mark::entry)
        .or_else(|| cell?.innermost(place))
}

/// A call of this thread that has no nesting slot to be marked on, on the thread's own stack: such calls are a list, so that a close
/// from inside one is known without anything being allocated.
///
/// Invariant: `below` is null, or the call that was the innermost before this one, which is still running.
struct UnmarkedCall {
    mark: Mark,
    below: *const UnmarkedCall,
}

thread_local! {
    // Of each thread of this copy of the library: its innermost unmarked call. Without a destructor, so that it can be
    // used when the cell's owner is gone already.
    static INNERMOST: LocalCell<*const UnmarkedCall> = const { LocalCell::new(ptr::null()) };
}

/// Runs a call that no cell has room to mark.
pub(crate) fn unmarked_call<R>(mark: Mark, run: impl FnOnce() -> R) -> R {
    let call = UnmarkedCall {
        mark,
        below: INNERMOST.get(),
    };
    INNERMOST.set(&raw const call);
    // Doesn't unwind: a plugin's functions are `extern "C"`.
    let result = run();
    INNERMOST.set(call.below);
    result
}

fn unmarked() -> impl Iterator<Item = Mark> {
    let mut next = INNERMOST.get();
    std::iter::from_fn(move || {
        // SAFETY: null, or a call further down on this thread's stack, by the invariant of `Unmarked`.
        let call = unsafe { next.as_ref() }?;
        next = call.below;
        Some(call.mark)
    })
}

/// How many cells there are: the most threads that ever called at the same time.
pub(crate) fn count() -> usize {
    lock().len()
}

impl ThreadLabel {
    fn current() -> ThreadLabel {
        ThreadLabel {
            name: thread::current().name().map(str::to_owned),
            id: thread_id(),
        }
    }
}

/// The number debuggers and the system's tools know the thread by.
fn thread_id() -> u64 {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // SAFETY: takes nothing, cannot fail, and answers a positive number.
        unsafe { libc::syscall(libc::SYS_gettid) as u64 }
    }
    #[cfg(target_vendor = "apple")]
    {
        let mut id = 0;
        // SAFETY: 0 means the calling thread; `id` is writable.
        unsafe { libc::pthread_threadid_np(0, &mut id) };
        id
    }
    #[cfg(windows)]
    {
        // SAFETY: takes nothing and cannot fail.
        u64::from(unsafe { windows_sys::Win32::System::Threading::GetCurrentThreadId() })
    }
    #[cfg(not(any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        windows
    )))]
    {
        0
    }
}

/// In a forked child: the cells of the threads that don't exist there are free. Those that are marked stay as they are,
/// since their marks name slots that aren't used again.
#[cfg(unix)]
pub(crate) fn forget_other_threads(cells: &mut [IssuedSlot]) {
    use std::sync::atomic::Ordering;

    let own = OWNER.try_with(|owner| owner.0.get()).ok().flatten();
    for issued in cells {
        let is_own = own.is_some_and(|own| ptr::eq(own, issued.cell));
        if !is_own && issued.cell.is_idle() {
            issued.thread = None;
            // It may have been about to begin a call, or just through with one.
            issued
                .cell
                .carried
                .store(ptr::null_mut(), Ordering::Relaxed);
            issued.cell.upcalls.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn a_childs_thread_finds_nothing_in_a_cell_of_the_parents() {
        let cell: &'static ThreadSlot = Box::leak(Box::new(ThreadSlot::idle()));
        cell.carried.store(ptr::dangling_mut(), Ordering::Relaxed);
        cell.upcalls.store(3, Ordering::Relaxed);
        let mut cells = [IssuedSlot {
            cell,
            thread: Some(ThreadLabel::current()),
        }];
        forget_other_threads(&mut cells);
        assert!(cells[0].thread.is_none());
        assert!(cell.carried.load(Ordering::Relaxed).is_null());
        assert_eq!(cell.upcalls.load(Ordering::Relaxed), 0);
    }
}
