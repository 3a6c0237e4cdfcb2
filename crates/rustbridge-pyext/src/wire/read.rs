//! The wire form into values of Python's.

use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use super::any;
use super::filling::ListBuilder;
use super::input::{In, bytes};
use super::limits::Fallback;
use super::nodes::{Node, Number, Place, Record};
use super::plan::Plan;
use super::slots;
use crate::ending;
use crate::object::{OwnedRef, call_one};

/// Makes a number of its bytes, of which there are enough. A new reference, or null with an exception.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub(super) unsafe fn number(number: Number, bytes: &[u8]) -> *mut PyObject {
    macro_rules! read {
        ($number:ty) => {
            <$number>::from_le_bytes(match bytes.first_chunk() {
                Some(bytes) => *bytes,
                None => return ptr::null_mut(),
            })
        };
    }
    // SAFETY: the caller's promise.
    unsafe {
        match number {
            Number::F64 => py::PyFloat_FromDouble(read!(f64)),
            Number::F32 => py::PyFloat_FromDouble(read!(f32).into()),
            Number::U64 => py::PyLong_FromUnsignedLongLong(read!(u64)),
            Number::I64 => py::PyLong_FromLongLong(read!(i64)),
            Number::U32 => py::PyLong_FromLongLong(read!(u32).into()),
            Number::I32 => py::PyLong_FromLongLong(read!(i32).into()),
            Number::U16 => py::PyLong_FromLongLong(read!(u16).into()),
            Number::I16 => py::PyLong_FromLongLong(read!(i16).into()),
            Number::U8 => py::PyLong_FromLongLong(read!(u8).into()),
            Number::I8 => py::PyLong_FromLongLong(read!(i8).into()),
        }
    }
}

/// Makes a list of numbers, by a loop of each kind's own: what kind it is isn't asked for each.
///
/// # Safety
/// As for [`number`]; there are the bytes of so many.
unsafe fn numbers(kind: Number, bytes: &[u8], count: usize) -> Result<OwnedRef, Fallback> {
    /// # Safety
    /// As for [`numbers`]; `one` makes an object of so many bytes.
    #[inline(always)]
    unsafe fn fill(
        bytes: &[u8],
        count: usize,
        size: usize,
        one: impl Fn(&[u8]) -> *mut PyObject,
    ) -> Result<OwnedRef, Fallback> {
        // SAFETY: the list has room for so many, and is filled before any other code runs.
        unsafe {
            let list = OwnedRef::new(ending::PyList_New(count as Py_ssize_t)).ok_or(Fallback)?;
            for (index, bytes) in bytes.chunks_exact(size).enumerate() {
                let one = one(bytes);
                if one.is_null() {
                    return Err(Fallback);
                }
                py::PyList_SetItem(*list, index as Py_ssize_t, one);
            }
            Ok(list)
        }
    }
    macro_rules! of {
        ($($kind:ident)*) => {
            match kind {
                $(Number::$kind => {
                    let size = const { Number::$kind.size() };
                    // SAFETY: the caller's promise.
                    unsafe { fill(bytes, count, size, |bytes| number(Number::$kind, bytes)) }
                })*
            }
        };
    }
    of!(U8 U16 U32 U64 I8 I16 I32 I64 F32 F64)
}

impl Plan {
    /// Reads a value.
    ///
    /// # Safety
    /// The GIL is held; the place is one of the plan's.
    pub(super) unsafe fn read(
        &self,
        place: Place,
        input: &mut In<'_>,
        depth: usize,
    ) -> Result<OwnedRef, Fallback> {
        // SAFETY: each new object is checked and held. The plan keeps what its nodes point to.
        unsafe {
            let object = match &self.nodes[place] {
                Node::Unit => return Ok(OwnedRef::of(py::Py_None())),
                Node::Bool if input.bool()? => return Ok(OwnedRef::of(py::Py_True())),
                Node::Bool => return Ok(OwnedRef::of(py::Py_False())),
                Node::Char => {
                    let character = u32::from_le_bytes(input.array()?);
                    let mut text = [0; 4];
                    let text = char::from_u32(character)
                        .ok_or(Fallback)?
                        .encode_utf8(&mut text);
                    py::PyUnicode_FromStringAndSize(text.as_ptr().cast(), text.len() as Py_ssize_t)
                }
                Node::Text => return input.text(),
                Node::Bytes => return input.bytes(),
                Node::Any => return any::read(input, depth),
                Node::Number(kind) => number(*kind, input.take(kind.size())?),
                Node::Other { read, size, .. } => {
                    let bytes = bytes(match size {
                        0 => input.counted()?,
                        size => input.take(*size)?,
                    })?;
                    call_one(*read, *bytes)
                }
                Node::List {
                    item,
                    least,
                    is_aligned,
                } => {
                    let count = input.count(*least)?;
                    if *is_aligned {
                        input.align()?;
                    }
                    return self.read_items(*item, count, input, depth);
                }
                Node::Array { item, count, least } => {
                    let bytes = count.checked_mul(*least).ok_or(Fallback)?;
                    if bytes > input.left() {
                        return Err(Fallback);
                    }
                    return self.read_items(*item, *count, input, depth);
                }
                Node::Map { key, item, least } => {
                    let count = input.count(*least)?;
                    let map = OwnedRef::new(ending::PyDict_New()).ok_or(Fallback)?;
                    for _ in 0..count {
                        let name = self.read(*key, input, depth)?;
                        let one = self.read(*item, input, depth)?;
                        if ending::PyDict_SetItem(*map, *name, *one) != 0 {
                            return Err(Fallback);
                        }
                    }
                    if py::PyDict_Size(*map) != count as Py_ssize_t {
                        return Err(Fallback);
                    }
                    return Ok(map);
                }
                Node::Option(item) | Node::Present(item) => {
                    if input.bool()? {
                        return self.read(*item, input, depth);
                    }
                    return Ok(OwnedRef::of(py::Py_None()));
                }
                Node::Tuple { items, class } => {
                    let mut values = Vec::with_capacity(items.len());
                    for item in items {
                        values.push(self.read(*item, input, depth)?);
                    }
                    return tuple(*class, values);
                }
                Node::Record(record) => return self.read_record(record, input, depth),
                Node::Plain { members, .. } => {
                    let number = u16::from_le_bytes(input.array()?);
                    return Ok(OwnedRef::of(
                        *members.get(usize::from(number)).ok_or(Fallback)?,
                    ));
                }
                Node::Variants { records, .. } => {
                    let number = u16::from_le_bytes(input.array()?);
                    let record = records.get(usize::from(number)).ok_or(Fallback)?;
                    return self.read_record(record, input, depth);
                }
                Node::Deeper(inner) => {
                    let depth = input.deeper(depth)?;
                    return self.read(*inner, input, depth);
                }
            };
            OwnedRef::new(object).ok_or(Fallback)
        }
    }

    unsafe fn read_record(
        &self,
        record: &Record,
        input: &mut In<'_>,
        depth: usize,
    ) -> Result<OwnedRef, Fallback> {
        // SAFETY: the class is one of Python's, whose base is `object`, so an object of it is whole once it has its slots.
        unsafe {
            let object =
                OwnedRef::new(ending::PyType_GenericAlloc(record.class, 0)).ok_or(Fallback)?;
            for field in &record.fields {
                let one = if field.has_default && !input.bool()? {
                    if field.is_default_known {
                        return Err(Fallback);
                    }
                    OwnedRef::of(self.default)
                } else {
                    self.read_part(field.node, input, depth)?
                };
                slots::fill(*object, field.offset, one);
            }
            Ok(object)
        }
    }

    /// Reads a value of a record or of a list: what most of them are, without going through all that one could be.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    #[inline(always)]
    unsafe fn read_part(
        &self,
        place: Place,
        input: &mut In<'_>,
        depth: usize,
    ) -> Result<OwnedRef, Fallback> {
        // SAFETY: the caller's promise.
        unsafe {
            match &self.nodes[place] {
                Node::Number(kind) => {
                    OwnedRef::new(number(*kind, input.take(kind.size())?)).ok_or(Fallback)
                }
                Node::Text => input.text(),
                Node::Any => any::read(input, depth),
                _ => self.read(place, input, depth),
            }
        }
    }

    unsafe fn read_items(
        &self,
        item: Place,
        count: usize,
        input: &mut In<'_>,
        depth: usize,
    ) -> Result<OwnedRef, Fallback> {
        // SAFETY: a list of numbers is filled before any other code runs; into others, items go one by one, and nobody sees them
        // meanwhile.
        unsafe {
            if let Node::Number(kind) = self.nodes[item] {
                let bytes = input.take(count.checked_mul(kind.size()).ok_or(Fallback)?)?;
                return numbers(kind, bytes, count);
            }
            // All of them lie equally deep.
            let (node, inner_depth) = match &self.nodes[item] {
                Node::Deeper(inner) if count > 0 => (&self.nodes[*inner], input.deeper(depth)?),
                node => (node, depth),
            };
            let mut list = ListBuilder::new(count)?;
            for _ in 0..count {
                list.push(match node {
                    Node::Record(record) => self.read_record(record, input, inner_depth)?,
                    Node::Any => any::read(input, depth)?,
                    _ => self.read_part(item, input, depth)?,
                })?;
            }
            Ok(list.whole())
        }
    }
}

/// Makes a tuple of values that are there, so that nobody sees one that lacks some.
unsafe fn tuple(class: *mut PyTypeObject, values: Vec<OwnedRef>) -> Result<OwnedRef, Fallback> {
    // SAFETY: a new tuple of so many items has room for them, and is nobody else's yet.
    unsafe {
        let count = values.len() as Py_ssize_t;
        let tuple = OwnedRef::new(ending::PyTuple_New(count)).ok_or(Fallback)?;
        for (index, value) in values.into_iter().enumerate() {
            if py::PyTuple_SetItem(*tuple, index as Py_ssize_t, value.give()) != 0 {
                return Err(Fallback);
            }
        }
        let base = &raw mut py::PyTuple_Type;
        if class == base {
            return Ok(tuple);
        }
        // Made by Python alone: what else is in such an object (3.14 keeps its hash there, which isn't 0) is nobody else's to know.
        let new = ending::PyObject_GetAttrString(base.cast(), c"__new__".as_ptr());
        let new = OwnedRef::new(new).ok_or(Fallback)?;
        let arguments = OwnedRef::new(ending::PyTuple_New(2)).ok_or(Fallback)?;
        py::PyTuple_SetItem(*arguments, 0, py::Py_NewRef(class.cast()));
        py::PyTuple_SetItem(*arguments, 1, tuple.give());
        OwnedRef::new(ending::PyObject_CallObject(*new, *arguments)).ok_or(Fallback)
    }
}
