//! Streams that end with errors with types of their own.

#![cfg(feature = "async")]

use futures_util::stream;
use rustbridge::__private::wire::to_vec;
use rustbridge::prelude::*;
use serde_json::json;

use crate::host::operations::Started;
use crate::host::{Answer, Loaded};
use crate::typed_errors::payload;

#[derive(Debug, thiserror::Error, StatusError)]
#[status(PERMISSION_DENIED)]
enum ReadError {
    #[error("line {line} is hidden")]
    Hidden { line: u16 },
}

#[derive(Debug, thiserror::Error, StatusError)]
#[status(RESOURCE_EXHAUSTED)]
#[error("at most {most}")]
struct TooMany {
    most: u32,
}

fn hidden(line: u16) -> Result<u32, ReadError> {
    Err(ReadError::Hidden { line })
}

#[derive(Default)]
struct Lines;

/// `fail` says where a stream fails: at its start, or at its second item.
#[plugin(export = false)]
impl Lines {
    pub fn iterate(
        &self,
        fail: bool,
    ) -> Result<impl Iterator<Item = Result<u32, ReadError>>, ReadError> {
        match fail {
            true => hidden(1).map(|_| unreachable!()),
            false => Ok([Ok(7), hidden(2)].into_iter()),
        }
    }

    pub fn poll(&self) -> impl Stream<Item = Result<u32, ReadError>> {
        stream::iter([Ok(7), hidden(2)])
    }

    /// Only its start fails with a type.
    pub fn begin(&self, fail: bool) -> Result<impl Iterator<Item = Result<u32>>, ReadError> {
        match fail {
            true => hidden(1).map(|_| unreachable!()),
            false => Ok([Ok(7), Err(Error::internal("no more"))].into_iter()),
        }
    }

    /// Its start fails with another type than its items.
    pub fn begin_otherwise(
        &self,
        fail: bool,
    ) -> Result<impl Iterator<Item = Result<u32, ReadError>>, TooMany> {
        match fail {
            true => Err(TooMany { most: 3 }),
            false => Ok([Ok(7), hidden(2)].into_iter()),
        }
    }
}

/// Starts a stream, takes all that it sends, and returns how it ends.
fn streamed(loaded: &Loaded, method: &str, encoding: Encoding, fail: bool) -> (usize, Answer) {
    let request = match (method, encoding) {
        ("poll", _) => Vec::new(),
        (_, Encoding::Wire) => vec![u8::from(fail)],
        _ => fail.to_string().into_bytes(),
    };
    match loaded.start(method, encoding, &request) {
        Started::Over(answer) => (0, answer),
        Started::Pending(stream) => {
            stream.demand(100, 1 << 20);
            let ended = stream.wait();
            (stream.so_far().0.len(), ended)
        }
    }
}

#[test]
fn the_error_is_a_value() {
    let loaded = Loaded::new::<Lines>();
    for (method, fail, items) in [
        ("iterate", false, 1),
        ("iterate", true, 0),
        ("poll", false, 1),
        ("begin", true, 0),
        ("begin_otherwise", false, 1),
    ] {
        let line: u16 = if fail { 1 } else { 2 };
        let message = format!("line {line} is hidden");
        let mut expected = payload(Status::PermissionDenied, &message, "ReadError.Hidden", &());
        expected.extend(to_vec(&(0_u16, line)).unwrap());
        let (sent, ended) = streamed(&loaded, method, Encoding::Wire, fail);
        assert_eq!(
            (sent, ended.status),
            (items, Status::PermissionDenied),
            "{method}"
        );
        assert_eq!(ended.bytes, expected, "{method}");
        let (_, ended) = streamed(&loaded, method, Encoding::Json, fail);
        assert_eq!(ended.json()["type"], "ReadError.Hidden", "{method}");
        assert_eq!(ended.json()["details"], json!({ "line": line }), "{method}");
        let described = loaded.described(method, Encoding::Wire).unwrap();
        let number = described["error"]["type"]["ref"].as_u64().unwrap() as usize;
        assert_eq!(loaded.description()["types"][number]["name"], "ReadError");
    }
}

#[test]
fn what_is_of_another_type_is_an_error_without_one() {
    let loaded = Loaded::new::<Lines>();
    let (_, ended) = streamed(&loaded, "begin_otherwise", Encoding::Wire, true);
    assert_eq!(ended.status, Status::ResourceExhausted);
    assert_eq!(ended.json()["type"], "TooMany");
    let (sent, ended) = streamed(&loaded, "begin", Encoding::Wire, false);
    assert_eq!((sent, ended.status), (1, Status::Internal));
    assert_eq!(ended.json()["message"], "no more");
}
