//! Numbers in as few bits as they need.
//!
//! For distances between things that are spread evenly, whose mean is known: the codes of S. W. Golomb (Run-length encodings, 1966) with a
//! power of two, as R. F. Rice has them (1979). For numbers that are small mostly and large sometimes: codes of exponential order (J. Teuhola,
//! A compression method for clustered bit-vectors, 1978; P. Elias's gamma code, 1975, at order 0).

/// Appends bits to bytes, the lowest bit of a byte first.
pub(crate) struct BitWriter<'o> {
    out: &'o mut Vec<u8>,
    held: u64,
    filled: u32,
}

impl<'o> BitWriter<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> BitWriter<'o> {
        BitWriter { out, held: 0, filled: 0 }
    }

    /// The lowest so many bits of a number, 48 at most.
    fn put(&mut self, number: u64, bits: u32) {
        self.held |= (number & ((1 << bits) - 1)) << self.filled;
        self.filled += bits;
        while self.filled >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.filled -= 8;
        }
    }

    /// So many zeros and a one.
    fn put_unary(&mut self, mut zeros: u64) {
        while zeros >= 32 {
            self.put(0, 32);
            zeros -= 32;
        }
        self.put(1 << zeros, zeros as u32 + 1);
    }

    /// A number of which the lowest so many bits say little, 48 at most.
    pub(crate) fn put_rice(&mut self, number: u64, low: u32) {
        self.put_unary(number >> low);
        self.put(number, low);
    }

    /// A number below 2⁴⁸ that is small mostly: the higher the order, the larger these may be.
    pub(crate) fn put_exponential(&mut self, number: u64, order: u32) {
        let high = (number >> order) + 1;
        self.put_unary(u64::from(high.ilog2()));
        self.put(high, high.ilog2());
        self.put(number, order);
    }

    /// Fills the last byte with zeros.
    pub(crate) fn finish(mut self) {
        self.put(0, self.filled.wrapping_neg() % 8);
    }
}

/// How many bits [`BitWriter::put_exponential`] takes.
pub(crate) fn exponential_bits(number: u64, order: u32) -> u32 {
    2 * ((number >> order) + 1).ilog2() + 1 + order
}

/// The number of low bits with which [`BitWriter::put_rice`] takes least for so many distances that add up to no more than 2 to the power of `bits`.
/// However these are spread, they take no more than `low` and four bits on average.
pub(crate) fn rice_bits(distances: usize, bits: u32) -> u32 {
    // The mean times ln 2.
    let mean = (1u64 << bits) / (distances as u64 + 1);
    (mean * 11 / 16).max(1).ilog2()
}

/// Reads what [`BitWriter`] wrote; nothing where the bytes end.
pub(crate) struct BitReader<'b> {
    bytes: &'b [u8],
    held: u64,
    filled: u32,
}

impl<'b> BitReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> BitReader<'b> {
        BitReader { bytes, held: 0, filled: 0 }
    }

    /// Holds 56 bits or more, if there are as many.
    fn fill(&mut self) {
        while self.filled < 56 {
            let Some((first, rest)) = self.bytes.split_first() else { break };
            self.bytes = rest;
            self.held |= u64::from(*first) << self.filled;
            self.filled += 8;
        }
    }

    fn skip(&mut self, bits: u32) {
        self.held = self.held.checked_shr(bits).unwrap_or(0);
        self.filled -= bits;
    }

    fn take(&mut self, bits: u32) -> Option<u64> {
        self.fill();
        let number = self.held & ((1 << bits) - 1);
        (bits <= self.filled).then(|| {
            self.skip(bits);
            number
        })
    }

    fn take_unary(&mut self) -> Option<u64> {
        let mut zeros = 0;
        loop {
            self.fill();
            if self.held != 0 {
                let last = self.held.trailing_zeros();
                self.skip(last + 1);
                return Some(zeros + u64::from(last));
            }
            if self.filled == 0 {
                return None;
            }
            zeros += u64::from(self.filled);
            self.filled = 0;
        }
    }

    pub(crate) fn take_rice(&mut self, low: u32) -> Option<u64> {
        let high = self.take_unary().filter(|high| *high < 1 << 48 >> low)?;
        Some(high << low | self.take(low)?)
    }

    pub(crate) fn take_exponential(&mut self, order: u32) -> Option<u64> {
        let bits = self.take_unary().filter(|bits| *bits + u64::from(order) < 48)? as u32;
        let high = (1 << bits | self.take(bits)?) - 1;
        Some(high << order | self.take(order)?)
    }

    /// Whether nothing is left but the zeros of the last byte.
    pub(crate) fn is_done(&self) -> bool {
        self.bytes.is_empty() && self.filled < 8 && self.held == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec((0..1u64 << 40, 0..41u32, 0..13u32), 0..60)) {
            let mut bytes = vec![7];
            let mut writer = BitWriter::new(&mut bytes);
            let mut expected = 8;
            for (number, low, order) in &numbers {
                // Rice's code of a large number with few low bits is long.
                let small = number >> low.abs_diff(40).saturating_sub(8);
                writer.put_rice(small, *low);
                writer.put_exponential(*number, *order);
                expected += (small >> low) + 1 + u64::from(low + exponential_bits(*number, *order));
            }
            writer.finish();
            prop_assert_eq!(bytes.len() as u64, expected.div_ceil(8));
            let mut reader = BitReader::new(&bytes[1..]);
            for (number, low, order) in &numbers {
                prop_assert_eq!(reader.take_rice(*low), Some(number >> low.abs_diff(40).saturating_sub(8)));
                prop_assert_eq!(reader.take_exponential(*order), Some(*number));
            }
            prop_assert!(reader.is_done());
            prop_assert_eq!(reader.take_unary(), None);
        }

        #[test]
        fn any_bits_are_numbers_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60), low in 0..41u32, order in 0..13u32) {
            let mut reader = BitReader::new(&bytes);
            while let Some(number) = reader.take_rice(low) {
                prop_assert!(number < 1 << 48);
                let Some(number) = reader.take_exponential(order) else { break };
                prop_assert!(number < 1 << 48);
            }
        }
    }

    #[test]
    fn even_distances_take_little_more_than_their_logarithm() {
        for distances in [1usize, 10, 1000, 100_000] {
            let low = rice_bits(distances, 40);
            let mean = (1u64 << 40) / (distances as u64 + 1);
            assert!((mean >> low) <= 2 && mean >> low >= 1, "{distances} {low}");
        }
        assert_eq!(rice_bits(usize::MAX / 2, 40), 0);
    }
}
