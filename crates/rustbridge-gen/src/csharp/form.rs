//! How a method stands in its class.

use rustbridge_description::types::TypeRef;

use crate::client_schema::{Kind, Method, Property};

/// The kind of member that calls a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form<'c> {
    Method,
    Static,
    Constructor,
    /// The accessor of the property that the plugin calls so. Its asynchronous form is a method.
    Getter(&'c str),
    Setter(&'c str),
}

impl<'c> Form<'c> {
    /// The form of a method among those of its class.
    pub(super) fn of(method: &'c Method, siblings: &[&'c Method]) -> Form<'c> {
        if !method.class.is_empty() {
            let creates = method.response == TypeRef::Object(method.class.clone().into());
            // A constructor can't be awaited.
            let is_new = method.constructor && method.own_name() == "new" && !method.is_async;
            return match is_new && creates && method.kind == Kind::Unary {
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
