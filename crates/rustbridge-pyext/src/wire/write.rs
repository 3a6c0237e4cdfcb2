//! Values of Python's into the wire form.

use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::any;
use super::limits::{Done, Fallback};
use super::nodes::{Node, Place, Record};
use super::output::OutputBuffer;
use super::plan::Plan;
use super::slots;
use crate::borrowed::Borrowed;
use crate::convert;
use crate::ending;
use crate::object::{OwnedRef, call_one};

impl Plan {
    /// Writes a value.
    ///
    /// # Safety
    /// The GIL is held; the value lives as long as the call; the place is one of the plan's.
    pub(super) unsafe fn write(
        &self,
        place: Place,
        value: *mut PyObject,
        out: &mut OutputBuffer<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: what's borrowed from containers that other code may change is held while it's written. The plan keeps what its
        // nodes point to.
        unsafe {
            match &self.nodes[place] {
                Node::Unit if value == py::Py_None() => Ok(()),
                Node::Unit => Err(Fallback),
                Node::Bool if value == py::Py_True() => out.put(&[1]),
                Node::Bool if value == py::Py_False() => out.put(&[0]),
                Node::Bool => Err(Fallback),
                Node::Char => write_char(value, out),
                Node::Text => out.text(value),
                Node::Bytes => out.bytes(value),
                Node::Any => any::write(value, out, depth),
                Node::Number(number) => out.number(*number, value),
                Node::Other { write, size, .. } => write_other(*write, *size, value, out),
                Node::List {
                    item, is_aligned, ..
                } => self.write_list(*item, *is_aligned, value, out, depth),
                Node::Array { item, count, .. } => {
                    let items = Sequence::of(value).ok_or(Fallback)?;
                    if items.len() != *count {
                        return Err(Fallback);
                    }
                    self.write_items(*item, &items, out, depth)
                }
                Node::Map { key, item, .. } => self.write_map(*key, *item, value, out, depth),
                Node::Option(_) if value == py::Py_None() => out.put(&[0]),
                Node::Option(item) | Node::Present(item) => {
                    out.put(&[1])?;
                    self.write(*item, value, out, depth)
                }
                Node::Tuple { items, class } => {
                    let kind = py::Py_TYPE(value);
                    // A tuple of a class's own is any tuple as well.
                    if kind != &raw mut py::PyTuple_Type && kind != *class
                        || py::PyTuple_Size(value) as usize != items.len()
                    {
                        return Err(Fallback);
                    }
                    for (index, item) in items.iter().enumerate() {
                        // Nobody changes a tuple.
                        let one = py::PyTuple_GetItem(value, index as Py_ssize_t);
                        self.write(*item, one, out, depth)?;
                    }
                    Ok(())
                }
                Node::Record(record) if py::Py_TYPE(value) == record.class => {
                    self.write_record(record, value, out, depth)
                }
                Node::Record(_) => Err(Fallback),
                Node::Plain { class, members } => {
                    if py::Py_TYPE(value) != *class {
                        return Err(Fallback);
                    }
                    let number = members.iter().position(|member| *member == value);
                    let number = u16::try_from(number.ok_or(Fallback)?).map_err(|_| Fallback)?;
                    out.put(&number.to_le_bytes())
                }
                Node::Variants { records, numbers } => {
                    let class = py::Py_TYPE(value);
                    let found = numbers.binary_search_by_key(&class, |(class, _)| *class);
                    let (_, number) = numbers[found.map_err(|_| Fallback)?];
                    out.put(&number.to_le_bytes())?;
                    self.write_record(&records[usize::from(number)], value, out, depth)
                }
                Node::Deeper(inner) => {
                    let depth = out.deeper(depth)?;
                    self.write(*inner, value, out, depth)
                }
            }
        }
    }

    /// The places of a tuple's values, and how deep they lie; none if that isn't one.
    pub(super) fn values_of(&self, place: Place) -> Option<(&[Place], usize)> {
        match &self.nodes[place] {
            Node::Tuple { items, .. } => Some((items, 0)),
            Node::Deeper(inner) => match &self.nodes[*inner] {
                Node::Tuple { items, .. } => Some((items, 1)),
                _ => None,
            },
            _ => None,
        }
    }

    unsafe fn write_record(
        &self,
        record: &Record,
        value: *mut PyObject,
        out: &mut OutputBuffer<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: the value is of the class that the offsets are of; another that it may be given meanwhile has the same slots.
        unsafe {
            for field in &record.fields {
                let one = slots::get(value, field.offset);
                if one.is_null() {
                    return Err(Fallback);
                }
                if field.has_default {
                    if one == self.default {
                        out.put(&[0])?;
                        continue;
                    }
                    out.put(&[1])?;
                }
                self.write_part(field.node, one, out, depth)?;
            }
            Ok(())
        }
    }

    /// Writes a value of a record or of a list: what most of them are, without going through all that one could be. The value
    /// may be borrowed from where other code may change it: it's held while any runs.
    ///
    /// # Safety
    /// As for [`write`](Self::write).
    #[inline(always)]
    pub(super) unsafe fn write_part(
        &self,
        place: Place,
        value: *mut PyObject,
        out: &mut OutputBuffer<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: the caller's promise.
        unsafe {
            match &self.nodes[place] {
                Node::Number(number) => out.number(*number, value),
                Node::Text => out.text(value),
                Node::Any => any::write(value, out, depth),
                _ => self.write(place, *OwnedRef::of(value), out, depth),
            }
        }
    }

    unsafe fn write_list(
        &self,
        item: Place,
        is_aligned: bool,
        value: *mut PyObject,
        out: &mut OutputBuffer<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: the view is held while it's copied.
        unsafe {
            if let Some(items) = Sequence::of(value) {
                out.count(items.len())?;
                if is_aligned {
                    out.align()?;
                }
                return self.write_items(item, &items, out, depth);
            }
            let Node::Number(number) = self.nodes[item] else {
                return Err(Fallback);
            };
            let is_text = py::PyUnicode_Check(value) != 0 || py::PyBytes_Check(value) != 0;
            if is_text || py::PyDict_Check(value) != 0 || py::PyObject_CheckBuffer(value) == 0 {
                return Err(Fallback);
            }
            let len = ending::PyObject_Size(value);
            if len < 0 {
                return Err(Fallback);
            }
            let view = Borrowed::items(value).ok_or(Fallback)?;
            // Whatever `len` says of it.
            if view.count() != Some(len) || !number.is_format(view.format()) {
                return Err(Fallback);
            }
            if view.len() != len as usize * number.size() {
                return Err(Fallback);
            }
            out.count(len as usize)?;
            if is_aligned {
                out.align()?;
            }
            out.copy(&view)
        }
    }

    unsafe fn write_items(
        &self,
        item: Place,
        items: &Sequence,
        out: &mut OutputBuffer<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: numbers are written without any other code running; other items are held.
        unsafe {
            if let Node::Number(number) = self.nodes[item] {
                out.room(items.len().checked_mul(number.size()).ok_or(Fallback)?)?;
                for index in 0..items.len() {
                    out.number(number, items.get(index).ok_or(Fallback)?)?;
                }
                return Ok(());
            }
            // All of them lie equally deep.
            let (node, inner_depth) = match &self.nodes[item] {
                Node::Deeper(inner) if items.len() > 0 => (&self.nodes[*inner], out.deeper(depth)?),
                node => (node, depth),
            };
            for index in 0..items.len() {
                let one = items.get(index).ok_or(Fallback)?;
                match node {
                    Node::Record(record) => {
                        let one = OwnedRef::of(one);
                        if py::Py_TYPE(*one) != record.class {
                            return Err(Fallback);
                        }
                        self.write_record(record, *one, out, inner_depth)?;
                    }
                    Node::Any => any::write(one, out, depth)?,
                    _ => self.write_part(item, one, out, depth)?,
                }
            }
            // As many as were announced: one that has grown meanwhile is told of by Python.
            if items.is_as_before() {
                Ok(())
            } else {
                Err(Fallback)
            }
        }
    }

    unsafe fn write_map(
        &self,
        key: Place,
        item: Place,
        value: *mut PyObject,
        out: &mut OutputBuffer<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: keys and values are held while they're written; the walk checks its position each time.
        unsafe {
            if py::PyDict_CheckExact(value) == 0 {
                return Err(Fallback);
            }
            let count = py::PyDict_Size(value);
            out.count(count as usize)?;
            let (mut at, mut written) = (0, 0);
            let (mut name, mut one) = (ptr::null_mut(), ptr::null_mut());
            while py::PyDict_Next(value, &mut at, &mut name, &mut one) != 0 {
                let (name, one) = (OwnedRef::of(name), OwnedRef::of(one));
                self.write(key, *name, out, depth)?;
                self.write(item, *one, out, depth)?;
                written += 1;
                if written > count || py::PyDict_Size(value) != count {
                    return Err(Fallback);
                }
            }
            if written == count {
                Ok(())
            } else {
                Err(Fallback)
            }
        }
    }
}

/// A list or a tuple, exactly.
struct Sequence {
    object: *mut PyObject,
    is_list: bool,
    len: usize,
}

impl Sequence {
    /// # Safety
    /// The GIL is held; the object lives as long as this. It goes for all of them.
    unsafe fn of(object: *mut PyObject) -> Option<Sequence> {
        // SAFETY: the caller's promise.
        unsafe {
            let is_list = py::PyList_CheckExact(object) != 0;
            if !is_list && py::PyTuple_CheckExact(object) == 0 {
                return None;
            }
            let mut sequence = Sequence {
                object,
                is_list,
                len: 0,
            };
            sequence.len = sequence.size();
            Some(sequence)
        }
    }

    unsafe fn size(&self) -> usize {
        // SAFETY: it's of that type.
        unsafe {
            (if self.is_list {
                py::PyList_Size(self.object)
            } else {
                py::PyTuple_Size(self.object)
            }) as usize
        }
    }

    unsafe fn is_as_before(&self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.size() == self.len }
    }

    fn len(&self) -> usize {
        self.len
    }

    /// An item, borrowed; None with an exception if it isn't there any more.
    #[inline(always)]
    unsafe fn get(&self, index: usize) -> Option<*mut PyObject> {
        // SAFETY: it's of that type, and the functions check the index.
        let item = unsafe {
            if self.is_list {
                py::PyList_GetItem(self.object, index as Py_ssize_t)
            } else {
                py::PyTuple_GetItem(self.object, index as Py_ssize_t)
            }
        };
        (!item.is_null()).then_some(item)
    }
}

unsafe fn write_char(value: *mut PyObject, out: &mut OutputBuffer<'_>) -> Done {
    // SAFETY: the text is used while the object lives, which the caller promises.
    unsafe {
        if py::PyUnicode_CheckExact(value) == 0 || py::PyUnicode_GetLength(value) != 1 {
            return Err(Fallback);
        }
        let character = py::PyUnicode_ReadChar(value, 0);
        let character = char::from_u32(character).ok_or(Fallback)?;
        out.put(&u32::from(character).to_le_bytes())
    }
}

/// What a function of Python's makes of a value.
unsafe fn write_other(
    write: *mut PyObject,
    size: usize,
    value: *mut PyObject,
    out: &mut OutputBuffer<'_>,
) -> Done {
    // SAFETY: the plan holds the function, and the answer is held while it's copied.
    unsafe {
        let bytes = OwnedRef::new(call_one(write, value)).ok_or(Fallback)?;
        if py::PyBytes_CheckExact(*bytes) == 0 {
            return Err(Fallback);
        }
        let (data, len) = convert::bytes(*bytes);
        if size != 0 && len != size {
            return Err(Fallback);
        }
        out.put(core::slice::from_raw_parts(data, len))
    }
}
