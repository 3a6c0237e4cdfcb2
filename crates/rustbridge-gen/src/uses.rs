//! Which methods a client has, and which types they have: the same in languages that write down all that they use.

use std::collections::BTreeSet;

use rustbridge_description::types::{Enum, TypeRef};

use crate::client_schema::{ClientSchema, Method, Service, walk};

/// The methods that a client has, its objects' included.
pub(crate) fn calls(client_schema: &ClientSchema) -> impl Iterator<Item = &Method> {
    client_schema
        .methods
        .iter()
        .filter(|method| !client_schema.has_objects_in_items(method))
}

/// Returns whether clients receive implementations of this callback from the plugin.
pub(crate) fn is_received(client_schema: &ClientSchema, callback: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut found = false;
    let functions = client_schema.callbacks.iter().flat_map(|it| &it.functions);
    let arguments = functions.flat_map(|it| it.arguments.iter().flatten());
    let arguments = arguments.map(|field| &field.ty);
    for ty in calls(client_schema).map(|it| &it.response).chain(arguments) {
        walk(
            &client_schema.types,
            ty,
            |number| seen.insert(number),
            |ty| found |= matches!(ty, TypeRef::Object(name) if name == callback),
        );
    }
    found
}

/// Returns the methods of clients that have no class for callbacks that they don't receive.
pub(crate) fn called(client_schema: &ClientSchema) -> impl Iterator<Item = &Method> {
    calls(client_schema).filter(|method| {
        client_schema.callback(&method.receiver).is_none()
            || is_received(client_schema, &method.receiver)
    })
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
        Found::of(client_schema, calls(client_schema))
    }

    /// Returns those of some methods.
    pub(crate) fn of(
        client_schema: &'c ClientSchema,
        methods: impl Iterator<Item = &'c Method>,
    ) -> Found<'c> {
        let mut found = Found {
            client_schema,
            types: BTreeSet::new(),
            tuples: BTreeSet::new(),
        };
        for method in methods {
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

    /// The types of a function of the host.
    pub(crate) fn serve(&mut self, service: &Service) {
        match &service.crossing {
            None => self.walk(&service.request),
            Some(crossing) => {
                for field in service.arguments.iter().flatten() {
                    self.walk(&field.ty);
                }
                for method in crossing.arguments.iter() {
                    self.walk(&method.response);
                }
            }
        }
        self.walk(&service.response);
        if let Some(error) = service.error {
            self.walk(&TypeRef::Ref(error));
        }
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
