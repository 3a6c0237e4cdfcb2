//! `#[derive(StatusError)]`: from an author's error type to a status with details.

mod arm;
mod from_host;

use self::arm::{Arm, Detail, arm, parse};
use crate::docs;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Error, Result};

pub fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    Ok(implementations(&input).unwrap_or_else(|error| {
        let (error, stub) = (error.to_compile_error(), stub(&input));
        quote!(#error #stub)
    }))
}

/// Returns an implementation that does nothing. Uses of the type elsewhere aren't further errors.
fn stub(input: &DeriveInput) -> TokenStream {
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let from_host = input.generics.params.is_empty().then(|| {
        quote! {
            #[automatically_derived]
            impl ::rustbridge::__private::FromHost for #name {
                fn from_host(_: &::rustbridge::Error) -> ::core::option::Option<Self> {
                    ::core::unreachable!()
                }
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ::rustbridge::StatusError for #name #type_generics #where_clause {
            fn status(&self) -> ::rustbridge::Status {
                ::core::unreachable!()
            }

            fn type_name(&self) -> &'static str {
                ::core::unreachable!()
            }

            fn details(
                &self,
            ) -> ::rustbridge::__private::serde_json::Map<
                ::std::string::String,
                ::rustbridge::__private::serde_json::Value,
            > {
                ::core::unreachable!()
            }
        }

        #from_host
    }
}

fn implementations(input: &DeriveInput) -> Result<TokenStream> {
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
            typed(input, &arms, is_enum),
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
                #[allow(unused_imports, reason = "an error with a status has its own")]
                use ::rustbridge::__private::OtherSource as _;
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

            #[allow(unused_variables, unreachable_patterns, reason = "there may be no other variants")]
            fn payload(&self) -> ::rustbridge::__private::serde_json::Value {
                match self {
                    #(#transparent => ::rustbridge::__private::Transparent::payload(field_0),)*
                    _ => ::rustbridge::__private::payload(self),
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

/// Replaces `Self`, which items in a function or constant can't use, by the type's name.
fn without_self(ty: TokenStream, name: &Ident) -> TokenStream {
    let replace = |token: TokenTree| match token {
        TokenTree::Ident(ident) if ident == "Self" => TokenTree::Ident(name.clone()),
        TokenTree::Group(group) => {
            let inside = without_self(group.stream(), name);
            let mut replaced = Group::new(group.delimiter(), inside);
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        token => token,
    };
    ty.into_iter().map(replace).collect()
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
        let ty = |Detail { ty, source, .. }: &Detail| match source {
            Some(source) => {
                let source = without_self(source.clone(), name);
                quote!(::rustbridge::__private::source_type(
                    ::rustbridge::__private::SourceProbe::<#source>::TYPE
                ))
            }
            None => {
                let ty = without_self(ty.clone(), name);
                quote!(::rustbridge::__private::field_type(
                    ::rustbridge::__private::FieldProbe::<#ty>::TYPE
                ))
            }
        };
        let (kind, shape) = match (fields.is_empty(), arm.is_named) {
            (true, _) if is_enum => (None, quote!(__wire::Content::Unit)),
            (_, true) | (true, _) => {
                let fields = fields.iter().map(|field| {
                    let (name, doc, ty) = (&field.name, &field.doc, ty(field));
                    quote!(__wire::Field { name: #name, doc: #doc, ty: #ty, default: false, default_value: ::core::option::Option::None, flatten: false })
                });
                (
                    Some(quote!(const #content: &[__wire::Field] = &[#(#fields),*];)),
                    match is_enum {
                        true => quote!(__wire::Content::Fields(#content)),
                        false => quote!(__wire::Shape::Record(#content)),
                    },
                )
            }
            (false, false) => {
                let types = fields.iter().map(ty);
                (
                    Some(quote!(const #content: &[__wire::Type] = &[#(#types),*];)),
                    match is_enum {
                        true => quote!(__wire::Content::Tuple(#content)),
                        false => quote!(__wire::Shape::Tuple(#content)),
                    },
                )
            }
        };
        consts.extend(kind);
        variants.push(match is_enum {
            true => {
                quote!(__wire::Variant { name: #variant, doc: #doc, status: #code, content: #shape })
            }
            false => shape,
        });
        let tag = is_enum.then(|| {
            // An enum of more can't be described, and isn't.
            let place = place as u16;
            quote!(writer.message(&#place)?;)
        });
        let fields = fields.iter().map(|Detail { binding, ty, source, .. }| {
            let write = |value: TokenStream| {
                quote!(::rustbridge::__private::FieldProbe::<#ty>::write(#value, writer)?;)
            };
            let Some(source) = source else {
                return write(quote!(#binding));
            };
            let text = write(quote!(&::std::string::ToString::to_string(#binding)));
            quote! {
                if ::rustbridge::__private::SourceProbe::<#source>::TYPE.is_some() {
                    ::rustbridge::__private::SourceProbe::<#source>::write(#binding, writer)?;
                } else {
                    #text
                }
            }
        });
        writes.push(quote!(#pattern => { #tag #(#fields)* }));
    }
    let status = match &*arms {
        [arm] if !is_enum => arm.code,
        _ => "",
    };
    let shape = match is_enum {
        true => {
            consts.push(quote!(const VARIANTS: &[__wire::Variant] = &[#(#variants),*];));
            quote!(__wire::Shape::Enum(__wire::Enum {
                variants: VARIANTS,
                open: false,
                unknown: false,
                tag: __wire::Tag::Outside,
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
                use ::rustbridge::__private::{NoWireForm as _, NotMessage as _, NotTyped as _, wire as __wire};
                #(#consts)*
                if ::rustbridge::__private::MessageProbe::<#name>::IS_MESSAGE
                    #(|| ::rustbridge::__private::FieldProbe::<#types>::TYPE.is_none())*
                {
                    ::core::option::Option::None
                } else {
                    ::core::option::Option::Some(__wire::Definition {
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
                use ::rustbridge::__private::{NoWireForm as _, NotTyped as _};
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
