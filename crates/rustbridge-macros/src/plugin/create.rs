//! The associated function that creates an instance.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, FnArg, ImplItemFn, Result, ReturnType, Type, Visibility};

use super::types;

/// The parts of the `Plugin` implementation that depend on `create`.
pub struct Create {
    /// The description of the configuration.
    pub config: TokenStream,
    /// The body of `create_from`, with `config` (bytes) and `host` in scope.
    pub body: TokenStream,
}

/// Returns the parts for a type without `create`, which must implement `Default`.
pub fn by_default(this: &Type) -> Create {
    Create {
        config: quote!(::rustbridge::__private::Config::Ignored),
        body: quote! {
            ::rustbridge::__private::config::ignore(config)?;
            ::core::result::Result::Ok(<#this as ::rustbridge::__private::MadeByDefault>::made())
        },
    }
}

pub fn expand(function: &ImplItemFn, this: &Type) -> Result<Create> {
    let signature = &function.sig;
    if !matches!(function.vis, Visibility::Public(_)) {
        return Err(Error::new(
            signature.ident.span(),
            "`create` must be `pub`: hosts call it",
        ));
    }
    if let Some(token) = &signature.asyncness {
        return Err(Error::new(
            token.span(),
            "`create` can't be async; start tasks and return",
        ));
    }
    if !signature.generics.params.is_empty() {
        return Err(Error::new(
            signature.generics.span(),
            "`create` can't be generic",
        ));
    }
    let mut config = None;
    let mut arguments = Vec::new();
    for argument in &signature.inputs {
        let FnArg::Typed(argument) = argument else {
            return Err(Error::new(
                argument.span(),
                "`create` creates the instance, so it can't have `self`",
            ));
        };
        let ty = &*argument.ty;
        if types::is_named(ty, "Host") {
            arguments.push(quote!(::core::clone::Clone::clone(host)));
        } else if matches!(ty, Type::Reference(reference) if types::is_named(&reference.elem, "Host"))
        {
            arguments.push(quote!(host));
        } else if config.is_none() && arguments.is_empty() && !matches!(ty, Type::Reference(_)) {
            config = Some(ty);
            arguments.push(quote!(::rustbridge::__private::config::read::<#ty>(config)?));
        } else {
            return Err(Error::new(
                ty.span(),
                "`create` accepts `(config: Config, host: Host)`, one of them, or nothing",
            ));
        }
    }
    if arguments.len() - usize::from(config.is_some()) > 1 {
        return Err(Error::new(
            signature.inputs.span(),
            "`create` accepts the `Host` once",
        ));
    }
    let (config, ignore) = match config {
        Some(ty) => (
            quote!({
                #[allow(unused_imports, reason = "what has a type has its own")]
                use ::rustbridge::__private::NoConfigType as _;
                match ::rustbridge::__private::ConfigProbe::<#ty>::TYPE {
                    ::core::option::Option::Some(ty) => ::rustbridge::__private::Config::Type(ty),
                    ::core::option::Option::None => ::rustbridge::__private::Config::Schema(
                        ::rustbridge::__private::incoming_schema::<#ty>,
                    ),
                }
            }),
            None,
        ),
        None => (
            quote!(::rustbridge::__private::Config::Ignored),
            Some(quote!(::rustbridge::__private::config::ignore(config)?;)),
        ),
    };
    let made = quote!(<#this>::create(#(#arguments),*));
    let made = match &signature.output {
        ReturnType::Default => {
            return Err(Error::new(
                signature.ident.span(),
                "`create` returns `Self` or `Result<Self, E>`",
            ));
        }
        ReturnType::Type(_, ty) if types::is_named(ty, "Result") => {
            quote!(::rustbridge::__private::Fallible::into_result(#made))
        }
        ReturnType::Type(..) => quote!(::core::result::Result::Ok(#made)),
    };
    Ok(Create {
        config,
        body: quote!(#ignore #made),
    })
}
