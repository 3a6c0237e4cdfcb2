//! The example plugin that every host's tests, demo and benchmarks call.
//!
//! It shows the ordinary things: typed messages, an error enum, a counter as state, a leaf method on plain old data, an
//! async method, and one method in two encodings. The benchmark messages are in [`mod@bench`]; what they contain follows
//! from the request alone, so every host can compare bytes.

pub mod bench;
mod clock;
mod hello;
mod messages;

pub use hello::Hello;
pub use messages::*;
