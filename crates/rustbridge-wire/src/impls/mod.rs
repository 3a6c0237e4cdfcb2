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
mod uuid;

pub use others::{
    OptionalValue, get_default, get_given, measure_default, measure_given, put_default, put_given,
};
pub use pods::{get_block, put_block};
pub use time::{get_parts, put_parts};
pub use uuid::Uuid;
