//! Files that are no plugin, or break the plugin ABI: each is refused with a reason, and none of its code runs that
//! shouldn't. The variants of fault-plugin end the process if it does, so all of this runs in processes of their own.

use std::path::PathBuf;
use std::{env, fs, process};

use rustbridge_conformance::libraries;
use rustbridge_core::{Encoding, Error, Load, Status};

use crate::subprocess::in_a_process_of_its_own;

fn refusal(package: &str) -> Error {
    Load::path(libraries::path(package)).open().unwrap_err()
}

fn refused(error: &Error, status: Status, parts: &[&str]) {
    assert_eq!(error.status(), status, "{error:?}");
    assert!(error.type_name().starts_with("rustbridge."), "{error:?}");
    for part in parts {
        assert!(
            error.message().contains(part),
            "expected {part:?} in {:?}",
            error.message()
        );
    }
}

#[test]
fn another_abi_major_is_refused_with_both_versions() {
    in_a_process_of_its_own(
        "broken_libraries::another_abi_major_is_refused_with_both_versions",
        || {
            refused(
                &refusal("fault-abi-major"),
                Status::FailedPrecondition,
                &["2", "1"],
            );
        },
    );
}

#[test]
fn a_short_table_is_refused() {
    in_a_process_of_its_own("broken_libraries::a_short_table_is_refused", || {
        refused(
            &refusal("fault-short-table"),
            Status::FailedPrecondition,
            &["8"],
        );
    });
}

#[test]
fn no_table_is_refused() {
    in_a_process_of_its_own("broken_libraries::no_table_is_refused", || {
        refused(
            &refusal("fault-null-table"),
            Status::FailedPrecondition,
            &[],
        );
    });
}

#[test]
fn a_missing_function_is_named() {
    in_a_process_of_its_own("broken_libraries::a_missing_function_is_named", || {
        refused(
            &refusal("fault-null-function"),
            Status::FailedPrecondition,
            &["call"],
        );
    });
}

#[test]
fn a_library_without_the_symbol_is_refused_before_it_is_mapped() {
    in_a_process_of_its_own(
        "broken_libraries::a_library_without_the_symbol_is_refused_before_it_is_mapped",
        || {
            refused(
                &refusal("fault-no-symbol"),
                Status::InvalidArgument,
                &["rustbridge_plugin"],
            );
        },
    );
}

#[test]
fn a_description_that_is_none_is_refused() {
    in_a_process_of_its_own(
        "broken_libraries::a_description_that_is_none_is_refused",
        || {
            let error = refusal("fault-describe");
            assert_ne!(error.status(), Status::Ok);
            assert!(error.type_name().starts_with("rustbridge."), "{error:?}");
        },
    );
}

#[test]
fn every_refusal_is_the_same_the_second_time() {
    in_a_process_of_its_own(
        "broken_libraries::every_refusal_is_the_same_the_second_time",
        || {
            for package in [
                "fault-abi-major",
                "fault-short-table",
                "fault-null-table",
                "fault-null-function",
                "fault-no-symbol",
                "fault-describe",
            ] {
                assert_eq!(
                    refusal(package).to_json(),
                    refusal(package).to_json(),
                    "{package}"
                );
            }
        },
    );
}

#[test]
fn statuses_outside_the_table_and_unusual_answers_are_taken_in_stride() {
    in_a_process_of_its_own(
        "broken_libraries::statuses_outside_the_table_and_unusual_answers_are_taken_in_stride",
        || {
            let plugin = Load::path(libraries::path("fault-status")).open().unwrap();
            assert_eq!(plugin.name(), "");
            let call = |name: &str, request: &[u8]| {
                plugin.method(name, Encoding::Raw).unwrap().call(request)
            };
            for raw in [17_i32, 99, 255, -1, i32::MIN, i32::MAX, 0x100 | 99] {
                let error = call("status", &raw.to_le_bytes()).unwrap_err();
                assert_eq!(error.status(), Status::Unknown, "{raw}: {error:?}");
                assert!(!error.message().is_empty());
            }
            for status in &Status::ALL[1..] {
                let error = call("status", &status.code().to_le_bytes()).unwrap_err();
                assert_eq!(error.status(), *status);
            }
            // The panic bit is the core's to act on and never a host's to see.
            let panicked = call(
                "status",
                &(0x100_i32 | Status::Internal.code()).to_le_bytes(),
            )
            .unwrap_err();
            assert_eq!(panicked.status(), Status::Internal);

            let garbage = call("garbage", b"").unwrap_err();
            assert_eq!(garbage.status(), Status::Aborted);
            assert!(garbage.message().contains("oops"), "{garbage:?}");

            assert_eq!(&*call("empty", b"").unwrap(), b"");
            let released =
                || u64::from_le_bytes((*call("released", b"").unwrap()).try_into().unwrap());
            let before = released();
            assert_eq!(&*call("static", b"").unwrap(), b"static");
            assert_eq!(&*call("released_empty", b"").unwrap(), b"");
            assert_eq!(
                released() - before,
                2,
                "each response that has a release is released once"
            );
        },
    );
}

fn file_of(name: &str, bytes: &[u8]) -> PathBuf {
    let path = env::temp_dir().join(format!("rustbridge-{}-{name}", process::id()));
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_truncated_library_is_refused_wherever_it_ends() {
    in_a_process_of_its_own(
        "broken_libraries::a_truncated_library_is_refused_wherever_it_ends",
        || {
            let whole = fs::read(libraries::path("hello-plugin")).unwrap();
            // The end of a file can be symbols and notes that nothing needs, so of the last quarter only what is refused
            // must be refused well; nothing may crash.
            let steps = (0..64).chain((64..whole.len()).step_by(whole.len() / 97));
            for len in steps {
                match Load::image(&whole[..len]).open() {
                    Err(error) => refused(&error, Status::InvalidArgument, &[]),
                    Ok(_) => assert!(
                        len > whole.len() / 4 * 3,
                        "a library cut to {len} of {} bytes loaded",
                        whole.len()
                    ),
                }
            }
            let path = file_of("truncated", &whole[..whole.len() / 2]);
            refused(
                &Load::path(&path).open().unwrap_err(),
                Status::InvalidArgument,
                &["truncated"],
            );
            fs::remove_file(path).unwrap();
        },
    );
}

#[test]
fn a_file_that_is_no_library_is_refused() {
    in_a_process_of_its_own(
        "broken_libraries::a_file_that_is_no_library_is_refused",
        || {
            let contents: [(&str, &[u8]); 6] = [
                ("empty", b""),
                ("one-byte", b"\x7f"),
                ("text", b"this is not a library\n"),
                ("script", b"#!/bin/sh\nexit 1\n"),
                ("magic-only", b"\x7fELF"),
                ("zeros", &[0; 100_000]),
            ];
            for (name, bytes) in contents {
                let path = file_of(name, bytes);
                refused(
                    &Load::path(&path).open().unwrap_err(),
                    Status::InvalidArgument,
                    &[],
                );
                fs::remove_file(path).unwrap();
            }
            // A program of the right format is no library either.
            let program = env::current_exe().unwrap();
            refused(
                &Load::path(program).open().unwrap_err(),
                Status::InvalidArgument,
                &[],
            );
            assert!(
                Load::path(env::temp_dir()).open().is_err(),
                "a folder loaded"
            );
            let missing = Load::path("/no/such/folder/libno.so").open().unwrap_err();
            refused(&missing, Status::NotFound, &["/no/such/folder/libno.so"]);
        },
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_for_another_processor_is_refused_with_both_names() {
    in_a_process_of_its_own(
        "broken_libraries::a_library_for_another_processor_is_refused_with_both_names",
        || {
            let mut bytes = fs::read(libraries::path("hello-plugin")).unwrap();
            // e_machine of the ELF header; 0xf3 is RISC-V.
            bytes[18..20].copy_from_slice(&[0xf3, 0]);
            let error = Load::image(&bytes[..]).open().unwrap_err();
            refused(&error, Status::FailedPrecondition, &[env::consts::ARCH]);
        },
    );
}

#[test]
fn a_library_replaced_at_its_path_is_new_code_and_the_old_one_goes_on() {
    let folder = env::temp_dir().join(format!("rustbridge-replaced-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(libraries::file_name("changing"));
    fs::copy(libraries::path("hello-plugin"), &path).unwrap();
    let old = Load::path(&path).open().unwrap();
    fs::copy(libraries::path("fault-plugin"), &path).unwrap();
    let new = Load::path(&path).open().unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(
        &*old.call("math.add", r#"{"a":1,"b":1}"#).unwrap(),
        br#"{"result":2}"#
    );
    assert_eq!(&*new.call("count", "").unwrap(), br#"{"n":1}"#);
    fs::remove_dir_all(&folder).unwrap();
}
