//! Types of two plugins: the client of `gallery-plugin` uses the types of the client of `fixtures-plugin`.

#![deny(missing_docs, unsafe_code, warnings)]

use std::collections::HashMap;

use rustbridge_conformance::libraries;
use rustbridge_host::typed::{Decimal, Failure};
use rustbridge_host::{Load, Status};

use crate::fixtures::{
    self, Colour, Fixtures, Frame, Outline, Person, Services, Spot, Sprite, SpriteError,
};
use crate::gallery::{self, Gallery, GuardObject};

fn fixtures() -> Fixtures {
    let load = Load::path(libraries::path("fixtures-plugin"));
    Fixtures::open(load, &Services::default()).unwrap()
}

fn frame() -> Frame {
    let corners = (Spot { x: 1.0, y: 2.0 }, Spot { x: 3.0, y: 4.0 });
    let outline = Outline::Polygon(vec![corners.0.clone()]);
    let mut frame = Frame::new(
        corners,
        outline,
        HashMap::from([("top".to_owned(), Colour::DeepBlue)]),
    );
    frame.title = Some("The sea".to_owned());
    frame
}

#[test]
fn values_of_one_plugin_are_passed_to_another() {
    let (fixtures, gallery) = (
        fixtures(),
        Gallery::load(libraries::path("gallery-plugin")).unwrap(),
    );
    let turned = fixtures.turned_frame(&frame()).unwrap();
    let corner = gallery.hang(&turned).unwrap();
    assert_eq!(corner, frame().corners.1);
    let hung = gallery.with_colour(Colour::DeepBlue).unwrap();
    assert_eq!(fixtures.turned_frame(&hung[0]).unwrap(), frame());
    assert_eq!(gallery.with_colour(Colour::Red).unwrap(), []);
    let around = gallery.around(std::slice::from_ref(&corner)).unwrap();
    assert_eq!(
        around,
        Outline::Circle {
            centre: corner,
            radius: 1.0
        }
    );

    // Types that differ are each client's own.
    let _: gallery::Bill = gallery.bill(2).unwrap();
    let _: fn(fixtures::Bill) -> Decimal = |bill| bill.net;
}

/// The error of a call that failed with one of its own type, and the status.
fn typed(failed: Failure<SpriteError>) -> (SpriteError, Status) {
    match failed {
        Failure::Typed { error, cause } => (error, cause.status()),
        Failure::Other(error) => panic!("{error}"),
    }
}

#[test]
fn errors_of_one_plugin_are_those_of_another() {
    let (fixtures, gallery) = (
        fixtures(),
        Gallery::load(libraries::path("gallery-plugin")).unwrap(),
    );
    let mut outside = frame();
    outside.corners.0.x = -1.0;
    let expected = SpriteError::Outside { x: -1.0, y: 2.0 };
    let failed = gallery.hang(&outside).unwrap_err();
    assert_eq!(typed(failed), (expected, Status::OutOfRange));

    // The host returns an error of one plugin to the other, which returns it.
    let person = Person {
        name: "Ada".to_owned(),
        age: 36,
    };
    let to = Spot { x: 1.0, y: 1.0 };
    let at = to.clone();
    let guard = GuardObject::new(move |_, _| {
        let unnamed = Sprite::new(&fixtures, "", None);
        unnamed.map(|_| at.clone())
    });
    let failed = gallery.visit(&person, &to, &guard).unwrap_err();
    assert_eq!(
        typed(failed),
        (SpriteError::Unnamed, Status::InvalidArgument)
    );
}
