//! A host in Rust that calls the contacts plugin through the client that `rustbridge gen -l rust` has written.
//!
//! Usage: `contacts-host PATH-OF-CONTACTS-PLUGIN`

mod contacts;

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use contacts::{
    Contact, Contacts, Place, Query, Reach, ReachError, Registry, Services, VisitorObject,
};
use rustbridge_host::typed::Failure;
use serde_json::json;

/// Returns how a person is reached. The plugin's enum is an enum in the client, too.
fn way(reached: &Reach) -> String {
    match reached {
        Reach::Email { address } => format!("by mail to {address}"),
        Reach::Phone { country, number } => format!("by phone, +{country} {number}"),
        Reach::Nowhere => "not at all".to_owned(),
    }
}

/// The service that the plugin calls.
struct Homes;

impl Registry for Homes {
    fn home(&self, name: String) -> Result<Option<Place>, rustbridge_host::Error> {
        Ok((name == "Ada").then_some(Place { x: 3.0, y: 4.0 }))
    }
}

fn contact(name: &str, reached: Reach, tags: &[&str], age: Option<u32>) -> Contact {
    Contact {
        name: name.to_owned(),
        reached,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        age,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os()
        .nth(1)
        .ok_or("usage: contacts-host PATH-OF-CONTACTS-PLUGIN")?;
    let began = Instant::now();
    // Prints a text as a line of JSON, with the time since the start of the program.
    let tell = |text: String| {
        let at = began.elapsed().as_millis();
        println!(
            "{}",
            json!({"host": "Rust", "transport": "core, linked in", "happened": "typed", "text": text, "at_ms": at})
        );
    };

    let services = Services {
        registry: Some(Arc::new(Homes)),
    };
    let contacts = Contacts::load(path, &services)?;
    let address = "ada@example.org".to_owned();
    let ada = contact("Ada", Reach::Email { address }, &["maths"], Some(36));
    contacts.add(&ada)?;
    let number = "9131".to_owned();
    let phone = Reach::Phone {
        country: 49,
        number,
    };
    contacts.add(&contact("Emmy", phone, &["maths", "physics"], None))?;
    let count = contacts.add(&contact("Kurt", Reach::Nowhere, &["maths"], None))?;
    tell(format!("{count} people are kept"));

    // `at_most` is left out: it has its default value, 10.
    for found in contacts.find(&Query::new("maths".to_owned()))? {
        tell(format!("{} is reached {}", found.name, way(&found.reached)));
    }

    if contacts.rename("Emmy", "Emmy Noether")? {
        tell("Emmy has a second name now".to_owned());
    }

    // A callback: the plugin calls the closure for each contact until it returns false.
    let met = Arc::<Mutex<Vec<String>>>::default();
    let seen = Arc::clone(&met);
    let visitor = VisitorObject::new(move |contact: Contact| {
        let goes_on = contact.name != "Emmy Noether";
        seen.lock().unwrap().push(contact.name);
        Ok(goes_on)
    });
    contacts.visit(&visitor)?;
    tell(format!(
        "the visitor has met {}",
        met.lock().unwrap().join(" and ")
    ));

    let places = [(0.0, 0.0), (4.0, 0.0), (2.0, 3.0)].map(|(x, y)| Place { x, y });
    let middle = contacts.middle(&places)?;
    tell(format!("the middle of three places is {middle:?}"));

    let origin = Place { x: 0.0, y: 0.0 };
    if let Some(distance) = contacts.distance("Ada", origin)? {
        tell(format!("it's {distance} to Ada's home"));
    }

    tell(contacts.reach_async(&ada).await?);
    let kurt = contact("Kurt", Reach::Nowhere, &[], None);
    match contacts.reach_async(&kurt).await {
        Err(Failure::Typed {
            error: ReachError::Nowhere { name },
            cause,
        }) => tell(format!("{name} isn't reached: {cause}")),
        other => tell(other?),
    }
    Ok(())
}
