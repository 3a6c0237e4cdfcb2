//! Objects that wait for the host that they are for.

use rustbridge_abi::Object;

use super::objects;

/// Objects that come with an event, by their numbers. Those that nobody takes are given back when this is dropped.
#[derive(Debug, Default)]
pub struct Given(Vec<Object>);

impl Given {
    pub(crate) fn of(objects: Vec<Object>) -> Given {
        Given(objects)
    }

    pub(crate) fn extend(&mut self, objects: &[Object]) {
        self.0.extend_from_slice(objects);
    }

    /// The numbers, each to be released once.
    #[must_use]
    pub fn into_numbers(mut self) -> Vec<Object> {
        std::mem::take(&mut self.0)
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        for &object in &self.0 {
            // One that's gone already went with its instance.
            let _ = objects::give_back(object);
        }
    }
}
