//! The same work for Java's native methods: class `io.github.rustbridge.benchmarks.JniFloor`.
//!
//! Memory comes as addresses that the Java side has looked up once, so nothing here needs the JVM; copying from and to
//! arrays is done in Java, where it costs less than `Get` and `SetByteArrayRegion` do.

use std::ffi::c_void;

use crate::{
    OK, floor_add16, floor_adder_add, floor_adder_drop, floor_adder_new, floor_answer,
    floor_around, floor_big, floor_blob, floor_count, floor_discount, floor_div, floor_echo_json,
    floor_empty, floor_greet, floor_join, floor_nested, floor_next_reading, floor_numbers,
    floor_pod8, floor_raw_echo, floor_raw_fail, floor_small, floor_small_json, floor_sum,
    floor_ticks, floor_twice,
};

/// Exports a function as a static native method `long NAME(long request, long len, long response, long capacity)`:
/// the response's length, or when it failed that minus 2^62, which is negative.
macro_rules! native_methods {
    ($($method:ident => $function:ident,)*) => {$(
        #[doc = concat!("[`", stringify!($function), "`] by addresses.")]
        ///
        /// # Safety
        /// As for that function; the numbers are addresses and sizes.
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn $method(
            _environment: *mut c_void,
            _class: *mut c_void,
            request: i64,
            len: i64,
            response: i64,
            capacity: i64,
        ) -> i64 {
            let mut response_len = 0;
            // SAFETY: the caller vouches for the addresses.
            let status = unsafe {
                $function(
                    std::ptr::null_mut(),
                    0,
                    request as *const u8,
                    len as usize,
                    response as *mut u8,
                    capacity as usize,
                    &mut response_len,
                )
            };
            if status == OK { response_len as i64 } else { response_len as i64 - FAILED }
        }
    )*};
}

/// The same with an address before the others, of what the function is about.
macro_rules! native_methods_of_objects {
    ($($method:ident => $function:ident,)*) => {$(
        #[doc = concat!("[`", stringify!($function), "`] by addresses.")]
        ///
        /// # Safety
        /// As for that function; the numbers are addresses and sizes.
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn $method(
            _environment: *mut c_void,
            _class: *mut c_void,
            object: i64,
            request: i64,
            len: i64,
            response: i64,
            capacity: i64,
        ) -> i64 {
            let mut response_len = 0;
            // SAFETY: the caller vouches for the addresses.
            let status = unsafe {
                $function(
                    object as *mut u8,
                    0,
                    request as *const u8,
                    len as usize,
                    response as *mut u8,
                    capacity as usize,
                    &mut response_len,
                )
            };
            if status == OK { response_len as i64 } else { response_len as i64 - FAILED }
        }
    )*};
}

/// What is taken from the length of a failed call's response. No response is that long.
const FAILED: i64 = 1 << 62;

native_methods! {
    Java_io_github_rustbridge_benchmarks_JniFloor_empty => floor_empty,
    Java_io_github_rustbridge_benchmarks_JniFloor_pod8 => floor_pod8,
    Java_io_github_rustbridge_benchmarks_JniFloor_nested => floor_nested,
    Java_io_github_rustbridge_benchmarks_JniFloor_add16 => floor_add16,
    Java_io_github_rustbridge_benchmarks_JniFloor_small => floor_small,
    Java_io_github_rustbridge_benchmarks_JniFloor_big => floor_big,
    Java_io_github_rustbridge_benchmarks_JniFloor_echoJson => floor_echo_json,
    Java_io_github_rustbridge_benchmarks_JniFloor_smallJson => floor_small_json,
    Java_io_github_rustbridge_benchmarks_JniFloor_rawEcho => floor_raw_echo,
    Java_io_github_rustbridge_benchmarks_JniFloor_rawFail => floor_raw_fail,
    Java_io_github_rustbridge_benchmarks_JniFloor_div => floor_div,
    Java_io_github_rustbridge_benchmarks_JniFloor_answer => floor_answer,
    Java_io_github_rustbridge_benchmarks_JniFloor_sum => floor_sum,
    Java_io_github_rustbridge_benchmarks_JniFloor_numbers => floor_numbers,
    Java_io_github_rustbridge_benchmarks_JniFloor_blob => floor_blob,
    Java_io_github_rustbridge_benchmarks_JniFloor_join => floor_join,
    Java_io_github_rustbridge_benchmarks_JniFloor_count => floor_count,
    Java_io_github_rustbridge_benchmarks_JniFloor_ticks => floor_ticks,
    Java_io_github_rustbridge_benchmarks_JniFloor_adderNew => floor_adder_new,
    Java_io_github_rustbridge_benchmarks_JniFloor_greet => floor_greet,
    Java_io_github_rustbridge_benchmarks_JniFloor_nextReading => floor_next_reading,
    Java_io_github_rustbridge_benchmarks_JniFloor_discount => floor_discount,
    Java_io_github_rustbridge_benchmarks_JniFloor_around => floor_around,
    Java_io_github_rustbridge_benchmarks_JniFloor_twice => floor_twice,
}

native_methods_of_objects! {
    Java_io_github_rustbridge_benchmarks_JniFloor_adderAdd => floor_adder_add,
    Java_io_github_rustbridge_benchmarks_JniFloor_adderDrop => floor_adder_drop,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_tells_success_from_failure() {
        let (request, mut response) = (*b"why", [0u8; 8]);
        let call = |function: unsafe extern "system" fn(_, _, _, _, _, _) -> i64,
                    response: &mut [u8; 8]| {
            // SAFETY: the addresses are those of live values of the sizes given.
            unsafe {
                function(
                    std::ptr::null_mut(),
                    std::ptr::null_mut(),
                    request.as_ptr() as i64,
                    3,
                    response.as_mut_ptr() as i64,
                    8,
                )
            }
        };
        let echo = Java_io_github_rustbridge_benchmarks_JniFloor_rawEcho;
        let fail = Java_io_github_rustbridge_benchmarks_JniFloor_rawFail;
        assert_eq!(call(echo, &mut response), 3);
        assert_eq!(call(fail, &mut response), 3 - FAILED);
        assert_eq!(&response[..3], b"why");
    }
}
