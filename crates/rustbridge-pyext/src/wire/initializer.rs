//! `_native.Initializer`: the `__init__` of a client's records, which puts what it is given into their slots.
//!
//! Python writes one for each frozen dataclass, by which each field costs a call. This one is looked up by `type` alone, when an
//! object is made: whoever asks a class or an object for its `__init__` gets Python's, which also says what's wrong with arguments.

use core::ffi::{c_ulong, c_void};
use core::mem::offset_of;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{Py_ssize_t, PyObject, PyTypeObject};

use super::parts::Parts;
use super::slots;
use crate::arguments::{call_with_all, named};
use crate::class::{self, Keeps};
use crate::ending;
use crate::error::fail;
use crate::object::OwnedRef;

/// Up to so many arguments are put in order where some come by their names, and Python does the same for more.
const NAMED: usize = 16;

/// The type of Python's own functions, kept for good: their `__get__` runs no code of anybody's.
static FUNCTION: AtomicPtr<PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// Above the count of arguments: the place before them may be used.
const OFFSET_BIT: usize = 1 << (usize::BITS - 1);

/// What calls without a tuple find, as Python's headers have it; part of the stable ABI by its name since 3.12.
const HAVE_VECTORCALL: c_ulong = 1 << 11;

/// The object. Immutable once made.
#[repr(C)]
struct InitializerObject {
    base: PyObject,
    vectorcall: Option<py::vectorcallfunc>,
    /// The tuple that keeps alive what is pointed to below.
    arguments: *mut PyObject,
    /// Python's own.
    function: *mut PyObject,
    class: *mut PyTypeObject,
    fields: *mut Vec<Field>,
    /// How many of them may come without their names.
    positional: usize,
}

// SAFETY: it's `repr(C)`, with the head first; without a tuple nothing is looked at.
unsafe impl Keeps for InitializerObject {
    fn arguments(&self) -> *mut PyObject {
        self.arguments
    }

    unsafe fn give_up(&mut self) {
        if !self.fields.is_null() {
            // SAFETY: made by `new`, and nobody else's.
            drop(unsafe { Box::from_raw(self.fields) });
        }
    }
}

/// A slot.
struct Field {
    name: *mut PyObject,
    offset: usize,
    /// Null for none.
    default: *mut PyObject,
}

impl InitializerObject {
    /// Fills the slots, if the arguments are so many as there are, and of an object of the class itself.
    ///
    /// # Safety
    /// The GIL is held; the arguments are those of a vectorcall, whose first is the object.
    #[inline(always)]
    unsafe fn fill(
        &self,
        arguments: *const *mut PyObject,
        count: usize,
        names: *mut PyObject,
    ) -> Option<()> {
        // SAFETY: the caller's promise; the object is of the class that the offsets are of. The names are a tuple, with a value each.
        unsafe {
            if count == 0 || py::Py_TYPE(*arguments) != self.class {
                return None;
            }
            let fields = &*self.fields;
            let (object, given) = (*arguments, arguments.add(1));
            if names.is_null() && count - 1 == fields.len() && count - 1 == self.positional {
                for (index, field) in fields.iter().enumerate() {
                    slots::fill(object, field.offset, OwnedRef::of(*given.add(index)));
                }
                return Some(());
            }
            self.fill_named(object, given, count - 1, names)
        }
    }

    /// The same where some come by their names, or not at all.
    ///
    /// # Safety
    /// As for `fill`, with what follows the object.
    unsafe fn fill_named(
        &self,
        object: *mut PyObject,
        given: *const *mut PyObject,
        count: usize,
        names: *mut PyObject,
    ) -> Option<()> {
        // SAFETY: as for `fill`. Whatever the arguments are, they live as long as the call, and the defaults as long as this.
        unsafe {
            let fields = &*self.fields;
            if count > self.positional || fields.len() > NAMED {
                return None;
            }
            let mut values = [ptr::null_mut(); NAMED];
            for (index, value) in values.iter_mut().take(count).enumerate() {
                *value = *given.add(index);
            }
            for index in 0..named(names) {
                // Names in code are one object for each; another that's equal Python knows.
                let name = py::PyTuple_GetItem(names, index);
                let at = fields.iter().position(|field| field.name == name)?;
                if !values[at].is_null() {
                    return None;
                }
                values[at] = *given.add(count + index as usize);
            }
            for (value, field) in values.iter_mut().zip(fields) {
                if value.is_null() {
                    *value = field.default;
                }
                if value.is_null() {
                    return None;
                }
            }
            for (value, field) in values.iter().zip(fields) {
                slots::fill(object, field.offset, OwnedRef::of(*value));
            }
            Some(())
        }
    }
}

/// `__init__(self, ...)`.
unsafe extern "C" fn initialize(
    callable: *mut PyObject,
    arguments: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    let count = count & !OFFSET_BIT;
    // SAFETY: Python calls it with an object of this type; the arguments are the caller's and live as long as the call.
    unsafe {
        let this = &*callable.cast::<InitializerObject>();
        if this.fill(arguments, count, names).is_some() {
            return py::Py_NewRef(py::Py_None());
        }
        call_with_all(this.function, arguments, count as Py_ssize_t, names)
    }
}

/// The same by a tuple and a dictionary.
unsafe extern "C" fn call(
    object: *mut PyObject,
    arguments: *mut PyObject,
    named: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: Python calls it with an object of this type.
    unsafe {
        ending::PyObject_Call(
            (*object.cast::<InitializerObject>()).function,
            arguments,
            named,
        )
    }
}

/// Python's own function, and that of an object bound to it.
unsafe extern "C" fn get(
    object: *mut PyObject,
    of: *mut PyObject,
    class: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: Python calls it with an object of this type; that it has a function was seen to when this was made.
    unsafe {
        let function = (*object.cast::<InitializerObject>()).function;
        let get = py::PyType_GetSlot(py::Py_TYPE(function), py::Py_tp_descr_get);
        ending::got(
            core::mem::transmute::<*mut c_void, py::descrgetfunc>(get),
            function,
            of,
            class,
        )
    }
}

/// What Python's own has: whoever finds this in the class's dictionary is to see a function.
unsafe extern "C" fn attribute(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls it with an object of this type and a name.
    unsafe { ending::PyObject_GetAttr((*object.cast::<InitializerObject>()).function, name) }
}

/// Reads `(class, fields, positional, function)`, each field `(name, descriptor)` or `(name, descriptor, default)`.
///
/// # Safety
/// As for [`Parts::of`].
unsafe fn read(parts: Parts) -> Option<(*mut PyTypeObject, Vec<Field>, usize, *mut PyObject)> {
    // SAFETY: the class is one of Python's, whose base is `object`.
    unsafe {
        let class = parts.class(0, &raw mut py::PyBaseObject_Type)?;
        let described = parts.parts(1)?;
        let offsets = slots::offsets(class, described.len(), |index| {
            described.parts(index)?.get(1)
        })?;
        let fields = described.each(|described, index| {
            let field = described.parts(index)?;
            let name = field.get(0)?;
            (py::PyUnicode_CheckExact(name) != 0).then_some(())?;
            Some(Field {
                name,
                offset: *offsets.get(index)?,
                default: field.get(2).unwrap_or(ptr::null_mut()),
            })
        })?;
        let positional = parts.number(2)?;
        let function = parts.get(3)?;
        let is_function = py::Py_TYPE(function) == FUNCTION.load(Ordering::Acquire);
        (is_function && positional <= fields.len()).then_some((class, fields, positional, function))
    }
}

/// The type of functions that are written in Python: nobody says of which, since what's called `types.FunctionType` may be
/// anything. A new reference, or null with an exception.
///
/// # Safety
/// The GIL is held.
unsafe fn type_of_functions() -> *mut PyObject {
    // SAFETY: what's new is held; the code is ours, and makes a function without running any of it.
    unsafe {
        let code = OwnedRef::new(py::Py_CompileString(
            c"lambda: None".as_ptr(),
            c"rustbridge".as_ptr(),
            py::Py_eval_input,
        ));
        let function = code.and_then(|code| {
            let names = OwnedRef::new(ending::PyDict_New())?;
            OwnedRef::new(py::PyEval_EvalCode(*code, *names, *names))
        });
        function.map_or(ptr::null_mut(), |function| {
            py::Py_NewRef(py::Py_TYPE(*function).cast())
        })
    }
}

/// `Initializer(class, fields, positional, function)`.
unsafe extern "C" fn new(
    kind: *mut PyTypeObject,
    arguments: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: what's pointed to is held by the tuple of arguments, which the object keeps.
    unsafe {
        let read = Parts::of(arguments).and_then(|parts| read(parts));
        let Some((class, fields, positional, function)) = read else {
            return fail(
                &raw mut py::PyExc_TypeError,
                c"Initializer takes a class with slots, its fields, how many may come without names, and its `__init__`",
            );
        };
        let object = ending::PyType_GenericAlloc(kind, 0);
        if !object.is_null() {
            let this: *mut InitializerObject = object.cast();
            (*this).vectorcall = Some(initialize);
            (*this).arguments = py::Py_NewRef(arguments);
            (*this).function = function;
            (*this).class = class;
            (*this).fields = Box::into_raw(Box::new(fields));
            (*this).positional = positional;
        }
        object
    }
}

/// Makes the type; a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held. Called once, while the module is made.
pub(crate) unsafe fn make_type() -> *mut PyObject {
    // SAFETY: the caller's promise.
    let function = unsafe { type_of_functions() };
    if function.is_null() {
        return function;
    }
    FUNCTION.store(function.cast(), Ordering::Release);
    let members = Box::leak(Box::new([
        py::PyMemberDef {
            name: c"__vectorcalloffset__".as_ptr(),
            type_code: py::Py_T_PYSSIZET,
            offset: offset_of!(InitializerObject, vectorcall) as Py_ssize_t,
            flags: py::Py_READONLY,
            doc: ptr::null(),
        },
        // SAFETY: of null pointers and zeros it's the end of members.
        unsafe { core::mem::zeroed() },
    ]));
    // SAFETY: the slots describe functions of the signatures Python expects, and the members live for good.
    unsafe {
        class::make_keeping::<InitializerObject>(
            c"rustbridge._native.Initializer",
            c"The `__init__` of a record's class.",
            py::Py_TPFLAGS_METHOD_DESCRIPTOR | HAVE_VECTORCALL,
            &[
                (py::Py_tp_new, new as *mut c_void),
                (py::Py_tp_call, call as *mut c_void),
                (py::Py_tp_descr_get, get as *mut c_void),
                (py::Py_tp_getattro, attribute as *mut c_void),
                (py::Py_tp_members, members.as_mut_ptr().cast()),
            ],
        )
    }
}
