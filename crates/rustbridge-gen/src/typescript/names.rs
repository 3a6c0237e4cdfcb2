//! What things are called in TypeScript.

use std::collections::{BTreeMap, BTreeSet};

use rustbridge_description::types::{Definition, Enum, Field, Shape};

use crate::client::{Int64, Options, Timestamps};
use crate::client_schema::{Callback, ClientSchema, Group, Method};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope, UNKNOWN, alone, exception};
pub(super) use crate::uses::is_plain;

/// Keywords, what a module has without declaring it, and what generated code calls by its name: no parameter may hide these.
const LOCALS: &[&str] = &[
    "any",
    "arguments",
    "as",
    "async",
    "await",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "items",
    "let",
    "new",
    "null",
    "options",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "wire",
    "with",
    "yield",
];

/// What generated code calls by these names: no type may hide it.
const TYPES: &[&str] = &[
    "Array",
    "AsyncIterable",
    "Iterable",
    "Map",
    "Methods",
    "Number",
    "Object",
    "Promise",
    "PromiseLike",
    "Services",
    "String",
    "Symbol",
    "Uint8Array",
    "Int8Array",
    "Uint16Array",
    "Int16Array",
    "Uint32Array",
    "Int32Array",
    "BigInt64Array",
    "BigUint64Array",
    "Date",
    "CALLBACKS",
    "CLIENT_SCHEMA",
    "Float32Array",
    "Float64Array",
    "Disposable",
    "AsyncDisposable",
    "Error",
    "URL",
];

/// What classes have besides their methods. What has a `then` is taken for a promise.
pub(super) const MEMBERS: &[&str] = &[
    "close",
    "constructor",
    "load",
    "loadAsync",
    "of",
    "plugin",
    "then",
    "untyped",
];

/// What a class has besides its static functions: the properties of every function, of which TypeScript refuses some.
const STATICS: &[&str] = &[
    "arguments",
    "caller",
    "constructor",
    "length",
    "name",
    "prototype",
    "then",
];

/// The parameters of a class's functions besides the author's, and what they call by its name.
const CLASS_LOCALS: &[&str] = &["client", "methodsOf"];

/// The same for those of a callback. An interface has them, too, and one called `new` would be its constructor.
pub(super) const CALLBACK_MEMBERS: &[&str] = &[
    "close",
    "constructor",
    "load",
    "loadAsync",
    "new",
    "of",
    "plugin",
    "then",
    "untyped",
];

/// What the module calls the plugin and its types.
pub(super) struct Names<'c> {
    pub(super) client_schema: &'c ClientSchema,
    pub(super) int64: Int64,
    pub(super) timestamps: Timestamps,
    /// The library that the client is packaged with.
    pub(super) packaged: Option<String>,
    /// The property that says which variant it is.
    pub(super) kind: String,
    /// The class of the plugin.
    pub(super) client: String,
    /// The objects, by what the plugin calls their types.
    pub(super) objects: Vec<(&'c str, String)>,
    /// The traits that hosts implement and methods accept.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
    /// The classes of errors, by the number of the error's type.
    pub(super) failures: BTreeMap<u32, String>,
    /// What the host implements: what its interface is called, and its field.
    pub(super) groups: Vec<(Group<'c>, String, String)>,
    /// By the number of a type.
    types: Vec<TypeNames>,
}

/// The names of a callback.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    pub(super) interface: String,
    /// The type of an implementation or a function, if the callback has only one function.
    pub(super) like: Option<String>,
    /// The functions, in their order. They're also the names of the methods of the plugin's objects.
    pub(super) functions: Vec<String>,
    /// The class of the plugin's objects.
    pub(super) class: String,
}

/// What a type is called.
#[derive(PartialEq)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// Of an enum with data: the interfaces of its variants; of an open one, last of what stands for those that aren't known.
    pub(super) variants: Vec<String>,
}

impl<'c> Names<'c> {
    pub(super) fn new(
        client_schema: &'c ClientSchema,
        options: &Options,
    ) -> Result<Names<'c>, Error> {
        let kind = options.tag.clone().unwrap_or_else(|| "kind".to_owned());
        let is_letter = |it: char| it.is_ascii_alphanumeric() || "_$".contains(it);
        let is_name =
            kind.chars().all(is_letter) && !kind.starts_with(|it: char| it.is_ascii_digit());
        if kind.is_empty() || kind == "value" || !is_name {
            return Err(Error::new(format_args!(
                "`{kind}` can't be the property that distinguishes variants: expected an identifier of TypeScript other than `value`"
            )));
        }
        let mut scope = Scope::new("the plugin's types", TYPES);
        let client = scope.name(&client_schema.plugin, Case::Pascal)?;
        let mut callbacks = Vec::new();
        for callback in &client_schema.callbacks {
            callbacks.push(CallbackNames {
                callback,
                interface: scope.name(&callback.name, Case::Pascal)?,
                like: None,
                functions: callback_functions(callback)?,
                class: String::new(),
            });
        }
        let mut objects = Vec::new();
        for object in client_schema.objects() {
            if client_schema.callback(object).is_none() {
                objects.push((object, scope.name(object, Case::Pascal)?));
            }
        }
        let mut types = Vec::new();
        for definition in client_schema.types.definitions() {
            if let Shape::Enum(shape) = &definition.shape {
                check_variants(&definition.name, shape)?;
            }
            types.push(TypeNames {
                name: scope.name(&definition.name, Case::Pascal)?,
                variants: Vec::new(),
            });
        }
        let mut groups = Vec::new();
        // What registers them has these names for itself.
        let reserved: Vec<&str> = LOCALS
            .iter()
            .copied()
            .chain(["all", "call", "host", "request"])
            .collect();
        let mut fields = Scope::new("the groups of services", &reserved).renamed_by(SERVICE);
        for group in client_schema.groups() {
            let name = scope.name(&group.name, Case::Pascal)?;
            let field = fields.name(&group.name, Case::Camel)?;
            groups.push((group, name, field));
        }
        for (definition, names) in client_schema.types.definitions().iter().zip(&mut types) {
            names.variants = variants(&mut scope, definition);
        }
        for names in &mut callbacks {
            let name = &names.callback.name;
            names.class = scope.joined(&format!("{name}_object"), Case::Pascal);
            objects.push((name, names.class.clone()));
            if names.functions.len() == 1 {
                names.like = Some(scope.joined(&format!("{name}_like"), Case::Pascal));
            }
        }
        let mut failures = BTreeMap::new();
        for error in client_schema.errors() {
            let called = exception(&client_schema.types.definitions()[error as usize].name);
            let called = called.strip_suffix("exception").unwrap_or(&called);
            failures.insert(
                error,
                scope.joined(&format!("{called}failure"), Case::Pascal),
            );
        }
        let names = Names {
            client_schema,
            int64: options.int64,
            timestamps: options.timestamps,
            packaged: options.packaged.clone(),
            kind,
            client,
            objects,
            callbacks,
            failures,
            groups,
            types,
        };
        for import in client_schema.imports() {
            let other = Names::new(&import.client_schema, options)?;
            import.check(|it| names.of(it), |it| other.of(it))?;
            import.check_exceptions(&names.failures, &other.failures)?;
        }
        Ok(names)
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &TypeNames {
        &self.types[number as usize]
    }

    /// What an object is called as a type: its class, or what a callback accepts.
    pub(super) fn object(&self, name: &str) -> &str {
        if let Some(names) = self.callback(name) {
            return names.like.as_ref().unwrap_or(&names.interface);
        }
        let found = self.objects.iter().find(|(known, _)| *known == name);
        &found.expect("the client schema gives all of them").1
    }

    /// The names of a callback, if objects of this type are implementations of one.
    pub(super) fn callback(&self, object: &str) -> Option<&CallbackNames<'c>> {
        self.callbacks.iter().find(|it| it.callback.name == object)
    }

    pub(super) fn shape(&self, number: u32) -> &'c Shape {
        &self.client_schema.types.definitions()[number as usize].shape
    }
}

/// The names of a callback's functions, which the methods of the plugin's objects have, too.
fn callback_functions(callback: &Callback) -> Result<Vec<String>, Error> {
    let what = format!("the functions of `{}`", callback.name);
    let mut scope = Scope::new(what, CALLBACK_MEMBERS).renamed_by(SERVICE);
    let functions = callback.functions.iter();
    functions
        .map(|function| scope.name(&function.function, Case::Camel))
        .collect()
}

/// The interfaces of an enum's variants, if one has data.
fn variants(scope: &mut Scope<'_>, definition: &Definition) -> Vec<String> {
    let Shape::Enum(shape) = &definition.shape else {
        return Vec::new();
    };
    if is_plain(shape) {
        return Vec::new();
    }
    let variants = shape.variants.iter().map(|variant| &*variant.name);
    variants
        .chain(shape.open.then_some(UNKNOWN))
        .map(|variant| scope.joined(&format!("{}_{variant}", definition.name), Case::Pascal))
        .collect()
}

/// Variants have their own names as constant texts.
fn check_variants(name: &str, shape: &Enum) -> Result<(), Error> {
    let mut known = BTreeSet::new();
    for variant in &shape.variants {
        let is_unknown = shape.open && *variant.name == *UNKNOWN;
        if is_unknown || !known.insert(&*variant.name) {
            return Err(Error::new(format_args!(
                "in `{name}`, the variant `{}` has the name of another one, or of the unknown variants of an open enum: rename it in the plugin by `#[serde(rename = \"..\")]`",
                variant.name
            )));
        }
    }
    Ok(())
}

/// What the properties of an object are called, without those that it has in any case.
pub(super) fn properties(of: &str, fields: &[Field], taken: &[&str]) -> Result<Vec<String>, Error> {
    let mut scope = Scope::new(format!("`{of}`"), taken);
    let name = |field: &Field| scope.name(&field.name, Case::Camel);
    fields.iter().map(name).collect()
}

/// Returns the names of the parameters of a method or of a class's function.
pub(super) fn parameters(method: &Method, fields: &[Field]) -> Result<Vec<String>, Error> {
    let reserved: Vec<&str> = LOCALS.iter().chain(also(method)).copied().collect();
    let mut scope = Scope::new(format!("the parameters of `{}`", method.name), &reserved);
    let name = |field: &Field| scope.name(&field.name, Case::Camel);
    fields.iter().map(name).collect()
}

/// Returns the names of the parameters of a function that the host implements.
pub(super) fn arguments(function: &str, fields: &[Field]) -> Result<Vec<String>, Error> {
    let reserved: Vec<&str> = LOCALS
        .iter()
        .copied()
        .chain(["call", "object", "objects"])
        .collect();
    let mut scope = Scope::new(format!("the parameters of `{function}`"), &reserved);
    let name = |field: &Field| scope.name(&field.name, Case::Camel);
    fields.iter().map(name).collect()
}

/// What a method's only parameter is called.
pub(super) fn parameter(name: &str) -> String {
    alone(name, Case::Camel, &[LOCALS])
}

/// Returns the name of the only parameter of a method or of a class's function.
pub(super) fn own_parameter(method: &Method) -> String {
    alone(&method.parameter, Case::Camel, &[LOCALS, also(method)])
}

/// What else no parameter may hide.
fn also(method: &Method) -> &'static [&'static str] {
    match &*method.class {
        "" => &[],
        _ => CLASS_LOCALS,
    }
}

/// A class's static functions.
pub(super) fn statics(what: String) -> Scope<'static> {
    Scope::new(what, STATICS)
}

/// The functions of an interface that the host implements. One called `new` would be its constructor.
pub(super) fn functions(what: String) -> Scope<'static> {
    Scope::new(what, &["constructor", "new", "then"])
}
