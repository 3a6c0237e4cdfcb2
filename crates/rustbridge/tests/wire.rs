//! What the wire form makes of types that are out of the ordinary.

use rustbridge::__private::wire::{Unwritable, Writer, Written, to_vec};
use rustbridge::Message;

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
    let Written::Spilled(bytes) = writer.finish() else {
        panic!("there was no storage");
    };
    assert_eq!(bytes.len(), 4 + links.len());
    // Room for one more each time would have been exact in the end.
    assert!(bytes.capacity() > bytes.len(), "{}", bytes.capacity());
}
