//! Installing headers and libraries where C's build systems find them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::header::generate;

/// What the two libraries are called on a platform, where they are installed, and what else the static one needs.
struct Platform {
    /// Below the prefix; the file's name is also the one that cargo gives it.
    shared: &'static str,
    static_library: &'static str,
    /// What the linker reads in place of the shared library, where that isn't the library itself: cargo's name for it
    /// and its place below the prefix.
    import: Option<(&'static str, &'static str)>,
    /// What `rustc --print native-static-libs` says.
    native: &'static [&'static str],
}

const PLATFORM: Platform = if cfg!(windows) {
    Platform {
        shared: "bin/rustbridge.dll",
        static_library: "lib/rustbridge-static.lib",
        import: Some(("rustbridge.dll.lib", "lib/rustbridge.lib")),
        native: &["kernel32", "ntdll", "userenv", "ws2_32", "dbghelp"],
    }
} else if cfg!(target_os = "macos") {
    Platform {
        shared: "lib/librustbridge.dylib",
        static_library: "lib/librustbridge.a",
        import: None,
        native: &["System", "c", "m"],
    }
} else {
    Platform {
        shared: "lib/librustbridge.so",
        static_library: "lib/librustbridge.a",
        import: None,
        native: &["gcc_s", "util", "rt", "pthread", "m", "dl", "c"],
    }
};

/// Headers as they are in `include`, with their names.
macro_rules! included {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../include/", $name)))),*]
    };
}

/// The host in C++, which is written by hand, and what its typed clients stand on.
const HOST_IN_CPP: &[(&str, &str)] = included![
    "rustbridge.hpp",
    "rustbridge/callback.hpp",
    "rustbridge/codes.hpp",
    "rustbridge/causes.hpp",
    "rustbridge/error.hpp",
    "rustbridge/json.hpp",
    "rustbridge/log.hpp",
    "rustbridge/metadata.hpp",
    "rustbridge/method.hpp",
    "rustbridge/object.hpp",
    "rustbridge/options.hpp",
    "rustbridge/pending_call.hpp",
    "rustbridge/plugin.hpp",
    "rustbridge/pod_method.hpp",
    "rustbridge/queue.hpp",
    "rustbridge/response.hpp",
    "rustbridge/service.hpp",
    "rustbridge/stream.hpp",
    "rustbridge/wire/codec.hpp",
    "rustbridge/wire/cold.hpp",
    "rustbridge/wire/decimal.hpp",
    "rustbridge/wire/dynamic.hpp",
    "rustbridge/wire/lists.hpp",
    "rustbridge/wire/numbers.hpp",
    "rustbridge/wire/objects.hpp",
    "rustbridge/wire/path.hpp",
    "rustbridge/wire/reader.hpp",
    "rustbridge/wire/records.hpp",
    "rustbridge/wire/times.hpp",
    "rustbridge/wire/values.hpp",
    "rustbridge/wire/writer.hpp",
    "rustbridge_wire.hpp",
    "rustbridge_typed.hpp",
];

/// Our licences, and what is asked by those whose work is linked into the libraries.
const LICENCES: [(&str, &str); 3] = [
    ("LICENSE-APACHE", include_str!("../../../LICENSE-APACHE")),
    ("LICENSE-MIT", include_str!("../../../LICENSE-MIT")),
    ("THIRD-PARTY.txt", include_str!("../../../THIRD-PARTY.txt")),
];

/// Installs what a C user needs under `prefix`: headers, both libraries, the pkg-config file and the CMake package.
///
/// `built` is the folder in which cargo left them, e.g. `target/release` after `cargo build --release -p
/// rustbridge-capi`. Gives the files that it wrote.
///
/// # Errors
/// When a library isn't there, or a file can't be written; the error names the file.
pub fn package(built: &Path, prefix: &Path) -> io::Result<Vec<PathBuf>> {
    let mut install = Install {
        prefix,
        written: Vec::new(),
    };
    for (path, text) in generate() {
        install.write(&path, &text)?;
    }
    for (name, text) in HOST_IN_CPP {
        install.write(&Path::new("include").join(name), text)?;
    }
    for (name, text) in LICENCES {
        install.write(&Path::new("share/doc/rustbridge").join(name), text)?;
    }
    install.copy(&built.join(file_name(PLATFORM.shared)), PLATFORM.shared)?;
    let static_name = if cfg!(windows) {
        "rustbridge.lib"
    } else {
        file_name(PLATFORM.static_library)
    };
    install.copy(&built.join(static_name), PLATFORM.static_library)?;
    if let Some((built_name, place)) = PLATFORM.import {
        install.copy(&built.join(built_name), place)?;
    }
    for (place, template) in [
        (
            "lib/pkgconfig/rustbridge.pc",
            include_str!("../package/rustbridge.pc.in"),
        ),
        (
            "lib/cmake/rustbridge/rustbridgeConfig.cmake",
            include_str!("../package/rustbridgeConfig.cmake.in"),
        ),
        (
            "lib/cmake/rustbridge/rustbridgeConfigVersion.cmake",
            include_str!("../package/rustbridgeConfigVersion.cmake.in"),
        ),
    ] {
        install.write(Path::new(place), &filled(template))?;
    }
    Ok(install.written)
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn filled(template: &str) -> String {
    let flags: Vec<String> = PLATFORM
        .native
        .iter()
        .map(|library| format!("-l{library}"))
        .collect();
    template
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@SHARED_LOCATION@", PLATFORM.shared)
        .replace("@STATIC_LOCATION@", PLATFORM.static_library)
        .replace(
            "@IMPORT_LOCATION@",
            PLATFORM.import.map_or("", |(_, place)| place),
        )
        .replace("@STATIC_LIBRARIES@", &PLATFORM.native.join(";"))
        .replace("@STATIC_LIBRARIES_FLAGS@", &flags.join(" "))
}

struct Install<'a> {
    prefix: &'a Path,
    written: Vec<PathBuf>,
}

impl Install<'_> {
    fn write(&mut self, place: &Path, text: &str) -> io::Result<()> {
        let path = self.make_room(place)?;
        fs::write(&path, text).map_err(|error| about(&path, "write", &error))?;
        self.written.push(path);
        Ok(())
    }

    fn copy(&mut self, from: &Path, place: &str) -> io::Result<()> {
        let path = self.make_room(Path::new(place))?;
        fs::copy(from, &path).map_err(|error| {
            about(
                from,
                "copy (is `cargo build -p rustbridge-capi` done for this profile?)",
                &error,
            )
        })?;
        self.written.push(path);
        Ok(())
    }

    fn make_room(&self, place: &Path) -> io::Result<PathBuf> {
        let path = self.prefix.join(place);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| about(folder, "create", &error))?;
        }
        Ok(path)
    }
}

fn about(path: &Path, deed: &str, error: &io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("can't {deed} {}: {error}", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_completely() {
        for template in [
            include_str!("../package/rustbridge.pc.in"),
            include_str!("../package/rustbridgeConfig.cmake.in"),
            include_str!("../package/rustbridgeConfigVersion.cmake.in"),
        ] {
            let text = filled(template);
            assert!(!text.contains('@'), "{text}");
        }
    }

    #[test]
    fn a_missing_library_is_named() {
        let nowhere = Path::new("no-such-folder");
        let prefix =
            std::env::temp_dir().join(format!("rustbridge-package-{}", std::process::id()));
        let error = package(nowhere, &prefix).unwrap_err().to_string();
        fs::remove_dir_all(&prefix).unwrap();
        assert!(error.contains("no-such-folder"), "{error}");
        assert!(error.contains("cargo build -p rustbridge-capi"), "{error}");
    }
}
