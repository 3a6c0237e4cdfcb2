//! Objects in messages: as their position among those beside it.
//!
//! Neither who writes nor who reads a message has room for what is beside it, so it's the thread's while one is written or read.

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

use rustbridge_core::{CallOptions, Object};
use rustbridge_wire::{Fault, Reader, Writer};

thread_local! {
    /// The objects of the message that this thread writes. Set only while one of this crate's functions writes it.
    static LENT: RefCell<Option<Vec<Arc<Object>>>> = const { RefCell::new(None) };
    /// Those of the message that it reads.
    static COME: RefCell<Option<ReceivedObjects>> = const { RefCell::new(None) };
}

/// What has come beside an answer, and who has called.
pub(super) struct ReceivedObjects {
    pub(super) objects: Vec<Arc<Object>>,
    pub(super) methods: Arc<dyn Any + Send + Sync>,
    pub(super) options: Option<Arc<CallOptions>>,
}

/// Writes a message, and gives the objects that are lent with it, behind `first`.
pub(super) fn lending<R>(
    first: Option<&Arc<Object>>,
    write: impl FnOnce() -> R,
) -> (R, Vec<Arc<Object>>) {
    let _restored = RestoreGuard(LENT.replace(Some(first.cloned().into_iter().collect())));
    let written = write();
    (written, LENT.take().unwrap_or_default())
}

/// Reads a message with what has come beside it.
pub(super) fn with_come<R>(come: ReceivedObjects, read: impl FnOnce() -> R) -> R {
    /// Takes away what was set, also if reading panics. No message is read inside of another.
    struct ClearGuard;
    impl Drop for ClearGuard {
        fn drop(&mut self) {
            // Dropping objects calls the plugin, which may not find them borrowed.
            drop(COME.take());
        }
    }
    COME.set(Some(come));
    let _taken = ClearGuard;
    read()
}

/// Puts back what was there before.
struct RestoreGuard(Option<Vec<Arc<Object>>>);

impl Drop for RestoreGuard {
    fn drop(&mut self) {
        drop(LENT.replace(self.0.take()));
    }
}

/// Lends an object with the message that is written, and writes its position.
///
/// # Safety
/// There's room for four bytes.
pub unsafe fn lend(object: Option<&Arc<Object>>, writer: &mut Writer) {
    let position = LENT.with_borrow_mut(|lent| {
        let (lent, object) = (lent.as_mut()?, object?);
        lent.push(Arc::clone(object));
        Some(lent.len() - 1)
    });
    let position = position.unwrap_or_else(|| {
        writer.refuse("an object can be passed only with a call's request");
        0
    });
    // SAFETY: the caller's promise.
    unsafe { writer.put_count(position) };
}

/// An object that has come, and what its methods are called with.
pub struct ReceivedObject<M> {
    pub(super) object: Arc<Object>,
    pub(super) methods: Arc<M>,
    pub(super) options: Option<Arc<CallOptions>>,
}

/// Takes an object that has come with the message that is read, by its position.
///
/// # Errors
/// If there's none.
pub fn take<M: Any + Send + Sync>(reader: &mut Reader<'_>) -> Result<ReceivedObject<M>, Fault> {
    let position = reader.count()?;
    let taken = COME.with_borrow(|come| {
        let come = come.as_ref()?;
        Some(ReceivedObject {
            object: Arc::clone(come.objects.get(position)?),
            methods: Arc::clone(&come.methods).downcast().ok()?,
            options: come.options.clone(),
        })
    });
    taken.ok_or_else(|| {
        reader.refuse(format!(
            "there is no object at position {position}, counted from 0"
        ))
    })
}
