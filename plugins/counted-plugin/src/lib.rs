//! The methods whose calls `benches/instructions` counts: one for each path, and nothing that a path doesn't need, because the
//! plugin is built with everything optimised whenever they are counted.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustbridge::prelude::*;

/// What `blob` lends.
static BLOB: LazyLock<Bytes> = LazyLock::new(|| vec![0; 64 << 10].into());

/// Two numbers: 8 bytes.
#[derive(Pod, Debug)]
#[repr(C)]
pub struct Pair {
    /// One.
    pub a: i32,
    /// The other.
    pub b: i32,
}

/// 268 bytes.
#[derive(Pod, Debug)]
#[repr(C)]
pub struct Big {
    /// Added to each value.
    pub tag: u32,
    /// Any numbers.
    pub values: [u32; 66],
}

/// 272 bytes.
#[derive(Pod, Debug)]
#[repr(C)]
pub struct BigAnswer {
    /// The request's.
    pub tag: u32,
    /// 66.
    pub count: u32,
    /// Each plus the tag.
    pub values: [u32; 66],
}

/// A struct in a struct: 32 bytes.
#[derive(Pod, Debug)]
#[repr(C)]
pub struct Nested {
    /// Two pairs.
    pub pairs: [Pair; 2],
    /// Another one.
    pub pair: Pair,
    /// A number.
    pub id: u64,
}

/// A key in fixed space: 76 bytes.
#[derive(Pod, Debug)]
#[repr(C)]
pub struct Key {
    /// 1.
    pub version: u32,
    /// The key in UTF-8.
    pub key: [u8; 64],
    /// Bytes of `key` in use.
    pub key_len: u32,
    /// The lowest bit says whether it's to be found.
    pub flags: u32,
}

/// What was found: 80 bytes.
#[derive(Pod, Debug)]
#[repr(C)]
pub struct Found {
    /// 1.
    pub version: u32,
    /// The value, then zeros.
    pub value: [u8; 64],
    /// Bytes of `value` in use.
    pub value_len: u32,
    /// How long it stays valid.
    pub ttl_seconds: u32,
    /// 1 if it was found, otherwise 0.
    pub found: u32,
}

/// A number: 4 bytes.
#[derive(Message, Pod, Debug)]
#[repr(C)]
pub struct Value {
    /// The number.
    pub value: i32,
}

/// A text.
#[derive(Message, Debug)]
pub struct Echo<'a> {
    /// The text.
    #[serde(borrow)]
    pub message: Cow<'a, str>,
}

/// A text and its length.
#[derive(Message, Debug)]
pub struct Echoed<'a> {
    /// The text.
    #[serde(borrow)]
    pub message: Cow<'a, str>,
    /// Bytes of it.
    pub length: usize,
}

/// A number that the host works out.
#[service(optional)]
pub trait Numbers {
    /// The answer to a question.
    #[service(encoding = "pod")]
    fn answer(&self, question: Value) -> Result<Value>;
}

/// Adds always the same.
#[derive(Debug)]
pub struct Adder {
    by: i32,
}

/// Adds always the same.
#[object]
impl Adder {
    /// Adds.
    pub fn add(&self, request: &Value) -> Value {
        Value {
            value: request.value.wrapping_add(self.by),
        }
    }
}

/// Nothing is configured.
#[derive(Message, Debug)]
pub struct CountedConfig {}

/// The plugin, which remembers only whom to ask.
#[derive(Debug)]
pub struct Counted {
    numbers: Option<NumbersClient>,
}

/// Methods that are there to be counted.
#[plugin(name = "counted", objects(Adder), services(Numbers))]
impl Counted {
    /// Makes an instance. A host without the service can use all but `ask`.
    pub fn create(_: CountedConfig, host: Host) -> Result<Counted> {
        Ok(Counted {
            numbers: host.service()?,
        })
    }

    /// 8 → 8 bytes.
    #[method(leaf)]
    pub fn add32(&self, request: &Pair) -> Pair {
        Pair {
            a: request.a.wrapping_add(request.b),
            b: request.a ^ request.b,
        }
    }

    /// 268 → 272 bytes.
    #[method(leaf)]
    pub fn big(&self, request: &Big) -> BigAnswer {
        BigAnswer {
            tag: request.tag,
            count: request.values.len() as u32,
            values: request.values.map(|value| value.wrapping_add(request.tag)),
        }
    }

    /// 32 → 32 bytes.
    pub fn nested(&self, request: &Nested) -> Nested {
        let turned = |pair: &Pair| Pair {
            a: pair.b,
            b: pair.a,
        };
        Nested {
            pairs: request.pairs.each_ref().map(turned),
            pair: turned(&request.pair),
            id: request.id,
        }
    }

    /// 76 → 80 bytes.
    #[method(leaf)]
    pub fn small(&self, request: &Key) -> Result<Found> {
        const PREFIX: &[u8] = b"value_for_";
        let key = request.key.get(..request.key_len as usize);
        let Some(Ok(key)) = key.map(std::str::from_utf8) else {
            return Err(Error::invalid_argument("the key isn't UTF-8"));
        };
        let len = PREFIX.len() + key.len();
        let mut value = [0; 64];
        value[..PREFIX.len()].copy_from_slice(PREFIX);
        match value.get_mut(PREFIX.len()..len) {
            Some(rest) => rest.copy_from_slice(key.as_bytes()),
            None => return Err(Error::invalid_argument("the key is too long")),
        }
        Ok(Found {
            version: 1,
            value,
            value_len: len as u32,
            ttl_seconds: 3600,
            found: request.flags & 1,
        })
    }

    /// Streams the numbers below the request's value.
    #[method(encodings(pod))]
    pub fn numbers(&self, request: &Value) -> impl Iterator<Item = Value> {
        (0..request.value).map(|value| Value { value })
    }

    /// Answers in JSON with the text that it was sent.
    #[method(encodings(json))]
    pub fn echo<'r>(&self, request: Echo<'r>) -> Echoed<'r> {
        Echoed {
            length: request.message.len(),
            message: request.message,
        }
    }

    /// Answers with a copy of the bytes that it was sent.
    pub fn raw_echo(&self, request: &[u8]) -> Vec<u8> {
        request.to_vec()
    }

    /// Takes a size as a little-endian `u32` and lends that many bytes.
    pub fn blob(&self, request: &[u8]) -> Result<Bytes> {
        let size = request.try_into().map(u32::from_le_bytes);
        match size {
            Ok(size) if size as usize <= BLOB.len() => Ok(BLOB.slice(..size as usize)),
            _ => Err(Error::invalid_argument("expected a size of at most 65536")),
        }
    }

    /// Fails with the text that it was sent.
    pub fn fail(&self, request: &[u8]) -> Result<Vec<u8>> {
        let text = String::from_utf8_lossy(request).into_owned();
        Err(Error::new(Status::Aborted, text))
    }

    /// Adds 41.
    #[method(encodings(pod))]
    pub fn plain(&self, request: &Value) -> Value {
        Value {
            value: request.value.wrapping_add(41),
        }
    }

    /// The same in an async handler that never waits.
    #[method(encodings(pod))]
    pub async fn ready(&self, request: &Value) -> Value {
        Value {
            value: request.value.wrapping_add(41),
        }
    }

    /// An object that adds 41.
    #[method(encodings(raw))]
    pub fn adder(&self) -> Object<Adder> {
        Object::new(Adder { by: 41 })
    }

    /// Has its host answer.
    #[method(encodings(pod))]
    pub fn ask(&self, request: Value) -> Result<Value> {
        match &self.numbers {
            Some(numbers) => numbers.answer(request),
            None => Err(Error::new(
                Status::FailedPrecondition,
                "the host has no service `numbers.answer`",
            )),
        }
    }
}
