//! Hosts in Rust: what the guides show, and typed clients.
//!
//! All tests of the crate are here, except `versions`.

#[deny(missing_docs, unsafe_code, warnings)]
#[path = "../clients/fixtures.rs"]
mod fixtures;
#[deny(missing_docs, unsafe_code, warnings)]
#[path = "../clients/gallery.rs"]
mod gallery;
mod linked;
#[deny(missing_docs, unsafe_code, warnings)]
#[path = "../clients/types.rs"]
mod types;

mod branches;
mod callbacks;
mod default_values;
mod guide;
mod hammer;
mod raw;
mod renamed;
mod shared;
mod side_by_side;
mod testing;
mod traits;
mod typed;
mod wire;
