//! Lists, sets and arrays.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::mem::MaybeUninit;

use bytemuck::Pod;

use super::pods::borrow_block;
use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// What a list costs besides its items.
#[inline(always)]
fn measure_head<T: Typed>(measure: &mut Measure) {
    const {
        assert!(
            T::LEAST > 0,
            "a list of values without bytes has no limit in the wire format: send their count, or exclude the wire format by `#[message(json_only)]` above the type or `#[method(encodings(json))]` above the method"
        );
    }
    measure.add(if T::ALIGNED { 4 + 7 } else { 4 });
}

/// # Safety
/// There's room for what [`measure_head`] counts.
#[inline(always)]
unsafe fn put_head<T: Typed>(count: usize, writer: &mut Writer) {
    debug_assert_eq!(T::ALIGNED, T::TYPE.is_aligned());
    // SAFETY: the caller's promise.
    unsafe {
        writer.put_count(count);
        if T::ALIGNED {
            writer.pad();
        }
    }
}

#[inline(always)]
fn get_head<T: Typed>(reader: &mut Reader<'_>) -> Result<usize, Fault> {
    const {
        assert!(
            T::LEAST > 0,
            "a list of values without bytes has no limit in the wire format: receive their count, or exclude the wire format by `#[message(json_only)]` above the type or `#[method(encodings(json))]` above the method"
        );
    }
    debug_assert_eq!(T::ALIGNED, T::TYPE.is_aligned());
    let count = reader.count()?;
    if T::ALIGNED {
        reader.pad()?;
    }
    reader.need(count.checked_mul(T::LEAST).ok_or(Fault)?)?;
    Ok(count)
}

macro_rules! typed {
    ($type:ty, $($generics:tt)*) => {
        impl $($generics)* Typed for $type {
            const TYPE: Type = Type::listed(&T::TYPE);
            const LEAST: usize = 4;
            const EXACT: bool = false;
        }
    };
}

macro_rules! slices {
    ($type:ty, $($generics:tt)*) => {
        // SAFETY: as the items promise.
        unsafe impl $($generics)* Encode for $type {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) {
                measure_head::<T>(measure);
                T::measure_all(self, measure);
            }

            #[inline(always)]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe {
                    put_head::<T>(self.len(), writer);
                    T::put_all(self, writer);
                }
            }
        }
    };
}

typed!([T], <T: Typed>);
typed!(Vec<T>, <T: Typed>);
typed!(Box<[T]>, <T: Typed>);
typed!(Cow<'_, [T]>, <T: Typed + Clone>);
slices!([T], <T: Encode>);
slices!(Vec<T>, <T: Encode>);
slices!(Box<[T]>, <T: Encode>);
slices!(Cow<'_, [T]>, <T: Encode + Clone>);

// SAFETY: as the items promise.
unsafe impl<'de, T: Decode<'de>> Decode<'de> for Vec<T> {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<Vec<T>, Fault> {
        let count = get_head::<T>(reader)?;
        T::get_all(reader, count)
    }
}

// SAFETY: as the items promise.
unsafe impl<'de, T: Decode<'de>> Decode<'de> for Box<[T]> {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<Box<[T]>, Fault> {
        Vec::get(reader).map(Vec::into_boxed_slice)
    }
}

// SAFETY: as the items promise.
unsafe impl<'de: 'a, 'a, T: Decode<'de> + Pod> Decode<'de> for Cow<'a, [T]> {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<Cow<'a, [T]>, Fault> {
        // What lies in memory as on the wire can be borrowed.
        const { assert!(T::EXACT && T::LEAST == size_of::<T>()) };
        let count = get_head::<T>(reader)?;
        borrow_block(reader, count)
    }
}

/// Lists that don't lie in one piece.
macro_rules! collections {
    ($type:ty, ($($own:tt)*), ($($item:tt)*), |$reader:ident, $all:ident, $new:ident| $insert:expr) => {
        impl<T: Typed $($own)*> Typed for $type {
            const TYPE: Type = Type::listed(&T::TYPE);
            const LEAST: usize = 4;
            const EXACT: bool = false;
        }

        // SAFETY: as the items promise.
        unsafe impl<T: Encode $($own)*> Encode for $type {
            #[inline]
            fn measure(&self, measure: &mut Measure) {
                measure_head::<T>(measure);
                self.iter().for_each(|item| item.measure(measure));
            }

            #[inline]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe {
                    put_head::<T>(self.len(), writer);
                    self.iter().for_each(|item| item.put(writer));
                }
            }
        }

        // SAFETY: as the items promise.
        unsafe impl<'de, T: Decode<'de> $($item)*> Decode<'de> for $type {
            #[inline]
            fn get($reader: &mut Reader<'de>) -> Result<$type, Fault> {
                let count = get_head::<T>($reader)?;
                let mut $all = <$type>::default();
                for _ in 0..count {
                    let $new = T::get($reader)?;
                    $insert;
                }
                Ok($all)
            }
        }
    };
}

collections!(VecDeque<T>, (), (), |reader, all, new| all.push_back(new));
collections!(BTreeSet<T>, (), (+ Ord), |reader, all, new| {
    if !all.insert(new) {
        return Err(twice(reader));
    }
});
collections!(HashSet<T, S>, (, S: BuildHasher), (+ Eq + Hash, S: BuildHasher + Default), |reader, all, new| {
    if !all.insert(new) {
        return Err(twice(reader));
    }
});

/// To other languages a set is a list.
#[cold]
fn twice(reader: &mut Reader<'_>) -> Fault {
    reader.refuse("duplicate value in a set".to_owned())
}

impl<T: Typed, const N: usize> Typed for [T; N] {
    const TYPE: Type = {
        assert!(
            N == 0 || T::LEAST > 0,
            "an array of values without bytes has no limit in the wire format: remove it, or exclude the wire format by `#[message(json_only)]` above the type or `#[method(encodings(json))]` above the method"
        );
        Type::Array(&T::TYPE, N)
    };
    const LEAST: usize = N * T::LEAST;
    const EXACT: bool = T::EXACT;
    const ALIGNED: bool = T::ALIGNED;
}

// SAFETY: as the items promise.
unsafe impl<T: Encode, const N: usize> Encode for [T; N] {
    #[inline(always)]
    fn measure(&self, measure: &mut Measure) {
        T::measure_all(self, measure);
    }

    #[inline(always)]
    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { T::put_all(self, writer) };
    }

    #[inline(always)]
    unsafe fn put_all(items: &[[T; N]], writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { T::put_all(items.as_flattened(), writer) };
    }
}

/// The part of an array that is there; dropped with what's in it, should the rest not come.
struct Part<T, const N: usize> {
    items: [MaybeUninit<T>; N],
    len: usize,
}

impl<T, const N: usize> Drop for Part<T, N> {
    fn drop(&mut self) {
        for item in &mut self.items[..self.len] {
            // SAFETY: so many are there.
            unsafe { item.assume_init_drop() };
        }
    }
}

// SAFETY: as the items promise.
unsafe impl<'de, T: Decode<'de>, const N: usize> Decode<'de> for [T; N] {
    #[inline(always)]
    fn get(reader: &mut Reader<'de>) -> Result<[T; N], Fault> {
        if T::EXACT {
            reader.need(Self::LEAST)?;
        }
        // SAFETY: they are left if it's exact.
        unsafe { Self::get_exact(reader) }
    }

    #[inline(always)]
    unsafe fn get_exact(reader: &mut Reader<'de>) -> Result<[T; N], Fault> {
        let mut part = Part::<T, N> {
            items: [const { MaybeUninit::uninit() }; N],
            len: 0,
        };
        while part.len < N {
            let item = if T::EXACT {
                // SAFETY: the caller's promise.
                unsafe { T::get_exact(reader) }
            } else {
                T::get(reader)
            };
            part.items[part.len].write(item?);
            part.len += 1;
        }
        part.len = 0;
        // SAFETY: all are there, and the part drops none of them any more.
        Ok(unsafe { std::ptr::from_ref(&part.items).cast::<[T; N]>().read() })
    }
}
