//! Notification of a call's cancellation, for tasks that await it and threads that wait for it.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use rustbridge_abi::{Op, RB_CANCELLED, RB_OK, StatusCode};

use crate::Host;
use crate::contain::contained;
use crate::lock_wait::wait;

/// Wakes all waiters when a call is cancelled. The host stores one waker for each asynchronous call; this is that waker.
#[derive(Default)]
pub(crate) struct Alarm {
    waiting: Mutex<AlarmState>,
    notified: Condvar,
    /// Whether `connect` was called before.
    is_connected: AtomicBool,
}

#[derive(Default)]
struct AlarmState {
    wakers: Vec<Waker>,
    /// The function with which the alarm was registered at the host, and the call's ID, for the deregistration.
    host: Option<(OnCancel, Op)>,
}

/// [`AsyncHost::on_cancel`](rustbridge_abi::AsyncHost::on_cancel).
type OnCancel = unsafe extern "C" fn(
    op: Op,
    wake: Option<unsafe extern "C" fn(data: *mut c_void)>,
    data: *mut c_void,
) -> StatusCode;

/// How often a waiting thread checks whether its call was cancelled, if the host can't notify it.
const LOOK: Duration = Duration::from_millis(10);

impl Alarm {
    /// Registers the alarm at the host, which rings it when the call is cancelled.
    pub(crate) fn connect(self: &Arc<Self>, host: &Host, op: Op) {
        if op == 0 || self.is_connected.swap(true, Ordering::Relaxed) {
            return;
        }
        let Some(on_cancel) = host.operations().and_then(|table| table.on_cancel) else {
            return;
        };
        // Noted before, so that whoever drops the call takes it back in any case.
        self.lock().host = Some((on_cancel, op));
        // SAFETY: the host's function for any thread, without a lock of ours, since it may ring at once. The alarm lives until
        // `disconnect`, which whoever owns it calls before.
        let status = unsafe { on_cancel(op, Some(ring), Arc::as_ptr(self).cast_mut().cast()) };
        if status != RB_OK {
            self.lock().host = None;
        }
    }

    /// Deregisters the alarm. When this returns, the host isn't ringing it and won't ring it again.
    pub(crate) fn disconnect(&self) {
        let host = self.lock().host.take();
        if let Some((on_cancel, op)) = host {
            // SAFETY: the host's function for any thread; null takes the waker back.
            unsafe { on_cancel(op, None, ptr::null_mut()) };
        }
    }

    #[cfg(feature = "async")]
    pub(crate) fn add(&self, waker: &Waker) {
        let is_there =
            |waiting: &AlarmState| waiting.wakers.iter().any(|other| other.will_wake(waker));
        if is_there(&self.lock()) {
            return;
        }
        // Without the lock: what a waker runs then is foreign.
        let ours = waker.clone();
        let mut waiting = self.lock();
        if !is_there(&waiting) {
            waiting.wakers.push(ours);
        }
    }

    /// Waits until `is_over` returns true, or until a point in time. If `is_notified` is false, nothing rings when the
    /// condition changes, so it's checked periodically.
    pub(crate) fn wait(
        &self,
        until: Option<Instant>,
        is_notified: bool,
        is_over: impl Fn() -> bool,
    ) {
        let mut waiting = self.lock();
        while !is_over() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return;
            }
            let time = if is_notified {
                left
            } else {
                Some(left.map_or(LOOK, |left| left.min(LOOK)))
            };
            waiting = wait(&self.notified, waiting, time);
        }
    }

    /// Returns whether the alarm is registered at the host.
    pub(crate) fn is_known_to_host(&self) -> bool {
        self.lock().host.is_some()
    }

    fn ring(&self) {
        let wakers = {
            let mut waiting = self.lock();
            self.notified.notify_all();
            std::mem::take(&mut waiting.wakers)
        };
        // One that panics keeps none of the others from being woken.
        for waker in wakers {
            contained(|| waker.wake());
        }
    }

    fn lock(&self) -> MutexGuard<'_, AlarmState> {
        // Held for a few lines that don't panic.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The function that the host calls.
unsafe extern "C" fn ring(alarm: *mut c_void) {
    // SAFETY: `connect` gave it, and it lives until the host was told to forget it, which waits for this.
    let alarm = unsafe { &*alarm.cast::<Alarm>() };
    contained(|| alarm.ring());
}

/// Cancels calls that a test has created.
///
/// ```
/// use rustbridge::testing;
///
/// let token = testing::Token::new();
/// let call = testing::call().cancelled_by(&token).build();
/// assert!(!call.is_cancelled());
/// token.cancel();
/// assert!(call.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Token {
    shared: Arc<TokenState>,
}

#[derive(Default)]
struct TokenState {
    flag: AtomicU32,
    alarms: Mutex<Vec<Arc<Alarm>>>,
}

impl Token {
    /// Returns a token that hasn't cancelled yet.
    #[must_use]
    pub fn new() -> Token {
        Token::default()
    }

    /// Cancels the calls that use this token, including later ones.
    pub fn cancel(&self) {
        self.shared
            .flag
            .store(RB_CANCELLED.unsigned_abs(), Ordering::Relaxed);
        let alarms = std::mem::take(&mut *self.lock());
        for alarm in alarms {
            alarm.ring();
        }
    }

    pub(crate) fn flag(&self) -> *const u32 {
        self.shared.flag.as_ptr()
    }

    /// Registers an alarm to ring on cancellation, unless it's registered already.
    pub(crate) fn tell(&self, alarm: &Arc<Alarm>) {
        let mut alarms = self.lock();
        if !alarms.iter().any(|other| Arc::ptr_eq(other, alarm)) {
            alarms.push(alarm.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Alarm>>> {
        // Held for a few lines that don't panic.
        self.shared
            .alarms
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "async"))]
mod tests {
    use super::*;
    use crate::lock_wait::nosy;

    #[test]
    fn wakers_may_come_back_to_what_they_wait_for_and_panic() {
        struct Panics;

        impl std::task::Wake for Panics {
            fn wake(self: Arc<Self>) {
                panic!("as it's meant to");
            }
        }

        nosy::in_time(|| {
            let alarm = Arc::new(Alarm::default());
            let acted = Arc::new(AtomicU32::new(0));
            let wakers = [(); 2].map(|()| {
                let (alarm, acted) = (alarm.clone(), acted.clone());
                nosy::waker(move || {
                    alarm.add(Waker::noop());
                    acted.fetch_add(1, Ordering::Relaxed);
                })
            });
            alarm.add(&Waker::from(Arc::new(Panics)));
            for waker in wakers.iter().chain(&wakers) {
                alarm.add(waker);
            }
            let before = acted.load(Ordering::Relaxed);
            alarm.ring();
            assert!(acted.load(Ordering::Relaxed) >= before + 2);
        });
    }
}
