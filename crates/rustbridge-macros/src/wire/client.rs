//! `#[derive(Wire)]`: the wire format of the types of a generated Rust client.
//!
//! `rustbridge gen` writes these types. They have no JSON encoding, so they use their own attributes, which `Wire`
//! documents.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Ident, Meta, Result, parse_quote};

use super::attributes::{Container, metas};

pub fn expand(item: TokenStream) -> Result<TokenStream> {
    let mut input: DeriveInput = syn::parse2(item)?;
    let is_pod = take(&mut input.attrs, "pod")?;
    match &mut input.data {
        Data::Struct(data) => renamed(&mut data.fields)?,
        Data::Enum(data) => {
            for variant in &mut data.variants {
                rename(&mut variant.attrs, &["unknown"])?;
                renamed(&mut variant.fields)?;
            }
        }
        Data::Union(_) => {
            return Err(Error::new_spanned(
                &input.ident,
                "a union can't be encoded in the wire format",
            ));
        }
    }
    let mut container = Container::parse(&input.attrs, matches!(input.data, Data::Enum(_)))?;
    container.pod = Some(is_pod);
    let plain = is_pod.then(|| plain(&input)).transpose()?;
    let wire = super::implementations(&input, &container)?;
    Ok(quote! {
        const _: () = {
            use ::rustbridge_host::typed::wire as __wire;
            #plain
            #wire
        };
    })
}

/// Removes the `#[wire(..)]` attributes of a type, and converts `rename` to the attribute that the wire format reads.
/// Returns whether `flag` is set.
fn take(attributes: &mut Vec<Attribute>, flag: &str) -> Result<bool> {
    let found = rename(attributes, &[flag])?;
    attributes.retain(|attribute| !attribute.path().is_ident("wire"));
    Ok(found)
}

fn renamed(fields: &mut Fields) -> Result<()> {
    for field in fields {
        rename(&mut field.attrs, &["default"])?;
    }
    Ok(())
}

/// Converts `rename` to the attribute that messages use. Returns whether one of the flags is set.
fn rename(attributes: &mut Vec<Attribute>, flags: &[&str]) -> Result<bool> {
    let mut has_flag = false;
    for meta in metas(attributes, "wire")? {
        match &meta {
            Meta::NameValue(pair) if pair.path.is_ident("rename") => {
                let name = &pair.value;
                attributes.push(parse_quote!(#[serde(rename = #name)]));
            }
            // The value of an absent field, which the attributes of fields read.
            Meta::NameValue(pair)
                if pair.path.is_ident("default") && flags.contains(&"default") => {}
            Meta::Path(path) if flags.iter().any(|flag| path.is_ident(flag)) => has_flag = true,
            _ => return Err(Error::new_spanned(meta, "expected `rename = \"..\"`")),
        }
    }
    Ok(has_flag)
}

/// Returns the implementation of plain old data for a struct, with its checks.
fn plain(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        _ => {
            return Err(Error::new_spanned(
                name,
                "only a struct can be plain old data",
            ));
        }
    };
    let is_c = input.attrs.iter().any(|attribute| {
        let layout = attribute.parse_args::<Ident>();
        attribute.path().is_ident("repr") && layout.is_ok_and(|layout| layout == "C")
    });
    if !is_c {
        return Err(Error::new_spanned(
            name,
            "plain old data must have the layout of C: write `#[repr(C)]` above it",
        ));
    }
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    Ok(quote! {
        const fn is_pod<T: __wire::derive::Pod>() {}
        const _: () = {
            #(is_pod::<#types>();)*
            ::core::assert!(
                ::core::mem::size_of::<#name>() == 0 #(+ ::core::mem::size_of::<#types>())*,
                "plain old data must not have padding"
            );
        };

        // SAFETY: a struct of fields of which each may be all zeros.
        #[automatically_derived]
        unsafe impl __wire::derive::Zeroable for #name {}

        // SAFETY: checked above: repr(C), every field is plain old data, and no padding between them.
        #[automatically_derived]
        unsafe impl __wire::derive::Pod for #name {}
    })
}
