//! Methods whose messages are bytes or text as they are, without a form.

use rustbridge_core::Error;

use super::caller::{Caller, Methods};
use super::method::Method;

/// What a raw method's answer becomes: `Vec<u8>`, `String`, or nothing.
pub trait RawAnswer: Sized {
    /// Takes the bytes of an answer. `None` if they aren't of this type.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

impl RawAnswer for Vec<u8> {
    fn from_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.to_vec())
    }
}

impl RawAnswer for String {
    fn from_bytes(bytes: &[u8]) -> Option<String> {
        std::str::from_utf8(bytes).ok().map(str::to_owned)
    }
}

impl RawAnswer for () {
    fn from_bytes(bytes: &[u8]) -> Option<()> {
        bytes.is_empty().then_some(())
    }
}

impl<M: Methods> Caller<M> {
    /// Calls a raw method. The request goes to the plugin without a copy.
    ///
    /// # Errors
    /// What the plugin answers; if the answer isn't of its type.
    pub fn call_raw<R: RawAnswer, F: From<Error>>(
        &self,
        method: &Method,
        request: &[u8],
    ) -> Result<R, F> {
        if self.is_plain() {
            let reply = method.untyped.call(request)?;
            return Ok(method.read_raw(&reply)?);
        }
        let answer = self.raw(method).call(request)?;
        Ok(method.read_raw(&answer.reply)?)
    }

    /// Calls a raw method, when it's awaited. Dropping the future gives the call up.
    ///
    /// # Errors
    /// As for [`call_raw`](Caller::call_raw).
    pub async fn call_raw_async<R: RawAnswer, F: From<Error>>(
        &self,
        method: &Method,
        request: &[u8],
    ) -> Result<R, F> {
        let pending = self.raw(method).call_async(request);
        let answer = pending.await?;
        Ok(method.read_raw(&answer.reply)?)
    }
}
