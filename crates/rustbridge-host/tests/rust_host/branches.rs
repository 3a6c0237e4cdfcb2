//! Functions of a callback that accept and return objects, by the client of `fixtures-plugin`.

#![deny(missing_docs, unsafe_code, warnings)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rustbridge_conformance::libraries;
use rustbridge_host::typed::Failure;
use rustbridge_host::{Error, Load, Plugin, Status};

use crate::fixtures::{Branch, BranchObject, ChoiceError, Fixtures, Label, Services, Spot, Sprite};

fn load() -> Load<'static> {
    Load::path(libraries::path("fixtures-plugin"))
}

fn open() -> Fixtures {
    Fixtures::open(load(), &Services::default()).unwrap()
}

/// A branch of the host. It counts its own drop.
#[derive(Default)]
struct Twig {
    name: String,
    parent: Mutex<Option<BranchObject>>,
    dropped: Arc<AtomicU64>,
}

impl Drop for Twig {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

impl Branch for Twig {
    fn name(&self) -> Result<String, Error> {
        Ok(self.name.clone())
    }

    fn set_parent(&self, parent: Option<BranchObject>) -> Result<(), Error> {
        if self.name == "stiff" {
            return Err(Error::failure(Status::FailedPrecondition, "it's stiff"));
        }
        if self.name == "rotten" {
            panic!("it's rotten");
        }
        *self.parent.lock().unwrap() = parent;
        Ok(())
    }

    fn parent(&self) -> Result<Option<BranchObject>, Error> {
        Ok(self.parent.lock().unwrap().clone())
    }

    fn choose(&self, sprites: Vec<Sprite>, near: Spot) -> Result<Sprite, Failure<ChoiceError>> {
        let mut sprites = sprites.into_iter();
        let chosen = sprites.find(|sprite| sprite.name().unwrap() == self.name);
        chosen.ok_or_else(|| ChoiceError::Nothing(near).into())
    }

    fn label(&self, mut labels: Vec<Label>) -> Result<Label, Error> {
        let last = labels.pop();
        last.ok_or_else(|| Error::failure(Status::NotFound, "no labels"))
    }

    fn meet(&self, other: BranchObject) -> Result<BranchObject, Error> {
        Ok(other)
    }
}

fn twig(name: &str) -> BranchObject {
    counted(name, &Arc::default())
}

fn counted(name: &str, dropped: &Arc<AtomicU64>) -> BranchObject {
    BranchObject::new(Twig {
        name: name.to_owned(),
        parent: Mutex::default(),
        dropped: Arc::clone(dropped),
    })
}

#[test]
fn branches_of_both_sides_grow_from_one_another() {
    let fixtures = open();
    let (leaf, root) = (twig("leaf"), twig("root"));
    let limb = fixtures.limb("limb").unwrap();
    fixtures.grow(&leaf, Some(&limb)).unwrap();
    fixtures.grow(&limb, Some(&root)).unwrap();
    assert_eq!(fixtures.path(&leaf).unwrap(), ["leaf", "limb", "root"]);
    // The very objects come back: the host's as itself, and the plugin's as the same object.
    let trunk = fixtures.trunk(&leaf).unwrap();
    assert!(Arc::ptr_eq(trunk.host().unwrap(), root.host().unwrap()));
    let above = leaf.parent().unwrap().unwrap();
    assert!(above.host().is_none());
    assert_eq!(above.name().unwrap(), "limb");
    // The plugin's implementation is called in the same way.
    assert!(limb.parent().unwrap().unwrap() == root);
    limb.set_parent(None).unwrap();
    fixtures.grow(&leaf, None).unwrap();
    assert_eq!(fixtures.path(&leaf).unwrap(), ["leaf"]);
    assert_eq!(fixtures.path(&limb).unwrap(), ["limb"]);
}

#[test]
fn objects_of_other_types_are_accepted_and_returned() {
    let fixtures = open();
    let spot = |x| Spot { x, y: 0.0 };
    let sprites =
        ["far", "near"].map(|name| Sprite::new(&fixtures, name, Some(&spot(2.0))).unwrap());
    let chosen = fixtures
        .chosen(&twig("near"), &sprites, &spot(1.0))
        .unwrap();
    assert_eq!(chosen.name().unwrap(), "near");
    let chosen = fixtures.chosen(&fixtures.limb("limb").unwrap(), &sprites, &spot(1.0));
    assert_eq!(chosen.unwrap().name().unwrap(), "far");
    match fixtures.chosen(&twig("none"), &sprites, &spot(7.0)) {
        Err(Failure::Typed {
            error: ChoiceError::Nothing(near),
            cause,
        }) => assert_eq!((near, cause.status()), (spot(7.0), Status::NotFound)),
        other => panic!("{other:?}"),
    }
    let [far, near] = sprites;
    let label = |name: &str, sprite| Label {
        name: name.to_owned(),
        sprite,
    };
    let labels = [label("one", far), label("two", near)];
    let back = fixtures.labelled(&twig("any"), &labels).unwrap();
    assert_eq!(back.name, "two");
    assert_eq!(back.sprite.name().unwrap(), "near");
    let error = fixtures.labelled(&twig("any"), &[]).unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::NotFound, "no labels")
    );
}

#[test]
fn an_asynchronous_function_returns_an_object() {
    let fixtures = open();
    let (one, other) = (twig("one"), twig("other"));
    let preferred = fixtures.preferred(&one, &other).unwrap();
    assert!(Arc::ptr_eq(
        preferred.host().unwrap(),
        other.host().unwrap()
    ));
    let limb = fixtures.limb("limb").unwrap();
    assert!(fixtures.preferred(&limb, &one).unwrap() == one);
    assert!(fixtures.preferred(&one, &limb).unwrap().host().is_none());
}

#[test]
fn a_function_that_fails_keeps_nothing() {
    let fixtures = open();
    let dropped = Arc::<AtomicU64>::default();
    for (name, message) in [("stiff", "it's stiff"), ("rotten", "it's rotten")] {
        let (branch, parent) = (twig(name), counted("parent", &dropped));
        let error = fixtures.grow(&branch, Some(&parent)).unwrap_err();
        assert!(error.message().contains(message), "{error}");
    }
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
    // What was accepted is released when the host's object lets go of it.
    let branch = twig("branch");
    fixtures
        .grow(&branch, Some(&counted("parent", &dropped)))
        .unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
    fixtures.grow(&branch, None).unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 3);
}

#[test]
fn the_methods_by_which_objects_cross_know_only_calls_that_run() {
    let plugin: Plugin = load().open().unwrap();
    for method in ["set_parent:arguments", "choose:arguments"] {
        let name = format!("Branch.{method}");
        let method = plugin
            .method(&name, rustbridge_host::Encoding::Wire)
            .unwrap();
        for call in [0_u64, 1, u64::MAX] {
            let error = method.with().call(&call.to_le_bytes()).unwrap_err();
            assert_eq!(error.status(), Status::NotFound, "{error}");
            assert_eq!(error.type_name(), "rustbridge.NoSuchCall");
        }
    }
}
