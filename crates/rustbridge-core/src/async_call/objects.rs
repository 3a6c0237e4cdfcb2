//! The registry of objects: what plugins have returned to their hosts, by numbers that are never issued twice.
//!
//! Nothing here checks whether an instance exists. A thread that borrows, issues or drops objects is inside the instance, as a call
//! is, or a pending call keeps it from closing; `close` drops the rest when there are neither.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustbridge_abi::{Object, Status};

use crate::error::Error;
use crate::library::negotiate::DropFn;
use crate::registry::fork::{self, OverFork};
use crate::registry::table::Handle;

/// Stands for the entry in the mark of a thread that drops an object: no plugin has such an entry.
pub(crate) const DROPPING: u32 = u32::MAX;

/// The part of a number that is the object's index; the rest is the generation, which starts at 1.
const INDEX_BITS: u32 = 24;
const INDEX: u64 = (1 << INDEX_BITS) - 1;
const LAST_GENERATION: u64 = (1 << (64 - INDEX_BITS)) - 1;

/// How many objects can exist at once, of all instances together.
const CAPACITY: u32 = 1 << INDEX_BITS;
const CHUNK_BITS: u32 = 10;
const CHUNK: usize = 1 << CHUNK_BITS;

/// In a place's word: the host has released the object.
const RELEASED: u64 = 1 << 23;
/// In a place's word: the object was dropped, or a thread is about to drop it.
const GONE: u64 = 1 << 22;
/// In a place's word: how many calls borrow the object.
const PINS: u64 = GONE - 1;

/// The place of an object, on a cache line of its own, because calls on different threads write to the objects that they borrow.
///
/// Invariant: the thread that sets `GONE` drops the object, once; it's set only while there are no pins. `instance` and `address` are
/// written only between that drop and the word's next generation, so a thread that has changed the word of one generation has read
/// them as they were in that generation.
#[derive(Debug)]
#[repr(align(64))]
struct Place {
    /// `generation << 24`, the flags, the pins.
    word: AtomicU64,
    instance: AtomicU64,
    /// The plugin's address of the object.
    address: AtomicU64,
    /// The index of the next free place plus 1, or 0. Guarded by the lock.
    next: AtomicU32,
}

/// The objects of an instance, by its handle's slot.
///
/// Invariant: `drop` is null or a [`DropFn`] that belongs to `plugin`. Both stay the same from before the instance's first call until
/// after its last.
#[derive(Debug)]
struct Home {
    drop: AtomicPtr<c_void>,
    plugin: AtomicPtr<c_void>,
    /// How many objects aren't dropped.
    live: AtomicUsize,
}

/// Of all instances of the process, so that a handle is all that an object has to know. The pages are zero until they are used.
static HOMES: [Home; 1 << 16] = [const {
    Home {
        drop: AtomicPtr::new(ptr::null_mut()),
        plugin: AtomicPtr::new(ptr::null_mut()),
        live: AtomicUsize::new(0),
    }
}; 1 << 16];

/// The places of all instances' objects, so that a number suffices to find one. A chunk is allocated when it's needed and never freed,
/// so any number can be looked up at any time.
static CHUNKS: [AtomicPtr<[Place; CHUNK]>; CAPACITY as usize / CHUNK] =
    [const { AtomicPtr::new(ptr::null_mut()) }; CAPACITY as usize / CHUNK];

/// The free places, of all instances.
static FREE: Free = Free(Mutex::new(List { first: 0, used: 0 }));

#[derive(Debug)]
struct Free(Mutex<List>);

#[derive(Debug)]
struct List {
    /// The index of the first free place plus 1, or 0.
    first: u32,
    /// How many places were ever used.
    used: u32,
}

impl Free {
    fn lock(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A child's instances have slots of their own, so the parent's objects are never looked up again, and stay.
impl OverFork for Free {
    type Held = MutexGuard<'static, List>;

    fn hold(&'static self) -> Self::Held {
        self.lock()
    }

    fn in_child(&'static self, _held: &mut Self::Held) {}
}

fn home(instance: Handle) -> &'static Home {
    &HOMES[usize::from(instance as u16)]
}

fn place(index: u32) -> Option<&'static Place> {
    let chunk = CHUNKS[(index >> CHUNK_BITS) as usize].load(Ordering::Acquire);
    // SAFETY: null, or a chunk that is never freed.
    let chunk = unsafe { chunk.as_ref() }?;
    Some(&chunk[index as usize & (CHUNK - 1)])
}

fn index(object: Object) -> u32 {
    (object & INDEX) as u32
}

const fn generation(word_or_object: u64) -> u64 {
    word_or_object >> INDEX_BITS
}

/// The word of an object that is neither released nor borrowed.
const fn at_rest(generation: u64) -> u64 {
    generation << INDEX_BITS
}

const _: () = assert!(RELEASED == 1 << (INDEX_BITS - 1) && GONE == RELEASED >> 1);

/// Why an object can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// The number was never issued.
    Unknown,
    /// The object was released, or ended with its instance.
    Released,
    /// The object belongs to another instance.
    Foreign,
    /// As many calls as can be counted borrow the object.
    TooManyBorrows,
}

impl Unusable {
    /// The error. `which` names the object.
    #[cold]
    pub(crate) fn error(self, which: &str) -> Error {
        let (status, kind, problem) = match self {
            Unusable::Unknown => (
                Status::InvalidArgument,
                "InvalidObject",
                "isn't the number of an object: pass a number that a plugin has returned",
            ),
            Unusable::Released => (
                Status::NotFound,
                "ObjectReleased",
                "was released, or its instance was closed: get a new one from the plugin",
            ),
            Unusable::Foreign => (
                Status::InvalidArgument,
                "ForeignObject",
                "belongs to another instance: pass it to methods of the instance that returned it",
            ),
            Unusable::TooManyBorrows => (
                Status::ResourceExhausted,
                "TooManyBorrows",
                "is borrowed by too many calls: wait for some of them",
            ),
        };
        Error::new(status, kind, format!("{which} {problem}"))
    }
}

/// Sets the function that drops an instance's objects, or null, before the first call.
pub(crate) fn set_drop(instance: Handle, drop: Option<DropFn>, plugin: *mut c_void) {
    let home = home(instance);
    let drop = drop.map_or(ptr::null_mut(), |drop| drop as *mut c_void);
    home.plugin.store(plugin, Ordering::Relaxed);
    home.drop.store(drop, Ordering::Release);
}

/// Whether there's a function that drops the instance's objects.
pub(super) fn can_drop(instance: Handle) -> bool {
    !home(instance).drop.load(Ordering::Relaxed).is_null()
}

/// How many objects an instance has.
pub(crate) fn count(instance: Handle) -> usize {
    home(instance).live.load(Ordering::Relaxed)
}

/// Issues a number for an object that a plugin has returned. The caller is inside the instance, which has a function that drops
/// objects.
pub(crate) fn issue(instance: Handle, address: u64) -> Result<Object, Error> {
    let (place, index) = take().ok_or_else(too_many)?;
    home(instance).live.fetch_add(1, Ordering::Relaxed);
    let next = generation(place.word.load(Ordering::Acquire)) + 1;
    // A thread that reads it also sees that the previous object is gone.
    place.instance.store(instance, Ordering::Release);
    place.address.store(address, Ordering::Relaxed);
    place.word.store(at_rest(next), Ordering::Release);
    Ok(at_rest(next) | u64::from(index))
}

#[cold]
fn too_many() -> Error {
    Error::new(
        Status::ResourceExhausted,
        "TooManyObjects",
        format!(
            "this process holds {CAPACITY} objects of plugins, which is the limit: release some"
        ),
    )
}

/// Takes a free place.
fn take() -> Option<(&'static Place, u32)> {
    let mut free = FREE.lock();
    if free.used == 0 {
        // Without the lock, because `watch` takes a lock that is taken before this one at a fork.
        drop(free);
        fork::watch(&FREE);
        free = FREE.lock();
    }
    if let Some(index) = free.first.checked_sub(1) {
        let place = place(index)?;
        free.first = place.next.load(Ordering::Relaxed);
        return Some((place, index));
    }
    let index = free.used;
    if index == CAPACITY {
        return None;
    }
    if index.is_multiple_of(CHUNK as u32) {
        let chunk: Box<[Place]> = (0..CHUNK)
            .map(|_| Place {
                word: AtomicU64::new(RELEASED | GONE),
                instance: AtomicU64::new(0),
                address: AtomicU64::new(0),
                next: AtomicU32::new(0),
            })
            .collect();
        CHUNKS[index as usize / CHUNK].store(Box::into_raw(chunk).cast(), Ordering::Release);
    }
    free.used += 1;
    Some((place(index)?, index))
}

fn give_free(place: &'static Place, index: u32) {
    // A place whose generations are used up isn't used again, because stale numbers must stay stale.
    if generation(place.word.load(Ordering::Relaxed)) < LAST_GENERATION {
        let mut free = FREE.lock();
        place.next.store(free.first, Ordering::Relaxed);
        free.first = index + 1;
    }
}

/// The place of an object that isn't gone, and its word.
fn look(object: Object) -> Result<(&'static Place, u64), Unusable> {
    let place = place(index(object)).ok_or(Unusable::Unknown)?;
    let word = place.word.load(Ordering::Acquire);
    if generation(word) == generation(object) && word & GONE == 0 {
        Ok((place, word))
    } else if generation(object) == 0 || generation(object) > generation(word) {
        Err(Unusable::Unknown)
    } else {
        Err(Unusable::Released)
    }
}

/// The instance to which the object belongs.
pub(crate) fn owner(object: Object) -> Result<Handle, Unusable> {
    let (place, word) = look(object)?;
    let instance = place.instance.load(Ordering::Acquire);
    // The instance is the object's only if the object wasn't gone when it was read.
    let again = place.word.load(Ordering::Relaxed);
    if generation(again) == generation(word) && again & GONE == 0 {
        Ok(instance)
    } else {
        Err(Unusable::Released)
    }
}

/// Marks an object as released; an error if it was before. A caller that is inside the instance then [`collect`]s it; otherwise it's
/// dropped when no call borrows it any more, or with its instance.
pub(crate) fn release(object: Object) -> Result<(), Unusable> {
    let (place, mut word) = look(object)?;
    while word & (RELEASED | GONE) == 0 && generation(word) == generation(object) {
        match place.word.compare_exchange_weak(
            word,
            word | RELEASED,
            Ordering::AcqRel,
            Ordering::Acquire,
        ) {
            Ok(_) => return Ok(()),
            Err(changed) => word = changed,
        }
    }
    Err(Unusable::Released)
}

/// Drops an object that was released and isn't borrowed, unless another thread does.
///
/// # Safety
/// The caller is inside the object's instance, or counts as pending in it.
pub(crate) unsafe fn collect(object: Object) {
    if let Some(place) = place(index(object)) {
        let idle = at_rest(generation(object)) | RELEASED;
        if place
            .word
            .compare_exchange(idle, idle | GONE, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
        {
            // SAFETY: the caller's promise; claimed just now.
            unsafe { drop_claimed(place, index(object)) };
        }
    }
}

/// # Safety
/// The caller has set `GONE` and is inside the object's instance, or destroys it.
unsafe fn drop_claimed(place: &'static Place, index: u32) {
    let instance = place.instance.load(Ordering::Relaxed);
    let address = place.address.load(Ordering::Relaxed);
    // SAFETY: the caller's promise. `GONE` was set, so this happens once.
    unsafe { drop_address(instance, address) };
    give_free(place, index);
    home(instance).live.fetch_sub(1, Ordering::Release);
}

/// # Safety
/// The instance exists, and the plugin has returned the address once for each time that it's dropped.
pub(super) unsafe fn drop_address(instance: Handle, address: u64) {
    let home = home(instance);
    let drop = home.drop.load(Ordering::Acquire);
    if drop.is_null() {
        return;
    }
    // SAFETY: a function of that type, by the invariant of `Home`.
    let drop = unsafe { std::mem::transmute::<*mut c_void, DropFn>(drop) };
    // SAFETY: it belongs to this plugin, whose instance exists by the caller's promise.
    unsafe { drop(home.plugin.load(Ordering::Relaxed), address) };
}

/// Drops all objects that an instance still has, whether they were released or not: for `close`, before `destroy`.
///
/// # Safety
/// No thread is inside the instance, no call is pending in it, and it isn't destroyed yet.
pub(crate) unsafe fn end_of_instance(instance: Handle) {
    if count(instance) == 0 {
        return;
    }
    let used = FREE.lock().used;
    for index in 0..used {
        let Some(place) = place(index) else { continue };
        let mut word = place.word.load(Ordering::Acquire);
        // A host may release the object meanwhile, which changes the word.
        while word & GONE == 0 && place.instance.load(Ordering::Relaxed) == instance {
            match place.word.compare_exchange_weak(
                word,
                at_rest(generation(word)) | RELEASED | GONE,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => {
                    // SAFETY: the caller's promise; claimed just now.
                    unsafe { drop_claimed(place, index) };
                    break;
                }
                Err(changed) => word = changed,
            }
        }
        if count(instance) == 0 {
            break;
        }
    }
}

/// Keeps an object from being dropped until [`unpin`], and returns the plugin's address of it.
#[inline]
pub(super) fn pin(instance: Handle, object: Object) -> Result<u64, Unusable> {
    let (place, mut word) = look(object)?;
    loop {
        if (word ^ object) >> INDEX_BITS != 0 || word & (RELEASED | GONE) != 0 {
            return Err(Unusable::Released);
        }
        if place.instance.load(Ordering::Relaxed) != instance {
            return Err(Unusable::Foreign);
        }
        if word & PINS == PINS {
            return Err(Unusable::TooManyBorrows);
        }
        // Not an addition, which could pin the next object in this place for a moment. The thread that removed that pin could then have to
        // drop an object of an instance that it isn't inside.
        match place
            .word
            .compare_exchange_weak(word, word + 1, Ordering::AcqRel, Ordering::Acquire)
        {
            Ok(_) => return Ok(place.address.load(Ordering::Relaxed)),
            Err(changed) => word = changed,
        }
    }
}

/// Removes one pin.
///
/// # Safety
/// The caller has pinned the object, and is inside its instance, or counts as pending in it.
#[inline]
pub(super) unsafe fn unpin(object: Object) {
    let Some(place) = place(index(object)) else {
        return;
    };
    let before = place.word.fetch_sub(1, Ordering::Release);
    if before & (RELEASED | PINS) == RELEASED | 1 {
        // SAFETY: the caller's promise.
        unsafe { collect(object) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::super::borrowed::BorrowedObjects;
    use super::*;

    /// How often objects were dropped.
    struct Drops([AtomicU32; 64]);

    impl Drops {
        fn new() -> Drops {
            Drops([const { AtomicU32::new(0) }; 64])
        }

        fn of(&self, address: u64) -> u32 {
            self.0[address as usize % 64].load(Ordering::Relaxed)
        }

        /// Makes it the plugin of a handle that no table issues: each test has its own.
        fn begin(&self, instance: Handle) {
            set_drop(instance, Some(note), ptr::from_ref(self).cast_mut().cast());
        }
    }

    unsafe extern "C" fn note(plugin: *mut c_void, address: u64) {
        // SAFETY: what `begin` was given.
        let drops = unsafe { &*plugin.cast::<Drops>() };
        drops.0[address as usize % 64].fetch_add(1, Ordering::Relaxed);
    }

    fn lent(instance: Handle, objects: &[Object]) -> Result<BorrowedObjects, Error> {
        let mut lent = BorrowedObjects::none();
        // SAFETY: nothing ends these instances while one of theirs is lent.
        unsafe { lent.borrow(instance, objects) }.map(|()| lent)
    }

    fn gone(object: Object) -> Result<(), Unusable> {
        release(object)?;
        // SAFETY: as above.
        unsafe { collect(object) };
        Ok(())
    }

    #[test]
    fn each_number_is_dropped_once_and_never_issued_again() {
        let drops = Drops::new();
        let instance = 0x1_fff1;
        drops.begin(instance);
        let first = issue(instance, 1).unwrap();
        let second = issue(instance, 1).unwrap();
        assert_ne!(first, second);
        assert_eq!((owner(first), count(instance)), (Ok(instance), 2));
        gone(first).unwrap();
        assert_eq!(drops.of(1), 1);
        assert_eq!(gone(first), Err(Unusable::Released));
        assert_eq!(owner(first), Err(Unusable::Released));
        let third = issue(instance, 3).unwrap();
        assert_ne!(third, first);
        assert_eq!(gone(first), Err(Unusable::Released));
        assert_eq!((drops.of(1), drops.of(3)), (1, 0));
        // SAFETY: no other thread uses it.
        unsafe { end_of_instance(instance) };
        assert_eq!((drops.of(1), drops.of(3), count(instance)), (2, 1, 0));
        assert_eq!(gone(second), Err(Unusable::Released));
    }

    #[test]
    fn made_up_numbers_are_refused() {
        let drops = Drops::new();
        let instance = 0x1_fff2;
        drops.begin(instance);
        let object = issue(instance, 1).unwrap();
        for made_up in [0, 1, INDEX, u64::MAX, object + (1 << INDEX_BITS), 1 << 63] {
            assert_eq!(gone(made_up), Err(Unusable::Unknown), "{made_up:#x}");
            assert_eq!(owner(made_up), Err(Unusable::Unknown));
            let error = lent(instance, &[object, made_up]).unwrap_err();
            assert_eq!(error.type_name(), "rustbridge.InvalidObject");
            assert_eq!(error.details().unwrap()["position"], 1);
        }
        // Those before the one that was refused aren't lent any more.
        gone(object).unwrap();
        assert_eq!(drops.of(1), 1);
    }

    #[test]
    fn what_is_lent_is_dropped_when_it_is_given_back() {
        let drops = Drops::new();
        let instance = 0x1_fff3;
        drops.begin(instance);
        let objects: Vec<Object> = (0..6).map(|at| issue(instance, at).unwrap()).collect();
        for some in [&objects[..2], &objects[..]] {
            let twice = lent(instance, &[some[0], some[0]]).unwrap();
            let all = lent(instance, some).unwrap();
            // SAFETY: as many as are lent.
            let addresses = unsafe { std::slice::from_raw_parts(all.as_ptr(), all.len()) };
            assert!(addresses.iter().copied().eq(0..some.len() as u64));
            drop(twice);
        }
        let last = lent(instance, &objects).unwrap();
        for &object in &objects {
            gone(object).unwrap();
            assert_eq!(gone(object), Err(Unusable::Released));
            assert!(lent(instance, &[object]).is_err());
        }
        assert_eq!(drops.of(5), 0);
        drop(last);
        assert!((0..6).all(|at| drops.of(at) == 1) && count(instance) == 0);
    }

    #[test]
    fn another_instance_gets_none() {
        let drops = Drops::new();
        let (own, other) = (0x1_fff4, 0x1_fff5);
        drops.begin(own);
        drops.begin(other);
        let object = issue(own, 1).unwrap();
        let error = lent(other, &[object]).unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.ForeignObject");
        // The next instance in the same slot is another one, too.
        assert!(lent(own + (1 << 16), &[object]).is_err());
        gone(object).unwrap();
    }

    #[test]
    fn threads_that_lend_and_release_drop_each_object_once() {
        let drops = Drops::new();
        let instance = 0x1_fff6;
        drops.begin(instance);
        let rounds = if cfg!(miri) { 50 } else { 20_000 };
        let barrier = Barrier::new(2);
        let shared: [AtomicU64; 8] = [const { AtomicU64::new(0) }; 8];
        thread::scope(|scope| {
            for me in 0..2_usize {
                let (barrier, shared) = (&barrier, &shared);
                scope.spawn(move || {
                    barrier.wait();
                    for round in 0..rounds {
                        let at = (round * 7 + me * 3) % 8;
                        let new = issue(instance, 1).unwrap();
                        let old = shared[at].swap(new, Ordering::AcqRel);
                        let lent = lent(
                            instance,
                            &[new, shared[(at + 1) % 8].load(Ordering::Acquire)],
                        );
                        if old != 0 {
                            gone(old).unwrap();
                        }
                        drop(lent);
                    }
                });
            }
        });
        let left = shared
            .iter()
            .filter(|object| object.load(Ordering::Relaxed) != 0)
            .count();
        assert_eq!(count(instance), left);
        assert_eq!(drops.of(1) as usize, rounds * 2 - left);
        // SAFETY: no other thread uses it.
        unsafe { end_of_instance(instance) };
        assert_eq!(drops.of(1) as usize, rounds * 2);
    }
}
