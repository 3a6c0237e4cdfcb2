//! `#[derive(Message)]`: serde for a type, through a shadow of it, and schemars, if rustbridge's feature `json_schema` asks for it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprLit, Fields, GenericParam, Ident, Lifetime, Lit,
    LitStr, Meta, MetaNameValue, Result, Token, parse_quote,
};

use crate::defaulted;
use crate::via::Via;

/// A derive macro can't add other derives to the item it's on. So it makes a shadow of the type with the same fields
/// and attributes, derives everything there with serde's `remote`, and forwards to it. schemars has a shadow of its own, because its
/// attributes are unknown where its feature is off.
pub fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    Ok(implementations(&input).unwrap_or_else(|error| {
        let (error, stubs) = (error.to_compile_error(), stubs(&input));
        quote!(#error #stubs)
    }))
}

fn implementations(input: &DeriveInput) -> Result<TokenStream> {
    if let Data::Union(data) = &input.data {
        return Err(syn::Error::new(
            data.union_token.span,
            "a union can't be a message; use a struct or an enum",
        ));
    }
    let (lowered, defaults) = defaulted::lower(input)?;
    let input = &lowered;
    let name = &input.ident;
    let (_, type_generics, _) = input.generics.split_for_impl();
    let remote = name.to_string();

    let mut shadow = input.clone();
    shadow.ident = Ident::new("Shadow", proc_macro2::Span::mixed_site());
    shadow.vis = syn::Visibility::Inherited;
    retain(&mut shadow.attrs);
    name_default(&mut shadow.attrs, name);
    let has_default = shadow.attrs.iter().any(is_default);
    match &mut shadow.data {
        Data::Struct(data) => {
            redirect(&mut data.fields, has_default)?;
            retain_in(&mut data.fields);
        }
        Data::Enum(data) => {
            for variant in &mut data.variants {
                retain(&mut variant.attrs);
                variant.discriminant = None;
                redirect(&mut variant.fields, false)?;
                retain_in(&mut variant.fields);
            }
        }
        Data::Union(_) => {}
    }
    let given_name = given_name(&input.attrs);
    let own_name = given_name
        .clone()
        .unwrap_or_else(|| name.unraw().to_string());
    let rename: Option<Attribute> = given_name
        .is_none()
        .then(|| parse_quote!(#[serde(rename = #own_name)]));
    let mut described = shadow.clone();
    described.ident = Ident::new("Described", proc_macro2::Span::mixed_site());
    let described_name = &described.ident;
    without_schemars(&mut shadow);
    let shadow_name = &shadow.ident;

    let serialize = impl_generics(
        input,
        None,
        &parse_quote!(::rustbridge::__private::serde::Serialize),
    );
    let deserialize = impl_generics(
        input,
        Some(&parse_quote!('de)),
        &parse_quote!(::rustbridge::__private::serde::Deserialize<'de>),
    );
    let schema = impl_generics(
        input,
        None,
        &parse_quote!(::rustbridge::__private::schemars::JsonSchema),
    );
    let (serialize, _, serialize_where) = serialize.split_for_impl();
    let (deserialize, _, deserialize_where) = deserialize.split_for_impl();
    let (schema, _, schema_where) = schema.split_for_impl();

    // A generic type's name has its parameters in it and a transparent type has that of its field, both of which schemars
    // knows; otherwise it would take the name from `remote`.
    let transparent = input
        .attrs
        .iter()
        .filter_map(nested)
        .flatten()
        .any(|meta| meta.path().is_ident("transparent"));
    let schema_name = if transparent || input.generics.type_params().next().is_some() {
        quote!(<#described_name #type_generics as schemars::JsonSchema>::schema_name())
    } else {
        quote!(::std::borrow::Cow::Borrowed(#own_name))
    };

    let wire = crate::wire::expand(input)?;

    Ok(quote! {
        const _: () = {
            use ::rustbridge::__private::{serde, wire as __wire};

            #defaults

            #wire

            #[derive(serde::Serialize, serde::Deserialize)]
            #[serde(crate = "rustbridge::__private::serde", remote = #remote)]
            #rename
            #[allow(dead_code, reason = "only its derived code is used")]
            #shadow

            #[automatically_derived]
            impl #serialize serde::Serialize for #name #type_generics #serialize_where {
                fn serialize<S: serde::Serializer>(
                    &self,
                    serializer: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    #shadow_name::serialize(self, serializer)
                }
            }

            #[automatically_derived]
            impl #deserialize serde::Deserialize<'de> for #name #type_generics #deserialize_where {
                fn deserialize<D: serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::core::result::Result<Self, D::Error> {
                    #shadow_name::deserialize(deserializer)
                }
            }

            ::rustbridge::__json_schema! { {
                use ::rustbridge::__private::schemars;

                #[derive(schemars::JsonSchema)]
                #[schemars(crate = "rustbridge::__private::schemars")]
                #[serde(remote = #remote)]
                #rename
                #[allow(dead_code, reason = "only its derived code is used")]
                #described

                #[automatically_derived]
                impl #schema schemars::JsonSchema for #name #type_generics #schema_where {
                    fn schema_name() -> ::std::borrow::Cow<'static, str> {
                        #schema_name
                    }

                    fn schema_id() -> ::std::borrow::Cow<'static, str> {
                        ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
                    }

                    fn inline_schema() -> bool {
                        <#described_name #type_generics as schemars::JsonSchema>::inline_schema()
                    }

                    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                        <#described_name #type_generics as schemars::JsonSchema>::json_schema(generator)
                    }
                }
            } }
        };
    })
}

/// Implementations that never run, after an error: without them, each use of the type would be an error as well.
fn stubs(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (generics, type_generics, clause) = input.generics.split_for_impl();
    let de = impl_generics(
        input,
        Some(&parse_quote!('de)),
        &parse_quote!(::rustbridge::__private::serde::Deserialize<'de>),
    );
    let (de, _, de_clause) = de.split_for_impl();
    let wire = crate::wire::stubs(input);
    quote! {
        const _: () = {
            use ::rustbridge::__private::{serde, wire as __wire};

            #wire

            #[automatically_derived]
            impl #generics serde::Serialize for #name #type_generics #clause {
                fn serialize<S: serde::Serializer>(
                    &self,
                    _: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    ::core::unreachable!()
                }
            }

            #[automatically_derived]
            impl #de serde::Deserialize<'de> for #name #type_generics #de_clause {
                fn deserialize<D: serde::Deserializer<'de>>(
                    _: D,
                ) -> ::core::result::Result<Self, D::Error> {
                    ::core::unreachable!()
                }
            }

            ::rustbridge::__json_schema! { {
                use ::rustbridge::__private::schemars;

                #[automatically_derived]
                impl #generics schemars::JsonSchema for #name #type_generics #clause {
                    fn schema_name() -> ::std::borrow::Cow<'static, str> {
                        ::core::unreachable!()
                    }

                    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                        ::core::unreachable!()
                    }
                }
            } }
        };
    }
}

fn retain(attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| {
        ["serde", "schemars", "doc", "cfg"]
            .iter()
            .any(|kept| attribute.path().is_ident(kept))
    });
}

fn retain_in(fields: &mut Fields) {
    for field in fields {
        retain(&mut field.attrs);
    }
}

/// Removes the attributes for schemars.
fn without_schemars(shadow: &mut DeriveInput) {
    let remove = |attributes: &mut Vec<Attribute>| {
        attributes.retain(|attribute| !attribute.path().is_ident("schemars"));
    };
    remove(&mut shadow.attrs);
    match &mut shadow.data {
        Data::Struct(data) => data
            .fields
            .iter_mut()
            .for_each(|field| remove(&mut field.attrs)),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                remove(&mut variant.attrs);
                variant
                    .fields
                    .iter_mut()
                    .for_each(|field| remove(&mut field.attrs));
            }
        }
        Data::Union(_) => {}
    }
}

/// Has serde and schemars go by another type where a field says so.
fn redirect(fields: &mut Fields, has_default: bool) -> Result<()> {
    for field in fields {
        let Some(goes_as) = crate::wire::attributes::via(&field.attrs)? else {
            continue;
        };
        let Via {
            route,
            seen,
            is_option,
            span,
        } = Via::new(&field.ty, &goes_as);
        let of_route = quote!(::rustbridge::__private::via::Serde::<#route>);
        // Where they lie is where what is wrong with them is told.
        let text = |tokens: TokenStream| LitStr::new(&tokens.to_string(), span);
        let serialize = text(quote!(#of_route::serialize));
        let deserialize = text(quote!(#of_route::deserialize));
        let seen = text(quote!(#seen));
        // Of an option, serde knows by itself that it may be left out, unless it's read by a function.
        let default = (is_option && !has_default && !field.attrs.iter().any(is_default))
            .then(|| quote!(default,));
        field.attrs.push(parse_quote! {
            #[serde(#default serialize_with = #serialize, deserialize_with = #deserialize)]
        });
        field.attrs.push(parse_quote!(#[schemars(with = #seen)]));
    }
    Ok(())
}

/// Whether an attribute of serde's says what there is if nothing is given.
fn is_default(attribute: &Attribute) -> bool {
    let metas = nested(attribute).into_iter().flatten();
    metas
        .into_iter()
        .any(|meta| meta.path().is_ident("default"))
}

/// The name that the container's attributes give it, for reading if it has two.
fn given_name(attributes: &[Attribute]) -> Option<String> {
    let text = |pair: &MetaNameValue| match &pair.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    };
    let metas = attributes.iter().filter_map(nested).flatten();
    metas
        .filter(|meta| meta.path().is_ident("rename"))
        .find_map(|meta| match meta {
            Meta::NameValue(pair) => text(&pair),
            Meta::List(list) => list
                .parse_args_with(Punctuated::<MetaNameValue, Token![,]>::parse_terminated)
                .ok()?
                .iter()
                .find(|pair| pair.path.is_ident("deserialize"))
                .and_then(text),
            Meta::Path(_) => None,
        })
}

/// Writes `#[serde(default)]` on the container out as a path, because it is the type and not its shadow that has a
/// default.
fn name_default(attributes: &mut [Attribute], name: &Ident) {
    for attribute in attributes {
        let Some(mut metas) = nested(attribute) else {
            continue;
        };
        for meta in &mut metas {
            if matches!(meta, Meta::Path(path) if path.is_ident("default")) {
                let path = format!("<{name} as ::core::default::Default>::default");
                *meta = parse_quote!(default = #path);
            }
        }
        let path = attribute.path().clone();
        *attribute = parse_quote!(#[#path(#metas)]);
    }
}

/// What's inside `#[serde(..)]` or `#[schemars(..)]`. What doesn't parse here is for serde to complain about.
fn nested(attribute: &Attribute) -> Option<Punctuated<Meta, Token![,]>> {
    if attribute.path().is_ident("serde") || attribute.path().is_ident("schemars") {
        attribute.parse_args_with(Punctuated::parse_terminated).ok()
    } else {
        None
    }
}

/// The generics of an implementation: the type's own, each type parameter bound by `bound`, and `'de`, which outlives
/// the type's lifetimes because fields may borrow.
fn impl_generics(input: &DeriveInput, de: Option<&Lifetime>, bound: &syn::Path) -> syn::Generics {
    let mut generics = input.generics.clone();
    let types: Vec<_> = generics
        .type_params()
        .map(|param| param.ident.clone())
        .collect();
    let lifetimes: Vec<_> = generics
        .lifetimes()
        .map(|param| param.lifetime.clone())
        .collect();
    let clause = generics.make_where_clause();
    for ident in types {
        clause.predicates.push(parse_quote!(#ident: #bound));
    }
    if let Some(de) = de {
        for lifetime in lifetimes {
            clause.predicates.push(parse_quote!(#de: #lifetime));
        }
        generics
            .params
            .insert(0, GenericParam::Lifetime(parse_quote!(#de)));
    }
    generics
}
