//! The remaining stack of the calling thread.
//!
//! A thread's stack may be 128 KB (musl), 256 KB (a host's choice) or 8 MB. One level of nesting takes some hundred bytes of
//! it in a release build, and some thousand in a debug build. So functions whose recursion depth depends on a request check
//! the stack here, rather than rely on a number of levels.

/// The bytes that must be left for one more level: for the error or text created at its end, for the frames of the author's
/// own types, and for the 16 KB at the low end of its threads' stacks that a JVM reserves.
const ROOM: usize = if cfg!(debug_assertions) {
    64 << 10
} else {
    40 << 10
};

/// The additional bytes that must be left for each level that serde buffers until its type is known. Code of serde and of the
/// author then reads it without checks here. For a struct with two dozen optional texts it takes 5 KB a level, and 11 KB in a
/// debug build.
pub(crate) const KEPT_ASIDE: usize = if cfg!(debug_assertions) {
    24 << 10
} else {
    8 << 10
};

/// Returns whether the stack has room for one more level and `besides` bytes. Returns true if the size of the stack is
/// unknown.
pub(crate) fn has_room(besides: usize) -> bool {
    rustbridge_stack::stack().is_none_or(|stack| stack.left >= ROOM + besides)
}

#[cfg(test)]
mod tests {
    use std::hint;

    use super::*;

    /// Recurses until there is no room, and returns the depth.
    fn descend(levels: usize) -> usize {
        let frame = hint::black_box([0_u8; 1 << 10]);
        if levels == 100_000 || !has_room(0) {
            return levels;
        }
        descend(levels + 1) + usize::from(frame[levels % frame.len()])
    }

    #[test]
    fn a_recursion_of_any_depth_ends_before_the_stack_does() {
        if rustbridge_stack::stack().is_none() {
            return;
        }
        // Windows gives a thread no less than a program's default.
        let [smallest, .., largest] = [128 << 10, 512 << 10, 4 << 20].map(|size| {
            let levels = std::thread::Builder::new()
                .stack_size(size)
                .spawn(|| descend(0))
                .unwrap()
                .join()
                .unwrap();
            assert!(0 < levels && levels < 100_000, "{size}: {levels}");
            levels
        });
        assert!(smallest < largest, "{smallest} {largest}");
    }
}
