//! Constructors, associated functions and properties of objects.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, FnArg, ImplItemFn, Lifetime, Pat, Result, ReturnType, Type, parse_quote,
};

use crate::default_value;
use crate::plugin::types;

/// The role that an attribute without arguments gives a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Method,
    Constructor,
    Getter,
    Setter,
    /// It returns the number of items.
    Len,
    /// It returns the items.
    Iter,
}

impl Role {
    /// Returns the role, and the position of its attribute.
    pub fn of(attributes: &[Attribute]) -> Result<(Role, Span)> {
        let mut found: Option<(Role, Span)> = None;
        for attribute in attributes {
            let role = match attribute
                .path()
                .get_ident()
                .map(ToString::to_string)
                .as_deref()
            {
                Some("constructor") => Role::Constructor,
                Some("getter") => Role::Getter,
                Some("setter") => Role::Setter,
                Some("len") => Role::Len,
                Some("iter") => Role::Iter,
                _ => continue,
            };
            attribute.meta.require_path_only()?;
            if found.is_some() {
                return Err(Error::new(
                    attribute.span(),
                    "a function has one role: remove all but one of `#[constructor]`, `#[getter]`, `#[setter]`, `#[len]` and `#[iter]`",
                ));
            }
            found = Some((role, attribute.span()));
        }
        Ok(found.unwrap_or((Role::Method, Span::call_site())))
    }

    /// Returns `get` or `set` for a property, and otherwise an empty text.
    pub fn property(self) -> &'static str {
        match self {
            Role::Getter => "get",
            Role::Setter => "set",
            Role::Method | Role::Constructor | Role::Len | Role::Iter => "",
        }
    }

    /// Returns `len` or `iter` for a method with this attribute, and otherwise an empty text.
    pub fn implements(self) -> &'static str {
        match self {
            Role::Len => "len",
            Role::Iter => "iter",
            _ => "",
        }
    }

    /// Checks the signature of a function with this role.
    pub fn check(self, function: &ImplItemFn, at: Span) -> Result<()> {
        let signature = &function.sig;
        if matches!(self, Role::Getter | Role::Setter) {
            default_value::refuse(signature, "a property has no default value")?;
        }
        let parameters = signature
            .inputs
            .iter()
            .filter(|input| matches!(input, FnArg::Typed(input) if !types::is_call(&input.ty)));
        let count = parameters.count();
        let problem = match self {
            Role::Method => return Ok(()),
            Role::Constructor if signature.receiver().is_some() => {
                "a constructor creates the object, so it can't have `self`"
            }
            Role::Constructor => return Ok(()),
            Role::Getter | Role::Setter if signature.receiver().is_none() => {
                "a property belongs to an object: add `&self`"
            }
            Role::Getter | Role::Setter if signature.asyncness.is_some() => {
                "a property can't be async: make it a method"
            }
            Role::Getter if count > 0 => "a getter has no parameters",
            Role::Setter if count != 1 => "a setter has one parameter, the value",
            Role::Setter if !signature.ident.to_string().starts_with("set_") => {
                "the name of a setter must begin with `set_`, followed by that of the property"
            }
            Role::Len | Role::Iter if signature.receiver().is_none() => {
                "items belong to an object: add `&self`"
            }
            Role::Len | Role::Iter if signature.asyncness.is_some() => {
                "operations of the host's languages can't await it: make it a plain `fn`"
            }
            Role::Len | Role::Iter if count > 0 => "a length or an iterator has no parameters",
            Role::Len if !is_length(&signature.output) => "a length is a `u64`, `u32` or `usize`",
            Role::Iter if !is_iterated(&signature.output) => {
                "an iterator returns `impl Iterator<Item = T>` or `impl Stream<Item = T>`, whose items aren't objects"
            }
            Role::Getter | Role::Setter | Role::Len | Role::Iter => return Ok(()),
        };
        Err(Error::new(at, problem))
    }
}

/// Returns the type of a function's value, whether it may fail or not.
fn value(output: &ReturnType) -> Option<&Type> {
    match output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(types::ok_type(ty).unwrap_or(ty)),
    }
}

fn is_length(output: &ReturnType) -> bool {
    let is_one = |ty: &Type| {
        ["u64", "u32", "usize"]
            .iter()
            .any(|name| types::is_named(ty, name))
    };
    value(output).is_some_and(is_one)
}

fn is_iterated(output: &ReturnType) -> bool {
    let sequence = value(output).and_then(types::sequence);
    sequence.is_some_and(|sequence| !types::mentions_object(sequence.item))
}

/// Returns a function with a receiver that calls a function without one. It's a function of the generated type `class`. The result of a
/// constructor becomes an object.
pub fn wrapped(function: &ImplItemFn, this: &Type, role: Role) -> Result<ImplItemFn> {
    let signature = &function.sig;
    let lifetime: Lifetime = parse_quote!('_);
    let name = &signature.ident;
    let own = format_ident!("__class_{name}", span = name.span());
    let mut declared = Vec::new();
    let mut passed = Vec::new();
    for input in &signature.inputs {
        let FnArg::Typed(input) = input else { continue };
        let Pat::Ident(parameter) = &*input.pat else {
            return Err(Error::new(input.pat.span(), "name the parameter"));
        };
        let ty = types::with_lifetime(&input.ty, &lifetime, this);
        let default = default_value::attribute(&input.attrs);
        let parameter = &parameter.ident;
        declared.push(quote!(#default #parameter: #ty));
        passed.push(parameter);
    }
    let written: Type = match &signature.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) => types::with_lifetime(ty, &lifetime, this),
    };
    let called = quote!(<#this>::#name(#(#passed),*));
    let called = match signature.asyncness {
        Some(_) => quote!(#called.await),
        None => called,
    };
    let (output, body) = match role {
        Role::Constructor => made(&written, this, called)?,
        _ => (quote!(#written), called),
    };
    let asyncness = &signature.asyncness;
    let docs = function
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"));
    syn::parse2(quote! {
        #(#docs)*
        #asyncness fn #own(&self #(, #declared)*) -> #output { #body }
    })
}

/// Returns the result of a constructor as an object, if it's a value.
fn made(written: &Type, this: &Type, called: TokenStream) -> Result<(TokenStream, TokenStream)> {
    let object = quote!(::rustbridge::Object<#this>);
    let value = types::ok_type(written).unwrap_or(written);
    if types::mentions_object(value) {
        return Ok((quote!(#written), called));
    }
    if types::shown(value) != types::shown(this) {
        return Err(Error::new(
            written.span(),
            "a constructor must return `Self` or `Result<Self, E>`",
        ));
    }
    let Some(error) = types::error_type(written) else {
        let from = quote!(::rustbridge::Object::<#this>::from(#called));
        return Ok((object, from));
    };
    let result = match error {
        Some(error) => quote!(::core::result::Result<#object, #error>),
        None => quote!(::rustbridge::Result<#object>),
    };
    Ok((
        result,
        quote!(::core::result::Result::map(#called, ::rustbridge::Object::<#this>::from)),
    ))
}
