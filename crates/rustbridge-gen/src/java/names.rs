//! What things are called in Java.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rustbridge_description::types::{Enum, Shape};

use crate::client_schema::{Callback, ClientSchema, Group, Import};
use crate::error::Error;
use crate::names::{Case, Scope, UNKNOWN, exception};
use crate::uses::Found;
use crate::uses::is_received;
pub(super) use crate::uses::{called as calls, is_plain};

/// Java's keywords and literals, and the methods of every object: no component and no method may be called so.
pub(super) const KEYWORDS: &[&str] = &[
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "clone",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "equals",
    "extends",
    "false",
    "final",
    "finalize",
    "finally",
    "float",
    "for",
    "getClass",
    "goto",
    "hashCode",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "notify",
    "notifyAll",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "toString",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "wait",
    "while",
];

/// What records have besides their components.
pub(super) const RECORD: &[&str] = &["components"];

/// What a client has besides its methods.
pub(super) const CLIENT: &[&str] = &[
    "close",
    "load",
    "loadResource",
    "loaded",
    "method",
    "objectMethod",
    "objectSending",
    "of",
    "packagedLibrary",
    "plugin",
    "preparedCallback",
    "sending",
    "serving",
];

/// What an object has besides its methods.
pub(super) const OBJECT: &[&str] = &["client", "close", "isClosed", "receiving", "untyped"];

/// The types that generated code calls by their simple names: no type of the plugin's may be called so.
pub(super) const TYPES: &[&str] = &[
    "BigDecimal",
    "BigInteger",
    "Boolean",
    "Byte",
    "CallOptions",
    "Comparable",
    "CompletableFuture",
    "CompletionStage",
    "Double",
    "Duration",
    "Enum",
    "Exception",
    "Float",
    "Flow",
    "FunctionalInterface",
    "Instant",
    "Integer",
    "Items",
    "Iterable",
    "List",
    "Long",
    "Map",
    "Maybe",
    "Object",
    "Objects",
    "Override",
    "Path",
    "Plugin",
    "PluginConfig",
    "PluginException",
    "PluginObject",
    "Record",
    "Short",
    "String",
    "SuppressWarnings",
    "TypedCallback",
    "TypedClient",
    "TypedClientFactory",
    "TypedClientServices",
    "TypedError",
    "TypedMethod",
    "TypedObject",
    "TypedStreamingCall",
    "TypedServices",
    "UUID",
    "UnitValue",
    "Values",
    "Void",
    "WireReader",
    "WireWriter",
];

/// What the package calls the plugin and its types.
pub(super) struct Names<'c> {
    pub(super) client_schema: &'c ClientSchema,
    /// The package.
    pub(super) package: String,
    /// The class of the plugin.
    pub(super) client: String,
    /// The library that the client is packaged with.
    pub(super) packaged: Option<&'c str>,
    /// The interface of its methods.
    pub(super) api: String,
    /// The class that writes and reads.
    pub(super) codec: String,
    /// By the number of a type; what no method of the client has is missing.
    pub(super) types: BTreeMap<u32, TypeNames>,
    /// How many values the tuples without names have.
    pub(super) tuples: BTreeMap<usize, String>,
    /// The classes of objects: what the plugin calls their type, and what Java does. Those of callbacks aren't among them.
    pub(super) objects: Vec<(&'c str, String)>,
    /// The callbacks.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
    /// The classes of other plugins' clients, with their packages.
    pub(super) imported: BTreeMap<String, String>,
    /// The exceptions that carry errors, by the number of the error's type.
    pub(super) exceptions: BTreeMap<u32, String>,
    /// What the host implements, and what its interface is called.
    pub(super) groups: Vec<(Group<'c>, String)>,
}

/// What a callback is called.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    /// The interface.
    pub(super) interface: String,
    /// The class of the plugin's implementations; none if clients receive none.
    pub(super) class: Option<String>,
}

/// What a type is called.
#[derive(PartialEq)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// Of an enum: its constants, or its variants' records; of an open one, last what stands for those that aren't known.
    pub(super) variants: Vec<String>,
}

impl<'c> Names<'c> {
    pub(super) fn new(
        client_schema: &'c ClientSchema,
        package: String,
    ) -> Result<Names<'c>, Error> {
        let mut scope = Scope::new("the plugin's types", TYPES);
        let client = scope.name(&client_schema.plugin, Case::Pascal)?;
        let mut found = Found::of(client_schema, calls(client_schema));
        let empty = || TypeNames {
            name: String::new(),
            variants: Vec::new(),
        };
        let groups = client_schema.groups();
        let functions = client_schema.callbacks.iter();
        let functions = functions.flat_map(|callback| &callback.functions);
        let services = groups
            .iter()
            .flat_map(|group| group.services.iter().copied());
        for service in services.chain(functions) {
            found.serve(service);
        }
        let mut types: BTreeMap<u32, TypeNames> = found
            .types
            .iter()
            .map(|number| (*number, empty()))
            .collect();
        let mut tuples: BTreeMap<usize, String> = found
            .tuples
            .iter()
            .map(|count| (*count, String::new()))
            .collect();
        for (number, names) in &mut types {
            let definition = &client_schema.types.definitions()[*number as usize];
            names.name = scope.name(&definition.name, Case::Pascal)?;
            if let Shape::Enum(shape) = &definition.shape {
                names.variants = variants(&names.name, shape)?;
            }
        }
        let mut objects = Vec::new();
        for object in client_schema.objects() {
            if client_schema.callback(object).is_none() {
                objects.push((object, scope.name(object, Case::Pascal)?));
            }
        }
        let mut callbacks = Vec::new();
        for callback in &client_schema.callbacks {
            callbacks.push(CallbackNames {
                callback,
                interface: scope.name(&callback.name, Case::Pascal)?,
                class: None,
            });
        }
        let mut interfaces = Vec::new();
        for group in groups {
            let interface = scope.name(&group.name, Case::Pascal)?;
            interfaces.push((group, interface));
        }
        let codec = scope.joined(&format!("{}_codec", client_schema.plugin), Case::Pascal);
        for (count, name) in &mut tuples {
            *name = scope.joined(&format!("Tuple{count}"), Case::Pascal);
        }
        let mut exceptions = BTreeMap::new();
        for error in calls(client_schema).filter_map(|method| method.error) {
            if let Entry::Vacant(place) = exceptions.entry(error) {
                let exception = exception(&types[&error].name);
                place.insert(scope.joined(&exception, Case::Pascal));
            }
        }
        let api = scope.joined(&format!("{}_api", client_schema.plugin), Case::Pascal);
        for CallbackNames {
            callback, class, ..
        } in &mut callbacks
        {
            if is_received(client_schema, &callback.name) {
                let name = format!("{}_object", callback.name);
                *class = Some(scope.joined(&name, Case::Pascal));
            }
        }
        let mut names = Names {
            client_schema,
            package,
            client,
            packaged: None,
            api,
            codec,
            types,
            tuples,
            objects,
            callbacks,
            imported: BTreeMap::new(),
            exceptions,
            groups: interfaces,
        };
        for import in client_schema.imports() {
            let other = Names::new(&import.client_schema, import.namespace.clone())?;
            names.import(import, &other)?;
        }
        Ok(names)
    }

    /// Takes the names of the classes that another plugin's client has.
    fn import(&mut self, import: &Import, other: &Names<'_>) -> Result<(), Error> {
        if !import.namespace.split('.').all(is_package) {
            return Err(Error::new(format_args!(
                "`{}` can't be the name of a package in Java",
                import.namespace
            )));
        }
        import.check(|it| self.types.get(&it), |it| other.types.get(&it))?;
        let types = import.types.keys().map(|it| self.of(*it).name.clone());
        let tuples = self.tuples.iter();
        let tuples = tuples.filter(|(count, name)| other.tuples.get(count) == Some(name));
        for (count, name) in tuples.clone() {
            if let Some(known) = self.imported.get(name) {
                import.check_tuple(*count, name, known)?;
            }
        }
        let exceptions = self.exceptions.iter().filter(|(error, name)| {
            let theirs = import.types.get(error);
            theirs.and_then(|it| other.exceptions.get(it)) == Some(name)
        });
        let classes = tuples.map(|(_, name)| name.clone()).chain(types);
        let classes = classes.chain(exceptions.map(|(_, name)| name.clone()));
        for class in classes.collect::<Vec<_>>() {
            self.imported
                .entry(class)
                .or_insert_with(|| import.namespace.clone());
        }
        Ok(())
    }

    /// Returns the name of an object's class, or of a callback's interface.
    pub(super) fn object(&self, name: &str) -> &str {
        if let Some(callback) = self.callback(name) {
            return &callback.interface;
        }
        let found = self.objects.iter().find(|(known, _)| *known == name);
        &found.expect("the client schema gives all of them").1
    }

    /// Returns the callback, if the objects of this type are implementations of one.
    pub(super) fn callback(&self, object: &str) -> Option<&CallbackNames<'c>> {
        let mut callbacks = self.callbacks.iter();
        callbacks.find(|names| names.callback.name == object)
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &TypeNames {
        &self.types[&number]
    }
}

fn variants(name: &str, shape: &Enum) -> Result<Vec<String>, Error> {
    let plain = is_plain(shape);
    let reserved: Vec<&str> = if plain {
        KEYWORDS.to_vec()
    } else {
        TYPES.iter().copied().chain([name]).collect()
    };
    let case = if plain { Case::Screaming } else { Case::Pascal };
    let mut scope = Scope::new(format!("the enum `{name}`"), &reserved);
    let mut variants = Vec::new();
    for variant in &shape.variants {
        variants.push(scope.name(&variant.name, case)?);
    }
    if shape.open {
        variants.push(scope.joined(UNKNOWN, case));
    }
    Ok(variants)
}

/// Whether it can be a part of the name of a package.
pub(super) fn is_package(part: &str) -> bool {
    let is_first = |letter: char| letter.is_alphabetic() || letter == '_';
    part.starts_with(is_first)
        && part
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&part)
}
