//! Every decoder copes with any bytes, and what it understands comes back as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::mpsc;
use std::thread;

use proptest::prelude::*;
use rustbridge::prelude::{Encoding, Message, Object, Pod, Status, object, plugin};

use crate::host::Loaded;

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

/// Its levels are kept aside until the tag is known, and each takes a lot of the stack when it's read from there.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Tagged {
    Leaf,
    Node(Box<TaggedNode>),
}

/// As wide, and read level by level.
#[derive(Message, Clone, Debug, PartialEq)]
struct Wide {
    child: Option<Box<Wide>>,
    fields: Option<Fields>,
    a: Option<String>,
    b: Option<String>,
    c: Option<String>,
    d: Option<String>,
    e: Option<String>,
    f: Option<String>,
    g: Option<String>,
    h: Option<String>,
    i: Option<String>,
    j: Option<String>,
    k: Option<String>,
    l: Option<String>,
    m: Option<String>,
    n: Option<String>,
    o: Option<String>,
    p: Option<String>,
    q: Option<String>,
    r: Option<String>,
    s: Option<String>,
    t: Option<String>,
}

#[derive(Message, Clone, Debug, PartialEq)]
struct Fields {
    numbers: [u64; 16],
}

#[derive(Message, Clone, Debug, PartialEq)]
struct TaggedNode {
    child: Tagged,
    a: Option<String>,
    b: Option<String>,
    c: Option<String>,
    d: Option<String>,
    e: Option<String>,
    f: Option<String>,
    g: Option<String>,
    h: Option<String>,
    i: Option<String>,
    j: Option<String>,
    k: Option<String>,
    l: Option<String>,
    m: Option<String>,
    n: Option<String>,
    o: Option<String>,
    p: Option<String>,
    q: Option<String>,
    r: Option<String>,
    s: Option<String>,
    t: Option<String>,
}

#[derive(Message, Pod, Debug, PartialEq)]
#[repr(C)]
struct Block {
    a: u64,
    b: [u16; 4],
    c: f64,
}

/// Takes no bytes in an encoding without names, but memory.
#[derive(Message, Clone, Debug, PartialEq)]
struct Weightless {
    #[serde(skip)]
    memory: [u64; 8],
}

#[derive(Message)]
#[message(json_only)]
#[serde(transparent)]
struct Units(Vec<()>);

#[derive(Message, Clone, Debug, PartialEq)]
#[message(json_only)]
struct Weightlesses {
    units: Vec<()>,
    set: BTreeSet<()>,
    map: BTreeMap<(), ()>,
    nested: Vec<Vec<()>>,
    structs: Vec<Weightless>,
}

#[derive(Default)]
struct Mirror;

#[plugin(
    name = "mirror",
    export = false,
    objects(Shard),
    encodings(json, raw, pod, msgpack, bincode, postcard, wire)
)]
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

    pub fn tagged(&self, request: &Tagged) -> u32 {
        let mut depth = 0;
        let mut tagged = request;
        while let Tagged::Node(inner) = tagged {
            depth += 1;
            tagged = &inner.child;
        }
        depth
    }

    pub fn wide(&self, request: &Wide) -> u32 {
        let mut depth = 1;
        let mut wide = request;
        while let Some(inner) = &wide.child {
            depth += 1;
            wide = inner;
        }
        depth
    }

    pub fn units(&self, request: Units) -> u64 {
        request.0.len() as u64
    }

    pub fn lists(&self, request: Vec<Vec<u8>>) -> u64 {
        request.len() as u64
    }

    pub fn weightless(&self, request: Weightlesses) -> Weightlesses {
        request
    }

    pub fn value(&self, request: serde_json::Value) -> serde_json::Value {
        request
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

    #[method(encodings(json))]
    pub fn only_json(&self, request: u8) -> u8 {
        request
    }

    pub fn shard(&self) -> Object<Shard> {
        Object::new(Shard)
    }
}

/// An object that lists no encodings, of a plugin that does.
struct Shard;

#[object]
impl Shard {
    pub fn same(&self, request: u8) -> u8 {
        request
    }
}

static MIRROR: LazyLock<Loaded> = LazyLock::new(Loaded::new::<Mirror>);

/// Lists no encodings.
#[derive(Default)]
struct Plain;

#[plugin(name = "plain", export = false)]
impl Plain {
    pub fn same(&self, request: String) -> String {
        request
    }
}

static PLAIN: LazyLock<Loaded> = LazyLock::new(Loaded::new::<Plain>);

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

/// The encodings that serde writes, each with another program's way of writing it.
fn written(value: &impl serde::Serialize) -> Vec<(Encoding, Vec<u8>)> {
    vec![
        (Encoding::Json, serde_json::to_vec(value).unwrap()),
        (Encoding::Msgpack, rmp_serde::to_vec_named(value).unwrap()),
        (
            Encoding::Bincode,
            bincode::serde::encode_to_vec(value, bincode::config::standard()).unwrap(),
        ),
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

/// Runs the named test of this program again in a process of its own, where it finds itself to be the child.
fn in_subprocess(test: &str) -> bool {
    const CHILD: &str = "RUSTBRIDGE_TEST_CHILD";
    if env::var_os(CHILD).is_some() {
        return true;
    }
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, "1");
    let output = child_process::output(&mut command, child_process::RUN);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    // A name that no test has would run nothing and succeed.
    let listed = String::from_utf8_lossy(&output.stdout);
    assert!(listed.contains("running 1 test\n"), "{test}: {listed}");
    false
}

/// A JVM keeps four pages at the low end of its threads' stacks for itself, of which the system knows nothing.
#[cfg(target_os = "linux")]
fn take_what_a_jvm_takes() {
    use std::mem::MaybeUninit;
    use std::ptr;

    const ZONES: usize = 4 * 4096;
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut low, mut size, mut guard) = (ptr::null_mut(), 0, 0);
    // SAFETY: all places are valid, and the lowest pages of this thread's stack aren't in use yet.
    unsafe {
        let attributes = attributes.as_mut_ptr();
        assert_eq!(
            libc::pthread_getattr_np(libc::pthread_self(), attributes),
            0
        );
        libc::pthread_attr_getstack(attributes, &raw mut low, &raw mut size);
        libc::pthread_attr_getguardsize(attributes, &raw mut guard);
        libc::pthread_attr_destroy(attributes);
        let lowest = low.byte_add(guard);
        assert_eq!(libc::mprotect(lowest, ZONES, libc::PROT_NONE), 0);
    }
}

#[cfg(not(target_os = "linux"))]
fn take_what_a_jvm_takes() {}

#[test]
fn nesting_within_the_limit_ends_before_a_small_stack_does() {
    // A stack that overflows ends the process.
    if !in_subprocess("decoders::nesting_within_the_limit_ends_before_a_small_stack_does") {
        return;
    }
    let depth = 126;
    let tree = (0..depth).fold(Tree::Leaf, |tree, _| Tree::Node(Box::new(tree)));
    let requests: Vec<_> = written(&tree)
        .into_iter()
        .map(|(encoding, bytes)| ("tree", encoding, bytes))
        .chain([
            (
                "value",
                Encoding::Json,
                ["[".repeat(depth), "]".repeat(depth)].concat().into_bytes(),
            ),
            (
                "value",
                Encoding::Json,
                [r#"{"a":"#.repeat(depth), "1".into(), "}".repeat(depth)]
                    .concat()
                    .into_bytes(),
            ),
        ])
        .collect();
    // Of each depth, since how much is left when it has been kept aside depends on that.
    let tagged = (1..depth).map(|depth| {
        let request = [
            r#"{"kind":"Node","child":"#.repeat(depth),
            r#"{"kind":"Leaf"}"#.into(),
            "}".repeat(depth),
        ];
        ("tagged", Encoding::Json, request.concat().into_bytes())
    });
    let wide = (1..depth).map(|depth| {
        let request = [r#"{"child":"#.repeat(depth), "{}".into(), "}".repeat(depth)];
        ("wide", Encoding::Json, request.concat().into_bytes())
    });
    let requests: Vec<_> = requests.into_iter().chain(tagged).chain(wide).collect();
    // Made here, because it takes more stack than a call.
    LazyLock::force(&MIRROR);
    for size in [128 << 10, 256 << 10, 512 << 10, 1 << 20, 32 << 20] {
        let requests = requests.clone();
        let all = move || {
            take_what_a_jvm_takes();
            for (method, encoding, bytes) in requests {
                let answer = MIRROR.call(method, encoding, &bytes);
                let what = format!("{method} {encoding} on {size} bytes");
                if size > 16 << 20 {
                    assert_eq!(answer.status, Status::Ok, "{what}");
                } else if answer.status != Status::Ok {
                    assert_eq!(answer.status, Status::InvalidArgument, "{what}");
                    assert!(answer.text().contains("stack is too small"), "{what}");
                }
            }
        };
        thread::Builder::new()
            .stack_size(size)
            .spawn(all)
            .unwrap()
            .join()
            .unwrap();
    }
}

/// `length` as the encoding writes it in front of a sequence.
fn claim(encoding: Encoding, length: u64) -> Option<Vec<u8>> {
    match encoding {
        Encoding::Bincode if length < 251 => Some(vec![length as u8]),
        Encoding::Bincode => {
            let mut bytes = vec![0xfd];
            bytes.extend(length.to_le_bytes());
            Some(bytes)
        }
        Encoding::Postcard => {
            let mut bytes = Vec::new();
            let mut rest = length;
            while rest > 0x7f {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
            Some(bytes)
        }
        // Each element takes a byte at least.
        _ => None,
    }
}

#[test]
fn elements_without_bytes_are_bounded_where_nothing_else_bounds_them() {
    let (done, finished) = mpsc::channel();
    // On a thread of its own, since what isn't bounded doesn't end.
    thread::spawn(move || {
        for encoding in serde_encodings() {
            let Some(none) = claim(encoding, 0) else {
                continue;
            };
            for huge in [1 << 20, u64::from(u32::MAX) + 7, u64::MAX / 2, u64::MAX] {
                let claimed = claim(encoding, huge).unwrap();
                // One of the five members has the claim, the others are empty; the fourth has it one level down, too.
                for member in 0..5 {
                    let mut request = none.repeat(member);
                    if member == 3 {
                        request.extend(claim(encoding, 1).unwrap());
                    }
                    request.extend(&claimed);
                    request.extend(none.repeat(4 - member));
                    let answer = MIRROR.call("weightless", encoding, &request);
                    assert_eq!(
                        answer.status,
                        Status::InvalidArgument,
                        "{encoding} {huge} {member}"
                    );
                    assert!(!answer.panicked);
                }
                // Many claims that would each be allowed alone.
                let mut request = none.repeat(3);
                request.extend(claim(encoding, 200).unwrap());
                for _ in 0..200 {
                    request.extend(claim(encoding, 4_000).unwrap());
                }
                request.extend(&none);
                let answer = MIRROR.call("weightless", encoding, &request);
                assert_eq!(answer.status, Status::InvalidArgument, "{encoding}");
            }
        }
        done.send(()).unwrap();
    });
    finished
        .recv_timeout(child_process::RUN)
        .expect("a huge length was believed, or one of the above");
}

#[test]
fn a_few_elements_without_bytes_and_any_number_with_bytes_are_read() {
    for encoding in serde_encodings() {
        if let Some(request) = claim(encoding, 4_000) {
            let answer = MIRROR.call("units", encoding, &request);
            assert_eq!(answer.status, Status::Ok, "{encoding}");
        }
    }
    let value = Weightlesses {
        units: vec![(); 3],
        set: BTreeSet::from([()]),
        // A map of JSON has names, and `()` is none.
        map: BTreeMap::new(),
        nested: vec![vec![(); 2], vec![], vec![(); 5]],
        structs: vec![Weightless { memory: [0; 8] }; 3],
    };
    for (encoding, bytes) in written(&value) {
        let answer = MIRROR.call("weightless", encoding, &bytes);
        assert_eq!((answer.status, answer.bytes), (Status::Ok, bytes));
    }
    // Each of a long list's elements has a byte of its own, and so have the pieces of a nested one.
    let list = vec![vec![1_u8, 2]; 30_000];
    for (encoding, bytes) in written(&list) {
        let answer = MIRROR.call("lists", encoding, &bytes);
        assert_eq!(answer.status, Status::Ok, "{encoding}");
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
fn encodings_behind_features_are_there_where_a_plugin_lists_them() {
    for encoding in [Encoding::Msgpack, Encoding::Bincode, Encoding::Postcard] {
        assert!(
            MIRROR.described("everything", encoding).is_some(),
            "{encoding}"
        );
        assert!(PLAIN.described("same", encoding).is_none(), "{encoding}");
        for method in ["only_json", "Shard.same"] {
            assert!(MIRROR.described(method, encoding).is_none(), "{encoding}");
        }
    }
    for encoding in [Encoding::Json, Encoding::Wire] {
        assert!(PLAIN.described("same", encoding).is_some(), "{encoding}");
        assert!(
            MIRROR.described("Shard.same", encoding).is_some(),
            "{encoding}"
        );
    }
    assert!(MIRROR.described("only_json", Encoding::Json).is_some());
    assert!(MIRROR.described("only_json", Encoding::Wire).is_none());
    let schema = &MIRROR.described("tree", Encoding::Json).unwrap()["request"]["schema"];
    assert_eq!(schema["title"], "Tree");
}
