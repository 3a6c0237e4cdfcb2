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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a client schema with a method for each request (whether its fields are parameters, and its type), and a record of
    /// two fields.
    fn with(requests: &[(bool, Value)], response: Value, default: bool) -> ClientSchema {
        let methods: Vec<Value> = (0..)
            .zip(requests)
            .map(|(index, (arguments, ty))| {
                json!({"name": format!("m{index}"), "entries": [{
                    "index": index, "encoding": "wire", "arguments": arguments,
                    "request": {"type": ty}, "response": {"type": response},
                }]})
            })
            .collect();
        let fields =
            json!([{"name": "a", "type": "u8"}, {"name": "b", "type": "u8", "default": default}]);
        let text =
            json!({"name": "p", "methods": methods, "types": [{"name": "R", "record": fields}]});
        ClientSchema::read(text.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn services_are_read_and_written_the_other_way_round() {
        let service = |name: &str, encoding: &str| {
            json!({"name": name, "encoding": encoding, "optional": true,
                "request": {"type": {"ref": 0}}, "response": {"type": {"option": {"ref": 1}}}})
        };
        let text = json!({"name": "p", "services": [service("a.b.get", "wire"), service("x", "json"), service("y", "wire")],
            "types": [{"name": "R", "record": []}, {"name": "S", "record": []}]});
        let client_schema = ClientSchema::read(text.to_string().as_bytes()).unwrap();
        let names: Vec<_> = client_schema
            .services
            .iter()
            .map(|service| (&*service.group, &*service.function))
            .collect();
        assert_eq!(names, [("a.b", "get"), ("", "y")]);
        assert_eq!(client_schema.directions(0), Directions::READ);
        assert_eq!(client_schema.directions(1), Directions::WRITTEN);
        assert!(client_schema.text.contains("a.b.get") && !client_schema.text.contains(r#""x""#));
    }

    #[test]
    fn a_record_is_taken_apart_if_nothing_else_has_it() {
        let record = || json!({"ref": 0});
        let alone = with(
            &[(true, record()), (false, json!("u8"))],
            json!("u8"),
            false,
        );
        assert!(alone.is_taken_apart(0));
        assert_eq!(alone.directions(0), Directions::default());
        let names: Vec<_> = alone.methods[0].arguments.iter().flatten().collect();
        assert!(names.len() == 2 && names[0].name == "a" && names[1].name == "b");

        for (requests, response, default) in [
            (vec![(false, record())], json!("u8"), false),
            (vec![(true, record()), (true, record())], json!("u8"), false),
            (
                vec![(true, record()), (false, record())],
                json!("u8"),
                false,
            ),
            (
                vec![(true, record()), (true, json!({"list": record()}))],
                json!("u8"),
                false,
            ),
            (vec![(true, record())], json!({"option": record()}), false),
            (vec![(true, record())], json!("u8"), true),
        ] {
            let client_schema = with(&requests, response, default);
            assert!(!client_schema.is_taken_apart(0), "{requests:?}");
            assert!(client_schema.directions(0).written);
            assert!(
                client_schema
                    .methods
                    .iter()
                    .all(|method| method.arguments.is_none())
            );
        }
        let other = with(&[(true, json!("u8"))], json!("u8"), false);
        assert_eq!(other.methods[0].arguments, None);
    }
}
