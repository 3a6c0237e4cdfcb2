//! A plugin's library: its bytes looked at, copied and mapped for good, its table and description read, its entries named.

#[cfg(windows)]
mod copies;
pub(crate) mod copy;
pub(crate) mod describe;
mod descriptor_slot;
pub(crate) mod find;
mod glance;
pub(crate) mod image;
pub(crate) mod known_libraries;
mod loader;
pub(crate) mod mapping;
mod method_types;
pub(crate) mod needs;
pub(crate) mod negotiate;
mod reading;
mod refusal;
pub(crate) mod resolved_method;
pub(crate) mod resolved_service;
mod sealed;
mod stat;
mod temporary;
pub(crate) mod token;
pub(crate) mod typed_services;
mod writing;
