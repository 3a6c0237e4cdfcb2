//! A plugin's library: its bytes looked at, copied and mapped for good, its table and description read, its entries named.

#[cfg(windows)]
mod copies;
pub(crate) mod copy;
pub(crate) mod describe;
mod descriptor_slot;
pub(crate) mod find;
mod glance;
pub(crate) mod image;
pub(crate) mod ledger;
mod loader;
pub(crate) mod mapping;
pub(crate) mod needs;
pub(crate) mod negotiate;
mod reading;
mod refusal;
pub(crate) mod resolved;
pub(crate) mod resolved_service;
mod sealed;
mod stat;
mod temporary;
pub(crate) mod token;
mod typed;
pub(crate) mod typed_services;
mod writing;
