//! The example plugin that every host's tests, demo and benchmarks call.
//!
//! It shows the ordinary things: typed messages, an error enum, a counter as state, a leaf method on plain old data, an
//! async method, one method in two encodings; a stream that is an iterator and one that waits, an object, and a service that
//! the host may offer. The benchmark messages are in [`mod@bench`]; what they contain follows
//! from the request alone, so every host can compare bytes.

pub mod bench;
mod clock;
mod counter;
mod download;
mod hello;
mod messages;
mod prices;

pub use counter::{Count, CountTo, Counter, Step};
pub use download::{Chunk, DownloadRequest};
pub use hello::Hello;
pub use messages::*;
pub use prices::{Article, Basket, Line, Price, Prices, PricesClient, Total};
