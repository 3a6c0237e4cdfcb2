//! How deep and how large what plans write and read may be, and that something is not for them.

/// How many values may lie in each other, as Python counts them.
pub(super) const MAX_DEPTH: usize = 128;

/// How much stack there has to be before it goes deeper.
const STACK: usize = 96 * 1024;

/// The most bytes that a message has.
pub(super) const MAX_BYTES: usize = i32::MAX as usize - 8;

/// Not for a plan to write or to read: Python is to try it. There may be an exception, which says nothing to anybody unless it's
/// one that isn't an `Exception`, as a Ctrl-C.
pub(super) struct Fallback;

pub(super) type Done = Result<(), Fallback>;

/// How far down this thread's stack may be used while a message is gone through: asked when it matters first, since that takes
/// longer than to write a small message.
#[derive(Clone, Copy)]
pub(super) struct Bottom(Option<usize>);

impl Bottom {
    pub(super) const UNASKED: Bottom = Bottom(None);

    /// Whether it may go one deeper.
    #[inline(always)]
    pub(super) fn deeper(&mut self, depth: usize) -> Result<usize, Fallback> {
        let mark = 0_u8;
        let here = (&raw const mark).addr();
        let bottom = match self.0 {
            Some(bottom) => bottom,
            None => self.ask(),
        };
        if depth == MAX_DEPTH || here < bottom {
            return Err(Fallback);
        }
        Ok(depth + 1)
    }

    #[cold]
    fn ask(&mut self) -> usize {
        let mark = 0_u8;
        let here = (&raw const mark).addr();
        let bottom = match rustbridge_stack::stack() {
            Some(stack) => (here + STACK).saturating_sub(stack.left),
            // Nobody can say how much there is.
            None => 0,
        };
        *self.0.insert(bottom)
    }
}
