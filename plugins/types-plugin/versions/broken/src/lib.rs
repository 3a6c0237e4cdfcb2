//! A version of the plugin that breaks its clients: a method and a service whose types are others.

use std::collections::BTreeMap;

use rustbridge::prelude::*;

/// One of each, of which there's but one left.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Every {
    /// What was a record.
    pub numbers: u32,
}

/// How old people are.
#[service(encoding = "wire", optional)]
pub trait Ages {
    /// Of each by name, who are told by their names alone.
    fn of(&self, people: Vec<String>) -> Result<BTreeMap<String, u32>>;
}

/// Gives back what it gets.
#[derive(Debug)]
pub struct Types {
    ages: AgesClient,
}

#[plugin(name = "types", services(Ages))]
impl Types {
    /// Asks nothing of its host yet.
    pub fn create(host: Host) -> Result<Types> {
        Ok(Types {
            ages: host.service()?,
        })
    }

    /// One of each.
    pub fn every(&self, request: Every) -> Every {
        request
    }

    /// Has the host say how old people are, each by name.
    pub fn ask_ages(&self, people: Vec<String>, call: &Call<'_>) -> Result<BTreeMap<String, u32>> {
        self.ages.within(call).of(people)
    }
}
