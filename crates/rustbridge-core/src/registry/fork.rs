//! What becomes of handles when the process forks: what they name stays the parent's.
//!
//! A child has one thread and none of the plugin's, so an instance there would be half of one. Our locks are held over the
//! fork, so that the child finds them free and can load anew.

/// What has to be found in order in a child.
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "only what forks is looked after")
)]
pub(crate) trait OverFork: Sync {
    /// Locks, held from before a fork to after it.
    type Held: 'static;

    /// Takes the locks. Allocates nothing: the allocator may be held over the fork already.
    fn hold(&'static self) -> Self::Held;

    /// Makes good in the child for what was the parent's. Allocates and frees nothing.
    fn in_child(&'static self, held: &mut Self::Held);
}

/// Has this one looked after at forks from now on; does nothing if it is already. Who comes first is locked first.
pub(crate) fn watch<W: OverFork>(watched: &'static W) {
    #[cfg(unix)]
    unix::watch(watched);
    #[cfg(not(unix))]
    let _ = watched;
}

/// Whether the locks of this library are this process's own; to be asked before the first of them is taken.
///
/// They aren't in a child that came about without our handlers: from a fork that had begun before another thread's very
/// first load had them registered, or by a system call of somebody's own. There a lock may be held by nobody.
pub(crate) fn is_looked_after() -> bool {
    #[cfg(unix)]
    {
        unix::is_looked_after()
    }
    #[cfg(not(unix))]
    {
        true
    }
}

#[cfg(unix)]
mod unix {
    use std::cell::UnsafeCell;
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::super::thread_slots::{self, IssuedSlot};
    use super::OverFork;
    use crate::pin::pin_this_library;

    /// One that is looked after, and its locks while they are held.
    struct WatchedLocks<W: OverFork + 'static> {
        watched: &'static W,
        held: Option<W::Held>,
    }

    // SAFETY: `held` is filled and emptied by the thread that forks, in between which nobody else gets at it: the list is
    // locked for as long. Otherwise it's `None`.
    unsafe impl<W: OverFork> Send for WatchedLocks<W> {}

    trait Watch: Send {
        fn address(&self) -> *const ();
        fn hold(&mut self);
        fn in_child(&mut self);
        fn let_go(&mut self);
    }

    impl<W: OverFork> Watch for WatchedLocks<W> {
        fn address(&self) -> *const () {
            std::ptr::from_ref(self.watched).cast()
        }

        fn hold(&mut self) {
            self.held = Some(self.watched.hold());
        }

        fn in_child(&mut self) {
            if let Some(held) = &mut self.held {
                self.watched.in_child(held);
            }
        }

        fn let_go(&mut self) {
            self.held = None;
        }
    }

    type List = Vec<Box<dyn Watch>>;

    /// All that are looked after, in the order in which their locks are taken everywhere.
    static WATCHED: Mutex<List> = Mutex::new(Vec::new());

    /// The locks, from before a fork to after it. The cells' are the innermost.
    struct Held {
        watched: MutexGuard<'static, List>,
        cells: MutexGuard<'static, Vec<IssuedSlot>>,
    }

    /// Invariant: only the thread that holds the locks touches the place, and it puts in what it holds.
    struct HeldPlace(UnsafeCell<Option<Held>>);

    // SAFETY: the locks themselves keep all threads but one away from it.
    unsafe impl Sync for HeldPlace {}

    /// A process forks as a whole, so there's one such moment at a time, for all tables.
    static HELD: HeldPlace = HeldPlace(UnsafeCell::new(None));

    /// The process whose locks these are: the one that used this library first, or a child whose handler has run. One for
    /// all tables and instances; 0 at first.
    static PROCESS: AtomicI32 = AtomicI32::new(0);

    /// Whether the handlers are registered, which are the process's and look after all tables. Not a `Once`, which a fork
    /// could leave half-way in the child for good.
    static REGISTERED: AtomicBool = AtomicBool::new(false);

    /// The thread that holds the locks over a fork, 0 for none. Threads may have registered the handlers at once, so they may
    /// be called twice; the second time there's nothing left to do.
    static FORKING: AtomicUsize = AtomicUsize::new(0);

    fn lock() -> MutexGuard<'static, List> {
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn process() -> i32 {
        // SAFETY: takes nothing and cannot fail.
        unsafe { libc::getpid() }
    }

    /// The same in the child as before the fork.
    fn thread() -> usize {
        // SAFETY: takes nothing and cannot fail.
        unsafe { libc::pthread_self() as usize }
    }

    pub(super) fn is_looked_after() -> bool {
        let own = process();
        PROCESS
            .compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire)
            .map_or_else(|known| known == own, |_| true)
    }

    pub(super) fn watch<W: OverFork>(watched: &'static W) {
        if !REGISTERED.load(Ordering::Acquire) {
            is_looked_after();
            pin_this_library();
            // SAFETY: the handlers are functions of this library, which was pinned just now.
            let failed = unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
            REGISTERED.store(failed == 0, Ordering::Release);
        }
        let new = WatchedLocks {
            watched,
            held: None,
        };
        let mut list = lock();
        if !list.iter().any(|known| known.address() == new.address()) {
            list.push(Box::new(new));
        }
    }

    extern "C" fn prepare() {
        let thread = thread();
        if FORKING.load(Ordering::Relaxed) == thread {
            return;
        }
        let mut watched = lock();
        for one in watched.iter_mut() {
            one.hold();
        }
        let cells = thread_slots::lock();
        // SAFETY: we hold the locks.
        unsafe { *HELD.0.get() = Some(Held { watched, cells }) };
        FORKING.store(thread, Ordering::Relaxed);
    }

    fn take() -> Option<Held> {
        if FORKING.load(Ordering::Relaxed) != thread() {
            return None;
        }
        FORKING.store(0, Ordering::Relaxed);
        // SAFETY: we are the thread that forked, which holds the locks.
        unsafe { (*HELD.0.get()).take() }
    }

    extern "C" fn parent() {
        if let Some(held) = take() {
            held.let_go();
        }
    }

    extern "C" fn child() {
        let Some(mut held) = take() else { return };
        for one in held.watched.iter_mut() {
            one.in_child();
        }
        thread_slots::forget_other_threads(&mut held.cells);
        PROCESS.store(process(), Ordering::Release);
        held.let_go();
    }

    impl Held {
        fn let_go(self) {
            drop(self.cells);
            let mut watched = self.watched;
            for one in watched.iter_mut().rev() {
                one.let_go();
            }
        }
    }
}
