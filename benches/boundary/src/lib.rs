//! What the benchmarks share: finding libraries, the hosts, and running a call on several threads.
//!
//! A [`Host`] is a way to make the same call: the floor's bare function, the core linked into this program, or
//! `librustbridge` through a function pointer, by `rb_call` or by `rb_call_into`.

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use libloading::Library;
use rustbridge_abi::{Encoding, RawStatus, Response};
use rustbridge_core::{Load, Plugin};

/// Folder with the release builds of the plugins, the floor and `librustbridge`.
#[must_use]
pub fn library_dir() -> PathBuf {
    if let Some(dir) = std::env::var_os("RUSTBRIDGE_PLUGIN_DIR") {
        return dir.into();
    }
    // target/release/deps/<this program> → target/release
    let program = std::env::current_exe().expect("this program has a path");
    program
        .ancestors()
        .nth(2)
        .expect("a benchmark runs from target/release/deps")
        .to_owned()
}

/// Path of a library by its crate name, e.g. `hello_plugin`.
///
/// # Panics
/// When it hasn't been built; the message names the command that does.
#[must_use]
pub fn library(name: &str) -> PathBuf {
    let file = format!(
        "{}{name}{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let path = library_dir().join(file);
    assert!(
        path.is_file(),
        "{} is missing: build it with `cargo build --release --workspace`",
        path.display()
    );
    path
}

/// The least configuration each plugin accepts: conformance-plugin insists on a label.
#[must_use]
pub fn config(name: &str) -> &'static str {
    if name == "conformance_plugin" {
        r#"{"label":"bench"}"#
    } else {
        "{}"
    }
}

/// Loads a plugin with its [`config`].
///
/// # Panics
/// When it can't be loaded.
#[must_use]
pub fn plugin(name: &str) -> Plugin {
    Load::path(library(name))
        .config(config(name))
        .open()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Signature of every floor function.
pub type FloorFn =
    unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

/// Signature of `rb_call` and `rb_call_leaf`.
pub type CallFn = unsafe extern "C" fn(u64, u32, *const u8, usize, *mut Response) -> RawStatus;

/// Signature of `rb_call_into` and `rb_call_into_leaf`.
pub type CallIntoFn = unsafe extern "C" fn(u64, u32, *const u8, usize, *mut u8, usize) -> i64;

/// One prepared call, made in one of four ways.
#[derive(Clone, Copy)]
pub enum Host {
    /// The floor's function for this work.
    Floor(FloorFn),
    /// The core, linked into this program.
    Rust {
        /// The instance.
        handle: u64,
        /// The prepared entry.
        entry: u32,
    },
    /// `rb_call` of `librustbridge`, through a function pointer.
    C {
        /// `rb_call`.
        call: CallFn,
        /// The instance, in that library's core.
        handle: u64,
        /// The prepared entry.
        entry: u32,
    },
    /// `rb_call_into` of `librustbridge`, through a function pointer.
    CInto {
        /// `rb_call_into`.
        call: CallIntoFn,
        /// The instance, in that library's core.
        handle: u64,
        /// The prepared entry.
        entry: u32,
    },
}

impl Host {
    /// Name of the host in benchmark ids.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Host::Floor(_) => "floor",
            Host::Rust { .. } => "rust",
            Host::C { .. } => "c",
            Host::CInto { .. } => "c-into",
        }
    }

    /// Makes one call whose response fits `storage`; returns the response's length.
    ///
    /// # Panics
    /// When the call fails or doesn't fit: a benchmark of failures would flatter us.
    #[inline(always)]
    #[must_use]
    pub fn call(&self, request: &[u8], storage: &mut [u8]) -> usize {
        match *self {
            Host::Floor(function) => {
                let mut len = 0;
                // SAFETY: the floor's functions read `request` and write at most `storage.len()` bytes.
                let status = unsafe {
                    function(
                        std::ptr::null_mut(),
                        1,
                        request.as_ptr(),
                        request.len(),
                        storage.as_mut_ptr(),
                        storage.len(),
                        &mut len,
                    )
                };
                assert!(status == 0);
                len
            }
            Host::Rust { handle, entry } => {
                let mut response = Response::with_storage(storage.as_mut_ptr(), storage.len());
                // SAFETY: request and storage are live slices for the duration of the call.
                let status = unsafe {
                    rustbridge_core::raw::call(
                        handle,
                        entry,
                        request.as_ptr(),
                        request.len(),
                        &mut response,
                    )
                };
                assert!(status == 0 && response.release.is_none());
                response.len
            }
            Host::C {
                call,
                handle,
                entry,
            } => {
                let mut response = Response::with_storage(storage.as_mut_ptr(), storage.len());
                // SAFETY: as above; `call` is `rb_call`.
                let status = unsafe {
                    call(
                        handle,
                        entry,
                        request.as_ptr(),
                        request.len(),
                        &mut response,
                    )
                };
                assert!(status == 0 && response.release.is_none());
                response.len
            }
            Host::CInto {
                call,
                handle,
                entry,
            } => {
                // SAFETY: as above; `call` is `rb_call_into`.
                let result = unsafe {
                    call(
                        handle,
                        entry,
                        request.as_ptr(),
                        request.len(),
                        storage.as_mut_ptr(),
                        storage.len(),
                    )
                };
                assert!(result >= 0);
                result as usize
            }
        }
    }
}

/// Symbols of a library that stays loaded for the life of the program.
///
/// # Panics
/// When the library can't be loaded.
#[must_use]
pub fn load_forever(name: &str) -> &'static Library {
    // SAFETY: our own libraries; they have no constructors with side effects.
    let library =
        unsafe { Library::new(library(name)) }.unwrap_or_else(|error| panic!("{name}: {error}"));
    Box::leak(Box::new(library))
}

/// The floor function of that name.
///
/// # Panics
/// When the floor lacks it.
#[must_use]
pub fn floor(name: &str) -> Host {
    // SAFETY: every function of the floor has this signature.
    let function = unsafe { load_forever("floor").get::<FloorFn>(name.as_bytes()) };
    Host::Floor(*function.unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The core, linked in.
///
/// # Panics
/// When the plugin lacks the method.
#[must_use]
pub fn rust(plugin: &Plugin, method: &str, encoding: Encoding) -> Host {
    let prepared = rustbridge_core::instance::prepare(plugin.handle(), method, encoding)
        .unwrap_or_else(|error| panic!("{method}: {error}"));
    Host::Rust {
        handle: plugin.handle(),
        entry: prepared.entry,
    }
}

pub mod c;

/// Runs `iterations` of `work` on each of `threads` threads at once and returns the time until the last one ended.
pub fn on_threads(threads: usize, iterations: u64, work: impl Fn(u64) + Sync) -> Duration {
    if threads == 1 {
        let start = Instant::now();
        work(iterations);
        return start.elapsed();
    }
    let barrier = Barrier::new(threads + 1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    barrier.wait();
                    let start = Instant::now();
                    work(iterations);
                    start.elapsed()
                })
            })
            .collect();
        barrier.wait();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker panicked"))
            .max()
            .unwrap_or_default()
    })
}

/// The same call `iterations` times, as a hot loop makes it.
#[inline(always)]
pub fn repeat(host: Host, request: &[u8], capacity: usize, iterations: u64) {
    let mut storage = vec![0; capacity];
    for _ in 0..iterations {
        black_box(host.call(black_box(request), black_box(&mut storage)));
    }
}
