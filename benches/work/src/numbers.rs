//! Packed numbers: adding them up and counting.

/// The sum of packed little-endian numbers, wrapping; nothing when the last one isn't whole.
#[must_use]
pub fn sum(packed: &[u8]) -> Option<i64> {
    let (numbers, rest) = packed.as_chunks::<8>();
    rest.is_empty().then(|| {
        numbers
            .iter()
            .map(|&number| i64::from_le_bytes(number))
            .fold(0, i64::wrapping_add)
    })
}

/// The numbers from 1 to `count`, packed, little-endian.
#[must_use]
pub fn numbers(count: u32) -> Vec<u8> {
    let mut packed = vec![0; count as usize * 8];
    for (place, number) in packed.as_chunks_mut::<8>().0.iter_mut().zip(1i64..) {
        *place = number.to_le_bytes();
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_from_one_add_up() {
        for count in [0, 1, 10, 10_000] {
            let expected = i64::from(count) * (i64::from(count) + 1) / 2;
            assert_eq!(sum(&numbers(count)), Some(expected));
        }
        assert_eq!(numbers(2), [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn half_a_number_has_no_sum() {
        assert_eq!(sum(&[0; 12]), None);
    }
}
