//! Values of Python's into the wire form.

use core::ffi::c_int;
use core::ptr;

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject};

use super::any;
use super::nodes::{Node, Number, Place, Record};
use super::object::Owned;
use super::plan::Plan;
use crate::borrowed::Borrowed;
use crate::convert;
use crate::ending;

/// How many values may lie in each other, as Python counts them.
pub(super) const MAX_DEPTH: usize = 128;

/// How much stack there has to be before it goes deeper.
const STACK: usize = 96 * 1024;

/// The most bytes that a message has.
pub(super) const MAX_BYTES: usize = i32::MAX as usize - 8;

/// Not for a plan to write or to read: Python is to try it. There may be an exception, which says nothing to anybody unless it's
/// one that isn't an `Exception`, as a Ctrl-C.
pub(super) struct Unfit;

pub(super) type Done = Result<(), Unfit>;

/// Whether it may go one deeper.
pub(super) fn deeper(depth: usize) -> Result<usize, Unfit> {
    let is_low = rustbridge_stack::stack().is_some_and(|stack| stack.left < STACK);
    if depth == MAX_DEPTH || is_low {
        return Err(Unfit);
    }
    Ok(depth + 1)
}

/// A message that is written.
pub(super) struct Out<'m>(pub(super) &'m mut Vec<u8>);

impl Out<'_> {
    #[inline(always)]
    pub(super) fn put(&mut self, bytes: &[u8]) -> Done {
        self.room(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    /// Sees to it that so many more bytes fit.
    #[inline(always)]
    fn room(&mut self, count: usize) -> Done {
        if self.0.capacity() - self.0.len() >= count {
            return Ok(());
        }
        self.grow(count)
    }

    #[cold]
    fn grow(&mut self, count: usize) -> Done {
        if count > MAX_BYTES - self.0.len().min(MAX_BYTES) {
            return Err(Unfit);
        }
        self.0.try_reserve(count).map_err(|_| Unfit)
    }

    pub(super) fn count(&mut self, count: usize) -> Done {
        let count = u32::try_from(count).map_err(|_| Unfit)?;
        self.put(&count.to_le_bytes())
    }

    /// Fills up to a multiple of 8.
    fn align(&mut self) -> Done {
        let padding = self.0.len().wrapping_neg() % 8;
        self.put(&[0; 8][..padding])
    }

    /// A number that is exactly an int, or for a float also that.
    ///
    /// # Safety
    /// The GIL is held; the object lives.
    #[inline(always)]
    unsafe fn number(&mut self, number: Number, value: *mut PyObject) -> Done {
        // SAFETY: the caller's promise.
        unsafe {
            match number {
                Number::F64 => self.put(&float(value)?.to_le_bytes()),
                Number::F32 => {
                    let value = float(value)?;
                    let short = value as f32;
                    if short.is_infinite() && value.is_finite() {
                        return Err(Unfit);
                    }
                    self.put(&short.to_le_bytes())
                }
                Number::U64 => self.put(&unsigned(value)?.to_le_bytes()),
                Number::I64 => self.put(&int(value)?.to_le_bytes()),
                Number::U32 => self.put(&fitting::<u32>(value)?.to_le_bytes()),
                Number::I32 => self.put(&fitting::<i32>(value)?.to_le_bytes()),
                Number::U16 => self.put(&fitting::<u16>(value)?.to_le_bytes()),
                Number::I16 => self.put(&fitting::<i16>(value)?.to_le_bytes()),
                Number::U8 => self.put(&fitting::<u8>(value)?.to_le_bytes()),
                Number::I8 => self.put(&fitting::<i8>(value)?.to_le_bytes()),
            }
        }
    }

    /// A str, with its length.
    ///
    /// # Safety
    /// As for `number`.
    #[inline(always)]
    pub(super) unsafe fn text(&mut self, value: *mut PyObject) -> Done {
        // SAFETY: the text is used while the object lives, which the caller promises.
        unsafe {
            if py::PyUnicode_CheckExact(value) == 0 {
                return Err(Unfit);
            }
            let text = convert::text(value).ok_or(Unfit)?;
            self.count(text.len)?;
            self.put(core::slice::from_raw_parts(text.data.cast(), text.len))
        }
    }

    /// Bytes, or another buffer's, with their length.
    ///
    /// # Safety
    /// As for `number`.
    pub(super) unsafe fn bytes(&mut self, value: *mut PyObject) -> Done {
        // SAFETY: the bytes are copied while the object, or the view of it, lives.
        unsafe {
            if py::PyBytes_CheckExact(value) != 0 {
                let (data, len) = convert::bytes(value);
                self.count(len)?;
                return self.put(core::slice::from_raw_parts(data, len));
            }
            let view = Borrowed::request(value, true).ok_or(Unfit)?;
            self.count(view.len())?;
            self.copy(&view)
        }
    }

    /// The bytes of a view, which others may write to meanwhile, as they may where Python copies them.
    fn copy(&mut self, view: &Borrowed) -> Done {
        self.room(view.len())?;
        let len = self.0.len();
        // SAFETY: there's room for so many bytes behind those that are there, and the view is held.
        unsafe {
            ptr::copy_nonoverlapping(view.data(), self.0.as_mut_ptr().add(len), view.len());
            self.0.set_len(len + view.len());
        }
        Ok(())
    }
}

/// An int that 64 bits hold.
///
/// # Safety
/// The GIL is held; the object lives.
#[inline(always)]
pub(super) unsafe fn int(value: *mut PyObject) -> Result<i64, Unfit> {
    let mut overflow: c_int = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Unfit);
        }
        let number = py::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        if overflow == 0 {
            Ok(number)
        } else {
            Err(Unfit)
        }
    }
}

/// # Safety
/// As for [`int`].
#[inline(always)]
unsafe fn fitting<N: TryFrom<i64>>(value: *mut PyObject) -> Result<N, Unfit> {
    // SAFETY: the caller's promise.
    N::try_from(unsafe { int(value)? }).map_err(|_| Unfit)
}

/// # Safety
/// As for [`int`].
#[inline(always)]
pub(super) unsafe fn unsigned(value: *mut PyObject) -> Result<u64, Unfit> {
    let mut overflow: c_int = 0;
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Unfit);
        }
        let number = py::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        if overflow == 0 {
            return u64::try_from(number).map_err(|_| Unfit);
        }
        let number = py::PyLong_AsUnsignedLongLong(value);
        if number == u64::MAX && !py::PyErr_Occurred().is_null() {
            return Err(Unfit);
        }
        Ok(number)
    }
}

/// # Safety
/// As for [`int`].
#[inline(always)]
unsafe fn float(value: *mut PyObject) -> Result<f64, Unfit> {
    // SAFETY: the caller's promise.
    unsafe {
        if py::PyFloat_CheckExact(value) != 0 {
            return Ok(py::PyFloat_AsDouble(value));
        }
        if py::PyLong_CheckExact(value) == 0 {
            return Err(Unfit);
        }
        let number = py::PyLong_AsDouble(value);
        if number == -1.0 && !py::PyErr_Occurred().is_null() {
            return Err(Unfit);
        }
        Ok(number)
    }
}

impl Plan {
    /// Writes a value.
    ///
    /// # Safety
    /// The GIL is held; the value lives as long as the call; the place is one of the plan's.
    pub(super) unsafe fn write(
        &self,
        place: Place,
        value: *mut PyObject,
        out: &mut Out<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: what's borrowed from containers that other code may change is held while it's written. The plan keeps what its
        // nodes point to.
        unsafe {
            match &self.nodes[place] {
                Node::Unit if value == py::Py_None() => Ok(()),
                Node::Unit => Err(Unfit),
                Node::Bool if value == py::Py_True() => out.put(&[1]),
                Node::Bool if value == py::Py_False() => out.put(&[0]),
                Node::Bool => Err(Unfit),
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
                    let items = Sequence::of(value).ok_or(Unfit)?;
                    if items.len() != *count {
                        return Err(Unfit);
                    }
                    self.write_items(*item, &items, out, depth)
                }
                Node::Map { key, item, .. } => self.write_map(*key, *item, value, out, depth),
                Node::Option(_) if value == py::Py_None() => out.put(&[0]),
                Node::Option(item) => {
                    out.put(&[1])?;
                    self.write(*item, value, out, depth)
                }
                Node::Tuple { items, class } => {
                    let kind = py::Py_TYPE(value);
                    // A tuple of a class's own is any tuple as well.
                    if kind != &raw mut py::PyTuple_Type && kind != *class
                        || py::PyTuple_Size(value) as usize != items.len()
                    {
                        return Err(Unfit);
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
                Node::Record(_) => Err(Unfit),
                Node::Plain { class, members } => {
                    if py::Py_TYPE(value) != *class {
                        return Err(Unfit);
                    }
                    let number = members.iter().position(|member| *member == value);
                    let number = u16::try_from(number.ok_or(Unfit)?).map_err(|_| Unfit)?;
                    out.put(&number.to_le_bytes())
                }
                Node::Variants { records, numbers } => {
                    let class = py::Py_TYPE(value);
                    let found = numbers.binary_search_by_key(&class, |(class, _)| *class);
                    let (_, number) = numbers[found.map_err(|_| Unfit)?];
                    out.put(&number.to_le_bytes())?;
                    self.write_record(&records[usize::from(number)], value, out, depth)
                }
                Node::Deeper(inner) => self.write(*inner, value, out, deeper(depth)?),
            }
        }
    }

    unsafe fn write_record(
        &self,
        record: &Record,
        value: *mut PyObject,
        out: &mut Out<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: the value is of the class that the descriptors are of, and they check that themselves.
        unsafe {
            for field in &record.fields {
                let one = (field.get)(field.descriptor, value, record.class.cast());
                let one = Owned::new(one).ok_or(Unfit)?;
                if field.has_default {
                    if *one == self.default {
                        out.put(&[0])?;
                        continue;
                    }
                    out.put(&[1])?;
                }
                self.write(field.node, *one, out, depth)?;
            }
            Ok(())
        }
    }

    unsafe fn write_list(
        &self,
        item: Place,
        is_aligned: bool,
        value: *mut PyObject,
        out: &mut Out<'_>,
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
                return Err(Unfit);
            };
            let is_text = py::PyUnicode_Check(value) != 0 || py::PyBytes_Check(value) != 0;
            if is_text || py::PyDict_Check(value) != 0 || py::PyObject_CheckBuffer(value) == 0 {
                return Err(Unfit);
            }
            let len = ending::PyObject_Size(value);
            if len < 0 {
                return Err(Unfit);
            }
            let view = Borrowed::items(value).ok_or(Unfit)?;
            // Whatever `len` says of it.
            if view.count() != Some(len) || !number.is_format(view.format()) {
                return Err(Unfit);
            }
            if view.len() != len as usize * number.size() {
                return Err(Unfit);
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
        out: &mut Out<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: numbers are written without any other code running; other items are held.
        unsafe {
            if let Node::Number(number) = self.nodes[item] {
                out.room(items.len().checked_mul(number.size()).ok_or(Unfit)?)?;
                for index in 0..items.len() {
                    out.number(number, items.get(index).ok_or(Unfit)?)?;
                }
                return Ok(());
            }
            for index in 0..items.len() {
                let one = Owned::of(items.get(index).ok_or(Unfit)?);
                self.write(item, *one, out, depth)?;
            }
            // As many as were announced: one that has grown meanwhile is told of by Python.
            if items.is_as_before() {
                Ok(())
            } else {
                Err(Unfit)
            }
        }
    }

    unsafe fn write_map(
        &self,
        key: Place,
        item: Place,
        value: *mut PyObject,
        out: &mut Out<'_>,
        depth: usize,
    ) -> Done {
        // SAFETY: keys and values are held while they're written; the walk checks its position each time.
        unsafe {
            if py::PyDict_CheckExact(value) == 0 {
                return Err(Unfit);
            }
            let count = py::PyDict_Size(value);
            out.count(count as usize)?;
            let (mut at, mut written) = (0, 0);
            let (mut name, mut one) = (ptr::null_mut(), ptr::null_mut());
            while py::PyDict_Next(value, &mut at, &mut name, &mut one) != 0 {
                let (name, one) = (Owned::of(name), Owned::of(one));
                self.write(key, *name, out, depth)?;
                self.write(item, *one, out, depth)?;
                written += 1;
                if written > count || py::PyDict_Size(value) != count {
                    return Err(Unfit);
                }
            }
            if written == count { Ok(()) } else { Err(Unfit) }
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

unsafe fn write_char(value: *mut PyObject, out: &mut Out<'_>) -> Done {
    // SAFETY: the text is used while the object lives, which the caller promises.
    unsafe {
        if py::PyUnicode_CheckExact(value) == 0 || py::PyUnicode_GetLength(value) != 1 {
            return Err(Unfit);
        }
        let character = py::PyUnicode_ReadChar(value, 0);
        let character = char::from_u32(character).ok_or(Unfit)?;
        out.put(&u32::from(character).to_le_bytes())
    }
}

/// What a function of Python's makes of a value.
unsafe fn write_other(
    write: *mut PyObject,
    size: usize,
    value: *mut PyObject,
    out: &mut Out<'_>,
) -> Done {
    // SAFETY: the plan holds the function, and the answer is held while it's copied.
    unsafe {
        let bytes = Owned::new(call_one(write, value)).ok_or(Unfit)?;
        if py::PyBytes_CheckExact(*bytes) == 0 {
            return Err(Unfit);
        }
        let (data, len) = convert::bytes(*bytes);
        if len != size {
            return Err(Unfit);
        }
        out.put(core::slice::from_raw_parts(data, len))
    }
}

/// Calls with one argument; a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held; both live as long as the call.
pub(super) unsafe fn call_one(callable: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    // SAFETY: the tuple gets a reference of its own.
    unsafe {
        let arguments = ending::PyTuple_New(1);
        if arguments.is_null() {
            return arguments;
        }
        py::PyTuple_SetItem(arguments, 0, py::Py_NewRef(argument));
        let answer = ending::PyObject_CallObject(callable, arguments);
        ending::Py_DecRef(arguments);
        answer
    }
}
