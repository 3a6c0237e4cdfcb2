//! Objects in messages: the payload has an object's position among those that accompany the message.
//!
//! The functions that encode and decode messages have no parameter for these objects, so thread-locals hold them meanwhile.

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

use rustbridge_core::{CallOptions, Error, Object};
use rustbridge_wire::{Fault, Reader, Writer};

thread_local! {
    /// The objects that accompany the message that this thread encodes. Set only while a function of this crate encodes it.
    static LENT: RefCell<Option<Lent>> = const { RefCell::new(None) };
    /// The objects that accompany the message that this thread decodes.
    static COME: RefCell<Option<ReceivedObjects>> = const { RefCell::new(None) };
}

/// The objects that accompany a response, with the methods and options of the caller.
pub(super) struct ReceivedObjects {
    pub(super) objects: Vec<Arc<Object>>,
    pub(super) methods: Arc<dyn Any + Send + Sync>,
    pub(super) options: Option<Arc<CallOptions>>,
}

/// The objects that a request borrows while it's encoded.
struct Lent {
    objects: Vec<Arc<Object>>,
    /// The methods of the caller, by which objects of the host become objects of the plugin.
    methods: Arc<dyn Any + Send + Sync>,
    /// Why an object couldn't be created.
    failed: Option<Error>,
}

/// Encodes a message, and returns the objects that it borrows, preceded by `first`.
///
/// # Errors
/// If an object for the message couldn't be created.
pub(super) fn lending<R>(
    first: Option<&Arc<Object>>,
    methods: Arc<dyn Any + Send + Sync>,
    write: impl FnOnce() -> R,
) -> Result<(R, Vec<Arc<Object>>), Error> {
    let _restored = RestoreGuard(LENT.replace(Some(Lent {
        objects: first.cloned().into_iter().collect(),
        methods,
        failed: None,
    })));
    let written = write();
    match LENT.take() {
        Some(Lent {
            failed: Some(error),
            ..
        }) => Err(error),
        lent => Ok((written, lent.map_or_else(Vec::new, |lent| lent.objects))),
    }
}

/// Creates an object for the message that this thread encodes. Returns `None` outside such a message, or if it fails.
pub(super) fn created<M: Any + Send + Sync>(
    create: impl FnOnce(&M) -> Result<Arc<Object>, Error>,
) -> Option<Arc<Object>> {
    let methods = LENT.with_borrow(|lent| Some(Arc::clone(&lent.as_ref()?.methods)))?;
    // Not inside the borrow, because it calls the plugin.
    let created = create(methods.downcast_ref()?);
    created
        .map_err(|error| {
            LENT.with_borrow_mut(|lent| {
                if let Some(lent) = lent {
                    lent.failed.get_or_insert(error);
                }
            });
        })
        .ok()
}

/// Decodes a message that these objects accompany.
pub(super) fn with_come<R>(come: ReceivedObjects, read: impl FnOnce() -> R) -> R {
    /// Clears the thread-local, also if decoding panics. Messages are never decoded recursively.
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

/// Restores the previous value.
struct RestoreGuard(Option<Lent>);

impl Drop for RestoreGuard {
    fn drop(&mut self) {
        drop(LENT.replace(self.0.take()));
    }
}

/// Borrows an object for the call whose request is being encoded, and writes its position.
///
/// # Safety
/// The writer has room for four bytes.
pub unsafe fn lend(object: Option<&Arc<Object>>, writer: &mut Writer) {
    let position = LENT.with_borrow_mut(|lent| {
        let (lent, object) = (lent.as_mut()?, object?);
        lent.objects.push(Arc::clone(object));
        Some(lent.objects.len() - 1)
    });
    let position = position.unwrap_or_else(|| {
        writer.refuse("an object can be passed only with a call's request");
        0
    });
    // SAFETY: the caller's promise.
    unsafe { writer.put_count(position) };
}

/// A received object, with the methods and options for its calls.
pub struct ReceivedObject<M> {
    pub(super) object: Arc<Object>,
    pub(super) methods: Arc<M>,
    pub(super) options: Option<Arc<CallOptions>>,
}

/// Reads a position, and returns the object at that position among those that accompany the message.
///
/// # Errors
/// If there is no object at that position.
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
