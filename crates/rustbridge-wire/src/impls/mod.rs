//! The wire forms of the standard library's types, and of others' behind features.

mod addresses;
mod foreign;
mod lists;
mod maps;
mod numbers;
mod others;
mod pods;
mod text;
mod time;
mod tuples;

pub use others::{get_default, measure_default, put_default};
pub use pods::{get_block, put_block};
pub use time::{get_parts, put_parts};
