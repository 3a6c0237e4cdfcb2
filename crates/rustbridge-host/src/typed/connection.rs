//! How the functions of callbacks, which are registered first, find the methods of their client.

use std::sync::{Arc, OnceLock, Weak};

/// The client's prepared methods, for the functions of its callbacks. They're registered before the methods are prepared. A clone refers
/// to the same methods.
#[derive(Debug)]
pub struct Connection<M>(Arc<OnceLock<Weak<M>>>);

impl<M> Clone for Connection<M> {
    fn clone(&self) -> Connection<M> {
        Connection(Arc::clone(&self.0))
    }
}

impl<M> Default for Connection<M> {
    fn default() -> Connection<M> {
        Connection(Arc::default())
    }
}

impl<M> Connection<M> {
    pub(super) fn set(&self, methods: &Arc<M>) {
        // It's set once, by the client that has created it.
        let _ = self.0.set(Arc::downgrade(methods));
    }

    /// Returns `None` if the client and its objects were dropped.
    pub(super) fn methods(&self) -> Option<Arc<M>> {
        self.0.get()?.upgrade()
    }
}
