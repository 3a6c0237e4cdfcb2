//! Dynamic values in serde's encodings, such as JSON and MessagePack.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Dynamic, twice};

/// The largest number of items for which memory is allocated in advance.
const AT_ONCE: usize = 64;

impl Serialize for Dynamic<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Dynamic::Null => serializer.serialize_unit(),
            Dynamic::Bool(value) => serializer.serialize_bool(*value),
            Dynamic::Int(value) => serializer.serialize_i64(*value),
            Dynamic::Uint(value) => serializer.serialize_u64(*value),
            Dynamic::Float(value) => serializer.serialize_f64(*value),
            Dynamic::String(text) => serializer.serialize_str(text),
            Dynamic::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Dynamic::List(items) => serializer.collect_seq(items),
            Dynamic::Map(pairs) => serializer.collect_map(pairs.iter().map(|(k, v)| (k, v))),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Dynamic<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Dynamic<'a>, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

/// Reads a value of any kind.
struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Dynamic<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Dynamic<'de>, E> {
        Ok(Dynamic::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Dynamic<'de>, E> {
        Ok(Dynamic::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Dynamic<'de>, D::Error> {
        Dynamic::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Dynamic<'de>, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Dynamic<'de>, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Dynamic<'de>, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Dynamic<'de>, E> {
        Ok(value.into())
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Dynamic<'de>, E> {
        Ok(text.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Dynamic<'de>, E> {
        Ok(text.to_owned().into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Dynamic<'de>, E> {
        Ok(text.into())
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Dynamic<'de>, E> {
        Ok(bytes.into())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Dynamic<'de>, E> {
        Ok(bytes.to_owned().into())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Dynamic<'de>, E> {
        Ok(bytes.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Dynamic<'de>, A::Error> {
        let mut items = Vec::with_capacity(access.size_hint().unwrap_or(0).min(AT_ONCE));
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Dynamic::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Dynamic<'de>, A::Error> {
        let mut pairs = Vec::with_capacity(access.size_hint().unwrap_or(0).min(AT_ONCE));
        while let Some((Name(name), value)) = access.next_entry()? {
            pairs.push((name, value));
        }
        if twice(&pairs).is_some() {
            keep_last(&mut pairs);
        }
        Ok(Dynamic::Map(pairs))
    }
}

/// Keeps the last value of a name that occurs several times, at the position of the first, as `serde_json::Value` does. The result is also
/// a valid map in the wire format.
#[cold]
fn keep_last<'a>(pairs: &mut Vec<(Cow<'a, str>, Dynamic<'a>)>) {
    let mut positions = HashMap::new();
    let mut kept: Vec<(Cow<'a, str>, Dynamic<'a>)> = Vec::with_capacity(pairs.len());
    for (name, value) in pairs.drain(..) {
        let position = *positions.entry(name.clone()).or_insert(kept.len());
        match kept.get_mut(position) {
            Some(known) => known.1 = value,
            None => kept.push((name, value)),
        }
    }
    *pairs = kept;
}

/// A name, borrowed where possible; serde's own `Cow` never borrows.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name<'a>, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(text.into()))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Name<'de>, E> {
                Ok(Name(text.to_owned().into()))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Name<'de>, E> {
                Ok(Name(text.into()))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

impl From<serde_json::Value> for Dynamic<'_> {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;

        match value {
            Value::Null => Dynamic::Null,
            Value::Bool(value) => value.into(),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(value), _) => value.into(),
                (_, Some(value)) => value.into(),
                _ => Dynamic::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => text.into(),
            Value::Array(items) => Dynamic::List(items.into_iter().map(Dynamic::from).collect()),
            Value::Object(fields) => {
                let pair = |(name, value): (String, Value)| (name.into(), value.into());
                Dynamic::Map(fields.into_iter().map(pair).collect())
            }
        }
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Dynamic<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        // As schemars calls that of `serde_json`.
        "AnyValue".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        true.into()
    }
}
