//! The encodings behind features: MessagePack, bincode, postcard.

use rustbridge_abi::{Encoding, StatusCode};
#[cfg(any(feature = "msgpack", feature = "postcard"))]
use serde::de::DeserializeSeed;
#[cfg(feature = "msgpack")]
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::bounded::BoundedSeed;
use super::limits::{Limits, OfBinary};
use super::{Codec, Problem};
use crate::response::Reply;

/// Looks at how many bytes are left over when a value has been read.
#[cfg(any(feature = "bincode", feature = "postcard"))]
fn nothing_over(count: usize) -> Result<(), Problem> {
    if count == 0 {
        Ok(())
    } else {
        Err(format!("{count} bytes are left after the value").into())
    }
}

/// MessagePack by rmp-serde, structs as maps.
#[cfg(feature = "msgpack")]
#[derive(Debug)]
pub enum Msgpack {}

#[cfg(feature = "msgpack")]
impl Codec for Msgpack {
    const ENCODING: Encoding = Encoding::Msgpack;
    const NOTHING: &'static [u8] = &[0xc0];

    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, Problem> {
        let limits = Limits::new(bytes.len());
        let bounds = OfBinary::new(&limits);
        let mut deserializer = rmp_serde::Deserializer::from_read_ref(bytes);
        let value = BoundedSeed::<T, _>::new(bounds)
            .deserialize(&mut deserializer)
            .map_err(|error| limits.problem(error))?;
        // The deserializer doesn't say how far it has read, but there must be nothing else to read.
        match BoundedSeed::<IgnoredAny, _>::new(bounds).deserialize(&mut deserializer) {
            Err(rmp_serde::decode::Error::InvalidMarkerRead(error))
                if error.kind() == std::io::ErrorKind::UnexpectedEof =>
            {
                Ok(value)
            }
            _ => Err("bytes are left after the value".to_owned().into()),
        }
    }

    fn check_nothing(bytes: &[u8]) -> Result<(), Problem> {
        if bytes.is_empty() {
            Ok(())
        } else {
            Self::read::<super::Nothing>(bytes).map(drop)
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

    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, Problem> {
        let limits = Limits::new(bytes.len());
        let within = BoundedSeed::<T, _>::new(OfBinary::new(&limits));
        let config = bincode::config::standard();
        let (value, read) = bincode::serde::seed_decode_from_slice(within, bytes, config)
            .map_err(|error| limits.problem(error))?;
        nothing_over(bytes.len() - read)?;
        Ok(value)
    }

    fn check_nothing(bytes: &[u8]) -> Result<(), Problem> {
        nothing_over(bytes.len())
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

    fn read<'r, T: Deserialize<'r>>(bytes: &'r [u8]) -> Result<T, Problem> {
        let limits = Limits::new(bytes.len());
        let mut deserializer = postcard::Deserializer::from_bytes(bytes);
        let value = BoundedSeed::<T, _>::new(OfBinary::new(&limits))
            .deserialize(&mut deserializer)
            .map_err(|error| limits.problem(error))?;
        nothing_over(
            deserializer
                .finalize()
                .map_err(|error| limits.problem(error))?
                .len(),
        )?;
        Ok(value)
    }

    fn check_nothing(bytes: &[u8]) -> Result<(), Problem> {
        nothing_over(bytes.len())
    }

    fn write<T: Serialize + ?Sized>(value: &T, mut reply: Reply) -> StatusCode {
        let mut writer = reply.writer();
        match postcard::to_io(value, &mut writer).map(drop) {
            Ok(()) => reply.finish(writer),
            Err(error) => reply.unwritable("postcard", &error),
        }
    }
}
