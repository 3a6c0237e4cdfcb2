//! The attributes that affect the wire format. The list contains all allowed ones: other attributes could change the JSON in a
//! way that the wire format doesn't follow.

use proc_macro2::Span;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Lit, LitStr, Meta, Path, Result, Token, Type};

use super::case::Case;
use crate::default_value::{self, DefaultValue};

/// Advice for types that only JSON can represent.
const JSON_ONLY: &str = "mark the type `#[message(json_only)]` if typed clients never send it";

/// The attributes of a struct or an enum.
#[derive(Default)]
pub struct Container {
    pub json_only: bool,
    pub open: bool,
    pub name: Option<String>,
    pub fields_case: Option<Case>,
    pub variants_case: Option<Case>,
    pub default: Option<Default>,
    pub tag: Option<LitStr>,
    pub content: Option<LitStr>,
    pub untagged: bool,
    pub transparent: bool,
    pub from: Option<Type>,
    pub try_from: Option<Type>,
    pub into: Option<Type>,
    /// Set for types of a generated client: whether the type is marked as plain old data.
    pub pod: Option<bool>,
}

/// The attributes of a field.
#[derive(Default)]
pub struct Field {
    pub name: Option<String>,
    pub default: Option<Default>,
    /// The value that clients know.
    pub default_value: Option<DefaultValue>,
    pub skip: bool,
    pub flatten: bool,
    /// The type as which the field is sent.
    pub via: Option<Type>,
    /// In a generated client: whether the field is an option that is `None` if the field is absent.
    pub given: bool,
}

/// The attributes of a variant.
#[derive(Default)]
pub struct Variant {
    pub name: Option<String>,
    pub fields_case: Option<Case>,
    pub skip: bool,
}

/// The source of the value of an absent field.
#[derive(Clone)]
pub enum Default {
    /// `Default::default`.
    Trait,
    /// A function.
    Path(Path),
    /// An expression, in a generated client.
    Value(Expr),
}

/// Returns whether the type is marked as JSON only. If so, its other attributes are ignored.
pub fn is_json_only(attributes: &[Attribute]) -> Result<bool> {
    let mut json_only = false;
    for meta in messages(attributes)? {
        json_only |= meta.path().is_ident("json_only");
    }
    Ok(json_only)
}

impl Container {
    pub fn parse(attributes: &[Attribute], is_enum: bool) -> Result<Container> {
        let mut container = Container {
            json_only: is_json_only(attributes)?,
            ..Container::default()
        };
        for meta in messages(attributes)? {
            let path = meta.path();
            if path.is_ident("open") {
                if !is_enum {
                    return Err(Error::new_spanned(
                        path,
                        "only an enum can be open: readers of a struct always skip new fields",
                    ));
                }
                container.open = true;
            } else if !path.is_ident("json_only") {
                return Err(Error::new_spanned(
                    path,
                    "`#[message(..)]` on a type accepts `json_only` and, on an enum, `open`",
                ));
            }
        }
        if container.json_only {
            return Ok(container);
        }
        for meta in serde(attributes)? {
            let name = name(&meta);
            match &*name {
                "rename" => container.name = Some(one_name(&meta)?),
                "rename_all" => {
                    let case = Some(case(&meta)?);
                    if is_enum {
                        container.variants_case = case;
                    } else {
                        container.fields_case = case;
                    }
                }
                "rename_all_fields" => container.fields_case = Some(case(&meta)?),
                "default" => container.default = Some(default(&meta)?),
                "tag" => container.tag = Some(text(&meta)?),
                "content" => container.content = Some(text(&meta)?),
                "untagged" => container.untagged = true,
                "transparent" => container.transparent = true,
                "from" => container.from = Some(text(&meta)?.parse()?),
                "try_from" => container.try_from = Some(text(&meta)?.parse()?),
                "into" => container.into = Some(text(&meta)?.parse()?),
                "deny_unknown_fields" | "bound" | "crate" | "expecting" => {}
                _ => return Err(unknown(&meta, &name)),
            }
        }
        if container.is_converted() && (container.into.is_none() || container.reads().is_none()) {
            return Err(Error::new(
                Span::call_site(),
                format!(
                    "the wire format is the same in both directions: add `into` and one of `from` and `try_from`, or {JSON_ONLY}"
                ),
            ));
        }
        Ok(container)
    }

    pub fn is_converted(&self) -> bool {
        self.into.is_some() || self.reads().is_some()
    }

    /// Returns the type through which the value is read.
    pub fn reads(&self) -> Option<&Type> {
        self.from.as_ref().or(self.try_from.as_ref())
    }
}

impl Field {
    pub fn parse(attributes: &[Attribute]) -> Result<Field> {
        let mut field = Field {
            via: via(attributes)?,
            given: is_wire(attributes, "default"),
            default: client_default(attributes),
            default_value: default_value::of(attributes)?,
            ..Field::default()
        };
        for meta in serde(attributes)? {
            let name = name(&meta);
            match &*name {
                "rename" => field.name = Some(one_name(&meta)?),
                "default" => field.default = Some(default(&meta)?),
                "skip" => field.skip = true,
                "flatten" => field.flatten = true,
                "alias" | "borrow" | "bound" | "skip_serializing_if" => {}
                "with" | "serialize_with" | "deserialize_with" => {
                    return Err(Error::new_spanned(
                        meta.path(),
                        format!(
                            "`{name}` doesn't apply to the wire format: convert the field by `#[message(via = T)]`, or {JSON_ONLY}"
                        ),
                    ));
                }
                "skip_serializing" | "skip_deserializing" => {
                    return Err(Error::new_spanned(
                        meta.path(),
                        format!(
                            "the wire format is the same in both directions: skip the field in both (`skip`), or {JSON_ONLY}"
                        ),
                    ));
                }
                _ => return Err(unknown(&meta, &name)),
            }
        }
        if let (Some(via), true) = (&field.via, field.flatten) {
            return Err(Error::new_spanned(
                via,
                "a field with `via` can't be flattened: make it an ordinary field, or flatten a struct that contains it",
            ));
        }
        Ok(field)
    }
}

/// Returns whether a client's field or variant has this flag.
pub fn is_wire(attributes: &[Attribute], flag: &str) -> bool {
    let metas = metas(attributes, "wire");
    let is_flag = |meta: &Meta| matches!(meta, Meta::Path(path) if path.is_ident(flag));
    metas.is_ok_and(|metas| metas.iter().any(is_flag))
}

/// Returns the default value of a client's field, if it's written in its attribute.
fn client_default(attributes: &[Attribute]) -> Option<Default> {
    let metas = metas(attributes, "wire").unwrap_or_default();
    metas.into_iter().find_map(|meta| match meta {
        Meta::NameValue(pair) if pair.path.is_ident("default") => Some(Default::Value(pair.value)),
        _ => None,
    })
}

impl Variant {
    pub fn parse(attributes: &[Attribute]) -> Result<Variant> {
        let mut variant = Variant::default();
        if let Some(meta) = messages(attributes)?.first() {
            return Err(Error::new_spanned(
                meta.path(),
                "`#[message(..)]` is for types and fields, not for variants: put it on the fields of the variant",
            ));
        }
        for meta in serde(attributes)? {
            let name = name(&meta);
            match &*name {
                "rename" => variant.name = Some(one_name(&meta)?),
                "rename_all" => variant.fields_case = Some(case(&meta)?),
                "skip" => variant.skip = true,
                "alias" | "bound" | "borrow" | "untagged" => {}
                _ => return Err(unknown(&meta, &name)),
            }
        }
        Ok(variant)
    }
}

fn unknown(meta: &Meta, name: &str) -> Error {
    Error::new_spanned(
        meta.path(),
        format!("`{name}` doesn't apply to the wire format: remove it, or {JSON_ONLY}"),
    )
}

/// Returns the type as which a field is sent.
pub fn via(attributes: &[Attribute]) -> Result<Option<Type>> {
    let mut found = None;
    for attribute in attributes {
        if !attribute.path().is_ident("message") {
            continue;
        }
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("via") && found.is_none() {
                found = Some(meta.value()?.parse()?);
                return Ok(());
            }
            Err(meta.error(
                "`#[message(..)]` on a field accepts `via = T` once: the type as which it's sent",
            ))
        })?;
    }
    Ok(found)
}

/// Returns the arguments of `#[message(..)]`.
fn messages(attributes: &[Attribute]) -> Result<Vec<Meta>> {
    metas(attributes, "message")
}

/// Returns the arguments of `#[serde(..)]`. Invalid ones are ignored here, because serde reports them.
fn serde(attributes: &[Attribute]) -> Result<Vec<Meta>> {
    Ok(metas(attributes, "serde").unwrap_or_default())
}

pub fn metas(attributes: &[Attribute], name: &str) -> Result<Vec<Meta>> {
    let mut all = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident(name) {
            let inside: Punctuated<AnyMeta, Token![,]> =
                attribute.parse_args_with(Punctuated::parse_terminated)?;
            all.extend(inside.into_iter().map(|meta| meta.0));
        }
    }
    Ok(all)
}

/// A `syn::Meta` that may begin with a keyword such as `crate`.
struct AnyMeta(Meta);

impl Parse for AnyMeta {
    fn parse(input: ParseStream<'_>) -> Result<AnyMeta> {
        input.parse().map(AnyMeta)
    }
}

fn name(meta: &Meta) -> String {
    meta.path().to_token_stream().to_string()
}

fn text(meta: &Meta) -> Result<LitStr> {
    if let Meta::NameValue(pair) = meta {
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &pair.value
        {
            return Ok(text.clone());
        }
    }
    Err(Error::new_spanned(meta, "expected `name = \"..\"`"))
}

fn default(meta: &Meta) -> Result<Default> {
    match meta {
        Meta::Path(_) => Ok(Default::Trait),
        _ => Ok(Default::Path(text(meta)?.parse()?)),
    }
}

/// Returns a name that is the same in both directions.
fn one_name(meta: &Meta) -> Result<String> {
    let Meta::List(list) = meta else {
        return text(meta).map(|text| text.value());
    };
    let both: Punctuated<Meta, Token![,]> = list.parse_args_with(Punctuated::parse_terminated)?;
    let names = both.iter().map(text).collect::<Result<Vec<_>>>()?;
    match &names[..] {
        [one, other] if one.value() == other.value() => Ok(one.value()),
        _ => Err(Error::new_spanned(
            meta,
            format!("a typed value has one name: use the same for both directions, or {JSON_ONLY}"),
        )),
    }
}

fn case(meta: &Meta) -> Result<Case> {
    let name = one_name(meta)?;
    Case::from_name(&name).ok_or_else(|| {
        Error::new_spanned(
            meta,
            format!("unknown case `{name}`: expected {}", Case::names()),
        )
    })
}
