//! What can't be a plugin doesn't compile, and the message says what to write instead.

use std::path::Path;
use std::process::Command;

#[test]
fn misuse_is_told_clearly() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/misuse/*.rs");
    if cfg!(feature = "async") {
        cases.compile_fail("tests/misuse_async/*.rs");
    }
    if has_sources() {
        eprintln!(
            "not compared: tests/misuse_quoting, since with the component rust-src rustc quotes the standard library"
        );
    } else {
        cases.compile_fail("tests/misuse_quoting/*.rs");
    }
}

/// Whether the component rust-src is installed, which rust-analyzer needs. Then rustc quotes the standard library's source in messages
/// that refer to it.
fn has_sources() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let shown = Command::new(rustc).args(["--print", "sysroot"]).output();
    let sysroot = shown.expect("rustc runs").stdout;
    let sysroot = String::from_utf8(sysroot).expect("a path in UTF-8");
    Path::new(sysroot.trim())
        .join("lib/rustlib/src/rust/library")
        .is_dir()
}

/// Features change what a message says: these are about features that are off.
#[test]
#[cfg(not(any(feature = "async", feature = "msgpack", feature = "postcard")))]
fn what_needs_a_feature_says_which() {
    trybuild::TestCases::new().compile_fail("tests/misuse_without_features/*.rs");
}
