//! Metadata as a handler sees it: pairs of key and value beside the request and the response, and the trace.

use std::fmt;

use rustbridge_abi::MetadataPairs;

/// The metadata of a call: pairs of key and value, in the order in which the caller wrote them.
///
/// Keys are visible ASCII without capitals, values any bytes. A key may come several times.
#[derive(Clone, Copy)]
pub struct Metadata<'a> {
    bytes: &'a [u8],
}

impl<'a> Metadata<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Metadata<'a> {
        Metadata { bytes }
    }

    /// The pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a [u8])> + use<'a> {
        MetadataPairs::new(self.bytes)
    }

    /// The first value under a key.
    ///
    /// ```
    /// let call = rustbridge::testing::call().metadata("user", "ada").build();
    /// assert_eq!(call.metadata().get("user"), Some(&b"ada"[..]));
    /// assert_eq!(call.metadata().get("tenant"), None);
    /// ```
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a [u8]> {
        self.get_all(key).next()
    }

    /// The first value under a key, if it's text.
    #[must_use]
    pub fn get_text(&self, key: &str) -> Option<&'a str> {
        std::str::from_utf8(self.get(key)?).ok()
    }

    /// All values under a key.
    pub fn get_all<'k>(&self, key: &'k str) -> impl Iterator<Item = &'a [u8]> + use<'a, 'k> {
        let pairs = MetadataPairs::new(self.bytes);
        pairs.filter_map(move |(other, value)| (other == key).then_some(value))
    }

    /// Whether there's none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl fmt::Debug for Metadata<'_> {
    /// The keys alone: values may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.iter().map(|(key, _)| key))
            .finish()
    }
}

/// The trace that a call is part of, as W3C's [Trace Context] says.
///
/// [Trace Context]: https://www.w3.org/TR/trace-context/
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace<'a> {
    id: [u8; 16],
    span: [u8; 8],
    flags: u32,
    state: &'a str,
}

impl<'a> Trace<'a> {
    pub(crate) fn new(id: [u8; 16], span: [u8; 8], flags: u32, state: &'a str) -> Trace<'a> {
        Trace {
            id,
            span,
            flags,
            state,
        }
    }

    /// The trace's id.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// The id of the caller's span.
    #[must_use]
    pub fn span_id(&self) -> [u8; 8] {
        self.span
    }

    /// The trace's flags; bit 0: it's sampled.
    #[must_use]
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Whether somebody keeps the trace.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.flags & 1 != 0
    }

    /// The trace's `tracestate`, or empty.
    #[must_use]
    pub fn state(&self) -> &'a str {
        self.state
    }

    /// The `traceparent` header, to hand the trace on to others with.
    ///
    /// ```
    /// let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /// let call = rustbridge::testing::call().trace(parent, "").build();
    /// assert_eq!(call.trace().unwrap().to_traceparent(), parent);
    /// ```
    #[must_use]
    pub fn to_traceparent(&self) -> String {
        let (id, span) = (u128::from_be_bytes(self.id), u64::from_be_bytes(self.span));
        format!("00-{id:032x}-{span:016x}-{:02x}", self.flags & 0xff)
    }
}
