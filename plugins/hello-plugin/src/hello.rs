//! The example plugin's methods.

#[cfg(test)]
use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustbridge::prelude::*;

use crate::bench::{
    self, LargeRequest, LargeResponse, MediumRequest, MediumResponse, SmallPodRequest,
    SmallPodResponse, SmallRequest, SmallResponse,
};
use crate::clock;
use crate::counter::Counter;
use crate::download::{self, Chunk, DownloadRequest};
use crate::messages::*;
use crate::prices::{Basket, Prices, PricesClient, Total};

/// The plugin: a counter of users, and whom to ask for prices.
#[derive(Debug)]
pub struct Hello {
    next_user: AtomicU32,
    prices: Option<PricesClient>,
}

impl Default for Hello {
    /// One without a host, for who links the plugin as a library.
    fn default() -> Hello {
        Hello {
            next_user: AtomicU32::new(HelloConfig::default().first_user),
            prices: None,
        }
    }
}

/// The example plugin of rustbridge.
#[plugin(name = "hello", objects(Counter), services(Prices))]
impl Hello {
    /// Makes an instance. A host that knows no prices can use all but `checkout.total`.
    pub fn create(config: HelloConfig, host: Host) -> Result<Hello> {
        Ok(Hello {
            next_user: AtomicU32::new(config.first_user),
            prices: host.service()?,
        })
    }

    /// Sends a text back, with its length in bytes of UTF-8.
    pub fn echo<'r>(&self, request: Echo<'r>) -> Echoed<'r> {
        Echoed {
            length: request.message.len(),
            message: request.message,
        }
    }

    /// Greets somebody.
    pub fn greet(&self, request: Greet) -> Greeting {
        Greeting {
            greeting: format!("Hello, {}! Welcome to rustbridge.", request.name),
        }
    }

    /// Makes up a user. Nothing is stored but the number of the next one.
    #[method(name = "user.create")]
    pub fn create_user(&self, request: CreateUser) -> CreatedUser {
        let number = self.next_user.fetch_add(1, Ordering::Relaxed);
        let user_id = format!("user-{number:08x}");
        debug!(
            user_id,
            username = request.username,
            email = request.email,
            "user created"
        );
        CreatedUser {
            user_id,
            created_at: clock::now(),
        }
    }

    /// Adds two integers. A sum that doesn't fit is an error, not a wrap.
    #[method(name = "math.add", leaf)]
    pub fn add(&self, request: &Add) -> Result<Sum, MathError> {
        match request.a.checked_add(request.b) {
            Some(result) => Ok(Sum { result }),
            None => Err(MathError::Overflow {
                a: request.a,
                b: request.b,
            }),
        }
    }

    /// Sleeps without keeping a thread of the runtime busy.
    #[method(name = "test.sleep")]
    pub async fn sleep(&self, request: Sleep) -> Slept {
        tokio::time::sleep(Duration::from_millis(request.duration_ms)).await;
        Slept {
            slept_ms: request.duration_ms,
        }
    }

    /// Counts down to 1: a stream that is an ordinary iterator, which goes on only as far as the host takes items.
    pub fn countdown(&self, request: Countdown) -> impl Iterator<Item = Left> {
        (1..=request.from).rev().map(|left| Left { left })
    }

    /// Pretends to download, and tells how far it is: a stream that waits. A host that has enough ends it; then what is left
    /// of it is dropped.
    pub fn download(&self, request: DownloadRequest) -> Result<impl Stream<Item = Result<Chunk>>> {
        download::start(request)
    }

    /// A counter of the host's own: an object, which lives until the host lets go of it.
    #[method(name = "counter.new")]
    pub fn new_counter(&self, request: NewCounter) -> Object<Counter> {
        Object::new(Counter::new(request.start))
    }

    /// What a basket costs: the host is asked for the prices while it waits for the answer.
    #[method(name = "checkout.total")]
    pub fn total(&self, basket: Basket, call: &Call<'_>) -> Result<Total> {
        match &self.prices {
            Some(prices) => basket.total(&prices.within(call)),
            None => Err(Error::new(
                Status::FailedPrecondition,
                "nobody knows the prices: register the service `prices.get` when loading the plugin",
            )),
        }
    }

    /// Looks a key up, as a cache would.
    #[method(name = "bench.small", leaf, encodings(json))]
    pub fn small<'r>(&self, request: SmallRequest<'r>) -> SmallResponse {
        bench::small(&request)
    }

    /// The same on fixed-size structs.
    #[method(name = "bench.small", id = 1, leaf, encodings(pod))]
    pub fn small_pod(&self, request: &SmallPodRequest) -> Result<SmallPodResponse> {
        bench::small_pod(request)
    }

    /// Gives a user's record of about 1 KB.
    #[method(name = "bench.medium")]
    pub fn medium(&self, request: MediumRequest) -> MediumResponse {
        bench::medium(&request)
    }

    /// Gives up to 1,000 results of a search, about 300 bytes each.
    #[method(name = "bench.large")]
    pub fn large<'r>(&self, request: LargeRequest<'r>) -> Result<LargeResponse<'r>> {
        bench::large(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{CountTo, Step};
    use crate::prices::{Article, Line, Price};

    fn hello() -> Hello {
        Hello::default()
    }

    #[test]
    fn echo_counts_bytes_and_not_characters() {
        let echoed = hello().echo(Echo {
            message: Cow::Borrowed("Grüße, 世界 🦀"),
        });
        assert_eq!(echoed.message, "Grüße, 世界 🦀");
        assert_eq!(echoed.length, 20);
    }

    #[test]
    fn greet_welcomes_by_name() {
        let greeting = hello().greet(Greet { name: "Ada".into() });
        assert_eq!(greeting.greeting, "Hello, Ada! Welcome to rustbridge.");
    }

    #[test]
    fn users_are_numbered_per_instance() {
        let config = HelloConfig { first_user: 255 };
        let second = Hello::create(config, Host::detached()).unwrap();
        let first = hello();
        let create = |hello: &Hello| {
            hello
                .create_user(CreateUser {
                    username: "ada".into(),
                    email: "ada@example.org".into(),
                })
                .user_id
        };
        assert_eq!(create(&first), "user-00000001");
        assert_eq!(create(&first), "user-00000002");
        assert_eq!(create(&second), "user-000000ff");
    }

    #[test]
    fn a_sum_that_does_not_fit_is_an_error() {
        let add = |a, b| hello().add(&Add { a, b }).map_err(Error::from);
        assert_eq!(add(2, 40).unwrap(), Sum { result: 42 });
        assert_eq!(add(i64::MIN, i64::MAX).unwrap(), Sum { result: -1 });
        for (a, b) in [(i64::MAX, 1), (i64::MIN, -1)] {
            let error = add(a, b).unwrap_err();
            assert_eq!(error.status(), Status::OutOfRange);
            assert_eq!(error.details()["a"], a);
        }
    }

    #[test]
    fn a_countdown_ends_at_one() {
        let left = |from| -> Vec<u32> {
            let hello = hello();
            let items = hello.countdown(Countdown { from });
            items.map(|item| item.left).collect()
        };
        assert_eq!(left(3), [3, 2, 1]);
        assert!(left(0).is_empty());
    }

    #[test]
    fn a_counter_is_counted_on_by_itself() {
        let (one, other) = (
            hello().new_counter(NewCounter { start: 40 }),
            hello().new_counter(NewCounter { start: 0 }),
        );
        assert_eq!(one.add(Step { by: 2 }).unwrap().count, 42);
        assert_eq!((one.get().count, other.get().count), (42, 0));
        let error = one.add(Step { by: i64::MAX }).unwrap_err();
        assert_eq!(error.status(), Status::OutOfRange);
        let steps = one.count_to(CountTo { end: 45 });
        assert_eq!(
            steps.map(|step| step.count).collect::<Vec<_>>(),
            [43, 44, 45]
        );
        assert_eq!(one.get().count, 45);
    }

    #[test]
    fn a_basket_costs_what_the_prices_say() {
        struct Fixed;
        impl Prices for Fixed {
            fn get(&self, article: Article) -> Result<Price> {
                match &*article.article {
                    "tea" => Ok(Price { cents: 250 }),
                    other => Err(Error::not_found(format!("no `{other}`"))),
                }
            }
        }
        let shop = Hello {
            prices: Some(PricesClient::fake(Fixed)),
            ..hello()
        };
        let call = Call::detached();
        let total = |hello: &Hello, article: &str| {
            let line = Line {
                article: article.into(),
                count: 3,
            };
            hello.total(Basket { lines: vec![line] }, &call)
        };
        assert_eq!(total(&shop, "tea").unwrap().cents, 750);
        assert_eq!(total(&shop, "gold").unwrap_err().status(), Status::NotFound);
        assert!(total(&hello(), "tea").is_err());
    }

    #[test]
    fn sleep_sleeps_at_least_as_long_as_asked() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let started = std::time::Instant::now();
        let slept = runtime.block_on(hello().sleep(Sleep { duration_ms: 5 }));
        assert_eq!(slept.slept_ms, 5);
        assert!(started.elapsed() >= Duration::from_millis(5));
    }
}
