//! People, and how they are reached. Its clients are generated: `rustbridge gen` reads the types from the library.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use rustbridge::prelude::*;

/// Somebody.
#[derive(Clone, Debug, Message)]
pub struct Contact {
    /// As they write it themselves.
    pub name: String,
    /// How they are reached.
    pub reached: Reach,
    /// What they are kept under.
    pub tags: Vec<String>,
    /// In years, if they say so.
    pub age: Option<u32>,
}

/// How somebody is reached.
#[derive(Clone, Debug, Message)]
pub enum Reach {
    /// By mail.
    Email {
        /// With an @ in it.
        address: String,
    },
    /// By phone.
    Phone {
        /// Where it rings: 49, say.
        country: u16,
        /// The rest, without zeros in front.
        number: String,
    },
    /// Not at all.
    Nowhere,
}

/// Who is looked for.
#[derive(Clone, Debug, Message)]
pub struct Query {
    /// What they are kept under.
    pub tag: String,
    /// How many will do.
    #[serde(default = "ten")]
    pub at_most: u32,
}

fn ten() -> u32 {
    10
}

/// A place in a plane. A list of them crosses in one copy.
#[derive(Debug, Message, Pod)]
#[repr(C)]
pub struct Place {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// What a picture is of, and how it's kept.
#[derive(Clone, Debug, Message)]
pub struct Portrait {
    /// Who is on it.
    pub name: String,
    /// `image/png`, say.
    pub media_type: String,
}

/// Why somebody isn't reached.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ReachError {
    /// They are reached not at all.
    #[error("{name} can't be reached")]
    #[status(NOT_FOUND)]
    Nowhere {
        /// Who it is.
        name: String,
    },
}

/// What the host knows of people.
#[service(encoding = "wire", optional)]
pub trait Registry {
    /// Where somebody is at home, if that's known.
    fn home(&self, name: &str) -> Result<Option<Place>>;
}

/// Those who are kept.
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

/// Keeps people, and says how they are reached.
#[plugin(name = "contacts", services(Registry))]
impl Contacts {
    /// Keeps nobody yet.
    pub fn create(host: Host) -> Result<Contacts> {
        Ok(Contacts {
            kept: Mutex::default(),
            portraits: Mutex::default(),
            registry: host.service()?,
        })
    }

    /// Keeps somebody, and says how many there are.
    pub fn add(&self, contact: Contact) -> u32 {
        let mut kept = self.kept();
        kept.push(contact);
        kept.len() as u32
    }

    /// Those who are kept under something, in the order in which they came.
    pub fn find(&self, query: Query) -> Vec<Contact> {
        let kept = self.kept();
        let found = kept
            .iter()
            .filter(|contact| contact.tags.contains(&query.tag));
        found.take(query.at_most as usize).cloned().collect()
    }

    /// Gives somebody another name, and says whether there was anybody of the old one.
    pub fn rename(&self, from: &str, to: String) -> bool {
        let mut kept = self.kept();
        let found = kept.iter_mut().find(|contact| contact.name == from);
        found.map(|contact| contact.name = to).is_some()
    }

    /// Keeps a picture of somebody.
    pub fn portray(&self, portrait: Portrait, image: &[u8]) -> Result<()> {
        if image.is_empty() {
            return Err(Error::invalid_argument("there's nothing on the picture"));
        }
        let image = Bytes::copy_from_slice(image);
        let name = portrait.name.clone();
        self.portraits().insert(name, (portrait, image));
        Ok(())
    }

    /// The picture of somebody.
    pub fn portrait(&self, name: String) -> Result<(Portrait, Bytes)> {
        let portraits = self.portraits();
        let found = portraits.get(&name).cloned();
        found.ok_or_else(|| Error::not_found(format!("there's no picture of {name}")))
    }

    /// The place between others.
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

    /// How far it is from a place to where somebody is at home, if the host knows that.
    pub fn distance(&self, name: String, from: Place, call: &Call<'_>) -> Result<Option<f64>> {
        let home = self.registry.within(call).home(&name)?;
        Ok(home.map(|home| (home.x - from.x).hypot(home.y - from.y)))
    }

    /// Tries to reach somebody, which takes its time.
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
