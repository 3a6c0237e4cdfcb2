//! Shared by the integration tests: the tiny plugin, linked and as a library, and folders and processes of their own.

#![allow(
    dead_code,
    clippy::undocumented_unsafe_blocks,
    reason = "each test binary uses its own part; one note in the plugin's `call` holds for all of its answers"
)]

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use rustbridge_core::{Encoding, Load, Plugin};

#[cfg(target_os = "linux")]
pub mod c;

#[path = "../plugin/mod.rs"]
pub mod tiny;

/// A load of the tiny plugin that is linked into the test.
pub fn load_tiny() -> Load<'static> {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    unsafe { Load::linked(tiny::entry_point, "tiny") }
}

/// Has a tiny plugin log a text.
pub fn log(plugin: &Plugin, text: &str) {
    plugin
        .method("log", Encoding::Raw)
        .unwrap()
        .call(text.as_bytes())
        .unwrap();
}

/// A figure of what the core counts of an instance's records.
pub fn log_figure(plugin: &Plugin, name: &str) -> u64 {
    let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
    let instances = report["instances"].as_array().unwrap();
    let own = instances
        .iter()
        .find(|instance| instance["handle"] == plugin.handle());
    own.unwrap()["log"][name].as_u64().unwrap()
}

/// The tiny plugin as a library file. `cargo test` builds it with the tests; a run of a single test target doesn't.
pub fn library() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT
        .get_or_init(|| {
            let name = format!(
                "{}tiny_plugin{}",
                std::env::consts::DLL_PREFIX,
                std::env::consts::DLL_SUFFIX
            );
            let mut folder = std::env::current_exe().unwrap();
            folder.pop();
            folder.pop();
            let path = folder.join("examples").join(&name);
            if !path.exists() {
                let mut command = Command::new(env!("CARGO"));
                command
                    .args(["build", "--quiet", "--example", "tiny_plugin"])
                    .current_dir(env!("CARGO_MANIFEST_DIR"));
                if folder.ends_with("release") {
                    command.arg("--release");
                }
                let built = child_process::output(&mut command, child_process::BUILD);
                let said = String::from_utf8_lossy(&built.stderr);
                assert!(built.status.success(), "{said}");
            }
            path
        })
        .clone()
}

/// The library's bytes with another version string, so that it's another content with the same behaviour.
pub fn library_of_version(version: u8) -> Vec<u8> {
    let mut bytes = std::fs::read(library()).unwrap();
    let wanted = b"tiny-version-1";
    let places: Vec<usize> = bytes
        .windows(wanted.len())
        .enumerate()
        .filter_map(|(at, window)| (window == wanted).then_some(at))
        .collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place + wanted.len() - 1] = version;
    }
    bytes
}

/// The kinds of this process's own mappings, in order.
pub fn kinds() -> Vec<String> {
    let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
    let mappings = report["mappings"].as_array().unwrap();
    mappings
        .iter()
        .filter(|mapping| mapping["inherited"] == false)
        .map(|mapping| mapping["kind"].as_str().unwrap().to_owned())
        .collect()
}

/// The names of what the loader has mapped.
#[cfg(target_os = "linux")]
pub fn names() -> Vec<String> {
    unsafe extern "C" fn add(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        names: *mut std::ffi::c_void,
    ) -> i32 {
        // SAFETY: the loader's struct, whose name is a C string, and the vector below, which nobody else has.
        unsafe {
            let name = std::ffi::CStr::from_ptr((*info).dlpi_name);
            (*names.cast::<Vec<String>>()).push(name.to_string_lossy().into_owned());
        }
        0
    }
    let mut names: Vec<String> = Vec::new();
    // SAFETY: the function is given the vector, during the call alone.
    unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut names).cast()) };
    names
}

/// Runs the named test of this program again in a process of its own, where it finds itself to be the child. The name has the
/// test's module in front.
pub fn in_subprocess(test: &str) -> bool {
    in_subprocess_with(test, &[])
}

/// The same, with variables in its environment.
pub fn in_subprocess_with(test: &str, variables: &[(&str, &str)]) -> bool {
    const CHILD: &str = "RUSTBRIDGE_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(CHILD, "1")
        .envs(variables.iter().copied());
    let output = child_process::output(&mut command, child_process::RUN);
    assert!(
        output.status.success(),
        "{test} in a process of its own: {}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    // A name that no test has would run nothing and succeed.
    let listed = String::from_utf8_lossy(&output.stdout);
    assert!(listed.contains("running 1 test\n"), "{test}: {listed}");
    false
}

/// How often a test repeats something: `usual` times, or as many times that as `cargo xtask soak` says.
pub fn rounds(usual: u64) -> u64 {
    let factor = std::env::var("RUSTBRIDGE_SOAK").map_or(1, |factor| factor.parse().unwrap());
    usual * factor
}

/// A folder of this test's own, deleted in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("rb-test-{name}-{}", std::process::id()));
        // Of a process of the same number that was ended.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
