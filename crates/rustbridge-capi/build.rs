//! Names the shared library, and tells the tests for which target they were built.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    let os = std::env::var("CARGO_CFG_TARGET_OS").expect("cargo sets CARGO_CFG_TARGET_OS");
    println!("cargo::rustc-env=RUSTBRIDGE_TARGET={target}");
    // Without a name of its own a library is remembered by the path it was linked with, which is the builder's.
    match os.as_str() {
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/librustbridge.dylib")
        }
        "windows" => {}
        _ => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,librustbridge.so"),
    }
}
