//! Bytes are the same text as by the crate `encoding_rs`, whole and in pieces.

use as_crate::Encoding as Theirs;
use encoding_rs::{DecoderResult, Encoding as Ours};

static LABELS: &str = include_str!("../labels.txt");

fn names() -> impl Iterator<Item = &'static str> {
    LABELS.lines().filter_map(|line| line.split(' ').next())
}

fn both(label: &str) -> (&'static Ours, &'static Theirs) {
    let label = label.as_bytes();
    (Ours::for_label(label).expect("a label"), Theirs::for_label(label).expect("a label"))
}

fn same((ours, theirs): (&'static Ours, &'static Theirs), bytes: &[u8]) {
    let label = theirs.name();
    let (text, malformed) = ours.decode_without_bom_handling(bytes);
    let (wanted, is_malformed) = theirs.decode_without_bom_handling(bytes);
    assert_eq!((&*text, malformed), (&*wanted, is_malformed), "{label} {bytes:02x?}");
    let (is_borrowed, wanted) = (matches!(text, std::borrow::Cow::Borrowed(_)), matches!(wanted, std::borrow::Cow::Borrowed(_)));
    assert_eq!(is_borrowed, wanted, "{label} {bytes:02x?}");
}

#[test]
fn all_labels() {
    let mut count = 0;
    for line in LABELS.lines() {
        for label in line.split(' ').skip(1) {
            for label in [label.to_owned(), label.to_uppercase(), format!("\t {label}\r\n")] {
                let (ours, theirs) = both(&label);
                assert_eq!(ours.name(), theirs.name(), "{label}");
                assert_eq!(ours.is_single_byte(), theirs.is_single_byte(), "{label}");
            }
            count += 1;
        }
    }
    assert!(count > 220, "{count}");
    for none in ["", " ", "utf", "utf-80", "latin", "windows-1259", "big5 ü"] {
        assert!(Ours::for_label(none.as_bytes()).is_none(), "{none}");
    }
}

#[test]
fn all_single_bytes_and_pairs() {
    for name in names().filter(|name| *name != "replacement") {
        let name = both(name);
        for one in 0..=255 {
            same(name, &[one]);
            for two in 0..=255 {
                same(name, &[one, two]);
            }
        }
    }
    same(both("iso-2022-kr"), b"");
    same(both("iso-2022-kr"), b"any");
}

#[test]
fn longer_sequences() {
    let [gb18030, euc_jp, iso_2022_jp] = ["gb18030", "euc-jp", "iso-2022-jp"].map(both);
    for one in 0x81..=0xFE {
        for two in (0x30..=0x39).chain([0x2F, 0x3A, 0x40, 0x81]) {
            for three in 0x80..=0xFF {
                for four in (0x30..=0x39).chain([0x2F, 0x41, 0xFF]) {
                    same(gb18030, &[one, two, three, four]);
                }
            }
        }
    }
    for two in 0xA0..=0xFF {
        for three in 0x20..=0xFF {
            same(euc_jp, &[0x8F, two, three]);
        }
    }
    for two in 0..0x80 {
        for three in 0..0x80 {
            same(iso_2022_jp, &[b'a', 0x1B, two, three, b'!', b'"', 0x1B, b'(', b'B', b'b']);
            same(iso_2022_jp, &[0x1B, b'$', b'B', two, three, 0x1B, b'(', b'J', b'\\', b'~']);
        }
    }
}

/// A sequence of numbers that is the same each time.
fn numbers(mut seed: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    })
}

fn noise(seed: u64, length: usize) -> Vec<u8> {
    let likely = b"aZ<>09$(BIJ@\x1b\x0e\x8e\x8f\xa1\xa3\xc4\xd8\xdc\xe0\xfc\xfe\xff\x80\x81";
    let byte =
        |number: u64| if number.is_multiple_of(3) { likely[number as usize / 3 % likely.len()] } else { (number / 3) as u8 };
    numbers(seed).take(length).map(byte).collect()
}

#[test]
fn noise_in_all_charsets() {
    for name in names().filter(|name| *name != "replacement") {
        let name = both(name);
        for seed in 0..400 {
            same(name, &noise(seed, 1 + seed as usize % 90));
        }
    }
}

/// What the detector sees: a byte at a time, what is written and where it fails.
#[test]
fn bytes_that_come_one_by_one() {
    for name in ["GBK", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "ISO-2022-JP", "UTF-8"] {
        let (ours, theirs) = both(name);
        // After an error in these, what was read before may be read again, and the detector stops.
        let stops = ["GBK", "ISO-2022-JP", "UTF-8"].contains(&name);
        for seed in 0..3000 {
            let (mut own, mut other) = (ours.new_decoder_without_bom_handling(), theirs.new_decoder_without_bom_handling());
            for byte in noise(seed, 40) {
                let (mut to, mut wanted) = ([0; 2], [0; 2]);
                let (result, _, written) = own.decode_to_utf16_without_replacement(&[byte], &mut to, false);
                let (expected, _, units) = other.decode_to_utf16_without_replacement(&[byte], &mut wanted, false);
                assert_eq!((written, to), (units, wanted), "{name} {seed}");
                match (result, expected) {
                    (DecoderResult::InputEmpty, as_crate::DecoderResult::InputEmpty) => {}
                    (DecoderResult::Malformed(length, _), as_crate::DecoderResult::Malformed(wanted, _)) => {
                        assert!(length == wanted || stops, "{name} {seed}");
                        if stops {
                            break;
                        }
                    }
                    other => panic!("{name} {seed} {byte:02x}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn pieces_of_any_length_and_room() {
    for seed in 0..500 {
        let bytes = noise(seed, 3000);
        let (ours, theirs) = both("utf-8");
        let (mut own, mut other) = (ours.new_decoder_without_bom_handling(), theirs.new_decoder_without_bom_handling());
        let start = &bytes[..Theirs::utf8_valid_up_to(&bytes)];
        let (mut to, mut wanted) = ([0; 4096], [0; 4096]);
        let (result, read, written) = own.decode_to_utf8_without_replacement(start, &mut to, true);
        let (expected, all, units) = other.decode_to_utf8_without_replacement(start, &mut wanted, true);
        assert_eq!((result, expected), (DecoderResult::InputEmpty, as_crate::DecoderResult::InputEmpty));
        assert_eq!((read, &to[..written]), (all, &wanted[..units]));
        assert_eq!(Ours::utf8_valid_up_to(&bytes), Theirs::utf8_valid_up_to(&bytes));
        assert_eq!(Ours::ascii_valid_up_to(&bytes), Theirs::ascii_valid_up_to(&bytes));
    }
    let mut decoder = both("iso-2022-jp").0.new_decoder_without_bom_handling();
    let (result, read, written) = decoder.decode_to_utf16_without_replacement(b"abcdef", &mut [0; 4], false);
    assert_eq!((result, read, written), (DecoderResult::OutputFull, 3, 3));
}
