//! Plain old data. The layouts are asserted here, because hosts in other languages have them written out.

use rustbridge::{Message, Pod};

/// `{a: i32 @0, b: i32 @4}`.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "two numbers")]
pub struct PairPod {
    pub a: i32,
    pub b: i32,
}

/// `{sum: i32 @0, xor: i32 @4}`.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SumXor {
    pub sum: i32,
    pub xor: i32,
}

/// `{tag: u32 @0, values: u32[66] @4}`, 268 bytes.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
pub struct Big {
    /// Added to each value.
    pub tag: u32,
    /// Any numbers.
    pub values: [u32; 66],
}

/// `{tag: u32 @0, count: u32 @4, values: u32[66] @8}`, 272 bytes.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
pub struct BigAnswer {
    /// The request's.
    pub tag: u32,
    /// 66.
    pub count: u32,
    /// Each plus the tag.
    pub values: [u32; 66],
}

/// One of each, by falling size: 48 bytes.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "the types say it")]
pub struct ScalarsPod {
    pub a: u64,
    pub b: i64,
    pub x: f64,
    pub c: u32,
    pub d: i32,
    pub y: f32,
    pub e: u16,
    pub f: i16,
    pub g: u8,
    pub h: i8,
    pub reserved: [u8; 6],
}

/// Five bytes.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "bytes")]
pub struct Odd {
    pub bytes: [u8; 5],
}

/// `{x: i32 @0, y: i32 @4}`.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "a point")]
pub struct PointPod {
    pub x: i32,
    pub y: i32,
}

impl PointPod {
    pub(crate) fn swapped(self) -> PointPod {
        PointPod {
            x: self.y,
            y: self.x,
        }
    }
}

/// `{origin: point @0, corners: point[2] @8, id: u64 @24}`, 32 bytes.
#[derive(Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "the types say it")]
pub struct Shape {
    pub origin: PointPod,
    pub corners: [PointPod; 2],
    pub id: u64,
}

/// `{a: i64 @0, b: i64 @8}`; a message as well.
#[derive(Message, Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "two numbers")]
pub struct Mixed {
    pub a: i64,
    pub b: i64,
}

/// `{sum: i64 @0, difference: i64 @8}`; a message as well.
#[derive(Message, Pod, Debug, PartialEq)]
#[repr(C)]
#[expect(missing_docs, reason = "the names say it")]
pub struct MixedAnswer {
    pub sum: i64,
    pub difference: i64,
}

const _: () = {
    assert!(size_of::<PairPod>() == 8 && size_of::<SumXor>() == 8);
    assert!(size_of::<Big>() == 268 && size_of::<BigAnswer>() == 272);
    assert!(size_of::<ScalarsPod>() == 48 && size_of::<Odd>() == 5);
    assert!(size_of::<Shape>() == 32 && std::mem::offset_of!(Shape, id) == 24);
};
