//! What things are called in Python.

use std::collections::BTreeMap;

use rustbridge_description::types::{Enum, Shape};

use crate::client::Options;
use crate::client_schema::{Callback, ClientSchema, Group, Import};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope, UNKNOWN, alone, exception, variant_exception};

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

/// The same of a class's function, which calls with a client.
const CLASS_LOCALS: &[&str] = &["answer", "client", "cls", "items", "options", "self"];

/// What functions and properties are declared with in the classes of objects.
pub(super) const DECORATORS: &[&str] = &["classmethod", "property", "staticmethod"];

/// What the module has already.
pub(super) const MODULE: &[&str] = &[
    "Any",
    "AsyncIterable",
    "AsyncIterator",
    "Awaitable",
    "Callable",
    "Decimal",
    "Enum",
    "Iterable",
    "Iterator",
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
    /// The traits that hosts implement and methods accept.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
    /// The exceptions that carry errors, by the number of the error's type.
    pub(super) exceptions: BTreeMap<u32, String>,
    /// The exceptions of the variants of errors, in the order of the variants, if the client has them.
    pub(super) variant_exceptions: BTreeMap<u32, Vec<String>>,
    /// What the host implements, and what its protocol is called.
    pub(super) groups: Vec<(Group<'c>, String)>,
}

/// The names of a callback.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    /// The protocol.
    pub(super) protocol: String,
    /// The alias of the protocol or a function, if the callback has only one function.
    pub(super) like: Option<String>,
    /// The functions, in their order. They're also the names of the methods of the plugin's objects.
    pub(super) functions: Vec<String>,
}

/// What a type is called.
#[derive(Default, PartialEq)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// Of an enum with data: its variants' classes; of an open one, last what stands for those that aren't known.
    pub(super) variants: Vec<String>,
}

impl<'c> Names<'c> {
    pub(super) fn new(
        client_schema: &'c ClientSchema,
        options: &'c Options,
    ) -> Result<Names<'c>, Error> {
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
        let mut callbacks = Vec::new();
        for callback in &client_schema.callbacks {
            callbacks.push(CallbackNames {
                callback,
                protocol: scope.name(&callback.name, Case::Pascal)?,
                like: None,
                functions: functions(callback)?,
            });
        }
        for name in client_schema.objects() {
            if client_schema.callback(name).is_none() {
                objects.push((name, scope.name(name, Case::Pascal)?));
            }
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
        for names in &mut callbacks {
            let name = &*names.callback.name;
            objects.push((name, scope.joined(&format!("{name}_object"), Case::Pascal)));
            if names.functions.len() == 1 {
                names.like = Some(scope.joined(&format!("{name}_like"), Case::Pascal));
            }
        }
        let mut exceptions = BTreeMap::new();
        for error in client_schema.errors() {
            let called = exception(&client_schema.types.definitions()[error as usize].name);
            exceptions.insert(error, scope.joined(&called, Case::Pascal));
        }
        let mut variant_exceptions = BTreeMap::new();
        for &error in exceptions.keys().filter(|_| options.exception_per_variant) {
            let definition = &client_schema.types.definitions()[error as usize];
            if let Shape::Enum(shape) = &definition.shape {
                let variants = shape.variants.iter();
                let called = variants.map(|it| variant_exception(&definition.name, &it.name));
                let classes = called.map(|called| scope.joined(&called, Case::Pascal));
                variant_exceptions.insert(error, classes.collect());
            }
        }
        let names = Names {
            client_schema,
            client,
            packaged: options.packaged.as_deref(),
            types,
            objects,
            callbacks,
            exceptions,
            variant_exceptions,
            groups,
        };
        for import in client_schema.imports() {
            let other = Names::new(&import.client_schema, options)?;
            import.check(|it| names.of(it), |it| other.of(it))?;
            import.check_exceptions(&names.exceptions, &other.exceptions)?;
        }
        Ok(names)
    }

    /// The names that the module imports from another client's, in the order of the alphabet.
    pub(super) fn imported(&self, import: &Import) -> Vec<&str> {
        let mut imported = Vec::new();
        for &number in import.types.keys() {
            let names = self.of(number);
            imported.push(&*names.name);
            imported.extend(names.variants.iter().map(|it| &**it));
            if self.client_schema.imported_exception(number).is_some() {
                imported.extend(self.exceptions.get(&number).map(|it| &**it));
                let variants = self.variant_exceptions.get(&number);
                imported.extend(variants.into_iter().flatten().map(|it| &**it));
            }
        }
        imported.sort_unstable();
        imported
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &TypeNames {
        &self.types[number as usize]
    }

    /// The classes of objects: what the plugin calls their type, and what Python does.
    pub(super) fn objects(&self) -> &[(&'c str, String)] {
        &self.objects
    }

    /// What an object is called in an annotation: its class, or what a callback accepts.
    pub(super) fn object(&self, name: &str) -> &str {
        if let Some(names) = self.callbacks.iter().find(|it| it.callback.name == name) {
            return names.like.as_ref().unwrap_or(&names.protocol);
        }
        let found = self.objects.iter().find(|(known, _)| *known == name);
        found.map_or("typed.Object", |(_, class)| class)
    }

    /// What each type is called, in the order of their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = &TypeNames> {
        self.types.iter()
    }
}

/// The names of a callback's functions, which the methods of the plugin's objects have, too.
fn functions(callback: &Callback) -> Result<Vec<String>, Error> {
    let reserved: Vec<&str> = KEYWORDS
        .iter()
        .chain(TYPES)
        .chain(OBJECT)
        .copied()
        .collect();
    let what = format!("the functions of `{}`", callback.name);
    let mut scope = Scope::new(what, &reserved).renamed_by(SERVICE);
    let functions = callback.functions.iter();
    functions
        .map(|function| scope.name(&function.function, Case::Snake))
        .collect()
}

/// Whether no variant has data.
fn is_plain(shape: &Enum) -> bool {
    shape
        .variants
        .iter()
        .all(|variant| variant.tuple.is_none() && variant.fields.is_none())
}

/// What a method has besides its parameters, or a class's function.
pub(super) fn locals(is_of_class: bool) -> &'static [&'static str] {
    match is_of_class {
        true => CLASS_LOCALS,
        false => LOCALS,
    }
}

/// What a method's only parameter is called.
pub(super) fn parameter(name: &str, is_of_class: bool) -> String {
    alone(name, Case::Snake, &[KEYWORDS, locals(is_of_class)])
}
