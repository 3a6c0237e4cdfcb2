//! A plugin's library: its bytes looked at, copied and mapped for good, its table and description read, its entries named.

#[cfg(windows)]
mod copies;
pub(crate) mod copy;
pub(crate) mod describe;
pub(crate) mod image;
mod loader;
pub(crate) mod mapping;
pub(crate) mod negotiate;
pub(crate) mod token;
