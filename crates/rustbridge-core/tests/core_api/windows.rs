//! What only Windows does: its paths, its search for libraries, its files in use, and processes without a console.
#![cfg(windows)]

use std::fs;
use std::os::windows::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use child_process::Watchdog;
use rustbridge_core::{Encoding, Load, Plugin, Status};

use crate::common::{Folder, library, library_of_version};

/// What a child process of `child` is told: a folder.
const FOLDER: &str = "RUSTBRIDGE_TEST_FOLDER";

fn answers(plugin: &Plugin) -> bool {
    &*plugin.call("echo", "[1]").unwrap() == b"[1]"
}

/// This test once more, in a process that is told a folder and has `temporary` as its folder for temporary files.
fn child(test: &str, temporary: &Path, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("TEMP", temporary)
        .env("TMP", temporary)
        .env(FOLDER, folder);
    command
}

fn told() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

fn succeeds(command: &mut Command) {
    let output = child_process::output(command, child_process::RUN);
    assert!(
        output.status.success(),
        "{}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A folder whose path has more than 260 characters.
fn long(folder: &Path) -> PathBuf {
    let mut long = folder.to_owned();
    while long.as_os_str().len() < 400 {
        long.push("a folder with a name of forty characters");
    }
    long
}

#[test]
fn a_path_of_any_kind_is_loaded() {
    let folder = Folder::new("paths");
    let names = [
        "plain".to_owned(),
        "with spaces in it".to_owned(),
        "größer-日本語-🦀".to_owned(),
        "dots.in.it".to_owned(),
        "l".repeat(200),
    ];
    let mut places: Vec<PathBuf> = names.iter().map(|name| folder.0.join(name)).collect();
    places.push(long(&folder.0));
    for place in places {
        fs::create_dir_all(&place).unwrap();
        let path = place.join("a plugin of ours.dll");
        fs::copy(library(), &path).unwrap();
        let text = path.to_str().unwrap();
        for spelling in [
            text.to_owned(),
            text.replace('\\', "/"),
            format!(r"\\?\{text}"),
            text.to_ascii_uppercase(),
        ] {
            let plugin = Load::path(&spelling)
                .open()
                .unwrap_or_else(|error| panic!("{spelling}: {error}"));
            assert!(answers(&plugin), "{spelling}");
        }
        // It's a copy that was mapped, so the file can be taken away at once.
        fs::remove_file(&path).unwrap();
        let error = Load::path(&path).open().unwrap_err();
        assert_eq!(error.status(), Status::NotFound, "{error}");
        assert!(error.message().contains(text), "{error}");
    }
}

#[test]
fn a_path_relative_to_a_drives_current_folder_is_loaded() {
    let Some(folder) = told() else {
        let folder = Folder::new("relative");
        fs::create_dir(folder.0.join("in here")).unwrap();
        fs::copy(library(), folder.0.join("in here").join("x.dll")).unwrap();
        return succeeds(
            child(
                "windows::a_path_relative_to_a_drives_current_folder_is_loaded",
                &std::env::temp_dir(),
                &folder.0,
            )
            .current_dir(&folder.0),
        );
    };
    let drive = folder.to_str().unwrap().split_once('\\').unwrap().0;
    let rooted = folder.to_str().unwrap().split_once(':').unwrap().1;
    for spelling in [
        r"in here\x.dll".to_owned(),
        r".\in here\..\in here\x.dll".to_owned(),
        format!(r"{drive}in here\x.dll"),
        format!(r"{rooted}\in here\x.dll"),
    ] {
        let plugin = Load::path(&spelling)
            .open()
            .unwrap_or_else(|error| panic!("{spelling}: {error}"));
        assert!(answers(&plugin), "{spelling}");
    }
}

#[test]
fn a_share_on_the_network_is_a_place_like_any_other() {
    let path = library();
    let text = path.to_str().unwrap();
    let (drive, rest) = text.split_once(':').unwrap();
    let share = format!(r"\\localhost\{drive}${rest}");
    if fs::metadata(&share).is_ok() {
        assert!(answers(&Load::path(&share).open().unwrap()));
    } else {
        eprintln!("skipped: {share} can't be reached by this user");
    }
    let error = Load::path(r"\\localhost\no such share\x.dll")
        .open()
        .unwrap_err();
    assert!(error.message().contains("no such share"), "{error}");
}

#[test]
fn what_is_a_device_is_refused_and_not_waited_for() {
    for device in ["NUL", "CON", r"\\.\pipe\no-such-pipe", "COM1"] {
        let error = Load::path(device).open().unwrap_err();
        assert!(
            matches!(
                error.status(),
                Status::InvalidArgument | Status::NotFound | Status::PermissionDenied
            ),
            "{device}: {error}"
        );
        assert!(error.message().contains(device), "{error}");
    }
}

#[test]
fn the_folder_for_temporary_files_may_have_any_name() {
    if told().is_some() {
        let plugin = Load::path(library()).open().unwrap();
        assert!(answers(&plugin));
        return;
    }
    let folder = Folder::new("temporary");
    let mut temporary = folder.0.join("größer 日本語");
    // As long as the system allows, so that the copies' own paths are longer.
    while temporary.as_os_str().len() < 215 {
        temporary.push("twenty characters yes");
    }
    fs::create_dir_all(&temporary).unwrap();
    succeeds(&mut child(
        "windows::the_folder_for_temporary_files_may_have_any_name",
        &temporary,
        &folder.0,
    ));
    let copies: Vec<PathBuf> = copies(&temporary);
    assert_eq!(copies.len(), 1, "{copies:?}");
    assert!(copies[0].as_os_str().len() > 260, "{copies:?}");
}

/// The files in the folders that processes have made for their copies.
fn copies(temporary: &Path) -> Vec<PathBuf> {
    fs::read_dir(temporary)
        .unwrap()
        .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect()
}

#[test]
fn a_later_process_removes_the_copies_of_ended_ones_and_no_others() {
    const NAME: &str = "windows::a_later_process_removes_the_copies_of_ended_ones_and_no_others";
    if let Some(folder) = told() {
        let plugin = Load::path(library()).open().unwrap();
        fs::write(folder.join("loaded"), b"").unwrap();
        // Until it's ended from outside, or the file is gone.
        while answers(&plugin) && folder.join("loaded").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        return;
    }
    let folder = Folder::new("leftovers");
    let temporary = folder.0.join("temporary");
    fs::create_dir(&temporary).unwrap();
    let start = |name: &str| {
        let place = folder.0.join(name);
        fs::create_dir(&place).unwrap();
        let mut command = child(NAME, &temporary, &place);
        let (mut child, mark) = child_process::start(command.stdout(Stdio::null())).unwrap();
        let dog = Watchdog::over(&child, mark, child_process::RUN);
        while !place.join("loaded").exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ended early");
            std::thread::sleep(Duration::from_millis(5));
        }
        (child, dog)
    };
    let end = |name: &str| fs::remove_file(folder.0.join(name).join("loaded")).unwrap();

    let (mut ended, _dog) = start("ended");
    assert_eq!(dlls(&temporary), 1);
    ended.kill().unwrap();
    ended.wait().unwrap();
    assert_eq!(dlls(&temporary), 1, "nobody removes what is mapped");

    let (mut living, _dog) = start("living");
    assert_eq!(dlls(&temporary), 1, "the ended process's copy is gone");
    let (mut later, _dog) = start("later");
    assert_eq!(dlls(&temporary), 2, "the living process's copy is there");
    end("living");
    end("later");
    assert!(living.wait().unwrap().success());
    assert!(later.wait().unwrap().success());
    let (mut last, _dog) = start("last");
    assert_eq!(dlls(&temporary), 1);
    end("last");
    assert!(last.wait().unwrap().success());
}

fn dlls(temporary: &Path) -> usize {
    copies(temporary)
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "dll"))
        .count()
}

#[test]
fn a_plugin_can_be_replaced_renamed_and_deleted_while_it_is_loaded() {
    let folder = Folder::new("replaced");
    let path = folder.0.join("plugin.dll");
    let version = |plugin: &Plugin| {
        let version = plugin.method("version", Encoding::Raw).unwrap();
        String::from_utf8(version.call(b"").unwrap().to_vec()).unwrap()
    };
    fs::write(&path, library_of_version(b'a')).unwrap();
    let first = Load::path(&path).open().unwrap();
    // Written anew, as a linker does.
    fs::write(&path, library_of_version(b'b')).unwrap();
    let second = Load::path(&path).open().unwrap();
    // Another file in its place, as an installer does.
    let beside = folder.0.join("plugin.new");
    fs::write(&beside, library_of_version(b'c')).unwrap();
    fs::rename(&beside, &path).unwrap();
    let third = Load::path(&path).open().unwrap();
    // Out of the way, as an updater does.
    fs::rename(&path, folder.0.join("plugin.old")).unwrap();
    fs::write(&path, library_of_version(b'd')).unwrap();
    let fourth = Load::path(&path).open().unwrap();
    fs::remove_file(&path).unwrap();
    fs::remove_file(folder.0.join("plugin.old")).unwrap();
    for (plugin, letter) in [(first, 'a'), (second, 'b'), (third, 'c'), (fourth, 'd')] {
        assert_eq!(version(&plugin), format!("tiny-version-{letter}"));
    }
}

/// The library with the name of one that it depends on changed: one that is nowhere, of the same length.
fn depending_on_another() -> Vec<u8> {
    let mut bytes = fs::read(library()).unwrap();
    let wanted = b"bcryptprimitives.dll\0";
    let places: Vec<usize> = bytes
        .windows(wanted.len())
        .enumerate()
        .filter_map(|(at, window)| window.eq_ignore_ascii_case(wanted).then_some(at))
        .collect();
    assert!(!places.is_empty(), "the library depends on it no more");
    for place in places {
        bytes[place..place + wanted.len()].copy_from_slice(b"rustbridge-nowhe.dll\0");
    }
    bytes
}

#[test]
fn a_dependency_is_found_beside_the_plugin_and_not_in_the_current_folder_or_on_the_path() {
    let Some(folder) = told() else {
        let folder = Folder::new("dependency");
        for name in ["current", "path", "plugin ü", "other"] {
            fs::create_dir(folder.0.join(name)).unwrap();
        }
        let system = PathBuf::from(std::env::var_os("SystemRoot").unwrap()).join("system32");
        for name in ["current", "path"] {
            fs::copy(
                system.join("bcryptprimitives.dll"),
                folder.0.join(name).join("rustbridge-nowhe.dll"),
            )
            .unwrap();
        }
        return succeeds(
            child(
                "windows::a_dependency_is_found_beside_the_plugin_and_not_in_the_current_folder_or_on_the_path",
                &std::env::temp_dir(),
                &folder.0,
            )
            .current_dir(folder.0.join("current"))
            .env("PATH", folder.0.join("path")),
        );
    };
    let home = folder.join("plugin ü");
    let path = home.join("plugin.dll");
    fs::write(&path, depending_on_another()).unwrap();
    let error = Load::path(&path).open().unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition, "{error}");
    // Which file, what the system said, and what's missing.
    let not_found = std::io::Error::from_raw_os_error(126).to_string();
    for part in [
        path.to_str().unwrap(),
        &not_found,
        "it needs rustbridge-nowhe.dll",
    ] {
        assert!(error.message().contains(part), "{part}: {error}");
    }
    // An image lies in no folder.
    let image = fs::read(&path).unwrap();
    let error = Load::image(&image[..]).open().unwrap_err();
    assert!(error.message().contains("rustbridge-nowhe.dll"), "{error}");

    fs::copy(
        Path::new("rustbridge-nowhe.dll"),
        home.join("rustbridge-nowhe.dll"),
    )
    .unwrap();
    assert!(answers(&Load::path(&path).open().unwrap()));
}

#[test]
fn a_process_without_a_console_loads_and_calls_and_panics_as_any_other() {
    const DETACHED_PROCESS: u32 = 8;
    if let Some(folder) = told() {
        let plugin = Load::path(library()).open().unwrap();
        // The panic's text goes to a standard error that isn't there.
        let error = plugin
            .method("panic", Encoding::Raw)
            .unwrap()
            .call(b"")
            .unwrap_err();
        assert_eq!(error.status(), Status::Internal);
        assert!(answers(&plugin));
        fs::write(folder.join("done"), b"").unwrap();
        return;
    }
    let folder = Folder::new("no-console");
    let mut command = child(
        "windows::a_process_without_a_console_loads_and_calls_and_panics_as_any_other",
        &std::env::temp_dir(),
        &folder.0,
    );
    command
        .creation_flags(DETACHED_PROCESS)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let (child, mark) = child_process::start(&mut command).unwrap();
    let (status, _) = child_process::wait_and_count(child, &mark, child_process::RUN).unwrap();
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
    assert!(folder.0.join("done").exists());
}

#[test]
fn the_code_of_a_plugin_stays_even_if_somebody_gives_it_up() {
    use std::os::windows::ffi::OsStrExt;
    use windows_sys::Win32::Foundation::FreeLibrary;
    use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;

    let Some(folder) = told() else {
        let folder = Folder::new("given-up");
        return succeeds(&mut child(
            "windows::the_code_of_a_plugin_stays_even_if_somebody_gives_it_up",
            &folder.0,
            &folder.0,
        ));
    };
    let plugin = Load::path(library()).open().unwrap();
    let copy = copies(&folder)
        .into_iter()
        .find(|path| path.extension().is_some_and(|extension| extension == "dll"))
        .unwrap();
    let name: Vec<u16> = copy.as_os_str().encode_wide().chain([0]).collect();
    for _ in 0..3 {
        // SAFETY: the name ends in 0.
        let module = unsafe { GetModuleHandleW(name.as_ptr()) };
        assert!(!module.is_null());
        // SAFETY: a library's handle. That this use isn't ours to give up is what's tested.
        unsafe { FreeLibrary(module) };
    }
    assert!(answers(&plugin));
}
