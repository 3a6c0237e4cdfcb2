//! The services and callbacks of a description.

use rustbridge_abi::Encoding;
use rustbridge_description::types::{Field, MOST_ARGUMENTS, Shape, Table, TypeRef};
use rustbridge_description::{self as described, Description, Side};

use super::model::{Callback, Method, Service};
use crate::error::Error;
use crate::prose;

/// Returns whether clients have the fields as parameters: not if there are too many for a language.
fn is_taken_apart(service: &described::Service<'_>, fields: &[Field]) -> bool {
    !service.receiver.is_empty() || fields.len() <= MOST_ARGUMENTS
}

/// What clients call an only parameter that a plugin calls so.
pub(super) fn parameter(name: &str) -> String {
    match name {
        "" => "request".to_owned(),
        name => name.to_owned(),
    }
}

/// The documentation of a function that clients implement.
fn about(doc: &str, error: Option<u32>, types: &Table) -> String {
    let mut about = prose::prose(doc);
    if let Some(error) = error.and_then(|number| types.get(number)) {
        let name = error.name.rsplit(':').next().unwrap_or_default();
        let gap = if about.is_empty() { "" } else { "\n\n" };
        about.push_str(&format!(
            "{gap}The plugin distinguishes errors of the type `{name}`."
        ));
    }
    about
}

pub(super) fn services(
    description: &Description<'_>,
    types: &Table,
) -> Result<Vec<Service>, Error> {
    let mut services = Vec::new();
    for service in &description.services {
        if service.encoding != Encoding::Wire.name() {
            continue;
        }
        let side = |side: &Side<'_>| match &side.ty {
            Some(value) => types.reference(value),
            None => Ok(TypeRef::Unit),
        };
        let (group, function) = service.name.rsplit_once('.').unwrap_or(("", &service.name));
        let request = side(&service.request)?;
        let record = match &request {
            TypeRef::Ref(number) if service.arguments => types.get(*number),
            _ => None,
        };
        let arguments = match record.map(|it| &it.shape) {
            Some(Shape::Record(fields)) if is_taken_apart(service, fields) => Some(fields.clone()),
            _ => None,
        };
        let error = match service.error.as_ref().map(side).transpose()? {
            Some(TypeRef::Ref(number)) => Some(number),
            _ => None,
        };
        services.push(Service {
            name: service.name.to_string(),
            group: group.to_owned(),
            function: function.to_owned(),
            doc: about(&service.doc, error, types),
            optional: service.optional,
            request,
            arguments,
            parameter: parameter(&service.parameter),
            response: side(&service.response)?,
            error,
        });
    }
    Ok(services)
}

/// Takes the callbacks' functions from the services, and the methods of their own from the methods.
///
/// # Errors
/// If the plugin lacks one of these methods.
pub(super) fn callbacks(
    description: &Description<'_>,
    services: &mut Vec<Service>,
    methods: &mut Vec<Method>,
) -> Result<Vec<Callback>, Error> {
    let receiver = |name: &str| {
        let services = &description.services;
        let found = services.iter().find(|service| service.name == name);
        found.map_or("", |service| &service.receiver)
    };
    let mut callbacks = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for service in &description.services {
        if !service.receiver.is_empty() && !names.contains(&&*service.receiver) {
            names.push(&service.receiver);
        }
    }
    for name in names {
        let lacks = |method: &str| {
            Error::new(format_args!(
                "the description is incomplete: the callback `{name}` lacks the method `{method}`"
            ))
        };
        let mut take = |called: String| {
            let place = methods.iter().position(|method| method.name == called);
            let place = place.ok_or_else(|| lacks(&called))?;
            Ok::<_, Error>(methods.remove(place))
        };
        let create = take(format!("{name}:new"))?;
        let number = take(format!("{name}:number"))?;
        let (own, others) = std::mem::take(services)
            .into_iter()
            .partition(|service| receiver(&service.name) == name);
        *services = others;
        let own: Vec<Service> = own;
        let release = format!("{name}:release");
        let doc = own.iter().find(|service| service.name == release);
        let doc = doc.map_or_else(String::new, |service| service.doc.clone());
        // Clients of the plugin's objects call these.
        let has_method = |service: &&Service| {
            let mut methods = methods.iter();
            methods.any(|method| method.name == service.name && method.is_of(name))
        };
        let mut needed = own.iter().filter(|service| service.name != release);
        if let Some(service) = needed.find(|service| !has_method(service)) {
            return Err(lacks(&service.name));
        }
        let functions = own
            .into_iter()
            .filter(|service| service.name != release)
            .filter_map(|mut service| {
                let fields = service.arguments.as_mut()?;
                // The first is the number of the host's object.
                let has_object = fields.first().is_some_and(|it| it.ty == TypeRef::U64);
                fields.drain(..usize::from(has_object));
                (has_object && fields.len() <= MOST_ARGUMENTS).then_some(service)
            });
        callbacks.push(Callback {
            name: name.to_owned(),
            doc,
            functions: functions.collect(),
            create,
            number,
            release,
        });
    }
    Ok(callbacks)
}
