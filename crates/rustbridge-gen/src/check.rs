//! What clients are not written of: names that may be code where they are written, types that are too large.

use std::collections::HashMap;

use rustbridge_description::types::{Field, Shape, Table, TypeRef};

use crate::client::File;
use crate::client_schema::{ClientSchema, parts, walk};
use crate::error::Error;
use crate::prose::is_invisible;

/// Checks whether clients can be generated from a client schema, regardless of the language.
///
/// # Errors
/// As each of those below.
pub(crate) fn check(client_schema: &ClientSchema) -> Result<(), Error> {
    check_names(client_schema)?;
    check_sizes(client_schema)
}

/// Checks all names of a client schema. Clients contain them unescaped in comments.
///
/// # Errors
/// If a name could end a comment or a line, or has a backslash, which has a meaning in comments of Java and C++.
fn check_names(client_schema: &ClientSchema) -> Result<(), Error> {
    check_name("the plugin", &client_schema.plugin)?;
    for method in &client_schema.methods {
        check_name("a method", &method.name)?;
    }
    for name in &client_schema.others {
        check_name("a method", name)?;
    }
    for service in &client_schema.services {
        check_name("a service", &service.name)?;
        check_fields(service.arguments.as_deref().unwrap_or_default())?;
    }
    for callback in &client_schema.callbacks {
        check_name("a callback", &callback.name)?;
        for function in &callback.functions {
            check_name("a callback's function", &function.name)?;
        }
    }
    for name in client_schema.objects() {
        check_name("an object's type", name)?;
    }
    for definition in client_schema.types.definitions() {
        check_name("a type", &definition.name)?;
        match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => check_fields(fields)?,
            Shape::Enum(shape) => {
                for variant in &shape.variants {
                    check_name("a variant", &variant.name)?;
                    check_fields(variant.fields.as_deref().unwrap_or_default())?;
                }
            }
            Shape::Newtype(_) | Shape::Tuple(_) => {}
        }
    }
    Ok(())
}

fn check_fields(fields: &[Field]) -> Result<(), Error> {
    fields
        .iter()
        .try_for_each(|field| check_name("a field", &field.name))
}

fn check_name(what: &str, name: &str) -> Result<(), Error> {
    let is_plain =
        !name.contains(is_invisible) && !["\\", "*/", "/*"].iter().any(|it| name.contains(it));
    if is_plain {
        return Ok(());
    }
    Err(Error::new(format_args!(
        "{what} has the name {name:?}, which clients can't have: names have no backslash, no `/*` or `*/`, and no invisible \
         characters; rename it in the plugin, by `#[serde(rename = \"..\")]` for a field, a type or a variant"
    )))
}

/// The most bytes that a message takes, and the most items of an array: what arrays of other languages hold.
const LARGEST: u64 = 0x7fff_fff7;

/// Checks the sizes of all types of a client schema.
///
/// # Errors
/// If there's one of which no message has room for a value: clients would count its bytes by numbers that are too small for that.
fn check_sizes(client_schema: &ClientSchema) -> Result<(), Error> {
    let types = &client_schema.types;
    for method in &client_schema.methods {
        let items = method.items.iter();
        for ty in [&method.request, &method.response].into_iter().chain(items) {
            check_size(types, ty, &method.name)?;
        }
    }
    let functions = client_schema.callbacks.iter().flat_map(|it| &it.functions);
    for service in client_schema.services.iter().chain(functions) {
        for ty in [&service.request, &service.response] {
            check_size(types, ty, &service.name)?;
        }
    }
    for (number, definition) in (0..).zip(types.definitions()) {
        check_size(types, &TypeRef::Ref(number), &definition.name)?;
        for ty in parts(&definition.shape) {
            check_size(types, ty, &definition.name)?;
        }
    }
    Ok(())
}

fn check_size(types: &Table, ty: &TypeRef, of: &str) -> Result<(), Error> {
    let mut is_too_large = types.least(ty) > LARGEST;
    walk(
        types,
        ty,
        |_| false,
        |inside| {
            let is_long = matches!(inside, TypeRef::Array(_, count) if *count > LARGEST);
            is_too_large |= is_long || types.least(inside) > LARGEST;
        },
    );
    if is_too_large {
        return Err(Error::new(format_args!(
            "`{of}` has `{}`, whose values are too large for a message: expected at most {LARGEST} bytes, and as many items in an array",
            types.show(ty)
        )));
    }
    Ok(())
}

/// Looks whether the files of a client are as many wherever they are put.
///
/// # Errors
/// If the names of two differ in case alone: on many disks one would take the other's place.
pub(crate) fn check_files(files: &[File]) -> Result<(), Error> {
    let mut known = HashMap::new();
    for file in files {
        if let Some(other) = known.insert(file.path.to_lowercase(), &file.path) {
            return Err(Error::new(format_args!(
                "the files `{other}` and `{}` differ in case only, which not all file systems distinguish: rename one of the two types in the plugin, by `#[serde(rename = \"..\")]`",
                file.path
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_refused_that_could_be_more() {
        for name in [
            "a\nb",
            "a\\",
            "*/",
            "a/*b",
            "\u{2028}",
            "\u{0}",
            "a\u{2066}b",
        ] {
            let error = check_name("a field", name).unwrap_err().to_string();
            assert!(error.contains("a field has the name"), "{error}");
        }
        for name in ["", "first name", "a.b", "größe", "\"", "a*b/c", "日本"] {
            check_name("a field", name).unwrap();
        }
    }

    #[test]
    fn files_that_would_be_one_on_some_disks_are_refused() {
        let file = |path: &str| File {
            path: path.to_owned(),
            text: String::new(),
        };
        assert!(check_files(&[file("a/HttpServer.java"), file("a/HttpServers.java")]).is_ok());
        let files = [file("a/HttpServer.java"), file("a/Httpserver.java")];
        let error = check_files(&files).unwrap_err().to_string();
        assert!(error.contains("differ in case only"), "{error}");
    }
}
