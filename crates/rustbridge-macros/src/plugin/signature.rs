//! Parses and checks a handler's signature.

use syn::spanned::Spanned;
use syn::{
    Error, FnArg, GenericParam, ImplItemFn, Pat, PatType, ReceiverKind, Result, Safety, Type,
};

use super::arguments::{self, Argument};
use super::types;
use crate::default_value;

/// A handler's parameters, without `&self`.
pub(super) struct Parameters {
    pub(super) request: Option<Request>,
    pub(super) items: Option<Type>,
    pub(super) takes_call: bool,
}

pub(super) struct Request {
    /// The name for hosts, if the request is a parameter with a name.
    pub(super) name: Option<String>,
    pub(super) ty: Type,
    pub(super) by_ref: bool,
    /// The parameters, if the request is a record of several.
    pub(super) arguments: Vec<Argument>,
}

/// Refuses signatures that no method can have.
pub(super) fn check(function: &ImplItemFn) -> Result<()> {
    let signature = &function.sig;
    let name = &signature.ident;
    match signature.receiver() {
        None => {
            return Err(Error::new(
                name.span(),
                format!(
                    "`{name}` has no `&self`, so it can't be a method: add it, make the function private, \
                     or mark it `#[method(skip)]`"
                ),
            ));
        }
        Some(receiver) if !matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) => {
            return Err(Error::new(
                receiver.span(),
                "a method must have `&self`: hosts call it from several threads at once; keep mutable state in atomics or locks",
            ));
        }
        Some(_) => {}
    }
    for param in &signature.generics.params {
        if !matches!(param, GenericParam::Lifetime(_)) {
            return Err(Error::new(
                param.span(),
                "a method can't be generic, because hosts call one function with one layout",
            ));
        }
    }
    if let Safety::Unsafe(token) = &signature.safety {
        return Err(Error::new(
            token.span(),
            "a method can't be unsafe: a host can't uphold Rust's conditions",
        ));
    }
    if let Some(attribute) = function
        .attrs
        .iter()
        .find(|attribute| attribute.path().is_ident("cfg"))
    {
        return Err(Error::new(
            attribute.span(),
            "a method can't depend on `cfg`, which this macro can't see; put the condition inside the function",
        ));
    }
    Ok(())
}

/// Refuses a default value of items and of the call.
fn refuse_default(parameter: &PatType) -> Result<()> {
    match default_value::attribute(&parameter.attrs) {
        None => Ok(()),
        Some(attribute) => Err(Error::new(
            attribute.span(),
            "only a value of the request can have a default value",
        )),
    }
}

/// Parses the parameters of handler number `index`.
pub(super) fn parameters(index: usize, function: &ImplItemFn) -> Result<Parameters> {
    let mut given = Vec::new();
    let mut items = None;
    let mut takes_call = false;
    for argument in &function.sig.inputs {
        let FnArg::Typed(argument) = argument else {
            continue;
        };
        let ty = &*argument.ty;
        if takes_call {
            return Err(Error::new(
                argument.span(),
                "`&Call` must be the last parameter: `(&self, request: Request, call: &Call)`",
            ));
        }
        if types::is_call(ty) || types::is_named(ty, "Items") {
            refuse_default(argument)?;
        }
        if types::is_call(ty) {
            takes_call = true;
            continue;
        }
        if types::is_named(ty, "Call") {
            return Err(Error::new(ty.span(), "the call is borrowed: write `&Call`"));
        }
        if types::is_named(ty, "Items") {
            if items.is_some() {
                return Err(Error::new(
                    ty.span(),
                    "a method accepts one stream of items",
                ));
            }
            let Some(item) = types::only_argument(ty) else {
                return Err(Error::new(
                    ty.span(),
                    "add the type of the items: `Items<T>`",
                ));
            };
            items = Some(item.clone());
            continue;
        }
        if items.is_some() {
            return Err(Error::new(
                argument.span(),
                "the items must follow the request: `(&self, request: Request, items: Items<T>, call: &Call)`",
            ));
        }
        given.push(argument);
    }
    let request = match &given[..] {
        [] => None,
        [one] if !arguments::is_record(one)? => Some(Request::parse(one)?),
        several => {
            let arguments = arguments::of(several)?;
            Some(Request {
                name: None,
                ty: arguments::ty(&arguments, index),
                by_ref: false,
                arguments,
            })
        }
    };
    Ok(Parameters {
        request,
        items,
        takes_call,
    })
}

impl Request {
    /// Parses a parameter that is the whole request.
    fn parse(parameter: &PatType) -> Result<Request> {
        let ty = &*parameter.ty;
        let name = match &*parameter.pat {
            Pat::Ident(name) => Some(arguments::called(&name.ident)),
            _ => None,
        };
        if types::has_impl_trait(ty) {
            return Err(Error::new(
                ty.span(),
                "a method's request must be a type with a name, not `impl Trait`",
            ));
        }
        if let Some(numbers) = arguments::lent_numbers(ty) {
            return Ok(Request {
                name,
                ty: numbers,
                by_ref: true,
                arguments: Vec::new(),
            });
        }
        let (ty, by_ref) = match types::sized_referent(ty) {
            Some(reference) => {
                if let Some(token) = &reference.mutability {
                    return Err(Error::new(
                        token.span(),
                        "a request can't be mutable: the host's memory is read-only",
                    ));
                }
                ((*reference.elem).clone(), true)
            }
            None => (ty.clone(), false),
        };
        Ok(Request {
            name,
            ty,
            by_ref,
            arguments: Vec::new(),
        })
    }
}
