//! What belongs to one side and is used by the other: services of the host, objects of the plugin.

use std::hint::black_box;
use std::pin::Pin;
use std::ptr::null_mut;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytemuck::{bytes_of, bytes_of_mut};
use rustbridge_core::Encoding::{Pod, Raw};
use rustbridge_core::{Object, Plugin};

use super::subjects::BENCH;
use crate::floor::Floor;
use crate::scenario::method;
use crate::{FLOOR, Scenario, Subject};

pub fn scenarios() -> Vec<Scenario> {
    vec![
        Scenario::new("service sync", BENCH)
            .ours(|plugin| asks(plugin, "ask"))
            .with(FLOOR, |plugin| asks(plugin, "ask_by_hand"))
            .single(),
        Scenario::new("service async", BENCH)
            .ours(|plugin| asks_later(plugin, "ask_later"))
            .with(FLOOR, |plugin| asks_later(plugin, "ask_by_hand_later")),
        object_method().single(),
        create_and_drop("object create and drop"),
    ]
}

/// A call whose handler asks the host: ours by a service, by hand the function at a bare address.
fn asks(plugin: &Plugin, name: &str) -> Subject {
    let method = method(plugin, name, Pod);
    Subject::new(move || {
        move || {
            let answer = method.call_pod::<i32, i32>(&black_box(23));
            assert_eq!(answer.expect("the call works"), 64);
        }
    })
}

/// The same awaited on both sides; the host answers at once.
fn asks_later(plugin: &Plugin, name: &str) -> Subject {
    let method = method(plugin, name, Pod);
    Subject::new(move || {
        let mut context = Context::from_waker(Waker::noop());
        move || {
            let request = black_box(23);
            let mut call = method.call_pod_async::<i32, i32>(&request).begin();
            match Pin::new(&mut call).poll(&mut context) {
                Poll::Ready(answer) => assert_eq!(answer.expect("the call works"), 64),
                Poll::Pending => panic!("it waits"),
            }
        }
    })
}

/// A new object.
fn adder(plugin: &Plugin) -> Object {
    let answer = method(plugin, "adder", Raw).with().call(b"");
    let objects = answer.expect("the call works").objects;
    objects.into_iter().next().expect("it gives an object")
}

fn object_method() -> Scenario {
    Scenario::new("object method", BENCH)
        .ours(|plugin| {
            let (object, method) = (adder(plugin), method(plugin, "Adder.add", Pod));
            let call = Arc::new((method.with().object(&object), object));
            Subject::new(move || {
                let call = Arc::clone(&call);
                move || {
                    let sum: i32 = call.0.call_pod(&black_box(23i32)).expect("64");
                    assert_eq!(sum, 64);
                }
            })
        })
        .floor("adder_add", |add| {
            Subject::new(move || {
                let object = Boxes::find().make();
                move || {
                    let mut sum = 0i32;
                    let storage = bytes_of_mut(&mut sum);
                    // SAFETY: the object lives, and the storage is as long as it's said to be.
                    unsafe {
                        let request = black_box(23i32);
                        add.call_on(
                            object.address(),
                            bytes_of(&request),
                            storage.as_mut_ptr(),
                            4,
                        );
                    }
                    assert_eq!(sum, 64);
                }
            })
        })
}

fn create_and_drop(name: &str) -> Scenario {
    Scenario::new(name, BENCH)
        .ours(|plugin| {
            let create = method(plugin, "adder", Raw).with();
            Subject::new(move || {
                let create = create.clone();
                move || {
                    let answer = create.call(b"").expect("the call works");
                    assert_eq!(black_box(answer.objects).len(), 1);
                }
            })
        })
        .with(FLOOR, |_| {
            let boxes = Boxes::find();
            Subject::new(move || {
                move || {
                    black_box(boxes.make());
                }
            })
        })
}

/// The functions that make and drop an object by hand.
#[derive(Clone, Copy)]
struct Boxes {
    new: Floor,
    drop: Floor,
}

impl Boxes {
    fn find() -> Boxes {
        Boxes {
            new: Floor::find("adder_new"),
            drop: Floor::find("adder_drop"),
        }
    }

    #[inline(always)]
    fn make(self) -> ByHand {
        let mut address = null_mut::<u8>();
        let room = (&raw mut address).cast();
        // SAFETY: there's room for an address.
        unsafe { self.new.call_raw(b"", room, size_of::<usize>()) };
        ByHand(address, self)
    }
}

/// An object by hand: its address.
struct ByHand(*mut u8, Boxes);

impl ByHand {
    fn address(&self) -> *mut u8 {
        self.0
    }
}

impl Drop for ByHand {
    fn drop(&mut self) {
        // SAFETY: made by the function that belongs to this one, and dropped once.
        unsafe { self.1.drop.call_on(self.0, b"", null_mut(), 0) };
    }
}
