//! The shop's host in Rust: calls methods of a basket, serves prices, follows a parcel, and cancels a delivery.
//!
//! Usage: `shop-host PATH-OF-SHOP-PLUGIN`

use std::error::Error;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustbridge_host::{Encoding, Level, Load, Record, ServiceCall, Status, service_fn};
use serde_json::json;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Prints an event, and the time since the plugin was loaded.
fn tell(what: &str, text: impl Into<String>) {
    let at = BEGAN.elapsed().as_millis();
    let text = text.into();
    println!(
        "{}",
        json!({"host": "Rust", "transport": "core, linked in", "happened": what, "text": text, "at_ms": at})
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os()
        .nth(1)
        .ok_or("usage: shop-host PATH-OF-SHOP-PLUGIN")?;

    // The plugin calls this service, on any thread on which the plugin's code runs.
    let price = service_fn(|article: String, _: &ServiceCall<'_>| {
        let cents = if article == "bread" { 250 } else { 120 };
        tell(
            "callback",
            format!("the plugin asks the host for the price of {article}: {cents}"),
        );
        Ok(cents)
    });
    let log = |record: &Record<'_>| tell("log", record.message().to_owned());
    let shop = Load::path(std::path::PathBuf::from(path))
        .service("prices.of", Encoding::Json, price)
        .log(Level::Info, Box::new(log))
        .open()?;
    LazyLock::force(&BEGAN);

    // An object is a value that stays in the plugin. Calls of its methods borrow it, and dropping it releases it.
    let mut objects = shop
        .method("enter", Encoding::Json)?
        .with()
        .call(b"")?
        .objects;
    let basket = objects.pop().ok_or("no basket")?;
    let put = shop.method("Basket.put", Encoding::Json)?;
    for article in ["bread", "milk"] {
        let request = json!(article).to_string();
        let count: u64 = put
            .with()
            .object(&basket)
            .call(request.as_bytes())?
            .reply
            .json()?;
        tell(
            "object",
            format!("{article} is put into the basket, which holds {count}"),
        );
    }
    let total = shop.method("Basket.total", Encoding::Json)?;
    let cents: u64 = total.with().object(&basket).call(b"")?.reply.json()?;
    tell("object", format!("the basket costs {cents} in all"));
    drop(basket);

    // A stream delivers each item as soon as it's ready. The window allows one item at a time.
    let follow = shop.method("follow", Encoding::Json)?;
    for place in follow.stream(b"7").window(1, 1024).iterate() {
        tell("stream", place?.json::<String>()?);
    }
    tell("stream", "that was the last");

    // A call that would take an hour, but is cancelled. In the plugin, its future is dropped while it waits.
    let deliver = shop.method("deliver", Encoding::Json)?;
    let delivery = deliver.call_async(b"60").begin();
    let canceller = delivery.canceller();
    tell("cancel", "a delivery begins that takes an hour");
    sleep(Duration::from_millis(20));
    canceller.cancel();
    let status = match delivery.wait() {
        Ok(_) => Status::Ok,
        Err(error) => error.status(),
    };
    tell("cancel", format!("asked to end, it ends: {status}"));
    shop.flush_logs(Duration::from_secs(1))?;

    shop.close(Duration::from_secs(5))?;
    Ok(())
}
