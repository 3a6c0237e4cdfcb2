//! A plugin without async methods links no tokio and starts no thread. A program of its own with one test, because it counts
//! the threads of its process, and the harness starts one for each test.

#[expect(dead_code, reason = "this test uses a part of the host")]
#[path = "author/host/mod.rs"]
mod host;

use std::process::Command;

use host::{Loaded, Options};
use rustbridge::prelude::*;
use rustbridge_abi::RB_LOG_TRACE;

#[derive(Default)]
struct Light;

#[plugin(name = "light", export = false)]
impl Light {
    pub fn say(&self) {
        info!("said");
    }

    pub fn boom(&self) {
        panic!("boom")
    }
}

fn dependencies(features: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command
        .args([
            "tree",
            "--offline",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .args(features);
    let output = child_process::output(&mut command, child_process::RUN);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// How many threads this process has, where that's easy to say.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[test]
fn a_plugin_without_async_methods_links_no_tokio_and_starts_no_thread() {
    let has_tokio = |tree: &str| tree.lines().any(|line| line.starts_with("tokio v"));
    assert!(!has_tokio(&dependencies(&[])));
    assert!(!has_tokio(&dependencies(&[
        "--features",
        "msgpack,bincode,postcard"
    ])));
    assert!(has_tokio(&dependencies(&["--features", "async"])));

    let before = threads();
    let light = Loaded::with::<Light>(&Options {
        level: RB_LOG_TRACE,
        ..Options::default()
    });
    assert_eq!(light.json("say", "").status, Status::Ok);
    assert!(light.json("boom", "").panicked);
    assert_eq!(light.logged().len(), 2);
    assert_eq!(threads(), before);
}
