//! Reading and writing structs that begin with their `size`, when the other side knows more or fewer fields.
//!
//! The rule, which both ABIs state: a struct is complete if its `size` is at least that of version 1.0. A reader copies the
//! smaller of the writer's size and its own into a zeroed struct. So a field that was appended later reads as zero if the writer
//! is older, and zero must mean "not set".

use core::mem::MaybeUninit;
use core::ptr;

use crate::{
    ABI_VERSION, Host, LogExtension, LogRecord, PluginTable, RB_LOG_OFF, RB_RECORD_EVENT, Text,
};

/// A struct that begins with its own `size` and grows at its end.
///
/// # Safety
/// The struct is `repr(C)`, its first field is `size: u32`, and every field that isn't in version 1.0 may be all zeroes.
pub unsafe trait Growing: Copy {
    /// The size of the struct in version 1.0; shorter ones are refused.
    const SIZE_1_0: usize;
}

/// Reads a struct that another side wrote, perhaps of another 1.x version. `Err` has its size if that is less than the size in
/// version 1.0.
///
/// # Safety
/// `at` is aligned and points to as many readable bytes as the `size` at its start specifies, at least to that.
pub unsafe fn read<T: Growing>(at: *const T) -> Result<T, usize> {
    // SAFETY: the caller vouches for the first field. Not the whole struct is read: a shorter one may end anywhere.
    let size = unsafe { at.cast::<u32>().read() } as usize;
    if size < T::SIZE_1_0 {
        return Err(size);
    }
    if size >= size_of::<T>() {
        // SAFETY: readable by the caller's promise. What follows is of a later version, and not asked for.
        return Ok(unsafe { at.read() });
    }
    let mut copy = MaybeUninit::<T>::zeroed();
    // SAFETY: readable for `size` bytes by the caller's promise, and less than what the copy has room for; what isn't copied
    // is a field of after 1.0, for which zeroes are valid by the trait's contract.
    unsafe {
        ptr::copy_nonoverlapping(at.cast::<u8>(), copy.as_mut_ptr().cast::<u8>(), size);
        Ok(copy.assume_init())
    }
}

/// Like [`read`], but a struct that is at least as long as this version's is used in place. A shorter one is copied to `place`.
///
/// # Safety
/// As for [`read`], and the struct doesn't change as long as the result is used.
pub unsafe fn borrow<T: Growing>(at: *const T, place: &mut MaybeUninit<T>) -> Result<&T, usize> {
    // SAFETY: the caller's promises; long enough is what was asked.
    unsafe {
        if at.cast::<u32>().read() as usize >= size_of::<T>() {
            return Ok(&*at);
        }
        Ok(place.write(read(at)?))
    }
}

/// Writes a struct for a reader who has set `size` to the room there is; `size` itself is unchanged. If that is less than the
/// size in version 1.0, nothing is written and `Err` has it.
///
/// # Safety
/// `to` is aligned and points to as many readable and writable bytes as the `size` at its start specifies, at least to that.
pub unsafe fn write<T: Growing>(to: *mut T, value: &T) -> Result<(), usize> {
    // SAFETY: as in `read`.
    let size = unsafe { to.cast::<u32>().read() };
    let room = size as usize;
    if room < T::SIZE_1_0 {
        return Err(room);
    }
    let (from, start) = (ptr::from_ref(value).cast::<u8>(), to.cast::<u8>());
    // SAFETY: writable for `room` bytes by the caller's promise; a reference and what the caller can write don't overlap.
    unsafe {
        if room < size_of::<T>() {
            ptr::copy_nonoverlapping(from, start, room);
        } else {
            to.write(*value);
            if room > size_of::<T>() {
                // Fields that we know nothing of.
                ptr::write_bytes(start.add(size_of::<T>()), 0, room - size_of::<T>());
            }
        }
        to.cast::<u32>().write(size);
    }
    Ok(())
}

/// Implements [`Growing`] and `EMPTY` for a struct. `EMPTY` has today's size, and every other field has its neutral value.
#[macro_export]
macro_rules! growing {
    ($type:ident, $size:literal, $($field:ident: $value:expr),* $(,)?) => {
        // SAFETY: `repr(C)` with `size` in front, and no field of after 1.0 refuses zeroes.
        unsafe impl $crate::Growing for $type {
            const SIZE_1_0: usize = $size;
        }

        impl $type {
            /// A value with only its size set. Begin every value with it, so that fields that are appended later are not set.
            pub const EMPTY: $type = $type {
                size: ::core::mem::size_of::<$type>() as u32,
                $($field: $value,)*
                #[cfg(feature = "grown")]
                grown: $crate::GROWN,
            };
        }

        const _: () = assert!(
            ::core::mem::offset_of!($type, size) == 0
                && $size <= ::core::mem::size_of::<$type>()
                && ::core::mem::size_of::<$type>() <= u32::MAX as usize
        );
    };
}

/// The value of the field that the feature `grown` appends to every struct that may grow.
#[cfg(feature = "grown")]
pub const GROWN: u64 = 0x6e77_6f72_6720_6974;

growing!(PluginTable, 56, abi_version: ABI_VERSION, context: ptr::null_mut(), describe: None, create: None, call: None, destroy: None, extension: None);
growing!(
    Host, 64,
    abi_version: ABI_VERSION,
    context: ptr::null_mut(),
    flags: 0,
    reserved: 0,
    instance_name: Text::empty(),
    log_level: ptr::null(),
    log: None,
    extension: None,
    threads: 0,
    plugin_path: Text::empty(),
);
growing!(
    LogRecord, 176,
    level: RB_LOG_OFF,
    kind: RB_RECORD_EVENT,
    line: 0,
    time_unix_ns: 0,
    duration_ns: 0,
    target: Text::empty(),
    message: Text::empty(),
    fields: Text::empty(),
    spans: Text::empty(),
    file: Text::empty(),
    thread: Text::empty(),
    instance: Text::empty(),
    trace_id: [0; 16],
    span_id: [0; 8],
    parent_span_id: [0; 8],
    instance_number: 0,
    generation: 0,
);
growing!(LogExtension, 16, level_changed: None);

#[cfg(test)]
mod tests {
    use super::*;

    /// The struct in version 1.0.
    #[repr(C, align(8))]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct First {
        size: u32,
        a: u32,
    }

    /// The struct in a later version.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Later {
        size: u32,
        a: u32,
        b: u64,
    }

    // SAFETY: `repr(C)`, `size` in front, and `b` may be zero.
    unsafe impl Growing for First {
        const SIZE_1_0: usize = 8;
    }

    // SAFETY: as above.
    unsafe impl Growing for Later {
        const SIZE_1_0: usize = 8;
    }

    const FIRST: First = First { size: 8, a: 7 };
    const LATER: Later = Later {
        size: 16,
        a: 7,
        b: 9,
    };

    #[test]
    fn what_the_writer_did_not_know_of_is_zero_and_what_the_reader_does_not_is_passed_over() {
        // The memory behind `first` is another's: nothing of it may be read.
        let memory = [FIRST, First { size: 1, a: 1 }];
        let later = LATER;
        // SAFETY: each is as long as it says.
        unsafe {
            assert_eq!(
                read(memory.as_ptr().cast::<Later>()),
                Ok(Later {
                    size: 8,
                    a: 7,
                    b: 0
                })
            );
            assert_eq!(
                read((&raw const later).cast::<First>()),
                Ok(First { size: 16, a: 7 })
            );
            assert_eq!(read(&later), Ok(LATER));
            let short = First { size: 7, a: 7 };
            assert_eq!(read(&short), Err(7));
            assert_eq!(read((&raw const short).cast::<Later>()), Err(7));
        }
    }

    #[test]
    fn what_is_written_stays_within_the_size_that_the_reader_has_said() {
        let mut memory = [First { size: 8, a: 0 }, First { size: 1, a: 1 }];
        let mut later = Later {
            size: 16,
            a: 1,
            b: 1,
        };
        let mut short = First { size: 4, a: 5 };
        // SAFETY: each is as long as it says.
        unsafe {
            assert_eq!(write(memory.as_mut_ptr().cast::<Later>(), &LATER), Ok(()));
            assert_eq!(write((&raw mut later).cast::<First>(), &FIRST), Ok(()));
            assert_eq!(write(&raw mut short, &FIRST), Err(4));
        }
        assert_eq!(memory, [FIRST, First { size: 1, a: 1 }]);
        assert_eq!(
            later,
            Later {
                size: 16,
                a: 7,
                b: 0
            }
        );
        assert_eq!(short, First { size: 4, a: 5 });
    }
}
