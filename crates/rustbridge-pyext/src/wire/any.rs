//! Dynamic values: a byte that says of which kind one is, and the value.

use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::filling::ListBuilder;
use super::input::In;
use super::limits::{Done, Fallback};
use super::output::{OutputBuffer, int, unsigned};
use crate::ending;
use crate::object::OwnedRef;

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const I64: u8 = 3;
const U64: u8 = 4;
const F64: u8 = 5;
const TEXT: u8 = 6;
const BYTES: u8 = 7;
const LIST: u8 = 8;
const MAP: u8 = 9;

/// Writes a value of one of the types that are exactly of these kinds. No code of a user's runs meanwhile.
///
/// # Safety
/// The GIL is held; the value lives as long as the call.
pub(super) unsafe fn write(value: *mut PyObject, out: &mut OutputBuffer<'_>, depth: usize) -> Done {
    // SAFETY: what's borrowed from containers lives, since nothing changes them.
    unsafe {
        if py::PyUnicode_CheckExact(value) != 0 {
            out.put(&[TEXT])?;
            return out.text(value);
        }
        if py::PyLong_CheckExact(value) != 0 {
            if let Ok(number) = int(value) {
                return put(out, I64, number.to_le_bytes());
            }
            return put(out, U64, unsigned(value)?.to_le_bytes());
        }
        if py::PyFloat_CheckExact(value) != 0 {
            return put(out, F64, py::PyFloat_AsDouble(value).to_le_bytes());
        }
        if value == py::Py_None() {
            return out.put(&[NULL]);
        }
        if value == py::Py_True() || value == py::Py_False() {
            return out.put(&[if value == py::Py_True() { TRUE } else { FALSE }]);
        }
        if py::PyBytes_CheckExact(value) != 0 {
            out.put(&[BYTES])?;
            return out.bytes(value);
        }
        if py::PyDict_CheckExact(value) != 0 {
            let depth = out.deeper(depth)?;
            out.put(&[MAP])?;
            out.count(py::PyDict_Size(value) as usize)?;
            let (mut at, mut name, mut one) = (0, ptr::null_mut(), ptr::null_mut());
            while py::PyDict_Next(value, &mut at, &mut name, &mut one) != 0 {
                out.text(name)?;
                write(one, out, depth)?;
            }
            return Ok(());
        }
        let is_list = py::PyList_CheckExact(value) != 0;
        if !is_list && py::PyTuple_CheckExact(value) == 0 {
            return Err(Fallback);
        }
        let depth = out.deeper(depth)?;
        let count = if is_list {
            py::PyList_Size(value)
        } else {
            py::PyTuple_Size(value)
        };
        out.put(&[LIST])?;
        out.count(count as usize)?;
        for index in 0..count {
            let one = if is_list {
                py::PyList_GetItem(value, index)
            } else {
                py::PyTuple_GetItem(value, index)
            };
            write(one, out, depth)?;
        }
        Ok(())
    }
}

/// Puts a number behind what it is, looking once whether there's room.
#[inline(always)]
fn put(out: &mut OutputBuffer<'_>, kind: u8, number: [u8; 8]) -> Done {
    let mut bytes = [kind; 9];
    bytes[1..].copy_from_slice(&number);
    out.put(&bytes)
}

/// Reads a value.
///
/// # Safety
/// The GIL is held.
pub(super) unsafe fn read(input: &mut In<'_>, depth: usize) -> Result<OwnedRef, Fallback> {
    // SAFETY: each new object is checked and held.
    unsafe {
        let [kind] = input.array()?;
        let object = match kind {
            NULL => return Ok(OwnedRef::of(py::Py_None())),
            FALSE => return Ok(OwnedRef::of(py::Py_False())),
            TRUE => return Ok(OwnedRef::of(py::Py_True())),
            I64 => py::PyLong_FromLongLong(i64::from_le_bytes(input.array()?)),
            U64 => {
                let number = u64::from_le_bytes(input.array()?);
                if i64::try_from(number).is_ok() {
                    return Err(Fallback);
                }
                py::PyLong_FromUnsignedLongLong(number)
            }
            F64 => py::PyFloat_FromDouble(f64::from_le_bytes(input.array()?)),
            TEXT => return input.text(),
            BYTES => return input.bytes(),
            LIST => {
                let depth = input.deeper(depth)?;
                let count = input.count(1)?;
                let mut list = ListBuilder::new(count)?;
                for _ in 0..count {
                    list.push(read(input, depth)?)?;
                }
                return Ok(list.whole());
            }
            MAP => {
                let depth = input.deeper(depth)?;
                let count = input.count(5)?;
                let map = OwnedRef::new(ending::PyDict_New()).ok_or(Fallback)?;
                for _ in 0..count {
                    let name = input.text()?;
                    let one = read(input, depth)?;
                    if py::PyDict_SetItem(*map, *name, *one) != 0 {
                        return Err(Fallback);
                    }
                }
                if py::PyDict_Size(*map) != count as Py_ssize_t {
                    return Err(Fallback);
                }
                return Ok(map);
            }
            _ => return Err(Fallback),
        };
        OwnedRef::new(object).ok_or(Fallback)
    }
}
