//! Which methods a client has, and which types they have: the same in languages that write down all that they use.

use std::collections::BTreeSet;

use rustbridge_description::types::{Enum, TypeRef};

use crate::client_schema::{ClientSchema, Method, walk};

/// The methods that a client has, its objects' included.
pub(crate) fn calls(client_schema: &ClientSchema) -> impl Iterator<Item = &Method> {
    client_schema
        .methods
        .iter()
        .filter(|method| !client_schema.has_objects_in_items(method))
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
    client_schema: &'c ClientSchema,
    /// The numbers of those with names.
    pub(crate) types: BTreeSet<u32>,
    /// How many values the tuples without names have.
    pub(crate) tuples: BTreeSet<usize>,
}

impl<'c> Found<'c> {
    /// Those of all methods.
    pub(crate) fn of_calls(client_schema: &'c ClientSchema) -> Found<'c> {
        let mut found = Found {
            client_schema,
            types: BTreeSet::new(),
            tuples: BTreeSet::new(),
        };
        for method in calls(client_schema) {
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
            client_schema,
            types,
            tuples,
        } = self;
        walk(
            &client_schema.types,
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
