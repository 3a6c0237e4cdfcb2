//! A plugin in a profile without unwinding isn't built, since its first panic would end the host.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate with a plugin of one method, and `profile` in its Cargo.toml.
fn package(name: &str, profile: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("aborting")
        .join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(
        folder.join("Cargo.toml"),
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [lib]\ncrate-type = [\"cdylib\"]\n\n[dependencies]\nrustbridge = {{ path = {:?} }}\n\n{profile}",
            here.display().to_string()
        ),
    )
    .unwrap();
    fs::write(
        folder.join("src/lib.rs"),
        "//! A plugin.\n\n#[derive(Default)]\npub struct Hello;\n\n#[rustbridge::plugin]\nimpl Hello {\n    \
         pub fn hello(&self) {}\n}\n",
    )
    .unwrap();
    // The versions that are there without a network.
    fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

/// What cargo says of `command`, and whether it succeeded.
fn cargo(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(folder)
        .args(arguments)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", folder.with_file_name("target"))
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    let output = child_process::output(&mut command, child_process::BUILD);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), said)
}

#[track_caller]
fn refused((built, said): (bool, String)) {
    assert!(!built, "{said}");
    for needed in [
        "a plugin needs unwinding",
        "take `panic = \"abort\"` out of the profile in Cargo.toml",
        "`-C panic=abort` out of RUSTFLAGS",
    ] {
        assert!(said.contains(needed), "{said}");
    }
}

/// One test, because they share a target folder.
#[test]
fn a_plugin_that_would_abort_the_host_is_not_built_and_cargo_says_what_to_write() {
    let plain = package("unwinding", "");
    let (built, said) = cargo(&plain, &["check"]);
    assert!(built, "{said}");
    // What RUSTFLAGS would do to this crate.
    refused(cargo(
        &plain,
        &["rustc", "--profile", "check", "--", "-C", "panic=abort"],
    ));
    let aborting = package("aborts", "[profile.dev]\npanic = \"abort\"\n");
    refused(cargo(&aborting, &["check"]));
}
