//! Makes Rust of `proto/bench.proto`. protox parses it, so that no `protoc` has to be on the machine.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=proto/bench.proto");
    let files = protox::compile(["bench.proto"], ["proto"])?;
    tonic_prost_build::configure()
        // Blobs that share memory instead of a copy each, as the plugin's do.
        .bytes(".rustbridge.bench.Blob")
        .compile_fds(files)?;
    Ok(())
}
