//! `_native.Plan`: the types of a client schema, as Python describes them to the codec.

use core::cmp::max;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3_ffi as py;
use pyo3_ffi::{PyObject, PyTypeObject};

use super::nodes::{Field, Node, Number, Place, Record};
use super::parts::Parts;
use super::slots;
use crate::class::{self, Keeps};
use crate::convert;
use crate::ending;
use crate::error::fail;

/// How many nodes may lie in each other without one whose depth is counted between them.
const UNCOUNTED: usize = 64;

/// The nodes.
pub(super) struct Plan {
    pub(super) nodes: Vec<Node>,
    /// What a field has that is left to the plugin's default.
    pub(super) default: *mut PyObject,
}

/// The object. Immutable once made.
#[repr(C)]
pub(super) struct PlanObject {
    base: PyObject,
    /// The tuple that keeps alive what the nodes point to.
    arguments: *mut PyObject,
    plan: *mut Plan,
}

// SAFETY: it's `repr(C)`, with the head first; without a tuple nothing is looked at.
unsafe impl Keeps for PlanObject {
    fn arguments(&self) -> *mut PyObject {
        self.arguments
    }

    unsafe fn give_up(&mut self) {
        if !self.plan.is_null() {
            // SAFETY: made by `new`, and nobody else's.
            drop(unsafe { Box::from_raw(self.plan) });
        }
    }
}

/// The type, made with the module and kept for good.
static TYPE: AtomicPtr<PyTypeObject> = AtomicPtr::new(ptr::null_mut());

impl PlanObject {
    /// The plan, of an object of this type.
    ///
    /// # Safety
    /// The GIL is held; the plan is used no longer than the object lives.
    pub(super) unsafe fn of<'a>(object: *mut PyObject) -> Option<&'a Plan> {
        // SAFETY: the type has no subclasses, and its objects always have a plan.
        unsafe {
            (py::Py_TYPE(object) == TYPE.load(Ordering::Acquire))
                .then(|| &*(*object.cast::<PlanObject>()).plan)
        }
    }
}

/// Reads `(class, descriptors, nodes, defaults)` from an index on.
///
/// # Safety
/// As for [`Parts::of`].
unsafe fn record(parts: Parts, from: usize) -> Option<Record> {
    // SAFETY: the class is one of Python's, whose base is `object`.
    unsafe {
        let class = parts.class(from, &raw mut py::PyBaseObject_Type)?;
        let descriptors = parts.parts(from + 1)?;
        let nodes = parts.parts(from + 2)?;
        let defaults = parts.parts(from + 3)?;
        let offsets = slots::offsets(class, descriptors.len(), |index| descriptors.get(index))?;
        let fields = descriptors.each(|_, index| {
            Some(Field {
                offset: *offsets.get(index)?,
                node: nodes.number(index)?,
                has_default: defaults.is_true(index)? || defaults.is_none(index)?,
                is_default_known: defaults.is_none(index)?,
            })
        })?;
        Some(Record { class, fields })
    }
}

/// Reads a node: a tuple that begins with its kind.
///
/// # Safety
/// As for [`Parts::of`].
unsafe fn node(parts: Parts) -> Option<Node> {
    // SAFETY: each part is looked at before it's used as what it has to be.
    unsafe {
        let kind = parts.get(0)?;
        if py::PyUnicode_CheckExact(kind) == 0 {
            return None;
        }
        let kind = convert::text(kind)?;
        let kind = core::slice::from_raw_parts(kind.data.cast::<u8>(), kind.len);
        Some(match core::str::from_utf8(kind).ok()? {
            "unit" => Node::Unit,
            "bool" => Node::Bool,
            "char" => Node::Char,
            "string" => Node::Text,
            "bytes" => Node::Bytes,
            "any" => Node::Any,
            "other" => Node::Other {
                write: parts.get(1)?,
                read: parts.get(2)?,
                size: parts.number(3)?,
            },
            "list" => Node::List {
                item: parts.number(1)?,
                least: parts.number(2)?,
                is_aligned: parts.is_true(3)?,
            },
            "array" => Node::Array {
                item: parts.number(1)?,
                count: parts.number(2)?,
                least: parts.number(3)?,
            },
            "map" => Node::Map {
                key: parts.number(1)?,
                item: parts.number(2)?,
                least: parts.number(3)?,
            },
            "option" => Node::Option(parts.number(1)?),
            "present" => Node::Present(parts.number(1)?),
            "deeper" => Node::Deeper(parts.number(1)?),
            "tuple" => Node::Tuple {
                items: parts.parts(1)?.each(|parts, index| parts.number(index))?,
                class: if parts.get(2)? == py::Py_None() {
                    &raw mut py::PyTuple_Type
                } else {
                    parts.class(2, &raw mut py::PyTuple_Type)?
                },
            },
            "record" => Node::Record(record(parts, 1)?),
            "enum" => {
                let class = parts.get(1)?;
                if py::PyType_Check(class) == 0 {
                    return None;
                }
                Node::Plain {
                    class: class.cast(),
                    members: parts.parts(2)?.each(|parts, index| parts.get(index))?,
                }
            }
            "variants" => {
                let records = parts
                    .parts(1)?
                    .each(|parts, index| record(parts.parts(index)?, 0))?;
                let mut numbers: Vec<_> = (0..=u16::MAX)
                    .zip(&records)
                    .map(|(number, record)| (record.class, number))
                    .collect();
                numbers.sort_unstable();
                Node::Variants { records, numbers }
            }
            number => Node::Number(Number::named(number)?),
        })
    }
}

impl Plan {
    /// How many nodes lie in each other below one, up to those whose depth is counted. None if they are too many.
    fn height(&self, place: Place, depth: usize, known: &mut [Option<usize>]) -> Option<usize> {
        if let Some(known) = known[place] {
            return Some(known);
        }
        let node = &self.nodes[place];
        if depth > UNCOUNTED {
            return None;
        }
        let mut highest = Some(0);
        if !matches!(node, Node::Deeper(_)) {
            node.each_part(|part| {
                highest = highest.and_then(|highest| {
                    Some(max(highest, 1 + self.height(part, depth + 1, known)?))
                });
            });
        }
        let highest = highest.filter(|highest| *highest <= UNCOUNTED)?;
        known[place] = Some(highest);
        Some(highest)
    }

    /// Whether each node's parts are there, and no value can lie so deep in others that nobody has counted.
    fn is_sound(&self) -> bool {
        let count = self.nodes.len();
        let mut is_whole = true;
        for node in &self.nodes {
            node.each_part(|part| is_whole &= part < count);
        }
        let mut known = vec![None; count];
        is_whole && (0..count).all(|place| self.height(place, 0, &mut known).is_some())
    }
}

/// `Plan(nodes, default)`: each node a tuple that begins with its kind.
unsafe extern "C" fn new(
    kind: *mut PyTypeObject,
    arguments: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: what's pointed to is held by the tuple of arguments, which the object keeps.
    unsafe {
        let refuse = || {
            fail(
                &raw mut py::PyExc_TypeError,
                c"the plan wasn't created by this version of rustbridge",
            )
        };
        let plan = (|| {
            let given = Parts::of(arguments)?;
            let nodes = given.parts(0)?;
            let nodes = nodes.each(|nodes, index| node(nodes.parts(index)?))?;
            let plan = Plan {
                nodes,
                default: given.get(1)?,
            };
            plan.is_sound().then_some(plan)
        })();
        let Some(plan) = plan else {
            return refuse();
        };
        let object = ending::PyType_GenericAlloc(kind, 0);
        if !object.is_null() {
            let this: *mut PlanObject = object.cast();
            (*this).plan = Box::into_raw(Box::new(plan));
            (*this).arguments = py::Py_NewRef(arguments);
        }
        object
    }
}

/// Makes the type; a new reference, or null with an exception.
///
/// # Safety
/// The GIL is held. Called once, while the module is made.
pub(crate) unsafe fn make_type() -> *mut PyObject {
    // SAFETY: the slots describe functions of the signatures Python expects.
    let kind = unsafe {
        class::make_keeping::<PlanObject>(
            c"rustbridge._native.Plan",
            c"The types of a client schema, for the codec.",
            0,
            &[(py::Py_tp_new, new as *mut c_void)],
        )
    };
    TYPE.store(kind.cast(), Ordering::Release);
    kind
}
