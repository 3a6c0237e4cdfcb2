//! Every decoder copes with any bytes, and what it understands comes back as it was.

#[expect(dead_code, reason = "every test file uses another part of the host")]
mod host;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use host::Loaded;
use proptest::prelude::*;
use rustbridge::prelude::{Encoding, Message, Pod, Status, plugin};

#[derive(Message, Clone, Debug, PartialEq)]
enum Shape {
    Nothing,
    Circle(f64),
    Pair(i8, u8),
    Named { label: String, sides: Option<u32> },
}

#[derive(Message, Clone, Debug, PartialEq)]
struct Everything {
    flag: bool,
    small: i8,
    large: u64,
    negative: i64,
    ratio: f64,
    letter: char,
    text: String,
    maybe: Option<Box<Everything>>,
    list: Vec<u16>,
    tuple: (u8, String),
    map: BTreeMap<String, i32>,
    shape: Shape,
    nothing: (),
}

#[derive(Message, Clone, Debug, PartialEq)]
enum Tree {
    Leaf,
    Node(Box<Tree>),
}

#[derive(Message, Pod, Debug, PartialEq)]
#[repr(C)]
struct Block {
    a: u64,
    b: [u16; 4],
    c: f64,
}

#[derive(Default)]
struct Mirror;

#[plugin(name = "mirror", export = false)]
impl Mirror {
    pub fn everything(&self, request: Everything) -> Everything {
        request
    }

    pub fn tree(&self, request: &Tree) -> u32 {
        let mut depth = 0;
        let mut tree = request;
        while let Tree::Node(inner) = tree {
            depth += 1;
            tree = inner;
        }
        depth
    }

    pub fn block(&self, request: &Block) -> Block {
        *request
    }

    pub fn bytes<'r>(&self, request: &'r [u8]) -> &'r [u8] {
        request
    }

    pub fn text<'r>(&self, request: &'r str) -> &'r str {
        request
    }
}

static MIRROR: LazyLock<Loaded> = LazyLock::new(Loaded::new::<Mirror>);

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Nothing),
        (-1e9..1e9).prop_map(Shape::Circle),
        any::<(i8, u8)>().prop_map(|(a, b)| Shape::Pair(a, b)),
        any::<(String, Option<u32>)>().prop_map(|(label, sides)| Shape::Named { label, sides }),
    ]
}

fn everything() -> impl Strategy<Value = Everything> {
    let leaf = (
        any::<(bool, i8, u64, i64, char, String)>(),
        -1e300..1e300,
        any::<(Vec<u16>, (u8, String), BTreeMap<String, i32>)>(),
        shape(),
    )
        .prop_map(|(simple, ratio, (list, tuple, map), shape)| {
            let (flag, small, large, negative, letter, text) = simple;
            Everything {
                flag,
                small,
                large,
                negative,
                ratio,
                letter,
                text,
                maybe: None,
                list,
                tuple,
                map,
                shape,
                nothing: (),
            }
        });
    leaf.prop_recursive(3, 8, 1, |inner| {
        (inner.clone(), inner).prop_map(|(outer, inner)| Everything {
            maybe: Some(Box::new(inner)),
            ..outer
        })
    })
}

/// The encodings that serde writes and that are switched on, each with another program's way of writing it.
fn written(value: &impl serde::Serialize) -> Vec<(Encoding, Vec<u8>)> {
    vec![
        (Encoding::Json, serde_json::to_vec(value).unwrap()),
        #[cfg(feature = "msgpack")]
        (Encoding::Msgpack, rmp_serde::to_vec_named(value).unwrap()),
        #[cfg(feature = "bincode")]
        (
            Encoding::Bincode,
            bincode::serde::encode_to_vec(value, bincode::config::standard()).unwrap(),
        ),
        #[cfg(feature = "postcard")]
        (Encoding::Postcard, postcard::to_stdvec(value).unwrap()),
    ]
}

fn serde_encodings() -> Vec<Encoding> {
    written(&())
        .into_iter()
        .map(|(encoding, _)| encoding)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_written_comes_back_the_same(value in everything()) {
        for (encoding, bytes) in written(&value) {
            let answer = MIRROR.call("everything", encoding, &bytes);
            prop_assert_eq!(answer.status, Status::Ok, "{}: {}", encoding, String::from_utf8_lossy(&answer.bytes));
            prop_assert_eq!(answer.bytes, bytes, "{}", encoding);
        }
    }

    #[test]
    fn any_bytes_are_understood_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for encoding in serde_encodings() {
            for method in ["everything", "tree", "block"] {
                let answer = MIRROR.call(method, encoding, &bytes);
                prop_assert!(!answer.panicked, "{encoding}");
                prop_assert!(matches!(answer.status, Status::Ok | Status::InvalidArgument));
            }
        }
    }

    #[test]
    fn a_damaged_request_is_understood_or_refused(
        value in everything(), position in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>(),
    ) {
        for (encoding, mut bytes) in written(&value) {
            let position = position.index(bytes.len());
            bytes[position] = byte;
            let answer = MIRROR.call("everything", encoding, &bytes);
            prop_assert!(!answer.panicked && matches!(answer.status, Status::Ok | Status::InvalidArgument));
            bytes.truncate(cut.index(bytes.len()));
            let answer = MIRROR.call("everything", encoding, &bytes);
            prop_assert!(!answer.panicked && matches!(answer.status, Status::Ok | Status::InvalidArgument));
        }
    }

    #[test]
    fn a_pod_is_the_same_bytes_and_any_other_length_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let answer = MIRROR.call("block", Encoding::Pod, &bytes);
        if bytes.len() == size_of::<Block>() {
            prop_assert_eq!((answer.status, answer.bytes), (Status::Ok, bytes));
        } else {
            prop_assert_eq!(answer.status, Status::InvalidArgument);
        }
    }

    #[test]
    fn raw_bytes_are_the_same_and_raw_text_is_checked(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(&MIRROR.call("bytes", Encoding::Raw, &bytes).bytes, &bytes);
        let answer = MIRROR.call("text", Encoding::Raw, &bytes);
        match std::str::from_utf8(&bytes) {
            Ok(_) => prop_assert_eq!(answer.bytes, bytes),
            Err(_) => prop_assert_eq!(answer.status, Status::InvalidArgument),
        }
    }
}

#[test]
fn nesting_beyond_the_limit_is_refused_before_the_stack_ends() {
    let tree = |depth| (0..depth).fold(Tree::Leaf, |tree, _| Tree::Node(Box::new(tree)));
    for (encoding, bytes) in written(&tree(40)) {
        assert_eq!(
            MIRROR.call("tree", encoding, &bytes).status,
            Status::Ok,
            "{encoding}"
        );
    }
    // What a tree of a million levels begins with, written without building one.
    let many = 1_000_000;
    for encoding in serde_encodings() {
        let bytes = match encoding {
            Encoding::Json => br#"{"Node":"#.repeat(many),
            Encoding::Msgpack => b"\x81\xa4Node".repeat(many),
            _ => vec![1; many],
        };
        assert_eq!(
            MIRROR.call("tree", encoding, &bytes).status,
            Status::InvalidArgument,
            "{encoding}"
        );
    }
}

#[test]
fn a_length_that_is_claimed_is_not_believed() {
    for (encoding, bytes) in [
        (Encoding::Msgpack, &b"\x81\xa5label\xdb\xff\xff\xff\xff"[..]),
        (Encoding::Msgpack, b"\xdd\xff\xff\xff\xff"),
        // Bool, i8, u64, i64, f64, char, then a text of 2^62 bytes.
        (
            Encoding::Bincode,
            b"\x01\x01\x01\x01\0\0\0\0\0\0\0\0a\xfd\0\0\0\0\0\0\0\x40",
        ),
        (
            Encoding::Bincode,
            b"\x03\xfd\xff\xff\xff\xff\xff\xff\xff\x7f",
        ),
        (
            Encoding::Postcard,
            b"\x01\x01\x01\x01\0\0\0\0\0\0\0\0\x01a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        ),
    ] {
        if serde_encodings().contains(&encoding) {
            assert_eq!(
                MIRROR.call("everything", encoding, bytes).status,
                Status::InvalidArgument,
                "{encoding}"
            );
        }
    }
}

#[test]
fn bytes_behind_the_value_are_refused() {
    for (encoding, mut bytes) in written(&Tree::Leaf) {
        assert_eq!(MIRROR.call("tree", encoding, &bytes).status, Status::Ok);
        bytes.push(b'0');
        let answer = MIRROR.call("tree", encoding, &bytes);
        assert_eq!(answer.status, Status::InvalidArgument, "{encoding}");
    }
}

#[test]
fn encodings_behind_features_are_there_when_those_are_on() {
    for (encoding, on) in [
        (Encoding::Msgpack, cfg!(feature = "msgpack")),
        (Encoding::Bincode, cfg!(feature = "bincode")),
        (Encoding::Postcard, cfg!(feature = "postcard")),
    ] {
        assert_eq!(
            MIRROR.described("everything", encoding).is_some(),
            on,
            "{encoding}"
        );
    }
    let schema = &MIRROR.described("tree", Encoding::Json).unwrap()["request"]["schema"];
    assert_eq!(schema["title"], "Tree");
}
