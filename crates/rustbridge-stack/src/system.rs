//! The system's functions that tell where a stack is. They are declared here, because compiling a crate that declares all functions would
//! make each author's first build longer.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use std::ffi::{c_int, c_void};

    /// The attributes of a thread, which only the C library reads. It has 32 to 64 bytes, depending on processor and C library.
    #[repr(C, align(16))]
    pub struct Attributes([u8; 128]);

    // `pthread_t` is a number in glibc and a pointer in musl, as large as a `usize` in both.
    unsafe extern "C" {
        pub fn pthread_self() -> usize;
        pub fn pthread_getattr_np(thread: usize, attributes: *mut Attributes) -> c_int;
        pub fn pthread_attr_getstack(
            attributes: *const Attributes,
            low: *mut *mut c_void,
            size: *mut usize,
        ) -> c_int;
        pub fn pthread_attr_getguardsize(attributes: *const Attributes, size: *mut usize) -> c_int;
        pub fn pthread_attr_destroy(attributes: *mut Attributes) -> c_int;
    }

    #[cfg(target_env = "musl")]
    unsafe extern "C" {
        pub fn getpid() -> c_int;
        pub fn gettid() -> c_int;
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub use linux::*;

#[cfg(target_vendor = "apple")]
unsafe extern "C" {
    pub fn pthread_self() -> usize;
    pub fn pthread_get_stackaddr_np(thread: usize) -> *mut std::ffi::c_void;
    pub fn pthread_get_stacksize_np(thread: usize) -> usize;
}

#[cfg(windows)]
#[link(name = "kernel32")]
unsafe extern "system" {
    pub fn GetCurrentThreadStackLimits(low: *mut usize, high: *mut usize);
}
