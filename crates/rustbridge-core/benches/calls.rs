//! What the core adds to a call, and what a load costs: each beside its floor.

use std::ffi::c_void;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rustbridge_abi::{ABI_VERSION, Host, PluginTable, RB_OK, Response};
use rustbridge_core::{Encoding, Load, handles};

#[path = "../tests/plugin/mod.rs"]
#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "one note in the plugin's `call` holds for all of its answers"
)]
mod tiny;

/// The plugin's table and an instance of it, without the core.
fn bare() -> (PluginTable, *mut c_void) {
    static LEVEL: u32 = 0;
    let host = Box::leak(Box::new(Host {
        log_level: &raw const LEVEL,
        ..Host::EMPTY
    }));
    let mut object = std::ptr::null_mut();
    // SAFETY: the table is the tiny plugin's; everything passed is valid.
    let table = unsafe {
        let table = *tiny::entry_point(ABI_VERSION);
        let create = table.create.unwrap();
        assert_eq!(
            create(
                table.context,
                host,
                std::ptr::null(),
                0,
                &mut object,
                std::ptr::null_mut()
            ),
            RB_OK
        );
        table
    };
    (table, object)
}

/// Runs `call` so often on so many threads at once, and gives the time of the slowest.
fn on_threads(threads: usize, iterations: u64, call: impl Fn() + Sync) -> Duration {
    let barrier = Barrier::new(threads);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    call();
                    barrier.wait();
                    let start = Instant::now();
                    for _ in 0..iterations {
                        call();
                    }
                    start.elapsed()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .max()
            .unwrap()
    })
}

#[derive(Clone, Copy)]
struct Instance(*mut c_void);
// SAFETY: the ABI lets any thread use an instance.
unsafe impl Sync for Instance {}

fn calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pod8");
    let (table, object) = bare();
    let bare_call = black_box(table.call.unwrap());
    let object = Instance(object);
    // SAFETY: a plugin of ours, whose entry point follows the ABI.
    let plugin = unsafe { Load::linked(tiny::entry_point, "tiny") }
        .open()
        .unwrap();
    let small = plugin.method("small", Encoding::Pod).unwrap();
    let (handle, entry) = (plugin.handle(), small.entry());

    let bare = move || {
        let object = &object;
        let request = black_box([1_i32, 2]);
        let mut storage = [0_i32; 2];
        let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), 8);
        // SAFETY: everything passed is valid.
        let status = unsafe {
            bare_call(
                object.0,
                11,
                std::ptr::null(),
                request.as_ptr().cast(),
                8,
                &mut response,
            )
        };
        black_box((status, storage));
    };
    let core = move || {
        let request = black_box([1_i32, 2]);
        let mut storage = [0_i32; 2];
        let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), 8);
        // SAFETY: everything passed is valid.
        let status =
            unsafe { handles::call(handle, entry, request.as_ptr().cast(), 8, &mut response) };
        black_box((status, storage));
    };
    let leaf = move || {
        let request = black_box([1_i32, 2]);
        let mut storage = [0_i32; 2];
        let mut response = Response::with_buffer(storage.as_mut_ptr().cast(), 8);
        // SAFETY: everything passed is valid.
        let status = unsafe {
            handles::call(
                handle,
                entry | handles::ENTRY_LEAF,
                request.as_ptr().cast(),
                8,
                &mut response,
            )
        };
        black_box((status, storage));
    };
    group.bench_function("bare, 1 thread", |b| b.iter(bare));
    group.bench_function("handles::call, 1 thread", |b| b.iter(core));
    group.bench_function("handles::call of a leaf, 1 thread", |b| b.iter(leaf));
    group.bench_function("Method::call_pod, 1 thread", |b| {
        b.iter(|| black_box(small.call_pod::<[i32; 2], [i32; 2]>(&black_box([1, 2]))));
    });
    group.bench_function("bare, 2 threads", |b| {
        b.iter_custom(|iterations| on_threads(2, iterations, bare));
    });
    group.bench_function("handles::call, 2 threads", |b| {
        b.iter_custom(|iterations| on_threads(2, iterations, core));
    });
    group.finish();

    let echo = plugin.method("echo", Encoding::Json).unwrap();
    criterion.bench_function("Method::call, 27 bytes", |b| {
        b.iter(|| {
            black_box(
                echo.call(black_box(br#"{"message":"Hello, World!"}"#))
                    .unwrap(),
            )
        });
    });
}

fn library() -> PathBuf {
    let mut folder = std::env::current_exe().unwrap();
    folder.pop();
    folder.pop();
    folder
        .join("examples")
        .join(format!("libtiny_plugin{}", std::env::consts::DLL_SUFFIX))
}

fn loads(criterion: &mut Criterion) {
    let path = library();
    if !path.exists() {
        println!(
            "no {}: run `cargo build --release --example tiny_plugin` first",
            path.display()
        );
        return;
    }
    let one_call = |handle| {
        let prepared = handles::prepare(handle, "add", Encoding::Pod).unwrap();
        let request = [0_u8; 16];
        let mut storage = [0_u8; 8];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), 8);
        // SAFETY: everything passed is valid.
        let status =
            unsafe { handles::call(handle, prepared.entry, request.as_ptr(), 16, &mut response) };
        assert_eq!(status, RB_OK);
        handles::close(handle, Duration::from_secs(1)).unwrap();
    };
    let mut group = criterion.benchmark_group("load, one call, close");
    group.bench_function("path, mapped before", |b| {
        b.iter(|| one_call(handles::load(Load::path(&path)).unwrap()));
    });
    let bytes = std::fs::read(&path).unwrap();
    group.bench_function("image, mapped before", |b| {
        b.iter(|| one_call(handles::load(Load::image(&bytes)).unwrap()));
    });
    group.sample_size(10);
    let mut number = 0_u64;
    group.bench_function("image, content not mapped yet", |b| {
        b.iter_custom(|iterations| {
            // Bytes at the end of a library belong to nothing, so each of these is another content.
            (0..iterations)
                .map(|_| {
                    number += 1;
                    let mut image = bytes.clone();
                    image.extend_from_slice(&number.to_le_bytes());
                    let start = Instant::now();
                    one_call(handles::load(Load::image(&image)).unwrap());
                    start.elapsed()
                })
                .sum()
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(30);
    targets = calls, loads
}
criterion_main!(benches);
