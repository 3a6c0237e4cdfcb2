//! `#[plugin]`: from an `impl` block to a plugin.

pub mod arguments;
pub mod attribute;
mod checks;
mod create;
pub mod group;
mod method;
mod signature;
mod start;
pub mod types;

pub use attribute::MethodAttribute;
use attribute::{DEFAULT, Mask, PluginAttribute};
pub use group::Group;
pub use method::{Method, Receiver};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, ImplItem, ItemImpl, Result, Type, Visibility};

use crate::block::{self, BlockKind};
use crate::default_value::{self, NOT_CALLED};
use crate::docs;

pub fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let on = BlockKind {
        attribute: "#[plugin]",
        example: "Hello",
        has_classes: false,
        generic: "a plugin can't be generic: a library exports one type",
    };
    let make = |item: &ItemImpl| plugin(&PluginAttribute::parse(attribute)?, item);
    block::expand(&on, item, make, |_| TokenStream::new())
}

fn plugin(attribute: &PluginAttribute, item: &ItemImpl) -> Result<TokenStream> {
    let this = &*item.self_ty;
    let offered = attribute
        .encodings
        .as_ref()
        .map_or(DEFAULT, attribute::mask);
    let available = attribute.encodings.as_ref().map(attribute::available);
    let (create, methods) = parts(item, this, offered)?;
    let groups = group::of(&methods)?;

    let handlers = methods
        .iter()
        .map(|method| method.expand(this, Receiver::Plugin));
    let overlaps = groups.iter().map(group::overlaps);
    let infos = groups.iter().map(Group::info);
    let objects = &attribute.objects;
    let listed = methods.iter().flat_map(Method::objects).map(|object| {
        let shown = types::shown(object);
        let why = format!(
            "the plugin's methods have objects of the type {shown}, which `#[plugin]` doesn't list: add it to `objects(..)`, or its trait to `callbacks(..)`"
        );
        quote_spanned! {object.span()=>
            const _: () = ::core::assert!(
                ::rustbridge::__private::is_listed(<#object as ::rustbridge::ObjectType>::NAME, NAMES),
                #why
            );
        }
    });
    let accepted = attribute.callbacks.iter().map(|(this, client)| {
        let shown = this.segments.last().map(|name| name.ident.to_string());
        let why = format!(
            "the functions of the callback `{}` have objects of a type that `#[plugin]` doesn't list: add it to `objects(..)`, or its trait to `callbacks(..)`",
            shown.unwrap_or_default()
        );
        quote_spanned! {this.span()=>
            const _: () = ::core::assert!(
                ::rustbridge::__private::are_listed(
                    <#client as ::rustbridge::__private::Callback>::OBJECTS,
                    NAMES,
                ),
                #why
            );
        }
    });
    let too_many = "a plugin has at most 2,730 methods";

    let name = attribute.name.as_ref().map_or_else(
        || quote!(::core::env!("CARGO_PKG_NAME")),
        ToTokens::to_token_stream,
    );
    let version = attribute.version.as_ref().map_or_else(
        || quote!(::core::env!("CARGO_PKG_VERSION")),
        ToTokens::to_token_stream,
    );
    let doc = docs::text(&item.attrs);
    let traits = attribute.services.iter().chain(&attribute.callbacks);
    let traits = traits.map(|(name, _)| name);
    let callbacks: Vec<_> = attribute
        .callbacks
        .iter()
        .map(|(_, client)| client)
        .collect();
    let services: Vec<_> = attribute
        .services
        .iter()
        .map(|(_, client)| client)
        .collect();
    // Says that the trait is used, and of a name that is none, where it stands.
    let uses = quote! {
        #(const _: () = {
            #[allow(unused_imports, reason = "only named")]
            use #traits as _;
        };)*
    };
    let create::Create { config, body } = create;
    let symbol = attribute
        .export
        .unwrap_or(true)
        .then(|| quote!(::rustbridge::export!(#this);));

    let workers = attribute.workers.as_ref().map(|workers| {
        let body = quote!(const WORKERS: usize = #workers;);
        quote!(::rustbridge::__private::with_async! { "`workers`"; #body })
    });
    let runtime = attribute.runtime.as_ref().map(|runtime| {
        let body = quote! {
            fn brought_runtime(
                &self,
            ) -> ::core::option::Option<::rustbridge::__private::BroughtRuntime> {
                ::core::option::Option::Some((#runtime)(self))
            }
        };
        quote!(::rustbridge::__private::with_async! { "`runtime`"; #body })
    });

    Ok(quote! {
        const _: () = {
            #[allow(unused_imports, reason = "not needed when every handler has every encoding")]
            use ::rustbridge::__private::{Absent as _, NoStart as _, NotResult as _};

            // Here, because the profile that counts is that of the crate with the plugin.
            #[cfg(panic = "abort")]
            ::core::compile_error!(
                "a plugin needs unwinding, because with `panic = \"abort\"` the first panic of a method ends the whole host: \
                 take `panic = \"abort\"` out of the profile in Cargo.toml (or `-C panic=abort` out of RUSTFLAGS), or build \
                 the plugin in a profile of its own, `[profile.plugin]` with `inherits = \"release\"` and `panic = \"unwind\"`"
            );

            #uses
            #available
            #(#handlers)*
            #(#overlaps)*

            const OWN: &[::rustbridge::__private::MethodInfo] = &[#(#infos),*];
            const ALL: &[&[::rustbridge::__private::MethodInfo]] =
                &[
                    OWN
                    #(, <#objects as ::rustbridge::ObjectType>::METHODS)*
                    #(, <#callbacks as ::rustbridge::ObjectType>::METHODS)*
                ];
            const NAMES: &[&str] = &[
                #(<#objects as ::rustbridge::ObjectType>::NAME,)*
                #(<#callbacks as ::rustbridge::ObjectType>::NAME,)*
            ];
            #(#listed)*
            #(#accepted)*
            const METHODS: &[::rustbridge::__private::MethodInfo] =
                &::rustbridge::__private::together::<{ ::rustbridge::__private::count(ALL) }>(ALL);
            const _: () = ::core::assert!(
                METHODS.len() * ::rustbridge::__private::ENCODINGS <= 0x4000,
                #too_many
            );

            impl ::rustbridge::Plugin for #this {
                const NAME: &'static str = #name;
                const VERSION: &'static str = #version;
                const DOC: &'static str = #doc;
                const DEBUG: bool = ::core::cfg!(debug_assertions);
                const METHODS: &'static [::rustbridge::__private::MethodInfo] = METHODS;
                const ENTRIES: &'static [::rustbridge::__private::Entry] = &::rustbridge::__private::table::<
                    { METHODS.len() * ::rustbridge::__private::ENCODINGS },
                >(METHODS, ::rustbridge::__private::only_stream::<Self>);

                const SERVICES: &'static [&'static [::rustbridge::__private::ServiceInfo]] =
                    &[
                        #(<#services as ::rustbridge::Service>::SERVICES,)*
                        #(<#callbacks as ::rustbridge::__private::Callback>::SERVICES,)*
                    ];
                const STARTS: &'static [::core::option::Option<::rustbridge::__private::Start>] =
                    &::rustbridge::__private::starts::<
                        { METHODS.len() * ::rustbridge::__private::ENCODINGS },
                    >(METHODS);
                #workers
                #runtime

                const CONFIG: ::rustbridge::__private::Config = #config;

                fn create_from(
                    config: &[u8],
                    host: &::rustbridge::Host,
                ) -> ::core::result::Result<Self, ::rustbridge::Error> {
                    #body
                }
            }

            #symbol
        };
    })
}

/// The constructor and the methods; all mistakes at once.
fn parts(item: &ItemImpl, this: &Type, offered: Mask) -> Result<(create::Create, Vec<Method>)> {
    let mut created = None;
    let mut methods = Vec::new();
    let mut errors: Option<Error> = None;
    for part in &item.items {
        let ImplItem::Fn(function) = part else {
            continue;
        };
        let made = MethodAttribute::parse(&function.attrs).and_then(|attribute| {
            let public = matches!(function.vis, Visibility::Public(_));
            if function.sig.ident == "create"
                && function.sig.receiver().is_none()
                && !attribute.skip
            {
                if attribute.present {
                    return Err(Error::new(
                        function.sig.ident.span(),
                        "`create` isn't a method: remove `#[method]`",
                    ));
                }
                default_value::refuse(
                    &function.sig,
                    "`create` has no default values: give the fields of the configuration default values",
                )?;
                created = Some(create::expand(function, this)?);
            } else if attribute.present && !attribute.skip && !public {
                return Err(Error::new(
                    function.sig.ident.span(),
                    "a method must be `pub`: hosts call it",
                ));
            } else if public && !attribute.skip {
                methods.push(Method::parse(methods.len(), function, attribute, offered)?);
            } else {
                default_value::refuse(&function.sig, NOT_CALLED)?;
            }
            Ok(())
        });
        if let Err(error) = made {
            match &mut errors {
                Some(errors) => errors.combine(error),
                none => *none = Some(error),
            }
        }
    }
    match errors {
        Some(errors) => Err(errors),
        None => Ok((created.unwrap_or_else(|| create::by_default(this)), methods)),
    }
}
