//! What the plugin asks its host: a service, and by hand the bare address of a function.

use std::mem;

use rustbridge::prelude::*;
use work::{Summands, Value};

/// A number that the host works out. Only the benchmarks' hosts have it.
#[service(optional)]
pub trait Numbers {
    /// The answer to a question.
    #[service(encoding = "pod")]
    fn answer(&self, question: Value) -> Result<Value>;
    /// A sum.
    #[service(encoding = "pod")]
    fn add(&self, summands: Summands) -> Result<i64>;
    /// The answer to a question, awaited.
    #[service(encoding = "pod")]
    async fn answer_later(&self, question: Value) -> Result<Value>;
}

/// How an instance is set up.
#[derive(Message, Clone, Debug, Default, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct BenchConfig {
    /// The address of the host's `int32_t f(int32_t)`, for the methods that call it by hand; 0: there's none.
    pub upcall: u64,
}

/// A function of the host's at a bare address: what somebody would do who has no services.
#[derive(Clone, Copy, Debug)]
pub struct Upcall(extern "C" fn(i32) -> i32);

impl Upcall {
    /// The one that the host names, if it does.
    pub(crate) fn of(config: &BenchConfig) -> Option<Upcall> {
        if config.upcall == 0 {
            return None;
        }
        let address = config.upcall as *const ();
        // SAFETY: a host that names an address says by that what lies there, and that it stays as long as the instance.
        let function = unsafe { mem::transmute::<*const (), extern "C" fn(i32) -> i32>(address) };
        Some(Upcall(function))
    }

    /// Calls it.
    pub(crate) fn answer(self, question: &Value) -> Value {
        Value {
            value: (self.0)(question.value),
        }
    }
}

#[cold]
pub(crate) fn nothing_to_ask() -> Error {
    Error::new(
        Status::FailedPrecondition,
        "the host has nothing to be asked: it registers the services `numbers.*` and configures `upcall`",
    )
}
