//! What a host in Rust uses: loading, the plugin, its methods and their replies.

pub(crate) mod load;
pub(crate) mod method;
pub(crate) mod object;
pub(crate) mod plugin;
pub(crate) mod reply;
pub(crate) mod with;
