//! Serves the benchmarks' work over gRPC until standard input ends; says where on standard output.

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    grpc_bench::server::serve().await
}
