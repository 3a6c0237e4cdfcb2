//! The messages of `routes.proto`, with its field numbers.

use prost::Message;

/// A point, in degrees times 10,000,000.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Message)]
pub struct Point {
    #[prost(int32, tag = "1")]
    pub latitude: i32,
    #[prost(int32, tag = "2")]
    pub longitude: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct SlowPoint {
    #[prost(message, optional, tag = "1")]
    pub point: Option<Point>,
    #[prost(uint32, tag = "2")]
    pub milliseconds: u32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Rectangle {
    #[prost(message, optional, tag = "1")]
    pub low: Option<Point>,
    #[prost(message, optional, tag = "2")]
    pub high: Option<Point>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Feature {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub location: Option<Point>,
}

#[derive(Clone, PartialEq, Message)]
pub struct RouteNote {
    #[prost(message, optional, tag = "1")]
    pub location: Option<Point>,
    #[prost(string, tag = "2")]
    pub message: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Repeated {
    #[prost(message, optional, tag = "1")]
    pub note: Option<RouteNote>,
    #[prost(uint32, tag = "2")]
    pub count: u32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Counted {
    #[prost(uint32, tag = "1")]
    pub count: u32,
}

#[derive(Clone, PartialEq, Message)]
pub struct RouteSummary {
    #[prost(uint32, tag = "1")]
    pub points: u32,
    #[prost(uint32, tag = "2")]
    pub features: u32,
    #[prost(uint64, tag = "3")]
    pub distance: u64,
}
