//! How much stack the calling thread has left.
//!
//! A thread's stack may be 128 KB (musl), 256 KB (a host's choice) or 8 MB, and one level of nesting takes some hundred bytes
//! of it in a release build and some thousand in a debug build. So whatever recurses as deep as a request says asks here,
//! rather than trust in a number of levels.

/// What must be left for one more level, with the error or the text that is made at its end and whatever frame the
/// author's own types need; and the 16 KB at the low end of its threads' stacks that a JVM keeps for itself.
const ROOM: usize = if cfg!(debug_assertions) {
    64 << 10
} else {
    40 << 10
};

/// What must be left besides for each level that is kept aside, to be read from there when its type is known. That's done by
/// code of serde's and the author's which doesn't ask here: with two dozen optional texts in a struct it takes 5 KB a level,
/// in a debug build 11 KB.
pub(crate) const KEPT_ASIDE: usize = if cfg!(debug_assertions) {
    24 << 10
} else {
    8 << 10
};

/// Whether the stack has room for one level more, and `besides` bytes. Yes where nobody can say.
pub(crate) fn has_room(besides: usize) -> bool {
    rustbridge_stack::stack().is_none_or(|stack| stack.left >= ROOM + besides)
}

#[cfg(test)]
mod tests {
    use std::hint;

    use super::*;

    /// Goes down until there's no room, and says how far.
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
