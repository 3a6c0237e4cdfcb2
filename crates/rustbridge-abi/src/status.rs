//! The statuses, as numbers and as a Rust enum.

use core::fmt;

/// A status as a number: one of the `RB_` codes below, which are gRPC's canonical set.
///
/// It is a plain integer because the other side may be newer, or wrong. A value outside the table is treated as `RB_UNKNOWN`, never
/// as undefined behaviour.
///
/// Negative numbers are reserved for answers that do not complete a call. No function of version 1.0 returns one, unless its
/// comment mentions it. A plugin may return one only to a caller that requested it by a capability which defines it.
pub type StatusCode = i32;

// The codes are written out, not made by the macro below, because cbindgen reads them from here into the header.

/// The call succeeded; the response holds its result.
pub const RB_OK: StatusCode = 0;
/// The call was cancelled, typically by the caller.
pub const RB_CANCELLED: StatusCode = 1;
/// A failure that fits no other code, or a code that this side does not know.
pub const RB_UNKNOWN: StatusCode = 2;
/// The caller passed a value that is invalid whatever the state of the system.
pub const RB_INVALID_ARGUMENT: StatusCode = 3;
/// The deadline passed before the call completed.
pub const RB_DEADLINE_EXCEEDED: StatusCode = 4;
/// The requested item does not exist: a file, a method, a record.
pub const RB_NOT_FOUND: StatusCode = 5;
/// The item to create exists already.
pub const RB_ALREADY_EXISTS: StatusCode = 6;
/// The caller is known but does not have permission.
pub const RB_PERMISSION_DENIED: StatusCode = 7;
/// A limit was reached: memory, handles, calls in flight.
pub const RB_RESOURCE_EXHAUSTED: StatusCode = 8;
/// The system is not in a state in which this is possible; retrying alone does not help.
pub const RB_FAILED_PRECONDITION: StatusCode = 9;
/// The call was aborted, typically by a conflict with another one.
pub const RB_ABORTED: StatusCode = 10;
/// A value lies outside its valid range; arithmetic overflow is one case.
pub const RB_OUT_OF_RANGE: StatusCode = 11;
/// The method or encoding is not offered.
pub const RB_UNIMPLEMENTED: StatusCode = 12;
/// An invariant was violated; a caught panic is reported with this status.
pub const RB_INTERNAL: StatusCode = 13;
/// Not available (any longer): the instance is closing or closed.
pub const RB_UNAVAILABLE: StatusCode = 14;
/// Data was lost or is corrupt beyond repair.
pub const RB_DATA_LOSS: StatusCode = 15;
/// The caller's credentials are missing or invalid.
pub const RB_UNAUTHENTICATED: StatusCode = 16;
/// The call is pending; its completion is reported later, once.
pub const RB_PENDING: StatusCode = -1;

macro_rules! statuses {
    ($($constant:ident, $variant:ident, $name:literal;)+) => {
        /// The canonical status codes as a Rust enum; [`Status::from_code`] reads one that crossed the boundary.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(i32)]
        pub enum Status {
            $(#[doc = concat!("See [`", stringify!($constant), "`].")] $variant = $constant,)+
        }

        impl Status {
            /// Every status, in numeric order.
            pub const ALL: &'static [Status] = &[$(Status::$variant),+];

            /// Returns the canonical name, for example `INVALID_ARGUMENT`: the `code` field of an error payload.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Status::$variant => $name),+ }
            }

            /// Returns the name with its terminating NUL, for C.
            #[must_use]
            pub const fn c_name(self) -> &'static core::ffi::CStr {
                match self {
                    $(Status::$variant => {
                        match core::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                            Ok(name) => name,
                            Err(_) => unreachable!(),
                        }
                    })+
                }
            }
        }
    };
}

statuses! {
    RB_OK, Ok, "OK";
    RB_CANCELLED, Cancelled, "CANCELLED";
    RB_UNKNOWN, Unknown, "UNKNOWN";
    RB_INVALID_ARGUMENT, InvalidArgument, "INVALID_ARGUMENT";
    RB_DEADLINE_EXCEEDED, DeadlineExceeded, "DEADLINE_EXCEEDED";
    RB_NOT_FOUND, NotFound, "NOT_FOUND";
    RB_ALREADY_EXISTS, AlreadyExists, "ALREADY_EXISTS";
    RB_PERMISSION_DENIED, PermissionDenied, "PERMISSION_DENIED";
    RB_RESOURCE_EXHAUSTED, ResourceExhausted, "RESOURCE_EXHAUSTED";
    RB_FAILED_PRECONDITION, FailedPrecondition, "FAILED_PRECONDITION";
    RB_ABORTED, Aborted, "ABORTED";
    RB_OUT_OF_RANGE, OutOfRange, "OUT_OF_RANGE";
    RB_UNIMPLEMENTED, Unimplemented, "UNIMPLEMENTED";
    RB_INTERNAL, Internal, "INTERNAL";
    RB_UNAVAILABLE, Unavailable, "UNAVAILABLE";
    RB_DATA_LOSS, DataLoss, "DATA_LOSS";
    RB_UNAUTHENTICATED, Unauthenticated, "UNAUTHENTICATED";
}

/// Set by a plugin in the status of `create`, `call` or `destroy` when the failure is a caught panic, always together
/// with `RB_INTERNAL`. The core acts on it (`on_panic`) and removes it: a host never sees this bit.
pub const RB_PANICKED: StatusCode = 0x100;

impl Status {
    /// Converts a status that crossed the boundary. The panic bit is ignored; unknown values become [`Status::Unknown`].
    #[must_use]
    pub const fn from_code(code: StatusCode) -> Status {
        let code = code & !RB_PANICKED;
        if code >= 0 && (code as usize) < Status::ALL.len() {
            Status::ALL[code as usize]
        } else {
            Status::Unknown
        }
    }

    /// Returns the code that crosses the boundary.
    #[must_use]
    pub const fn code(self) -> StatusCode {
        self as StatusCode
    }

    /// Returns the status with that canonical name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Status> {
        Status::ALL
            .iter()
            .copied()
            .find(|status| status.name() == name)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_survives_the_crossing_and_back() {
        for (index, status) in Status::ALL.iter().enumerate() {
            assert_eq!(status.code() as usize, index);
            assert_eq!(Status::from_code(status.code()), *status);
            assert_eq!(Status::from_code(status.code() | RB_PANICKED), *status);
            assert_eq!(Status::from_name(status.name()), Some(*status));
            assert_eq!(status.c_name().to_str(), Ok(status.name()));
        }
    }

    #[test]
    fn a_status_outside_the_table_reads_as_unknown() {
        for code in [-1, 17, 255, i32::MAX, i32::MIN, RB_PANICKED | 99] {
            assert_eq!(Status::from_code(code), Status::Unknown);
        }
    }
}
