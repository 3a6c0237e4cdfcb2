use core::fmt;

/// How the request and response of an entry are laid out, as it crosses the boundary: one of the `RB_ENCODING_` codes.
pub type RawEncoding = u32;

macro_rules! encodings {
    ($($(#[doc = $doc:literal])+ $constant:ident = $value:literal, $variant:ident, $name:literal;)+) => {
        $($(#[doc = $doc])+ pub const $constant: RawEncoding = $value;)+

        /// The encodings as a Rust enum.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Encoding {
            $($(#[doc = $doc])+ $variant = $value,)+
        }

        impl Encoding {
            /// Every encoding, in numeric order.
            pub const ALL: &'static [Encoding] = &[$(Encoding::$variant),+];

            /// The name `describe` uses, e.g. `json`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Encoding::$variant => $name),+ }
            }
        }
    };
}

encodings! {
    /// UTF-8 JSON text.
    RB_ENCODING_JSON = 0, Json, "json";
    /// Bytes with no structure that rustbridge knows of.
    RB_ENCODING_RAW = 1, Raw, "raw";
    /// One fixed-size C struct each way, in the machine's byte order; `describe` gives the layout.
    RB_ENCODING_POD = 2, Pod, "pod";
    /// MessagePack, structs as maps.
    RB_ENCODING_MSGPACK = 3, Msgpack, "msgpack";
    /// bincode 2, standard configuration.
    RB_ENCODING_BINCODE = 4, Bincode, "bincode";
    /// postcard 1.
    RB_ENCODING_POSTCARD = 5, Postcard, "postcard";
}

impl Encoding {
    /// Reads an encoding that crossed the boundary.
    #[must_use]
    pub const fn from_raw(raw: RawEncoding) -> Option<Encoding> {
        if (raw as usize) < Encoding::ALL.len() {
            Some(Encoding::ALL[raw as usize])
        } else {
            None
        }
    }

    /// The encoding as it crosses the boundary.
    #[must_use]
    pub const fn raw(self) -> RawEncoding {
        self as RawEncoding
    }

    /// The encoding of that name, if there is one.
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
            assert_eq!(encoding.raw() as usize, index);
            assert_eq!(Encoding::from_raw(encoding.raw()), Some(*encoding));
            assert_eq!(Encoding::from_name(encoding.name()), Some(*encoding));
        }
        assert_eq!(Encoding::from_raw(Encoding::ALL.len() as u32), None);
    }
}
