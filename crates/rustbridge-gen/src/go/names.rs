//! What things are called in Go.

use std::collections::BTreeMap;

use rustbridge_description::types::{Definition, Enum, Field, Shape, TypeRef, Variant};

use crate::client_schema::{Callback, ClientSchema, Group, Import, Method};
use crate::error::Error;
use crate::names::{Case, Scope, UNKNOWN, exception};
pub(super) use crate::uses::is_plain;

/// Keywords, and names that a package can't have or that mean something to the tools.
const PACKAGES: &[&str] = &["internal", "main", "testdata", "vendor", "_"];

/// Keywords, what Go declares itself, and what generated code calls by its name: no parameter and no field of the client's may hide these.
pub(super) const LOCALS: &[&str] = &[
    "any",
    "bool",
    "break",
    "byte",
    "c",
    "case",
    "chan",
    "clientSchema",
    "const",
    "context",
    "continue",
    "ctx",
    "default",
    "defer",
    "else",
    "err",
    "error",
    "fallthrough",
    "false",
    "float32",
    "float64",
    "for",
    "func",
    "go",
    "goto",
    "hostObjects",
    "if",
    "import",
    "int16",
    "int32",
    "int64",
    "int8",
    "interface",
    "isOwned",
    "items",
    "iter",
    "map",
    "nil",
    "package",
    "plugin",
    "range",
    "return",
    "rune",
    "rustbridge",
    "select",
    "string",
    "struct",
    "switch",
    "time",
    "true",
    "type",
    "typed",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "v",
    "var",
    "wire",
];

/// What the package has besides types.
const PACKAGE: &[&str] = &["Load", "LoadContext", "LoadImage", "Of", "Services"];

/// What a client has besides its methods.
pub(super) const CLIENT: &[&str] = &["Close", "Plugin"];

/// What an object has besides its methods.
pub(super) const OBJECT: &[&str] = &["Close", "Untyped"];

/// What the package calls the plugin and its types.
pub(super) struct Names<'c> {
    pub(super) client_schema: &'c ClientSchema,
    /// The package, which is the last part of its folder.
    pub(super) package: String,
    pub(super) folder: String,
    /// The struct of the plugin.
    pub(super) client: String,
    /// The objects, by what the plugin calls their types. Those of callbacks have names of their own.
    pub(super) objects: Vec<(&'c str, String)>,
    /// The callbacks that methods or other types have.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
    /// What carries errors, by the number of the error's type.
    pub(super) failures: BTreeMap<u32, String>,
    /// The package's functions that construct objects or belong to their types, by the plugin's names.
    pub(super) functions: BTreeMap<&'c str, String>,
    /// What the host implements, and what its interface is called.
    pub(super) groups: Vec<(Group<'c>, String)>,
    /// By the number of a type.
    types: Vec<TypeNames>,
}

/// The names of a callback.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    /// The interface that the host implements.
    pub(super) interface: String,
    /// The struct of the plugin's objects.
    pub(super) class: String,
    /// The type of functions that implement it, if it has only one.
    pub(super) function: Option<String>,
    /// The client's field of what is prepared.
    pub(super) kept: String,
}

/// What a type is called.
#[derive(PartialEq)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// Of an enum: its constants, or its variants' structs; of an open one, last what stands for those that aren't known.
    pub(super) variants: Vec<String>,
}

impl<'c> Names<'c> {
    pub(super) fn new(
        client_schema: &'c ClientSchema,
        namespace: Option<&str>,
    ) -> Result<Names<'c>, Error> {
        let folder = match namespace {
            Some(namespace) => namespace.to_owned(),
            None => default_package(&client_schema.plugin),
        };
        let parts: Vec<&str> = folder.split('/').collect();
        let package = parts.last().copied().unwrap_or_default();
        if !parts.iter().all(|part| is_folder(part)) || !is_package(package) {
            return Err(Error::new(format_args!(
                "`{folder}` can't be the name of a package in Go, or of its folder"
            )));
        }
        let mut scope = ExportedScope::new("the plugin's types", PACKAGE);
        let client = scope.name(&client_schema.plugin)?;
        let mut objects = Vec::new();
        for object in client_schema.objects() {
            objects.push((object, scope.name(object)?));
        }
        let mut types = Vec::new();
        for (number, definition) in (0..).zip(client_schema.types.definitions()) {
            let name = scope.name(&definition.name)?;
            types.push(TypeNames {
                name: match client_schema.is_taken_apart(number) {
                    true => parameters(&name),
                    false => name,
                },
                variants: Vec::new(),
            });
        }
        let mut groups = Vec::new();
        for group in client_schema.groups() {
            let name = scope.name(&group.name)?;
            groups.push((group, name));
        }
        for (definition, names) in client_schema.types.definitions().iter().zip(&mut types) {
            if let Shape::Enum(shape) = &definition.shape {
                names.variants = variants(&mut scope, definition, shape);
            }
        }
        let mut failures = BTreeMap::new();
        for error in client_schema.errors() {
            let called = exception(&client_schema.types.definitions()[error as usize].name);
            let called = called.strip_suffix("exception").unwrap_or(&called);
            failures.insert(error, scope.joined(&format!("{called}failure")));
        }
        let mut callbacks = Vec::new();
        for (object, name) in &mut objects {
            let Some(callback) = client_schema.callback(object) else {
                continue;
            };
            let is_single = callback.functions.len() == 1;
            let class = scope.joined(&format!("{object}_object"));
            callbacks.push(CallbackNames {
                callback,
                interface: std::mem::replace(name, class.clone()),
                class,
                function: is_single.then(|| scope.joined(&format!("{object}_func"))),
                kept: format!("of{}", Case::Pascal.of(&letters(object))),
            });
        }
        let mut functions = BTreeMap::new();
        for method in &client_schema.methods {
            if !method.class.is_empty() {
                let name = scope.joined(&function(method));
                functions.insert(&*method.name, name);
            }
        }
        let names = Names {
            client_schema,
            package: package.to_owned(),
            folder: folder.clone(),
            client,
            objects,
            callbacks,
            failures,
            functions,
            groups,
            types,
        };
        for import in client_schema.imports() {
            let other = Names::new(&import.client_schema, None)?;
            import.check(|it| names.of(it), |it| other.of(it))?;
        }
        Ok(names)
    }

    /// Whether arguments or results of callbacks' functions cross by methods.
    pub(super) fn has_crossings(&self) -> bool {
        self.client_schema.crossings().next().is_some()
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &TypeNames {
        &self.types[number as usize]
    }

    /// What an object's type is called.
    pub(super) fn object(&self, name: &str) -> &str {
        let found = self.objects.iter().find(|(known, _)| *known == name);
        &found.expect("the client schema gives all of them").1
    }

    /// The names of a callback, if objects of this type are implementations of one.
    pub(super) fn callback(&self, object: &str) -> Option<&CallbackNames<'c>> {
        self.callbacks.iter().find(|it| it.callback.name == object)
    }

    /// The name that the package of another client has in this one.
    pub(super) fn qualifier(&self, import: &Import) -> String {
        let package = |import: &Import| {
            let package = import.namespace.rsplit('/').next().unwrap_or_default();
            format!("{package}client")
        };
        let imports = self.client_schema.imports().iter();
        let same = imports
            .take_while(|it| it.namespace != import.namespace)
            .filter(|it| package(it) == package(import));
        match same.count() {
            0 => package(import),
            before => format!("{}{}", package(import), before + 1),
        }
    }

    pub(super) fn shape(&self, number: u32) -> &'c Shape {
        &self.client_schema.types.definitions()[number as usize].shape
    }
}

/// The words of a function that belongs to an object's type: `SpriteSize`; of a constructor `NewSprite`, `NewSpriteFromFile` of `from_file`,
/// and `LoadSprite` of `load`.
fn function(method: &Method) -> String {
    let (class, own) = (&method.class, method.own_name());
    let (verb, rest) = own.split_once('_').unwrap_or((own, ""));
    match (method.constructor, verb) {
        (false, _) => format!("{class}_{own}"),
        (true, "from" | "with") => format!("new_{class}_{own}"),
        (true, _) => format!("{verb}_{class}_{rest}"),
    }
}

/// An enum's variants. They are beside the type, so they have its name in front.
fn variants(scope: &mut ExportedScope, definition: &Definition, shape: &Enum) -> Vec<String> {
    let variants = shape.variants.iter().map(|variant| &*variant.name);
    variants
        .chain(shape.open.then_some(UNKNOWN))
        .map(|variant| scope.joined(&format!("{}_{variant}", definition.name)))
        .collect()
}

/// The names of one scope that others see: such a name begins with a capital letter.
pub(super) struct ExportedScope {
    scope: Scope<'static>,
    reserved: Vec<String>,
}

impl ExportedScope {
    pub(super) fn new(what: impl Into<String>, reserved: &[&str]) -> ExportedScope {
        ExportedScope {
            scope: Scope::new(what, &[]),
            reserved: reserved.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// The name in this scope alone. One that the scope has already gets an underscore behind it.
    pub(super) fn name(&mut self, name: &str) -> Result<String, Error> {
        let written = self.scope.name(&letters(name), Case::Pascal)?;
        Ok(self.exported(written))
    }

    /// A name that is made of one of the plugin's, with a number behind it if the scope has it already.
    pub(super) fn joined(&mut self, name: &str) -> String {
        let written = self.scope.joined(&letters(name), Case::Pascal);
        self.exported(written)
    }

    /// The scope, whose names an attribute changes in the plugin.
    pub(super) fn renamed_by(self, attribute: &'static str) -> ExportedScope {
        ExportedScope {
            scope: self.scope.renamed_by(attribute),
            ..self
        }
    }

    fn exported(&self, written: String) -> String {
        let is_exported = written.starts_with(|it: char| it.is_uppercase());
        let name = match is_exported {
            true => written,
            false => format!("X{written}"),
        };
        match self.reserved.contains(&name) {
            true => format!("{name}_"),
            false => name,
        }
    }
}

/// A name that stays in the package, or in a function.
pub(super) fn unexported(name: &str) -> String {
    let written = Case::Camel.of(&letters(name));
    let is_taken = LOCALS.contains(&&*written);
    match is_taken || !written.starts_with(|it: char| it.is_lowercase() || it == '_') {
        true => format!("{written}_"),
        false => written,
    }
}

/// What a struct of parameters is called: as none of the functions that write and read.
fn parameters(name: &str) -> String {
    let name = unexported(name);
    match name.starts_with("write") || name.starts_with("read") {
        true => format!("{name}_"),
        false => name,
    }
}

/// What of a name can be in one of Go's: letters and digits. Marks and letters that are numbers can't be.
pub(super) fn letters(name: &str) -> String {
    let is_letter = |letter: char| {
        letter.is_ascii()
            || unicode_ident::is_xid_start(letter) && !letter.is_numeric() && !is_odd(letter)
            || letter.is_numeric()
                && unicode_ident::is_xid_continue(letter)
                && !unicode_ident::is_xid_start(letter)
    };
    name.replace(|letter| !is_letter(letter), "_")
}

/// What may begin a name in Rust and is no letter.
fn is_odd(letter: char) -> bool {
    matches!(
        letter,
        '\u{1885}' | '\u{1886}' | '\u{2118}' | '\u{212e}' | '\u{309b}' | '\u{309c}'
    )
}

/// What a package is called that isn't told otherwise: in small letters without underscores.
fn default_package(plugin: &str) -> String {
    let name = Case::Snake.of(&letters(plugin)).replace('_', "");
    match is_package(&name) {
        true => name,
        false => format!("{}client", name.trim_start_matches(char::is_numeric)),
    }
}

pub(super) fn is_package(name: &str) -> bool {
    is_folder(name)
        && name == letters(name)
        && name.starts_with(char::is_alphabetic)
        && name.chars().all(|it| it.is_alphanumeric() || it == '_')
        && !name.ends_with("_test")
        && !PACKAGES.contains(&name)
        && (!LOCALS.contains(&name)
            || ["c", "clientSchema", "ctx", "items", "plugin", "v"].contains(&name))
}

fn is_folder(part: &str) -> bool {
    !part.is_empty()
        && !part.starts_with(['.', '_'])
        && part
            .chars()
            .all(|it| it.is_alphanumeric() || "._-".contains(it))
}

/// The fields of a variant; those without names are called by their place.
pub(super) fn fields_of(variant: &Variant) -> Vec<Field> {
    match (&variant.tuple, &variant.fields) {
        (Some(types), _) => unnamed(types),
        (None, Some(fields)) => fields.clone(),
        (None, None) => Vec::new(),
    }
}

/// Fields for values without names.
pub(super) fn unnamed(types: &[TypeRef]) -> Vec<Field> {
    let name = |place: usize| match types.len() {
        1 => "value".into(),
        _ => format!("item{}", place + 1).into(),
    };
    let fields = types.iter().enumerate().map(|(place, ty)| Field {
        name: name(place),
        ty: ty.clone(),
        doc: "".into(),
        default: false,
        default_value: None,
        flatten: false,
    });
    fields.collect()
}

/// What the fields of a struct are called.
pub(super) fn fields(of: &str, fields: &[Field]) -> Result<Vec<String>, Error> {
    let mut scope = ExportedScope::new(format!("`{of}`"), &[]);
    fields.iter().map(|field| scope.name(&field.name)).collect()
}

/// Whether a type is an interface of Go's.
pub(super) fn is_interface(shape: &Enum) -> bool {
    !is_plain(shape)
}

/// The client's field for a method by which arguments or a result cross.
pub(super) fn crossing_field(method: &str) -> String {
    format!("of{}", Case::Pascal.of(&letters(method)))
}
