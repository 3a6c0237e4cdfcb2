//! The encodings behind features: MessagePack, bincode, postcard.

use rustbridge_abi::{Encoding, StatusCode};
use serde::{Deserialize, Serialize};

use super::Codec;
use crate::response::Reply;

/// Bytes that are left over when a value has been read.
#[cfg(any(feature = "bincode", feature = "postcard"))]
fn left_over(count: usize) -> String {
    format!("{count} bytes are left over behind the value")
}

/// MessagePack by rmp-serde, structs as maps.
#[cfg(feature = "msgpack")]
#[derive(Debug)]
pub enum Msgpack {}

#[cfg(feature = "msgpack")]
impl Codec for Msgpack {
    const ENCODING: Encoding = Encoding::Msgpack;
    const NOTHING: &'static [u8] = &[0xc0];
    type Problem = String;

    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, String> {
        use super::bounded::Within;

        let mut deserializer = rmp_serde::Deserializer::from_read_ref(bytes);
        let Within(value) =
            Within::<T>::deserialize(&mut deserializer).map_err(|error| error.to_string())?;
        // The deserializer doesn't say how far it has read, but there must be nothing else to read.
        match Within::<serde::de::IgnoredAny>::deserialize(&mut deserializer) {
            Err(rmp_serde::decode::Error::InvalidMarkerRead(error))
                if error.kind() == std::io::ErrorKind::UnexpectedEof =>
            {
                Ok(value)
            }
            _ => Err("bytes are left over behind the value".to_owned()),
        }
    }

    fn write<T: Serialize + ?Sized>(value: &T, mut reply: Reply) -> StatusCode {
        let mut writer = reply.writer();
        let mut serializer = rmp_serde::Serializer::new(&mut writer).with_struct_map();
        match value.serialize(&mut serializer) {
            Ok(()) => reply.finish(writer),
            Err(error) => reply.unwritable("MessagePack", &error),
        }
    }
}

/// bincode 2 in its standard configuration.
#[cfg(feature = "bincode")]
#[derive(Debug)]
pub enum Bincode {}

#[cfg(feature = "bincode")]
impl Codec for Bincode {
    const ENCODING: Encoding = Encoding::Bincode;
    const NOTHING: &'static [u8] = &[];
    type Problem = String;

    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, String> {
        use super::bounded::Within;

        let config = bincode::config::standard();
        let (Within(value), read) = bincode::serde::borrow_decode_from_slice(bytes, config)
            .map_err(|error| error.to_string())?;
        if read == bytes.len() {
            Ok(value)
        } else {
            Err(left_over(bytes.len() - read))
        }
    }

    fn check_nothing(bytes: &[u8]) -> Result<(), String> {
        if bytes.is_empty() {
            Ok(())
        } else {
            Err(left_over(bytes.len()))
        }
    }

    fn write<T: Serialize + ?Sized>(value: &T, mut reply: Reply) -> StatusCode {
        let mut writer = reply.writer();
        let config = bincode::config::standard();
        match bincode::serde::encode_into_std_write(value, &mut writer, config) {
            Ok(_) => reply.finish(writer),
            Err(error) => reply.unwritable("bincode", &error),
        }
    }
}

/// postcard 1.
#[cfg(feature = "postcard")]
#[derive(Debug)]
pub enum Postcard {}

#[cfg(feature = "postcard")]
impl Codec for Postcard {
    const ENCODING: Encoding = Encoding::Postcard;
    const NOTHING: &'static [u8] = &[];
    type Problem = String;

    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, String> {
        use super::bounded::Within;

        let (Within(value), rest) =
            postcard::take_from_bytes(bytes).map_err(|error| error.to_string())?;
        if rest.is_empty() {
            Ok(value)
        } else {
            Err(left_over(rest.len()))
        }
    }

    fn check_nothing(bytes: &[u8]) -> Result<(), String> {
        if bytes.is_empty() {
            Ok(())
        } else {
            Err(left_over(bytes.len()))
        }
    }

    fn write<T: Serialize + ?Sized>(value: &T, mut reply: Reply) -> StatusCode {
        let mut writer = reply.writer();
        match postcard::to_io(value, &mut writer).map(drop) {
            Ok(()) => reply.finish(writer),
            Err(error) => reply.unwritable("postcard", &error),
        }
    }
}
