//! A few threads for all loggers: what has work waits in line, and gets turns on them.
//!
//! [`WORKERS`] take turns at once. One that has been in a turn for longer than its patience counts as away, and another takes
//! its place, so that a sink that never returns holds up nobody but itself.

use std::collections::VecDeque;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use crate::registry::fork::{self, OverFork};

/// How many turns are taken at once, those left out that last too long.
const WORKERS: usize = 4;

/// How long a turn may last until its worker counts as away: far longer than a turn is meant to take, and short for who
/// waits. It grows with the number of those that are away already, up to [`MOST_PATIENCE`], because many sinks that are late
/// at once mostly wait for the same (a lock of the host's language, say), and more threads would wait for it as well.
const PATIENCE: Duration = Duration::from_millis(20);
const MOST_PATIENCE: Duration = Duration::from_secs(1);

/// How long a worker without work stays. A thread costs its host's language something to get to know.
const LINGERS: Duration = Duration::from_secs(10);

/// What gets turns on the workers.
pub(super) trait Work: Send + Sync {
    /// Does some of what there is to do. Only for who was given it by the pool, so it never runs twice at once. The last that it
    /// does, and before it may be pushed again, is to call [`Pool::is_done`].
    fn turn(&self) -> After;
}

/// What follows a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// There's nothing left to do: it comes back by [`Pool::push`].
    Idle,
    /// There's more to do, after the others have had their turns.
    More,
}

/// The threads of this copy of the core. They are for all instances, of whatever library: what belongs to one of them is in
/// its own [`Work`].
pub(super) static POOL: Pool = Pool {
    state: Mutex::new(State {
        line: VecDeque::new(),
        turns: Vec::new(),
        idle: Vec::new(),
        threads: Vec::new(),
        ended: Vec::new(),
        members: 0,
        epoch: 0,
        started: 0,
        is_watched: false,
    }),
    is_short: AtomicBool::new(false),
    done: AtomicUsize::new(0),
    forks: AtomicU64::new(0),
};

/// What the host's language wants to do at the end of each of the threads. They are shared by all instances, and so is this.
static AT_END: OnceLock<fn()> = OnceLock::new();

/// Has something run at the end of each thread that delivers records, while it may still take locks and call anything: for
/// hosts that get to know such a thread when it first calls them. There's one such function for each copy of the core, the
/// first that's given.
pub fn at_log_thread_end(run: fn()) {
    let _ = AT_END.set(run);
}

pub(super) struct Pool {
    /// The innermost lock: nothing else is locked, and nothing of others run, under it.
    state: Mutex<State>,
    /// A thread was wanted, and couldn't be made.
    is_short: AtomicBool,
    /// How many turns are done whose workers haven't come back yet to look at the line.
    done: AtomicUsize,
    /// In how many forks this process was the child.
    forks: AtomicU64,
}

pub(super) struct State {
    /// What waits for a turn, in order.
    line: VecDeque<Arc<dyn Work>>,
    /// The turns that are taken at the moment, the oldest first.
    turns: Vec<Turn>,
    idle: Vec<Idle>,
    threads: Vec<(u64, JoinHandle<()>)>,
    /// Threads that have nothing left to do but to end.
    ended: Vec<JoinHandle<()>>,
    /// How many have ever waited for a turn and are still there.
    members: usize,
    /// Whoever was started in another ends.
    epoch: u64,
    /// How many workers were ever started.
    started: u64,
    /// Whether forks are looked after.
    is_watched: bool,
}

#[derive(Clone, Copy)]
struct Turn {
    worker: u64,
    began: Instant,
    is_away: bool,
}

struct Idle {
    worker: u64,
    thread: Thread,
    /// Whether it wakes up by itself once a turn has lasted too long.
    watches: bool,
}

/// What a worker does now.
enum Now {
    Take(Arc<dyn Work>),
    /// Nothing until then, or until somebody wakes it up.
    Wait {
        at_most: Duration,
        watches: bool,
    },
    End,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts something in line for a turn; what comes for the first time becomes a member, until [`leave`](Pool::leave). It
    /// isn't in line yet, and nobody is at it.
    pub(super) fn push(&'static self, work: Arc<dyn Work>, is_new: bool) {
        let mut state = self.lock();
        if !state.is_watched {
            // Without the lock, which is taken after that of what is looked after.
            drop(state);
            fork::watch(self);
            state = self.lock();
            state.is_watched = true;
        }
        state.members += usize::from(is_new);
        state.line.push_back(work);
        self.attend_to(state);
    }

    /// Tries once more to find a thread for those in line.
    pub(super) fn attend(&'static self) {
        self.attend_to(self.lock());
    }

    fn attend_to(&'static self, mut state: MutexGuard<'_, State>) {
        let woken = self.attendant(&mut state);
        drop(state);
        if let Some(thread) = woken {
            thread.unpark();
        }
    }

    /// Sees to it that somebody looks after the line: who is to be woken up, if a thread wasn't started here.
    fn attendant(&'static self, state: &mut State) -> Option<Thread> {
        // Who comes back just now looks at it anyway: who logs now and then is to meet the same thread each time.
        if state.line.is_empty() || self.done.load(Ordering::Relaxed) > 0 {
            return None;
        }
        state.mark_away(Instant::now());
        let is_watched = state.present() >= WORKERS && state.idle.iter().any(|idle| idle.watches);
        let woken = if is_watched { None } else { state.idle.pop() };
        // As many as take turns, and one that watches them.
        let is_missing =
            !is_watched && woken.is_none() && state.threads.len() <= WORKERS + state.away();
        let is_short = is_missing && !self.start(state);
        self.is_short.store(is_short, Ordering::Relaxed);
        woken.map(|idle| idle.thread)
    }

    /// Under the lock, so that a worker that runs is one that's known. `false` if no thread can be made.
    fn start(&'static self, state: &mut State) -> bool {
        let worker = state.started;
        let epoch = state.epoch;
        state.started += 1;
        let thread = thread::Builder::new()
            .name(format!("rb-log-{worker}"))
            .spawn(move || self.work(worker, epoch));
        let Ok(thread) = thread else { return false };
        state.threads.push((worker, thread));
        true
    }

    /// A worker's life.
    fn work(&'static self, worker: u64, epoch: u64) {
        let mut state = self.lock();
        while state.epoch == epoch {
            match state.now() {
                Now::Take(work) => {
                    state.turns.push(Turn {
                        worker,
                        began: Instant::now(),
                        is_away: false,
                    });
                    self.attend_to(state);
                    let forks = self.forks();
                    let again = work.turn() == After::More;
                    if self.forks() != forks {
                        // A child, whose only thread this is, has nothing to do with what is the parent's.
                        mem::forget(work);
                        return;
                    }
                    // If it's dropped, then not under the lock: this may be the last that knows it.
                    let again = again.then_some(work);
                    state = self.come_back();
                    state.turns.retain(|turn| turn.worker != worker);
                    state.line.extend(again);
                }
                Now::Wait { at_most, watches } => {
                    state.idle.push(Idle {
                        worker,
                        thread: thread::current(),
                        watches,
                    });
                    drop(state);
                    let since = Instant::now();
                    thread::park_timeout(at_most);
                    state = self.lock();
                    let idle = state.idle.len();
                    state.idle.retain(|idle| idle.worker != worker);
                    // Woken up by nobody, for as long as it lingers.
                    if state.idle.len() < idle
                        && state.line.is_empty()
                        && since.elapsed() >= LINGERS
                    {
                        break;
                    }
                }
                Now::End => break,
            }
        }
        if state.epoch == epoch {
            // Nobody waits for the end of one that is superfluous.
            state.threads.retain(|(known, _)| *known != worker);
        }
        self.attend_to(state);
        if let Some(run) = AT_END.get() {
            run();
        }
    }

    /// Says that a turn is over, but for the way back.
    pub(super) fn is_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn come_back(&self) -> MutexGuard<'_, State> {
        let state = self.lock();
        // Under the lock: who didn't look after the line because of this one finds it looking, or waiting for work.
        self.done.fetch_sub(1, Ordering::Relaxed);
        state
    }

    /// After a turn that wasn't a worker's: has somebody look after the line, and after what was in the turn if there's more.
    pub(super) fn after_turn(&'static self, again: Option<Arc<dyn Work>>) {
        let mut state = self.come_back();
        state.line.extend(again);
        self.attend_to(state);
    }

    /// Whether a thread was wanted and couldn't be made: then it's worth trying again.
    pub(super) fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }

    /// Takes something out of the line to give it a turn elsewhere, because no thread can be made and none will come to it.
    /// `false` if it isn't in the line, or in good hands.
    pub(super) fn take(&self, work: *const ()) -> bool {
        let mut state = self.lock();
        if !self.is_short() || state.threads.len() > state.away() {
            return false;
        }
        let found = state
            .line
            .iter()
            .position(|waiting| ptr::eq(Arc::as_ptr(waiting).cast::<()>(), work));
        let taken = found.and_then(|at| state.line.remove(at));
        drop(state);
        taken.is_some()
    }

    /// Says that a member won't come again. With the last one the threads end.
    pub(super) fn leave(&self) {
        let mut state = self.lock();
        state.members = state.members.saturating_sub(1);
        if state.members > 0 {
            return;
        }
        let State { threads, ended, .. } = &mut *state;
        // Who has ended needs nobody who waits for it.
        ended.retain(|thread| !thread.is_finished());
        ended.extend(threads.drain(..).map(|(_, thread)| thread));
        state.epoch += 1;
        state.turns.clear();
        let idle = mem::take(&mut state.idle);
        drop(state);
        for one in idle {
            one.thread.unpark();
        }
    }

    /// Waits for the threads that have nothing left to do but to end. Not for those that deliver.
    pub(super) fn join_ended(&self) {
        let ended = mem::take(&mut self.lock().ended);
        for thread in ended {
            // What panics in a turn is caught there.
            let _ = thread.join();
        }
    }

    /// Changes when this process becomes the child of a fork.
    pub(super) fn forks(&self) -> u64 {
        self.forks.load(Ordering::Relaxed)
    }
}

impl State {
    fn away(&self) -> usize {
        self.turns.iter().filter(|turn| turn.is_away).count()
    }

    /// How many turns are taken that don't last too long.
    fn present(&self) -> usize {
        self.turns.len() - self.away()
    }

    fn patience(&self) -> Duration {
        let factor = u32::try_from(self.away() + 1).unwrap_or(u32::MAX);
        PATIENCE.saturating_mul(factor).min(MOST_PATIENCE)
    }

    fn mark_away(&mut self, now: Instant) {
        for at in 0..self.turns.len() {
            let patience = self.patience();
            let turn = &mut self.turns[at];
            turn.is_away = turn.is_away || now.duration_since(turn.began) >= patience;
        }
    }

    fn now(&mut self) -> Now {
        let now = Instant::now();
        self.mark_away(now);
        if self.present() < WORKERS
            && let Some(work) = self.line.pop_front()
        {
            return Now::Take(work);
        }
        if self.line.is_empty() || self.idle.iter().any(|idle| idle.watches) {
            if self.threads.len() > WORKERS + 1 + self.away() {
                return Now::End;
            }
            return Now::Wait {
                at_most: LINGERS,
                watches: false,
            };
        }
        let oldest = self.turns.iter().find(|turn| !turn.is_away);
        let patience = self.patience();
        Now::Wait {
            at_most: oldest.map_or(patience, |turn| {
                patience.saturating_sub(now.duration_since(turn.began))
            }),
            watches: true,
        }
    }
}

/// What waits in line is the parent's, and so are the threads.
impl OverFork for Pool {
    type Held = MutexGuard<'static, State>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    fn in_child(&'static self, state: &mut Self::Held) {
        mem::forget(mem::take(&mut state.line));
        mem::forget(mem::take(&mut state.turns));
        mem::forget(mem::take(&mut state.idle));
        mem::forget(mem::take(&mut state.threads));
        mem::forget(mem::take(&mut state.ended));
        state.members = 0;
        state.epoch += 1;
        self.is_short.store(false, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.forks.fetch_add(1, Ordering::Relaxed);
    }
}
