//! What a plan is made of.

use core::ffi::CStr;

use pyo3_ffi::{PyObject, PyTypeObject};

/// Where a node stands in its plan.
pub(super) type Place = usize;

/// The numbers that have a width.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Number {
    pub(super) fn named(name: &str) -> Option<Number> {
        Some(match name {
            "u8" => Number::U8,
            "u16" => Number::U16,
            "u32" => Number::U32,
            "u64" => Number::U64,
            "i8" => Number::I8,
            "i16" => Number::I16,
            "i32" => Number::I32,
            "i64" => Number::I64,
            "f32" => Number::F32,
            "f64" => Number::F64,
            _ => return None,
        })
    }

    pub(super) const fn size(self) -> usize {
        match self {
            Number::U8 | Number::I8 => 1,
            Number::U16 | Number::I16 => 2,
            Number::U32 | Number::I32 | Number::F32 => 4,
            Number::U64 | Number::I64 | Number::F64 => 8,
        }
    }

    /// Whether a buffer of this format has such numbers on this machine.
    pub(super) fn is_format(self, format: &CStr) -> bool {
        let format = format.to_bytes();
        let start = format
            .iter()
            .position(|byte| !b"@=<".contains(byte))
            .unwrap_or(format.len());
        let [kind] = format[start..] else {
            return false;
        };
        let kinds: &[u8] = match self {
            Number::F32 | Number::F64 => b"fd",
            Number::U8 | Number::U16 | Number::U32 | Number::U64 => b"BHILQN",
            Number::I8 | Number::I16 | Number::I32 | Number::I64 => b"bhilqn",
        };
        kinds.contains(&kind)
    }
}

/// A type, as values are written and read.
pub(super) enum Node {
    Unit,
    Bool,
    Char,
    Text,
    Bytes,
    Any,
    Number(Number),
    /// By functions of Python's: one gives the bytes of a value, and the other makes a value of them. They are always so many; if that's 0,
    /// they begin with how many follow.
    Other {
        write: *mut PyObject,
        read: *mut PyObject,
        size: usize,
    },
    List {
        item: Place,
        least: usize,
        is_aligned: bool,
    },
    Array {
        item: Place,
        count: usize,
        least: usize,
    },
    Map {
        key: Place,
        item: Place,
        least: usize,
    },
    Option(Place),
    /// In the wire form of an option; it's never written as absent.
    Present(Place),
    /// Of this class, if it's a subclass of tuple that is read.
    Tuple {
        items: Vec<Place>,
        class: *mut PyTypeObject,
    },
    Record(Record),
    /// An `enum.Enum`: its members, in the order of their numbers.
    Plain {
        class: *mut PyTypeObject,
        members: Vec<*mut PyObject>,
    },
    /// A class for each variant, in the order of their numbers.
    Variants {
        records: Vec<Record>,
        /// Which of them a class is, in the order of the classes' addresses.
        numbers: Vec<(*mut PyTypeObject, u16)>,
    },
    /// One whose depth is counted.
    Deeper(Place),
}

impl Node {
    /// Calls with each node that a value's parts are of.
    pub(super) fn each_part(&self, mut each: impl FnMut(Place)) {
        match self {
            Node::List { item, .. } | Node::Array { item, .. } => each(*item),
            Node::Option(item) | Node::Present(item) | Node::Deeper(item) => each(*item),
            Node::Map { key, item, .. } => {
                each(*key);
                each(*item);
            }
            Node::Tuple { items, .. } => items.iter().copied().for_each(each),
            Node::Record(record) => record.fields.iter().for_each(|field| each(field.node)),
            Node::Variants { records, .. } => records
                .iter()
                .flat_map(|record| &record.fields)
                .for_each(|field| each(field.node)),
            _ => {}
        }
    }
}

/// A class with slots.
pub(super) struct Record {
    pub(super) class: *mut PyTypeObject,
    pub(super) fields: Vec<Field>,
}

/// One of its slots.
pub(super) struct Field {
    /// How far into an object of the class the slot's reference lies, which is null where nothing was put.
    pub(super) offset: usize,
    pub(super) node: Place,
    /// Whether it may be absent.
    pub(super) has_default: bool,
    /// Whether the client knows the value of an absent field. If so, Python reads it.
    pub(super) is_default_known: bool,
}
