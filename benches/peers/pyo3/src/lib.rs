//! The benchmarks' work as a hand-written extension module: what an author does without a framework for many hosts.

mod students;
mod values;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyRuntimeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Two numbers.
#[pyclass(frozen)]
pub struct Pair {
    a: i32,
    b: i32,
}

#[pymethods]
impl Pair {
    #[new]
    fn new(a: i32, b: i32) -> Pair {
        Pair { a, b }
    }
}

/// What `pod8` makes of them.
#[pyclass(frozen, get_all)]
pub struct PairAnswer {
    sum: i32,
    xor: i32,
}

/// A key to look up.
#[pyclass(frozen)]
pub struct Key {
    key: String,
    flags: u32,
}

#[pymethods]
impl Key {
    #[new]
    fn new(key: String, flags: u32) -> Key {
        Key { key, flags }
    }
}

/// What was found.
#[pyclass(frozen, get_all)]
pub struct Found {
    value: String,
    ttl_seconds: u32,
    cache_hit: bool,
}

#[pymodule]
mod peer_pyo3 {
    use super::{PyBuffer, PyBytes, PyResult, PyRuntimeError, PyValueError, PyZeroDivisionError};
    use super::{Python, pyfunction};

    #[pymodule_export]
    use super::students::{Address, Date, School, Student, Subject, structs};
    #[pymodule_export]
    use super::values::{
        Greeting, Item, Person, Reading, Shape, around, discount, greet, next_reading, twice,
    };
    #[pymodule_export]
    use super::{Found, Key, Pair, PairAnswer};

    /// Does nothing.
    #[pyfunction]
    fn empty() {
        peer_work::void();
    }

    /// Sum and exclusive or.
    #[pyfunction]
    fn pod8(pair: &Pair) -> PairAnswer {
        let (sum, xor) = peer_work::pair(pair.a, pair.b);
        PairAnswer { sum, xor }
    }

    /// Looks a key up.
    #[pyfunction]
    fn small(key: &Key) -> Found {
        let (value, ttl_seconds, cache_hit) = peer_work::small(&key.key, key.flags);
        Found {
            value,
            ttl_seconds,
            cache_hit,
        }
    }

    /// A text of JSON to a text of JSON.
    #[pyfunction]
    fn echo_json(request: &str) -> PyResult<String> {
        peer_work::echo_json(request).ok_or_else(|| PyValueError::new_err("no request of an echo"))
    }

    /// The quotient as a double.
    #[pyfunction]
    fn div(a: i64, b: i64) -> PyResult<f64> {
        peer_work::div(&peer_work::Division { a, b })
            .map(|answer| answer.quotient)
            .ok_or_else(|| PyZeroDivisionError::new_err("nothing can be divided by 0"))
    }

    /// Joins texts by commas.
    #[pyfunction]
    fn join(parts: Vec<String>) -> String {
        peer_work::join(&peer_work::Parts { parts }).text
    }

    /// Adds up the numbers of any buffer of `int64`, where they lie.
    #[pyfunction]
    fn sum(numbers: PyBuffer<i64>) -> PyResult<i64> {
        let numbers = numbers
            .as_slice_ptr()
            .ok_or_else(|| PyValueError::new_err("the numbers don't lie side by side"))?;
        // SAFETY: the buffer is held until the end, and nobody changes the numbers meanwhile: the GIL is, too.
        Ok(peer_work::sum_numbers(unsafe { numbers.as_ref() }))
    }

    /// Fails with that message.
    #[pyfunction]
    fn fail(message: String) -> PyResult<()> {
        Err(PyRuntimeError::new_err(message))
    }

    /// Adds 41.
    #[pyfunction]
    fn answer(value: i32) -> i32 {
        peer_work::answer(&peer_work::Value { value }).value
    }

    /// That many bytes, copied once.
    #[pyfunction]
    fn blob(py: Python<'_>, size: u32) -> pyo3::Bound<'_, PyBytes> {
        let blob = peer_work::blob(size).unwrap_or_default();
        PyBytes::new(py, &blob)
    }
}
