//! A plugin as a plain Rust value, called without any ABI: what its author's unit tests do.
#![allow(dead_code, reason = "each test that has this module uses a part of it")]

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rustbridge::{Encoding, Error, Pod, Status};
use rustbridge_conformance::call::{Call, Method, Stage};
use rustbridge_conformance::judge::Answer;
use serde::{Deserialize, Serialize};

type Function<P> = Box<dyn Fn(&P, &'static [u8]) -> Option<Result<Vec<u8>, Error>>>;

/// The value and what can be called on it.
pub struct Plain<P> {
    value: P,
    functions: HashMap<(String, Encoding), Function<P>>,
}

impl<P: 'static> Plain<P> {
    pub fn new(value: P) -> Plain<P> {
        Plain {
            value,
            functions: HashMap::new(),
        }
    }

    /// A function of messages. A request that doesn't parse can't be expressed without the ABI.
    pub fn json<Req, Res, E>(
        self,
        name: &str,
        function: impl Fn(&P, Req) -> Result<Res, E> + 'static,
    ) -> Self
    where
        Req: Deserialize<'static>,
        Res: Serialize,
        E: Into<Error>,
    {
        self.with(name, Encoding::Json, move |value, request| {
            let request = serde_json::from_slice(request).ok()?;
            let written = |response| serde_json::to_vec(&response).expect("it can be written");
            Some(function(value, request).map(written).map_err(Into::into))
        })
    }

    /// A function of plain structs.
    pub fn pod<Req: Pod, Res: Pod, E: Into<Error>>(
        self,
        name: &str,
        function: impl Fn(&P, &Req) -> Result<Res, E> + 'static,
    ) -> Self {
        self.with(name, Encoding::Pod, move |value, request| {
            if request.len() != size_of::<Req>() {
                return None;
            }
            // SAFETY: of the right size, readable, and any bit pattern is a `Pod`.
            let request = unsafe { request.as_ptr().cast::<Req>().read_unaligned() };
            let written = |response: Res| {
                // SAFETY: a `Pod` has no padding, so each of its bytes is defined.
                unsafe {
                    std::slice::from_raw_parts((&raw const response).cast::<u8>(), size_of::<Res>())
                }
                .to_vec()
            };
            Some(function(value, &request).map(written).map_err(Into::into))
        })
    }

    /// A function of bytes.
    pub fn raw(
        self,
        name: &str,
        function: impl Fn(&P, &'static [u8]) -> Option<Result<Vec<u8>, Error>> + 'static,
    ) -> Self {
        self.with(name, Encoding::Raw, function)
    }

    fn with(
        mut self,
        name: &str,
        encoding: Encoding,
        function: impl Fn(&P, &'static [u8]) -> Option<Result<Vec<u8>, Error>> + 'static,
    ) -> Self {
        let known = self
            .functions
            .insert((name.to_owned(), encoding), Box::new(function));
        assert!(known.is_none(), "`{name}` twice");
        self
    }

    /// The answer, or nothing where a plain call can't be made: an unknown function, a request that is no value.
    pub fn call(&self, call: &Call) -> Option<Answer> {
        let Method::Name(name) = &call.method else {
            return None;
        };
        let function = self.functions.get(&(name.clone(), call.encoding.ok()?))?;
        // Requests may be borrowed for as long as their type likes; a test's few megabytes are nobody's loss.
        let request: &'static [u8] = call.request.clone().leak();
        // A panic is the author's own test's to see.
        let result = catch_unwind(AssertUnwindSafe(|| function(&self.value, request))).ok()??;
        Some(match result {
            Ok(bytes) => Answer::ok(bytes),
            Err(error) => Answer {
                status: Status::from_code(error.status().code()),
                stage: Some(Stage::Call),
                bytes: error.to_json().into_bytes(),
            },
        })
    }
}

/// Runs a future that needs tokio.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime starts")
        .block_on(future)
}
