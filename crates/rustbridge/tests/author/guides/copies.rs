//! What docs/guide/zero-copy.md shows of plugins.

use rustbridge::prelude::*;
use rustbridge_core::{Encoding, Load, ResponseLocation};

pub struct Pictures {
    picture: Bytes,
}

#[plugin(name = "pictures", export = false)]
impl Pictures {
    pub fn create() -> Pictures {
        Pictures {
            picture: vec![7; 100_000].into(),
        }
    }

    /// The same memory for everybody who reads it, with no copy in between.
    pub fn picture(&self, _request: &[u8]) -> Bytes {
        self.picture.clone()
    }

    /// A part of the request, copied once: from there to where the host wants it.
    pub fn tail<'r>(&self, request: &'r [u8]) -> &'r [u8] {
        &request[request.len() / 2..]
    }
}

#[test]
fn large_answers_are_lent_and_small_ones_copied_once() {
    // SAFETY: our own plugin's entry point.
    let pictures = unsafe { Load::linked(rustbridge::entry_point::<Pictures>(), "pictures") }
        .open()
        .unwrap();
    let picture = pictures.method("picture", Encoding::Raw).unwrap();
    let (one, other) = (picture.call(b"").unwrap(), picture.call(b"").unwrap());
    assert!(one.is_lease());
    // Both are the plugin's own memory.
    assert_eq!(one.as_ptr(), other.as_ptr());

    let tail = pictures.method("tail", Encoding::Raw).unwrap();
    let mut storage = [0; 8];
    let written = tail.call_into(b"abcdef", &mut storage).unwrap();
    assert!(matches!(written, ResponseLocation::Buffer(3)));
    assert_eq!(&storage[..3], b"def");
    assert_eq!(Pictures::create().picture(b"").len(), 100_000);
}
