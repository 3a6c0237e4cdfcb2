//! Loading within what a process is allowed: few open files, small files, little memory in each thread.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use child_process::ForkedChild;
use rustbridge_core::{Load, Status};

use crate::common::c::{ask, plugin};
use crate::common::{Folder, in_subprocess, in_subprocess_with};

const LIMIT: Duration = Duration::from_secs(60);

fn set_limit(which: u32, value: u64) {
    let limit = libc::rlimit {
        rlim_cur: value,
        rlim_max: value,
    };
    // SAFETY: `limit` is readable. The process is a test's own.
    assert_eq!(unsafe { libc::setrlimit(which, &raw const limit) }, 0);
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// The image of a small plugin with another content each time.
fn image(plugin: &[u8], number: usize) -> Vec<u8> {
    [plugin, &number.to_le_bytes()].concat()
}

#[test]
fn more_distinct_plugins_than_descriptors_can_be_loaded() {
    if !in_subprocess("limits::more_distinct_plugins_than_descriptors_can_be_loaded") {
        return;
    }
    let folder = Folder::new("descriptors");
    let file = fs::read(plugin(&folder.0.join("libplugin.so"), None, &[])).unwrap();
    set_limit(libc::RLIMIT_NOFILE, 128);
    let path = folder.0.join("many.so");
    for number in 0..300 {
        let image = image(&file, number);
        let loaded = if number % 2 == 0 {
            Load::image(image).open().unwrap()
        } else {
            fs::write(&path, image).unwrap();
            Load::path(&path).open().unwrap()
        };
        assert_eq!(ask(&loaded, "build"), "1");
    }
    assert!(descriptors() < 100, "{}", descriptors());
    // What was mapped stays known, whether its bytes are there to be compared or not.
    let mappings = || {
        let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
        let mappings = report["mappings"].as_array().unwrap().clone();
        assert!(mappings.iter().all(|mapping| mapping["kind"] == "memory"));
        mappings.len()
    };
    assert_eq!(mappings(), 300);
    for number in [0, 63, 64, 299] {
        Load::image(image(&file, number)).open().unwrap();
    }
    assert_eq!(mappings(), 300);
    // No name is left.
    let ours = format!("rustbridge-{}-", std::process::id());
    for folder in [std::env::temp_dir(), "/dev/shm".into()] {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            assert!(!name.starts_with(&ours), "{name}");
        }
    }
}

/// The folder for temporary files may be one from which nothing may be run, or not be there.
#[test]
fn where_no_file_can_be_made_all_copies_are_in_memory() {
    let nowhere = [("TMPDIR", "/nowhere")];
    if !in_subprocess_with(
        "limits::where_no_file_can_be_made_all_copies_are_in_memory",
        &nowhere,
    ) {
        return;
    }
    let folder = PathBuf::from(format!("/tmp/rb-test-nowhere-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    let path = plugin(&folder.join("libplugin.so"), None, &[]);
    let file = fs::read(&path).unwrap();
    // What is wrong with a library is said, and not that there's no folder either.
    if cfg!(target_env = "gnu") {
        let wrong = plugin(&path, None, &["-DSTATIC_TLS=60000"]);
        let error = Load::path(wrong).open().unwrap_err();
        assert_eq!(error.type_name(), "rustbridge.LoaderRefused", "{error}");
    }
    fs::remove_dir_all(folder).unwrap();
    for number in 0..70 {
        let loaded = Load::image(image(&file, number)).open().unwrap();
        assert_eq!(ask(&loaded, "build"), "1");
    }
}

#[test]
fn where_only_small_files_may_be_written_loading_is_refused_and_the_process_goes_on() {
    if !in_subprocess(
        "limits::where_only_small_files_may_be_written_loading_is_refused_and_the_process_goes_on",
    ) {
        return;
    }
    let folder = Folder::new("file-size");
    let path = plugin(&folder.0.join("libplugin.so"), None, &[]);
    ForkedChild::start(|| {
        set_limit(libc::RLIMIT_FSIZE, 1000);
        let error = Load::path(&path).open().unwrap_err();
        assert_eq!(error.status(), Status::ResourceExhausted, "{error}");
        assert!(error.message().contains("RLIMIT_FSIZE"), "{error}");
        // The signal is as it was: neither blocked nor waiting.
        // SAFETY: the sets are writable and filled in before they are read.
        unsafe {
            let [mut blocked, mut pending] = std::mem::zeroed();
            libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &raw mut blocked);
            libc::sigpending(&raw mut pending);
            for set in [blocked, pending] {
                assert_eq!(libc::sigismember(&raw const set, libc::SIGXFSZ), 0);
            }
        }
    })
    .ends_well(LIMIT);
}

/// More than glibc keeps for libraries that come late, and less than it keeps where it's told to keep more.
const MUCH: &str = "-DSTATIC_TLS=6000";

#[test]
#[cfg(target_env = "gnu")]
fn where_threads_have_no_room_left_the_error_says_how_to_make_some() {
    let folder = Folder::new("static-tls");
    let path = plugin(&folder.0.join("libplugin.so"), None, &[MUCH]);
    let error = Load::path(&path).open().unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition, "{error}");
    assert!(error.message().contains("static TLS"), "{error}");
    assert!(error.message().contains(ADVICE), "{error}");
}

#[cfg(target_env = "gnu")]
const ADVICE: &str = "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192";

#[test]
#[cfg(target_env = "gnu")]
fn what_the_error_advises_for_threads_without_room_helps() {
    let (name, value) = ADVICE.split_once('=').unwrap();
    let test = "limits::what_the_error_advises_for_threads_without_room_helps";
    if !in_subprocess_with(test, &[(name, value)]) {
        return;
    }
    let folder = Folder::new("static-tls-advice");
    let path = plugin(&folder.0.join("libplugin.so"), None, &[MUCH]);
    let loaded = Load::path(&path).open().unwrap();
    assert_eq!(ask(&loaded, "build"), "1");
}
