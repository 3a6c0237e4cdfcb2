//! `#[derive(Pod)]`: the checks that a struct is plain, and its layout.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Result};

pub fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(
            name.span(),
            "only a struct can be plain old data: an enum has invalid bit patterns",
        ));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new(
            input.generics.span(),
            "plain old data can't be generic, because its layout must be one and the same for every host",
        ));
    }
    let fields = match &data.fields {
        Fields::Named(fields) => &fields.named,
        other => {
            return Err(Error::new(
                if matches!(other, Fields::Unit) {
                    name.span()
                } else {
                    other.span()
                },
                "plain old data needs named fields, because hosts get the layout by name",
            ));
        }
    };
    if fields.is_empty() {
        return Err(Error::new(
            name.span(),
            "plain old data needs at least one field; for a method without a request, omit the parameter",
        ));
    }
    check_repr(&input)?;

    let text = name.to_string();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let names = fields.iter().map(|field| {
        let name = field.ident.as_ref();
        name.map_or_else(String::new, |name| name.unraw().to_string())
    });
    // Each with its field's place, so that the compiler points there.
    let checks = fields.iter().map(|field| {
        let ty = &field.ty;
        quote_spanned!(ty.span()=> is_pod::<#ty>();)
    });
    let padding = format!(
        "`{text}` has padding, whose bytes are undefined: order the fields by falling size, or add \
         `reserved: [u8; N]` fields where the padding is"
    );
    let padding = quote_spanned! {name.span()=>
        const _: () = ::core::assert!(
            ::core::mem::size_of::<#name>() == #(::core::mem::size_of::<#types>())+*,
            #padding
        );
    };

    Ok(quote! {
        const _: () = {
            const fn is_pod<T: ::rustbridge::Pod>() {}
            const _: () = { #(#checks)* };
            #padding

            #[automatically_derived]
            impl ::core::clone::Clone for #name {
                #[inline]
                fn clone(&self) -> Self {
                    *self
                }
            }

            #[automatically_derived]
            impl ::core::marker::Copy for #name {}

            // SAFETY: a struct of fields of which each may be all zeros.
            #[automatically_derived]
            unsafe impl ::rustbridge::__private::bytemuck::Zeroable for #name {}

            // SAFETY: checked above: repr(C), every field is plain old data, and no padding between them.
            #[automatically_derived]
            unsafe impl ::rustbridge::__private::bytemuck::Pod for #name {}

            #[automatically_derived]
            impl ::rustbridge::Pod for #name {
                const LAYOUT: ::rustbridge::Layout = ::rustbridge::Layout::of_struct::<#name>(
                    #text,
                    &[#(::rustbridge::Field::new::<#types>(
                        #names,
                        ::core::mem::offset_of!(#name, #idents),
                    )),*],
                );
            }
        };
    })
}

fn check_repr(input: &DeriveInput) -> Result<()> {
    let mut c = false;
    for attribute in input
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("repr"))
    {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("C") {
                c = true;
            } else if meta.path.is_ident("packed") {
                return Err(meta.error(
                    "packed structs can't be plain old data here: references to their fields may be misaligned",
                ));
            }
            if meta.input.peek(syn::token::Paren) {
                let inner;
                syn::parenthesized!(inner in meta.input);
                inner.parse::<TokenStream>()?;
            }
            Ok(())
        })?;
    }
    if c {
        Ok(())
    } else {
        Err(Error::new(
            input.ident.span(),
            "plain old data needs `#[repr(C)]`, because Rust's own layout may differ from build to build",
        ))
    }
}
