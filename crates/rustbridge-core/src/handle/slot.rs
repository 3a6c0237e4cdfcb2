//! One place of the handle table: the lock word that tells a valid handle from every other, and what a call needs.

use crate::sync::{AtomicU32, AtomicU64, Ordering, UnsafeCell, constructor};

/// What stands in `key` while a slot is not open: its low 16 bits name no slot that is ever issued.
const SHUT: u64 = 0xffff;

/// A slot of the handle table: exactly one cache line, so that the calls of one instance touch no other's.
///
/// Invariant: `target` is written only while no call can be inside, that is before `open` and after `shut` followed
/// by the closer's fence and a look at every cell that found none marked with this slot; and it is read only between
/// a successful `enter` and its `leave`.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Slot {
    /// The handle while calls may enter, anything that is no handle of this slot otherwise.
    key: AtomicU64,
    target: UnsafeCell<Target>,
    /// Calls inside that no cell marks.
    counted: AtomicU32,
    /// The level up to which the instance's records are wanted. Plugins read it in place, through `Host::log_level`.
    log_level: AtomicU32,
    /// `generation << 8 | condition`, for everyone who isn't in a hurry.
    status: AtomicU64,
}

// SAFETY: `target` is the only field without synchronisation of its own; the invariant above is its synchronisation.
unsafe impl Sync for Slot {}

/// What a call through a slot reads.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Target {
    pub(crate) call: Option<CallFn>,
    pub(crate) instance: *mut core::ffi::c_void,
    /// One byte for each entry index: see `describe.rs`.
    pub(crate) flags: *const u8,
    /// The mapping's tag in the upper 16 bits: an entry token minus this is the entry's index, or out of range.
    pub(crate) base: u32,
    /// How many entry indices there are.
    pub(crate) count: u32,
}

pub(crate) type CallFn = unsafe extern "C" fn(
    *mut core::ffi::c_void,
    u32,
    *const rustbridge_abi::CallHeader,
    *const u8,
    usize,
    *mut rustbridge_abi::Response,
) -> i32;

impl Target {
    pub(crate) const NONE: Target = Target {
        call: None,
        instance: core::ptr::null_mut(),
        flags: core::ptr::null(),
        base: 0,
        count: 0,
    };
}

/// What a slot's latest generation is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Condition {
    /// Never used.
    Unused = 0,
    Starting,
    Active,
    Poisoned,
    Closing,
    Closed,
    Forked,
}

impl Condition {
    fn from_bits(bits: u8) -> Condition {
        match bits {
            1 => Condition::Starting,
            2 => Condition::Active,
            3 => Condition::Poisoned,
            4 => Condition::Closing,
            5 => Condition::Closed,
            6 => Condition::Forked,
            _ => Condition::Unused,
        }
    }
}

impl Slot {
    constructor! {
        /// All zeroes, so that a static table of these costs no space in the file and no memory until it is used.
        ///
        /// A key of 0 lets handle 0 in at slot 0; that slot is never issued, so its `count` stays 0 and no entry passes.
        pub(crate) fn new() -> Slot {
            Slot {
                key: AtomicU64::new(0),
                target: UnsafeCell::new(Target::NONE),
                counted: AtomicU32::new(0),
                log_level: AtomicU32::new(0),
                status: AtomicU64::new(0),
            }
        }
    }

    #[inline(always)]
    pub(crate) fn is_open_for(&self, handle: u64) -> bool {
        self.key.load(Ordering::Acquire) == handle
    }

    /// Reads the target.
    ///
    /// # Safety
    /// The caller is between a successful `enter` of this slot and its `leave`.
    #[inline(always)]
    pub(crate) unsafe fn target(&self) -> &Target {
        // SAFETY: the caller is inside, so nobody writes (the invariant above).
        self.target.with(|target| unsafe { &*target })
    }

    /// Sets what calls will find.
    ///
    /// # Safety
    /// The slot isn't open, no call is inside, and the caller alone prepares it.
    pub(crate) unsafe fn set_target(&self, target: Target) {
        // SAFETY: the caller vouches that nobody reads or writes.
        self.target.with_mut(|place| unsafe { *place = target });
    }

    /// Lets calls with this handle in.
    pub(crate) fn open(&self, handle: u64) {
        self.key.store(handle, Ordering::Release);
    }

    /// Keeps further calls with this handle out. Those inside go on.
    ///
    /// Leaves a slot alone that another handle has meanwhile: of two closers the slower one may come when the slot was
    /// issued again. One that finds it shut may go on to the fence as the one that shut it does, since it has seen so.
    pub(crate) fn shut(&self, handle: u64) {
        let _ = self
            .key
            .compare_exchange(handle, SHUT, Ordering::SeqCst, Ordering::SeqCst);
    }

    pub(crate) fn counted(&self) -> &AtomicU32 {
        &self.counted
    }

    pub(crate) fn log_level(&self) -> &AtomicU32 {
        &self.log_level
    }

    /// The latest generation and what it does.
    pub(crate) fn status(&self) -> (u64, Condition) {
        let status = self.status.load(Ordering::Acquire);
        (status >> 8, Condition::from_bits(status as u8))
    }

    pub(crate) fn set_status(&self, generation: u64, condition: Condition) {
        self.status
            .store((generation << 8) | condition as u64, Ordering::Release);
    }

    /// Changes the condition unless it has become something else than `from` meanwhile.
    pub(crate) fn change_condition(&self, generation: u64, from: Condition, to: Condition) -> bool {
        self.status
            .compare_exchange(
                (generation << 8) | from as u64,
                (generation << 8) | to as u64,
                Ordering::AcqRel,
                Ordering::Acquire,
            )
            .is_ok()
    }
}
