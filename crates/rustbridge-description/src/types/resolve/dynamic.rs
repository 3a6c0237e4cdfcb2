//! Going through dynamic values, which say themselves what they are.

use super::frames::{Frame, Pairs};
use super::plan::tag;
use super::run::{Done, Run};

impl Run<'_> {
    /// A dynamic value, which has the same bytes everywhere.
    pub(super) fn dynamic(&mut self) -> Done {
        let at = self.at;
        let [kind] = self.array("the kind of a dynamic value")?;
        self.put(&[kind])?;
        match kind {
            tag::NULL..=tag::TRUE => Ok(()),
            tag::I64 => self.copy(8, "a `i64`"),
            tag::U64 => {
                let bytes = self.array("a `u64`")?;
                let value = u64::from_le_bytes(bytes);
                if value <= i64::MAX as u64 {
                    return Err(self
                        .problem_at(at, format!("{value} fits an i64, but is encoded as a u64")));
                }
                self.put(&bytes)
            }
            tag::F64 => self.copy(8, "a `f64`"),
            tag::STRING => self.string(),
            tag::BYTES => {
                let count = self.count("the count of bytes")?;
                self.copy(count, "bytes")
            }
            tag::LIST => {
                self.deeper()?;
                let count = self.count("the count of a list's items")?;
                self.room(count, 1)?;
                self.frames.push(Frame::DynamicItems { next: 0, count });
                Ok(())
            }
            tag::MAP => {
                self.deeper()?;
                let count = self.count("the count of a map's pairs")?;
                self.room(count, 5)?;
                self.frames.push(Frame::DynamicPairs(Pairs::new(count)));
                Ok(())
            }
            other => Err(self.problem_at(at, format!("unknown kind of dynamic value: {other}"))),
        }
    }
}
