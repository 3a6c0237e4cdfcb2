//! How a method stands in its class: the rules that languages with constructors and properties share. Each language names the members by
//! its own rules.

use rustbridge_description::types::TypeRef;

use crate::client_schema::{Kind, Method, Property};

/// The kind of member that calls a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form<'c> {
    /// A method of the client or of an object.
    Method,
    /// A function of the object's class, whose first parameter is the client.
    Static,
    /// The constructor of the object's class.
    Constructor,
    /// The getter of the property with this name in the plugin. Its asynchronous form is a method.
    Getter(&'c str),
    /// The setter of that property.
    Setter(&'c str),
}

impl<'c> Form<'c> {
    /// Returns the form of a method among those of its class.
    pub(crate) fn of(method: &'c Method, siblings: &[&'c Method]) -> Form<'c> {
        if !method.class.is_empty() {
            return match is_constructor(method) {
                true => Form::Constructor,
                false => Form::Static,
            };
        }
        if let Some(property) = read(method) {
            return Form::Getter(property);
        }
        let Some(property) = written(method) else {
            return Form::Method;
        };
        // A property has one type, and no method has its name.
        let mut siblings = siblings.iter();
        match siblings.find(|it| it.own_name() == property) {
            Some(it) if read(it).is_none() || it.response != method.request => Form::Method,
            _ => Form::Setter(property),
        }
    }

    /// Returns the form in a language whose properties need a getter.
    pub(crate) fn with_getter(method: &'c Method, siblings: &[&'c Method]) -> Form<'c> {
        let form = Form::of(method, siblings);
        match form {
            Form::Setter(property) if !siblings.iter().any(|it| it.own_name() == property) => {
                Form::Method
            }
            form => form,
        }
    }
}

/// Returns whether a method is the constructor of its class: it's called `new`, and no one awaits it.
pub(crate) fn is_constructor(method: &Method) -> bool {
    method.constructor
        && method.own_name() == "new"
        && !method.is_async
        && method.kind == Kind::Unary
        && method.response == TypeRef::Object(method.class.clone().into())
}

/// Returns the documentation of a property: that of both accessors, unless one contains the other.
pub(crate) fn about(getter: Option<&Method>, setter: Option<&Method>) -> String {
    let doc = |it: Option<&Method>| it.map_or_else(String::new, |it| it.doc.clone());
    let (read, written) = (doc(getter), doc(setter));
    match (read.is_empty(), written.is_empty()) {
        (_, true) => read,
        _ if written.starts_with(&read) => written,
        _ => format!("{read}\n\n{written}"),
    }
}

/// The property that a method returns.
fn read(method: &Method) -> Option<&str> {
    let is_getter = method.property == Some(Property::Get)
        && method.kind == Kind::Unary
        && method.request == TypeRef::Unit
        && method.response != TypeRef::Unit;
    is_getter.then(|| method.own_name())
}

/// The property that a method sets.
fn written(method: &Method) -> Option<&str> {
    let is_setter = method.property == Some(Property::Set)
        && method.kind == Kind::Unary
        && method.request != TypeRef::Unit
        && method.arguments.is_none()
        && method.response == TypeRef::Unit;
    method.own_name().strip_prefix("set_").filter(|_| is_setter)
}
