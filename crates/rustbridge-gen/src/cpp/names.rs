//! What things are called in C++.

use std::collections::BTreeMap;

use rustbridge_description::types::{Enum, Field, Shape, TypeRef, Variant};

use super::order::Order;
use crate::client_schema::{Callback, ClientSchema, Service};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope, exception};

/// Keywords, macros that every program has or that Windows' headers bring, and what generated code calls by these names.
pub(super) const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "contract_assert",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "far",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "interface",
    "linux",
    "long",
    "max",
    "min",
    "mutable",
    "namespace",
    "near",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "rustbridge",
    "short",
    "signed",
    "sizeof",
    "small",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// What generated classes are derived from, and what keeps the methods: a class of the same name couldn't name it.
const TYPES: &[&str] = &["Methods", "OneOf", "TypedClient", "TypedObject"];

/// What parameters of a method stand beside.
pub(super) const LOCALS: &[&str] = &["beside", "client", "done", "items", "methods", "options"];

/// What a client has besides.
pub(super) const CLIENT: &[&str] = &["beside", "load", "methods", "of", "plugin"];

/// What an object has besides.
pub(super) const OBJECT: &[&str] = &["beside", "methods", "release", "untyped"];

/// What the client calls the plugin and its types.
pub(super) struct Names<'c> {
    pub(super) client_schema: &'c ClientSchema,
    pub(super) namespace: String,
    /// The class of the plugin.
    pub(super) client: String,
    /// The objects, by what the plugin calls their types.
    pub(super) objects: Vec<(&'c str, String)>,
    /// The exceptions that carry errors, by the number of the error's type.
    pub(super) exceptions: BTreeMap<u32, String>,
    /// What the host is asked for; none if the plugin asks nothing.
    pub(super) groups: Vec<Group<'c>>,
    /// What all groups are given as.
    pub(super) services: String,
    /// The callbacks.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
    /// Where types stand, and which are boxed.
    pub(super) order: Order,
    /// By the number of a type.
    types: Vec<TypeNames>,
}

/// Services that one object of the host's implements.
pub(super) struct Group<'c> {
    pub(super) class: String,
    /// The field by which it's given.
    pub(super) field: String,
    /// Whether the plugin does without it, too.
    pub(super) is_optional: bool,
    pub(super) services: Vec<&'c Service>,
}

/// A callback, and what its parts are called.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    /// The interface.
    pub(super) class: String,
    /// The class that implements it by an object of the plugin.
    pub(super) remote: String,
    /// The field of the host's objects.
    pub(super) field: String,
    /// The field of what is prepared.
    pub(super) kept: String,
    /// Each function's name.
    pub(super) functions: Vec<(&'c Service, String)>,
}

/// What a type is called.
#[derive(Default, PartialEq)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// Of an enum: its variants. Without data these are enumerators, with data each has the name of a struct and the one inside the enum.
    pub(super) variants: Vec<(String, String)>,
    /// Of an open enum with data: the struct that stands for a variant that isn't known.
    pub(super) unknown: Option<String>,
}

impl<'c> Names<'c> {
    pub(super) fn new(
        client_schema: &'c ClientSchema,
        namespace: String,
    ) -> Result<Names<'c>, Error> {
        let reserved = [KEYWORDS, TYPES].concat();
        let mut scope = Scope::new("the plugin's types", &reserved);
        let client = scope.name(&client_schema.plugin, Case::Pascal)?;
        let mut objects = Vec::new();
        for object in client_schema.objects() {
            if client_schema.callback(object).is_none() {
                objects.push((object, scope.name(object, Case::Pascal)?));
            }
        }
        let callbacks = callbacks(client_schema, &mut scope)?;
        let mut types = Vec::new();
        for definition in client_schema.types.definitions() {
            types.push(TypeNames {
                name: scope.name(&definition.name, Case::Pascal)?,
                ..TypeNames::default()
            });
        }
        let groups = groups(client_schema, &mut scope)?;
        for (definition, names) in client_schema.types.definitions().iter().zip(&mut types) {
            if let Shape::Enum(shape) = &definition.shape {
                let plain = is_plain(shape);
                let case = if plain { Case::Snake } else { Case::Pascal };
                let mut reserved = KEYWORDS.to_vec();
                // `unknown` stands for those that aren't known, and the others are what every `OneOf` has.
                reserved.extend(["unknown", "Unknown", "Base", "OneOf", &names.name]);
                let mut variants = Scope::new(format!("`{}`", definition.name), &reserved);
                for variant in &shape.variants {
                    let inside = variants.name(&variant.name, case)?;
                    let outside = match plain {
                        true => String::new(),
                        false => scope.joined(
                            &format!("{}_{}", definition.name, variant.name),
                            Case::Pascal,
                        ),
                    };
                    names.variants.push((outside, inside));
                }
                if shape.open && !plain {
                    let unknown = format!("{}_unknown", definition.name);
                    names.unknown = Some(scope.joined(&unknown, Case::Pascal));
                }
            }
        }
        let mut exceptions = BTreeMap::new();
        for error in client_schema.errors() {
            let called = exception(&client_schema.types.definitions()[error as usize].name);
            exceptions.insert(error, scope.joined(&called, Case::Pascal));
        }
        let services = scope.joined(&format!("{}_host", client_schema.plugin), Case::Pascal);
        let names = Names {
            order: Order::new(client_schema),
            client_schema,
            namespace,
            client,
            objects,
            exceptions,
            groups,
            services,
            callbacks,
            types,
        };
        for import in client_schema.imports() {
            let other = Names::new(&import.client_schema, import.namespace.clone())?;
            import.check(|it| names.of(it), |it| other.of(it))?;
            import.check_exceptions(&names.exceptions, &other.exceptions)?;
            for (number, their) in &import.types {
                if names.order.keys.contains(number) && !other.order.keys.contains(their) {
                    return Err(Error::new(format_args!(
                        "the type `{}` is a key of maps here, but not in the client `{}`, where it has no order",
                        names.of(*number).name,
                        import.namespace
                    )));
                }
            }
        }
        Ok(names)
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &TypeNames {
        &self.types[number as usize]
    }

    /// What an object's type is called.
    pub(super) fn object(&self, name: &str) -> String {
        if let Some(one) = self.callbacks.iter().find(|it| it.callback.name == name) {
            return format!("std::shared_ptr<{}>", one.class);
        }
        let found = self.objects.iter().find(|(known, _)| *known == name);
        let (_, class) = found.expect("the client schema gives all of them");
        class.clone()
    }

    /// What the fields of a type are called.
    pub(super) fn fields(&self, of: &str, fields: &[Field]) -> Result<Vec<String>, Error> {
        let mut scope = Scope::new(format!("`{of}`"), KEYWORDS);
        fields
            .iter()
            .map(|field| scope.name(&field.name, Case::Snake))
            .collect()
    }
}

fn callbacks<'c>(
    client_schema: &'c ClientSchema,
    scope: &mut Scope<'_>,
) -> Result<Vec<CallbackNames<'c>>, Error> {
    let reserved = [KEYWORDS, &["add_to", "all", "config", "connection"]].concat();
    let mut fields = Scope::new("the callbacks", &reserved);
    let mut callbacks = Vec::new();
    for callback in &client_schema.callbacks {
        let class = scope.name(&callback.name, Case::Pascal)?;
        let reserved: Vec<&str> = KEYWORDS
            .iter()
            .chain(OBJECT)
            .copied()
            .chain([&*class, "of", "Function"])
            .collect();
        let what = format!("the functions of `{}`", callback.name);
        let mut inside = Scope::new(what, &reserved).renamed_by(SERVICE);
        let mut functions = Vec::new();
        for function in &callback.functions {
            functions.push((function, inside.name(&function.function, Case::Snake)?));
        }
        let field = fields.name(&callback.name, Case::Snake)?;
        callbacks.push(CallbackNames {
            callback,
            remote: scope.joined(&format!("{}_object", callback.name), Case::Pascal),
            kept: format!("callback_{field}"),
            class,
            field,
            functions,
        });
    }
    Ok(callbacks)
}

/// The classes of services.
fn groups<'c>(
    client_schema: &'c ClientSchema,
    scope: &mut Scope<'_>,
) -> Result<Vec<Group<'c>>, Error> {
    let mut fields = Scope::new("the groups of services", &["add_to", "config", "group"]);
    let mut groups = Vec::new();
    for group in client_schema.groups() {
        let mut field = fields.name(&group.name, Case::Snake)?;
        if KEYWORDS.contains(&&*field) {
            field.push('_');
        }
        groups.push(Group {
            class: scope.name(&group.name, Case::Pascal)?,
            field,
            is_optional: group.optional,
            services: group.services,
        });
    }
    Ok(groups)
}

/// Whether no variant has data.
pub(super) fn is_plain(shape: &Enum) -> bool {
    shape
        .variants
        .iter()
        .all(|variant| variant.tuple.is_none() && variant.fields.is_none())
}

/// Fields with the step that leads to each in paths.
pub(super) fn named(fields: &[Field]) -> Vec<(Field, String)> {
    let step = |field: &Field| (field.clone(), field.name.to_string());
    fields.iter().map(step).collect()
}

pub(super) fn fields_of(variant: &Variant) -> Vec<(Field, String)> {
    match (&variant.tuple, &variant.fields) {
        (Some(types), _) => unnamed(types),
        (None, Some(fields)) => named(fields),
        (None, None) => Vec::new(),
    }
}

/// Values without names as fields, with what leads to each in paths.
pub(super) fn unnamed(types: &[TypeRef]) -> Vec<(Field, String)> {
    let named = |(place, ty): (usize, &TypeRef)| {
        let (name, step) = match types.len() {
            1 => ("value".to_owned(), String::new()),
            _ => (format!("item{}", place + 1), format!("[{place}]")),
        };
        let field = Field {
            name: name.into(),
            ty: ty.clone(),
            doc: "".into(),
            default: false,
            default_value: None,
            flatten: false,
        };
        (field, step)
    };
    types.iter().enumerate().map(named).collect()
}
