//! What the guides show of plugins in Rust, beside that of `docs/guide/plugins.md`: `cargo xtask tidy` looks for it here.
#![cfg(feature = "async")]

mod copies;
mod errors;
mod logging;
mod migrating;
mod state;
mod types;
