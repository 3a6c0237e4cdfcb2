//! Objects in messages. In every encoding, the payload has an object's position among those that accompany the message.

use rustbridge_abi::StatusCode;
use rustbridge_wire::{Decode, Encode, Fault, Measure, Reader, Type, Typed, Writer};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::scope::{Scope, current};
use super::{Address, Object, ObjectType, hold};
use crate::Error;
use crate::raw::{RawRequest, RawResponse};
use crate::response::Reply;

impl<T: ObjectType> Object<T> {
    /// Adds the object to those of the response, and returns its position.
    fn give(&self) -> Option<u32> {
        current(|scope| match scope {
            Some(Scope::Writing(given)) => {
                let mut given = given.borrow_mut();
                given.push(Address::of(self));
                Some(given.len() as u32 - 1)
            }
            _ => None,
        })
    }

    fn lent(position: usize) -> Result<Object<T>, String> {
        current(|scope| {
            match scope {
            Some(&Scope::Reading(lent, _)) => {
                let Some(&address) = lent.get(position) else {
                    return Err(format!(
                        "object {position} is missing: the call borrows {}, and positions count from 0",
                        lent.len()
                    ));
                };
                // SAFETY: the core lends what this plugin has given, and the call isn't over.
                unsafe { hold(address) }.map_err(|found| {
                    format!("object {position} is a `{found}`, expected a `{}`", T::NAME)
                })
            }
            _ => Err("an object can be read only from a method's request; if it's inside a message there, mark the method `#[method(takes_objects)]`".to_owned()),
        }
        })
    }
}

const NOT_WRITABLE: &str = "an object can be written only to a method's answer; if it's inside a message there, mark the method `#[method(returns_objects)]`";

impl<T: ObjectType> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.give() {
            Some(position) => serializer.serialize_u32(position),
            None => Err(S::Error::custom(NOT_WRITABLE)),
        }
    }
}

impl<'de, T: ObjectType> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        let position = u32::deserialize(deserializer)?;
        Object::lent(position as usize).map_err(D::Error::custom)
    }
}

impl<T: ObjectType> Typed for Object<T> {
    const TYPE: Type = Type::Object(T::NAME);
    const LEAST: usize = 4;
    const EXACT: bool = true;
}

// SAFETY: four bytes.
unsafe impl<T: ObjectType> Encode for Object<T> {
    fn measure(&self, measure: &mut Measure) {
        measure.add(4);
    }

    unsafe fn put(&self, writer: &mut Writer) {
        let position = self.give().unwrap_or_else(|| {
            writer.refuse(NOT_WRITABLE);
            0
        });
        // SAFETY: the caller's promise.
        unsafe { writer.put(position.to_le_bytes()) };
    }
}

// SAFETY: four bytes.
unsafe impl<'de, T: ObjectType> Decode<'de> for Object<T> {
    fn get(reader: &mut Reader<'de>) -> Result<Object<T>, Fault> {
        let position = u32::get(reader)?;
        Object::lent(position as usize).map_err(|problem| reader.refuse(problem))
    }
}

#[cfg(feature = "json_schema")]
impl<T: ObjectType> schemars::JsonSchema for Object<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Object_of_{}", T::NAME).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": format!("The position of a `{}` among the accompanying objects.", T::NAME),
            "type": "integer",
            "format": "uint32",
            "minimum": 0,
            "x-rustbridge-object": T::NAME,
        })
    }
}

/// The only borrowed object, apart from a receiver, with an empty request.
impl<'r, T: ObjectType> RawRequest<'r> for Object<T> {
    const ONLY_RAW: bool = false;

    fn from_bytes(bytes: &'r [u8]) -> Result<Self, Error> {
        <() as RawRequest<'_>>::from_bytes(bytes)?;
        let position = current(|scope| match scope {
            Some(&Scope::Reading(_, first)) => first,
            _ => 0,
        });
        Object::lent(position).map_err(|problem| {
            Error::invalid_argument(problem).with_type("rustbridge.InvalidRequest")
        })
    }
}

/// The only object of a response, with an empty payload.
impl<T: ObjectType> RawResponse for Object<T> {
    const ONLY_RAW: bool = false;

    fn write(self, reply: Reply) -> StatusCode {
        match self.give() {
            Some(_) => reply.bytes(&[]),
            None => reply.unwritable("raw", &NOT_WRITABLE),
        }
    }
}

/// The objects of a response, with an empty payload.
impl<T: ObjectType> RawResponse for Vec<Object<T>> {
    const ONLY_RAW: bool = false;

    fn write(self, reply: Reply) -> StatusCode {
        if self.iter().all(|object| object.give().is_some()) {
            reply.bytes(&[])
        } else {
            reply.unwritable("raw", &NOT_WRITABLE)
        }
    }
}
