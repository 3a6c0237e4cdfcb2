//! What can't be a plugin doesn't compile, and the message says what to write instead.

#[test]
fn misuse_is_told_clearly() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/misuse/*.rs");
    if cfg!(feature = "async") {
        cases.compile_fail("tests/misuse_async/*.rs");
    }
}

/// Features change what a message says: these are about features that are off.
#[test]
#[cfg(not(any(feature = "async", feature = "msgpack", feature = "postcard")))]
fn what_needs_a_feature_says_which() {
    trybuild::TestCases::new().compile_fail("tests/misuse_without_features/*.rs");
}
