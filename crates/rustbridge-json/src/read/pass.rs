//! Values that nobody wants.

use super::reader::{Doubt, Reader, Sure};

impl Reader<'_> {
    /// Passes over a value. What it consists of is looked at, but a level takes a bit and no stack.
    pub(super) fn pass(&mut self) -> Sure<()> {
        // Whether what lies around is an object, the innermost lowest; a one above them all.
        let mut around = 1_u64;
        loop {
            let next = self.next()?;
            match next {
                b'"' => self.pass_string()?,
                b'-' | b'0'..=b'9' => drop(self.number_token()?),
                b'n' => self.word(b"null")?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'[' | b'{' => {
                    if around >> 63 != 0 {
                        return Err(Doubt);
                    }
                    self.take();
                    let object = next == b'{';
                    around = around << 1 | u64::from(object);
                    let empty = self.next()? == if object { b'}' } else { b']' };
                    if !empty {
                        if object {
                            self.pass_key()?;
                        }
                        continue;
                    }
                }
                _ => return Err(Doubt),
            }
            // Behind a value, or before the end of what's empty.
            loop {
                if around == 1 {
                    return Ok(());
                }
                let object = around & 1 != 0;
                match self.next()? {
                    b',' => {
                        self.take();
                        if object {
                            self.next()?;
                            self.pass_key()?;
                        }
                        break;
                    }
                    b'}' if object => {
                        self.take();
                        around >>= 1;
                    }
                    b']' if !object => {
                        self.take();
                        around >>= 1;
                    }
                    _ => return Err(Doubt),
                }
            }
        }
    }

    #[inline(always)]
    fn pass_key(&mut self) -> Sure<()> {
        if self.peek() != Some(b'"') {
            return Err(Doubt);
        }
        self.pass_string()?;
        self.expect(b':')
    }
}
