//! Checks of the types that a client has from another plugin's client.

use std::collections::{BTreeMap, BTreeSet};

use rustbridge_description::types::TypeRef;

use crate::client_schema::{Import, walk};
use crate::error::Error;

impl Import {
    /// Checks that the classes have the same names in both clients. `mine` and `theirs` return the names of a type in the two clients.
    ///
    /// # Errors
    /// If they don't, because other names of a plugin require other ones.
    pub(crate) fn check<N: PartialEq>(
        &self,
        mine: impl Fn(u32) -> N,
        theirs: impl Fn(u32) -> N,
    ) -> Result<(), Error> {
        let mut types = self.types.iter();
        let other = types.find(|(number, their)| mine(**number) != theirs(**their));
        other.map_or(Ok(()), |(_, their)| Err(self.other_names(*their)))
    }

    /// Checks that the exceptions of errors have the same names in both clients.
    ///
    /// # Errors
    /// If they don't.
    pub(crate) fn check_exceptions(
        &self,
        mine: &BTreeMap<u32, String>,
        theirs: &BTreeMap<u32, String>,
    ) -> Result<(), Error> {
        for (number, their) in &self.types {
            if let (Some(one), Some(other)) = (mine.get(number), theirs.get(their))
                && one != other
            {
                return Err(self.other_names(*their));
            }
        }
        Ok(())
    }

    /// Checks that a tuple without a name, for which another imported client has the class, isn't in these types.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn check_tuple(&self, count: usize, class: &str, other: &str) -> Result<(), Error> {
        let types = &self.client_schema.types;
        let mut is_there = false;
        for their in self.types.values() {
            let mut seen = BTreeSet::new();
            walk(
                types,
                &TypeRef::Ref(*their),
                |it| seen.insert(it),
                |ty| {
                    is_there |= matches!(ty, TypeRef::Tuple(inside) if inside.len() == count);
                },
            );
        }
        match is_there && self.namespace != other {
            true => Err(Error::new(format_args!(
                "the clients `{}` and `{other}` have a class `{class}` each, and types of both contain it: import one of them",
                self.namespace
            ))),
            false => Ok(()),
        }
    }

    fn other_names(&self, their: u32) -> Error {
        let definition = self.client_schema.types.get(their);
        let name = definition.map(|it| &*it.name).unwrap_or_default();
        Error::new(format_args!(
            "the type `{name}` has other names in the client `{}`, because of other types there: rename it",
            self.namespace
        ))
    }
}
