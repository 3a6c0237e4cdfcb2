//! hello-plugin linked into this program: the cases, and parity with its library and with the plain value.
//! It is a program of its own because only one plugin that exports the entry symbol can be linked into a program; `conformance`
//! has the other one.

#[path = "conformance/support/core_host.rs"]
mod core_host;
#[path = "conformance/support/core_operations.rs"]
mod core_operations;
#[path = "conformance/support/parity.rs"]
mod parity;
#[path = "conformance/support/plain.rs"]
mod plain;

use core_host::CoreHost;
use hello_plugin::Hello;
use plain::{Plain, wait};
use rustbridge_conformance::cases::{Files, Plugin};
use rustbridge_conformance::run::{self, Selection};

fn linked() -> CoreHost {
    CoreHost::Linked(rustbridge::entry_point::<Hello>())
}

#[test]
fn every_case_is_right_on_the_linked_plugin() {
    let selection = Selection {
        case: &|case| case.plugin == Plugin::Hello,
        ..Selection::all()
    };
    run::all(&Files::read().unwrap(), &mut linked(), &selection).assert_right();
}

#[test]
fn library_link_and_plain_value_answer_alike() {
    let plain = Plain::new(Hello::default())
        .json("echo", |hello, request| {
            Ok::<_, rustbridge::Error>(hello.echo(request))
        })
        .json("greet", |hello, request| {
            Ok::<_, rustbridge::Error>(hello.greet(request))
        })
        .json("math.add", |hello: &Hello, request| hello.add(&request))
        .pod("math.add", Hello::add)
        .json("test.sleep", |hello, request| {
            Ok::<_, rustbridge::Error>(wait(hello.sleep(request)))
        })
        .json("bench.small", |hello, request| {
            Ok::<_, rustbridge::Error>(hello.small(request))
        })
        .pod("bench.small", Hello::small_pod)
        .json("bench.medium", |hello, request| {
            Ok::<_, rustbridge::Error>(hello.medium(request))
        })
        .json("bench.large", Hello::large);
    let compared = parity::compare(Plugin::Hello, linked(), |call| plain.call(call));
    assert!(
        compared.calls >= 100 && compared.plain >= 60,
        "{compared:?}"
    );
}
