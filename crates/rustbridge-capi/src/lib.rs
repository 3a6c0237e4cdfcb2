//! `librustbridge`: the functions of `rustbridge-host-abi` as a shared and a static library.

pub use rustbridge_host_abi::*;
