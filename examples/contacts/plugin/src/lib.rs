//! A plugin that stores contacts. Its clients are generated: `rustbridge gen` reads the types from the library.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use rustbridge::prelude::*;

/// A person, and how to reach the person.
#[derive(Clone, Debug, Message)]
pub struct Contact {
    /// The name, spelled as the person spells it.
    pub name: String,
    /// The way to reach the person.
    pub reached: Reach,
    /// The tags by which `find` finds the contact.
    pub tags: Vec<String>,
    /// The age in years, if known.
    pub age: Option<u32>,
}

/// A way to reach a person.
#[derive(Clone, Debug, Message)]
pub enum Reach {
    /// By mail.
    Email {
        /// The mail address, with an `@`.
        address: String,
    },
    /// By phone.
    Phone {
        /// The country code, such as 49.
        country: u16,
        /// The number after the country code, without leading zeros.
        number: String,
    },
    /// The person can't be reached.
    Nowhere,
}

/// A query for contacts.
#[derive(Clone, Debug, Message)]
pub struct Query {
    /// The tag of the contacts to find.
    pub tag: String,
    /// The maximum number of contacts to return.
    #[default(10)]
    pub at_most: u32,
}

/// A place in a plane. A list of places crosses the boundary in one copy.
#[derive(Debug, Message, Pod)]
#[repr(C)]
pub struct Place {
    /// The horizontal coordinate, which increases to the right.
    pub x: f64,
    /// The vertical coordinate, which increases upwards.
    pub y: f64,
}

/// The description of a picture.
#[derive(Clone, Debug, Message)]
pub struct Portrait {
    /// The name of the person in the picture.
    pub name: String,
    /// The media type of the picture, such as `image/png`.
    pub media_type: String,
}

/// The reason why a person couldn't be reached.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ReachError {
    /// The contact has no way to reach the person.
    #[error("{name} can't be reached")]
    #[status(NOT_FOUND)]
    Nowhere {
        /// The person's name.
        name: String,
    },
}

/// The host's information about people.
#[service(encoding = "wire", optional)]
pub trait Registry {
    /// Returns the place of a person's home, if the host knows it.
    fn home(&self, name: &str) -> Result<Option<Place>>;
}

/// A visitor of the contacts. The host may pass a function.
#[callback]
pub trait Visitor {
    /// Meets a contact. Returns whether to go on to the next.
    fn meet(&self, contact: &Contact) -> Result<bool>;
}

/// The state of an instance: contacts, pictures and the host's service.
#[derive(Debug)]
pub struct Contacts {
    kept: Mutex<Vec<Contact>>,
    portraits: Mutex<BTreeMap<String, (Portrait, Bytes)>>,
    registry: RegistryClient,
}

impl Contacts {
    fn kept(&self) -> MutexGuard<'_, Vec<Contact>> {
        self.kept
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    fn portraits(&self) -> MutexGuard<'_, BTreeMap<String, (Portrait, Bytes)>> {
        self.portraits
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }
}

/// Stores contacts, and tries to reach them.
#[plugin(name = "contacts", services(Registry), callbacks(Visitor))]
impl Contacts {
    /// Creates an instance without contacts.
    pub fn create(host: Host) -> Result<Contacts> {
        Ok(Contacts {
            kept: Mutex::default(),
            portraits: Mutex::default(),
            registry: host.service()?,
        })
    }

    /// Adds a contact, and returns the number of contacts.
    pub fn add(&self, contact: Contact) -> u32 {
        let mut kept = self.kept();
        kept.push(contact);
        kept.len() as u32
    }

    /// Returns the contacts with a tag, in the order in which they were added.
    pub fn find(&self, query: Query) -> Vec<Contact> {
        let kept = self.kept();
        let found = kept
            .iter()
            .filter(|contact| contact.tags.contains(&query.tag));
        found.take(query.at_most as usize).cloned().collect()
    }

    /// Renames the first contact with a name, and reports whether there was one.
    pub fn rename(&self, from: &str, to: String) -> bool {
        let mut kept = self.kept();
        let found = kept.iter_mut().find(|contact| contact.name == from);
        found.map(|contact| contact.name = to).is_some()
    }

    /// Stores a person's picture, and replaces an earlier one.
    pub fn portray(&self, portrait: Portrait, image: &[u8]) -> Result<()> {
        if image.is_empty() {
            return Err(Error::invalid_argument("there's nothing on the picture"));
        }
        let image = Bytes::copy_from_slice(image);
        let name = portrait.name.clone();
        self.portraits().insert(name, (portrait, image));
        Ok(())
    }

    /// Returns a person's picture and its description.
    pub fn portrait(&self, name: String) -> Result<(Portrait, Bytes)> {
        let portraits = self.portraits();
        let found = portraits.get(&name).cloned();
        found.ok_or_else(|| Error::not_found(format!("there's no picture of {name}")))
    }

    /// Returns the centre of the places: the mean of their coordinates.
    pub fn middle(&self, places: Vec<Place>) -> Result<Place> {
        if places.is_empty() {
            return Err(Error::invalid_argument("there's nothing between no places"));
        }
        let count = places.len() as f64;
        Ok(Place {
            x: places.iter().map(|place| place.x).sum::<f64>() / count,
            y: places.iter().map(|place| place.y).sum::<f64>() / count,
        })
    }

    /// Returns the distance from a place to a person's home, if the host knows the home.
    pub fn distance(&self, name: String, from: Place, call: &Call<'_>) -> Result<Option<f64>> {
        let home = self.registry.within(call).home(&name)?;
        Ok(home.map(|home| (home.x - from.x).hypot(home.y - from.y)))
    }

    /// Shows a visitor one contact after the other, and returns how many it has met.
    pub fn visit(&self, visitor: Object<VisitorClient>, call: &Call<'_>) -> Result<u32> {
        let visitor = visitor.within(call);
        // A copy, because the visitor may call the plugin in turn.
        let contacts = self.kept().clone();
        let mut met = 0;
        for contact in &contacts {
            met += 1;
            if !visitor.meet(contact)? {
                break;
            }
        }
        Ok(met)
    }

    /// Tries to reach a person, which takes a while, and returns the answer.
    pub async fn reach(&self, contact: Contact) -> Result<String, ReachError> {
        tokio::time::sleep(Duration::from_millis(20)).await;
        match contact.reached {
            Reach::Email { address } => Ok(format!("{} answers from {address}", contact.name)),
            Reach::Phone { country, number } => {
                Ok(format!("{} answers on +{country} {number}", contact.name))
            }
            Reach::Nowhere => Err(ReachError::Nowhere { name: contact.name }),
        }
    }
}
