//! Numbers for tables and values.

/// Numbers that look random, the same for the same seed.
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    pub(super) fn shuffle<T>(&mut self, list: &mut [T]) {
        for place in (1..list.len()).rev() {
            list.swap(place, self.below(place + 1));
        }
    }
}

/// Some dynamic value's bytes.
pub(super) fn dynamic(rng: &mut Rng, fuel: u32) -> Vec<u8> {
    let text = |text: &str| {
        let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        bytes
    };
    match rng.below(if fuel == 0 { 5 } else { 7 }) {
        0 => vec![rng.below(3) as u8],
        1 => [vec![3], rng.bytes(8)].concat(),
        2 => [vec![4], (rng.next() | 1 << 63).to_le_bytes().to_vec()].concat(),
        3 => [vec![6], text("grün")].concat(),
        4 => [vec![7], text("bytes")].concat(),
        5 => [
            vec![8, 2, 0, 0, 0],
            dynamic(rng, fuel - 1),
            dynamic(rng, fuel - 1),
        ]
        .concat(),
        _ => [
            vec![9, 2, 0, 0, 0],
            text("a"),
            dynamic(rng, fuel - 1),
            text("b"),
            dynamic(rng, fuel - 1),
        ]
        .concat(),
    }
}
