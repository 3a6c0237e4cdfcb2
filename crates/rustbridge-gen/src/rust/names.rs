//! What things are called in Rust.

use rustbridge_description::types::{Enum, Field, Shape};

use crate::client_schema::{Callback, ClientSchema, Service};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope};

/// Keywords that can be names, with `r#` in front.
const RAW: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Those that can't, and what is no name by itself.
const KEYWORDS: &[&str] = &["Self", "crate", "self", "super", "_"];

/// The types that the module has already.
const MODULE: &[&str] = &[
    "Arc",
    "Box",
    "CallOptions",
    "Callbacks",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Duration",
    "Eq",
    "Err",
    "Error",
    "Hash",
    "HashMap",
    "Into",
    "IntoIterator",
    "Iterator",
    "Load",
    "Methods",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "PathBuf",
    "Plugin",
    "Result",
    "Send",
    "Services",
    "Some",
    "String",
    "Sync",
    "SystemTime",
    "Vec",
];

/// What a client has already, and the traits that it implements have.
const CLIENT: &[&str] = &["clone", "fmt", "load", "of", "open", "with_options"];

/// What an object has already.
const OBJECT: &[&str] = &["clone", "eq", "fmt", "ne", "with_options"];

/// What the module calls the plugin and its types.
pub(super) struct Names<'c> {
    pub(super) client_schema: &'c ClientSchema,
    /// The struct of the plugin.
    pub(super) client: String,
    /// By the number of a type.
    types: Vec<String>,
    /// What the plugin calls the types of objects, and what their structs are called.
    pub(super) objects: Vec<(&'c str, String)>,
    /// The groups of services.
    pub(super) groups: Vec<Group<'c>>,
    /// The callbacks.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
}

/// A callback, and what its parts are called.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    /// The trait.
    pub(super) name: String,
    /// The struct that calls an object of the plugin. The struct of a value is among the objects.
    pub(super) proxy: String,
    /// The field of what has the objects of all callbacks.
    pub(super) field: String,
    /// Each function's name.
    pub(super) functions: Vec<(&'c Service, String)>,
}

/// The services that are a trait together.
pub(super) struct Group<'c> {
    /// The trait.
    pub(super) name: String,
    /// The field of what has all of them.
    pub(super) field: String,
    /// Whether the plugin does without all of them.
    pub(super) is_optional: bool,
    /// Each with its function's name.
    pub(super) services: Vec<(&'c Service, String)>,
}

impl<'c> Names<'c> {
    pub(super) fn new(client_schema: &'c ClientSchema) -> Result<Names<'c>, Error> {
        let reserved: Vec<&str> = KEYWORDS.iter().chain(MODULE).copied().collect();
        let mut scope = Scope::new("the plugin's types", &reserved);
        let client = scope.name(&client_schema.plugin, Case::Pascal)?;
        let mut types = Vec::new();
        for definition in client_schema.types.definitions() {
            types.push(scope.name(&definition.name, Case::Pascal)?);
        }
        let callbacks = callbacks(client_schema, &mut scope)?;
        let mut objects = Vec::new();
        for name in client_schema.objects() {
            let class = match client_schema.callback(name) {
                Some(_) => scope.joined(&format!("{name}_object"), Case::Pascal),
                None => scope.name(name, Case::Pascal)?,
            };
            objects.push((name, class));
        }
        let groups = groups(client_schema, &mut scope)?;
        let names = Names {
            client_schema,
            client,
            types,
            objects,
            groups,
            callbacks,
        };
        for import in client_schema.imports() {
            let other = Names::new(&import.client_schema)?;
            import.check(|it| names.of(it), |it| other.of(it))?;
        }
        Ok(names)
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &str {
        &self.types[number as usize]
    }

    /// What the struct of an object is called.
    pub(super) fn object(&self, name: &str) -> &str {
        let found = self.objects.iter().find(|(known, _)| *known == name);
        found.map_or("()", |(_, class)| class)
    }

    /// What the type of that number consists of.
    pub(super) fn shape(&self, number: u32) -> &Shape {
        &self.client_schema.types.definitions()[number as usize].shape
    }
}

fn callbacks<'c>(
    client_schema: &'c ClientSchema,
    scope: &mut Scope<'_>,
) -> Result<Vec<CallbackNames<'c>>, Error> {
    let mut fields = Scope::new("the callbacks", KEYWORDS);
    let mut callbacks = Vec::new();
    for callback in &client_schema.callbacks {
        let what = format!("the functions of `{}`", callback.name);
        let mut inside = Scope::new(what, KEYWORDS).renamed_by(SERVICE);
        let mut functions = Vec::new();
        for function in &callback.functions {
            functions.push((function, raw(inside.name(&function.function, Case::Snake)?)));
        }
        callbacks.push(CallbackNames {
            callback,
            name: scope.name(&callback.name, Case::Pascal)?,
            proxy: scope.joined(&format!("{}_proxy", callback.name), Case::Pascal),
            field: raw(fields.name(&callback.name, Case::Snake)?),
            functions,
        });
    }
    Ok(callbacks)
}

fn groups<'c>(
    client_schema: &'c ClientSchema,
    scope: &mut Scope<'_>,
) -> Result<Vec<Group<'c>>, Error> {
    let mut fields = Scope::new("the groups of services", KEYWORDS).renamed_by(SERVICE);
    let mut groups = Vec::new();
    for group in client_schema.groups() {
        let mut functions =
            Scope::new(format!("the services `{}`", group.name), KEYWORDS).renamed_by(SERVICE);
        let mut services = Vec::new();
        for service in group.services {
            let function = functions.name(&service.function, Case::Snake)?;
            services.push((service, raw(function)));
        }
        groups.push(Group {
            name: scope.name(&group.name, Case::Pascal)?,
            field: raw(fields.name(&group.name, Case::Snake)?),
            is_optional: group.optional,
            services,
        });
    }
    Ok(groups)
}

/// What the methods of a client, or of an object, can't be called.
pub(super) fn members(is_object: bool) -> Vec<&'static str> {
    let members = if is_object { OBJECT } else { CLIENT };
    KEYWORDS.iter().chain(members).copied().collect()
}

/// The names of fields, or of parameters.
pub(super) fn fields(what: &str, fields: &[Field]) -> Result<Vec<String>, Error> {
    let mut scope = Scope::new(what, KEYWORDS);
    let name = |field: &Field| Ok(raw(scope.name(&field.name, Case::Snake)?));
    fields.iter().map(name).collect()
}

/// The names of an enum's variants.
pub(super) fn variants(what: &str, shape: &Enum) -> Result<Vec<String>, Error> {
    let mut reserved = KEYWORDS.to_vec();
    if shape.open {
        reserved.push(UNKNOWN);
    }
    let mut scope = Scope::new(what, &reserved);
    let mut names = Vec::new();
    for variant in &shape.variants {
        names.push(scope.name(&variant.name, Case::Pascal)?);
    }
    Ok(names)
}

/// The variant of an open enum that stands for those that the client doesn't know.
pub(super) const UNKNOWN: &str = "Unknown";

/// The name as it's written where a name is wanted.
pub(super) fn raw(name: String) -> String {
    if RAW.contains(&&*name) {
        format!("r#{name}")
    } else {
        name
    }
}

/// Whether no variant has data.
pub(super) fn is_plain(shape: &Enum) -> bool {
    let has_data = |variant: &rustbridge_description::types::Variant| {
        variant.tuple.is_some() || variant.fields.is_some()
    };
    !shape.variants.iter().any(has_data)
}
