//! Methods whose messages are bytes or text as they are, without a form.

use rustbridge_core::Error;

use super::answer::RawAnswer;
use super::caller::{Caller, Methods};
use super::method::Method;

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
