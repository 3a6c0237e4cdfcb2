//! The wire format of a message: the description of its type, and its reading and writing.

pub mod attributes;
mod body;
mod case;
mod client;
mod parts;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, Generics, Result, Variant};

use self::attributes::Container;
use self::body::Body;
pub use self::client::expand as expand_client;
use self::parts::{Parts, Pod};
use crate::docs;

/// Returns the implementations; nothing for a type that is marked as JSON only.
pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let container = Container::parse(&input.attrs, matches!(input.data, Data::Enum(_)))?;
    if container.json_only {
        return Ok(TokenStream::new());
    }
    implementations(input, &container)
}

/// Returns the implementations for a record that is only written.
pub fn expand_outgoing(input: &DeriveInput) -> Result<TokenStream> {
    let container = Container::parse(&input.attrs, false)?;
    let Data::Struct(data) = &input.data else {
        return Ok(TokenStream::new());
    };
    let parts = of_struct(input, &container, &data.fields)?;
    Ok(parts.outgoing(input))
}

/// Returns implementations that never run, for a type with an error.
pub fn stubs(input: &DeriveInput) -> TokenStream {
    let never = quote!(::core::unreachable!());
    Parts {
        ty: quote!(<bool as __wire::Typed>::TYPE),
        shape: None,
        name: String::new(),
        least: quote!(1),
        exact: quote!(false),
        measure: TokenStream::new(),
        put: never.clone(),
        get: never.clone(),
        get_exact: never,
        aligned: None,
        pod: None,
    }
    .implementations(input)
}

fn implementations(input: &DeriveInput, container: &Container) -> Result<TokenStream> {
    let parts = match &input.data {
        _ if container.is_converted() => converted(container, &input.generics),
        Data::Struct(data) => of_struct(input, container, &data.fields)?,
        Data::Enum(data) => {
            let variants: Vec<_> = data.variants.iter().collect();
            of_enum(input, container, &variants)?
        }
        // The caller has refused it.
        Data::Union(_) => return Ok(TokenStream::new()),
    };
    Ok(parts.implementations(input))
}

/// Returns the parts of a type that is converted to another.
fn converted(container: &Container, generics: &Generics) -> Parts {
    let (wire, into) = (container.reads(), container.into.as_ref());
    let not_pod = generics.params.is_empty().then(|| {
        quote! {
            const {
                #[allow(unused_imports, reason = "what is plain old data has its own")]
                use ::rustbridge::__private::NotPod as _;
                ::core::assert!(
                    !::rustbridge::__private::PodProbe::<Self>::IS_POD,
                    "plain old data accepts any bytes and can't use `from` or `try_from`: remove one of them"
                );
            }
        }
    });
    let convert = if container.from.is_some() {
        quote!(::core::result::Result::Ok(::core::convert::From::from(
            value
        )))
    } else {
        quote! {
            ::core::convert::TryFrom::try_from(value)
                .map_err(|error| reader.refuse(::std::string::ToString::to_string(&error)))
        }
    };
    Parts {
        ty: quote!(<#wire as __wire::Typed>::TYPE),
        shape: None,
        name: String::new(),
        least: quote!(<#wire as __wire::Typed>::LEAST),
        exact: quote!(<#wire as __wire::Typed>::EXACT),
        // How many bytes it takes is known when it's made, which is once.
        measure: TokenStream::new(),
        put: quote! {
            const {
                ::core::assert!(
                    <#wire as __wire::Typed>::LEAST == <#into as __wire::Typed>::LEAST
                        && <#wire as __wire::Typed>::EXACT == <#into as __wire::Typed>::EXACT,
                    "the types of `from` and `into` have different layouts: use one type for both"
                );
            }
            #not_pod
            let value: #into = ::core::convert::Into::into(::core::clone::Clone::clone(self));
            writer.put_converted(&value);
        },
        get: quote! {
            let value = <#wire as __wire::Decode<'de>>::get(reader)?;
            #convert
        },
        get_exact: quote! {
            // SAFETY: the caller's promise.
            let value = unsafe { <#wire as __wire::Decode<'de>>::get_exact(reader) }?;
            #convert
        },
        aligned: Some(quote!(const ALIGNED: bool = <#wire as __wire::Typed>::ALIGNED;)),
        pod: None,
    }
}

/// Returns the parts for plain old data. Only for types without parameters, because only these can be probed, and only if the
/// wire format has the same fields as the memory layout.
fn pod(input: &DeriveInput, body: &Body) -> Option<Pod> {
    let is_whole = body
        .fields
        .iter()
        .all(|field| !field.skip && field.default.is_none() && field.route.is_none());
    if !body.is_named || body.fields.is_empty() || !is_whole || !input.generics.params.is_empty() {
        return None;
    }
    let probe = quote!(::rustbridge::__private::PodProbe::<Self>);
    Some(Pod {
        aligned: quote! {
            const ALIGNED: bool = {
                #[allow(unused_imports, reason = "what is plain old data has its own")]
                use ::rustbridge::__private::NotPod as _;
                #probe::IS_POD && <Self as __wire::Typed>::LEAST == ::core::mem::size_of::<Self>()
            };
        },
        put_all: quote! {
            #[inline]
            unsafe fn put_all(items: &[Self], writer: &mut __wire::Writer) {
                #[allow(unused_imports, reason = "what is plain old data has its own")]
                use ::rustbridge::__private::NotPod as _;
                if <Self as __wire::Typed>::ALIGNED {
                    // SAFETY: the caller's promise.
                    return unsafe { #probe::put_all(items, writer) };
                }
                for item in items {
                    // SAFETY: the caller's promise.
                    unsafe { __wire::Encode::put(item, writer) };
                }
            }
        },
        get_all: quote! {
            #[inline]
            fn get_all(
                reader: &mut __wire::Reader<'de>,
                count: usize,
            ) -> ::core::result::Result<::std::vec::Vec<Self>, __wire::Fault> {
                #[allow(unused_imports, reason = "what is plain old data has its own")]
                use ::rustbridge::__private::NotPod as _;
                if <Self as __wire::Typed>::ALIGNED {
                    return #probe::get_all(reader, count);
                }
                __wire::derive::get_each(reader, count)
            }
        },
    })
}

/// Returns the parts of a client's struct that is plain old data.
fn pod_of_client() -> Pod {
    Pod {
        aligned: quote!(
            const ALIGNED: bool = true;
        ),
        put_all: quote! {
            #[inline]
            unsafe fn put_all(items: &[Self], writer: &mut __wire::Writer) {
                // SAFETY: the caller's promise.
                unsafe { __wire::derive::put_block(items, writer) }
            }
        },
        get_all: quote! {
            #[inline]
            fn get_all(
                reader: &mut __wire::Reader<'de>,
                count: usize,
            ) -> ::core::result::Result<::std::vec::Vec<Self>, __wire::Fault> {
                __wire::derive::get_block(reader, count)
            }
        },
    }
}

fn of_struct(input: &DeriveInput, container: &Container, fields: &Fields) -> Result<Parts> {
    let body = Body::parse(
        fields,
        container.fields_case,
        container.default.as_ref(),
        Some(&input.ident),
    )?;
    let present: Vec<_> = body.present().collect();
    let is_transparent = container.transparent && present.len() == 1;
    let may_be_pod = match container.pod {
        _ if is_transparent => None,
        Some(is_pod) => is_pod.then(pod_of_client),
        None => pod(input, &body),
    };
    let aligned = is_transparent.then(|| {
        let ty = &present[0].ty;
        quote!(const ALIGNED: bool = <#ty as __wire::Typed>::ALIGNED;)
    });
    let ty = if is_transparent {
        let ty = &present[0].ty;
        quote!(<#ty as __wire::Typed>::TYPE)
    } else {
        quote!(__wire::named::<Self>())
    };
    let shape = (!is_transparent).then(|| match (fields, &*present) {
        (Fields::Named(_), _) => {
            let fields = body.described();
            if may_be_pod.is_some() {
                quote! {
                    if <Self as __wire::Typed>::ALIGNED {
                        __wire::Shape::Pod(#fields)
                    } else {
                        __wire::Shape::Record(#fields)
                    }
                }
            } else {
                quote!(__wire::Shape::Record(#fields))
            }
        }
        (Fields::Unit, _) => quote!(__wire::Shape::Newtype(__wire::Type::Unit)),
        (Fields::Unnamed(all), [one]) if all.unnamed.len() == 1 => {
            let ty = &one.ty;
            quote!(__wire::Shape::Newtype(<#ty as __wire::Typed>::TYPE))
        }
        (Fields::Unnamed(_), _) => {
            let types = present.iter().map(|field| &field.ty);
            quote!(__wire::Shape::Tuple(&[#(<#types as __wire::Typed>::TYPE),*]))
        }
    });
    let pattern = body.pattern();
    let (measure, put) = (body.measure(), body.put());
    let get = body.get(&quote!(Self), false);
    let get_exact = body.get(&quote!(Self), true);
    // A transparent one isn't there, to who counts how deep a value lies.
    let (measure, get) = if is_transparent {
        (measure, get)
    } else {
        (
            quote!(measure.inside(|measure| { #measure });),
            quote!(reader.inside(|reader| { #get })),
        )
    };
    Ok(Parts {
        ty,
        shape,
        name: own_name(input, container),
        least: body.least(),
        exact: body.exact(),
        measure: quote!(let Self #pattern = self; #measure),
        put: quote!(let Self #pattern = self; #put),
        get,
        get_exact,
        aligned,
        pod: may_be_pod,
    })
}

fn of_enum(input: &DeriveInput, container: &Container, variants: &[&Variant]) -> Result<Parts> {
    let mut described = Vec::new();
    let (mut measures, mut puts, mut gets) = (Vec::new(), Vec::new(), Vec::new());
    let mut exact = true;
    let mut unknown = false;
    for variant in variants {
        if attributes::is_wire(&variant.attrs, "unknown") {
            unknown = true;
            let ident = &variant.ident;
            let why = format!(
                "`{}::{ident}` stands for an unknown variant and can't be sent",
                input.ident
            );
            measures.push(quote!(Self::#ident => measure.add(2),));
            puts.push(quote! {
                Self::#ident => {
                    writer.refuse(#why);
                    writer.put([0; 2]);
                }
            });
            gets.push(
                quote!(::core::primitive::u16::MAX => ::core::result::Result::Ok(Self::#ident),),
            );
            continue;
        }
        let attributes = attributes::Variant::parse(&variant.attrs)?;
        let ident = &variant.ident;
        let written = ident.unraw().to_string();
        if attributes.skip {
            let name = &input.ident;
            let why = format!("`{name}::{written}` can't be sent: it's marked `skip`");
            measures.push(quote!(Self::#ident { .. } => measure.add(2),));
            puts.push(quote! {
                Self::#ident { .. } => {
                    writer.refuse(#why);
                    writer.put([0; 2]);
                }
            });
            continue;
        }
        let position = described.len() as u16;
        let name = attributes.name.clone().unwrap_or_else(|| {
            container
                .variants_case
                .map_or_else(|| written.clone(), |case| case.of_variant(&written))
        });
        let fields_case = attributes.fields_case.or(container.fields_case);
        let body = Body::parse(&variant.fields, fields_case, None, None)?;
        exact &= matches!(variant.fields, Fields::Unit);
        let (pattern, measure, put) = (body.pattern(), body.measure(), body.put());
        let get = body.get(&quote!(Self::#ident), false);
        measures.push(quote!(Self::#ident #pattern => { measure.add(2); #measure }));
        puts.push(quote!(Self::#ident #pattern => { writer.put(#position.to_le_bytes()); #put }));
        gets.push(quote!(#position => { #get }));
        let content = match &variant.fields {
            Fields::Unit => quote!(__wire::Content::Unit),
            Fields::Named(_) => {
                let fields = body.described();
                quote!(__wire::Content::Fields(#fields))
            }
            Fields::Unnamed(_) => {
                let types = body.present().map(|field| &field.ty);
                quote!(__wire::Content::Tuple(&[#(<#types as __wire::Typed>::TYPE),*]))
            }
        };
        let doc = docs::text(&variant.attrs);
        described.push(
            quote!(__wire::Variant { name: #name, doc: #doc, status: "", content: #content }),
        );
    }
    let tag = match (&container.tag, &container.content) {
        _ if container.untagged => quote!(__wire::Tag::None),
        (None, _) => quote!(__wire::Tag::Outside),
        (Some(tag), None) => quote!(__wire::Tag::Inside(#tag)),
        (Some(tag), Some(content)) => quote!(__wire::Tag::Beside(#tag, #content)),
    };
    let open = container.open || unknown;
    let matched = quote! {
        match ::core::primitive::u16::from_le_bytes(unsafe { reader.take() }) {
            #(#gets)*
            _ => ::core::result::Result::Err(__wire::Fault),
        }
    };
    // An enum without variants has no value to look at.
    let (measure, put) = if variants.is_empty() {
        (quote!(match *self {}), quote!(match *self {}))
    } else {
        (
            quote!(measure.inside(|measure| match self { #(#measures)* });),
            quote!(match self { #(#puts)* }),
        )
    };
    Ok(Parts {
        ty: quote!(__wire::named::<Self>()),
        shape: Some(quote! {
            __wire::Shape::Enum(__wire::Enum { variants: &[#(#described),*], open: #open, unknown: #unknown, tag: #tag })
        }),
        name: own_name(input, container),
        least: quote!(2),
        exact: quote!(#exact),
        measure,
        put,
        get: quote! {
            reader.inside(|reader| {
                reader.need(2)?;
                // SAFETY: they are there.
                #matched
            })
        },
        get_exact: quote! {
            // SAFETY: the caller's promise.
            #matched
        },
        aligned: None,
        pod: None,
    })
}

fn own_name(input: &DeriveInput, container: &Container) -> String {
    let own = || input.ident.unraw().to_string();
    container.name.clone().unwrap_or_else(own)
}
