//! Metadata and traces, as a handler sees them.

use std::fmt;

use rustbridge_abi::MetadataPairs;

/// The metadata of a call: key-value pairs, in the caller's order.
///
/// Keys are visible ASCII without capitals. Values are any bytes. A key may repeat.
#[derive(Clone, Copy)]
pub struct Metadata<'a> {
    bytes: &'a [u8],
}

impl<'a> Metadata<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Metadata<'a> {
        Metadata { bytes }
    }

    /// Returns the pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a [u8])> + use<'a> {
        MetadataPairs::new(self.bytes)
    }

    /// Returns the first value of a key.
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

    /// Returns the first value of a key, if it's text.
    #[must_use]
    pub fn get_text(&self, key: &str) -> Option<&'a str> {
        std::str::from_utf8(self.get(key)?).ok()
    }

    /// Returns all values of a key.
    pub fn get_all<'k>(&self, key: &'k str) -> impl Iterator<Item = &'a [u8]> + use<'a, 'k> {
        let pairs = MetadataPairs::new(self.bytes);
        pairs.filter_map(move |(other, value)| (other == key).then_some(value))
    }

    /// Returns whether there are no pairs.
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

/// The [trace context][Trace Context] of a call.
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

    /// Returns the trace's ID.
    #[must_use]
    pub fn id(&self) -> [u8; 16] {
        self.id
    }

    /// Returns the ID of the caller's span.
    #[must_use]
    pub fn span_id(&self) -> [u8; 8] {
        self.span
    }

    /// Returns the trace's flags. Bit 0 means that the trace is sampled.
    #[must_use]
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Returns whether the trace is sampled.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Returns the trace's `tracestate`, or an empty string.
    #[must_use]
    pub fn state(&self) -> &'a str {
        self.state
    }

    /// Returns the `traceparent` header, to pass the trace on.
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
