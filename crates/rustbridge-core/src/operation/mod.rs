//! What outlives a call or is handed out by one: objects. An instance is only a number here.

pub(crate) mod answered;
pub(crate) mod lent;
pub(crate) mod objects;
