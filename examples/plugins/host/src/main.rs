//! Calls one of the plugins, in whatever language it's written, in every way that must work. The argument is its path.
//!
//! `check.py` repeats these checks, because there the plugin runs in a process with another host's threads, allocator and
//! runtime. The program prints a line and exits with 0, or it reports the error.

use std::env;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustbridge_host::{Encoding, Level, Load, OnPanic, Plugin, Record, State, Status};

const TIMEOUT: Duration = Duration::from_secs(10);

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let path = env::args().nth(1).ok_or("usage: plugin-check PATH")?;
    let plugin = Load::path(&path).open()?;
    let description: serde_json::Value = serde_json::from_str(plugin.describe())?;
    let has = |method: &str| {
        let methods = description["methods"].as_array();
        methods.is_some_and(|methods| methods.iter().any(|each| each["name"] == method))
    };
    answers(&plugin)?;
    fails(&plugin)?;
    logs(&path)?;
    calls_from_many_threads(&path)?;
    if has("greet") {
        greets(&path)?;
    }
    if has("crash") {
        survives_its_crash(&path)?;
    }
    plugin.close(TIMEOUT)?;
    println!(
        "{}: right",
        description["name"].as_str().unwrap_or_default()
    );
    Ok(())
}

/// Checks small responses, which fit into the caller's buffer, and large ones, which are callee-allocated.
fn answers(plugin: &Plugin) -> Outcome {
    let shout = plugin.method("shout", Encoding::Raw)?;
    expect("a small answer", &*shout.call(b"hello")?, b"HELLO")?;
    for len in [1000, 100_000, 3_000_000] {
        let said = shout.call(&vec![b'x'; len])?;
        expect("a large answer", &*said, &*vec![b'X'; len])?;
    }
    let add = plugin.method("add", Encoding::Pod)?;
    let [a, b]: [i64; 2] = [-40, 82];
    // At an unaligned address.
    let request = [&[0][..], &a.to_ne_bytes(), &b.to_ne_bytes()].concat();
    expect(
        "a sum",
        &*add.call(&request[1..])?,
        &42i64.to_ne_bytes()[..],
    )
}

fn fails(plugin: &Plugin) -> Outcome {
    let error = plugin.method("shout", Encoding::Raw)?.call(b"").err();
    let error = error.ok_or("nothing was shouted")?;
    expect("the status", &error.status(), &Status::InvalidArgument)?;
    expect("the message", error.message(), "there is nothing to shout")?;
    expect("the type", error.type_name(), "shout.Empty")?;

    let add = plugin.method("add", Encoding::Pod)?;
    let largest = [i64::MAX.to_ne_bytes(), 1i64.to_ne_bytes()].concat();
    let error = add.call(&largest).err().ok_or("a sum has 65 bits")?;
    expect("the status", &error.status(), &Status::OutOfRange)?;
    let error = add.call(b"short").err().ok_or("five bytes were added")?;
    expect("the status", &error.status(), &Status::InvalidArgument)
}

fn logs(path: &str) -> Outcome {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let sink = move |record: &Record<'_>| {
        let line = format!(
            "{:?} {} {}",
            record.level(),
            record.target(),
            record.message()
        );
        keep.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    };
    let plugin = Load::path(path).log(Level::Info, Box::new(sink)).open()?;
    let shout = plugin.method("shout", Encoding::Raw)?;
    shout.call(b"hello")?;
    plugin.set_log_level(Level::Warn)?;
    shout.call(b"hello")?;
    plugin.flush_logs(TIMEOUT)?;
    plugin.close(TIMEOUT)?;
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    let shouted: Vec<&String> = seen
        .iter()
        .filter(|line| line.contains("shouted"))
        .collect();
    expect(
        "the records",
        &shouted,
        &vec![&"Info shout shouted".to_owned()],
    )
}

fn calls_from_many_threads(path: &str) -> Outcome {
    let plugin = Load::path(path).open()?;
    let shout = plugin.method("shout", Encoding::Raw)?;
    let right = thread::scope(|scope| {
        let work = || (0..1000).all(|_| shout.call(b"abc").is_ok_and(|said| *said == *b"ABC"));
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .all(|thread| thread.join().unwrap_or(false))
    });
    plugin.close(TIMEOUT)?;
    expect("8 threads", &right, &true)
}

/// Checks that each instance has its own configuration.
fn greets(path: &str) -> Outcome {
    let plain = Load::path(path).open()?;
    let other = Load::path(path)
        .config(r#"{"greeting":"Good morning"}"#)
        .open()?;
    for (plugin, greeting) in [(&plain, "Hello, Ada!"), (&other, "Good morning, Ada!")] {
        let said: serde_json::Value =
            serde_json::from_slice(&plugin.call("greet", r#"{"name":"Ada"}"#)?)?;
        expect("a greeting", &said["greeting"], &greeting.into())?;
    }
    for wrong in ["{}", "{\"name\":", "[]"] {
        let error = plain
            .call("greet", wrong)
            .err()
            .ok_or("a wrong request was taken")?;
        expect("the status", &error.status(), &Status::InvalidArgument)?;
    }
    let error = Load::path(path)
        .config("7")
        .open()
        .err()
        .ok_or("7 configures it")?;
    expect("the status", &error.status(), &Status::InvalidArgument)
}

/// Checks that a crash, in the terms of the plugin's language, is to the host like a panic in Rust.
fn survives_its_crash(path: &str) -> Outcome {
    for (on_panic, state) in [
        (OnPanic::Continue, State::Active),
        (OnPanic::Poison, State::Poisoned),
    ] {
        let plugin = Load::path(path).on_panic(on_panic).open()?;
        let crash = plugin.method("crash", Encoding::Raw)?;
        let error = crash.call(b"").err().ok_or("it didn't crash")?;
        expect("the status", &error.status(), &Status::Internal)?;
        expect(
            "the message",
            &error.message().contains("on purpose"),
            &true,
        )?;
        expect("the state", &plugin.state(), &state)?;
        plugin.close(TIMEOUT)?;
        // A crash that the language's usual error handling doesn't catch.
        let plugin = Load::path(path).on_panic(on_panic).open()?;
        let crash = plugin.method("crash", Encoding::Raw)?;
        let error = crash.call(b"odd").err().ok_or("it didn't crash")?;
        expect("the status", &error.status(), &Status::Internal)?;
        expect("the state", &plugin.state(), &state)?;
        plugin.close(TIMEOUT)?;
    }
    Ok(())
}

fn expect<T: PartialEq + std::fmt::Debug + ?Sized>(what: &str, is: &T, wanted: &T) -> Outcome {
    if is == wanted {
        return Ok(());
    }
    let shown = |value: &T| {
        let mut text = format!("{value:?}");
        text.truncate(200);
        text
    };
    Err(format!("{what}: {} instead of {}", shown(is), shown(wanted)).into())
}
