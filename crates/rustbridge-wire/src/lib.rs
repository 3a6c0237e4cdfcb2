//! The wire format of typed messages, as `docs/wire.md` specifies it, in Rust.
//!
//! [`Encode`] and [`Decode`] are derived (`#[derive(rustbridge::Message)]`) and rarely called by hand:
//!
//! ```
//! let bytes = rustbridge_wire::to_vec(&("Ada".to_owned(), 36_u32))?;
//! assert_eq!(bytes, [3, 0, 0, 0, b'A', b'd', b'a', 36, 0, 0, 0]);
//!
//! // Strings can be borrowed from the bytes.
//! let (name, age): (&str, u32) = rustbridge_wire::read(&bytes)?;
//! assert_eq!((name, age), ("Ada", 36));
//!
//! let problem = rustbridge_wire::read::<(String, u32)>(&bytes[..9]).unwrap_err();
//! assert_eq!(problem.to_string(), "at `1`, byte 7: a `u32` requires 4 bytes, but only 2 are left");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Readers trust no input: they compare counts with the number of bytes left before they allocate, limit recursion to
//! [`MAX_DEPTH`], and report every error with the path of its field.

// Blocks are copied as they lie in memory.
#[cfg(target_endian = "big")]
compile_error!(
    "rustbridge supports only little-endian machines, because the wire format is little-endian"
);

mod any;
mod check;
mod impls;
mod limits;
mod message;
mod problem;
mod read;
mod runs;
mod types;
mod write;

pub use any::{Dynamic, Value};
pub use check::check;
pub use impls::{Decimal, NotDecimal, Uuid};
pub use limits::{MAX_BYTES, MAX_DEPTH};
pub use message::{read, to_vec, write_into, write_to};
pub use problem::Problem;
pub use read::{Decode, Fault, Reader};
pub use types::{
    Content, DefaultValue, Definition, Enum, Field, Named, Number, Shape, Tag, Type, Typed,
    Variant, named,
};
pub use write::{Encode, Measure, Unwritable, Writer, WriterOutput};

/// Other items that the derive macro uses.
#[doc(hidden)]
pub mod derive {
    pub use bytemuck::{Pod, Zeroable};

    pub use crate::impls::{
        OptionalValue, get_block, get_default, get_given, get_parts, measure_default,
        measure_given, put_block, put_default, put_given, put_parts,
    };
    pub use crate::message::variant_number;
    pub use crate::read::get_each;
    pub use crate::runs::{exact, runs};
    pub use crate::types::{flattened, is_enum};
}
