//! What the wire form makes of types that are out of the ordinary.

use rustbridge::__private::wire::{Unwritable, Writer, WriterOutput, to_vec};
use rustbridge::prelude::*;
use rustbridge_abi::Encoding;

use crate::host::Loaded;

/// A chain that goes through a type of its own at each link.
#[derive(Message, Clone, Debug)]
#[serde(from = "Link", into = "Link")]
struct Chain(Option<Box<Chain>>);

#[derive(Message, Clone, Debug)]
struct Link {
    next: Option<Box<Chain>>,
}

impl From<Link> for Chain {
    fn from(link: Link) -> Chain {
        Chain(link.next)
    }
}

impl From<Chain> for Link {
    fn from(chain: Chain) -> Link {
        Link { next: chain.0 }
    }
}

#[test]
fn what_goes_through_another_type_at_each_level_has_the_same_bounds() {
    let chain =
        |links: usize| (0..links).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain))));
    assert_eq!(
        to_vec(&chain(100)).unwrap(),
        [[1; 100].as_slice(), &[0]].concat()
    );
    for links in [200, 1000] {
        let written = to_vec(&chain(links));
        assert!(
            matches!(written, Err(Unwritable::Refused(_))),
            "{written:?}"
        );
    }
}

#[test]
fn a_long_list_of_what_is_converted_seldom_moves() {
    let links = vec![Chain(None); 100_000];
    let mut writer = Writer::new();
    writer.message(&links).unwrap();
    let WriterOutput::Spilled(bytes) = writer.finish() else {
        panic!("there was no storage");
    };
    assert_eq!(bytes.len(), 4 + links.len());
    // Room for one more each time would have been exact in the end.
    assert!(bytes.capacity() > bytes.len(), "{}", bytes.capacity());
}

/// Something that is sent.
trait Sends {
    type Message;
}

/// Two types of one name in one module, as macros make them.
macro_rules! sends {
    ($sender:ident, $derive:meta, $field:ident: $type:ty) => {
        struct $sender;

        const _: () = {
            #[$derive]
            pub struct Parcel {
                $field: $type,
            }

            impl Sends for $sender {
                type Message = Parcel;
            }
        };
    };
}

sends!(One, derive(Message), weight: u32);
sends!(Other, derive(Message), address: String);

#[derive(Default)]
struct Sender;

#[plugin(name = "sender", export = false)]
impl Sender {
    pub fn parcel(&self, request: <One as Sends>::Message) -> <Other as Sends>::Message {
        unreachable!("nobody calls it: {}", request.weight)
    }
}

#[test]
fn types_that_share_a_name_are_told_apart() {
    let plugin = Loaded::new::<Sender>();
    let types = &plugin.description()["types"];
    let of = |side: &str| {
        let entry = plugin.described("parcel", Encoding::Wire).unwrap();
        let number = entry[side]["type"]["ref"].as_u64().unwrap();
        types[number as usize]["record"][0]["type"]
            .as_str()
            .unwrap()
    };
    assert_eq!((of("request"), of("response")), ("u32", "string"));
}

mod billing {
    use rustbridge::Message;

    #[derive(Message)]
    pub(super) struct Item {
        pub(super) cents: u64,
    }
}

mod stock {
    use rustbridge::Message;

    #[derive(Message)]
    pub(super) struct Item {
        pub(super) count: u32,
    }

    pub(super) mod old_stock {
        use rustbridge::Message;

        #[derive(Message)]
        pub(in super::super) struct Item {
            pub(in super::super) boxes: u32,
        }
    }
}

#[derive(Message)]
struct All<T> {
    all: Vec<T>,
}

#[derive(Default)]
struct Store;

#[plugin(name = "store", export = false)]
impl Store {
    pub fn price(&self, items: All<billing::Item>) -> u64 {
        items.all.iter().map(|item| item.cents).sum()
    }

    pub fn count(&self, items: All<stock::Item>) -> u32 {
        items.all.iter().map(|item| item.count).sum()
    }

    pub fn boxes(&self, item: stock::old_stock::Item) -> u32 {
        item.boxes
    }
}

#[test]
fn types_of_one_name_have_their_modules_in_front() {
    let plugin = Loaded::new::<Store>();
    let types = plugin.description()["types"].clone();
    let types = types.as_array().unwrap();
    let mut names: Vec<_> = types
        .iter()
        .map(|ty| ty["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "AllBillingItem",
            "AllStockItem",
            "BillingItem",
            "OldStockItem",
            "StockItem"
        ]
    );
}

/// Named like a module that the macros use.
mod named_like_ours {
    pub mod wire {
        #[derive(rustbridge::Message, Clone, Debug)]
        pub struct First(pub u32);
    }
}

mod uses_a_module_named_like_ours {
    use super::named_like_ours::wire;
    use super::*;

    #[derive(Message, Clone, Debug)]
    pub struct Sum {
        #[serde(default)]
        first: Option<wire::First>,
        second: u32,
    }

    #[service(encoding = "wire", optional)]
    #[allow(dead_code, reason = "only what it expands to is of interest")]
    pub trait Counters {
        fn add(&self, to: wire::First, second: u32) -> Result<u32>;
    }

    #[derive(Default)]
    pub struct Adder;

    #[plugin(name = "adder", services(Counters), export = false)]
    impl Adder {
        pub fn sum(&self, sum: Sum) -> u32 {
            sum.first.map_or(0, |first| first.0) + sum.second
        }

        pub fn add(&self, first: wire::First, second: u32) -> u32 {
            first.0 + second
        }
    }
}

#[test]
fn the_author_may_have_a_module_named_like_one_of_the_macros() {
    use uses_a_module_named_like_ours::Adder;
    let plugin = Loaded::new::<Adder>();
    let request = serde_json::json!({"first": 1, "second": 2});
    let response = plugin.call("sum", Encoding::Json, request.to_string().as_bytes());
    assert_eq!(response.json(), 3);
}
