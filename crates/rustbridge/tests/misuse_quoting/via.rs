use std::collections::BTreeSet;
use std::net::SocketAddrV4;

use rustbridge::prelude::*;

/// What nobody makes an address of.
#[derive(Message)]
struct Text(String);

impl From<SocketAddrV4> for Text {
    fn from(address: SocketAddrV4) -> Text {
        Text(address.to_string())
    }
}

/// What is made of nothing.
#[derive(Message)]
struct Number(u64);

impl TryFrom<Number> for SocketAddrV4 {
    type Error = String;

    fn try_from(number: Number) -> Result<SocketAddrV4, String> {
        Err(format!("{} is no address", number.0))
    }
}

#[derive(Message)]
struct ReadsNothing {
    #[message(via = Text)]
    address: SocketAddrV4,
}

#[derive(Message)]
struct WritesNothing {
    #[message(via = Number)]
    addresses: Option<Vec<SocketAddrV4>>,
}

#[derive(Message)]
struct Inside {
    #[message(via = Text)]
    addresses: BTreeSet<SocketAddrV4>,
}

#[derive(Message)]
struct Flat {
    #[message(via = Text)]
    #[serde(flatten)]
    address: SocketAddrV4,
}

#[derive(Message)]
struct Unknown {
    #[message(through = Text)]
    address: SocketAddrV4,
}

#[derive(Message)]
struct Twice {
    #[message(via = Text, via = Number)]
    address: SocketAddrV4,
}

#[derive(Message)]
struct Nothing {
    #[message(via)]
    address: SocketAddrV4,
}

#[derive(Message)]
enum Variants {
    #[message(via = Text)]
    One(SocketAddrV4),
}

#[derive(Message)]
struct Signature {
    #[serde(with = "signature")]
    address: SocketAddrV4,
}

fn main() {}
