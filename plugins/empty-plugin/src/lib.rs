//! A plugin whose one method does nothing, which is the least that a call can take: `rustbridge bench` shows it beside the methods
//! that it's asked for.

use rustbridge::prelude::*;

/// The plugin.
#[derive(Default)]
pub struct Empty;

#[plugin(name = "empty")]
impl Empty {
    /// Does nothing.
    pub fn empty(&self) {}
}
