//! UniFFI's generator of bindings.

fn main() {
    uniffi::uniffi_bindgen_main();
}
