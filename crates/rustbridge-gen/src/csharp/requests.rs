//! What a method takes of the plugin's: a request, or several parameters.

use rustbridge_description::types::{Field, TypeRef};

use super::default_values::Written;
use super::names::{KEYWORDS, Names};
use super::text::doc;
use crate::client_schema::{Method, about_default, first_optional};
use crate::error::Error;
use crate::names::{Case, Scope, alone};
use crate::source::Source;

/// What methods take besides, and what stands in them: parameters get an underscore behind such a name.
const LOCALS: &[&str] = &["cancellationToken", "items", "options"];

/// The same of constructors and static methods, which have a parameter for the client.
const STATIC_LOCALS: &[&str] = &["cancellationToken", "client", "items", "options"];

/// What a method takes of the plugin's.
pub(super) struct Request {
    parameters: Vec<Parameter>,
    /// What is passed on.
    pub(super) argument: String,
    /// What that is, and what writes it.
    pub(super) types: String,
}

struct Parameter {
    /// Without what C# puts before a keyword.
    name: String,
    declared: String,
    /// Of a callback that a function implements: what declares the function, and what makes an implementation of it.
    function: Option<(String, String)>,
    doc: String,
    /// The constant that it has if it's left out, which behind it all may be.
    default: Option<String>,
}

/// The default of a parameter.
struct Default {
    /// The type of the parameter.
    declared: String,
    /// The value in the declaration.
    constant: String,
    /// What is passed on in place of null.
    expression: Option<String>,
    /// The sentence that follows the documentation.
    doc: String,
}

impl Default {
    fn of(names: &Names<'_>, field: &Field, ty: &str) -> Default {
        let doc = about_default(&names.client_schema.types, field);
        let doc = doc.map_or_else(String::new, |doc| format!("\n{doc}"));
        let plain = |constant: &str| Default {
            declared: ty.to_owned(),
            constant: constant.to_owned(),
            expression: None,
            doc: doc.clone(),
        };
        match (&field.ty, names.default_of(field)) {
            // Its default is empty.
            (TypeRef::Bytes, Some(_)) => plain("default"),
            (_, Some(Written::Constant(value))) => plain(&value),
            (_, Some(Written::Expression(expression))) => Default {
                declared: format!("{ty}?"),
                constant: "null".to_owned(),
                expression: Some(expression),
                doc,
            },
            (_, None) => plain("null"),
        }
    }
}

/// A parameter's name as C# writes it.
pub(super) fn written(name: &str) -> String {
    match KEYWORDS.contains(&name) {
        true => format!("@{name}"),
        false => name.to_owned(),
    }
}

pub(super) fn both(names: &Names<'_>, ty: &TypeRef) -> String {
    format!("{}, {}", names.ty(ty), names.codec(ty))
}

impl Request {
    /// The parameters of a method. Those of constructors and static methods begin with the client.
    pub(super) fn of(names: &Names<'_>, method: &Method) -> Result<Request, Error> {
        if method.class.is_empty() {
            return Request::sent(names, method, LOCALS);
        }
        let mut request = Request::sent(names, method, STATIC_LOCALS)?;
        let client = Parameter {
            name: "client".to_owned(),
            declared: format!("{} client", names.client),
            function: None,
            doc: "The client of the plugin.".to_owned(),
            default: None,
        };
        request.parameters.insert(0, client);
        Ok(request)
    }

    fn sent(
        names: &Names<'_>,
        method: &Method,
        locals: &'static [&'static str],
    ) -> Result<Request, Error> {
        match (&method.request, &method.arguments) {
            (TypeRef::Unit, _) => Ok(Request {
                parameters: Vec::new(),
                argument: "default".to_owned(),
                types: both(names, &TypeRef::Unit),
            }),
            (_, Some(fields)) => Request::several(names, &method.name, fields, locals),
            (request, None) => {
                let name = alone(&method.parameter, Case::Camel, &[locals]);
                let written = written(&name);
                // Bytes that are a value of their own may be a part of something larger.
                let (ty, codec) = match (request, method.is_raw) {
                    (TypeRef::Bytes, true) => (
                        "ReadOnlyMemory<byte>".to_owned(),
                        "RawMemoryCodec".to_owned(),
                    ),
                    (TypeRef::Bytes, false) => {
                        ("ReadOnlyMemory<byte>".to_owned(), "MemoryCodec".to_owned())
                    }
                    (ty, true) => (names.ty(ty), "RawTextCodec".to_owned()),
                    (ty, false) => (names.ty(ty), names.codec(ty)),
                };
                Ok(Request {
                    parameters: vec![Parameter {
                        declared: format!("{ty} {written}"),
                        function: names.function_for(request, &written),
                        doc: "The request.".to_owned(),
                        default: method.is_optional().then(|| "null".to_owned()),
                        name,
                    }],
                    argument: written,
                    types: format!("{ty}, {codec}"),
                })
            }
        }
    }

    /// On the wire, a record and a tuple of the same values are the same.
    fn several(
        names: &Names<'_>,
        method: &str,
        fields: &[Field],
        locals: &'static [&'static str],
    ) -> Result<Request, Error> {
        let mut scope = Scope::new(format!("the parameters of `{method}`"), locals);
        let first_optional = first_optional(fields);
        let (mut parameters, mut passed) = (Vec::new(), Vec::new());
        let (mut types, mut codecs) = (Vec::new(), Vec::new());
        for (place, field) in fields.iter().enumerate() {
            let name = scope.name(&field.name, Case::Camel)?;
            let written = written(&name);
            // Bytes that are a value of their own may be a part of something larger.
            let (ty, codec) = match &field.ty {
                TypeRef::Bytes => ("ReadOnlyMemory<byte>".to_owned(), "MemoryCodec".to_owned()),
                ty => (names.ty(ty), names.codec(ty)),
            };
            let default = Default::of(names, field, &ty);
            parameters.push(Parameter {
                declared: format!("{} {written}", default.declared),
                function: names.function_for(&field.ty, &written),
                doc: match &*field.doc {
                    "" => format!("The parameter `{}`.{}", field.name, default.doc),
                    prose => format!("{prose}{}", default.doc),
                },
                name,
                default: (place >= first_optional).then_some(default.constant),
            });
            passed.push(match &default.expression {
                Some(expression) => format!("{written} ?? {expression}"),
                None => written,
            });
            // A field with a default has the wire format of an option.
            let (ty, codec) = match (field.default, &field.ty) {
                (true, _) if names.default_of(field).is_some() => {
                    let codec = names.present_codec(&ty, &codec);
                    (ty, codec)
                }
                (true, TypeRef::Bytes) => {
                    (format!("{ty}?"), format!("NullableCodec<{ty}, {codec}>"))
                }
                (true, _) => {
                    let option = Names::option_of(field);
                    (names.ty(&option), names.codec(&option))
                }
                (false, _) => (ty, codec),
            };
            codecs.push(format!("{ty}, {codec}"));
            types.push(ty);
        }
        // C# has no literal of a tuple with one item, whose wire format is that of the item.
        if let ([argument], [types]) = (&passed[..], &codecs[..]) {
            return Ok(Request {
                parameters,
                argument: argument.clone(),
                types: types.clone(),
            });
        }
        Ok(Request {
            parameters,
            argument: format!("({})", passed.join(", ")),
            types: format!("({}), TupleCodec<{}>", types.join(", "), codecs.join(", ")),
        })
    }

    /// What is declared where something follows that can't be left out.
    pub(super) fn declared(&self) -> Vec<String> {
        let declared = self.parameters.iter().map(|one| one.declared.clone());
        declared.collect()
    }

    /// What is declared where all that follows may be left out.
    pub(super) fn declared_with_defaults(&self) -> Vec<String> {
        let declared = self.parameters.iter().map(|one| match &one.default {
            Some(default) => format!("{} = {default}", one.declared),
            None => one.declared.clone(),
        });
        declared.collect()
    }

    /// The parameters and arguments of an overload that accepts functions in place of implementations; none if no parameter accepts one.
    pub(super) fn functional(&self, with_defaults: bool) -> Option<(Vec<String>, Vec<String>)> {
        if self.parameters.iter().all(|one| one.function.is_none()) {
            return None;
        }
        let declared = match with_defaults {
            true => self.declared_with_defaults(),
            false => self.declared(),
        };
        let both = self.parameters.iter().zip(declared);
        let both = both.map(|(one, declared)| match &one.function {
            Some(function) => function.clone(),
            None => (declared, written(&one.name)),
        });
        Some(both.unzip())
    }

    /// Whether a parameter has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|one| one.name == name)
    }

    /// What is said of them.
    pub(super) fn prose(&self, out: &mut Source) {
        for Parameter {
            name, doc: prose, ..
        } in &self.parameters
        {
            doc(out, &format!("param name=\"{name}\""), prose);
        }
    }
}
