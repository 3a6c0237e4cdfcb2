//! Where private copies are and what they are called: nobody else gets at either, or puts anything beside them.
#![cfg(target_os = "linux")]

use std::ffi::CString;
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use child_process::ForkedChild;
use rustbridge_core::{Encoding, Load, Plugin};

use crate::common::c::{ask, compile, plugin};
use crate::common::{
    Folder, in_subprocess, in_subprocess_with, kinds, library, library_of_version, names,
};

const LIMIT: Duration = Duration::from_secs(30);

/// So many contents keep a descriptor each.
const DESCRIPTORS: u32 = 64;

/// A plugin's bytes as another content of each number.
fn image(plugin: &[u8], number: u32) -> Vec<u8> {
    [plugin, &number.to_le_bytes()].concat()
}

/// A small plugin's bytes.
fn small(folder: &Path) -> Vec<u8> {
    fs::read(plugin(&folder.join("libsmall.so"), None, &[])).unwrap()
}

/// Loads so many contents that later ones keep no descriptor.
fn use_descriptors_up(folder: &Path) {
    let small = small(folder);
    for number in 0..DESCRIPTORS {
        Load::image(image(&small, number)).open().unwrap();
    }
}

/// Has the kernel refuse this thread files in memory from now on. `false` where it can't.
fn forbid_memory() -> bool {
    let step = |code: u32, jump_if_not: u8, value: u32| libc::sock_filter {
        code: code as u16,
        jt: 0,
        jf: jump_if_not,
        k: value,
    };
    let refused = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    let mut filter = [
        // What is looked at begins with the number of the call.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        step(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            1,
            libc::SYS_memfd_create as u32,
        ),
        step(libc::BPF_RET | libc::BPF_K, 0, refused),
        step(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_mut_ptr(),
    };
    let [yes, no]: [libc::c_ulong; 2] = [1, 0];
    let by_filter = libc::c_ulong::from(libc::SECCOMP_MODE_FILTER);
    // SAFETY: the program is readable, and copied; the thread is a test's own.
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, yes, no, no, no) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, by_filter, &raw const program) == 0
    }
}

/// A library that lies where somebody else put it, for a plugin to find; it's taken away in the end.
struct Planted(PathBuf);

impl Planted {
    /// Of a name that no other test's has.
    fn name() -> String {
        format!("rb-planted-{}", std::process::id())
    }

    /// `None` where nothing may be put there.
    fn new(folder: &Path, in_between: &Path) -> Option<Planted> {
        let source = in_between.join("planted.c");
        fs::write(&source, "int sibling(void) {\n  return 1;\n}\n").unwrap();
        let file = format!("lib{}.so", Planted::name());
        let built = in_between.join(&file);
        compile(&[source.to_str().unwrap(), "-o", built.to_str().unwrap()]);
        let path = folder.join(&file);
        if path != built {
            fs::copy(&built, &path).ok()?;
        }
        Some(Planted(path))
    }

    /// The bytes of a plugin that looks for it beside itself; `library` is a folder that has it.
    fn wanted(folder: &Path, library: &Path) -> Vec<u8> {
        let plugin = plugin(
            &folder.join("libwants.so"),
            None,
            &[
                "-Wl,-rpath,$ORIGIN",
                "-DSIBLING",
                &format!("-L{}", library.display()),
                &format!("-l{}", Planted::name()),
            ],
        );
        fs::read(plugin).unwrap()
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// That a plugin isn't loaded because it doesn't find what it needs.
fn finds_nothing(image: &[u8]) {
    let error = Load::image(image).open().unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.LoaderRefused", "{error}");
    for said in [&*Planted::name(), "by its path"] {
        assert!(error.message().contains(said), "{error}");
    }
}

/// That nothing of ours is left in a folder.
fn is_clean(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.starts_with("rustbridge-"), "{name}");
    }
}

#[test]
fn an_image_finds_no_library_in_the_folder_for_temporary_files() {
    let test = "copies::an_image_finds_no_library_in_the_folder_for_temporary_files";
    let folder = Folder::new("planted");
    if !in_subprocess_with(test, &[("TMPDIR", folder.0.to_str().unwrap())]) {
        return;
    }
    let temporary = std::env::temp_dir();
    let _planted = Planted::new(&temporary, &temporary).unwrap();
    let wanted = Planted::wanted(&folder.0, &temporary);
    finds_nothing(&image(&wanted, 1));
    use_descriptors_up(&folder.0);
    finds_nothing(&image(&wanted, 2));
    // Nor if the copy is a file there.
    if forbid_memory() {
        finds_nothing(&image(&wanted, 3));
    }
    is_clean(&temporary);
}

#[test]
fn an_image_finds_no_library_among_what_processes_share() {
    if !in_subprocess("copies::an_image_finds_no_library_among_what_processes_share") {
        return;
    }
    let folder = Folder::new("planted-shared");
    let below = folder.0.join("below");
    fs::create_dir(&below).unwrap();
    let Some(_planted) = Planted::new(Path::new("/dev/shm"), &below) else {
        return;
    };
    let wanted = Planted::wanted(&folder.0, &below);
    use_descriptors_up(&folder.0);
    finds_nothing(&wanted);
}

/// Neither memory nor a number can be had, so a copy would have to lie in the folder for temporary files.
#[test]
fn a_plugin_that_looks_beside_itself_is_no_file_where_others_may_put_some() {
    let test = "copies::a_plugin_that_looks_beside_itself_is_no_file_where_others_may_put_some";
    let folder = Folder::new("exposed");
    fs::set_permissions(&folder.0, Permissions::from_mode(0o777)).unwrap();
    if !in_subprocess_with(test, &[("TMPDIR", folder.0.to_str().unwrap())]) {
        return;
    }
    let temporary = std::env::temp_dir();
    let _planted = Planted::new(&temporary, &temporary).unwrap();
    let wanted = Planted::wanted(&folder.0, &temporary);
    let small = small(&folder.0);
    if !forbid_memory() {
        return;
    }
    let error = Load::image(wanted).open().unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoPrivateCopy", "{error}");
    let place = format!(
        "in `{}`: the library searches its own folder",
        temporary.display()
    );
    for said in ["in memory: ", &place, "load it by the path"] {
        assert!(error.message().contains(said), "{error}");
    }
    is_clean(&temporary);
    // What doesn't look there may be one.
    let loaded = Load::image(small).open().unwrap();
    assert_eq!(ask(&loaded, "build"), "1");
    assert_eq!(kinds(), ["file"]);
    is_clean(&temporary);
}

#[test]
fn a_copys_name_leads_to_its_bytes_or_to_nothing_and_never_to_somebody_elses() {
    let test = "copies::a_copys_name_leads_to_its_bytes_or_to_nothing_and_never_to_somebody_elses";
    let folder = Folder::new("names");
    if !in_subprocess_with(test, &[("TMPDIR", folder.0.to_str().unwrap())]) {
        return;
    }
    let small = small(&folder.0);
    let others = names();
    let mut loaded = Vec::new();
    let mut load = |number| loaded.push(Load::image(image(&small, number)).open().unwrap());
    (0..DESCRIPTORS + 3).for_each(&mut load);
    let mut without = 3;
    // A copy on disk has no name there either.
    if forbid_memory() {
        load(DESCRIPTORS + 3);
        without += 1;
        assert_eq!(kinds().last().unwrap(), "file");
        is_clean(&std::env::temp_dir());
    }
    for plugin in &loaded {
        assert_eq!(ask(plugin, "build"), "1");
        assert!(ask(plugin, "folder").starts_with("/proc/"));
    }
    let ours: Vec<String> = names()
        .into_iter()
        .filter(|name| !others.contains(name))
        .collect();
    assert_eq!(ours.len(), loaded.len(), "{ours:?}");
    let mut empty = 0;
    for name in &ours {
        assert!(name.starts_with("/proc/"), "{ours:?}");
        assert!(fs::metadata(name).unwrap().is_file(), "{name}");
        let bytes = fs::read(name).unwrap();
        empty += usize::from(bytes.is_empty());
        assert!(bytes.is_empty() || bytes.starts_with(&small), "{name}");
    }
    assert_eq!(empty, without);
}

fn version(plugin: &Plugin) -> String {
    let version = plugin.method("version", Encoding::Raw).unwrap();
    String::from_utf8(version.call(b"").unwrap().to_vec()).unwrap()
}

/// The loader takes a library that it has under a name for the one that's asked for.
#[test]
fn a_copy_whose_number_another_library_had_is_itself() {
    if !in_subprocess("copies::a_copy_whose_number_another_library_had_is_itself") {
        return;
    }
    let other = library_of_version(b'2');
    let ours = library_of_version(b'3');
    // SAFETY: the name is NUL-terminated; the descriptor is new and nobody else's.
    let mut file = unsafe {
        let number = libc::syscall(libc::SYS_memfd_create, c"other".as_ptr(), libc::MFD_CLOEXEC);
        File::from_raw_fd(number as i32)
    };
    file.write_all(&other).unwrap();
    let number = file.as_raw_fd();
    let name = format!("/proc/{}/fd/{number}", std::process::id());
    let path = CString::new(&*name).unwrap();
    // SAFETY: NUL-terminated; the library is the tests' own.
    assert!(!unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) }.is_null());
    drop(file);
    let plugin = Load::image(ours).open().unwrap();
    assert_eq!(version(&plugin), "tiny-version-3");
    // It has got that number indeed.
    let number = format!("/{number}");
    let has_it = |known: &String| *known != name && known.ends_with(&number);
    assert!(names().iter().any(has_it), "{:?}", names());
}

#[test]
fn a_backtrace_ends_in_every_copy_and_has_names_in_those_with_a_descriptor() {
    if !in_subprocess(
        "copies::a_backtrace_ends_in_every_copy_and_has_names_in_those_with_a_descriptor",
    ) {
        return;
    }
    let trace = |plugin: &Plugin| {
        let trace = plugin.method("backtrace", Encoding::Raw).unwrap();
        String::from_utf8(trace.call(b"").unwrap().to_vec()).unwrap()
    };
    let of_plugin = "tiny_backtrace";
    let first = Load::path(library()).open().unwrap();
    assert!(trace(&first).contains(of_plugin), "{}", trace(&first));
    let folder = Folder::new("backtrace");
    use_descriptors_up(&folder.0);
    let later = Load::image(library_of_version(b'2')).open().unwrap();
    let [first, later] = [trace(&first), trace(&later)];
    assert!(first.contains(of_plugin), "{first}");
    assert!(!later.is_empty() && !later.contains(of_plugin), "{later}");
}

#[test]
fn a_child_that_loads_leaves_its_parents_names_as_they_are() {
    if !in_subprocess("copies::a_child_that_loads_leaves_its_parents_names_as_they_are") {
        return;
    }
    let folder = Folder::new("child");
    let small = small(&folder.0);
    let load = |number| {
        let loaded = Load::image(image(&small, number)).open().unwrap();
        assert_eq!(ask(&loaded, "build"), "1");
    };
    (0..=DESCRIPTORS).for_each(load);
    let last = names().pop().unwrap();
    let is_empty = || fs::read(&last).unwrap().is_empty();
    assert!(is_empty());
    ForkedChild::start(|| {
        // The same, which it has a copy of its own of, and another one.
        (DESCRIPTORS..DESCRIPTORS + 2).for_each(load);
        assert!(is_empty());
        let own = names().pop().unwrap();
        assert!(own.starts_with(&format!("/proc/{}/", std::process::id())));
        assert!(fs::read(own).unwrap().is_empty());
    })
    .ends_well(LIMIT);
    assert!(is_empty());
    load(DESCRIPTORS + 1);
    assert!(is_empty());
}

#[test]
fn where_no_copy_can_be_made_it_is_said_of_each_place_why() {
    let library = fs::read(library()).unwrap();
    let nowhere = [("TMPDIR", "/nowhere")];
    let test = "copies::where_no_copy_can_be_made_it_is_said_of_each_place_why";
    if !in_subprocess_with(test, &nowhere) {
        return;
    }
    if !forbid_memory() {
        return;
    }
    let error = Load::image(library).open().unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoPrivateCopy", "{error}");
    for said in ["the image", "in memory: ", "; in `/nowhere`: ", "TMPDIR"] {
        assert!(error.message().contains(said), "{error}");
    }
}

#[test]
fn a_folder_for_temporary_files_that_is_named_by_nothing_or_relatively_is_one() {
    let library = fs::read(library()).unwrap();
    let test = "copies::a_folder_for_temporary_files_that_is_named_by_nothing_or_relatively_is_one";
    for named in ["", "here"] {
        if !in_subprocess_with(test, &[("TMPDIR", named)]) {
            continue;
        }
        let folder = PathBuf::from(format!("/tmp/rb-test-relative-{}", std::process::id()));
        fs::create_dir_all(folder.join("here")).unwrap();
        std::env::set_current_dir(&folder).unwrap();
        if forbid_memory() {
            let loaded = Load::image(library).open().unwrap();
            assert_eq!(version(&loaded), "tiny-version-1");
            assert_eq!(kinds(), ["file"]);
            is_clean(&folder);
            is_clean(&folder.join("here"));
        }
        fs::remove_dir_all(folder).unwrap();
        return;
    }
}
