//! The benchmarks' work over gRPC on one machine: the service, a client that calls it from Rust, and what both share.

#[expect(
    missing_docs,
    unused_qualifications,
    clippy::allow_attributes_without_reason,
    reason = "generated; bench.proto describes it"
)]
pub mod proto {
    tonic::include_proto!("rustbridge.bench");
}

pub mod calls;
pub mod clients;
pub mod measure;
pub mod plan;
pub mod server;
pub mod service;

/// The largest message that either side accepts, above the blob of 16 MB; tonic's own limit is 4 MB.
pub const LARGEST_MESSAGE: usize = 32 << 20;
