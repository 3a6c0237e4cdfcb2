//! Which files are loaded, and what is said of those that aren't.

use std::ffi::c_void;
use std::fs;
use std::time::{Duration, SystemTime};

use rustbridge_abi::{ABI_VERSION, PluginTable};
use rustbridge_core::{Encoding, Error, Load, Plugin, Status, check_image};

use crate::common::{Folder, in_subprocess, library, library_of_version, tiny};

fn refused(bytes: &[u8]) -> Error {
    let error = Load::image(bytes).open().unwrap_err();
    if let Err(checked) = check_image(bytes) {
        assert_eq!(checked.status(), error.status());
    }
    error
}

fn version(plugin: &Plugin) -> String {
    let version = plugin.method("version", Encoding::Raw).unwrap();
    String::from_utf8(version.call(b"").unwrap().to_vec()).unwrap()
}

fn mappings() -> usize {
    let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
    report["mappings"].as_array().unwrap().len()
}

#[test]
fn a_file_that_is_not_there_or_no_library_is_refused_with_what_it_is() {
    let folder = Folder::new("no-library");
    for (name, bytes, kind, says) in [
        ("empty.so", &b""[..], "rustbridge.NotALibrary", "empty"),
        (
            "text.so",
            b"hello, this is only text",
            "rustbridge.NotALibrary",
            "text",
        ),
        (
            "script.so",
            b"#!/bin/sh\nexit",
            "rustbridge.NotALibrary",
            "script",
        ),
        ("zip.so", b"PK\x03\x04rest", "rustbridge.NotALibrary", "zip"),
        (
            "archive.so",
            b"!<arch>\nrest of it",
            "rustbridge.NotALibrary",
            "static library",
        ),
        (
            "noise.so",
            &[0x93; 4096],
            "rustbridge.NotALibrary",
            "any kind of library",
        ),
    ] {
        let path = folder.0.join(name);
        fs::write(&path, bytes).unwrap();
        let error = Load::path(&path).open().unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert_eq!(error.type_name(), kind, "{error}");
        assert!(error.message().contains(says), "{error}");
        assert!(error.message().contains(name), "{error}");
    }
    let error = Load::path("").open().unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(error.message().contains("the path is empty"), "{error}");
    let error = Load::path(folder.0.join("missing.so")).open().unwrap_err();
    assert_eq!(error.status(), Status::NotFound);
    let error = Load::path(&folder.0).open().unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(error.message().contains("folder"));
}

#[test]
#[cfg(unix)]
fn what_is_no_regular_file_is_refused_instead_of_read_without_end() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new("no-regular-file");
    let pipe = folder.0.join("pipe.so");
    let name = std::ffi::CString::new(pipe.as_os_str().as_bytes()).unwrap();
    // SAFETY: `name` is NUL-terminated.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    for path in [pipe, "/dev/zero".into()] {
        let (send, received) = std::sync::mpsc::channel();
        // Detached: where the load waits for a writer, nothing ends it.
        std::thread::spawn(move || send.send(Load::path(path).open().unwrap_err()));
        let error = received.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert!(error.message().contains("regular file"), "{error}");
    }
    // Nobody else is kept from loading.
    Load::path(library()).open().unwrap();
}

#[test]
fn a_folder_of_the_same_name_is_not_in_the_way_of_a_library() {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

    if !in_subprocess("files::a_folder_of_the_same_name_is_not_in_the_way_of_a_library") {
        return;
    }
    let folder = Folder::new("same-name");
    let path = folder.0.join("tiny");
    fs::create_dir(&path).unwrap();
    let error = Load::path(&path).open().unwrap_err();
    assert!(error.message().contains("folder"), "{error}");
    let file = folder.0.join(format!("{DLL_PREFIX}tiny{DLL_SUFFIX}"));
    fs::copy(library(), file).unwrap();
    Load::path(&path).open().unwrap();
}

#[test]
fn the_error_about_a_program_names_the_library_next_to_it() {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

    let folder = Folder::new("program");
    let program = folder.0.join("tiny");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let error = Load::path(&program).open().unwrap_err();
    assert!(!error.message().contains("next to it"), "{error}");
    let library = folder.0.join(format!("{DLL_PREFIX}tiny{DLL_SUFFIX}"));
    fs::write(&library, "").unwrap();
    let error = Load::path(&program).open().unwrap_err();
    let hint = format!("`{}` is next to it", library.display());
    assert!(error.message().contains(&hint), "{error}");
}

#[test]
fn the_ledger_has_a_mappings_path_as_it_was_given() {
    let path = library();
    Load::path(&path).open().unwrap();
    let report: serde_json::Value = serde_json::from_str(&rustbridge_core::inspect()).unwrap();
    let mappings = report["mappings"].as_array().unwrap();
    let sources: Vec<&str> = mappings
        .iter()
        .filter(|mapping| mapping["kind"] != "linked")
        .map(|mapping| mapping["source"].as_str().unwrap())
        .collect();
    assert!(sources.contains(&path.to_str().unwrap()), "{sources:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_there_is_no_memory_for_is_refused_and_the_process_goes_on() {
    if !in_subprocess("files::a_file_there_is_no_memory_for_is_refused_and_the_process_goes_on") {
        return;
    }
    let folder = Folder::new("no-memory");
    let path = folder.0.join("sparse.so");
    fs::File::create(&path).unwrap().set_len(1 << 36).unwrap();
    let limit = libc::rlimit {
        rlim_cur: 1 << 34,
        rlim_max: 1 << 34,
    };
    // SAFETY: `limit` is readable. The process is this test's own.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
    let error = Load::path(&path).open().unwrap_err();
    assert_eq!(error.status(), Status::ResourceExhausted, "{error}");
}

#[test]
fn a_truncated_library_is_refused_at_every_length() {
    if !in_subprocess("files::a_truncated_library_is_refused_at_every_length") {
        return;
    }
    let whole = fs::read(library()).unwrap();
    let step = whole.len() / 500;
    let lengths = (1..200).chain((200..whole.len()).step_by(step.max(1)));
    for len in lengths.chain([whole.len() - 1]) {
        let error = refused(&whole[..len]);
        assert_eq!(error.status(), Status::InvalidArgument, "{len}: {error}");
    }
    assert!(Load::image(whole).open().is_ok());
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_for_another_processor_or_system_is_refused() {
    let library = fs::read(library()).unwrap();
    // e_machine: AArch64 becomes x86-64 and the other way round.
    let mut other = library.clone();
    other[18] = if cfg!(target_arch = "aarch64") {
        62
    } else {
        183
    };
    let error = refused(&other);
    assert_eq!(error.status(), Status::FailedPrecondition, "{error}");
    assert_eq!(error.type_name(), "rustbridge.OtherPlatform");
    assert!(error.message().contains(std::env::consts::ARCH), "{error}");
    // EI_CLASS: 32 bits.
    let mut narrow = library.clone();
    narrow[4] = 1;
    assert_eq!(refused(&narrow).status(), Status::FailedPrecondition);
    // The headers of a DLL and of a macOS library are enough to tell.
    let mut dll = vec![0_u8; 1024];
    dll[..2].copy_from_slice(b"MZ");
    dll[0x3c] = 0x80;
    dll[0x80..0x84].copy_from_slice(b"PE\0\0");
    dll[0x84..0x86].copy_from_slice(&0x8664_u16.to_le_bytes());
    dll[0x94..0x96].copy_from_slice(&240_u16.to_le_bytes());
    dll[0x96..0x98].copy_from_slice(&0x2022_u16.to_le_bytes());
    dll[0x98..0x9a].copy_from_slice(&0x20b_u16.to_le_bytes());
    let error = refused(&dll);
    assert_eq!(error.status(), Status::FailedPrecondition, "{error}");
    let mut dylib = vec![0_u8; 1024];
    dylib[..4].copy_from_slice(&0xfeed_facf_u32.to_le_bytes());
    dylib[4..8].copy_from_slice(&0x0100_000c_u32.to_le_bytes());
    dylib[12..16].copy_from_slice(&6_u32.to_le_bytes());
    let error = refused(&dylib);
    assert_eq!(error.status(), Status::FailedPrecondition, "{error}");
}

#[test]
fn a_library_that_is_no_plugin_is_refused_before_it_is_mapped() {
    if !in_subprocess("files::a_library_that_is_no_plugin_is_refused_before_it_is_mapped") {
        return;
    }
    let before = mappings();
    let mut bytes = fs::read(library()).unwrap();
    let name = b"rustbridge_plugin\0";
    let places: Vec<usize> = (0..bytes.len() - name.len())
        .filter(|&at| &bytes[at..at + name.len()] == name)
        .collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place] = b'x';
    }
    let error = refused(&bytes);
    assert_eq!(error.status(), Status::InvalidArgument);
    assert_eq!(error.type_name(), "rustbridge.NotAPlugin");
    assert!(error.message().contains("rustbridge_plugin"));
    assert_eq!(mappings(), before);
}

#[test]
fn a_file_that_changed_is_new_code_and_the_old_code_goes_on() {
    if !in_subprocess("files::a_file_that_changed_is_new_code_and_the_old_code_goes_on") {
        return;
    }
    let folder = Folder::new("changed");
    let path = folder.0.join("plugin.so");
    fs::write(&path, library_of_version(b'2')).unwrap();
    let old = Load::path(&path).open().unwrap();
    assert_eq!(version(&old), "tiny-version-2");
    // Over the same file, as a build that writes in place does; at once, and with the same size.
    fs::write(&path, library_of_version(b'3')).unwrap();
    let new = Load::path(&path).open().unwrap();
    assert_eq!(version(&new), "tiny-version-3");
    assert_eq!(version(&old), "tiny-version-2");
    // Even with the time set back, since the system's own time of the change tells.
    fs::write(&path, library_of_version(b'4')).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    assert_eq!(
        version(&Load::path(&path).open().unwrap()),
        "tiny-version-4"
    );
    fs::remove_file(&path).unwrap();
    assert_eq!(version(&old), "tiny-version-2");
    assert_eq!(version(&new), "tiny-version-3");
    // And what was loaded once is found again by its content, wherever it comes from.
    let before = mappings();
    let again = Load::image(library_of_version(b'2')).open().unwrap();
    assert_eq!(version(&again), "tiny-version-2");
    assert_eq!(mappings(), before);
}

#[test]
fn a_file_with_the_size_and_the_time_of_the_last_one_is_still_told_from_it() {
    let folder = Folder::new("same-time");
    let path = folder.0.join("plugin.so");
    fs::write(&path, library_of_version(b'7')).unwrap();
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    // Old enough for the content to be known by what the file system says of it.
    std::thread::sleep(Duration::from_millis(2100));
    for _ in 0..2 {
        let plugin = Load::path(&path).open().unwrap();
        assert_eq!(version(&plugin), "tiny-version-7");
    }
    fs::write(&path, library_of_version(b'8')).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(written).unwrap();
    drop(file);
    let plugin = Load::path(&path).open().unwrap();
    assert_eq!(version(&plugin), "tiny-version-8");
}

/// The first file is copied to where it's mapped as it's read; of the others, what is at the ends is known by then.
#[test]
fn content_is_told_by_all_of_it_however_a_file_is_read() {
    if !in_subprocess("files::content_is_told_by_all_of_it_however_a_file_is_read") {
        return;
    }
    let folder = Folder::new("all-of-it");
    let load = |name: &str, bytes: &[u8], expected: &str| {
        let path = folder.0.join(name);
        fs::write(&path, bytes).unwrap();
        let plugin = Load::path(&path).open().unwrap();
        assert_eq!(version(&plugin), expected);
        mappings()
    };
    let first = library_of_version(b'3');
    assert_eq!(load("first.so", &first, "tiny-version-3"), 1);
    assert_eq!(load("copy.so", &first, "tiny-version-3"), 1);
    assert_eq!(load("first.so", &first, "tiny-version-3"), 1);
    let second = library_of_version(b'4');
    assert_eq!(load("second.so", &second, "tiny-version-4"), 2);
    assert_eq!(
        load("longer.so", &[&*second, b"."].concat(), "tiny-version-4"),
        3
    );
    Load::image(first).open().unwrap();
    Load::path(folder.0.join("longer.so")).open().unwrap();
    assert_eq!(mappings(), 3);
}

#[test]
fn two_versions_share_nothing_and_their_entries_are_not_mixed_up() {
    let one = Load::image(library_of_version(b'5')).open().unwrap();
    let two = Load::image(library_of_version(b'6')).open().unwrap();
    let count = |plugin: &Plugin| {
        let count = plugin.method("count", Encoding::Raw).unwrap();
        let reply = count.call(b"").unwrap();
        u64::from_ne_bytes(reply[..].try_into().unwrap())
    };
    assert_eq!((count(&one), count(&one), count(&two)), (1, 2, 1));
    let entry = |plugin: &Plugin| plugin.method("count", Encoding::Raw).unwrap().entry();
    assert_ne!(entry(&one), entry(&two));
}

static WRONG_MAJOR: PluginTable = PluginTable {
    abi_version: 2 << 16,
    ..UNSET
};
static SHORT: PluginTable = PluginTable { size: 24, ..UNSET };
static NULLS: PluginTable = UNSET;
const UNSET: PluginTable = PluginTable::EMPTY;

unsafe extern "C" fn wrong_major(_: u32) -> *const PluginTable {
    &WRONG_MAJOR
}

unsafe extern "C" fn short(_: u32) -> *const PluginTable {
    &SHORT
}

unsafe extern "C" fn null(_: u32) -> *const PluginTable {
    std::ptr::null()
}

unsafe extern "C" fn nulls(_: u32) -> *const PluginTable {
    &NULLS
}

unsafe extern "C" fn misaligned(_: u32) -> *const PluginTable {
    (&raw const NULLS).wrapping_byte_add(1)
}

unsafe extern "C" fn describe_nothing(
    _context: *mut c_void,
    _: *mut rustbridge_core::Response,
) -> i32 {
    0
}

unsafe extern "C" fn describes_nothing(_: u32) -> *const PluginTable {
    // SAFETY: the tiny plugin's entry point takes any version.
    let mut table = unsafe { *tiny::entry_point(ABI_VERSION) };
    table.describe = Some(describe_nothing);
    Box::leak(Box::new(table))
}

unsafe extern "C" fn without_destroy(_: u32) -> *const PluginTable {
    // SAFETY: the tiny plugin's entry point takes any version.
    let mut table = unsafe { *tiny::entry_point(ABI_VERSION) };
    table.destroy = None;
    Box::leak(Box::new(table))
}

unsafe extern "C" fn newer_minor(_: u32) -> *const PluginTable {
    #[repr(C)]
    struct Newer {
        table: PluginTable,
        appended: *const c_void,
    }
    // SAFETY: the tiny plugin's entry point takes any version.
    let mut table = unsafe { *tiny::entry_point(ABI_VERSION) };
    table.size = size_of::<Newer>() as u32;
    table.abi_version = ABI_VERSION + 7;
    let newer = Newer {
        table,
        appended: std::ptr::null(),
    };
    (&raw const *Box::leak(Box::new(newer))).cast()
}

#[test]
fn a_plugin_for_another_abi_is_refused_with_what_to_do() {
    for (entry_point, kind, says) in [
        (
            wrong_major as rustbridge_core::EntryPoint,
            "AbiMismatch",
            "ABI 2.0, this host supports 1.0",
        ),
        (short, "ShortTable", "24 bytes"),
        (null, "NullTable", "refused this host"),
        (nulls, "NullFunction", "`describe`"),
        (without_destroy, "NullFunction", "`destroy`"),
        (misaligned, "MisalignedTable", "aligned"),
        (describes_nothing, "InvalidDescription", "JSON"),
    ] {
        // Twice: the refusal is remembered.
        for _ in 0..2 {
            // SAFETY: a plugin of ours, whose entry point follows the ABI.
            let error = unsafe { Load::linked(entry_point, "wrong") }
                .open()
                .unwrap_err();
            assert_eq!(error.status(), Status::FailedPrecondition, "{error}");
            assert_eq!(error.type_name(), format!("rustbridge.{kind}"));
            assert!(error.message().contains(says), "{error}");
            assert!(error.message().contains("`wrong`") || kind == "InvalidDescription");
        }
    }
}

#[test]
fn a_plugin_of_a_later_minor_version_is_welcome() {
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(newer_minor, "newer") }
        .open()
        .unwrap();
    assert_eq!(&*plugin.call("echo", "1").unwrap(), b"1");
}

#[test]
#[cfg(target_os = "linux")]
fn a_copy_is_found_by_its_name_from_another_process_as_debuggers_do() {
    if !in_subprocess("files::a_copy_is_found_by_its_name_from_another_process_as_debuggers_do") {
        return;
    }
    let bytes = fs::read(library()).unwrap();
    let _plugin = Load::image(&*bytes).open().unwrap();
    let names = crate::common::names();
    let name = names.iter().find(|name| name.starts_with("/proc/"));
    let mut cat = std::process::Command::new("cat");
    let read = child_process::output(cat.arg(name.unwrap()), child_process::RUN);
    assert!(read.stdout == bytes, "{names:?}");
}
