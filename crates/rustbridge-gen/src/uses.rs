//! Which methods a client has, and which types they have: the same in languages that write down all that they use.

use std::collections::BTreeSet;

use rustbridge_description::types::{Enum, TypeRef};

use crate::contract::{Contract, Method, walk};

/// The methods that a client has, its objects' included.
pub(crate) fn calls(contract: &Contract) -> impl Iterator<Item = &Method> {
    contract
        .methods
        .iter()
        .filter(|method| !contract.has_objects_in_items(method))
}

/// Whether no variant has data.
pub(crate) fn is_plain(shape: &Enum) -> bool {
    shape
        .variants
        .iter()
        .all(|variant| variant.tuple.is_none() && variant.fields.is_none())
}

/// The types that the client's methods have.
pub(crate) struct Found<'c> {
    contract: &'c Contract,
    /// The numbers of those with names.
    pub(crate) types: BTreeSet<u32>,
    /// How many values the tuples without names have.
    pub(crate) tuples: BTreeSet<usize>,
}

impl<'c> Found<'c> {
    /// Those of all methods.
    pub(crate) fn of_calls(contract: &'c Contract) -> Found<'c> {
        let mut found = Found {
            contract,
            types: BTreeSet::new(),
            tuples: BTreeSet::new(),
        };
        for method in calls(contract) {
            found.walk(&method.request);
            found.walk(&method.response);
            method.items.iter().for_each(|items| found.walk(items));
            method
                .error
                .into_iter()
                .for_each(|error| found.walk(&TypeRef::Ref(error)));
        }
        found
    }

    /// A type, and all that it consists of.
    pub(crate) fn walk(&mut self, ty: &TypeRef) {
        let Found {
            contract,
            types,
            tuples,
        } = self;
        walk(
            &contract.types,
            ty,
            |number| types.insert(number),
            |ty| {
                if let TypeRef::Tuple(inside) = ty {
                    tuples.insert(inside.len());
                }
            },
        );
    }
}
