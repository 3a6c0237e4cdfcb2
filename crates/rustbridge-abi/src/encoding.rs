//! The encodings of requests and responses.

use core::fmt;

/// The encoding of an entry's request and response, as a number: one of the `RB_ENCODING_` codes.
pub type EncodingCode = u32;

// The codes are written out, not made by the macro below, because cbindgen reads them from here into the header.

/// UTF-8 JSON text.
pub const RB_ENCODING_JSON: EncodingCode = 0;
/// Bytes whose structure rustbridge does not know.
pub const RB_ENCODING_RAW: EncodingCode = 1;
/// One fixed-size C struct each way, in the machine's byte order; the description has its layout.
pub const RB_ENCODING_POD: EncodingCode = 2;
/// MessagePack, structs as maps.
pub const RB_ENCODING_MSGPACK: EncodingCode = 3;
/// bincode 2, standard configuration.
pub const RB_ENCODING_BINCODE: EncodingCode = 4;
/// postcard 1.
pub const RB_ENCODING_POSTCARD: EncodingCode = 5;
/// Typed values without names: fields in order, numbers by their width. `docs/wire.md` is the specification.
pub const RB_ENCODING_WIRE: EncodingCode = 6;

macro_rules! encodings {
    ($($constant:ident, $variant:ident, $name:literal;)+) => {
        /// The encodings as a Rust enum.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Encoding {
            $(#[doc = concat!("[`", stringify!($constant), "`].")] $variant = $constant,)+
        }

        impl Encoding {
            /// Every encoding, in numeric order.
            pub const ALL: &'static [Encoding] = &[$(Encoding::$variant),+];

            /// Returns the name in descriptions, for example `json`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Encoding::$variant => $name),+ }
            }
        }
    };
}

encodings! {
    RB_ENCODING_JSON, Json, "json";
    RB_ENCODING_RAW, Raw, "raw";
    RB_ENCODING_POD, Pod, "pod";
    RB_ENCODING_MSGPACK, Msgpack, "msgpack";
    RB_ENCODING_BINCODE, Bincode, "bincode";
    RB_ENCODING_POSTCARD, Postcard, "postcard";
    RB_ENCODING_WIRE, Wire, "wire";
}

impl Encoding {
    /// Converts a code that crossed the boundary.
    #[must_use]
    pub const fn from_code(code: EncodingCode) -> Option<Encoding> {
        if (code as usize) < Encoding::ALL.len() {
            Some(Encoding::ALL[code as usize])
        } else {
            None
        }
    }

    /// Returns the code that crosses the boundary.
    #[must_use]
    pub const fn code(self) -> EncodingCode {
        self as EncodingCode
    }

    /// Returns the encoding with that name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Encoding> {
        Encoding::ALL
            .iter()
            .copied()
            .find(|encoding| encoding.name() == name)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_survives_the_crossing_and_back() {
        for (index, encoding) in Encoding::ALL.iter().enumerate() {
            assert_eq!(encoding.code() as usize, index);
            assert_eq!(Encoding::from_code(encoding.code()), Some(*encoding));
            assert_eq!(Encoding::from_name(encoding.name()), Some(*encoding));
        }
        assert_eq!(Encoding::from_code(Encoding::ALL.len() as u32), None);
    }
}
