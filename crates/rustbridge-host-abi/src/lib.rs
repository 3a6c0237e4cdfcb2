//! The host ABI: the `rb_` functions of `include/rustbridge.h`, over `rustbridge-core`.
//!
//! cbindgen generates the header from this crate, one part per file, and the documentation of each function there is
//! the one here. The crate marshals and nothing more: whatever is a policy is the core's.
//!
//! It's a library of its own, apart from `rustbridge-capi` which makes `librustbridge` of it, for two reasons: a
//! crate whose library is called `rustbridge` can't be an rlib beside the authors' crate of that name, and
//! `rustbridge-pyext` links the same functions into the extension.

mod boundary;
mod call;
mod describe;
mod inspect;
mod into;
mod lifecycle;
mod load;
mod log;
mod object;
mod operation;
mod queue;
mod service;
mod sink;
mod version;
mod with;

pub use call::*;
pub use describe::*;
pub use inspect::*;
pub use into::*;
pub use lifecycle::*;
pub use load::*;
pub use log::*;
pub use object::*;
pub use operation::*;
pub use queue::*;
pub use service::{
    RB_SERVICE_SHORT, Service, ServiceCall, rb_respond, rb_service_defer, rb_service_reply,
};
pub use sink::*;
pub use version::*;
pub use with::*;
