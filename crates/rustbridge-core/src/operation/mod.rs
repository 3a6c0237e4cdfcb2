//! What lasts longer than a function call. It knows an instance only by its handle and the plugin's tables.

pub(crate) mod objects;
