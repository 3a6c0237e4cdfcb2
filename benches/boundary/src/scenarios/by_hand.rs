//! Typed values by hand: the client's own types, laid out for these very calls in memory that is kept, with what a careful
//! person checks: that texts are UTF-8, lengths, variants, and that nothing is left over.

use bytemuck::{cast_slice, cast_slice_mut};

use super::clients::bench::{Greeting, Item, Person, Reading, Shape};
use crate::floor::Floor;

/// A function of the floor, with a request and a response that are kept.
pub struct ByHand {
    floor: Floor,
    sent: Vec<u8>,
    came: Vec<u8>,
}

/// The response, of which less and less is left.
struct Response<'a>(&'a [u8]);

impl<'a> Response<'a> {
    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*array)
    }

    #[inline(always)]
    fn count(&mut self) -> Option<usize> {
        self.array().map(u32::from_le_bytes).map(|n| n as usize)
    }

    #[inline(always)]
    fn double(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    #[inline(always)]
    fn text(&mut self) -> Option<String> {
        let len = self.count()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(str::from_utf8(text).ok()?.to_owned())
    }

    #[inline(always)]
    fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

impl ByHand {
    pub fn new(floor: Floor) -> ByHand {
        ByHand {
            floor,
            sent: Vec::with_capacity(16 << 10),
            came: vec![1; 16 << 10],
        }
    }

    /// Sends what was written, and has the response read to its end.
    ///
    /// # Panics
    /// When the response isn't as it should be.
    #[inline(always)]
    fn call<T>(&mut self, read: impl FnOnce(&mut Response<'_>) -> Option<T>) -> T {
        let len = self.floor.call(&self.sent, &mut self.came);
        let mut response = Response(&self.came[..len]);
        let value = read(&mut response);
        let value = value.and_then(|value| response.end().map(|()| value));
        value.expect("the response is of that type")
    }

    #[inline(always)]
    fn put_text(&mut self, text: &str) {
        let len = u32::try_from(text.len()).expect("texts are shorter");
        self.sent.extend_from_slice(&len.to_le_bytes());
        self.sent.extend_from_slice(text.as_bytes());
    }

    #[inline(always)]
    fn put_count(&mut self, count: usize) {
        let count = u32::try_from(count).expect("lists are shorter");
        self.sent.extend_from_slice(&count.to_le_bytes());
    }

    pub fn greet(&mut self, person: &Person) -> Greeting {
        self.sent.clear();
        self.put_text(&person.name);
        self.call(|response| {
            let text = response.text()?;
            Some(Greeting { text })
        })
    }

    pub fn next_reading(&mut self, reading: &Reading) -> Reading {
        let mut bytes = [0; 34];
        bytes[..4].copy_from_slice(&reading.instrument.to_le_bytes());
        bytes[4..12].copy_from_slice(&reading.at.to_le_bytes());
        bytes[12..20].copy_from_slice(&reading.low.to_le_bytes());
        bytes[20..28].copy_from_slice(&reading.high.to_le_bytes());
        bytes[28..32].copy_from_slice(&reading.weight.to_le_bytes());
        bytes[32..].copy_from_slice(&reading.count.to_le_bytes());
        let len = self.floor.call(&bytes, &mut self.came);
        let mut response = Response(&self.came[..len]);
        let mut read = || {
            Some(Reading {
                instrument: response.array().map(u32::from_le_bytes)?,
                at: response.array().map(i64::from_le_bytes)?,
                low: response.double()?,
                high: response.double()?,
                weight: response.array().map(f32::from_le_bytes)?,
                count: response.array().map(u16::from_le_bytes)?,
            })
        };
        let next = read();
        let next = next.and_then(|next| response.end().map(|()| next));
        next.expect("the response is a reading")
    }

    pub fn discount(&mut self, items: &[Item]) -> Vec<Item> {
        self.sent.clear();
        self.put_count(items.len());
        for item in items {
            self.sent.extend_from_slice(&item.number.to_le_bytes());
            self.put_text(&item.name);
            self.sent.extend_from_slice(&item.price.to_le_bytes());
        }
        self.call(|response| {
            let count = response.count()?;
            if count > response.0.len() / 16 {
                return None;
            }
            let mut items = Vec::with_capacity(count);
            for _ in 0..count {
                items.push(Item {
                    number: response.array().map(u32::from_le_bytes)?,
                    name: response.text()?,
                    price: response.double()?,
                });
            }
            Some(items)
        })
    }

    pub fn around(&mut self, shape: &Shape) -> Shape {
        self.sent.clear();
        match shape {
            Shape::Circle { radius } => {
                self.sent.extend_from_slice(&0_u16.to_le_bytes());
                self.sent.extend_from_slice(&radius.to_le_bytes());
            }
            Shape::Rectangle { width, height } => {
                self.sent.extend_from_slice(&1_u16.to_le_bytes());
                self.sent.extend_from_slice(&width.to_le_bytes());
                self.sent.extend_from_slice(&height.to_le_bytes());
            }
            Shape::Label { text } => {
                self.sent.extend_from_slice(&2_u16.to_le_bytes());
                self.put_text(text);
            }
        }
        self.call(|response| match response.array().map(u16::from_le_bytes)? {
            0 => {
                let radius = response.double()?;
                Some(Shape::Circle { radius })
            }
            1 => {
                let (width, height) = (response.double()?, response.double()?);
                Some(Shape::Rectangle { width, height })
            }
            2 => {
                let text = response.text()?;
                Some(Shape::Label { text })
            }
            _ => None,
        })
    }

    pub fn twice(&mut self, numbers: &[f64]) -> Vec<f64> {
        self.sent.clear();
        self.put_count(numbers.len());
        self.sent.extend_from_slice(&[0; 4]);
        self.sent.extend_from_slice(cast_slice(numbers));
        self.call(|response| {
            let count = response.count()?;
            let (padding, bytes) = (response.array::<4>()?, std::mem::take(&mut response.0));
            let is_whole = padding == [0; 4] && Some(bytes.len()) == count.checked_mul(8);
            is_whole.then(|| {
                let mut numbers = vec![0.0; count];
                cast_slice_mut(&mut numbers).copy_from_slice(bytes);
                numbers
            })
        })
    }
}
