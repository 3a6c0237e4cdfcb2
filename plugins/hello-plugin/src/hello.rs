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
use crate::messages::*;

/// The plugin: a counter of users, and otherwise nothing to remember.
#[derive(Debug)]
pub struct Hello {
    next_user: AtomicU32,
}

/// The example plugin of rustbridge.
#[plugin(name = "hello")]
impl Hello {
    /// Makes an instance.
    pub fn create(config: HelloConfig) -> Hello {
        Hello {
            next_user: AtomicU32::new(config.first_user),
        }
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

    fn hello() -> Hello {
        Hello::create(HelloConfig::default())
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
        let (first, second) = (hello(), Hello::create(HelloConfig { first_user: 255 }));
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
