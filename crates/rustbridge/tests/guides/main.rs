//! What the guides show of plugins in Rust, beside that of `docs/guide/plugins.md`: `cargo xtask tidy` looks for it here.
#![cfg(feature = "async")]
#![allow(
    missing_docs,
    reason = "a guide's snippets have no more than the guide needs"
)]

mod copies;
mod errors;
mod logging;
mod migrating;
mod state;
mod types;
