//! The types inside other types: which way each goes, and the objects among them.

use rustbridge_description::types::{Shape, Table, TypeRef};

use super::model::{Callback, Directions, Method, Service};

/// Which way each type goes. A record that something else has as well isn't taken apart into arguments.
pub(super) fn directions(
    types: &Table,
    methods: &mut [Method],
    services: &[Service],
    callbacks: &[Callback],
) -> Vec<Directions> {
    let mut directions = vec![Directions::default(); types.definitions().len()];
    let functions = callbacks.iter().flat_map(|it| &it.functions);
    for service in services.iter().chain(functions) {
        match &service.arguments {
            None => mark(types, &service.request, Directions::READ, &mut directions),
            Some(fields) => {
                for field in fields {
                    mark(types, &field.ty, Directions::READ, &mut directions);
                }
            }
        }
        mark(
            types,
            &service.response,
            Directions::WRITTEN,
            &mut directions,
        );
        if let Some(error) = service.error {
            // Clients read it from methods that fail with it as well.
            let way = Directions {
                written: true,
                read: true,
            };
            mark(types, &TypeRef::Ref(error), way, &mut directions);
        }
    }
    for method in &*methods {
        match &method.arguments {
            None => mark(types, &method.request, Directions::WRITTEN, &mut directions),
            Some(fields) => {
                for field in fields {
                    mark(types, &field.ty, Directions::WRITTEN, &mut directions);
                }
            }
        }
        mark(types, &method.response, Directions::READ, &mut directions);
        if let Some(items) = &method.items {
            mark(types, items, Directions::WRITTEN, &mut directions);
        }
        if let Some(error) = method.error {
            mark(
                types,
                &TypeRef::Ref(error),
                Directions::READ,
                &mut directions,
            );
        }
    }
    let requests: Vec<TypeRef> = methods
        .iter()
        .map(|method| method.request.clone())
        .collect();
    for method in methods {
        let (TypeRef::Ref(number), Some(_)) = (&method.request, &method.arguments) else {
            continue;
        };
        let times = requests
            .iter()
            .filter(|one| **one == method.request)
            .count();
        if times > 1 || directions[*number as usize] != Directions::default() {
            method.arguments = None;
            mark(types, &method.request, Directions::WRITTEN, &mut directions);
        }
    }
    directions
}

/// Notes that a type goes that way, and with it everything it consists of.
fn mark(types: &Table, ty: &TypeRef, way: Directions, directions: &mut [Directions]) {
    let enters = |number: u32| {
        let Some(known) = directions.get_mut(number as usize) else {
            return false;
        };
        let both = Directions {
            written: known.written || way.written,
            read: known.read || way.read,
        };
        std::mem::replace(known, both) != both
    };
    walk(types, ty, enters, |_| {});
}

/// Finds the objects in values of a type. `seen` are the types with names that have been looked at.
pub(super) fn objects<'t>(
    types: &'t Table,
    ty: &'t TypeRef,
    seen: &mut [bool],
    found: &mut Vec<&'t str>,
) {
    let enters = |number: u32| {
        let seen = seen.get_mut(number as usize);
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    walk(types, ty, enters, |ty| {
        if let TypeRef::Object(name) = ty {
            found.push(name);
        }
    });
}

/// Looks at a type and at everything it consists of, in their order; into a type with a name only if it's to be entered. Types may lie in
/// each other as deep as there are types, and a stack isn't.
pub(crate) fn walk<'t>(
    types: &'t Table,
    ty: &'t TypeRef,
    mut enters: impl FnMut(u32) -> bool,
    mut each: impl FnMut(&'t TypeRef),
) {
    let mut next = vec![ty];
    while let Some(ty) = next.pop() {
        each(ty);
        let here = next.len();
        match ty {
            TypeRef::List(item) | TypeRef::Array(item, _) | TypeRef::Option(item) => {
                next.push(item);
            }
            TypeRef::Map(key, value) => next.extend([&**key, value]),
            TypeRef::Tuple(inside) => next.extend(inside),
            TypeRef::Ref(number) if enters(*number) => {
                let definition = types.get(*number);
                next.extend(definition.into_iter().flat_map(|it| parts(&it.shape)));
            }
            _ => {}
        }
        next[here..].reverse();
    }
}

/// Everything a shape consists of, whichever variant it is.
pub(crate) fn parts(shape: &Shape) -> Vec<&TypeRef> {
    match shape {
        Shape::Record(fields) | Shape::Pod(fields) => {
            fields.iter().map(|field| &field.ty).collect()
        }
        Shape::Newtype(ty) => vec![ty],
        Shape::Tuple(types) => types.iter().collect(),
        Shape::Enum(shape) => shape
            .variants
            .iter()
            .flat_map(|variant| {
                let fields = variant.fields.iter().flatten().map(|field| &field.ty);
                variant.tuple.iter().flatten().chain(fields)
            })
            .collect(),
    }
}
