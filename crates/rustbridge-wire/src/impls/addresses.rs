//! Addresses of the network: text, as in JSON.

use std::fmt::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// The longest: `[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255%4294967295]:65535` has 65.
const LONGEST: usize = 65;

/// An address's text.
struct Text {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Text {
    fn of(address: &impl fmt::Display) -> Text {
        let mut text = Text {
            bytes: [0; LONGEST],
            len: 0,
        };
        // What is longer isn't there.
        let _ = write!(text, "{address}");
        text
    }
}

impl Write for Text {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.len..self.len + part.len());
        room.ok_or(fmt::Error)?.copy_from_slice(part.as_bytes());
        self.len += part.len();
        Ok(())
    }
}

macro_rules! addresses {
    ($($type:ty, $what:literal;)+) => {$(
        impl Typed for $type {
            const TYPE: Type = Type::String;
            const LEAST: usize = 4;
            const EXACT: bool = false;
        }

        // SAFETY: a count, and no more bytes than the longest has.
        unsafe impl Encode for $type {
            #[inline]
            fn measure(&self, measure: &mut Measure) {
                measure.add(4 + LONGEST);
            }

            #[inline]
            unsafe fn put(&self, writer: &mut Writer) {
                let text = Text::of(self);
                // SAFETY: the caller's promise.
                unsafe {
                    writer.put_count(text.len);
                    writer.put_bytes(&text.bytes[..text.len]);
                }
            }
        }

        // SAFETY: not exact.
        unsafe impl<'de> Decode<'de> for $type {
            #[inline]
            fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                let text = reader.string()?;
                text.parse().map_err(|_| reader.refuse(format!("{text:?} isn't an {}", $what)))
            }
        }
    )+};
}

addresses! {
    Ipv4Addr, "IPv4 address";
    Ipv6Addr, "IPv6 address";
    IpAddr, "IP address";
    SocketAddrV4, "IPv4 address with a port";
    SocketAddrV6, "IPv6 address with a port";
    SocketAddr, "IP address with a port";
}
