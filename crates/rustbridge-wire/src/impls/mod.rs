//! The wire forms of the standard library's types, and of others' behind features.

mod addresses;
mod decimal;
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

pub(crate) use decimal::is_decimal;
pub use decimal::{Decimal, NotDecimal};
pub use others::{
    OptionalValue, get_default, get_given, measure_default, measure_given, put_default, put_given,
};
pub use pods::{get_block, put_block};
pub use time::{get_parts, put_parts};
pub use uuid::Uuid;
