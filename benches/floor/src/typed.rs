//! Calls with typed values by hand: as `docs/wire.md` lays them out, written and read for these very types.
//!
//! What is checked is what a careful reader checks: lengths, text, presence of a variant, and that nothing is left over. The
//! work itself is done on values that own what they hold, like that of the plugin's methods.

use std::{ptr, slice, str};

use crate::{INVALID_ARGUMENT, OK, request_bytes};

/// The request, of which less and less is left.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
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
    fn text(&mut self) -> Option<&'a str> {
        let len = self.count()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        str::from_utf8(text).ok()
    }

    #[inline(always)]
    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// The response's memory, of which less and less is left.
struct Writer<'a> {
    room: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Option<()> {
        *self.room.get_mut(self.at..)?.first_chunk_mut::<N>()? = bytes;
        self.at += N;
        Some(())
    }

    #[inline(always)]
    fn slice(&mut self, bytes: &[u8]) -> Option<()> {
        self.room
            .get_mut(self.at..self.at + bytes.len())?
            .copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }

    #[inline(always)]
    fn text(&mut self, text: &str) -> Option<()> {
        self.put((text.len() as u32).to_le_bytes())?;
        self.slice(text.as_bytes())
    }
}

/// Has `work` read the request to its end and write the response.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[inline(always)]
unsafe fn answer(
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
    work: impl FnOnce(&mut Reader<'_>, &mut Writer<'_>) -> Option<()>,
) -> i32 {
    // SAFETY: the caller vouches for the request.
    let mut reader = Reader(unsafe { request_bytes(request, len) });
    // SAFETY: the caller vouches for the response.
    let room = unsafe { slice::from_raw_parts_mut(response, capacity) };
    let mut writer = Writer { room, at: 0 };
    match work(&mut reader, &mut writer).and_then(|()| reader.end()) {
        Some(()) => {
            // SAFETY: the caller vouches for it.
            unsafe { response_len.write(writer.at) };
            OK
        }
        None => INVALID_ARGUMENT,
    }
}

/// A name → `Hello, NAME!`, as `greet` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_greet(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, greet) }
}

fn greet(request: &mut Reader<'_>, response: &mut Writer<'_>) -> Option<()> {
    let name = request.text()?.to_owned();
    let mut text = String::with_capacity(name.len() + 8);
    text.push_str("Hello, ");
    text.push_str(&name);
    text.push('!');
    response.text(&text)
}

/// A reading of numbers → the one that follows, as `next_reading` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_next_reading(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, next_reading) }
}

fn next_reading(request: &mut Reader<'_>, response: &mut Writer<'_>) -> Option<()> {
    let instrument: [u8; 4] = request.array()?;
    let at = request.array().map(i64::from_le_bytes)?;
    let (low, high) = (request.double()?, request.double()?);
    let weight = request.array().map(f32::from_le_bytes)?;
    let count = request.array().map(u16::from_le_bytes)?;
    let half = (high - low) / 2.0;
    response.put(instrument)?;
    response.put(at.wrapping_add(60).to_le_bytes())?;
    response.put((low - half).to_le_bytes())?;
    response.put((high + half).to_le_bytes())?;
    response.put((weight * 0.5).to_le_bytes())?;
    response.put(count.wrapping_add(1).to_le_bytes())
}

/// Items of number, name and price → the same, every second one half as dear, as `discount` of bench-plugin.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_discount(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, discount) }
}

struct Item {
    number: u32,
    name: String,
    price: f64,
}

fn discount(request: &mut Reader<'_>, response: &mut Writer<'_>) -> Option<()> {
    let count = request.count()?;
    if count > request.0.len() / 16 {
        return None;
    }
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(Item {
            number: request.array().map(u32::from_le_bytes)?,
            name: request.text()?.to_owned(),
            price: request.double()?,
        });
    }
    for item in items.iter_mut().skip(1).step_by(2) {
        item.price *= 0.5;
    }
    response.put((count as u32).to_le_bytes())?;
    for item in &items {
        response.put(item.number.to_le_bytes())?;
        response.text(&item.name)?;
        response.put(item.price.to_le_bytes())?;
    }
    Some(())
}

/// A shape → the one around it, as `around` of bench-plugin: 0 is a circle, 1 a rectangle, 2 a label.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_around(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, around) }
}

fn around(request: &mut Reader<'_>, response: &mut Writer<'_>) -> Option<()> {
    match request.array().map(u16::from_le_bytes)? {
        0 => {
            let radius = request.double()?;
            response.put(1_u16.to_le_bytes())?;
            response.put((radius * 2.0).to_le_bytes())?;
            response.put((radius * 2.0).to_le_bytes())
        }
        1 => {
            let (width, height) = (request.double()?, request.double()?);
            response.put(0_u16.to_le_bytes())?;
            response.put(((width * width + height * height).sqrt() / 2.0).to_le_bytes())
        }
        2 => {
            let text = request.text()?.to_owned().to_uppercase();
            response.put(2_u16.to_le_bytes())?;
            response.text(&text)
        }
        _ => None,
    }
}

/// Doubles → twice as much each, as `twice` of bench-plugin: a count, four bytes of zeros, the numbers.
///
/// # Safety
/// `request` points to `len` readable bytes, `response` to `capacity` writable ones, `response_len` to a `usize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn floor_twice(
    _handle: *mut u8,
    _id: u32,
    request: *const u8,
    len: usize,
    response: *mut u8,
    capacity: usize,
    response_len: *mut usize,
) -> i32 {
    // SAFETY: the caller vouches for the pointers.
    unsafe { answer(request, len, response, capacity, response_len, twice) }
}

fn twice(request: &mut Reader<'_>, response: &mut Writer<'_>) -> Option<()> {
    let count = request.count()?;
    if request.array()? != [0; 4]
        || !request.0.len().is_multiple_of(8)
        || count != request.0.len() / 8
    {
        return None;
    }
    let bytes = std::mem::take(&mut request.0);
    let mut numbers = vec![0.0_f64; count];
    // SAFETY: both are `8 * count` bytes, the one just made; any bytes are doubles.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), numbers.as_mut_ptr().cast(), bytes.len()) };
    for number in &mut numbers {
        *number *= 2.0;
    }
    response.put((count as u32).to_le_bytes())?;
    response.put([0; 4])?;
    // SAFETY: doubles are bytes without gaps.
    response.slice(unsafe { slice::from_raw_parts(numbers.as_ptr().cast(), bytes.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The response to a request, if there's one that fits.
    fn call(
        work: impl FnOnce(&mut Reader<'_>, &mut Writer<'_>) -> Option<()>,
        request: &[u8],
        capacity: usize,
    ) -> Option<Vec<u8>> {
        let mut room = vec![0xaa; capacity];
        let mut len = 0;
        // SAFETY: all three pointers are to live values of the sizes given.
        let status = unsafe {
            answer(
                request.as_ptr(),
                request.len(),
                room.as_mut_ptr(),
                capacity,
                &mut len,
                work,
            )
        };
        room.truncate(len);
        (status == OK).then_some(room)
    }

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
    }

    #[test]
    fn a_name_is_greeted() {
        assert_eq!(
            call(greet, &text("Ada"), 64),
            Some(text("Hello, Ada!")),
            "with room"
        );
        assert_eq!(call(greet, &text("Ada"), 14), None, "without");
        assert_eq!(call(greet, &[1, 0, 0, 0, 0xff], 64), None);
    }

    #[test]
    fn a_reading_gives_the_next() {
        let reading = |at: i64, low: f64, high: f64, weight: f32, count: u16| {
            let mut bytes = 7_u32.to_le_bytes().to_vec();
            bytes.extend(at.to_le_bytes());
            bytes.extend(low.to_le_bytes());
            bytes.extend(high.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
            bytes.extend(count.to_le_bytes());
            bytes
        };
        let given = reading(1_000, -1.0, 3.0, 0.5, 11);
        let expected = reading(1_060, -3.0, 5.0, 0.25, 12);
        assert_eq!(call(next_reading, &given, 34), Some(expected));
        assert_eq!(call(next_reading, &given[..33], 34), None);
    }

    #[test]
    fn every_second_item_is_half_as_dear() {
        let items = |prices: [f64; 2]| {
            let mut bytes = 2_u32.to_le_bytes().to_vec();
            for price in prices {
                bytes.extend(1_u32.to_le_bytes());
                bytes.extend(text("a"));
                bytes.extend(price.to_le_bytes());
            }
            bytes
        };
        let halved = Some(items([2.0, 1.0]));
        assert_eq!(call(discount, &items([2.0, 2.0]), 64), halved);
        assert_eq!(call(discount, &[0xff; 4], 64), None, "more than there are");
    }

    #[test]
    fn shapes_are_around_shapes() {
        let rectangle = [&[1, 0][..], &3_f64.to_le_bytes(), &4_f64.to_le_bytes()].concat();
        let circle = [&[0, 0][..], &2.5_f64.to_le_bytes()].concat();
        let square = [&[1, 0][..], &5_f64.to_le_bytes(), &5_f64.to_le_bytes()].concat();
        assert_eq!(call(around, &rectangle, 64), Some(circle.clone()));
        assert_eq!(call(around, &circle, 64), Some(square));
        let label = |said: &str| [&[2, 0][..], &text(said)].concat();
        assert_eq!(call(around, &label("a"), 64), Some(label("A")));
        assert_eq!(call(around, &[3, 0], 64), None);
        let longer = [&rectangle[..], &[0]].concat();
        assert_eq!(call(around, &longer, 64), None);
    }

    #[test]
    fn numbers_are_doubled() {
        let numbers = |numbers: [f64; 2]| {
            let mut bytes = vec![2, 0, 0, 0, 0, 0, 0, 0];
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            bytes
        };
        let given = numbers([0.5, -2.0]);
        assert_eq!(call(twice, &given, 24), Some(numbers([1.0, -4.0])));
        assert_eq!(call(twice, &given[..16], 24), None);
        assert_eq!(call(twice, &given, 23), None);
    }
}
