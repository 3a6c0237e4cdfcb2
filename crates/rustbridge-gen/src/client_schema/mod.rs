//! What a client is written from: a plugin's types, and its methods in the wire form.

mod carried;
mod default_value;
mod model;
mod same;
mod services;
mod traits;
mod walk;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rustbridge_description::types::{
    Definition, Field, Signature, Table, Trait, TypeRef, typed_entry,
};
use rustbridge_description::{Description, Entry};
use serde_json::Value;

use self::carried::carried;
pub use self::default_value::DefaultValue;
pub(crate) use self::default_value::{about_default, float};
pub use self::model::{Callback, Crossing, Directions, Group, Kind, Method, Property, Service};
use self::same::is_same;
use self::services::{callbacks, parameter, services};
pub use self::traits::Traits;
use self::walk::{directions, objects};
pub(crate) use self::walk::{parts, walk};
use crate::error::Error;
use crate::prose;

/// What a client of a plugin sees of it.
#[derive(Clone, Debug)]
pub struct ClientSchema {
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's version; empty if it doesn't say.
    pub version: String,
    /// Prose.
    pub doc: String,
    /// The types with names.
    pub types: Table,
    /// The methods in the wire form, and raw ones that answer once, in the order of the description. Those of objects say so.
    pub methods: Vec<Method>,
    /// The names of those that don't.
    pub others: Vec<String>,
    /// The services that the plugin calls in the wire form, in the order of the description.
    pub services: Vec<Service>,
    /// The traits that hosts implement and methods accept, in the order of the description. Their objects are among those of the methods, too.
    pub callbacks: Vec<Callback>,
    /// What a client carries to be compared with the plugin: the description without prose, and with nothing but what is in the wire form.
    pub text: String,
    /// For each type with a name, which way it goes.
    directions: Vec<Directions>,
    /// The clients of other plugins that have the classes of some of its types.
    imports: Vec<Import>,
}

/// Another plugin's client, and the types that a client uses of it.
#[derive(Clone, Debug)]
pub struct Import {
    /// The other client's namespace, package or module.
    pub namespace: String,
    /// The other client's schema.
    pub client_schema: ClientSchema,
    /// The numbers of the types, and their numbers in the other schema.
    pub types: BTreeMap<u32, u32>,
}

impl ClientSchema {
    /// Takes the text that a plugin describes itself with.
    ///
    /// # Errors
    /// If it's no description, or its types can't be used.
    pub fn read(text: &[u8]) -> Result<ClientSchema, Error> {
        let description: Description<'_, Value> = Description::read(text)?;
        let types = Table::new(prose::definitions(&Table::of(&description)?))?;
        let carried = carried(&description, &types);
        let mut methods = Vec::new();
        let mut others = Vec::new();
        for method in &description.methods {
            let Some(entry) = typed_entry(&method.entries) else {
                others.push(method.name.to_string());
                continue;
            };
            let signature = Signature::of(&types, entry)?;
            let implements = traits::of(&types, &method.name, entry, &signature)?;
            if implements.is_none() && traits::is_later(&method.name, entry) {
                continue;
            }
            methods.push(Method {
                name: method.name.to_string(),
                doc: prose::prose(&method.doc),
                kind: kind(entry),
                is_raw: signature.is_raw,
                is_async: entry.is_async,
                fingerprint: signature.fingerprint(&types),
                arguments: signature.arguments(&types).map(<[_]>::to_vec),
                request: signature.request,
                parameter: parameter(&entry.parameter),
                response: signature.response,
                items: signature.items,
                error: match signature.error {
                    Some(TypeRef::Ref(number)) => Some(number),
                    _ => None,
                },
                receiver: signature.receiver,
                class: entry.class.to_string(),
                constructor: entry.constructor,
                property: match &*entry.property {
                    "get" => Some(Property::Get),
                    "set" => Some(Property::Set),
                    _ => None,
                },
                implements,
            });
        }
        traits::check(&methods)?;
        let mut services = services(&description, &types)?;
        let callbacks = callbacks(&description, &types, &mut services, &mut methods)?;
        let directions = directions(&types, &mut methods, &services, &callbacks);
        Ok(ClientSchema {
            plugin: description.name.to_string(),
            version: description.version.to_string(),
            doc: prose::prose(&description.description),
            types,
            methods,
            others,
            services,
            callbacks,
            text: carried,
            directions,
            imports: Vec::new(),
        })
    }

    /// Which way the type of that number goes. Neither, if only what isn't in the wire form has it.
    #[must_use]
    pub fn directions(&self, number: u32) -> Directions {
        self.directions
            .get(number as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Whether the type of that number is what a method or service takes one by one, and so nothing that clients see.
    #[must_use]
    pub fn is_taken_apart(&self, number: u32) -> bool {
        let request = TypeRef::Ref(number);
        let mut methods = self.methods.iter();
        let functions = self.callbacks.iter().flat_map(|it| &it.functions);
        let mut crossings = functions.clone().filter_map(|it| it.crossing.as_ref());
        crossings.any(|it| it.records.contains(&number))
            || methods.any(|method| method.arguments.is_some() && method.request == request)
            || functions
                .chain(&self.services)
                .any(|service| service.arguments.is_some() && service.request == request)
    }

    /// Returns how messages of a client name a field of a class. A parameter has its name alone, because users of the client don't know the
    /// class of the parameters. `is_class` reports whether the class is that of a definition.
    #[must_use]
    pub fn label(&self, class: &str, field: &str, is_class: impl Fn(u32) -> bool) -> String {
        let mut numbers = (0_u32..)
            .zip(self.types.definitions())
            .map(|(number, _)| number);
        let number = numbers.find(|number| is_class(*number));
        match number.is_some_and(|number| self.is_taken_apart(number)) {
            true => field.to_owned(),
            false => format!("{class}.{field}"),
        }
    }

    /// Returns the callback, if objects of this type are implementations of one.
    #[must_use]
    pub fn callback(&self, object: &str) -> Option<&Callback> {
        self.callbacks.iter().find(|it| it.name == object)
    }

    /// Whether a method has an object in what it takes or gives.
    #[must_use]
    pub fn has_objects(&self, method: &Method) -> bool {
        let all = [
            Some(&method.request),
            Some(&method.response),
            method.items.as_ref(),
        ];
        all.into_iter().flatten().any(|ty| self.holds_objects(ty))
    }

    /// Whether items of a stream have objects in them, one way or the other.
    #[must_use]
    pub fn has_objects_in_items(&self, method: &Method) -> bool {
        let streamed = matches!(method.kind, Kind::StreamOut | Kind::StreamBoth);
        let out = streamed.then_some(&method.response);
        let mut both = out.into_iter().chain(&method.items);
        both.any(|ty| self.holds_objects(ty))
    }

    /// Whether a service has an object in what it's asked or answers.
    #[must_use]
    pub fn has_objects_in_service(&self, service: &Service) -> bool {
        service.crossing.is_some()
            || self.holds_objects(&service.request)
            || self.holds_objects(&service.response)
    }

    /// Whether there may be an object in values of a type.
    #[must_use]
    pub fn holds_objects(&self, ty: &TypeRef) -> bool {
        let mut seen = vec![false; self.types.definitions().len()];
        let mut found = Vec::new();
        objects(&self.types, ty, &mut seen, &mut found);
        !found.is_empty()
    }

    /// Whether there may be an object in values of a type that isn't an implementation of a callback.
    #[must_use]
    pub fn holds_own_objects(&self, ty: &TypeRef) -> bool {
        let mut seen = vec![false; self.types.definitions().len()];
        let mut found = Vec::new();
        objects(&self.types, ty, &mut seen, &mut found);
        found.iter().any(|name| self.callback(name).is_none())
    }

    /// The types of the objects that methods are of, take or give, by their names, in the order in which they come.
    #[must_use]
    pub fn objects(&self) -> Vec<&str> {
        let mut seen = vec![false; self.types.definitions().len()];
        let mut found = Vec::new();
        for method in &self.methods {
            let own = [&*method.receiver, &*method.class];
            found.extend(own.into_iter().filter(|name| !name.is_empty()));
            let all = [
                Some(&method.request),
                Some(&method.response),
                method.items.as_ref(),
            ];
            for ty in all.into_iter().flatten() {
                objects(&self.types, ty, &mut seen, &mut found);
            }
        }
        for function in self.callbacks.iter().flat_map(|it| &it.functions) {
            let fields = function.arguments.iter().flatten().map(|field| &field.ty);
            for ty in fields.chain([&function.response]) {
                objects(&self.types, ty, &mut seen, &mut found);
            }
        }
        let mut known = HashSet::new();
        found.retain(|name| known.insert(*name));
        found
    }

    /// The method that has the parameters of a function whose arguments cross by a method: it calls the plugin's own implementations.
    pub(crate) fn method_like(&self, service: &Service) -> Option<&Method> {
        let mut methods = self.methods.iter();
        methods.find(|it| service.crossing.is_some() && it.name == service.name)
    }

    /// The methods by which arguments and results of callbacks' functions cross.
    pub(crate) fn crossings(&self) -> impl Iterator<Item = &Method> {
        let functions = self.callbacks.iter().flat_map(|it| &it.functions);
        functions
            .filter_map(|function| function.crossing.as_ref())
            .flat_map(|crossing| [&crossing.arguments, &crossing.result])
            .flatten()
    }

    /// The services, by what they belong to, in the order in which they come. Those with objects in what is sent are left out: hosts
    /// register them without types.
    #[must_use]
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for service in &self.services {
            if self.has_objects_in_service(service) {
                continue;
            }
            let name = match &*service.group {
                "" => format!("{}_services", self.plugin),
                group => group.to_owned(),
            };
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => {
                    group.optional &= service.optional;
                    group.services.push(service);
                }
                None => groups.push(Group {
                    name,
                    optional: service.optional,
                    services: vec![service],
                }),
            }
        }
        groups
    }

    /// What clients don't have: methods without types or with streams of objects, services with objects.
    #[must_use]
    pub fn left_out(&self) -> Vec<&str> {
        let methods = self.methods.iter();
        let services = self.services.iter();
        let services = services.filter(|service| self.has_objects_in_service(service));
        methods
            .filter(|method| self.has_objects_in_items(method))
            .map(|method| &*method.name)
            .chain(self.others.iter().map(|name| &**name))
            .chain(services.map(|service| &*service.name))
            .collect()
    }

    /// The types of the errors of methods, services and callbacks, by their numbers, in the order of the table.
    #[must_use]
    pub fn errors(&self) -> BTreeSet<u32> {
        let methods = self.methods.iter().filter_map(|method| method.error);
        methods.chain(self.thrown()).collect()
    }

    /// The types of the errors of services and callbacks, which clients throw, in the order of the table.
    #[must_use]
    pub fn thrown(&self) -> BTreeSet<u32> {
        let functions = self.callbacks.iter().flat_map(|it| &it.functions);
        let functions = functions.chain(&self.services);
        functions.filter_map(|it| it.error).collect()
    }

    /// The types that clients see, with their numbers.
    pub fn definitions(&self) -> impl Iterator<Item = (u32, &Definition)> {
        (0..)
            .zip(self.types.definitions())
            .filter(|(number, _)| self.directions(*number) != Directions::default())
    }
}

impl ClientSchema {
    /// Returns the traits of an object's type.
    #[must_use]
    pub fn traits(&self, object: &str) -> Traits<'_> {
        let mut traits = Traits::default();
        for method in &self.methods {
            if method.receiver != object {
                continue;
            }
            match method.implements {
                Some(Trait::Display) => traits.display = Some(method),
                Some(Trait::Debug) => traits.debug = Some(method),
                Some(of @ (Trait::PartialEq | Trait::Eq)) => {
                    traits.eq = Some(method);
                    traits.is_eq = of == Trait::Eq;
                }
                Some(Trait::Hash) => traits.hash = Some(method),
                Some(Trait::Ord) => traits.cmp = Some(method),
                Some(Trait::Len) => traits.len = Some(method),
                Some(Trait::Iter) if !self.has_objects_in_items(method) => {
                    traits.iter = Some(method);
                }
                Some(Trait::Iter) | None => {}
            }
        }
        // Objects without equality have no order and no hash that agrees with it.
        if traits.eq.is_none() {
            (traits.hash, traits.cmp) = (None, None);
        }
        traits
    }
}

impl ClientSchema {
    /// Uses the classes of another plugin's client for all types that are the same in both: same names, same fields and variants, same
    /// defaults. Types with objects aren't the same, because an object belongs to one plugin.
    ///
    /// Returns a sentence for each type of both whose class the client has itself.
    pub fn import(&mut self, namespace: &str, other: ClientSchema) -> Vec<String> {
        let (one, two) = (&self.plugin, &other.plugin);
        let mut theirs: BTreeMap<String, u32> = BTreeMap::new();
        for (number, definition) in other.definitions() {
            if !other.is_taken_apart(number) {
                theirs.insert(definition.name.to_string(), number);
            }
        }
        let mut types = BTreeMap::new();
        let mut different = Vec::new();
        for (number, definition) in self.definitions() {
            let Some(&their) = theirs.get(&*definition.name) else {
                continue;
            };
            if self.is_taken_apart(number) || self.imported(number).is_some() {
                continue;
            }
            let name = &definition.name;
            let whole = TypeRef::Ref(number);
            if !is_same(&self.types, number, &other.types, their) {
                different.push(format!(
                    "the type `{name}` differs between the plugins `{one}` and `{two}`, so each client has its own"
                ));
            } else if self.holds_objects(&whole) {
                different.push(format!(
                    "the type `{name}` contains objects, so the clients of the plugins `{one}` and `{two}` have their own"
                ));
            } else if let Some(import) = self.import_within(&whole) {
                different.push(format!(
                    "the type `{name}` contains types of the client `{}`, so the clients of the plugins `{one}` and `{two}` have their own",
                    import.namespace
                ));
            } else {
                types.insert(number, their);
            }
        }
        self.imports.push(Import {
            namespace: namespace.to_owned(),
            client_schema: other,
            types,
        });
        different
    }

    /// Returns the client that has the class of a type, if it's another plugin's.
    #[must_use]
    pub fn imported(&self, number: u32) -> Option<&Import> {
        let mut imports = self.imports.iter();
        imports.find(|it| it.types.contains_key(&number))
    }

    /// Returns the client that has the class of a type, or of one in it.
    fn import_within(&self, ty: &TypeRef) -> Option<&Import> {
        let mut seen = BTreeSet::new();
        walk(&self.types, ty, |number| seen.insert(number), |_| {});
        seen.into_iter().find_map(|number| self.imported(number))
    }

    /// The clients of other plugins that have the classes of some of its types.
    #[must_use]
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// Returns the client that has the exception of an error type, if it's another plugin's.
    #[must_use]
    pub fn imported_exception(&self, error: u32) -> Option<&Import> {
        let import = self.imported(error)?;
        let theirs = import.types.get(&error)?;
        import
            .client_schema
            .errors()
            .contains(theirs)
            .then_some(import)
    }

    /// The types whose classes the client has itself, with their numbers.
    pub fn own_definitions(&self) -> impl Iterator<Item = (u32, &Definition)> {
        let own = |number: u32| self.imported(number).is_none();
        self.definitions().filter(move |(number, _)| own(*number))
    }
}

fn kind(entry: &Entry<'_>) -> Kind {
    match (entry.is_stream_out(), entry.is_stream_in()) {
        (false, false) => Kind::Unary,
        (true, false) => Kind::StreamOut,
        (false, true) => Kind::StreamIn,
        (true, true) => Kind::StreamBoth,
    }
}

/// The place of the first of the fields at the end that may be left out: those with a default, and options.
pub(crate) fn first_optional(fields: &[Field]) -> usize {
    let is_needed = |field: &Field| !field.default && !matches!(field.ty, TypeRef::Option(_));
    let last_needed = fields.iter().rposition(is_needed);
    last_needed.map_or(0, |place| place + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
