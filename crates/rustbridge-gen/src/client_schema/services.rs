//! The services and callbacks of a description.

use rustbridge_abi::Encoding;
use rustbridge_description::types::{Field, MOST_ARGUMENTS, Shape, Table, TypeRef};
use rustbridge_description::{self as described, Description, Side};

use super::model::{Callback, Crossing, Method, Service};
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
            crossing: None,
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
    types: &Table,
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
        let mut functions = Vec::new();
        for mut service in own {
            if service.name == release {
                continue;
            }
            let Some(fields) = service.arguments.as_mut() else {
                continue;
            };
            // The first is the number of the host's object.
            if fields.first().is_none_or(|it| it.ty != TypeRef::U64) {
                continue;
            }
            fields.remove(0);
            crossing(&mut service, methods, types)?;
            if service
                .arguments
                .as_ref()
                .is_some_and(|it| it.len() <= MOST_ARGUMENTS)
            {
                functions.push(service);
            }
        }
        callbacks.push(Callback {
            name: name.to_owned(),
            doc,
            functions,
            create,
            number,
            release,
        });
    }
    Ok(callbacks)
}

/// Takes the methods by which a function's arguments and result cross, if there are such. The function then has the parameters and the
/// result of the method of the same name.
///
/// # Errors
/// If they have other types than this method.
fn crossing(service: &mut Service, methods: &mut Vec<Method>, types: &Table) -> Result<(), Error> {
    let mut take = |what: &str| {
        let called = format!("{}:{what}", service.name);
        let place = methods.iter().position(|method| method.name == called);
        place.map(|place| methods.remove(place))
    };
    let (mut arguments, mut result) = (take("arguments"), take("return"));
    if arguments.is_none() && result.is_none() {
        return Ok(());
    }
    let Some(method) = methods.iter().find(|method| method.name == service.name) else {
        return Ok(());
    };
    let parameters = match (&method.arguments, &method.request) {
        (Some(arguments), _) => arguments.clone(),
        (None, TypeRef::Unit) => Vec::new(),
        (None, only) => vec![Field {
            name: method.parameter.clone().into(),
            ty: only.clone(),
            doc: "".into(),
            default: false,
            default_value: None,
            flatten: false,
        }],
    };
    let mut records = Vec::new();
    // The types of the fields of a record, which clients don't show: in the wire format, it's a tuple.
    let mut taken_apart = |ty: &TypeRef| {
        let TypeRef::Ref(number) = ty else {
            return Vec::new();
        };
        records.push(*number);
        match types.get(*number).map(|it| &it.shape) {
            Some(Shape::Record(fields)) => fields.iter().map(|field| field.ty.clone()).collect(),
            _ => Vec::new(),
        }
    };
    let mut are_same = parameters.is_empty() == arguments.is_none();
    if let Some(arguments) = &mut arguments {
        let mut each = taken_apart(&arguments.response);
        are_same &= each.iter().eq(parameters.iter().map(|field| &field.ty));
        arguments.response = match each.len() {
            1 => each.remove(0),
            _ => TypeRef::Tuple(each),
        };
    }
    if let Some(result) = &mut result {
        let both = taken_apart(&result.request);
        are_same &= both == [TypeRef::U64, method.response.clone()];
        result.request = TypeRef::Tuple(both);
        result.arguments = None;
    }
    if !are_same {
        return Err(Error::new(format_args!(
            "the description is inconsistent: the parameters or the result of `{}` have other types where they cross",
            service.name
        )));
    }
    service.arguments = Some(parameters);
    service.response = method.response.clone();
    service.crossing = Some(Crossing {
        arguments,
        result,
        records,
    });
    Ok(())
}
