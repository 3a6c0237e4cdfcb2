//! `#[object]`: from an `impl` block to the methods of an object.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, ImplItem, ItemImpl, LitStr, Result, Type, Visibility};

use crate::block::{self, BlockKind};
use crate::plugin::attribute::{self, DEFAULT, Listed, Mask};
use crate::plugin::group::{self, Group};
use crate::plugin::{Method, MethodAttribute, Receiver};

/// `#[object(..)]`.
#[derive(Default)]
struct ObjectAttribute {
    name: Option<LitStr>,
    encodings: Option<Listed>,
}

pub fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let attribute = parse(attribute)?;
    let on = BlockKind {
        attribute: "#[object]",
        example: "Counter",
        generic: "an object type can't be generic: hosts know it by a single name",
    };
    block::expand(&on, item, |item| object(&attribute, item))
}

fn parse(attribute: TokenStream) -> Result<ObjectAttribute> {
    let mut parsed = ObjectAttribute::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("name") {
            let given: LitStr = meta.value()?.parse()?;
            if given.value().is_empty() {
                return Err(Error::new(given.span(), "an object's name can't be empty"));
            }
            parsed.name = Some(given);
            Ok(())
        } else if meta.path.is_ident("encodings") {
            parsed.encodings = Some(attribute::encodings(&meta)?);
            Ok(())
        } else {
            Err(meta.error("unknown key: `#[object]` accepts `name` and `encodings(..)`"))
        }
    });
    parser.parse2(attribute)?;
    Ok(parsed)
}

fn object(attribute: &ObjectAttribute, item: &ItemImpl) -> Result<TokenStream> {
    let this = &*item.self_ty;
    let name = match &attribute.name {
        Some(name) => name.value(),
        None => last_segment(this)?,
    };
    let offered = attribute
        .encodings
        .as_ref()
        .map_or(DEFAULT, attribute::mask);
    let available = attribute.encodings.as_ref().map(attribute::available);
    let methods = methods(item, &name, offered)?;
    let groups = group::of(&methods)?;
    let handlers = methods
        .iter()
        .map(|method| method.expand(this, Receiver::Object));
    let overlaps = groups.iter().map(group::overlaps);
    let infos = groups.iter().map(Group::info);
    Ok(quote! {
        const _: () = {
            #[allow(unused_imports, reason = "not needed when every handler has every encoding")]
            use ::rustbridge::__private::{Absent as _, NoStart as _, NotResult as _};

            #available
            #(#handlers)*
            #(#overlaps)*

            impl ::rustbridge::ObjectType for #this {
                const NAME: &'static str = #name;
                const METHODS: &'static [::rustbridge::__private::MethodInfo] = &[#(#infos),*];
            }
        };
    })
}

fn last_segment(this: &Type) -> Result<String> {
    if let Type::Path(path) = this
        && let Some(last) = path.path.segments.last()
    {
        return Ok(last.ident.to_string());
    }
    Err(Error::new(
        this.span(),
        format!(
            "`{}` has no name that hosts could know it by: `#[object(name = \"..\")]`",
            this.to_token_stream()
        ),
    ))
}

/// The methods, named after their object; all mistakes at once.
fn methods(item: &ItemImpl, object: &str, offered: Mask) -> Result<Vec<Method>> {
    let mut methods: Vec<Method> = Vec::new();
    let mut errors: Option<Error> = None;
    for part in &item.items {
        let ImplItem::Fn(function) = part else {
            continue;
        };
        let made = MethodAttribute::parse(&function.attrs).and_then(|attribute| {
            let public = matches!(function.vis, Visibility::Public(_));
            if attribute.skip {
                return Ok(());
            }
            if attribute.present && !public {
                return Err(Error::new(
                    function.sig.ident.span(),
                    "a method must be `pub`: hosts call it",
                ));
            }
            // What makes a value is a plain function; plugins give objects.
            if public && (attribute.present || function.sig.receiver().is_some()) {
                let mut method = Method::parse(methods.len(), function, attribute, offered)?;
                method.name = format!("{object}.{}", method.name);
                methods.push(method);
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
    errors.map_or(Ok(methods), Err)
}
