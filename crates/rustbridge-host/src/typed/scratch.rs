//! Memory that a thread keeps for its calls.

use std::cell::Cell;

use rustbridge_wire::{Encode, Unwritable, write_into};

/// More than so many bytes for requests aren't kept.
const KEPT: usize = 256 << 10;

/// How long an answer may be to be read without the plugin's lending memory.
const STORAGE: usize = 4 << 10;

/// A request, and storage for its answer.
pub(super) struct Scratch {
    request: Vec<u8>,
    storage: Vec<u8>,
}

thread_local! {
    /// None while a call has it: a service of the host's that calls meanwhile gets memory of its own. A thread's, whatever libraries
    /// and instances it calls: nothing is left in it that means anything after a call.
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

impl Scratch {
    /// Lends the thread's to a call.
    #[inline]
    pub(super) fn with<R>(call: impl FnOnce(&mut Scratch) -> R) -> R {
        let mut scratch = SCRATCH
            .try_with(Cell::take)
            .ok()
            .flatten()
            .unwrap_or_else(Scratch::new);
        let result = call(&mut scratch);
        if scratch.request.capacity() <= KEPT {
            // A thread that is about to end keeps nothing.
            let _ = SCRATCH.try_with(|kept| kept.set(Some(scratch)));
        }
        result
    }

    #[cold]
    fn new() -> Box<Scratch> {
        Box::new(Scratch {
            request: Vec::with_capacity(1 << 10),
            storage: vec![0; STORAGE],
        })
    }

    /// Writes a request, and gives the storage besides.
    #[inline]
    pub(super) fn write<Q: Encode + ?Sized>(
        &mut self,
        request: &Q,
    ) -> Result<(&[u8], &mut [u8]), Unwritable> {
        let written = write_into(request, &mut self.request)?;
        Ok((written, &mut self.storage))
    }
}
