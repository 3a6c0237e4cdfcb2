//! Calls with options, for hosts in Rust.

use std::ptr;
use std::time::Duration;

use bytemuck::Pod;
use rustbridge_abi::{
    CallContext, RB_CONTEXT_HEADERS, RB_CONTEXT_TIMEOUT, RB_CONTEXT_TRACE, RB_OK, Reply as Beside,
    ReplyHeaders, Response, StatusCode, Text,
};

use super::method::{Method, called_for_pod, take_error};
use super::object::Object;
use super::reply::{INLINE, Reply};
use crate::call::submission::Offload;
use crate::call::with::call_with;
use crate::error::Error;
use crate::metadata::Metadata;
use crate::response::{bytes_of, release};

/// The [trace context](https://www.w3.org/TR/trace-context/) of a call. Neither ID is all zero.
///
/// ```
/// use rustbridge_core::Trace;
///
/// let trace = Trace::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").unwrap();
/// assert_eq!((trace.span_id[0], trace.flags), (0xb7, 1));
/// assert!(Trace::parse("00-0-0-1").is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The trace's ID.
    pub id: [u8; 16],
    /// The ID of the caller's span.
    pub span_id: [u8; 8],
    /// The trace's flags. Bit 0 means that the trace is sampled.
    pub flags: u8,
    /// `tracestate`, or empty.
    pub state: String,
}

impl Trace {
    /// Parses a `traceparent` header.
    #[must_use]
    pub fn parse(parent: &str) -> Option<Trace> {
        let mut parts = parent.split('-');
        let mut next = |digits: usize| {
            let part = parts.next()?;
            let is_hex = part.len() == digits
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase());
            is_hex.then(|| u128::from_str_radix(part, 16).ok())?
        };
        let (version, id, span, flags) = (next(2)?, next(32)?, next(16)?, next(2)?);
        let is_whole = version != 0xff && (version > 0 || parts.next().is_none());
        (is_whole && id != 0 && span != 0).then(|| Trace {
            id: id.to_be_bytes(),
            span_id: (span as u64).to_be_bytes(),
            flags: flags as u8,
            state: String::new(),
        })
    }
}

/// Options of a call, in addition to its request. They can be reused; each call counts its timeout from its own start.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    timeout: Option<Duration>,
    metadata: Metadata,
    trace: Option<Trace>,
    number: u64,
    takes_headers: bool,
    is_offloaded: bool,
}

impl CallOptions {
    /// Returns empty options.
    #[must_use]
    pub fn new() -> CallOptions {
        CallOptions::default()
    }

    /// Sets the timeout. A call whose timeout is zero isn't started. At the deadline, an async handler is dropped, and
    /// a plain handler can detect it. Other plugins are requested to end; if one doesn't react, the call still waits
    /// for it.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> CallOptions {
        self.timeout = Some(timeout);
        self
    }

    /// Appends a metadata pair. The call refuses an invalid key (valid keys are visible ASCII without capitals), and
    /// more than 64 KiB in total.
    #[must_use]
    pub fn metadata(mut self, key: &str, value: impl AsRef<[u8]>) -> CallOptions {
        self.metadata.push(key, value.as_ref());
        self
    }

    /// Sets the trace that the call is part of.
    #[must_use]
    pub fn trace(mut self, trace: Trace) -> CallOptions {
        self.trace = Some(trace);
        self
    }

    /// Sets a number of the host's choice. Its services receive the number:
    /// [`ServiceCall::number`](crate::ServiceCall::number). 0 means none.
    #[must_use]
    pub fn number(mut self, number: u64) -> CallOptions {
        self.number = number;
        self
    }

    /// Requests the plugin's headers (initial metadata): see [`Answer::headers`] and
    /// [`Items::headers`](super::items::Items::headers). Otherwise they are discarded.
    #[must_use]
    pub fn headers(mut self) -> CallOptions {
        self.takes_headers = true;
        self
    }

    /// Keeps the handler of an asynchronous call or a stream off the submitting thread, unless the method is a leaf
    /// method. It applies to a plain handler, and to the part of an `async fn` before its first wait. It's for threads
    /// with other work, such as those of an executor. A blocking call always runs on its own thread.
    #[must_use]
    pub fn offloaded(mut self) -> CallOptions {
        self.is_offloaded = true;
        self
    }

    pub(super) fn offload(&self) -> Offload {
        if self.is_offloaded {
            Offload::Everything
        } else {
            Offload::Nothing
        }
    }

    /// The flag that says that the reply has a place for headers, if they are wanted.
    pub(super) fn headers_flag(&self) -> u32 {
        if self.takes_headers {
            RB_CONTEXT_HEADERS
        } else {
            0
        }
    }

    /// As it crosses the boundary, borrowing from this.
    #[inline]
    pub(crate) fn header(&self) -> CallContext {
        let mut header = CallContext {
            metadata: self.metadata.as_bytes().as_ptr(),
            metadata_len: self.metadata.as_bytes().len(),
            op: self.number,
            ..CallContext::EMPTY
        };
        if let Some(timeout) = self.timeout {
            header.flags |= RB_CONTEXT_TIMEOUT;
            header.timeout_ns = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
        }
        if let Some(trace) = &self.trace {
            header.flags |= RB_CONTEXT_TRACE;
            header.trace_id = trace.id;
            header.span_id = trace.span_id;
            header.trace_flags = trace.flags.into();
            header.trace_state = Text::new(&trace.state);
        }
        header
    }
}

/// A call with options. See [`Method::with`].
#[derive(Clone, Debug)]
pub struct With {
    pub(super) method: Method,
    pub(super) options: CallOptions,
    pub(super) objects: Vec<u64>,
}

/// A response with its metadata and objects.
#[derive(Debug)]
pub struct Answer {
    /// The response.
    pub reply: Reply,
    /// The plugin's initial metadata, if the call [requested](CallOptions::headers) it.
    pub headers: Metadata,
    /// The plugin's trailing metadata.
    pub trailers: Metadata,
    /// The response's objects, in the order in which the response refers to them.
    pub objects: Vec<Object>,
}

impl Method {
    /// Returns a call of the method with options, such as a timeout, metadata or a trace.
    ///
    /// ```
    /// # mod my_plugin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/mod.rs")); }
    /// use std::time::Duration;
    /// use rustbridge_core::{Encoding, Load, Status};
    ///
    /// // SAFETY: this is our own plugin, whose entry point follows the ABI.
    /// let plugin = unsafe { Load::linked(my_plugin::entry_point, "tiny") }.open()?;
    /// let echo = plugin.method("echo", Encoding::Raw)?;
    ///
    /// let answer = echo.with().timeout(Duration::from_secs(2)).metadata("user", "ada").call(b"hi")?;
    /// assert_eq!(&*answer.reply, b"hi");
    /// assert!(answer.trailers.is_empty());
    ///
    /// let late = echo.with().timeout(Duration::ZERO).call(b"hi").unwrap_err();
    /// assert_eq!(late.status(), Status::DeadlineExceeded);
    /// # Ok::<(), rustbridge_core::Error>(())
    /// ```
    #[must_use]
    pub fn with(&self) -> With {
        With::new(*self)
    }
}

impl With {
    pub(crate) fn new(method: Method) -> With {
        With {
            method,
            options: CallOptions::new(),
            objects: Vec::new(),
        }
    }

    /// Sets all options.
    #[must_use]
    pub fn options(mut self, options: CallOptions) -> With {
        self.options = options;
        self
    }

    /// As [`CallOptions::timeout`].
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> With {
        self.options = self.options.timeout(timeout);
        self
    }

    /// As [`CallOptions::metadata`].
    #[must_use]
    pub fn metadata(mut self, key: &str, value: impl AsRef<[u8]>) -> With {
        self.options = self.options.metadata(key, value);
        self
    }

    /// As [`CallOptions::headers`].
    #[must_use]
    pub fn headers(mut self) -> With {
        self.options = self.options.headers();
        self
    }

    /// As [`CallOptions::offloaded`].
    #[must_use]
    pub fn offloaded(mut self) -> With {
        self.options = self.options.offloaded();
        self
    }

    /// As [`CallOptions::trace`].
    #[must_use]
    pub fn trace(mut self, trace: Trace) -> With {
        self.options = self.options.trace(trace);
        self
    }

    /// Lends an object to the call, in addition to those that are lent already. The receiver of an object's method is
    /// the first one. The request refers to the others by position.
    #[must_use]
    pub fn object(mut self, object: &Object) -> With {
        self.objects.push(object.number());
        self
    }

    /// Makes the call.
    ///
    /// # Errors
    /// As for [`Method::call`]; `DEADLINE_EXCEEDED`; `NOT_FOUND` or `INVALID_ARGUMENT` for an object that can't be lent;
    /// `INVALID_ARGUMENT` for invalid metadata. An error's headers and trailers are in [`Error::headers`] and
    /// [`Error::trailers`].
    pub fn call(&self, request: &[u8]) -> Result<Answer, Error> {
        let mut storage = [0; INLINE];
        let mut response = Response::with_buffer(storage.as_mut_ptr(), INLINE);
        if self.options.takes_headers {
            let mut whole = ReplyHeaders::empty();
            let beside = (&raw mut whole).cast::<Beside>();
            let status = self.run(request, &mut response, beside, RB_CONTEXT_HEADERS);
            // SAFETY: filled in just now and checked, and nobody else's.
            return unsafe { answered_with_headers(status, response, storage, whole) };
        }
        let mut beside = Beside::empty();
        let status = self.run(request, &mut response, &raw mut beside, 0);
        // SAFETY: filled in just now and checked, and nobody else's.
        unsafe { answered(status, response, storage, beside) }
    }

    /// Makes the call with a plain struct, and returns a plain struct. The plugin's trailers are discarded. A method
    /// that returns objects is refused.
    ///
    /// # Errors
    /// As for [`Method::call_pod`], and as for [`call`](With::call).
    #[inline]
    pub fn call_pod<Req: Pod, Res: Pod>(&self, request: &Req) -> Result<Res, Error> {
        called_for_pod(|response| {
            match self.run(bytemuck::bytes_of(request), response, ptr::null_mut(), 0) {
                RB_OK => Ok(()),
                status => Err(take_error(status, response)),
            }
        })
    }

    /// Makes the call; what comes back beside the response goes to `reply`, which is null or empty, and a [`ReplyHeaders`] if the flag
    /// says so.
    #[inline(always)]
    fn run(
        &self,
        request: &[u8],
        response: &mut Response,
        reply: *mut Beside,
        flag: u32,
    ) -> StatusCode {
        let said = self.options.header();
        let header = CallContext {
            flags: said.flags | flag,
            reply,
            objects: self.objects.as_ptr(),
            object_count: self.objects.len() as u32,
            ..said
        };
        // SAFETY: header, request and response are good until the call returns.
        unsafe {
            call_with(
                self.method.handle(),
                self.method.entry(),
                &raw const header,
                ptr::null_mut(),
                request.as_ptr(),
                request.len(),
                response,
            )
        }
    }
}

/// What a call has answered, with its headers.
///
/// # Safety
/// As for [`answered`].
#[cold]
pub(super) unsafe fn answered_with_headers(
    status: StatusCode,
    response: Response,
    storage: [u8; INLINE],
    whole: ReplyHeaders,
) -> Result<Answer, Error> {
    let ReplyHeaders { reply, mut headers } = whole;
    // SAFETY: the caller's promise; released once.
    let (headers, answer) = unsafe {
        let bytes = bytes_of(&headers).to_vec();
        release(&raw mut headers);
        (
            Metadata::from_bytes(bytes),
            answered(status, response, storage, reply),
        )
    };
    behind(headers, answer)
}

/// An answer, or an error, with the headers that came before it.
pub(super) fn behind(headers: Metadata, answer: Result<Answer, Error>) -> Result<Answer, Error> {
    match answer {
        Ok(answer) => Ok(Answer { headers, ..answer }),
        Err(error) => Err(error.with_headers(headers)),
    }
}

/// What a call has answered, owned.
///
/// # Safety
/// All was filled in by the core, the response with `storage` offered, and this is the only one to release it.
pub(super) unsafe fn answered(
    status: StatusCode,
    mut response: Response,
    storage: [u8; INLINE],
    mut beside: Beside,
) -> Result<Answer, Error> {
    // SAFETY: the caller's promise; released once.
    let (trailers, objects) = unsafe {
        let bytes = bytes_of(&beside.trailers).to_vec();
        let objects = objects_of(&beside.objects);
        release(&raw mut beside.trailers);
        release(&raw mut beside.objects);
        (Metadata::from_bytes(bytes), objects)
    };
    if status != RB_OK {
        return Err(take_error(status, &mut response).with_trailers(trailers));
    }
    let reply = if response.release.is_none() {
        Reply::inline(response.len, storage)
    } else {
        // SAFETY: filled in by the plugin just now, and given to nobody else.
        unsafe { Reply::lease(response) }
    };
    Ok(Answer {
        reply,
        headers: Metadata::default(),
        trailers,
        objects,
    })
}

/// The objects of an answer, owned.
///
/// # Safety
/// The response is one that the core has filled in with numbers.
unsafe fn objects_of(response: &Response) -> Vec<Object> {
    // SAFETY: the caller's promise.
    unsafe { bytes_of(response) }
        .chunks_exact(size_of::<u64>())
        .filter_map(|number| number.first_chunk().copied())
        .map(|number| Object::from_number(u64::from_ne_bytes(number)))
        .collect()
}
