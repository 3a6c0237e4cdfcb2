//! The arguments of `#[plugin(..)]` and `#[method(..)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, Ident, LitBool, LitInt, LitStr, Meta, Path, Result, Token, Type,
    parenthesized,
};

/// The encodings in numeric order.
pub const ENCODINGS: [&str; 7] = [
    "json", "raw", "pod", "msgpack", "bincode", "postcard", "wire",
];

/// The number of `raw`.
pub const RAW: usize = 1;

/// The number of `pod`.
pub const POD: usize = 2;

/// The number of `wire`. The encodings between `pod` and `wire` need features of those names.
pub const WIRE: usize = 6;

/// Encodings as bits, in numeric order.
pub type Mask = u32;

/// The encodings of methods without `encodings(..)`: those that need no feature. If one plugin of a workspace enables a feature, Cargo
/// enables it for all of them, and that must not change the interface of the others.
pub const DEFAULT: Mask = 1 << 0 | 1 << RAW | 1 << POD | 1 << WIRE;

/// Listed encodings: their numbers, and their names in the source for error messages.
pub type Listed = Vec<(usize, Ident)>;

/// Returns listed encodings as bits.
pub fn mask(listed: &Listed) -> Mask {
    listed
        .iter()
        .fold(0, |mask, (number, _)| mask | 1 << number)
}

/// Returns the names of encodings.
pub fn names(mask: Mask) -> Vec<&'static str> {
    let listed = ENCODINGS.iter().enumerate();
    let listed = listed.filter(|(number, _)| mask & 1 << number != 0);
    listed.map(|(_, name)| *name).collect()
}

/// Reads `encodings(..)`.
pub fn encodings(meta: &ParseNestedMeta<'_>) -> Result<Listed> {
    let mut listed = Vec::new();
    meta.parse_nested_meta(|inner| {
        let number = ENCODINGS.iter().position(|name| inner.path.is_ident(name));
        match (number, inner.path.get_ident()) {
            (Some(number), Some(ident)) => {
                listed.push((number, ident.clone()));
                Ok(())
            }
            _ => Err(inner.error(format!(
                "unknown encoding: expected one of {}",
                ENCODINGS.join(", ")
            ))),
        }
    })?;
    Ok(listed)
}

/// Returns checks that the features of the listed encodings are enabled. Whether the types of a method support an encoding is checked
/// for each method.
pub fn available(listed: &Listed) -> TokenStream {
    let behind_features = listed
        .iter()
        .filter(|(number, _)| *number > POD && *number != WIRE);
    behind_features
        .map(|(number, word)| {
            let bit = 1_u32 << number;
            let off = format!(
                "unavailable encoding `{word}`: turn on the feature `{word}` of `rustbridge`"
            );
            quote_spanned! {word.span()=>
                const _: () = ::core::assert!(::rustbridge::__private::AVAILABLE & #bit != 0, #off);
            }
        })
        .collect()
}

/// The arguments of `#[plugin(..)]`.
#[derive(Default)]
pub struct PluginAttribute {
    pub name: Option<Expr>,
    pub version: Option<Expr>,
    pub export: Option<bool>,
    pub workers: Option<Expr>,
    pub runtime: Option<Expr>,
    pub encodings: Option<Listed>,
    /// The types of the objects that the methods return.
    pub objects: Vec<Type>,
    /// The traits of the services that the plugin calls, each with its client.
    pub services: Vec<(Path, Path)>,
    /// The traits of the callbacks that its methods accept, each with its client.
    pub callbacks: Vec<(Path, Path)>,
}

/// Returns the traits that an attribute lists, each with the name of its client.
fn with_clients(meta: &ParseNestedMeta<'_>) -> Result<Vec<(Path, Path)>> {
    let mut traits = Vec::new();
    meta.parse_nested_meta(|inner| {
        let mut client = inner.path.clone();
        if let Some(last) = client.segments.last_mut() {
            last.ident = format_ident!("{}Client", last.ident);
        }
        traits.push((inner.path.clone(), client));
        Ok(())
    })?;
    Ok(traits)
}

impl PluginAttribute {
    pub fn parse(tokens: TokenStream) -> Result<PluginAttribute> {
        let mut parsed = PluginAttribute::default();
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("name") {
                parsed.name = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("version") {
                parsed.version = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("export") {
                parsed.export = Some(meta.value()?.parse::<LitBool>()?.value);
            } else if meta.path.is_ident("workers") {
                parsed.workers = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("runtime") {
                parsed.runtime = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("encodings") {
                parsed.encodings = Some(encodings(&meta)?);
            } else if meta.path.is_ident("objects") {
                let content;
                parenthesized!(content in meta.input);
                let types = Punctuated::<Type, Token![,]>::parse_terminated(&content)?;
                parsed.objects.extend(types);
            } else if meta.path.is_ident("services") {
                parsed.services.extend(with_clients(&meta)?);
            } else if meta.path.is_ident("callbacks") {
                parsed.callbacks.extend(with_clients(&meta)?);
            } else {
                return Err(meta.error(
                    "unknown key: `#[plugin]` accepts `name`, `version`, `export`, `encodings(..)`, `objects(..)`, `services(..)`, `callbacks(..)`, `workers` and `runtime`",
                ));
            }
            if let (Some(workers), Some(_)) = (&parsed.workers, &parsed.runtime) {
                return Err(Error::new(
                    workers.span(),
                    "a runtime of your own has its own number of workers: remove `workers` or `runtime`",
                ));
            }
            Ok(())
        });
        parser.parse2(tokens)?;
        Ok(parsed)
    }
}

/// The arguments of `#[method(..)]`.
#[derive(Default)]
pub struct MethodAttribute {
    pub present: bool,
    pub name: Option<LitStr>,
    pub id: Option<LitInt>,
    pub leaf: Option<Ident>,
    pub spawn: Option<Ident>,
    pub skip: bool,
    pub takes_objects: bool,
    pub returns_objects: bool,
    pub encodings: Option<Listed>,
}

impl MethodAttribute {
    pub fn parse(attributes: &[Attribute]) -> Result<MethodAttribute> {
        let mut parsed = MethodAttribute::default();
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("method"))
        {
            parsed.present = true;
            if matches!(attribute.meta, Meta::Path(_)) {
                continue;
            }
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("name") {
                    let name: LitStr = meta.value()?.parse()?;
                    if name.value().is_empty() {
                        return Err(Error::new(name.span(), "a method's name can't be empty"));
                    }
                    parsed.name = Some(name);
                } else if meta.path.is_ident("id") {
                    let id: LitInt = meta.value()?.parse()?;
                    id.base10_parse::<u32>()?;
                    parsed.id = Some(id);
                } else if meta.path.is_ident("leaf") {
                    parsed.leaf = meta.path.get_ident().cloned();
                } else if meta.path.is_ident("spawn") {
                    parsed.spawn = meta.path.get_ident().cloned();
                } else if meta.path.is_ident("skip") {
                    parsed.skip = true;
                } else if meta.path.is_ident("takes_objects") {
                    parsed.takes_objects = true;
                } else if meta.path.is_ident("returns_objects") {
                    parsed.returns_objects = true;
                } else if meta.path.is_ident("encodings") {
                    parsed.encodings = Some(encodings(&meta)?);
                } else {
                    return Err(meta.error(
                        "unknown key: `#[method]` accepts `name`, `id`, `leaf`, `spawn`, `encodings(..)`, `takes_objects`, `returns_objects` and `skip`",
                    ));
                }
                Ok(())
            })?;
        }
        Ok(parsed)
    }
}
