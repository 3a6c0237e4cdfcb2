//! Services as an author declares them and a host in Rust registers them.

#![allow(
    clippy::wrong_self_convention,
    reason = "a plugin's methods are named by what they do"
)]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_core::{
    Encoding as Codec, Error as HostError, Load, Plugin as Loaded, ServiceCall, ServiceReply,
    service_fn,
};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_secs(30);

#[derive(Message, Clone, PartialEq, Debug)]
pub struct Price {
    cents: u64,
    currency: String,
}

#[derive(Message, Clone)]
pub struct Ask {
    id: u64,
    how: String,
}

#[derive(Pod)]
#[repr(C)]
pub struct Pair {
    a: i64,
    b: i64,
}

/// Prices, which the host knows.
#[service]
pub trait Prices: Send {
    /// What an article costs now.
    fn get(&self, id: u64) -> Result<Price>;
    /// What it will cost.
    async fn quote(&self, ask: Ask) -> Result<Price>;
    /// All of them.
    fn all(&self) -> Result<Vec<Price>>;
    fn put(&self, price: &Price) -> Result<()>;
    #[service(name = "text.upper", encoding = "raw")]
    fn upper(&self, text: &str) -> Result<Vec<u8>>;
    #[service(encoding = "pod")]
    fn sum(&self, pair: Pair) -> Result<i64>;
    #[service(encoding = "raw")]
    async fn later(&self, text: Vec<u8>) -> Result<Vec<u8>>;
}

/// What a host may leave out.
#[service(optional, name = "extras")]
trait Extra {
    fn one(&self) -> Result<u32>;
}

pub struct Shop {
    prices: PricesClient,
    extra: ExtraClient,
    no_extra: bool,
    waits: Arc<AtomicU32>,
}

#[plugin(name = "shop", export = false, services(Prices, Extra))]
impl Shop {
    pub fn create(host: Host) -> Result<Shop> {
        let prices: PricesClient = host.service()?;
        // It's there already.
        prices.all()?;
        Ok(Shop {
            prices,
            extra: host.service()?,
            no_extra: host.service::<Option<ExtraClient>>()?.is_none(),
            waits: Arc::default(),
        })
    }

    pub fn total(&self, ids: Vec<u64>, call: &Call<'_>) -> Result<u64> {
        let prices = self.prices.within(call);
        ids.into_iter()
            .map(|id| prices.get(id).map(|price| price.cents))
            .sum()
    }

    pub async fn quote(&self, ask: Ask, call: &Call<'_>) -> Result<Price> {
        self.prices.within(call).quote(ask).await
    }

    pub fn others(&self) -> Result<String> {
        self.prices.put(&Price {
            cents: 1,
            currency: "EUR".to_owned(),
        })?;
        let upper = self.prices.upper("some text")?;
        let sum = self.prices.sum(Pair { a: 40, b: 2 })?;
        Ok(format!("{} {sum}", String::from_utf8_lossy(&upper)))
    }

    pub fn extra(&self) -> Result<u32> {
        assert!(self.no_extra);
        self.extra.one()
    }

    #[method(leaf)]
    pub fn leaf(&self) -> Result<Price> {
        self.prices.get(1)
    }

    /// A task of the plugin's own that calls after this has returned, plainly and awaited.
    pub async fn from_tasks(&self, call: &Call<'_>) -> Result<Vec<u64>> {
        let prices = self.prices.within(call);
        let tasks: Vec<_> = (0..4)
            .map(|id| {
                let prices = prices.clone();
                tokio::spawn(async move {
                    let awaited = prices.later(vec![1]).await?;
                    prices.get(id + awaited.len() as u64)
                })
            })
            .collect();
        let mut cents = Vec::new();
        for task in tasks {
            cents.push(
                task.await
                    .map_err(|error| Error::internal(error.to_string()))??
                    .cents,
            );
        }
        Ok(cents)
    }

    /// Gives a call up that the host hasn't answered.
    pub async fn give_up(&self) -> Result<u32> {
        let asking = self.prices.later(b"kept".to_vec());
        let waiting = tokio::time::timeout(Duration::from_millis(5), asking);
        assert!(waiting.await.is_err());
        Ok(self.waits.fetch_add(1, Ordering::Relaxed))
    }
}

fn price(cents: u64) -> Price {
    Price {
        cents,
        currency: "EUR".to_owned(),
    }
}

type Kept = mpsc::Receiver<ServiceReply>;

fn load() -> (Load<'static>, Kept) {
    let (sender, kept) = mpsc::channel();
    let sender: Mutex<Sender<ServiceReply>> = Mutex::new(sender);
    // SAFETY: a plugin of the author's crate.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Shop>(), "shop") }
        .service(
            "prices.get",
            Codec::Json,
            service_fn(|id: u64, call: &ServiceCall<'_>| match id {
                0 => Err(HostError::failure(Status::NotFound, "no price of 0")
                    .with_type("PriceError.Unknown")
                    .with_details(json!({"id": 0}))),
                77 => panic!("no such host"),
                88 => Ok(json!({"cents": "many"})),
                99 => Ok(json!({
                    "cents": call.timeout().map_or(0, |left| left.as_secs() + 1),
                    "currency": "EUR",
                })),
                id => Ok(json!(price(id * 100))),
            }),
        )
        .service(
            "prices.quote",
            Codec::Json,
            service_fn(
                |ask: Value, _: &ServiceCall<'_>| match ask["how"].as_str() {
                    Some("fail") => Err(HostError::failure(Status::Aborted, "not today")),
                    _ => Ok(json!(price(ask["id"].as_u64().unwrap()))),
                },
            ),
        )
        .service(
            "prices.all",
            Codec::Json,
            service_fn(|(): (), _: &ServiceCall<'_>| Ok(json!([price(1), price(2)]))),
        )
        .service(
            "prices.put",
            Codec::Json,
            service_fn(|_: Value, _: &ServiceCall<'_>| Ok(())),
        )
        .service(
            "text.upper",
            Codec::Raw,
            |request: &[u8], _: &ServiceCall<'_>| -> std::result::Result<Vec<u8>, HostError> {
                Ok(request.to_ascii_uppercase())
            },
        )
        .service(
            "prices.sum",
            Codec::Pod,
            |request: &[u8], _: &ServiceCall<'_>| -> std::result::Result<Vec<u8>, HostError> {
                let pair: Pair = *bytes_of(request);
                Ok((pair.a + pair.b).to_ne_bytes().to_vec())
            },
        )
        .service_async("prices.later", Codec::Raw, move |request, _, later| {
            if request == b"kept" {
                sender.lock().unwrap().send(later).unwrap();
                return;
            }
            let answer = request.to_vec();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(2));
                later.answer(Ok(answer)).unwrap();
            });
        });
    (load, kept)
}

fn bytes_of(request: &[u8]) -> &Pair {
    assert_eq!(request.len(), size_of::<Pair>());
    assert_eq!(request.as_ptr().align_offset(align_of::<Pair>()), 0);
    // SAFETY: as long and as aligned, and any bytes are one.
    unsafe { &*request.as_ptr().cast::<Pair>() }
}

fn open() -> Loaded {
    load().0.open().unwrap()
}

fn ask(plugin: &Loaded, method: &str, request: &str) -> std::result::Result<Value, HostError> {
    let reply = plugin.call(method, request)?;
    Ok(serde_json::from_slice(&reply).unwrap())
}

#[test]
fn a_trait_is_asked_in_each_encoding() {
    let plugin = open();
    assert_eq!(ask(&plugin, "total", "[1,2]").unwrap(), json!(300));
    assert_eq!(
        ask(&plugin, "others", "null").unwrap(),
        json!("SOME TEXT 42")
    );
    let quote = ask(&plugin, "quote", r#"{"id":5,"how":""}"#).unwrap();
    assert_eq!(quote, json!({"cents": 5, "currency": "EUR"}));
    plugin.close(LIMIT).unwrap();
}

#[test]
fn errors_reach_the_plugin_whole_and_what_it_passes_on_its_caller() {
    let plugin = open();
    let error = ask(&plugin, "total", "[0]").unwrap_err();
    assert_eq!(
        (error.status(), error.message(), error.type_name()),
        (Status::NotFound, "no price of 0", "PriceError.Unknown")
    );
    assert_eq!(error.details(), Some(&json!({"id": 0})));
    let error = ask(&plugin, "total", "[77]").unwrap_err();
    assert_eq!(
        (error.status(), error.message(), error.type_name()),
        (Status::Internal, "no such host", "panic")
    );
    let error = ask(&plugin, "total", "[88]").unwrap_err();
    assert_eq!(
        (error.status(), error.type_name()),
        (Status::Internal, "rustbridge.InvalidResponse")
    );
    assert!(error.message().contains("`prices.get`"), "{error}");
    let error = ask(&plugin, "quote", r#"{"id":5,"how":"fail"}"#).unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::Aborted, "not today")
    );
    let error = ask(&plugin, "leaf", "null").unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.ServiceInLeaf");
}

#[test]
fn what_is_optional_may_be_missing_and_what_is_not_is_named() {
    let plugin = open();
    let error = ask(&plugin, "extra", "null").unwrap_err();
    assert_eq!(
        (error.status(), error.type_name()),
        (Status::NotFound, "rustbridge.NoSuchService")
    );
    assert!(error.message().contains("`extras.one` (json)"), "{error}");

    // SAFETY: a plugin of the author's crate.
    let error = unsafe { Load::linked(rustbridge::entry_point::<Shop>(), "shop") }
        .service(
            "prices.sum",
            Codec::Json,
            service_fn(|_: Value, _: &ServiceCall<'_>| Ok(())),
        )
        .open()
        .unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.MissingService");
    for said in [
        "`prices.get` (json)",
        "`text.upper` (raw)",
        "`prices.sum` (pod)",
    ] {
        assert!(error.message().contains(said), "{error}");
    }
    assert!(!error.message().contains("extras"), "{error}");
}

#[test]
fn the_description_lists_what_is_called() {
    let plugin = open();
    let description: Value = serde_json::from_str(plugin.describe()).unwrap();
    let services = description["services"].as_array().unwrap();
    let of = |name: &str| {
        services
            .iter()
            .find(|service| service["name"] == name)
            .unwrap()
    };
    assert_eq!(services.len(), 8);
    let get = of("prices.get");
    assert_eq!(get["doc"], "What an article costs now.");
    assert_eq!(
        (&get["encoding"], &get["optional"]),
        (&json!("json"), &json!(false))
    );
    assert_eq!(get["request"]["schema"]["type"], "integer");
    assert_eq!(
        get["response"]["schema"]["properties"]["cents"]["type"],
        "integer"
    );
    assert_eq!(of("prices.all")["request"].get("schema"), None);
    assert_eq!(of("prices.put")["request"]["schema"]["title"], "Price");
    assert_eq!(of("prices.sum")["request"]["layout"]["size"], 16);
    assert_eq!(of("prices.sum")["response"]["layout"]["size"], 8);
    assert_eq!(of("extras.one")["optional"], true);
}

#[test]
fn tasks_of_the_plugins_call_services_after_their_call_and_in_it() {
    let plugin = open();
    assert_eq!(
        ask(&plugin, "from_tasks", "null").unwrap(),
        json!([100, 200, 300, 400])
    );
}

#[test]
fn dropping_the_future_cancels_the_call() {
    let (load, kept) = load();
    let plugin = load.open().unwrap();
    ask(&plugin, "give_up", "null").unwrap();
    let late = kept.recv_timeout(LIMIT).unwrap().answer(Ok("late"));
    assert_eq!(late.unwrap_err().type_name(), "rustbridge.ServiceCallOver");
}

#[test]
fn a_fake_takes_the_hosts_place() {
    struct Fake;
    impl Prices for Fake {
        fn get(&self, id: u64) -> Result<Price> {
            Ok(price(id))
        }
        async fn quote(&self, ask: Ask) -> Result<Price> {
            tokio::task::yield_now().await;
            Ok(price(ask.id + 1))
        }
        fn all(&self) -> Result<Vec<Price>> {
            Ok(Vec::new())
        }
        fn put(&self, _: &Price) -> Result<()> {
            Err(Error::internal("full"))
        }
        fn upper(&self, text: &str) -> Result<Vec<u8>> {
            Ok(text.into())
        }
        fn sum(&self, pair: Pair) -> Result<i64> {
            Ok(pair.a)
        }
        async fn later(&self, text: Vec<u8>) -> Result<Vec<u8>> {
            Ok(text)
        }
    }
    struct NoExtra;
    impl Extra for NoExtra {
        fn one(&self) -> Result<u32> {
            Ok(1)
        }
    }
    let shop = Shop {
        prices: PricesClient::fake(Fake),
        extra: ExtraClient::fake(NoExtra),
        no_extra: true,
        waits: Arc::default(),
    };
    let call = Call::detached();
    assert_eq!(shop.total(vec![1, 2], &call).unwrap(), 3);
    assert_eq!(shop.others().unwrap_err().message(), "full");
    assert_eq!(shop.extra().unwrap(), 1);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let ask = Ask {
        id: 1,
        how: String::new(),
    };
    assert_eq!(runtime.block_on(shop.quote(ask, &call)).unwrap(), price(2));
    assert_eq!(format!("{:?}", shop.prices), "PricesClient(local)");
    let error = Host::detached().service::<PricesClient>().unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoServices");
}
