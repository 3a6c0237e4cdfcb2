//! Plugins that need libraries which lie beside them, in plain C: they load as the system's own loader has them load.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use child_process::ForkedChild;
use rustbridge_core::{Error, Load, Status};

use crate::common::c::{ask, compile, plugin};
use crate::common::{Folder, in_subprocess, kinds};

const LIMIT: Duration = Duration::from_secs(30);

const ORIGIN: &str = "-Wl,--enable-new-dtags,-rpath,$ORIGIN";

/// A library beside a plugin; its function answers the number.
fn sibling(folder: &Path, name: &str, number: i32, more: &[&str]) {
    fs::create_dir_all(folder).unwrap();
    let source = folder.join("sibling.c");
    fs::write(
        &source,
        format!("int sibling(void) {{\n  return {number};\n}}\n"),
    )
    .unwrap();
    let path = folder.join(format!("lib{name}.so"));
    let [source, path] = [&source, &path].map(|path| path.to_str().unwrap());
    compile(&[&[source, "-o", path], more].concat());
}

fn refused(load: Load<'_>) -> Error {
    let error = load.open().unwrap_err();
    assert_eq!(error.status(), Status::FailedPrecondition, "{error}");
    assert_eq!(error.type_name(), "rustbridge.LoaderRefused");
    error
}

#[test]
fn libraries_beside_a_plugin_are_found_wherever_it_says_they_are() {
    if !in_subprocess("siblings::libraries_beside_a_plugin_are_found_wherever_it_says_they_are") {
        return;
    }
    for (name, sub, link, more) in [
        ("soname", "", ORIGIN, &["-Wl,-soname,libsibling.so"][..]),
        ("no-soname", "", ORIGIN, &[]),
        ("braces", "", "-Wl,-rpath,${ORIGIN}", &[]),
        ("below", "lib", "-Wl,-rpath,$ORIGIN/lib", &[]),
        ("above", "../lib", "-Wl,-rpath,/nowhere:$ORIGIN/../lib", &[]),
        (
            "old",
            "",
            "-Wl,--disable-new-dtags,-rpath,$ORIGIN",
            &["-Wl,-soname,libsibling.so"],
        ),
    ] {
        // The loader takes a library that it has for any other of its name, so each is in a process of its own.
        let folder = Folder::new(&format!("siblings-{name}"));
        let home = folder.0.join("home");
        sibling(&home.join(sub), "sibling", 41, more);
        sibling(&home, "later", 0, &[]);
        let path = plugin(&home.join("libplugin.so"), Some(&home.join(sub)), &[link]);
        ForkedChild::start(|| {
            let loaded = Load::path(&path).open().unwrap();
            assert_eq!(ask(&loaded, "sibling"), "41");
            assert_eq!(ask(&loaded, "folder"), home.to_str().unwrap());
            let found = ask(&loaded, "later");
            if sub.is_empty() {
                assert_eq!(found, "found");
            }
            assert_eq!(kinds(), ["place"], "{name}");
            // The same file, and the same content from elsewhere, are the same mapping.
            Load::path(&path).open().unwrap();
            Load::image(fs::read(&path).unwrap()).open().unwrap();
            assert_eq!(kinds(), ["place"], "{name}");
        })
        .ends_well(LIMIT);
    }
}

#[test]
fn a_library_that_it_looks_for_later_is_found_beside_it_too() {
    let folder = Folder::new("siblings-later");
    sibling(&folder.0, "later", 0, &[]);
    let path = plugin(&folder.0.join("libplugin.so"), None, &[ORIGIN]);
    let loaded = Load::path(&path).open().unwrap();
    assert_eq!(ask(&loaded, "later"), "found");
}

#[test]
fn copies_of_a_plugin_that_is_mapped_in_place_find_what_it_has_found() {
    if !in_subprocess("siblings::copies_of_a_plugin_that_is_mapped_in_place_find_what_it_has_found")
    {
        return;
    }
    for soname in [&["-Wl,-soname,libsibling.so"][..], &[]] {
        let folder = Folder::new("siblings-copies");
        sibling(&folder.0, "sibling", 42, soname);
        let path = plugin(&folder.0.join("libplugin.so"), Some(&folder.0), &[ORIGIN]);
        ForkedChild::start(|| {
            let own = Load::path(&path).own_copy(true).open().unwrap();
            let another = Load::path(&path).own_copy(true).open().unwrap();
            let shared = Load::path(&path).open().unwrap();
            for plugin in [&own, &another, &shared] {
                assert_eq!(ask(plugin, "sibling"), "42");
            }
            assert_eq!(kinds(), ["place", "memory", "memory"]);
            ForkedChild::start(|| {
                let loaded = Load::path(&path).open().unwrap();
                assert_eq!(ask(&loaded, "sibling"), "42");
                assert_eq!(kinds(), ["memory"]);
            })
            .ends_well(LIMIT);
        })
        .ends_well(LIMIT);
    }
}

#[test]
fn a_new_file_in_its_place_is_new_code_in_place() {
    if !in_subprocess("siblings::a_new_file_in_its_place_is_new_code_in_place") {
        return;
    }
    let folder = Folder::new("siblings-renamed");
    sibling(&folder.0, "sibling", 43, &[]);
    let path = folder.0.join("libplugin.so");
    let mut loaded = Vec::new();
    for build in 1..=4 {
        let new = folder.0.join("new.so");
        plugin(
            &new,
            Some(&folder.0),
            &[ORIGIN, &format!("-DBUILD={build}")],
        );
        fs::rename(&new, &path).unwrap();
        loaded.push(Load::path(&path).open().unwrap());
    }
    for (plugin, build) in loaded.iter().zip(1..) {
        assert_eq!(ask(plugin, "build"), build.to_string());
        assert_eq!(ask(plugin, "sibling"), "43");
        let home = PathBuf::from(ask(plugin, "folder"));
        assert_eq!(home.canonicalize().unwrap(), folder.0);
    }
    assert_eq!(kinds(), ["place"; 4]);
}

#[test]
fn a_file_that_is_written_over_is_a_copy_from_then_on() {
    if !in_subprocess("siblings::a_file_that_is_written_over_is_a_copy_from_then_on") {
        return;
    }
    let folder = Folder::new("siblings-written");
    // What is mapped isn't what it was any more, so the process mustn't run what it has for its end.
    ForkedChild::start(|| written_over(&folder)).ends_well(LIMIT);
}

fn written_over(folder: &Folder) {
    sibling(&folder.0, "sibling", 44, &[]);
    let path = plugin(&folder.0.join("libplugin.so"), Some(&folder.0), &[ORIGIN]);
    assert_eq!(ask(&Load::path(&path).open().unwrap(), "build"), "1");
    let new = folder.0.join("new.so");
    plugin(&new, Some(&folder.0), &[ORIGIN, "-DBUILD=2"]);
    fs::copy(&new, &path).unwrap();
    let second = Load::path(&path).open().unwrap();
    assert_eq!(ask(&second, "build"), "2");
    assert_eq!(ask(&second, "sibling"), "44");
    assert_eq!(kinds(), ["place", "memory"]);
    // One that needs a library which isn't there yet is told what to do.
    sibling(&folder.0, "other", 45, &["-Wl,-soname,libother.so"]);
    let other = format!("-L{}", folder.0.display());
    plugin(
        &new,
        None,
        &[ORIGIN, "-DSIBLING", &other, "-lother", "-DBUILD=3"],
    );
    fs::copy(&new, &path).unwrap();
    let error = refused(Load::path(&path));
    assert!(error.message().contains("libother.so"), "{error}");
    assert!(error.message().contains("renaming"), "{error}");
    fs::rename(&new, &path).unwrap();
    assert_eq!(ask(&Load::path(&path).open().unwrap(), "sibling"), "45");
}

#[test]
fn a_missing_library_is_named_with_where_it_was_looked_for() {
    if !in_subprocess("siblings::a_missing_library_is_named_with_where_it_was_looked_for") {
        return;
    }
    let folder = Folder::new("siblings-missing");
    let lib = folder.0.join("lib");
    sibling(&lib, "sibling", 46, &[]);
    let link = "-Wl,-rpath,$ORIGIN:$ORIGIN/plugins";
    let path = plugin(&folder.0.join("libplugin.so"), Some(&lib), &[link]);
    let error = refused(Load::path(&path));
    let [home, plugins] =
        [&folder.0, &folder.0.join("plugins")].map(|folder| format!("`{}`", folder.display()));
    for said in ["`libsibling.so` wasn't found in", &home, &plugins] {
        assert!(error.message().contains(said), "{error}");
    }

    let error = refused(Load::image(fs::read(&path).unwrap()));
    for said in ["the image", "`libsibling.so`", "by its path"] {
        assert!(error.message().contains(said), "{error}");
    }

    // By a name alone, in the current folder.
    ForkedChild::start(|| {
        std::env::set_current_dir(&folder.0).unwrap();
        let error = refused(Load::path("libplugin.so"));
        assert!(error.message().contains(&plugins), "{error}");
        fs::copy(lib.join("libsibling.so"), "libsibling.so").unwrap();
        let loaded = Load::path("libplugin.so").open().unwrap();
        assert_eq!(ask(&loaded, "sibling"), "46");
    })
    .ends_well(LIMIT);
    fs::remove_file(folder.0.join("libsibling.so")).unwrap();

    let path = plugin(&folder.0.join("libplain.so"), Some(&lib), &[]);
    let error = refused(Load::path(&path));
    for said in ["`libsibling.so`", "-Wl,-rpath,'$ORIGIN'"] {
        assert!(error.message().contains(said), "{error}");
    }
}

#[test]
fn a_plugin_that_names_no_folder_of_its_own_is_a_copy() {
    if !in_subprocess("siblings::a_plugin_that_names_no_folder_of_its_own_is_a_copy") {
        return;
    }
    let folder = Folder::new("siblings-none");
    let path = plugin(&folder.0.join("libplugin.so"), None, &["-Wl,-rpath,/opt"]);
    let loaded = Load::path(&path).open().unwrap();
    assert_eq!(ask(&loaded, "build"), "1");
    assert_eq!(kinds(), ["memory"]);
}
