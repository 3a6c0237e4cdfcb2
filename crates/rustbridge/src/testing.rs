//! Calls for unit tests of handlers.
//!
//! A handler is a plain method, so a test can call it. This module creates the `Call` that it needs.
//!
//! ```
//! use std::time::Duration;
//! use rustbridge::prelude::*;
//! use rustbridge::testing;
//!
//! fn greet(call: &Call<'_>) -> Result<String> {
//!     call.check()?;
//!     call.trailers().append("seen", "yes")?;
//!     Ok(format!("hello, {}", call.metadata().get_text("user").unwrap_or("you")))
//! }
//!
//! let call = testing::call().method("greet").metadata("user", "ada").build();
//! assert_eq!(greet(&call).unwrap(), "hello, ada");
//! assert_eq!(call.trailers().to_vec(), [("seen".to_owned(), b"yes".to_vec())]);
//!
//! let late = testing::call().deadline(Duration::ZERO).build();
//! assert_eq!(greet(&late).unwrap_err().status(), Status::DeadlineExceeded);
//! ```

use std::time::Duration;

use rustbridge_abi::{
    CallContext, Encoding, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, Text, is_metadata_key,
};

use crate::Call;
pub use crate::alarm::Token;
use crate::context::{Context, push_pair};

/// Returns a builder of a call for a test.
#[must_use]
pub fn call() -> Builder {
    Builder {
        method: "detached",
        encoding: Encoding::Json,
        header: CallContext::EMPTY,
        metadata: Vec::new(),
        state: String::new(),
        token: None,
    }
}

/// The builder of a call. See [`call`].
#[derive(Debug)]
pub struct Builder {
    method: &'static str,
    encoding: Encoding,
    header: CallContext,
    metadata: Vec<u8>,
    state: String,
    token: Option<Token>,
}

impl Builder {
    /// Sets the result of [`Call::method`]. The default is `detached`.
    #[must_use]
    pub fn method(mut self, method: &'static str) -> Builder {
        self.method = method;
        self
    }

    /// Sets the result of [`Call::encoding`]. The default is JSON.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Builder {
        self.encoding = encoding;
        self
    }

    /// Sets the time until the deadline, counted from [`build`](Builder::build).
    #[must_use]
    pub fn deadline(mut self, time: Duration) -> Builder {
        self.header.flags |= RB_CONTEXT_TIMEOUT;
        self.header.timeout_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self
    }

    /// Appends a metadata pair.
    ///
    /// # Panics
    /// If the key can't be one: visible ASCII without capitals, not empty.
    #[must_use]
    pub fn metadata(mut self, key: &str, value: impl AsRef<[u8]>) -> Builder {
        assert!(
            is_metadata_key(key.as_bytes()),
            "{key:?} can't be a key of metadata"
        );
        push_pair(&mut self.metadata, key, value.as_ref());
        self
    }

    /// Sets the trace that the call is part of. `state` is its `tracestate`, or empty.
    ///
    /// # Panics
    /// If it's no `traceparent`.
    #[must_use]
    pub fn trace(mut self, parent: &str, state: &str) -> Builder {
        let [_, id, span, flags] = parent.split('-').collect::<Vec<_>>()[..] else {
            panic!("{parent:?} isn't a traceparent");
        };
        let hex = |digits| {
            u128::from_str_radix(digits, 16)
                .unwrap_or_else(|error| panic!("{parent:?} isn't a traceparent: {error}"))
        };
        self.header.flags |= RB_CONTEXT_TRACE;
        self.header.trace_id = hex(id).to_be_bytes();
        self.header.span_id = (hex(span) as u64).to_be_bytes();
        self.header.trace_flags = hex(flags) as u32;
        state.clone_into(&mut self.state);
        self
    }

    /// Sets the token that cancels the call.
    #[must_use]
    pub fn cancelled_by(mut self, token: &Token) -> Builder {
        self.token = Some(token.clone());
        self
    }

    /// Returns the call.
    #[must_use]
    pub fn build(self) -> Call<'static> {
        let header = CallContext {
            metadata: self.metadata.as_ptr(),
            metadata_len: self.metadata.len(),
            trace_state: Text::new(&self.state),
            ..self.header
        };
        // SAFETY: a header of this version over vectors of ours.
        let context = unsafe { Context::under_test(&header, self.token) };
        Call::under_test(self.method, self.encoding, context)
    }
}
