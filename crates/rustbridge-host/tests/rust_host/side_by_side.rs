//! What the guides that go side by side show of hosts in Rust: `cargo xtask tidy` looks for it here.

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use rustbridge::Pod;
use rustbridge_conformance::libraries;
use rustbridge_host::{
    Encoding, Level, Load, Plugin, Record, ResponseLocation, Status, Trace, TracingSink,
};

type Result<T = (), E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// Calls end at the latest then; none takes as long.
const SOON: Duration = Duration::from_secs(60);

fn load(package: &str) -> Plugin {
    Load::path(libraries::path(package)).open().unwrap()
}

#[test]
fn a_call_that_fails() -> Result {
    let hello = load("hello-plugin");
    let failed = hello.call("math.add", r#"{"a":9223372036854775807,"b":1}"#);
    match failed {
        Err(error) if error.status() == Status::OutOfRange => {
            println!("{}: {:?}", error.type_name(), error.details());
        }
        other => println!("{} bytes", other?.len()),
    }

    let error = hello
        .call("math.add", r#"{"a":9223372036854775807,"b":1}"#)
        .unwrap_err();
    assert_eq!(error.type_name(), "MathError.Overflow");
    assert_eq!(error.details().unwrap()["b"], 1);
    hello.close(SOON)?;
    Ok(())
}

#[test]
fn a_stream_that_breaks() -> Result {
    let plugin = load("operations-plugin");
    let numbers = plugin.method("stream.numbers", Encoding::Json)?;
    let mut seen = Vec::new();
    for number in numbers
        .stream(br#"{"from":0,"to":5,"fail_at":3}"#)
        .iterate()
    {
        match number {
            Ok(number) => seen.push(number.json::<u64>()?),
            Err(broken) => println!("{seen:?}, then {}", broken.status()), // [0, 1, 2], then DATA_LOSS
        }
    }
    assert_eq!(seen, [0, 1, 2]);
    plugin.close(SOON)?;
    Ok(())
}

#[tokio::test(flavor = "current_thread")]
async fn an_awaited_call_that_fails() -> Result {
    let plugin = load("operations-plugin");
    let answer = plugin.call_async("async.fail", br#"{"text":"gone"}"#);
    if let Err(failed) = answer.await {
        println!("{}: {}", failed.status(), failed.message()); // DATA_LOSS: gone
        assert_eq!(failed.message(), "gone");
    }
    let slept = plugin
        .call_async("call.sleep", br#"{"ms":60000}"#)
        .timeout(Duration::from_millis(5));
    assert_eq!(slept.await.unwrap_err().status(), Status::DeadlineExceeded);
    Ok(())
}

#[test]
fn records_in_a_closure() -> Result {
    let library: PathBuf = libraries::path("hello-plugin");
    let (sent, records) = mpsc::channel();
    let users = Load::path(&library)
        .name("users")
        .log(
            Level::Debug,
            Box::new(move |record: &Record<'_>| {
                let _ = sent.send(format!("{} {}", record.message(), record.fields()));
            }),
        )
        .open()?;
    users.call("user.create", r#"{"username":"ada","email":"b"}"#)?;
    users.flush_logs(Duration::from_secs(1))?; // waits until all so far was delivered
    users.set_log_level(Level::Warn)?; // takes effect at once
    let told: String = records.try_recv()?;
    assert!(told.starts_with("user created {"), "{told}");
    assert!(told.contains(r#""username":"ada""#), "{told}");
    users.close(SOON)?;

    let users = Load::path(&library)
        .name("users")
        .log(Level::Debug, Box::new(TracingSink::new()))
        .open()?;
    users.close(SOON)?;
    Ok(())
}

#[test]
fn a_trace_goes_along() -> Result {
    let plugin = load("operations-plugin");
    let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let answer = plugin
        .method("call.carried", Encoding::Json)?
        .with()
        .metadata("user", "ada")
        .trace(Trace::parse(traceparent).ok_or("no trace")?)
        .call(b"null")?;
    let carried = std::str::from_utf8(&answer.reply)?;
    assert!(carried.contains(traceparent), "{carried}");
    assert_eq!(answer.trailers.get_text("user"), Some("ada"));
    Ok(())
}

#[derive(Pod)]
#[repr(C)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Pod)]
#[repr(C)]
struct Sum {
    result: i64,
}

#[test]
fn structs_and_bytes_without_copies() -> Result {
    let hello = load("hello-plugin");
    let conformance = Load::path(libraries::path("conformance-plugin"))
        .config(r#"{"label":"copies"}"#)
        .open()?;
    let add = hello.method("math.add", Encoding::Pod)?;
    let sum: Sum = add.call_pod(&Add { a: 40, b: 2 })?;
    assert_eq!(sum.result, 42);

    let fill = conformance.method("raw.fill", Encoding::Raw)?;
    let mut storage = [0; 4096];
    match fill.call_into(b"4096", &mut storage)? {
        ResponseLocation::Buffer(length) => println!("{:?}", &storage[..length.min(8)]),
        ResponseLocation::Lease(reply) => println!("{} bytes, which didn't fit", reply.len()),
    }
    assert_eq!(storage[250..252], [250, 0]);

    let reply = fill.call(b"100000")?;
    let last: &[u8] = &reply[99_990..]; // lent by the plugin until `reply` is dropped
    assert_eq!(last.len(), 10);
    conformance.close(SOON)?;
    assert!(
        reply.is_lease() && reply[251] == 0,
        "it outlives its plugin"
    );
    hello.close(SOON)?;
    Ok(())
}
