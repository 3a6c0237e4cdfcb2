//! The default values of a message's fields, as serde and the wire format have them.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Field, Fields, Ident, LitStr, Meta, Result, Type, parse_quote,
};

use crate::default_value::{self, DefaultValue, Kind};
use crate::plugin::types;
use crate::wire::attributes;

/// Returns the type with a `#[serde(default)]` for each default value, and the functions that return the values.
pub fn lower(input: &DeriveInput) -> Result<(DeriveInput, TokenStream)> {
    let mut lowered = input.clone();
    let is_typed = !attributes::is_json_only(&input.attrs)?;
    let mut functions = TokenStream::new();
    match &mut lowered.data {
        Data::Struct(data) => fields(input, &mut data.fields, "", is_typed, &mut functions)?,
        Data::Enum(data) => {
            for variant in &mut data.variants {
                if let Some(attribute) = default_value::attribute(&variant.attrs)
                    && !matches!(attribute.meta, Meta::Path(_))
                {
                    return Err(Error::new(
                        attribute.span(),
                        "a variant has no default value: write the attribute above a field",
                    ));
                }
                let name = variant.ident.to_string();
                fields(input, &mut variant.fields, &name, is_typed, &mut functions)?;
            }
        }
        Data::Union(_) => {}
    }
    Ok((lowered, functions))
}

fn fields(
    input: &DeriveInput,
    fields: &mut Fields,
    variant: &str,
    is_typed: bool,
    functions: &mut TokenStream,
) -> Result<()> {
    for field in fields {
        let Some(value) = default_value::of(&field.attrs)? else {
            continue;
        };
        let Some(name) = &field.ident else {
            return Err(Error::new(
                value.span,
                "only a field with a name can have a default value",
            ));
        };
        check(field, &value, input)?;
        let (span, ty) = (value.span, &field.ty);
        let function = format_ident!("__default_of_{variant}_{name}", span = Span::call_site());
        functions.extend(checks(&value, ty, is_typed));
        if !matches!(value.kind, Kind::OfType) {
            let lifetimes = input.generics.lifetimes().map(|param| &param.lifetime);
            let made = value.value(ty);
            // A pattern refuses a constant, which is no variant.
            let check = value.variant().map(|path| {
                quote_spanned! {span=>
                    #[allow(unreachable_patterns, reason = "it may be the only variant")]
                    match &value {
                        #path {} => {}
                        _ => {}
                    }
                }
            });
            functions.extend(quote_spanned! {span=>
                #[allow(dead_code, non_snake_case, reason = "some only check the type")]
                fn #function<#(#lifetimes),*>() -> #ty {
                    let value: #ty = #made;
                    #check
                    value
                }
            });
        }
        field.attrs.push(if value.is_of_type() {
            parse_quote!(#[serde(default)])
        } else {
            let path = LitStr::new(&function.to_string(), Span::call_site());
            parse_quote!(#[serde(default = #path)])
        });
    }
    Ok(())
}

fn check(field: &Field, value: &DefaultValue, input: &DeriveInput) -> Result<()> {
    let parsed = attributes::Field::parse(&field.attrs)?;
    let problem = if parsed.default.is_some() {
        "the field has `#[serde(default)]`, too: keep one of the two"
    } else if parsed.via.is_some() {
        "a field with `via` can't have a default value: use `#[serde(default)]`, whose value clients don't know"
    } else if parsed.flatten || parsed.skip {
        "a field with `flatten` or `skip` can't have a default value: use `#[serde(default)]`"
    } else if types::mentions_any(&field.ty, &[&format_ident!("Self")]) {
        "write the message's name instead of `Self` in the type of a field with a default value"
    } else if value.is_negative_zero() {
        "-0.0 can't be a default value, because not every language can write it: use 0.0"
    } else if mentions_parameter(&field.ty, input) {
        "a field of a generic type can't have a default value: use `#[serde(default)]`, whose value clients don't know"
    } else {
        return Ok(());
    };
    Err(Error::new(value.span, problem))
}

/// Reports whether a type contains a type parameter of the message.
fn mentions_parameter(ty: &Type, input: &DeriveInput) -> bool {
    let parameters: Vec<&Ident> = input.generics.type_params().map(|it| &it.ident).collect();
    !parameters.is_empty() && types::mentions_any(ty, &parameters)
}

/// Returns the checks of a default value that its type doesn't make. `is_typed` is whether the message has a wire format.
fn checks(value: &DefaultValue, ty: &Type, is_typed: bool) -> TokenStream {
    let span = value.span;
    let range = quote!(::rustbridge::__private::Range::<#ty>);
    let (condition, why) = match &value.kind {
        Kind::Integer(value) => (
            quote!(#range::LEAST <= #value && #value <= #range::MOST),
            format!(
                "the default value {value} is out of the range of {}",
                types::shown(ty)
            ),
        ),
        Kind::Float(value) => (
            quote!(
                -#range::MOST_FLOAT <= #value
                    && #value <= #range::MOST_FLOAT
                    // Too small a number would become 0.
                    && (#range::MOST_FLOAT > f32::MAX as f64 || #value == 0.0 || #value as f32 != 0.0)
            ),
            format!(
                "the default value {value} is out of the range of {}",
                types::shown(ty)
            ),
        ),
        Kind::Variant(path) if is_typed => (
            quote!(__wire::derive::is_enum::<#ty>()),
            format!(
                "the default value `{}` must be a variant without content: clients know no other constants",
                path.to_token_stream()
            ),
        ),
        _ => return TokenStream::new(),
    };
    quote_spanned! {span=>
        const _: () = {
            #[allow(unused_imports, reason = "numeric types have their own range")]
            use ::rustbridge::__private::AnyRange as _;
            ::core::assert!(#condition, #why);
        };
    }
}
