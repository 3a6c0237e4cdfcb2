//! How deep and how large what plans write and read may be, and that something is not for them.

/// How many values may lie in each other, as Python counts them.
pub(super) const MAX_DEPTH: usize = 128;

/// How much stack there has to be before it goes deeper.
const STACK: usize = 96 * 1024;

/// The most bytes that a message has.
pub(super) const MAX_BYTES: usize = i32::MAX as usize - 8;

/// Not for a plan to write or to read: Python is to try it. There may be an exception, which says nothing to anybody unless it's
/// one that isn't an `Exception`, as a Ctrl-C.
pub(super) struct Unfit;

pub(super) type Done = Result<(), Unfit>;

/// Whether it may go one deeper.
pub(super) fn deeper(depth: usize) -> Result<usize, Unfit> {
    let is_low = rustbridge_stack::stack().is_some_and(|stack| stack.left < STACK);
    if depth == MAX_DEPTH || is_low {
        return Err(Unfit);
    }
    Ok(depth + 1)
}
