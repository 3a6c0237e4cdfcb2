//! What a client is written from: a plugin's types, and its methods in the wire form.

use std::collections::{BTreeSet, HashSet};

use rustbridge_abi::Encoding;
use rustbridge_description::types::{
    Definition, Field, Fingerprint, Shape, Signature, Table, TypeRef, typed_entry,
};
use rustbridge_description::{Description, Entry, Side};
use serde_json::{Value, json};

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
}

/// A method in the wire form, or a raw one.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name in the plugin.
    pub name: String,
    /// Prose.
    pub doc: String,
    /// What calling it means.
    pub kind: Kind,
    /// Whether messages are the bytes or the text itself, without a form. Otherwise they are in the wire form.
    pub is_raw: bool,
    /// Whether its handler is an `async fn`.
    pub is_async: bool,
    /// What goes in: `unit` if nothing does.
    pub request: TypeRef,
    /// What clients take one by one, if they do: the fields of the request, which is a record that nothing else is made of.
    pub arguments: Option<Vec<Field>>,
    /// What clients call the request where it's one parameter: as the plugin does, or `request`.
    pub parameter: String,
    /// What comes out; of a stream, each item.
    pub response: TypeRef,
    /// What each item is that is sent to it.
    pub items: Option<TypeRef>,
    /// What it fails with, if that has a type: the number of a type that nothing else is made of.
    pub error: Option<u32>,
    /// The type of the object whose method it is; empty for the plugin's own.
    pub receiver: String,
    /// The type of the object whose class has this function, which has no receiver; empty for methods.
    pub class: String,
    /// Whether it's a constructor of that class.
    pub constructor: bool,
    /// What it does with a property of the receiver, if it's no ordinary method.
    pub property: Option<Property>,
    /// What clients and plugin have in common if nothing has to be resolved between them.
    pub fingerprint: Fingerprint,
}

/// What a method does with a property of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// It returns the value.
    Get,
    /// It sets the value. Its name begins with `set_`, followed by that of the property.
    Set,
}

/// A function of the host's that the plugin calls in the wire form.
#[derive(Clone, Debug)]
pub struct Service {
    /// What it's registered as: `prices.get`.
    pub name: String,
    /// What the author's trait of services is called there: what stands before the last dot of the name, empty if there's none.
    pub group: String,
    /// What the function is called in it: what stands behind that dot.
    pub function: String,
    /// Prose.
    pub doc: String,
    /// Whether the plugin does without it, too.
    pub optional: bool,
    /// What the plugin sends, and so what the host reads: `unit` if nothing.
    pub request: TypeRef,
    /// The parameters of the function, if there are several: the fields of the request, a record that clients don't show. Those of a
    /// callback's function follow a `u64`, the number of the host's object.
    pub arguments: Option<Vec<Field>>,
    /// What clients call the request if it's the only parameter: as the plugin does, or `request`.
    pub parameter: String,
    /// What the host answers, and so writes.
    pub response: TypeRef,
}

/// A trait that hosts implement and methods accept: an interface of a client.
#[derive(Clone, Debug)]
pub struct Callback {
    /// Its name, also that of the objects' type.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Its functions, in the order of their declaration. Each has `arguments`, without the number of the host's object.
    pub functions: Vec<Service>,
    /// The method that creates a plugin's object from the number of a host's object, a `u64`.
    pub create: Method,
    /// The method of an object that returns that number, or 0 if the object isn't the host's.
    pub number: Method,
    /// The name of the service by which the plugin releases a host's object. Its request is the number.
    pub release: String,
}

/// Services that belong together: an interface of a client's, which the host implements.
#[derive(Clone, Debug)]
pub struct Group<'c> {
    /// What they are called together: `directory`, or the plugin's name and `services`, of those that belong to nothing.
    pub name: String,
    /// Whether the plugin does without all of them, too.
    pub optional: bool,
    /// The services, in the order of the description.
    pub services: Vec<&'c Service>,
}

/// What calling a method means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One request, one response.
    Unary,
    /// It answers with a stream.
    StreamOut,
    /// It takes a stream.
    StreamIn,
    /// Both.
    StreamBoth,
}

/// Which way a type goes: what a client has to be able to do with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directions {
    /// Clients send it.
    pub written: bool,
    /// Clients get it.
    pub read: bool,
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
            });
        }
        let mut services = services(&description, &types)?;
        let callbacks = callbacks(&description, &mut services, &mut methods);
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
        methods.any(|method| method.arguments.is_some() && method.request == request)
            || functions
                .chain(&self.services)
                .any(|service| service.arguments.is_some() && service.request == request)
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
        self.holds_objects(&service.request) || self.holds_objects(&service.response)
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
        let mut known = HashSet::new();
        found.retain(|name| known.insert(*name));
        found
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

    /// The types that methods fail with, by their numbers, in the order of the table.
    #[must_use]
    pub fn errors(&self) -> BTreeSet<u32> {
        let errors = self.methods.iter().filter_map(|method| method.error);
        errors.collect()
    }

    /// The types that clients see, with their numbers.
    pub fn definitions(&self) -> impl Iterator<Item = (u32, &Definition)> {
        (0..)
            .zip(self.types.definitions())
            .filter(|(number, _)| self.directions(*number) != Directions::default())
    }
}

impl Directions {
    const WRITTEN: Directions = Directions {
        written: true,
        read: false,
    };
    const READ: Directions = Directions {
        written: false,
        read: true,
    };
}

/// What clients call an only parameter that a plugin calls so.
fn parameter(name: &str) -> String {
    match name {
        "" => "request".to_owned(),
        name => name.to_owned(),
    }
}

fn services(description: &Description<'_>, types: &Table) -> Result<Vec<Service>, Error> {
    let mut services = Vec::new();
    for service in &description.services {
        if service.encoding != Encoding::Wire.name() {
            continue;
        }
        let side = |side: &Side<'_>| match &side.ty {
            Some(value) => types.reference(value),
            None => Ok(TypeRef::Unit),
        };
        let (group, function) = service.name.rsplit_once('.').unwrap_or(("", &service.name));
        let request = side(&service.request)?;
        let record = match &request {
            TypeRef::Ref(number) if service.arguments => types.get(*number),
            _ => None,
        };
        let arguments = match record.map(|it| &it.shape) {
            Some(Shape::Record(fields)) => Some(fields.clone()),
            _ => None,
        };
        services.push(Service {
            name: service.name.to_string(),
            group: group.to_owned(),
            function: function.to_owned(),
            doc: prose::prose(&service.doc),
            optional: service.optional,
            request,
            arguments,
            parameter: parameter(&service.parameter),
            response: side(&service.response)?,
        });
    }
    Ok(services)
}

/// Takes the callbacks' functions from the services, and the methods of their own from the methods.
fn callbacks(
    description: &Description<'_>,
    services: &mut Vec<Service>,
    methods: &mut Vec<Method>,
) -> Vec<Callback> {
    let receiver = |name: &str| {
        let services = &description.services;
        let found = services.iter().find(|service| service.name == name);
        found.map_or("", |service| &service.receiver)
    };
    let mut callbacks = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for service in &description.services {
        if !service.receiver.is_empty() && !names.contains(&&*service.receiver) {
            names.push(&service.receiver);
        }
    }
    for name in names {
        let mut take = |called: String| {
            let place = methods.iter().position(|method| method.name == called)?;
            Some(methods.remove(place))
        };
        let create = take(format!("{name}:new"));
        let number = take(format!("{name}:number"));
        let (own, others) = std::mem::take(services)
            .into_iter()
            .partition(|service| receiver(&service.name) == name);
        *services = others;
        let own: Vec<Service> = own;
        let (Some(create), Some(number)) = (create, number) else {
            continue;
        };
        let release = format!("{name}:release");
        let doc = own.iter().find(|service| service.name == release);
        let doc = doc.map_or_else(String::new, |service| service.doc.clone());
        let functions = own
            .into_iter()
            .filter(|service| service.name != release)
            .filter_map(|mut service| {
                let fields = service.arguments.as_mut()?;
                // The first is the number of the host's object.
                let has_object = fields.first().is_some_and(|it| it.ty == TypeRef::U64);
                fields.drain(..usize::from(has_object));
                has_object.then_some(service)
            });
        callbacks.push(Callback {
            name: name.to_owned(),
            doc,
            functions: functions.collect(),
            create,
            number,
            release,
        });
    }
    callbacks
}

/// The description with what clients with types call of its methods and serve alone, and without prose.
fn carried(description: &Description<'_>, types: &Table) -> String {
    let methods = description
        .methods
        .iter()
        .filter_map(|method| {
            let typed = typed_entry(&method.entries)?;
            Some(json!({
                "name": method.name,
                "entries": [{
                    "index": typed.index,
                    "kind": typed.kind,
                    "encoding": typed.encoding,
                    "request": typed.request,
                    "arguments": typed.arguments,
                    "parameter": typed.parameter,
                    "response": typed.response,
                    "items": typed.items,
                    "error": typed.error,
                    "receiver": typed.receiver,
                }],
            }))
        })
        .collect::<Vec<_>>();
    let services = description
        .services
        .iter()
        .filter(|service| service.encoding == Encoding::Wire.name())
        .map(|service| {
            json!({
                "name": service.name,
                "encoding": service.encoding,
                "optional": service.optional,
                "request": service.request,
                "response": service.response,
            })
        })
        .collect::<Vec<_>>();
    let mut definitions = types.definitions().to_vec();
    for definition in &mut definitions {
        definition.doc = "".into();
        match &mut definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => silence(fields),
            Shape::Enum(shape) => {
                for variant in &mut shape.variants {
                    variant.doc = "".into();
                    silence(variant.fields.as_deref_mut().unwrap_or_default());
                }
            }
            Shape::Newtype(_) | Shape::Tuple(_) => {}
        }
    }
    let mut carried = json!({
        "name": description.name,
        "version": description.version,
        "methods": methods,
        "types": definitions,
    });
    if !services.is_empty() {
        carried["services"] = services.into();
    }
    carried.to_string()
}

fn silence(fields: &mut [Field]) {
    for field in fields {
        field.doc = "".into();
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

impl Method {
    /// Whether it belongs to an object's type, or, if that's empty, to the plugin.
    #[must_use]
    pub(crate) fn is_of(&self, object: &str) -> bool {
        self.receiver == object && self.class.is_empty()
            || !object.is_empty() && self.class == object
    }

    /// Its name without that of the object's type to which it belongs.
    #[must_use]
    pub(crate) fn own_name(&self) -> &str {
        let object = if self.class.is_empty() {
            &self.receiver
        } else {
            &self.class
        };
        let own = self.name.strip_prefix(&**object).unwrap_or(&self.name);
        own.strip_prefix('.').unwrap_or(&self.name)
    }

    /// Whether the request is bytes or text as it is.
    #[must_use]
    pub(crate) fn takes_raw(&self) -> bool {
        self.is_raw && self.request != TypeRef::Unit
    }

    /// Whether the response is bytes or text as it is.
    #[must_use]
    pub(crate) fn gives_raw(&self) -> bool {
        self.is_raw && self.response != TypeRef::Unit
    }

    /// Whether a request that is one parameter may be left out.
    #[must_use]
    pub(crate) fn is_optional(&self) -> bool {
        matches!(self.request, TypeRef::Option(_))
    }
}

/// Which way each type goes. A record that something else has as well isn't taken apart into arguments.
fn directions(
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
fn objects<'t>(types: &'t Table, ty: &'t TypeRef, seen: &mut [bool], found: &mut Vec<&'t str>) {
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
