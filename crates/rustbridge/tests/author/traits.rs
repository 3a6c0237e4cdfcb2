//! The traits of objects that hosts call.

use std::fmt;
use std::hash::{Hash, Hasher};

use rustbridge::prelude::*;
use rustbridge_core::{Encoding as Codec, Load, Object as HostReference, Plugin};
use serde_json::{Value, json};

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word(String);

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            "unspeakable" => Err(fmt::Error),
            word => f.write_str(word),
        }
    }
}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        assert_ne!(self.0, "raw", "there's nothing to cut");
        self.0.hash(state);
    }
}

#[object(traits(Display, Debug, Hash, Ord))]
impl Word {
    #[constructor]
    pub fn new(text: String) -> Word {
        Word(text)
    }

    #[len]
    pub fn letters(&self) -> usize {
        self.0.len()
    }

    #[iter]
    pub fn each(&self) -> Result<impl Iterator<Item = char>> {
        match self.0.is_empty() {
            true => Err(Error::not_found("it's empty")),
            false => Ok(self.0.chars().collect::<Vec<_>>().into_iter()),
        }
    }
}

#[derive(PartialEq)]
pub struct Weight(f64);

#[object(name = "Mass", encodings(wire), traits(PartialEq))]
impl Weight {
    #[constructor]
    pub fn new(grams: f64) -> Weight {
        Weight(grams)
    }
}

#[derive(Default)]
pub struct Words;

#[plugin(name = "words", objects(Word, Weight), export = false)]
impl Words {
    pub fn none(&self) -> Vec<Object<Weight>> {
        Vec::new()
    }
}

fn load() -> Load<'static> {
    // SAFETY: a plugin of ours.
    unsafe { Load::linked(rustbridge::entry_point::<Words>(), "words") }
}

fn word(plugin: &Plugin, text: &str) -> HostReference {
    let method = plugin.method("Word.new", Codec::Json).unwrap();
    let request = json!(text).to_string();
    let mut answer = method.with().call(request.as_bytes()).unwrap();
    answer.objects.remove(0)
}

/// Calls a trait's method of an object, and of another if it's one with two.
fn call(
    plugin: &Plugin,
    name: &str,
    objects: &[&HostReference],
) -> Result<Value, rustbridge_core::Error> {
    let method = plugin.method(name, Codec::Json).unwrap();
    let request = if objects.len() > 1 { "1" } else { "" };
    let with = objects
        .iter()
        .fold(method.with(), |with, object| with.object(object));
    Ok(with.call(request.as_bytes())?.reply.json().unwrap())
}

#[test]
fn the_traits_are_methods_with_reserved_names() {
    let plugin = load().open().unwrap();
    let [ada, again, bob] = ["Ada", "Ada", "Bob"].map(|text| word(&plugin, text));
    assert_eq!(call(&plugin, "Word:display", &[&ada]).unwrap(), "Ada");
    assert_eq!(
        call(&plugin, "Word:debug", &[&ada]).unwrap(),
        "Word(\"Ada\")"
    );
    for (other, is_equal, order) in [(&again, true, 0), (&bob, false, -1)] {
        assert_eq!(call(&plugin, "Word:eq", &[&ada, other]).unwrap(), is_equal);
        assert_eq!(call(&plugin, "Word:cmp", &[&ada, other]).unwrap(), order);
    }
    assert_eq!(call(&plugin, "Word:cmp", &[&bob, &ada]).unwrap(), 1);
    let hashes = [&ada, &again, &bob].map(|word| call(&plugin, "Word:hash", &[word]).unwrap());
    assert_eq!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);
    assert_eq!(call(&plugin, "Word.letters", &[&ada]).unwrap(), 3);
}

#[test]
fn a_text_that_cannot_be_written_is_an_error_and_leaves_the_instance_usable() {
    let plugin = load().open().unwrap();
    let unspeakable = word(&plugin, "unspeakable");
    let error = call(&plugin, "Word:display", &[&unspeakable]).unwrap_err();
    assert_eq!(
        error.message(),
        "the object has no text: its `Display::fmt` returned an error"
    );
    assert_eq!(
        call(&plugin, "Word:debug", &[&unspeakable]).unwrap(),
        "Word(\"unspeakable\")"
    );
}

#[test]
fn a_panic_in_a_trait_is_an_error_as_in_any_method() {
    let plugin = load().open().unwrap();
    let raw = word(&plugin, "raw");
    let error = call(&plugin, "Word:hash", &[&raw]).unwrap_err();
    assert!(
        error.message().contains("there's nothing to cut"),
        "{error}"
    );
    assert_eq!(error.type_name(), "panic");
    assert_eq!(call(&plugin, "Word:display", &[&raw]).unwrap(), "raw");
}

#[test]
fn the_description_names_the_trait_of_each_method() {
    let text = load().describe().unwrap();
    let description: Value = serde_json::from_str(&text).unwrap();
    let methods = description["methods"].as_array().unwrap();
    let with_trait = methods.iter().filter_map(|method| {
        let entry = &method["entries"][0];
        let of = entry["trait"].as_str()?;
        Some((method["name"].as_str()?, of, entry["receiver"].as_str()?))
    });
    assert_eq!(
        with_trait.collect::<Vec<_>>(),
        [
            ("Word.letters", "len", "Word"),
            ("Word.each", "iter", "Word"),
            ("Word:display", "Display", "Word"),
            ("Word:debug", "Debug", "Word"),
            ("Word:eq", "Eq", "Word"),
            ("Word:hash", "Hash", "Word"),
            ("Word:cmp", "Ord", "Word"),
            ("Mass:eq", "PartialEq", "Mass"),
        ]
    );
}
