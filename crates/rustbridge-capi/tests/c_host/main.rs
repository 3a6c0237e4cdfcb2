//! Hosts in C and C++: each test compiles its program with the machine's compiler and runs it.
//!
//! All tests of the crate are here, except `growth` and `readme`.

#[path = "../support/mod.rs"]
mod support;

mod assertions;

mod conformance;
mod cpp;
mod guide;
mod headers;
mod hosts;
mod package;
mod side_by_side;
mod symbols;
mod tls;
