//! What things are called in Python.

use std::collections::BTreeMap;

use rustbridge_description::types::{Enum, Shape};

use crate::client_schema::{ClientSchema, Group};
use crate::error::Error;
use crate::names::{Case, Scope, UNKNOWN, alone, exception};

/// Python's keywords, and the names that a field or a method mustn't hide.
pub(super) const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// What annotations and defaults in a class are written with: no field or method may hide them.
pub(super) const TYPES: &[&str] = &[
    "bool",
    "bytearray",
    "bytes",
    "datetime",
    "dict",
    "field",
    "float",
    "int",
    "list",
    "memoryview",
    "rustbridge",
    "str",
    "timedelta",
    "tuple",
    "typed",
];

/// What a method has besides its parameters.
pub(super) const LOCALS: &[&str] = &["answer", "items", "options", "self"];

/// What the module has already.
pub(super) const MODULE: &[&str] = &[
    "Any",
    "AsyncIterable",
    "Awaitable",
    "Enum",
    "Iterable",
    "NamedTuple",
    "NewType",
    "Protocol",
    "TypeAlias",
];

/// What loading a plugin takes already.
pub(super) const LOAD: &[&str] = &[
    "backend",
    "backtrace",
    "cls",
    "config",
    "functions",
    "log_capacity",
    "log_level",
    "logger",
    "name",
    "on_panic",
    "options",
    "own_copy",
    "services",
    "source",
];

/// What a client has already.
pub(super) const CLIENT: &[&str] = &["aclose", "close", "load", "plugin"];

/// What an object has already.
pub(super) const OBJECT: &[&str] = &["close", "closed", "untyped"];

/// What the module calls the plugin and its types.
pub(super) struct Names<'c> {
    pub(super) client_schema: &'c ClientSchema,
    /// The class of the plugin.
    pub(super) client: String,
    /// The library that the client is packaged with.
    pub(super) packaged: Option<&'c str>,
    /// By the number of a type.
    types: Vec<TypeNames>,
    /// The classes of objects: what the plugin calls their type, and what Python does.
    objects: Vec<(&'c str, String)>,
    /// The exceptions that carry errors, by the number of the error's type.
    pub(super) exceptions: BTreeMap<u32, String>,
    /// What the host implements, and what its protocol is called.
    pub(super) groups: Vec<(Group<'c>, String)>,
}

/// What a type is called.
#[derive(Default)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// Of an enum with data: its variants' classes; of an open one, last what stands for those that aren't known.
    pub(super) variants: Vec<String>,
}

impl<'c> Names<'c> {
    pub(super) fn new(client_schema: &'c ClientSchema) -> Result<Names<'c>, Error> {
        let reserved: Vec<&str> = KEYWORDS.iter().chain(MODULE).copied().collect();
        let mut scope = Scope::new("the plugin's types", &reserved);
        let client = scope.name(&client_schema.plugin, Case::Pascal)?;
        let mut types = Vec::new();
        for definition in client_schema.types.definitions() {
            types.push(TypeNames {
                name: scope.name(&definition.name, Case::Pascal)?,
                variants: Vec::new(),
            });
        }
        let mut objects = Vec::new();
        for name in client_schema.objects() {
            objects.push((name, scope.name(name, Case::Pascal)?));
        }
        let mut groups = Vec::new();
        for group in client_schema.groups() {
            let class = scope.name(&group.name, Case::Pascal)?;
            groups.push((group, class));
        }
        for (definition, names) in client_schema.types.definitions().iter().zip(&mut types) {
            if let Shape::Enum(shape) = &definition.shape
                && !is_plain(shape)
            {
                let variants = shape.variants.iter().map(|variant| &*variant.name);
                for variant in variants.chain(shape.open.then_some(UNKNOWN)) {
                    let both = format!("{}_{variant}", definition.name);
                    names.variants.push(scope.joined(&both, Case::Pascal));
                }
            }
        }
        let mut exceptions = BTreeMap::new();
        for error in client_schema.errors() {
            let called = exception(&client_schema.types.definitions()[error as usize].name);
            exceptions.insert(error, scope.joined(&called, Case::Pascal));
        }
        Ok(Names {
            client_schema,
            client,
            packaged: None,
            types,
            objects,
            exceptions,
            groups,
        })
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &TypeNames {
        &self.types[number as usize]
    }

    /// The classes of objects: what the plugin calls their type, and what Python does.
    pub(super) fn objects(&self) -> &[(&'c str, String)] {
        &self.objects
    }

    /// What the class of an object is called.
    pub(super) fn object(&self, name: &str) -> &str {
        let found = self.objects.iter().find(|(known, _)| *known == name);
        found.map_or("typed.Object", |(_, class)| class)
    }

    /// What each type is called, in the order of their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = &TypeNames> {
        self.types.iter()
    }
}

/// Whether no variant has data.
fn is_plain(shape: &Enum) -> bool {
    shape
        .variants
        .iter()
        .all(|variant| variant.tuple.is_none() && variant.fields.is_none())
}

/// What a method's only parameter is called.
pub(super) fn parameter(name: &str) -> String {
    alone(name, Case::Snake, &[KEYWORDS, LOCALS])
}
