use core::fmt;

/// A status as it crosses the boundary: one of the `RB_` codes below, the canonical gRPC set.
///
/// It is a plain integer because the other side may be newer, or wrong: a value outside the table is treated as
/// `RB_UNKNOWN`, never as undefined behaviour.
pub type RawStatus = i32;

macro_rules! statuses {
    ($($(#[doc = $doc:literal])+ $constant:ident = $value:literal, $variant:ident, $name:literal;)+) => {
        $($(#[doc = $doc])+ pub const $constant: RawStatus = $value;)+

        /// The canonical status codes as a Rust enum; [`Status::from_raw`] reads one that crossed the boundary.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(i32)]
        pub enum Status {
            $($(#[doc = $doc])+ $variant = $value,)+
        }

        impl Status {
            /// Every status, in numeric order.
            pub const ALL: &'static [Status] = &[$(Status::$variant),+];

            /// The canonical name, e.g. `INVALID_ARGUMENT`: the `code` field of an error payload.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Status::$variant => $name),+ }
            }

            /// The name with its terminating NUL, for C.
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
    /// The call succeeded; the response holds the method's answer.
    RB_OK = 0, Ok, "OK";
    /// The call was cancelled, typically by the caller.
    RB_CANCELLED = 1, Cancelled, "CANCELLED";
    /// A failure that fits no other code, or a code this side does not know.
    RB_UNKNOWN = 2, Unknown, "UNKNOWN";
    /// The caller passed something that is wrong whatever the state of the system.
    RB_INVALID_ARGUMENT = 3, InvalidArgument, "INVALID_ARGUMENT";
    /// The time allowed ran out before the operation ended.
    RB_DEADLINE_EXCEEDED = 4, DeadlineExceeded, "DEADLINE_EXCEEDED";
    /// What was asked for does not exist: a file, a method, a record.
    RB_NOT_FOUND = 5, NotFound, "NOT_FOUND";
    /// What was to be created exists already.
    RB_ALREADY_EXISTS = 6, AlreadyExists, "ALREADY_EXISTS";
    /// The caller is known but may not do this.
    RB_PERMISSION_DENIED = 7, PermissionDenied, "PERMISSION_DENIED";
    /// A limit was reached: memory, handles, calls in flight.
    RB_RESOURCE_EXHAUSTED = 8, ResourceExhausted, "RESOURCE_EXHAUSTED";
    /// The system is not in a state in which this is possible; retrying alone does not help.
    RB_FAILED_PRECONDITION = 9, FailedPrecondition, "FAILED_PRECONDITION";
    /// The operation was aborted, typically by a conflict with another one.
    RB_ABORTED = 10, Aborted, "ABORTED";
    /// A value lies outside its valid range; arithmetic overflow is one case.
    RB_OUT_OF_RANGE = 11, OutOfRange, "OUT_OF_RANGE";
    /// The operation or encoding is not offered.
    RB_UNIMPLEMENTED = 12, Unimplemented, "UNIMPLEMENTED";
    /// An invariant broke; a caught panic arrives as this.
    RB_INTERNAL = 13, Internal, "INTERNAL";
    /// Not available (any more): the instance is closing or closed.
    RB_UNAVAILABLE = 14, Unavailable, "UNAVAILABLE";
    /// Data was lost or is corrupt beyond repair.
    RB_DATA_LOSS = 15, DataLoss, "DATA_LOSS";
    /// The caller's credentials are missing or invalid.
    RB_UNAUTHENTICATED = 16, Unauthenticated, "UNAUTHENTICATED";
}

/// Set by a plugin in the status of `create`, `call` or `destroy` when the failure is a caught panic, always together
/// with `RB_INTERNAL`. The core acts on it (`on_panic`) and removes it: a host never sees this bit.
pub const RB_PANICKED: RawStatus = 0x100;

impl Status {
    /// Reads a status that crossed the boundary. The panic bit is ignored; unknown values become [`Status::Unknown`].
    #[must_use]
    pub const fn from_raw(raw: RawStatus) -> Status {
        let code = raw & !RB_PANICKED;
        if code >= 0 && (code as usize) < Status::ALL.len() {
            Status::ALL[code as usize]
        } else {
            Status::Unknown
        }
    }

    /// The status as it crosses the boundary.
    #[must_use]
    pub const fn raw(self) -> RawStatus {
        self as RawStatus
    }

    /// The status of that canonical name, if there is one.
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
            assert_eq!(status.raw() as usize, index);
            assert_eq!(Status::from_raw(status.raw()), *status);
            assert_eq!(Status::from_raw(status.raw() | RB_PANICKED), *status);
            assert_eq!(Status::from_name(status.name()), Some(*status));
            assert_eq!(status.c_name().to_str(), Ok(status.name()));
        }
    }

    #[test]
    fn a_status_outside_the_table_reads_as_unknown() {
        for raw in [-1, 17, 255, i32::MAX, i32::MIN, RB_PANICKED | 99] {
            assert_eq!(Status::from_raw(raw), Status::Unknown);
        }
    }
}
