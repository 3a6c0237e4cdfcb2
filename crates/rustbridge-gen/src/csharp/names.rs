//! What things are called in C#.

use std::collections::{BTreeMap, BTreeSet};

use rustbridge_description::types::{Enum, Field, Shape, TypeRef};

use crate::client_schema::{Callback, ClientSchema, Group};
use crate::error::Error;
use crate::names::{Case, Scope, UNKNOWN, exception};

/// Keywords. Only names in lower case can be one, so that namespaces alone meet them.
pub(super) const KEYWORDS: &[&str] = &[
    "abstract",
    "as",
    "base",
    "bool",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "continue",
    "decimal",
    "default",
    "delegate",
    "do",
    "double",
    "else",
    "enum",
    "event",
    "explicit",
    "extern",
    "false",
    "finally",
    "fixed",
    "float",
    "for",
    "foreach",
    "goto",
    "if",
    "implicit",
    "in",
    "int",
    "interface",
    "internal",
    "is",
    "lock",
    "long",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "return",
    "sbyte",
    "sealed",
    "short",
    "sizeof",
    "stackalloc",
    "static",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// What generated code calls by these names: no type may hide it.
const TYPES: &[&str] = &[
    "Action",
    "ArgumentException",
    "ArgumentNullException",
    "BoolCodec",
    "BytesCodec",
    "CallOptions",
    "CancellationToken",
    "CharCodec",
    "DateTimeOffset",
    "DecimalCodec",
    "DurationCodec",
    "DynamicCodec",
    "DynamicValue",
    "Func",
    "Guid",
    "IAsyncDisposable",
    "IAsyncEnumerable",
    "IDisposable",
    "IEnumerable",
    "IServiceProvider",
    "ITypedClient",
    "InlineArray",
    "Int128",
    "LayoutKind",
    "Least",
    "MemoryCodec",
    "Method",
    "OperationCanceledException",
    "Plugin",
    "PluginConfig",
    "PluginException",
    "PluginObject",
    "Read",
    "ReadOnlyMemory",
    "Rune",
    "StructLayout",
    "System",
    "TextCodec",
    "TimeSpan",
    "TimestampCodec",
    "TypedServices",
    "UInt128",
    "UnitCodec",
    "UuidCodec",
    "ValueTask",
    "ValueTuple",
    "WireReader",
    "WireWriter",
    "Write",
];

/// What every record has already.
pub(super) const MEMBERS: &[&str] = &[
    "Clone",
    "Deconstruct",
    "EqualityContract",
    "Equals",
    "Finalize",
    "GetHashCode",
    "GetType",
    "MemberwiseClone",
    "PrintMembers",
    "ReferenceEquals",
    "ToString",
];

/// What a client has besides.
pub(super) const CLIENT: &[&str] = &[
    "Dispose",
    "DisposeAsync",
    "Load",
    "PackagedLibrary",
    "Plugin",
    "Serving",
];

/// What an object has besides.
pub(super) const OBJECT: &[&str] = &["Dispose", "DisposeAsync", "Untyped"];

/// What the client calls the plugin and its types.
pub(super) struct Names<'c> {
    pub(super) client_schema: &'c ClientSchema,
    pub(super) namespace: String,
    /// The class of the plugin.
    pub(super) client: String,
    /// The library that the client is packaged with.
    pub(super) packaged: Option<&'c str>,
    /// The interface of the class.
    pub(super) interface: String,
    /// The class of what the client carries.
    pub(super) carried: String,
    /// The class of the methods that accept functions in place of implementations.
    pub(super) functional: String,
    /// The lengths of arrays.
    pub(super) lengths: BTreeMap<u64, String>,
    /// The objects, by what the plugin calls their types.
    pub(super) objects: Vec<(&'c str, ObjectNames)>,
    /// The callbacks that methods or other types have.
    pub(super) callbacks: Vec<CallbackNames<'c>>,
    /// The exceptions that carry errors, by the number of the error's type.
    pub(super) exceptions: BTreeMap<u32, String>,
    /// What the host implements, and what its interface is called.
    pub(super) groups: Vec<(Group<'c>, String)>,
    /// By the number of a type.
    types: Vec<TypeNames>,
}

/// What an object's type is called.
pub(super) struct ObjectNames {
    pub(super) class: String,
    /// What writes and reads it.
    pub(super) codec: String,
}

/// The names of a callback.
pub(super) struct CallbackNames<'c> {
    pub(super) callback: &'c Callback,
    /// The interface that the host implements.
    pub(super) interface: String,
    /// The class of the plugin's objects.
    pub(super) class: String,
    /// The classes of a function that implements it, and of one that answers later.
    pub(super) adapters: [String; 2],
    /// The client's field of what is prepared, and what the objects of the host are called where they are registered.
    pub(super) kept: String,
    pub(super) hosts: String,
}

/// What a type is called.
#[derive(Default, PartialEq)]
pub(super) struct TypeNames {
    pub(super) name: String,
    /// What writes and reads it.
    pub(super) codec: String,
    /// Of an enum: its variants; of an open one, last what stands for those that aren't known.
    pub(super) variants: Vec<String>,
    /// Of a pod: the types of its arrays, from the outermost to the innermost, for each field.
    pub(super) arrays: Vec<Vec<String>>,
}

impl<'c> Names<'c> {
    pub(super) fn new(
        client_schema: &'c ClientSchema,
        namespace: String,
    ) -> Result<Names<'c>, Error> {
        // A class has no member of its own name.
        let reserved: Vec<&str> = [TYPES, MEMBERS, CLIENT, OBJECT].concat();
        let mut scope = Scope::new("the plugin's types", &reserved);
        let client = scope.name(&client_schema.plugin, Case::Pascal)?;
        let mut lengths = BTreeSet::new();
        for method in &client_schema.methods {
            note_lengths(&method.request, &mut lengths);
            note_lengths(&method.response, &mut lengths);
            if let Some(items) = &method.items {
                note_lengths(items, &mut lengths);
            }
        }
        let groups = client_schema.groups();
        for service in groups.iter().flat_map(|group| &group.services) {
            note_lengths(&service.request, &mut lengths);
            note_lengths(&service.response, &mut lengths);
        }
        let callbacks = client_schema.callbacks.iter();
        for service in callbacks.flat_map(|it| &it.functions) {
            note_lengths(&service.response, &mut lengths);
        }
        let mut objects = Vec::new();
        for object in client_schema.objects() {
            let class = scope.name(object, Case::Pascal)?;
            objects.push((
                object,
                ObjectNames {
                    class,
                    codec: String::new(),
                },
            ));
        }
        let mut types = Vec::new();
        for definition in client_schema.types.definitions() {
            types.push(TypeNames {
                name: scope.name(&definition.name, Case::Pascal)?,
                ..TypeNames::default()
            });
        }
        let carried = scope.joined(
            &format!("{}_client_schema", client_schema.plugin),
            Case::Pascal,
        );
        for (object, names) in &mut objects {
            names.codec = scope.joined(&format!("{object}_codec"), Case::Pascal);
        }
        for (definition, names) in client_schema.types.definitions().iter().zip(&mut types) {
            names.codec = scope.joined(&format!("{}_codec", definition.name), Case::Pascal);
            match &definition.shape {
                Shape::Record(fields) => fields
                    .iter()
                    .for_each(|field| note_lengths(&field.ty, &mut lengths)),
                Shape::Pod(fields) => {
                    for field in fields {
                        let mut arrays = Vec::new();
                        let mut ty = &field.ty;
                        let mut called = format!("{}_{}", definition.name, field.name);
                        while let TypeRef::Array(item, _) = ty {
                            arrays.push(scope.joined(&called, Case::Pascal));
                            called.push_str("_item");
                            ty = item;
                        }
                        names.arrays.push(arrays);
                    }
                }
                Shape::Newtype(inside) => note_lengths(inside, &mut lengths),
                Shape::Tuple(inside) => inside.iter().for_each(|ty| note_lengths(ty, &mut lengths)),
                Shape::Enum(shape) => {
                    let mut reserved = MEMBERS.to_vec();
                    reserved.push(&names.name);
                    let mut variants = Scope::new(format!("`{}`", definition.name), &reserved);
                    let mut named = Vec::new();
                    for variant in &shape.variants {
                        named.push(variants.name(&variant.name, Case::Pascal)?);
                        for ty in variant.tuple.iter().flatten() {
                            note_lengths(ty, &mut lengths);
                        }
                        for field in variant.fields.iter().flatten() {
                            note_lengths(&field.ty, &mut lengths);
                        }
                    }
                    if shape.open {
                        named.push(variants.joined(UNKNOWN, Case::Pascal));
                    }
                    names.variants = named;
                }
            }
        }
        let mut named_lengths = BTreeMap::new();
        for length in lengths {
            if i32::try_from(length).is_err() {
                return Err(Error::new(format_args!(
                    "an array of {length} items is too long for C#"
                )));
            }
            let name = scope.joined(&format!("Length{length}"), Case::Pascal);
            named_lengths.insert(length, name);
        }
        let mut exceptions = BTreeMap::new();
        for error in client_schema.errors() {
            let called = exception(&client_schema.types.definitions()[error as usize].name);
            exceptions.insert(error, scope.joined(&called, Case::Pascal));
        }
        let mut interfaces = Vec::new();
        for group in groups {
            let interface = scope.joined(&format!("I_{}", group.name), Case::Pascal);
            interfaces.push((group, interface));
        }
        let interface = scope.joined(&format!("I_{}", client_schema.plugin), Case::Pascal);
        let mut callbacks = Vec::new();
        for (object, ObjectNames { class, .. }) in &objects {
            let Some(callback) = client_schema.callback(object) else {
                continue;
            };
            callbacks.push(CallbackNames {
                callback,
                interface: scope.joined(&format!("I_{object}"), Case::Pascal),
                class: class.clone(),
                adapters: [
                    scope.joined(&format!("{object}_function"), Case::Pascal),
                    scope.joined(&format!("{object}_async_function"), Case::Pascal),
                ],
                kept: format!("c_{}", Case::Camel.of(class)),
                hosts: format!("hostsOf{class}"),
            });
        }
        let functional = format!("{}_functions", client_schema.plugin);
        let functional = scope.joined(&functional, Case::Pascal);
        let names = Names {
            client_schema,
            namespace,
            client,
            packaged: None,
            interface,
            carried,
            functional,
            lengths: named_lengths,
            objects,
            callbacks,
            exceptions,
            groups: interfaces,
            types,
        };
        for import in client_schema.imports() {
            let other = Names::new(&import.client_schema, import.namespace.clone())?;
            import.check(|it| names.of(it), |it| other.of(it))?;
            import.check_exceptions(&names.exceptions, &other.exceptions)?;
        }
        Ok(names)
    }

    /// What the type of that number is called.
    pub(super) fn of(&self, number: u32) -> &TypeNames {
        &self.types[number as usize]
    }

    /// What an object's type is called.
    pub(super) fn object(&self, name: &str) -> &ObjectNames {
        let found = self.objects.iter().find(|(known, _)| *known == name);
        &found.expect("the client schema gives all of them").1
    }

    /// The names of a callback, if objects of this type are implementations of one.
    pub(super) fn callback(&self, object: &str) -> Option<&CallbackNames<'c>> {
        self.callbacks.iter().find(|it| it.callback.name == object)
    }

    /// What the fields of a type are called. A variant has its siblings' names in it, too.
    pub(super) fn fields(
        &self,
        of: &str,
        siblings: &[String],
        fields: &[Field],
    ) -> Result<Vec<String>, Error> {
        let mut reserved = MEMBERS.to_vec();
        reserved.push(of);
        reserved.extend(siblings.iter().map(|name| &**name));
        let mut scope = Scope::new(format!("`{of}`"), &reserved);
        fields
            .iter()
            .map(|field| scope.name(&field.name, Case::Pascal))
            .collect()
    }
}

/// Whether no variant has data.
pub(super) fn is_plain(shape: &Enum) -> bool {
    shape
        .variants
        .iter()
        .all(|variant| variant.tuple.is_none() && variant.fields.is_none())
}

fn note_lengths(ty: &TypeRef, lengths: &mut BTreeSet<u64>) {
    match ty {
        TypeRef::Array(item, length) => {
            lengths.insert(*length);
            note_lengths(item, lengths);
        }
        TypeRef::List(item) | TypeRef::Option(item) => note_lengths(item, lengths),
        TypeRef::Map(key, value) => {
            note_lengths(key, lengths);
            note_lengths(value, lengths);
        }
        TypeRef::Tuple(inside) => inside.iter().for_each(|ty| note_lengths(ty, lengths)),
        _ => {}
    }
}
