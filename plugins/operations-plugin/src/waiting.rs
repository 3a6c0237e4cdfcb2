//! What methods that wait have in common.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts handlers that are dropped before they end.
pub(crate) struct Watched(pub(crate) Arc<AtomicU64>);

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

pub(crate) async fn a_moment() {
    // Also where the moment is over before anybody looks whether it is: who awaits this is pending once.
    tokio::task::yield_now().await;
    tokio::time::sleep(Duration::from_millis(1)).await;
}
