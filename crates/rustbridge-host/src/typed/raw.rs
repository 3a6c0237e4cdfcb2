//! Calls of raw methods: their messages are bytes or text, without an encoding.

use rustbridge_core::Error;

use super::answer::RawAnswer;
use super::caller::{Caller, Methods};
use super::method::Method;

impl<M: Methods> Caller<M> {
    /// Calls a raw method. The request is passed to the plugin without a copy.
    ///
    /// # Errors
    /// The error of the plugin. Also if the response isn't a value of the type.
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

    /// Calls a raw method. The call is submitted when the future is first polled; dropping the future abandons the
    /// call.
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
