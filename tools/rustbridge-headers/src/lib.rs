//! Generates what a C user sees of rustbridge: the two headers, the pkg-config file and the CMake package.
//!
//! The headers are the contract, so they are committed; `cargo xtask regen` calls [`generate`] and writes them, and a
//! test fails when what is committed differs. The prose at the top of each is written by hand, in `text/`; everything
//! below it is the documentation of the Rust items, so it's written once. [`pages`] has the same for readers of the documentation.

mod errors;
mod header;
mod layout;
mod package;
mod page;
mod prose;

pub use errors::page as errors_page;
pub use header::{generate, generate_grown, workspace_root};
pub use layout::files as layouts;
pub use package::package;
pub use page::pages;
