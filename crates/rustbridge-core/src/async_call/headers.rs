//! The headers of a call: metadata that the plugin sends before anything else.

use rustbridge_abi::{
    RB_FAILED_PRECONDITION, RB_INVALID_ARGUMENT, RB_METADATA_LIMIT, RB_OK, RB_RESOURCE_EXHAUSTED,
    StatusCode, check_metadata,
};

/// The headers of a call, in the format of the boundary.
#[derive(Debug, Default)]
pub(crate) enum Headers {
    /// The caller accepts none.
    #[default]
    Unwanted,
    /// The plugin hasn't sent anything else yet, so it may add more.
    Open(Vec<u8>),
    /// The plugin has sent something else. Empty once they were delivered.
    Sealed(Vec<u8>),
}

impl Headers {
    /// No headers yet.
    pub(super) fn new(are_wanted: bool) -> Headers {
        if are_wanted {
            Headers::Open(Vec::new())
        } else {
            Headers::Unwanted
        }
    }

    /// Appends pairs.
    pub(super) fn append(&mut self, pairs: &[u8]) -> StatusCode {
        if check_metadata(pairs).is_err() {
            return RB_INVALID_ARGUMENT;
        }
        let bytes = match self {
            Headers::Unwanted => return RB_OK,
            Headers::Sealed(_) => return RB_FAILED_PRECONDITION,
            Headers::Open(bytes) => bytes,
        };
        let (Some(added), Some(more)) = (pairs.first_chunk::<4>(), pairs.get(4..)) else {
            return RB_OK;
        };
        // Without pairs there are no headers, and no event.
        if *added == [0; 4] {
            return RB_OK;
        }
        let Some(before) = bytes.first_chunk::<4>().copied() else {
            bytes.extend_from_slice(pairs);
            return RB_OK;
        };
        if bytes.len() + more.len() > RB_METADATA_LIMIT {
            return RB_RESOURCE_EXHAUSTED;
        }
        // Neither count overflows: the size is limited, and a pair has at least eight bytes.
        let count = u32::from_ne_bytes(before) + u32::from_ne_bytes(*added);
        bytes[..4].copy_from_slice(&count.to_ne_bytes());
        bytes.extend_from_slice(more);
        RB_OK
    }

    /// Accepts no more pairs.
    #[inline]
    pub(super) fn seal(&mut self) {
        if let Headers::Open(bytes) = self {
            *self = Headers::Sealed(std::mem::take(bytes));
        }
    }

    /// How many bytes have to be delivered.
    #[inline]
    pub(super) fn len(&self) -> usize {
        match self {
            Headers::Unwanted => 0,
            Headers::Open(bytes) | Headers::Sealed(bytes) => bytes.len(),
        }
    }

    /// Takes the headers for delivery.
    pub(super) fn take(&mut self) -> Vec<u8> {
        match self {
            Headers::Unwanted => Vec::new(),
            Headers::Open(bytes) | Headers::Sealed(bytes) => {
                let taken = std::mem::take(bytes);
                *self = Headers::Sealed(Vec::new());
                taken
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rustbridge_abi::MetadataPairs;

    use super::*;

    fn pair(key: &str, value: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [1, key.len() as u32, value.len() as u32] {
            bytes.extend(number.to_ne_bytes());
        }
        bytes.extend(key.as_bytes());
        bytes.extend(value);
        bytes
    }

    #[test]
    fn pairs_come_together_in_order_until_something_comes_behind_them() {
        let mut headers = Headers::new(true);
        for nothing in [&[][..], &[0; 4]] {
            assert_eq!((headers.append(nothing), headers.len()), (RB_OK, 0));
        }
        for (key, value) in [("a", "1"), ("b", ""), ("a", "2")] {
            assert_eq!(headers.append(&pair(key, value.as_bytes())), RB_OK);
        }
        headers.seal();
        assert_eq!(headers.append(&pair("c", b"")), RB_FAILED_PRECONDITION);
        let told = headers.take();
        check_metadata(&told).unwrap();
        let found: Vec<_> = MetadataPairs::new(&told).collect();
        assert_eq!(found, [("a", &b"1"[..]), ("b", b""), ("a", b"2")]);
        assert_eq!((headers.len(), headers.take()), (0, Vec::new()));
        assert_eq!(headers.append(&pair("c", b"")), RB_FAILED_PRECONDITION);
    }

    #[test]
    fn what_is_too_much_or_no_metadata_adds_nothing() {
        let mut headers = Headers::new(true);
        let half = pair("half", &vec![0; RB_METADATA_LIMIT / 2]);
        assert_eq!(headers.append(&half), RB_OK);
        assert_eq!(headers.append(&half), RB_RESOURCE_EXHAUSTED);
        assert_eq!(headers.append(&pair("Key", b"")), RB_INVALID_ARGUMENT);
        assert_eq!(headers.append(b"abc"), RB_INVALID_ARGUMENT);
        assert_eq!(headers.append(&pair("small", b"")), RB_OK);
        assert_eq!(MetadataPairs::new(&headers.take()).count(), 2);
    }

    #[test]
    fn a_caller_that_takes_none_has_none_kept() {
        let mut headers = Headers::new(false);
        assert_eq!(headers.append(&pair("a", b"")), RB_OK);
        assert_eq!(headers.append(b"abc"), RB_INVALID_ARGUMENT);
        headers.seal();
        assert_eq!((headers.len(), headers.take().len()), (0, 0));
    }
}
