//! `#[derive(StatusError)]`: from an author's error type to a status with details.

mod from_host;

use crate::codes::CODES;
use crate::docs;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Error, Field, Fields, Ident, Result};

struct StatusAttribute {
    code: Option<Ident>,
    skip: bool,
    /// The variant is the error that it holds.
    transparent: Option<Span>,
}

/// One variant, or the struct itself.
struct Arm {
    pattern: TokenStream,
    type_name: String,
    status: TokenStream,
    /// The status's name; empty for another error's.
    code: &'static str,
    /// Whether it's the error in its only field.
    is_transparent: bool,
    inserts: Vec<TokenStream>,
    /// The field that is the error's source.
    source: Option<Ident>,
    /// The same on the wire.
    fields: Vec<Detail>,
    /// Whether they are all its fields, with their own types.
    is_whole: bool,
    /// Whether they have names.
    is_named: bool,
    doc: String,
    /// The variant's name.
    variant: String,
}

/// A field that callers see.
struct Detail {
    name: String,
    binding: Ident,
    ty: TokenStream,
    doc: String,
    /// Whether it goes as text.
    is_text: bool,
}

pub fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let own = parse(&input.attrs)?;
    let is_enum = matches!(input.data, Data::Enum(_));
    let arms = match &input.data {
        Data::Struct(_) if let Some(span) = own.transparent => {
            return Err(Error::new(
                span,
                "`transparent` is for a variant of an enum",
            ));
        }
        Data::Struct(data) => vec![arm(
            quote!(#name),
            name.to_string(),
            name.span(),
            own,
            &data.fields,
            &input.attrs,
        )?],
        Data::Enum(data) => {
            // A status on the enum is the default of its variants.
            let default = own.code;
            let mut arms = Vec::new();
            let mut errors: Option<Error> = None;
            for variant in &data.variants {
                let ident = &variant.ident;
                let made = parse(&variant.attrs).and_then(|mut attribute| {
                    if attribute.transparent.is_none() {
                        attribute.code = attribute.code.or_else(|| default.clone());
                    }
                    arm(
                        quote!(#name::#ident),
                        format!("{name}.{ident}"),
                        ident.span(),
                        attribute,
                        &variant.fields,
                        &variant.attrs,
                    )
                });
                match (made, &mut errors) {
                    (Ok(arm), _) => arms.push(arm),
                    (Err(error), Some(errors)) => errors.combine(error),
                    (Err(error), none) => *none = Some(error),
                }
            }
            if let Some(errors) = errors {
                return Err(errors);
            }
            arms
        }
        Data::Union(data) => {
            return Err(Error::new(
                data.union_token.span,
                "a union can't be an error; use a struct or an enum",
            ));
        }
    };

    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let patterns: Vec<_> = arms.iter().map(|arm| &arm.pattern).collect();
    let type_names = arms.iter().map(|arm| &arm.type_name);
    let statuses = arms.iter().map(|arm| &arm.status);
    let inserts = arms.iter().map(|arm| &arm.inserts);
    let cause = cause(&arms);
    let (typed, from_host, into_fields) = match input.generics.params.is_empty() {
        true => (
            typed(&input, &arms, is_enum),
            Some(from_host::implementation(name, &arms, is_enum)),
            quote!(::rustbridge::__private::KeepProbe::<Self>::fields(this)),
        ),
        // What lives as long as something else isn't kept, and what has parameters isn't one type.
        false => (
            None,
            None,
            quote!(::rustbridge::__private::Fields::now(&this)),
        ),
    };
    let into_fields = kept(&arms, &into_fields);
    // An enum without variants has no value to ask.
    let never = arms
        .is_empty()
        .then(|| quote!(_ => ::core::unreachable!(),));
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables, reason = "not every arm of the match uses every field")]
        impl #impl_generics ::rustbridge::StatusError for #name #type_generics #where_clause {
            fn status(&self) -> ::rustbridge::Status {
                match self {
                    #(#patterns => #statuses,)*
                    #never
                }
            }

            fn type_name(&self) -> &'static str {
                match self {
                    #(#patterns => #type_names,)*
                    #never
                }
            }

            fn details(
                &self,
            ) -> ::rustbridge::__private::serde_json::Map<
                ::std::string::String,
                ::rustbridge::__private::serde_json::Value,
            > {
                let mut details = ::rustbridge::__private::serde_json::Map::new();
                match self {
                    #(#patterns => { #(#inserts)* })*
                    #never
                }
                details
            }

            #cause

            #into_fields
        }

        #typed

        #from_host
    })
}

/// The name of the host's exception that the error's source was made from, if a variant has a source.
fn cause(arms: &[Arm]) -> Option<TokenStream> {
    if arms.iter().all(|arm| arm.source.is_none()) {
        return None;
    }
    let arms = arms.iter().map(|arm| {
        let pattern = &arm.pattern;
        match &arm.source {
            Some(source) => {
                quote!(#pattern => ::rustbridge::__private::CauseProbe(#source).name(),)
            }
            None => quote!(#pattern => ::core::option::Option::None,),
        }
    });
    Some(quote! {
        fn host_cause(&self) -> ::core::option::Option<&str> {
            #[allow(unused_imports, reason = "an error of the plugin's has its own")]
            use ::rustbridge::__private::NoCause as _;
            match self {
                #(#arms)*
            }
        }
    })
}

/// Keeps the error as it is, if that's possible, or passes on the one that it holds.
fn kept(arms: &[Arm], own: &TokenStream) -> TokenStream {
    let transparent: Vec<_> = arms
        .iter()
        .filter(|arm| arm.is_transparent)
        .map(|arm| &arm.pattern)
        .collect();
    let is_transparent = (!transparent.is_empty()).then(|| {
        quote! {
            #[allow(unused_variables, unreachable_patterns, reason = "what it holds isn't looked at")]
            fn is_transparent(&self) -> bool {
                match self {
                    #(#transparent => true,)*
                    _ => false,
                }
            }
        }
    });
    quote! {
        #is_transparent

        fn into_fields(self) -> ::rustbridge::__private::Fields {
            #[allow(unused_imports, reason = "what can be kept has its own")]
            use ::rustbridge::__private::NotKept as _;
            #[allow(unreachable_patterns, reason = "there may be no other variants")]
            let this = match self {
                #(#transparent => return ::rustbridge::__private::Fields::transparent(
                    ::rustbridge::__private::Transparent::into_error(field_0)
                ),)*
                this => this,
            };
            #own
        }
    }
}

/// What it is in the wire form.
fn typed(input: &DeriveInput, arms: &[Arm], is_enum: bool) -> Option<TokenStream> {
    // Those that are passed on go as what they are.
    let transparent = arms
        .iter()
        .filter(|arm| arm.is_transparent)
        .map(|arm| &arm.pattern)
        .collect::<Vec<_>>();
    if !transparent.is_empty() && transparent.len() == arms.len() {
        return None;
    }
    let has_no_fields = quote!(::core::result::Result::Err(
        ::rustbridge::__private::wire::Unwritable::Refused("it's another error")
    ));
    let arms: Vec<_> = arms.iter().filter(|arm| !arm.is_transparent).collect();
    let name = &input.ident;
    let text = name.unraw().to_string();
    let doc = docs::text(&input.attrs);
    let types = arms
        .iter()
        .flat_map(|arm| arm.fields.iter().map(|field| &field.ty));
    let mut consts = Vec::new();
    let mut variants = Vec::new();
    let mut writes = Vec::new();
    for (place, arm) in arms.iter().enumerate() {
        let Arm {
            pattern,
            fields,
            doc,
            variant,
            code,
            ..
        } = arm;
        let content = format_ident!("CONTENT_{}", place);
        let ty = |field: &Detail| {
            let ty = &field.ty;
            quote!(::rustbridge::__private::field_type(::rustbridge::__private::FieldProbe::<#ty>::TYPE))
        };
        let (kind, shape) = match (fields.is_empty(), arm.is_named) {
            (true, _) if is_enum => (None, quote!(wire::Content::Unit)),
            (_, true) | (true, _) => {
                let fields = fields.iter().map(|field| {
                    let (name, doc, ty) = (&field.name, &field.doc, ty(field));
                    quote!(wire::Field { name: #name, doc: #doc, ty: #ty, default: false, default_value: ::core::option::Option::None, flatten: false })
                });
                (
                    Some(quote!(const #content: &[wire::Field] = &[#(#fields),*];)),
                    match is_enum {
                        true => quote!(wire::Content::Fields(#content)),
                        false => quote!(wire::Shape::Record(#content)),
                    },
                )
            }
            (false, false) => {
                let types = fields.iter().map(ty);
                (
                    Some(quote!(const #content: &[wire::Type] = &[#(#types),*];)),
                    match is_enum {
                        true => quote!(wire::Content::Tuple(#content)),
                        false => quote!(wire::Shape::Tuple(#content)),
                    },
                )
            }
        };
        consts.extend(kind);
        variants.push(match is_enum {
            true => {
                quote!(wire::Variant { name: #variant, doc: #doc, status: #code, content: #shape })
            }
            false => shape,
        });
        let tag = is_enum.then(|| {
            // An enum of more can't be described, and isn't.
            let place = place as u16;
            quote!(writer.message(&#place)?;)
        });
        let fields = fields.iter().map(|field| {
            let Detail {
                binding,
                ty,
                is_text,
                ..
            } = field;
            let value = match is_text {
                true => quote!(&::std::string::ToString::to_string(#binding)),
                false => quote!(#binding),
            };
            quote!(::rustbridge::__private::FieldProbe::<#ty>::write(#value, writer)?;)
        });
        writes.push(quote!(#pattern => { #tag #(#fields)* }));
    }
    let status = match &*arms {
        [arm] if !is_enum => arm.code,
        _ => "",
    };
    let shape = match is_enum {
        true => {
            consts.push(quote!(const VARIANTS: &[wire::Variant] = &[#(#variants),*];));
            quote!(wire::Shape::Enum(wire::Enum {
                variants: VARIANTS,
                open: false,
                unknown: false,
                tag: wire::Tag::Outside,
            }))
        }
        false => quote!(#(#variants)*),
    };
    let never = arms
        .is_empty()
        .then(|| quote!(_ => ::core::unreachable!(),));
    Some(quote! {
        #[automatically_derived]
        #[allow(unused_variables, unused_imports, reason = "an error may have no fields")]
        impl ::rustbridge::__private::TypedError for #name {
            const DEFINITION: ::core::option::Option<::rustbridge::__private::wire::Definition> = {
                use ::rustbridge::__private::{NoWireForm as _, NotMessage as _, wire};
                #(#consts)*
                if ::rustbridge::__private::MessageProbe::<#name>::IS_MESSAGE
                    #(|| ::rustbridge::__private::FieldProbe::<#types>::TYPE.is_none())*
                {
                    ::core::option::Option::None
                } else {
                    ::core::option::Option::Some(wire::Definition {
                        name: #text,
                        path: ::core::concat!(
                            ::core::module_path!(), "::", ::core::stringify!(#name),
                            ":", ::core::line!(), ":", ::core::column!(), ":error"
                        ),
                        arguments: &[],
                        doc: #doc,
                        status: #status,
                        shape: #shape,
                    })
                }
            };

            fn write(
                &self,
                writer: &mut ::rustbridge::__private::wire::Writer,
            ) -> ::core::result::Result<(), ::rustbridge::__private::wire::Unwritable> {
                use ::rustbridge::__private::NoWireForm as _;
                match self {
                    #(#writes)*
                    #(#transparent => return #has_no_fields,)*
                    #never
                }
                ::core::result::Result::Ok(())
            }
        }
    })
}

fn arm(
    path: TokenStream,
    type_name: String,
    span: Span,
    attribute: StatusAttribute,
    fields: &Fields,
    attributes: &[Attribute],
) -> Result<Arm> {
    if let Some(span) = attribute.transparent {
        if fields.len() != 1 || attribute.code.is_some() {
            return Err(Error::new(
                span,
                format!(
                    "`{type_name}` is `transparent`, so it must hold exactly one error, and no other status"
                ),
            ));
        }
    } else if attribute.code.is_none() {
        let known: Vec<_> = CODES.iter().map(|(code, _)| *code).collect();
        return Err(Error::new(
            span,
            format!(
                "`{type_name}` needs a status: `#[status(NOT_FOUND)]`, or `#[status(transparent)]` for that of the error in it; the codes are {}",
                known.join(", ")
            ),
        ));
    }
    let is_transparent = attribute.transparent.is_some();
    let status = match &attribute.code {
        Some(code) => quote!(::rustbridge::Status::#code),
        None => quote!(::rustbridge::__private::Transparent::status(field_0)),
    };
    let variant = type_name.rsplit('.').next().unwrap_or_default().to_owned();
    let bindings: Vec<_> = (0..fields.len())
        .map(|index| format_ident!("field_{}", index))
        .collect();
    let pattern = match fields {
        Fields::Named(named) => {
            let idents = named.named.iter().map(|field| &field.ident);
            quote!(#path { #(#idents: #bindings),* })
        }
        Fields::Unnamed(_) => quote!(#path(#(#bindings),*)),
        Fields::Unit => path,
    };
    let mut inserts = Vec::new();
    let mut details = Vec::new();
    let source = fields
        .iter()
        .zip(&bindings)
        .find(|(field, _)| is_source(field))
        .map(|(_, binding)| binding.clone());
    for (index, (field, binding)) in fields.iter().zip(&bindings).enumerate() {
        if is_transparent || attribute.skip || parse(&field.attrs)?.skip {
            continue;
        }
        let key = match &field.ident {
            Some(ident) => ident.unraw().to_string(),
            None => index.to_string(),
        };
        let ty = &field.ty;
        details.push(Detail {
            name: key.clone(),
            binding: binding.clone(),
            ty: match is_source(field) {
                true => quote!(::std::string::String),
                false => quote!(#ty),
            },
            doc: docs::text(&field.attrs),
            is_text: is_source(field),
        });
        inserts.push(if is_source(field) {
            quote! {
                details.insert(#key.to_owned(), ::std::string::ToString::to_string(#binding).into());
            }
        } else {
            quote!(::rustbridge::__private::insert_detail(&mut details, #key, #binding);)
        });
    }
    let is_whole = !is_transparent
        && details.len() == fields.len()
        && details.iter().all(|detail| !detail.is_text);
    let code = CODES
        .iter()
        .find(|(_, variant)| attribute.code.as_ref().is_some_and(|code| code == variant));
    Ok(Arm {
        pattern,
        type_name,
        status,
        code: code.map_or("", |(name, _)| name),
        is_transparent,
        inserts,
        source: source.filter(|_| !is_transparent),
        fields: details,
        is_whole,
        is_named: matches!(fields, Fields::Named(_)),
        doc: docs::text(attributes),
        variant,
    })
}

/// Whether `thiserror` takes the field for the error's cause, or for where it was.
fn is_source(field: &Field) -> bool {
    field.ident.as_ref().is_some_and(|ident| ident == "source")
        || field.attrs.iter().any(|attribute| {
            ["source", "from"]
                .iter()
                .any(|name| attribute.path().is_ident(name))
        })
}

fn parse(attributes: &[Attribute]) -> Result<StatusAttribute> {
    let mut parsed = StatusAttribute {
        code: None,
        skip: false,
        transparent: None,
    };
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("status"))
    {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("skip") {
                parsed.skip = true;
                return Ok(());
            }
            if meta.path.is_ident("transparent") {
                parsed.transparent = Some(
                    meta.path
                        .get_ident()
                        .map_or_else(Span::call_site, Ident::span),
                );
                return Ok(());
            }
            let code = meta
                .path
                .get_ident()
                .map(ToString::to_string)
                .unwrap_or_default();
            match CODES.iter().find(|(name, _)| *name == code) {
                Some((_, variant)) if parsed.code.is_none() => {
                    parsed.code = Some(Ident::new(variant, Span::mixed_site()));
                    Ok(())
                }
                Some(_) => Err(meta.error("the status is specified twice")),
                None if code == "OK" => Err(meta.error("an error can't have the status OK")),
                None => {
                    let known: Vec<_> = CODES.iter().map(|(code, _)| *code).collect();
                    Err(meta.error(format!(
                        "unknown status; the codes are {}",
                        known.join(", ")
                    )))
                }
            }
        })?;
    }
    Ok(parsed)
}
