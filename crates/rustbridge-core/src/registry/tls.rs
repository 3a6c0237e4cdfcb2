//! The one thread-local the hot path reads: the address of the calling thread's cell, or null.
//!
//! Null sends the call to the slow path, which finds out why: no cell yet, thread-locals torn down, or no asymmetric
//! fence in this process.
//!
//! A `thread_local!` inside a shared library is read through a call to `__tls_get_addr`, 2.5 ns of the 12 a call may
//! cost. With glibc a library that is loaded at run time may use the initial-exec model, which is two instructions, as
//! long as it asks for little: glibc keeps some 1.7 kB of each thread's block for such libraries. A library's thread-locals
//! are one block, so with our 8 bytes it's some 200 that we take, most of them the standard library's.
//! Stable Rust cannot choose the model, so the variable is defined and read in assembly there.

use super::guard::ThreadSlot;

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64"),
    not(miri)
))]
mod model {
    use super::ThreadSlot;
    use std::arch::{asm, global_asm};

    // The version is in the name so that two versions of this crate can be linked into one binary.
    macro_rules! symbol {
        () => {
            concat!(
                "rustbridge_core_cell_",
                env!("CARGO_PKG_VERSION_MAJOR"),
                "_",
                env!("CARGO_PKG_VERSION_MINOR"),
                "_",
                env!("CARGO_PKG_VERSION_PATCH")
            )
        };
    }

    global_asm!(
        ".pushsection .tbss.rustbridge_core_cell,\"awT\",%nobits",
        ".p2align 3",
        concat!(".globl ", symbol!()),
        concat!(".hidden ", symbol!()),
        concat!(".type ", symbol!(), ", %object"),
        concat!(".size ", symbol!(), ", 8"),
        concat!(symbol!(), ":"),
        ".zero 8",
        ".popsection",
    );

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn get() -> *const ThreadSlot {
        let cell: *const ThreadSlot;
        // SAFETY: reads the 8 bytes of the thread-local above, of this thread, through its offset from `fs`.
        unsafe {
            asm!(
                concat!("mov {cell}, qword ptr [rip + ", symbol!(), "@GOTTPOFF]"),
                "mov {cell}, qword ptr fs:[{cell}]",
                cell = out(reg) cell,
                options(nostack, preserves_flags, readonly)
            );
        }
        cell
    }

    #[cfg(target_arch = "x86_64")]
    pub(super) fn set(cell: *const ThreadSlot) {
        // SAFETY: writes the 8 bytes of the thread-local above, of this thread.
        unsafe {
            asm!(
                concat!("mov {offset}, qword ptr [rip + ", symbol!(), "@GOTTPOFF]"),
                "mov qword ptr fs:[{offset}], {cell}",
                offset = out(reg) _,
                cell = in(reg) cell,
                options(nostack, preserves_flags)
            );
        }
    }

    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    pub(super) fn get() -> *const ThreadSlot {
        let cell: *const ThreadSlot;
        // SAFETY: reads the 8 bytes of the thread-local above, of this thread, through its offset from `tpidr_el0`.
        unsafe {
            asm!(
                concat!("adrp {cell}, :gottprel:", symbol!()),
                concat!("ldr {cell}, [{cell}, :gottprel_lo12:", symbol!(), "]"),
                "mrs {base}, tpidr_el0",
                "ldr {cell}, [{base}, {cell}]",
                cell = out(reg) cell,
                base = out(reg) _,
                options(nostack, preserves_flags, readonly)
            );
        }
        cell
    }

    #[cfg(target_arch = "aarch64")]
    pub(super) fn set(cell: *const ThreadSlot) {
        // SAFETY: writes the 8 bytes of the thread-local above, of this thread.
        unsafe {
            asm!(
                concat!("adrp {offset}, :gottprel:", symbol!()),
                concat!("ldr {offset}, [{offset}, :gottprel_lo12:", symbol!(), "]"),
                "mrs {base}, tpidr_el0",
                "str {cell}, [{base}, {offset}]",
                offset = out(reg) _,
                base = out(reg) _,
                cell = in(reg) cell,
                options(nostack, preserves_flags)
            );
        }
    }
}

#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64"),
    not(miri)
)))]
mod model {
    use super::ThreadSlot;
    use std::ptr;

    thread_local! {
        // Without a destructor, so it can be read at any time of the thread's life.
        static CELL: std::cell::Cell<*const ThreadSlot> = const { std::cell::Cell::new(ptr::null()) };
    }

    #[inline(always)]
    pub(super) fn get() -> *const ThreadSlot {
        CELL.with(std::cell::Cell::get)
    }

    pub(super) fn set(cell: *const ThreadSlot) {
        CELL.with(|place| place.set(cell));
    }
}

/// This thread's cell, if it has one and may use it in the fast way.
#[inline(always)]
pub(crate) fn cell() -> Option<&'static ThreadSlot> {
    // SAFETY: what is set is null or a cell, and cells live for good.
    unsafe { model::get().as_ref() }
}

/// Gives this thread its cell, or takes it away.
pub(crate) fn set_cell(cell: Option<&'static ThreadSlot>) {
    model::set(cell.map_or(std::ptr::null(), std::ptr::from_ref));
}
