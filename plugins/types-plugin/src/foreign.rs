//! Types of other crates: some that messages can have as they are, and some that go as a type of the plugin's or of rustbridge's.

#![allow(missing_docs, reason = "the fields are what they are called")]

use std::collections::BTreeMap;
use std::net::{AddrParseError, Ipv4Addr, SocketAddrV4};

use chrono::{DateTime, TimeDelta, Utc};
use rustbridge::{Message, via};
use uuid::Uuid;

/// What other crates have.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Foreign {
    pub id: Uuid,
    pub parent: Option<Uuid>,
    pub names: BTreeMap<Uuid, String>,
    pub made: DateTime<Utc>,
    pub took: TimeDelta,
    #[message(via = via::Timestamp)]
    pub seen: time::OffsetDateTime,
    #[message(via = via::Duration)]
    pub waits: Vec<time::Duration>,
    #[message(via = via::Timestamp)]
    pub ends: Option<jiff::Timestamp>,
    #[message(via = via::Duration)]
    pub lasts: jiff::SignedDuration,
    #[message(via = Endpoint)]
    pub at: SocketAddrV4,
    #[message(via = Endpoint)]
    pub others: BTreeMap<String, Vec<SocketAddrV4>>,
}

/// Where something listens.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Endpoint {
    /// Four numbers with dots between.
    pub address: String,
    pub port: u16,
}

impl From<SocketAddrV4> for Endpoint {
    fn from(address: SocketAddrV4) -> Endpoint {
        Endpoint {
            address: address.ip().to_string(),
            port: address.port(),
        }
    }
}

impl TryFrom<Endpoint> for SocketAddrV4 {
    type Error = AddrParseError;

    fn try_from(endpoint: Endpoint) -> Result<SocketAddrV4, AddrParseError> {
        let address: Ipv4Addr = endpoint.address.parse()?;
        Ok(SocketAddrV4::new(address, endpoint.port))
    }
}
