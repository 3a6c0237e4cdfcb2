//! `#[object]`: from an `impl` block to the methods of an object.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Error, ImplItem, ImplItemFn, ItemImpl, LitStr, Result, Type, Visibility};

use crate::block::{self, BlockKind};
use crate::class::{self, Role};
use crate::default_value::{self, NOT_CALLED};
use crate::plugin::attribute::{self, DEFAULT, Listed, Mask};
use crate::plugin::group::{self, Group};
use crate::plugin::{Method, MethodAttribute, Receiver};
use crate::traits::{self, Traits};

/// `#[object(..)]`.
#[derive(Default)]
struct ObjectAttribute {
    name: Option<LitStr>,
    encodings: Option<Listed>,
    traits: Traits,
}

pub fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let on = BlockKind {
        attribute: "#[object]",
        example: "Counter",
        has_classes: true,
        generic: "an object type can't be generic: hosts know it by a single name",
    };
    let make = |item: &ItemImpl| object(&parse(attribute)?, item);
    block::expand(&on, item, make, |item| stub(&item.self_ty))
}

/// Returns an object type without methods.
pub fn stub(this: &impl ToTokens) -> TokenStream {
    quote! {
        impl ::rustbridge::ObjectType for #this {
            const NAME: &'static str = ::core::stringify!(#this);
            const METHODS: &'static [::rustbridge::__private::MethodInfo] = &[];
        }
    }
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
        } else if meta.path.is_ident("traits") {
            parsed.traits.parse(&meta)
        } else {
            Err(meta
                .error("unknown key: `#[object]` accepts `name`, `encodings(..)` and `traits(..)`"))
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
    let Functions {
        mut methods,
        wrappers,
    } = functions(item, &name, offered)?;
    let (of_traits, implemented) = attribute.traits.methods(methods.len(), &name, this)?;
    methods.extend(of_traits);
    let groups = group::of(&methods)?;
    let class: Type = syn::parse_quote!(__Class);
    let handlers = methods.iter().map(|method| match &*method.class {
        "" => method.expand(this, Receiver::Object),
        _ => method.expand(&class, Receiver::Class),
    });
    let wrappers = (!wrappers.is_empty()).then(|| {
        quote! {
            struct __Class;

            impl ::rustbridge::__private::Class for __Class {
                const INSTANCE: &'static Self = &__Class;
            }

            impl __Class {
                #(#wrappers)*
            }
        }
    });
    let overlaps = groups.iter().map(group::overlaps);
    let infos = groups.iter().map(Group::info);
    Ok(quote! {
        const _: () = {
            #[allow(unused_imports, reason = "not needed when every handler has every encoding")]
            use ::rustbridge::__private::{Absent as _, NoStart as _, NotResult as _};

            #available
            #wrappers
            #implemented
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

/// The functions of an object's type that hosts call.
struct Functions {
    /// Its methods, constructors and associated functions, named after it.
    methods: Vec<Method>,
    /// The functions of the generated type that calls constructors and associated functions.
    wrappers: Vec<ImplItemFn>,
}

/// Returns the functions; all mistakes at once.
fn functions(item: &ItemImpl, object: &str, offered: Mask) -> Result<Functions> {
    let mut functions = Functions {
        methods: Vec::new(),
        wrappers: Vec::new(),
    };
    let mut errors: Option<Error> = None;
    for part in &item.items {
        let ImplItem::Fn(function) = part else {
            continue;
        };
        if let Err(error) = functions.add(function, &item.self_ty, object, offered) {
            match &mut errors {
                Some(errors) => errors.combine(error),
                none => *none = Some(error),
            }
        }
    }
    errors.map_or(Ok(functions), Err)
}

impl Functions {
    fn add(
        &mut self,
        function: &ImplItemFn,
        this: &Type,
        object: &str,
        offered: Mask,
    ) -> Result<()> {
        let attribute = MethodAttribute::parse(&function.attrs)?;
        let (role, at) = Role::of(&function.attrs)?;
        let public = matches!(function.vis, Visibility::Public(_));
        let is_marked = attribute.present || role != Role::Method;
        if attribute.skip {
            default_value::refuse(&function.sig, NOT_CALLED)?;
            return Ok(());
        }
        if is_marked && !public {
            return Err(Error::new(
                function.sig.ident.span(),
                "a method must be `pub`: hosts call it",
            ));
        }
        // A function without a mark that creates a value is for the plugin.
        if !public || !is_marked && function.sig.receiver().is_none() {
            default_value::refuse(&function.sig, NOT_CALLED)?;
            return Ok(());
        }
        role.check(function, at)?;
        let index = self.methods.len();
        let called = attribute
            .name
            .as_ref()
            .map_or_else(|| function.sig.ident.unraw().to_string(), LitStr::value);
        let mut method = if function.sig.receiver().is_some() {
            Method::parse(index, function, attribute, offered)?
        } else {
            let wrapper = class::wrapped(function, this, role)?;
            let mut method = Method::parse(index, &wrapper, attribute, offered)?;
            object.clone_into(&mut method.class);
            self.wrappers.push(default_value::removed(&wrapper));
            method
        };
        method.name = format!("{object}.{called}");
        method.constructor = role == Role::Constructor;
        method.property = role.property();
        method.implements = role.implements();
        if !method.implements.is_empty() {
            traits::only_one(&self.methods, method.implements, at)?;
        }
        self.methods.push(method);
        Ok(())
    }
}
