//! Fields that go as another type.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::Ipv4Addr;

use proptest::prelude::*;
use rustbridge::__private::wire::{Decode, Encode, read, to_vec};
use rustbridge::prelude::*;
use rustbridge::via::{NoTimestamp, Timestamp};
use serde_json::{Value, json};

use crate::host::Loaded;

/// A crate that knows nothing of messages.
mod colors {
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Rgb(pub u32);
}

use colors::Rgb;

/// What a colour looks like to others.
#[derive(Message, Clone, Debug, PartialEq)]
struct Hex(String);

impl From<Rgb> for Hex {
    fn from(color: Rgb) -> Hex {
        Hex(format!("{:06x}", color.0))
    }
}

impl TryFrom<Hex> for Rgb {
    type Error = String;

    fn try_from(hex: Hex) -> Result<Rgb, String> {
        match u32::from_str_radix(&hex.0, 16) {
            Ok(color) if color < 1 << 24 => Ok(Rgb(color)),
            _ => Err(format!("{:?} is no colour", hex.0)),
        }
    }
}

/// Wherever there may be one.
#[derive(Message, Clone, Debug, Default, PartialEq)]
struct Wall {
    name: String,
    #[message(via = Hex)]
    color: Rgb,
    #[message(via = Hex)]
    maybe: Option<Rgb>,
    #[message(via = Hex)]
    boxed: Box<Rgb>,
    #[message(via = Hex)]
    stripes: Vec<Rgb>,
    #[message(via = Hex)]
    queue: VecDeque<Option<Rgb>>,
    #[message(via = Hex)]
    pair: [Rgb; 2],
    #[message(via = Hex)]
    sorted: BTreeMap<String, Vec<Rgb>>,
    #[message(via = Hex)]
    hashed: HashMap<u8, Rgb>,
    #[message(via = Hex)]
    #[serde(default)]
    usual: Rgb,
    #[message(via = Hex)]
    #[serde(skip)]
    own: Rgb,
}

/// The same, as others see it.
#[derive(Message, Clone, Debug, PartialEq)]
#[serde(rename = "Wall")]
struct Seen {
    name: String,
    color: Hex,
    maybe: Option<Hex>,
    boxed: Hex,
    stripes: Vec<Hex>,
    queue: VecDeque<Option<Hex>>,
    pair: [Hex; 2],
    sorted: BTreeMap<String, Vec<Hex>>,
    hashed: HashMap<u8, Hex>,
    #[serde(default = "black")]
    usual: Hex,
}

fn black() -> Hex {
    Rgb(0).into()
}

impl From<Wall> for Seen {
    fn from(wall: Wall) -> Seen {
        let list = |list: Vec<Rgb>| list.into_iter().map(Hex::from).collect();
        Seen {
            name: wall.name,
            color: wall.color.into(),
            maybe: wall.maybe.map(Hex::from),
            boxed: (*wall.boxed).into(),
            stripes: list(wall.stripes),
            queue: wall.queue.into_iter().map(|it| it.map(Hex::from)).collect(),
            pair: wall.pair.map(Hex::from),
            sorted: wall
                .sorted
                .into_iter()
                .map(|(key, value)| (key, list(value)))
                .collect(),
            hashed: wall
                .hashed
                .into_iter()
                .map(|(key, value)| (key, value.into()))
                .collect(),
            usual: wall.usual.into(),
        }
    }
}

/// A value of it alone, and in variants.
#[derive(Message, Clone, Debug, PartialEq)]
struct Paint(#[message(via = Hex)] Rgb);

#[derive(Message, Clone, Debug, PartialEq)]
#[serde(transparent)]
struct Bare {
    #[message(via = u32)]
    address: Ipv4Addr,
}

#[derive(Message, Clone, Debug, PartialEq)]
enum Look {
    Plain(#[message(via = Hex)] Rgb),
    Striped {
        of: u8,
        #[message(via = Hex)]
        colors: Vec<Rgb>,
    },
}

#[derive(Message, Clone, Debug, PartialEq)]
struct Several<T> {
    others: Vec<T>,
    #[message(via = u32)]
    addresses: Vec<Ipv4Addr>,
}

#[derive(Message, Clone, Debug, PartialEq)]
#[message(json_only)]
struct JsonOnly {
    #[message(via = Hex)]
    color: Rgb,
    number: serde_json::Number,
}

#[derive(Default)]
struct Painter;

#[plugin(name = "painter", export = false)]
impl Painter {
    pub fn wall(&self, wall: Wall) -> Wall {
        wall
    }

    pub fn seen(&self, wall: Seen) -> Seen {
        wall
    }

    pub fn look(&self, look: Look) -> Look {
        look
    }
}

fn color() -> impl Strategy<Value = Rgb> {
    (0_u32..1 << 24).prop_map(Rgb)
}

fn wall() -> impl Strategy<Value = Wall> {
    use proptest::collection::{btree_map, hash_map, vec, vec_deque};
    let colors = (color(), proptest::option::of(color()), color(), color());
    let lists = (
        vec(color(), 0..5),
        vec_deque(proptest::option::of(color()), 0..5),
        [color(), color()],
    );
    let maps = (
        btree_map(any::<String>(), vec(color(), 0..3), 0..4),
        hash_map(any::<u8>(), color(), 0..4),
    );
    (any::<String>(), colors, lists, maps).prop_map(
        |(name, (color, maybe, boxed, usual), (stripes, queue, pair), (sorted, hashed))| Wall {
            name,
            color,
            maybe,
            boxed: Box::new(boxed),
            stripes,
            queue,
            pair,
            sorted,
            hashed,
            usual,
            own: Rgb(0),
        },
    )
}

proptest! {
    #[test]
    fn others_see_what_it_goes_as(wall in wall()) {
        let seen = Seen::from(wall.clone());
        let bytes = to_vec(&wall).unwrap();
        prop_assert_eq!(&read::<Seen>(&bytes).unwrap(), &seen);
        prop_assert_eq!(&read::<Wall>(&to_vec(&seen).unwrap()).unwrap(), &wall);
        let json = serde_json::to_value(&wall).unwrap();
        prop_assert_eq!(&json, &serde_json::to_value(&seen).unwrap());
        prop_assert_eq!(&serde_json::from_value::<Wall>(json).unwrap(), &wall);
    }
}

#[test]
fn what_is_described_is_what_it_goes_as() {
    let plugin = Loaded::new::<Painter>();
    let types = plugin.description()["types"].as_array().unwrap();
    let shapes: Vec<_> = types
        .iter()
        .filter(|shape| shape["name"] == "Wall")
        .map(|shape| {
            let mut fields = shape["record"].clone();
            for field in fields.as_array_mut().unwrap() {
                field.as_object_mut().unwrap().remove("doc");
            }
            fields
        })
        .collect();
    assert_eq!(shapes.len(), 2);
    assert_eq!(shapes[0], shapes[1]);
    for side in ["request", "response"] {
        let of = |method: &str| {
            let mut schema =
                plugin.described(method, Encoding::Json).unwrap()[side]["schema"].clone();
            let schema = schema.as_object_mut().unwrap();
            schema.remove("description");
            // It has the type's own here, and the function's there.
            schema["properties"]["usual"]
                .as_object_mut()
                .unwrap()
                .remove("default");
            // What is made by a function is said to be missing with what comes of it.
            schema["properties"]["maybe"]
                .as_object_mut()
                .unwrap()
                .remove("default");
            schema.clone()
        };
        assert_eq!(of("wall"), of("seen"), "{side}");
    }
}

/// Puts a wrong one somewhere.
type Change = fn(&mut Seen, Hex);

/// What a request is refused with: the path and the text.
fn refused(plugin: &Loaded, method: &str, encoding: Encoding, request: &[u8]) -> (String, String) {
    let entry = plugin.entry(method, encoding);
    let answer = plugin.call_entry(entry, request, 256);
    assert_eq!(answer.status, Status::InvalidArgument, "{answer:?}");
    let error = answer.json();
    (
        error["details"]["path"].as_str().unwrap().to_owned(),
        error["message"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn what_it_cant_be_made_from_is_refused_with_its_path() {
    let plugin = Loaded::new::<Painter>();
    let right = Seen::from(Wall {
        stripes: vec![Rgb(1), Rgb(2), Rgb(3)],
        sorted: BTreeMap::from([("a".to_owned(), vec![Rgb(4)])]),
        ..Wall::default()
    });
    let wrong = || Hex("reddish".to_owned());
    let cases: [(&str, &str, Change); 4] = [
        ("color", "color", |seen, hex| seen.color = hex),
        ("maybe", "maybe", |seen, hex| seen.maybe = Some(hex)),
        ("stripes[1]", "stripes[1]", |seen, hex| {
            seen.stripes[1] = hex;
        }),
        ("sorted[0][0]", "sorted.a[0]", |seen, hex| {
            seen.sorted.get_mut("a").unwrap()[0] = hex;
        }),
    ];
    for (in_wire, in_json, change) in cases {
        let mut seen = right.clone();
        change(&mut seen, wrong());
        let (path, message) = refused(&plugin, "wall", Encoding::Wire, &to_vec(&seen).unwrap());
        assert_eq!(path, in_wire);
        assert!(message.contains("\"reddish\" is no colour"), "{message}");
        let json = serde_json::to_vec(&seen).unwrap();
        let (path, message) = refused(&plugin, "wall", Encoding::Json, &json);
        assert_eq!(path, format!("$.{in_json}"));
        assert!(message.contains("\"reddish\" is no colour"), "{message}");
    }
    let look = json!({"Striped": {"of": 1, "colors": ["000000", "?"]}});
    let (path, _) = refused(&plugin, "look", Encoding::Json, look.to_string().as_bytes());
    assert_eq!(path, "$.Striped.colors[1]");
}

fn same<T>(value: &T, json: &Value)
where
    T: Message + Encode + for<'de> Decode<'de> + Clone + std::fmt::Debug + PartialEq,
{
    assert_eq!(&serde_json::to_value(value).unwrap(), json);
    assert_eq!(&serde_json::from_value::<T>(json.clone()).unwrap(), value);
    assert_eq!(&read::<T>(&to_vec(value).unwrap()).unwrap(), value);
}

#[test]
fn it_may_be_anywhere_in_a_type() {
    same(&Paint(Rgb(0xabc)), &json!("000abc"));
    let address = Ipv4Addr::LOCALHOST;
    same(&Bare { address }, &json!(0x7f00_0001_u32));
    assert_eq!(to_vec(&Bare { address }).unwrap(), [1, 0, 0, 0x7f]);
    same(&Look::Plain(Rgb(1)), &json!({"Plain": "000001"}));
    let striped = Look::Striped {
        of: 3,
        colors: vec![Rgb(1), Rgb(2)],
    };
    same(
        &striped,
        &json!({"Striped": {"of": 3, "colors": ["000001", "000002"]}}),
    );
    // A list of numbers is aligned, also where it's of what goes as one.
    let several = Several {
        others: vec![7_u8],
        addresses: vec![address, Ipv4Addr::UNSPECIFIED],
    };
    same(
        &several,
        &json!({"others": [7], "addresses": [0x7f00_0001_u32, 0]}),
    );
    let bytes = to_vec(&several).unwrap();
    assert_eq!(bytes.len(), 16 + 8);
    assert_eq!(bytes[16..20], [1, 0, 0, 0x7f]);
}

#[test]
fn what_may_be_left_out_may_be_left_out() {
    let mut json = serde_json::to_value(Wall::default()).unwrap();
    let fields = json.as_object_mut().unwrap();
    fields.remove("maybe");
    fields.remove("usual");
    assert_eq!(
        serde_json::from_value::<Wall>(json.clone()).unwrap(),
        Wall::default()
    );
    json.as_object_mut().unwrap().remove("color");
    let missing = serde_json::from_value::<Wall>(json).unwrap_err();
    assert!(missing.to_string().contains("missing field `color`"));
    // In the wire form one byte says it.
    let mut bytes = to_vec(&Wall::default()).unwrap();
    bytes.truncate(bytes.len() - 4 - 6);
    *bytes.last_mut().unwrap() = 0;
    assert_eq!(read::<Wall>(&bytes).unwrap(), Wall::default());
}

#[test]
fn what_is_for_json_alone_has_it_too() {
    let json = json!({"color": "0000ff", "number": 1});
    let value: JsonOnly = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(value.color, Rgb(255));
    assert_eq!(serde_json::to_value(value).unwrap(), json);
}

#[cfg(feature = "postcard")]
#[test]
fn other_encodings_have_what_it_goes_as() {
    let wall = Wall {
        stripes: vec![Rgb(1), Rgb(2)],
        ..Wall::default()
    };
    let bytes = postcard::to_allocvec(&wall).unwrap();
    assert_eq!(
        bytes,
        postcard::to_allocvec(&Seen::from(wall.clone())).unwrap()
    );
    assert_eq!(postcard::from_bytes::<Wall>(&bytes).unwrap(), wall);
}

proptest! {
    #[test]
    fn a_timestamp_is_read_from_its_text(seconds: i64, nanos in 0_u32..1_000_000_000) {
        let timestamp = Timestamp::new(seconds, nanos).unwrap();
        prop_assert_eq!(timestamp.to_string().parse(), Ok(timestamp));
    }

    #[test]
    fn no_text_is_too_strange_for_a_timestamp(text: String, digits in "[-+.0-9TZ: ]{0,40}") {
        for text in [text, digits] {
            if let Ok(timestamp) = text.parse::<Timestamp>() {
                prop_assert_eq!(timestamp.to_string().parse(), Ok(timestamp));
            }
        }
    }

    #[cfg(feature = "jiff")]
    #[test]
    fn a_timestamp_is_written_as_others_write_it(
        seconds in -62_135_596_800_i64..253_402_207_200,
        nanos in 0_i32..1_000_000_000,
    ) {
        let theirs = jiff::Timestamp::new(seconds, nanos).unwrap();
        prop_assert_eq!(Timestamp::from(theirs).to_string(), theirs.to_string());
    }
}

#[test]
fn a_timestamp_is_written_as_of_rfc_3339() {
    let text = |seconds, nanos| Timestamp::new(seconds, nanos).unwrap().to_string();
    assert_eq!(text(0, 0), "1970-01-01T00:00:00Z");
    assert_eq!(text(-1, 1), "1969-12-31T23:59:59.000000001Z");
    assert_eq!(text(951_782_400, 120_000_000), "2000-02-29T00:00:00.12Z");
    assert_eq!(text(253_402_300_800, 0), "+010000-01-01T00:00:00Z");
    assert_eq!(text(-62_167_219_201, 0), "-000001-12-31T23:59:59Z");
    for wrong in [
        "",
        "2026-11-25",
        "2026-11-25T10:30:00",
        "2026-02-29T10:30:00Z",
        "2026-13-01T10:30:00Z",
        "2026-11-25T24:00:00Z",
        "2026-11-25T10:30:60Z",
        "2026-11-25T10:30:00.Z",
        "2026-11-25T10:30:00.1234567891Z",
        "2026-11-25T10:30:00+1:00",
        "2026-11-25T10:30:00Z ",
        "+2026-11-25T10:30:00Z",
        "+999999999999-01-01T00:00:00Z",
    ] {
        assert_eq!(wrong.parse::<Timestamp>(), Err(NoTimestamp), "{wrong}");
    }
}

/// A key whose order isn't one: all are the same while somebody says so.
#[derive(Message, Clone, Copy, Debug)]
struct Fickle(u32);

thread_local! {
    static ARE_SAME: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl Ord for Fickle {
    fn cmp(&self, other: &Fickle) -> std::cmp::Ordering {
        match ARE_SAME.get() {
            true => std::cmp::Ordering::Equal,
            false => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for Fickle {
    fn partial_cmp(&self, other: &Fickle) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Fickle {
    fn eq(&self, other: &Fickle) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Fickle {}

#[derive(Message)]
struct Shelf {
    #[message(via = Hex)]
    books: BTreeMap<Fickle, Rgb>,
}

/// If they could, memory would be written to for which no room was made.
#[test]
fn keys_that_are_not_always_the_same_lose_no_pair() {
    let books = (0..3).map(|number| (Fickle(number), Rgb(number)));
    let shelf = Shelf {
        books: books.collect(),
    };
    ARE_SAME.set(true);
    let (bytes, json) = (to_vec(&shelf).unwrap(), serde_json::to_value(&shelf));
    ARE_SAME.set(false);
    assert_eq!(bytes.len(), 4 + 3 * (4 + 4 + 6));
    assert_eq!(bytes[0], 3);
    assert_eq!(json.unwrap()["books"].as_object().unwrap().len(), 3);
}
