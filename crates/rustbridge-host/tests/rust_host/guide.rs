//! The snippets of docs/guide/rust.md. Each stands between two comments.

use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt;
use rustbridge_host::{
    CallOptions, Encoding, Error, Level, Load, OnPanic, Plugin, Record, ServiceCall, Status,
    service_fn,
};

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// The plugin that the guide speaks of.
mod shop {
    use std::time::Duration;

    use rustbridge::prelude::*;

    #[derive(Message)]
    pub struct Fetch {
        pub id: u64,
    }

    #[derive(Message)]
    pub struct Page {
        pub id: u64,
        pub text: String,
    }

    #[derive(Message, Pod)]
    #[repr(C)]
    pub struct Terms {
        pub a: i64,
        pub b: i64,
    }

    #[derive(Message, Pod)]
    #[repr(C)]
    pub struct Sum {
        pub sum: i64,
    }

    #[derive(Default)]
    pub struct Shop;

    #[plugin(name = "shop", export = false)]
    impl Shop {
        pub fn greet(&self, name: String) -> Result<String> {
            if name.is_empty() {
                return Err(Error::invalid_argument("who is it?"));
            }
            Ok(format!("Hello, {name}!"))
        }

        #[method(encodings(pod))]
        pub fn add(&self, terms: &Terms) -> Sum {
            Sum {
                sum: terms.a + terms.b,
            }
        }

        pub async fn fetch(&self, request: Fetch, call: &Call<'_>) -> Page {
            tokio::time::sleep(Duration::from_millis(request.id)).await;
            let _ = call.trailers().append("cache", "miss");
            Page {
                id: request.id,
                text: format!("page {}", request.id),
            }
        }

        pub fn countdown(&self, from: u64) -> impl Iterator<Item = u64> {
            (1..=from).rev()
        }

        pub async fn total(&self, mut items: Items<u64>) -> Result<u64> {
            let mut total = 0;
            while let Some(item) = items.next().await {
                total += item?;
            }
            Ok(total)
        }
    }
}

/// The part of it that gives objects, and asks its host.
mod baskets {
    use std::sync::Mutex;

    use rustbridge::prelude::*;

    #[service]
    pub trait Prices {
        fn of(&self, article: String) -> Result<u64>;
    }

    pub struct Basket(Mutex<Vec<String>>, PricesClient);

    #[object]
    impl Basket {
        pub fn put(&self, article: String) {
            self.0.lock().unwrap().push(article);
        }

        pub fn total(&self, call: &Call<'_>) -> Result<u64> {
            let articles = self.0.lock().unwrap().clone();
            let prices = self.1.within(call);
            articles.into_iter().map(|article| prices.of(article)).sum()
        }
    }

    pub struct Baskets(PricesClient);

    #[plugin(name = "shop", objects(Basket), services(Prices), export = false)]
    impl Baskets {
        pub fn create(host: Host) -> Result<Baskets> {
            Ok(Baskets(host.service()?))
        }

        pub fn enter(&self) -> Object<Basket> {
            Object::new(Basket(Mutex::default(), self.0.clone()))
        }
    }
}

/// The part of it that asks for labels.
mod labels {
    use rustbridge::prelude::*;

    #[service]
    pub trait Prices {
        fn label(&self, article: String) -> Result<String>;
    }

    pub struct Labels(PricesClient);

    #[plugin(name = "shop", services(Prices), export = false)]
    impl Labels {
        pub fn create(host: Host) -> Result<Labels> {
            Ok(Labels(host.service()?))
        }

        pub fn label(&self, article: String, call: &Call<'_>) -> Result<String> {
            self.0.within(call).label(article)
        }
    }
}

fn linked() -> Plugin {
    // SAFETY: made by the macro.
    unsafe { Load::linked(rustbridge::entry_point::<shop::Shop>(), "shop") }
        .open()
        .unwrap()
}

#[test]
fn load() {
    fn load(library: &Path) -> Result<()> {
        // guide
        let shop = Load::path(library).open()?;
        let greeting = shop.call("greet", r#""Ada""#)?;
        assert_eq!(&*greeting, br#""Hello, Ada!""#);
        // end
        Ok(())
    }
    fn configured(library: &Path) -> Result<Plugin> {
        // guide
        let shop = Load::path(library)
            .name("shop-1")
            .config(r#"{"currency":"EUR"}"#)
            .on_panic(OnPanic::Poison)
            .log(
                Level::Info,
                Box::new(|record: &Record<'_>| eprintln!("{}", record.message())),
            )
            .open()?;
        // end
        Ok(shop)
    }
    // What they'd load isn't there; everything else is run with the plugin above.
    let library = Path::new("/no/such/libshop.so");
    assert!(
        load(library)
            .unwrap_err()
            .to_string()
            .contains("/no/such/libshop.so")
    );
    assert!(configured(library).is_err());
}

#[test]
fn call() -> Result<()> {
    let shop = linked();
    // guide
    let greeting: String = shop.call_typed("greet", "Ada")?;

    // Look it up once if you call it often.
    let add = shop.method("add", Encoding::Pod)?;
    let sum: i64 = add.call_pod(&[20_i64, 22])?;
    // end
    assert_eq!((greeting.as_str(), sum), ("Hello, Ada!", 42));

    let fetch = shop.method("fetch", Encoding::Json)?;
    // guide
    let answer = fetch
        .with()
        .timeout(Duration::from_secs(2))
        .metadata("user", "ada")
        .call(br#"{"id":7}"#)?;
    println!(
        "{} bytes, cache {:?}",
        answer.reply.len(),
        answer.trailers.get_text("cache")
    );
    // end
    assert_eq!(answer.trailers.get_text("cache"), Some("miss"));
    Ok(())
}

#[tokio::test]
async fn asynchronously() -> Result<()> {
    let shop = linked();
    // guide
    let fetch = shop.method("fetch", Encoding::Json)?;
    let page = fetch
        .call_async(br#"{"id":7}"#)
        .timeout(Duration::from_secs(2))
        .await?;

    // Start all of them, then await one after the other.
    let calls = [1, 2, 3].map(|id| fetch.call_typed_async(&Fetch { id }).begin());
    for call in calls {
        let page: Page = call.await?;
        println!("{}: {}", page.id, page.text);
    }
    // end
    assert_eq!(page.json::<Page>()?.id, 7);

    // guide
    let call = fetch.call_async(br#"{"id":60000}"#).begin();
    let canceller = call.canceller();
    std::thread::spawn(move || canceller.cancel());
    assert_eq!(call.await.unwrap_err().status(), Status::Cancelled);
    // end
    Ok(())
}

#[test]
fn without_an_executor() -> Result<()> {
    let shop = linked();
    let fetch = shop.method("fetch", Encoding::Json)?;
    // guide
    let mut call = fetch.call_async(br#"{"id":7}"#).begin();
    let page = loop {
        match call.wait_timeout(Duration::from_millis(100)) {
            Some(page) => break page?,
            None => println!("still waiting"),
        }
    };
    // end
    assert_eq!(page.json::<Page>()?.text, "page 7");
    Ok(())
}

#[test]
fn services_and_objects() -> Result<()> {
    // SAFETY: made by the macro.
    let load = unsafe { Load::linked(rustbridge::entry_point::<baskets::Baskets>(), "shop") };
    // guide
    let prices = service_fn(|article: String, _: &ServiceCall<'_>| match &*article {
        "bread" => Ok(250),
        _ => Err(Error::failure(Status::NotFound, "no shop sells it")),
    });
    let shop = load.service("prices.of", Encoding::Json, prices).open()?;
    // end

    // guide
    let enter = shop.method("enter", Encoding::Json)?;
    let basket = enter.with().call(b"")?.objects.remove(0);
    let put = shop.method("Basket.put", Encoding::Json)?;
    put.with().object(&basket).call(br#""bread""#)?;

    let total = shop.method("Basket.total", Encoding::Json)?.with();
    let answer = total.object(&basket).call(b"")?;
    assert_eq!(answer.reply.json::<u64>()?, 250);
    drop(basket);
    // end
    Ok(())
}

#[test]
fn a_service_of_a_request() -> Result<()> {
    // SAFETY: made by the macro.
    let load = unsafe { Load::linked(rustbridge::entry_point::<labels::Labels>(), "shop") };
    // guide
    let numbers = service_fn(|article: String, call: &ServiceCall<'_>| {
        let user = call
            .metadata()
            .get_text("user")
            .unwrap_or("unknown")
            .to_owned();
        Ok(format!("{article} for {user}, request {}", call.number()))
    });
    let shop = load
        .service("prices.label", Encoding::Json, numbers)
        .open()?;
    let label = shop.method("label", Encoding::Json)?.with();
    let options = CallOptions::new().number(7).metadata("user", "ada");
    let answer = label.options(options).call(br#""bread""#)?;
    assert_eq!(answer.reply.json::<String>()?, "bread for ada, request 7");
    // end
    Ok(())
}

#[test]
fn a_service_that_fails() -> Result<()> {
    // SAFETY: made by the macro.
    let load = unsafe { Load::linked(rustbridge::entry_point::<labels::Labels>(), "shop") };
    // guide
    let failing = service_fn(|_: String, _: &ServiceCall<'_>| {
        let why = std::io::Error::other("the price list is missing");
        Err::<u64, _>(Error::failure(Status::Unavailable, "no prices").with_source(why))
    });
    // end
    let shop = load
        .service("prices.label", Encoding::Json, failing)
        .open()?;
    let error = shop
        .method("label", Encoding::Json)?
        .call(br#""bread""#)
        .unwrap_err();
    let source = std::error::Error::source(&error).expect("the service's own error");
    assert_eq!(source.to_string(), "the price list is missing");
    Ok(())
}

#[tokio::test]
async fn streams() -> Result<()> {
    let shop = linked();
    let mut seen = Vec::new();
    // guide
    let countdown = shop.method("countdown", Encoding::Json)?;
    let mut numbers = countdown.stream(b"3").window(64, 65_536);
    while let Some(number) = numbers.next().await {
        seen.push(number?.json::<u64>()?);
    }
    // end
    assert_eq!(seen, [3, 2, 1]);

    // guide
    for number in countdown.stream(b"3").iterate() {
        println!("{}", number?.json::<u64>()?);
    }
    // end
    let numbers = countdown
        .stream(b"10")
        .filter_map(async |item| item.ok()?.json::<u64>().ok());
    assert_eq!(numbers.count().await, 10);

    // guide
    let (mut sender, total) = shop.method("total", Encoding::Json)?.send(b"null");
    for number in ["20", "22"] {
        sender.send(number).await?;
    }
    sender.finish();
    assert_eq!(total.await?.json::<u64>()?, 42);
    // end
    Ok(())
}

#[test]
fn errors_and_closing() {
    let shop = linked();
    // guide
    let error = shop.call("greet", r#""""#).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert_eq!(error.message(), "who is it?");
    // end
    let said: Error = error;
    assert!(!said.type_name().starts_with("rustbridge."));

    // guide
    if let Err(error) = shop.close(Duration::from_secs(5)) {
        eprintln!("{error}"); // names the methods that still run
    }
    // end
}

// guide
#[derive(serde::Serialize)]
struct Fetch {
    id: u64,
}

#[derive(serde::Deserialize)]
struct Page {
    id: u64,
    text: String,
}
// end

#[test]
fn what_the_guide_shows_stands_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = std::fs::read_to_string(root.join("docs/guide/rust.md")).unwrap();
    let guide = guide.replace("\r\n", "\n");
    let mut shown: Vec<String> = guide
        .split("```rust\n")
        .skip(1)
        .map(|rest| {
            rest.split("```")
                .next()
                .unwrap_or_default()
                .trim_end()
                .to_owned()
        })
        .collect();
    let here = include_str!("guide.rs").replace("\r\n", "\n");
    let mut tested: Vec<String> = here
        .split(concat!("// ", "guide\n"))
        .skip(1)
        .filter_map(|rest| rest.split_once(concat!("// ", "end\n")))
        .map(|(snippet, _)| unindented(snippet))
        .collect();
    shown.sort();
    tested.sort();
    assert_eq!(shown, tested);
}

/// Without the spaces in front of all lines.
fn unindented(snippet: &str) -> String {
    let lines = snippet.lines().filter(|line| !line.trim().is_empty());
    let indent = lines
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = snippet
        .lines()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    lines.join("\n").trim_end().to_owned()
}
