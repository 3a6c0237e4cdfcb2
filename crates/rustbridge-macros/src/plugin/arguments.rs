//! Handlers with several parameters. The request is a record of them, whose type is generated here.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Ident, Lifetime, Pat, PatType, Result, Type, parse_quote, parse_quote_spanned,
};

use super::types;
use crate::default_value::{self, DefaultValue};

/// The item types of slices that handlers can borrow from a request, if they have the same layout there as in memory.
const NUMBERS: [&str; 12] = [
    "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "f32", "f64",
];

/// The largest number of parameters. Clients have no larger tuples, and more would be hard to distinguish.
pub const MOST: usize = 12;

/// One of several parameters.
pub(super) struct Argument {
    /// The name of the parameter and of the field.
    name: Ident,
    /// The type of the record's field.
    ty: Type,
    /// The position of the reference in the source, if the handler's parameter is a reference.
    lent: Option<Span>,
    /// The attribute with its default value, and the value.
    default: Option<(Attribute, DefaultValue)>,
}

impl Argument {
    fn parse(parameter: &PatType) -> Result<Argument> {
        let Pat::Ident(name) = &*parameter.pat else {
            return Err(Error::new(
                parameter.pat.span(),
                "name the parameter: with several parameters, each is a field of the request",
            ));
        };
        let ty = &*parameter.ty;
        if types::has_impl_trait(ty) {
            return Err(Error::new(
                ty.span(),
                "a method's parameters must be types with names, not `impl Trait`",
            ));
        }
        let (ty, lent) = match ty {
            Type::Reference(reference) => {
                if let Some(token) = &reference.mutability {
                    return Err(Error::new(
                        token.span(),
                        "a parameter can't be mutable: the host's memory is read-only",
                    ));
                }
                (kept(&reference.elem), Some(ty.span()))
            }
            ty => (ty.clone(), None),
        };
        let default = default_value::of(&parameter.attrs)?;
        Ok(Argument {
            name: name.ident.clone(),
            ty,
            lent,
            default: default_value::attribute(&parameter.attrs)
                .cloned()
                .zip(default),
        })
    }

    /// Returns the argument to pass to the handler.
    pub(super) fn passed(&self, request: &TokenStream) -> TokenStream {
        let name = &self.name;
        let and = self.lent.map(|span| quote_spanned!(span=> &));
        quote!(#and #request.#name)
    }

    pub(super) fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns the position of the reference in the source, if the handler's parameter is a reference.
    pub(super) fn lent(&self) -> Option<Span> {
        self.lent
    }

    fn called(&self) -> String {
        called(&self.name)
    }

    fn is_option(&self) -> bool {
        types::is_named(&self.ty, "Option")
    }

    /// Reports whether callers may leave it out.
    fn may_be_absent(&self) -> bool {
        self.is_option() || self.default.is_some()
    }

    /// Returns its value if a caller leaves it out.
    fn absent(&self) -> TokenStream {
        match &self.default {
            Some((_, value)) => value.value(&self.ty),
            None => quote!(::core::option::Option::None),
        }
    }

    fn field(&self, lifetime: &Lifetime, this: &Type) -> TokenStream {
        let name = &self.name;
        let ty = types::with_lifetime(&self.ty, lifetime, this);
        // What borrows from text does so from JSON, too, but bytes are a list there.
        let borrow = (types::has_lifetime(&ty, lifetime) && !is_slice(&ty))
            .then(|| quote!(#[serde(borrow)]));
        let called = self.called();
        let rename = (*name != called).then(|| quote!(#[serde(rename = #called)]));
        let default = self.default.as_ref().map(|(attribute, _)| attribute);
        quote!(#borrow #rename #default #name: #ty)
    }
}

/// Returns the name of a parameter for hosts. Leading underscores, which only mark the parameter as unused, aren't part of it.
pub fn called(name: &Ident) -> String {
    let written = name.unraw().to_string();
    match written.trim_start_matches('_') {
        "" => written,
        called => called.to_owned(),
    }
}

/// Returns the parameters of a method with several values, without the items and the call.
pub(super) fn of(parameters: &[&PatType]) -> Result<Vec<Argument>> {
    if let Some(first_too_many) = parameters.get(MOST) {
        return Err(Error::new(
            first_too_many.span(),
            format!(
                "a method accepts at most {MOST} parameters; put several values into one message: `#[derive(Message)] struct Request {{ .. }}`"
            ),
        ));
    }
    let arguments: Vec<_> = parameters
        .iter()
        .copied()
        .map(Argument::parse)
        .collect::<Result<_>>()?;
    for (place, argument) in arguments.iter().enumerate() {
        let called = argument.called();
        if arguments[..place].iter().any(|one| one.called() == called) {
            return Err(Error::new(
                argument.name.span(),
                format!(
                    "hosts know another parameter as `{called}`, too: leading underscores aren't part of the name"
                ),
            ));
        }
    }
    let mut behind = arguments.iter().skip_while(|one| one.default.is_none());
    if let Some(needed) = behind.find(|one| !one.may_be_absent()) {
        return Err(Error::new(
            needed.name.span(),
            "parameters behind one with a default value must be options or have default values, too: move this one to the front",
        ));
    }
    Ok(arguments)
}

/// Reports whether the only parameter is a field of a record, because callers may leave it out. An option alone may be absent without one.
pub(super) fn is_record(parameter: &PatType) -> Result<bool> {
    let Some(value) = default_value::of(&parameter.attrs)? else {
        return Ok(false);
    };
    if !types::is_named(&parameter.ty, "Option") {
        return Ok(true);
    }
    if value.is_none() {
        return Ok(false);
    }
    Err(Error::new(
        value.span(),
        "an option that is absent is `None`: write `#[default(None)]`, or accept the value without `Option`",
    ))
}

/// Returns the definition of the record for handler number `index`. `method` is the method's name for hosts; `typed` is whether the record
/// has a wire format.
pub(super) fn record(
    arguments: &[Argument],
    index: usize,
    method: &str,
    typed: bool,
    this: &Type,
) -> TokenStream {
    let ident = ident(index);
    let lifetime: Lifetime = parse_quote!('r);
    let fields: Vec<_> = arguments
        .iter()
        .map(|argument| argument.field(&lifetime, this))
        .collect();
    let generics = borrows(arguments).then(|| quote!(<#lifetime>));
    let name = format!("{}Parameters", pascal(method));
    let doc = format!("The parameters of `{method}`.");
    let json_only = (!typed).then(|| quote!(#[message(json_only)]));
    quote! {
        #[derive(::rustbridge::Message)]
        #[serde(rename = #name, expecting = "an object with the parameters by their names")]
        #json_only
        #[doc = #doc]
        struct #ident #generics { #(#fields),* }
    }
}

/// Returns code that reads the request of a caller that knows fewer parameters, in an encoding with field names: either the value of the
/// first parameter alone, or nothing. Only for methods whose other parameters may be absent.
pub(super) fn fewer(arguments: &[Argument], index: usize, this: &Type) -> Option<TokenStream> {
    let (first, others) = arguments.split_first()?;
    let is_object = |one: &Argument| types::mentions_object(&one.ty);
    if !others.iter().all(Argument::may_be_absent) || arguments.iter().any(is_object) {
        return None;
    }
    let record = ident(index);
    let lifetime: Lifetime = parse_quote!('r);
    let (name, ty) = (
        &first.name,
        types::with_lifetime(&first.ty, &lifetime, this),
    );
    let called = arguments.iter().map(Argument::called);
    let values: Vec<_> = others.iter().map(Argument::absent).collect();
    let others: Vec<_> = others.iter().map(|other| &other.name).collect();
    let nothing = first.may_be_absent().then(|| {
        let absent = first.absent();
        quote! {
            if C::check_nothing(bytes).is_ok() {
                return ::core::option::Option::Some(#record { #name: #absent, #(#others: #values),* });
            }
        }
    });
    Some(quote! {
        #nothing
        let #name = ::rustbridge::__private::read_alone::<C, #ty>(bytes, &[#(#called),*])?;
        ::core::option::Option::Some(#record { #name, #(#others: #values),* })
    })
}

/// Returns the record's type for handler number `index`.
pub(super) fn ty(arguments: &[Argument], index: usize) -> Type {
    let ident = ident(index);
    if borrows(arguments) {
        parse_quote!(#ident<'_>)
    } else {
        parse_quote!(#ident)
    }
}

fn ident(index: usize) -> Ident {
    format_ident!("Parameters{}", index)
}

fn borrows(arguments: &[Argument]) -> bool {
    let lifetime: Lifetime = parse_quote!('r);
    // Whose methods they are has no lifetimes.
    let this = parse_quote!(());
    arguments.iter().any(|argument| {
        let ty = types::with_lifetime(&argument.ty, &lifetime, &this);
        types::has_lifetime(&ty, &lifetime)
    })
}

/// Returns the type that the record keeps for a parameter that is a reference to `referent`.
fn kept(referent: &Type) -> Type {
    match referent {
        Type::Slice(slice) => {
            let item = &slice.elem;
            if NUMBERS.iter().any(|number| types::is_named(item, number)) {
                parse_quote_spanned!(item.span()=> ::std::borrow::Cow<'_, [#item]>)
            } else {
                parse_quote_spanned!(item.span()=> ::std::vec::Vec<#item>)
            }
        }
        text if types::is_named(text, "str") => {
            parse_quote_spanned!(text.span()=> ::std::borrow::Cow<'_, str>)
        }
        other => other.clone(),
    }
}

/// Returns the type to keep for a request that is a slice of numbers, such as `&[f64]`. `&[u8]` isn't one of them; it's raw bytes.
pub(super) fn lent_numbers(ty: &Type) -> Option<Type> {
    let Type::Reference(reference) = ty else {
        return None;
    };
    let Type::Slice(slice) = &*reference.elem else {
        return None;
    };
    let is_lent = reference.mutability.is_none()
        && !types::is_named(&slice.elem, "u8")
        && NUMBERS
            .iter()
            .any(|number| types::is_named(&slice.elem, number));
    is_lent.then(|| kept(&reference.elem))
}

fn is_slice(ty: &Type) -> bool {
    types::is_named(ty, "Cow") && ty.to_token_stream().to_string().contains('[')
}

/// `string_join`, `Counter.add`: `StringJoin`, `CounterAdd`.
pub fn pascal(name: &str) -> String {
    name.split(|letter: char| !letter.is_alphanumeric())
        .flat_map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(letters)
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_is_named_after_the_method() {
        for (method, name) in [
            ("join", "Join"),
            ("string_join", "StringJoin"),
            ("Counter.add", "CounterAdd"),
            ("user-by_id2", "UserById2"),
        ] {
            assert_eq!(pascal(method), name);
        }
    }

    #[test]
    fn parameters_that_hosts_call_alike_are_refused() {
        let refused = |first: syn::FnArg, second: syn::FnArg| {
            let both = [first, second];
            let typed: Vec<_> = both
                .iter()
                .filter_map(|argument| match argument {
                    syn::FnArg::Typed(typed) => Some(typed),
                    syn::FnArg::Receiver(_) => None,
                })
                .collect();
            of(&typed).err().map(|error| error.to_string())
        };
        let error = refused(parse_quote!(name: u8), parse_quote!(_name: u8)).unwrap();
        assert!(error.contains("another parameter as `name`"), "{error}");
        assert_eq!(
            refused(parse_quote!(_one: u8), parse_quote!(_two: u8)),
            None
        );
    }

    #[test]
    fn what_is_lent_is_kept_without_a_copy_where_it_can_be() {
        let kept = |ty: Type| kept(&ty).to_token_stream().to_string().replace(' ', "");
        assert_eq!(kept(parse_quote!(str)), "::std::borrow::Cow<'_,str>");
        assert_eq!(kept(parse_quote!([f64])), "::std::borrow::Cow<'_,[f64]>");
        assert_eq!(kept(parse_quote!([Person])), "::std::vec::Vec<Person>");
        assert_eq!(kept(parse_quote!(Person)), "Person");
    }
}
