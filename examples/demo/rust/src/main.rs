//! A Rust host: loads a plugin, calls it, prints responses and log records, and times its calls against bare calls.
//!
//! Usage: `demo-host PATH-OF-HELLO-PLUGIN PATH-OF-FLOOR`

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use libloading::Library;
use rustbridge_host::{Encoding, Level, Load, LogSink, Method, Plugin, Record};
use serde_json::{Value, json};

const ROUNDS: usize = 201;
const BATCH: u32 = 5000;
const ECHO: &str = r#"{"message":"Hello, World!"}"#;

/// The bare calls: plain functions of another library, which do the same work and are called directly.
type FloorFn =
    unsafe extern "C" fn(*mut u8, u32, *const u8, usize, *mut u8, usize, *mut usize) -> i32;

fn emit(mut fields: Value) {
    fields["host"] = "Rust".into();
    fields["transport"] = "core, linked in".into();
    println!("{fields}");
}

/// Prints every record that arrives from the plugin.
struct Show;

impl LogSink for Show {
    fn log(&mut self, record: &Record<'_>) {
        let text = format!(
            "{} {}: {} {}",
            record.level(),
            record.target(),
            record.message(),
            record.fields()
        );
        emit(json!({ "event": "log", "text": text }));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(plugin), Some(floor)) = (arguments.next(), arguments.next()) else {
        return Err("usage: demo-host PATH-OF-HELLO-PLUGIN PATH-OF-FLOOR".into());
    };
    // SAFETY: the library is part of this project and has no constructors.
    let floor = unsafe { Library::new(floor)? };
    let plugin = Load::path(plugin)
        .log(Level::Trace, Box::new(Show))
        .open()?;

    show_json(
        &plugin,
        "user.create",
        r#"{"username":"ada","email":"ada@example.com"}"#,
    )?;
    plugin.flush_logs(Duration::from_secs(1))?;
    match plugin.call("math.add", r#"{"a":9223372036854775807,"b":1}"#) {
        Err(error) => emit(
            json!({ "event": "error", "text": format!("{}: {}", error.status(), error.message()) }),
        ),
        Ok(_) => return Err("a sum that does not fit has to be an error".into()),
    }
    // Turn logging off, so that only the calls are timed.
    plugin.set_log_level(Level::Off)?;
    show_json(&plugin, "greet", r#"{"name":"Ada"}"#)?;
    show_json(&plugin, "test.sleep", r#"{"duration_ms":5}"#)?;
    show_json(&plugin, "math.add", r#"{"a":20,"b":22}"#)?;
    show_json(&plugin, "bench.small", r#"{"key":"bench_key","flags":1}"#)?;

    let echo = plugin.method("echo", Encoding::Json)?;
    compare(
        "echo",
        &echo,
        "json",
        ECHO.as_bytes(),
        &floor,
        "floor_echo_json",
        text,
    )?;
    let add = plugin.method("math.add", Encoding::Pod)?;
    let numbers = [20i64.to_ne_bytes(), 22i64.to_ne_bytes()].concat();
    compare(
        "math.add",
        &add,
        "pod",
        &numbers,
        &floor,
        "floor_add16",
        |answer| {
            format!(
                "result {}",
                i64::from_ne_bytes(answer.try_into().unwrap_or_default())
            )
        },
    )?;
    let small = plugin.method_by_id(1, Encoding::Pod)?;
    compare(
        "bench.small",
        &small,
        "pod",
        &small_request(),
        &floor,
        "floor_small",
        |answer| {
            let word = |at: usize| {
                u32::from_ne_bytes([answer[at], answer[at + 1], answer[at + 2], answer[at + 3]])
            };
            format!(
                "value {}, ttl_seconds {}",
                text(&answer[4..4 + word(68) as usize]),
                word(72)
            )
        },
    )?;
    plugin.close(Duration::from_secs(5))?;
    Ok(())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn small_request() -> Vec<u8> {
    let mut request = vec![0; 76];
    request[0] = 1;
    request[4..13].copy_from_slice(b"bench_key");
    request[68..72].copy_from_slice(&9u32.to_ne_bytes());
    request[72..76].copy_from_slice(&1u32.to_ne_bytes());
    request
}

fn show_json(plugin: &Plugin, method: &str, request: &str) -> Result<(), Box<dyn Error>> {
    let reply = plugin.call(method, request)?;
    emit(json!({ "method": method, "encoding": "json", "answer": text(&reply) }));
    Ok(())
}

/// Calls once for the answer. Then times the call and the bare call in alternating batches, so that both run under the same
/// conditions, and prints the medians.
fn compare(
    name: &str,
    method: &Method,
    encoding: &str,
    request: &[u8],
    floor: &Library,
    symbol: &str,
    show: impl Fn(&[u8]) -> String,
) -> Result<(), Box<dyn Error>> {
    // SAFETY: every function of the floor has this signature.
    let bare = *unsafe { floor.get::<FloorFn>(symbol.as_bytes())? };
    let answer = show(&method.call(request)?);
    let mut storage = [0u8; 4096];
    let mut ours = || -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        for _ in 0..BATCH {
            black_box(method.call_into(black_box(request), &mut storage)?);
        }
        Ok(start.elapsed().as_nanos() as f64 / f64::from(BATCH))
    };
    let mut bare_storage = [0u8; 4096];
    let mut bare = || {
        let start = Instant::now();
        for _ in 0..BATCH {
            let mut len = 0;
            let request = black_box(request);
            // SAFETY: the function reads the request, and writes only within the storage.
            let status = unsafe {
                bare(
                    std::ptr::null_mut(),
                    1,
                    request.as_ptr(),
                    request.len(),
                    bare_storage.as_mut_ptr(),
                    bare_storage.len(),
                    &mut len,
                )
            };
            assert_eq!(status, 0, "{symbol} refused");
        }
        start.elapsed().as_nanos() as f64 / f64::from(BATCH)
    };
    ours()?;
    bare();
    let (mut mine, mut floors) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        mine.push(ours()?);
        floors.push(bare());
    }
    emit(json!({
        "method": name, "encoding": encoding, "answer": answer,
        "ns": median(mine), "bare_ns": median(floors), "bare": "function pointer",
    }));
    Ok(())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
