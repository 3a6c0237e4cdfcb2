//! Decimal numbers, as their texts.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::read::{Decode, Fault, Reader};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// The most characters of a decimal number. Hosts' types take long to read much longer ones.
const MOST: usize = 1000;

/// A decimal number of any precision: its text, digits with at most one point between them, perhaps behind a minus.
///
/// Two are equal if their texts are: `1.5` and `1.50` aren't.
///
/// ```
/// let price: rustbridge_wire::Decimal = "-12.50".parse()?;
/// assert_eq!(price.as_str(), "-12.50");
/// # Ok::<(), rustbridge_wire::NotDecimal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal(String);

/// A text isn't a decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDecimal;

impl fmt::Display for NotDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a decimal number consists of digits, perhaps with a minus before them and a point between them, and has at most {MOST} characters"
        )
    }
}

impl Error for NotDecimal {}

impl Decimal {
    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether a text is a decimal number.
pub(crate) fn is_decimal(text: &str) -> bool {
    let is_number =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    text.len() <= MOST && is_number(whole) && is_number(fraction)
}

impl TryFrom<String> for Decimal {
    type Error = NotDecimal;

    fn try_from(text: String) -> Result<Decimal, NotDecimal> {
        match is_decimal(&text) {
            true => Ok(Decimal(text)),
            false => Err(NotDecimal),
        }
    }
}

impl FromStr for Decimal {
    type Err = NotDecimal;

    fn from_str(text: &str) -> Result<Decimal, NotDecimal> {
        text.to_owned().try_into()
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Typed for Decimal {
    const TYPE: Type = Type::Decimal;
    const LEAST: usize = 4;
    const EXACT: bool = false;
}

// SAFETY: as of its text.
unsafe impl Encode for Decimal {
    #[inline]
    fn measure(&self, measure: &mut Measure) {
        self.0.measure(measure);
    }

    #[inline]
    unsafe fn put(&self, writer: &mut Writer) {
        // SAFETY: the caller's promise.
        unsafe { self.0.put(writer) };
    }
}

// SAFETY: not exact.
unsafe impl<'de> Decode<'de> for Decimal {
    #[inline]
    fn get(reader: &mut Reader<'de>) -> Result<Decimal, Fault> {
        let text = reader.string()?;
        text.parse()
            .map_err(|not: NotDecimal| reader.refuse(format!("{not}, unlike {}", shortened(text))))
    }
}

/// Returns the beginning of a text, as a message shows it.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Those of the crate `rust_decimal`, which have up to 28 digits.
#[cfg(feature = "rust_decimal")]
mod fixed {
    use std::fmt::Write as _;

    use rust_decimal::Decimal;

    use super::shortened;
    use crate::read::{Decode, Fault, Reader};
    use crate::types::{Type, Typed};
    use crate::write::{Encode, Measure, Writer};

    /// The text of a number, which has at most a sign, a point and 29 digits.
    struct Digits {
        bytes: [u8; 40],
        len: usize,
    }

    impl std::fmt::Write for Digits {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let end = self.len + text.len();
            let room = self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?;
            room.copy_from_slice(text.as_bytes());
            self.len = end;
            Ok(())
        }
    }

    fn digits(number: &Decimal) -> Digits {
        let mut digits = Digits {
            bytes: [0; 40],
            len: 0,
        };
        // There's room for each.
        let _ = write!(digits, "{number}");
        digits
    }

    impl Typed for Decimal {
        const TYPE: Type = Type::Decimal;
        const LEAST: usize = 4;
        const EXACT: bool = false;
    }

    // SAFETY: a count and the digits, of which there are as many each time.
    unsafe impl Encode for Decimal {
        #[inline]
        fn measure(&self, measure: &mut Measure) {
            measure.add(4 + digits(self).len);
        }

        #[inline]
        unsafe fn put(&self, writer: &mut Writer) {
            let digits = digits(self);
            // SAFETY: the caller's promise.
            unsafe {
                writer.put_count(digits.len);
                writer.put_bytes(&digits.bytes[..digits.len]);
            }
        }
    }

    // SAFETY: not exact.
    unsafe impl<'de> Decode<'de> for Decimal {
        #[inline]
        fn get(reader: &mut Reader<'de>) -> Result<Decimal, Fault> {
            let text = reader.string()?;
            let number = super::is_decimal(text).then(|| Decimal::from_str_exact(text).ok());
            number.flatten().ok_or_else(|| {
                reader.refuse(format!(
                    "a decimal number has at most 28 digits here, unlike {}",
                    shortened(text)
                ))
            })
        }
    }
}
