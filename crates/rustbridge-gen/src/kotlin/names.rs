//! What things are called in Kotlin.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rustbridge_description::types::{Enum, Shape};

use crate::client_schema::{Callback, ClientSchema, Import, Service};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope, UNKNOWN, exception};
use crate::uses::Found;
use crate::uses::is_received;
pub(super) use crate::uses::{called as calls, is_plain};

/// Kotlin's hard keywords, and the names of every object whose property or function would be another: no property, parameter and
/// function is called so. They get an underscore, as in the other languages, rather than backticks that every use of them needs.
pub(super) const KEYWORDS: &[&str] = &[
    "_",
    "as",
    "break",
    "class",
    "continue",
    "do",
    "else",
    "equals",
    "false",
    "finalize",
    "for",
    "fun",
    "getClass",
    "hashCode",
    "if",
    "in",
    "interface",
    "is",
    "javaClass",
    "notify",
    "notifyAll",
    "null",
    "object",
    "package",
    "return",
    "super",
    "this",
    "throw",
    "toString",
    "true",
    "try",
    "typealias",
    "typeof",
    "val",
    "var",
    "wait",
    "when",
    "while",
];

/// What an enum's constants have besides themselves.
const CONSTANTS: &[&str] = &["entries", "valueOf", "values"];

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
    "plugin",
    "preparedCallback",
    "sending",
    "serving",
];

/// What an object has besides its methods.
pub(super) const OBJECT: &[&str] = &["client", "close", "isClosed", "receiving", "untyped"];

/// The types that generated code calls by their simple names: no type of the plugin's may be called so.
pub(super) const TYPES: &[&str] = &[
    "Any",
    "Array",
    "AutoCloseable",
    "BigDecimal",
    "BigInteger",
    "Boolean",
    "BooleanArray",
    "Byte",
    "ByteArray",
    "CallOptions",
    "Companion",
    "Comparable",
    "Content",
    "Double",
    "DoubleArray",
    "Duration",
    "EncodeException",
    "Enum",
    "ExperimentalUnsignedTypes",
    "Float",
    "FloatArray",
    "Flow",
    "Instant",
    "Int",
    "IntArray",
    "JvmField",
    "JvmInline",
    "JvmName",
    "KClass",
    "List",
    "Long",
    "LongArray",
    "Map",
    "Math",
    "Maybe",
    "OptIn",
    "Pair",
    "Path",
    "Plugin",
    "PluginConfig",
    "PluginException",
    "PluginObject",
    "PluginOptions",
    "Short",
    "ShortArray",
    "String",
    "Suppress",
    "Transient",
    "Triple",
    "TypedCallback",
    "TypedClient",
    "TypedClientFactory",
    "TypedClientServices",
    "TypedError",
    "TypedMethod",
    "TypedObject",
    "TypedServices",
    "TypedStreamingCall",
    "UByte",
    "UByteArray",
    "UInt",
    "UIntArray",
    "ULong",
    "ULongArray",
    "UShort",
    "UShortArray",
    "UUID",
    "Unit",
    "Values",
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
    /// The interface of its methods.
    pub(super) api: String,
    /// The object that writes and reads.
    pub(super) codec: String,
    /// By the number of a type; what no method of the client has is missing.
    pub(super) types: BTreeMap<u32, TypeNames>,
    /// How many values the tuples without names have that Kotlin has no class for.
    pub(super) tuples: BTreeMap<usize, String>,
    /// The classes of objects: what the plugin calls their type, and what Kotlin does. Those of callbacks aren't among them.
    pub(super) objects: Vec<(&'c str, String)>,
    /// The callbacks.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
    /// The classes of other plugins' clients, with their packages.
    pub(super) imported: BTreeMap<String, String>,
    /// The exceptions that carry errors, by the number of the error's type.
    pub(super) exceptions: BTreeMap<u32, String>,
    /// What the host does for the plugin, in the order of the description.
    pub(super) groups: Vec<Group<'c>>,
}

/// What a type is called.
#[derive(PartialEq)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// Of an enum: its constants, or its variants' classes.
    pub(super) variants: Vec<String>,
    /// Of an enum that has more variants than the client knows: what stands for all of them.
    pub(super) unknown: Option<String>,
}

/// What a callback is called.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    /// The interface.
    pub(super) interface: String,
    /// The class of the plugin's implementations; none if clients receive none.
    pub(super) class: Option<String>,
    /// The functions, and what they are called.
    pub(super) functions: Vec<(&'c Service, String)>,
}

/// Services that are one interface.
pub(super) struct Group<'c> {
    /// The interface.
    pub(super) name: String,
    /// What the plugin calls them together.
    pub(super) asked: String,
    /// What the implementation is called that the client is given.
    pub(super) parameter: String,
    /// Whether the plugin does without all of them.
    pub(super) optional: bool,
    /// The services, and what their functions are called.
    pub(super) services: Vec<(&'c Service, String)>,
}

impl<'c> Names<'c> {
    pub(super) fn new(
        client_schema: &'c ClientSchema,
        package: String,
    ) -> Result<Names<'c>, Error> {
        let mut scope = Scope::new("the plugin's types", TYPES);
        let client = scope.name(&client_schema.plugin, Case::Pascal)?;
        let mut found = Found::of(client_schema, calls(client_schema));
        let functions = client_schema.callbacks.iter();
        let functions = functions.flat_map(|callback| &callback.functions);
        for service in services(client_schema).chain(functions) {
            found.serve(service);
        }
        let mut types = BTreeMap::new();
        for number in &found.types {
            let definition = &client_schema.types.definitions()[*number as usize];
            let name = scope.name(&definition.name, Case::Pascal)?;
            let (variants, unknown) = match &definition.shape {
                Shape::Enum(shape) => variants(&name, shape)?,
                _ => (Vec::new(), None),
            };
            let names = TypeNames {
                name,
                variants,
                unknown,
            };
            types.insert(*number, names);
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
                functions: functions_of(callback)?,
            });
        }
        let groups = groups(client_schema, &mut scope)?;
        let codec = scope.joined(&format!("{}_codec", client_schema.plugin), Case::Pascal);
        let mut tuples = BTreeMap::new();
        for count in &found.tuples {
            if !matches!(count, 0 | 2 | 3) {
                tuples.insert(*count, scope.joined(&format!("Tuple{count}"), Case::Pascal));
            }
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
            api,
            codec,
            types,
            tuples,
            objects,
            callbacks,
            imported: BTreeMap::new(),
            exceptions,
            groups,
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
                "`{}` can't be the name of a package in Kotlin",
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

    /// The shape of a type with a name.
    pub(super) fn shape(&self, number: u32) -> &'c Shape {
        &self.client_schema.types.definitions()[number as usize].shape
    }
}

fn variants(name: &str, shape: &Enum) -> Result<(Vec<String>, Option<String>), Error> {
    let plain = is_plain(shape);
    let reserved: Vec<&str> = if plain {
        KEYWORDS.iter().chain(CONSTANTS).copied().collect()
    } else {
        TYPES.iter().copied().chain([name]).collect()
    };
    let case = if plain { Case::Screaming } else { Case::Pascal };
    let mut scope = Scope::new(format!("the enum `{name}`"), &reserved);
    let mut variants = Vec::new();
    for variant in &shape.variants {
        variants.push(scope.name(&variant.name, case)?);
    }
    let unknown = match shape.open {
        true => Some(scope.joined(UNKNOWN, case)),
        false => None,
    };
    Ok((variants, unknown))
}

/// The services that have an interface. Those with objects in what is sent are registered without types.
fn services(client_schema: &ClientSchema) -> impl Iterator<Item = &Service> {
    client_schema.services.iter().filter(|service| {
        !client_schema.holds_objects(&service.request)
            && !client_schema.holds_objects(&service.response)
    })
}

/// The functions of a callback. The class of its objects has the same names.
fn functions_of(callback: &Callback) -> Result<Vec<(&Service, String)>, Error> {
    let reserved: Vec<&str> = KEYWORDS.iter().chain(OBJECT).copied().collect();
    let mut scope =
        Scope::new(format!("the functions of `{}`", callback.name), &reserved).renamed_by(SERVICE);
    let mut functions = Vec::new();
    for service in &callback.functions {
        functions.push((service, scope.name(&service.function, Case::Camel)?));
    }
    Ok(functions)
}

/// The interfaces of services.
fn groups<'c>(
    client_schema: &'c ClientSchema,
    scope: &mut Scope<'_>,
) -> Result<Vec<Group<'c>>, Error> {
    let reserved: Vec<&str> = KEYWORDS.iter().chain(LOADING).copied().collect();
    let mut parameters = Scope::new("the groups of services", &reserved).renamed_by(SERVICE);
    let mut groups = Vec::new();
    for group in client_schema.groups() {
        let mut functions =
            Scope::new(format!("the services of `{}`", group.name), KEYWORDS).renamed_by(SERVICE);
        let mut members = Vec::new();
        for service in group.services {
            members.push((service, functions.name(&service.function, Case::Camel)?));
        }
        groups.push(Group {
            name: scope.name(&group.name, Case::Pascal)?,
            parameter: parameters.name(&group.name, Case::Camel)?,
            asked: group.name,
            optional: group.optional,
            services: members,
        });
    }
    Ok(groups)
}

/// What loading takes besides services.
const LOADING: &[&str] = &[
    "anchor",
    "config",
    "configure",
    "image",
    "it",
    "library",
    "plugin",
    "resource",
    "services",
];

/// Whether it can be a part of the name of a package.
pub(super) fn is_package(part: &str) -> bool {
    let is_first = |letter: char| letter.is_alphabetic() || letter == '_';
    part.starts_with(is_first)
        && part
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&part)
}
