//! Typed methods: values of a client's classes to the wire form and back, by a plan that is made of a client schema once.
//!
//! A plan knows what is common: exact types, as clients are written for. Whatever else may stand in a value (a subclass, an object
//! with `__index__`), and whatever is wrong with one, is left to Python: the same value is written again by
//! `rustbridge/_wire_write.py`, and the same bytes are read again by `_wire_read.py`, which take more and say what's wrong and
//! where. So a plan never says no by itself, and what it says yes to, Python has to say yes to as well, with the same result.

mod any;
mod filling;
mod initializer;
mod input;
mod limits;
mod nodes;
mod output;
mod parts;
mod plan;
mod read;
mod slots;
mod typed;
mod write;

pub(crate) use initializer::make_type as make_initializer_type;
pub(crate) use plan::make_type as make_plan_type;
pub(crate) use typed::make_type as make_typed_type;
