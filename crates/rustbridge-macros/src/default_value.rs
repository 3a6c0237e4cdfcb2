//! `#[default(..)]` above a field or a parameter: the value that clients show, and that the plugin has if it's absent.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, ExprUnary, FnArg, ImplItemFn, Lit, LitStr, Meta, Path, Result,
    Signature, Type, UnOp,
};

/// The largest number of bytes of a text. Readers of descriptions have the same limit (`rustbridge-description`).
const MAX_TEXT: usize = 1024;

const EXPECTED: &str = "expected an integer, a number with a fraction (`1.0`), a boolean, a character, a text, `None`, `[]`, `{}`, \
     or a variant without content (`Colour::Red`)";

/// The reason why a function's parameters have no default values.
pub const NOT_CALLED: &str =
    "only a function that hosts call can have default values, and this one isn't a method";

/// A default value, as it's written.
pub struct DefaultValue {
    pub span: Span,
    pub kind: Kind,
}

pub enum Kind {
    /// `#[default]`: the default of the type.
    OfType,
    None,
    EmptyList,
    EmptyMap,
    Integer(i128),
    Float(f64),
    Bool(bool),
    Char(char),
    Text(LitStr),
    Variant(Path),
}

/// Returns the attribute, if there's one.
pub fn attribute(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes
        .iter()
        .find(|attribute| attribute.path().is_ident("default"))
}

/// Returns the default value among the attributes of a field or parameter.
pub fn of(attributes: &[Attribute]) -> Result<Option<DefaultValue>> {
    let Some(found) = attribute(attributes) else {
        return Ok(None);
    };
    let mut all = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("default"));
    if let Some(second) = all.nth(1) {
        return Err(Error::new(
            second.span(),
            "a field or parameter has one default value",
        ));
    }
    match &found.meta {
        Meta::Path(_) => Ok(Some(DefaultValue {
            span: found.span(),
            kind: Kind::OfType,
        })),
        Meta::List(_) => DefaultValue::parse(&found.parse_args()?).map(Some),
        Meta::NameValue(_) => Err(Error::new(
            found.span(),
            "write the default value in parentheses: `#[default(5)]`",
        )),
    }
}

/// Refuses default values of parameters where none can have one.
pub fn refuse(signature: &Signature, why: &str) -> Result<()> {
    for input in &signature.inputs {
        let attributes = match input {
            FnArg::Typed(input) => &input.attrs,
            FnArg::Receiver(receiver) => &receiver.attrs,
        };
        if let Some(attribute) = attribute(attributes) {
            return Err(Error::new(attribute.span(), why));
        }
    }
    Ok(())
}

/// Removes the attributes of parameters, which only the macros read.
pub fn remove(signature: &mut Signature) {
    for input in &mut signature.inputs {
        let attributes = match input {
            FnArg::Typed(input) => &mut input.attrs,
            FnArg::Receiver(receiver) => &mut receiver.attrs,
        };
        attributes.retain(|attribute| !attribute.path().is_ident("default"));
    }
}

/// Returns the function without the attributes of its parameters.
pub fn removed(function: &ImplItemFn) -> ImplItemFn {
    let mut function = function.clone();
    remove(&mut function.sig);
    function
}

impl DefaultValue {
    fn parse(value: &Expr) -> Result<DefaultValue> {
        let span = value.span();
        let kind = match value {
            Expr::Lit(ExprLit { lit, .. }) => literal(lit, false)?,
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => match &**expr {
                Expr::Lit(ExprLit { lit, .. }) => literal(lit, true)?,
                _ => return Err(Error::new(span, EXPECTED)),
            },
            Expr::Array(array) if array.elems.is_empty() => Kind::EmptyList,
            Expr::Block(block) if block.block.stmts.is_empty() => Kind::EmptyMap,
            Expr::Path(path) if path.path.is_ident("None") => Kind::None,
            Expr::Path(path) if path.qself.is_none() && path.path.segments.len() > 1 => {
                Kind::Variant(path.path.clone())
            }
            _ => return Err(Error::new(span, EXPECTED)),
        };
        Ok(DefaultValue { span, kind })
    }

    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the path of a variant.
    pub fn variant(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Variant(path) => Some(path),
            _ => None,
        }
    }

    pub fn is_negative_zero(&self) -> bool {
        matches!(self.kind, Kind::Float(value) if value == 0.0 && value.is_sign_negative())
    }

    /// Reports whether an option can have this default value.
    pub fn is_none(&self) -> bool {
        matches!(self.kind, Kind::OfType | Kind::None)
    }

    /// Reports whether the value is that of `Default::default()`.
    pub fn is_of_type(&self) -> bool {
        matches!(
            self.kind,
            Kind::OfType | Kind::None | Kind::EmptyList | Kind::EmptyMap
        )
    }

    /// Returns an expression of the value.
    pub fn value(&self, ty: &Type) -> TokenStream {
        let span = self.span;
        // The kind is named, because the compiler would otherwise take that of the type's only implementation.
        let from = |kind: TokenStream, value: TokenStream| quote_spanned!(span=> <#ty as ::rustbridge::__private::DefaultFrom<#kind>>::default_from(#value));
        let private = quote!(::rustbridge::__private);
        let unit = |kind: TokenStream| from(quote!(#private::#kind), quote!(#private::#kind));
        match &self.kind {
            Kind::OfType => quote!(<#ty as ::core::default::Default>::default()),
            Kind::None => unit(quote!(NoValue)),
            Kind::EmptyList => unit(quote!(EmptyList)),
            Kind::EmptyMap => unit(quote!(EmptyMap)),
            Kind::Integer(value) => {
                from(quote!(#private::Integer), quote!(#private::Integer(#value)))
            }
            Kind::Float(value) => from(quote!(#private::Float), quote!(#private::Float(#value))),
            Kind::Bool(value) => from(quote!(::core::primitive::bool), quote!(#value)),
            Kind::Char(value) => from(quote!(::core::primitive::char), quote!(#value)),
            Kind::Text(value) => from(quote!(&'static ::core::primitive::str), quote!(#value)),
            Kind::Variant(path) => path.to_token_stream(),
        }
    }

    /// Returns the value as the description of a field has it; `default` is the function that returns it.
    pub fn described(&self, ty: &Type, default: Option<&Path>) -> TokenStream {
        let some =
            |value: TokenStream| quote!(::core::option::Option::Some(__wire::DefaultValue::#value));
        match &self.kind {
            Kind::OfType => {
                let span = self.span;
                quote_spanned!(span=> <#ty as ::rustbridge::__private::KnownDefault>::DEFAULT_VALUE)
            }
            Kind::None => quote!(::core::option::Option::None),
            Kind::EmptyList => some(quote!(EmptyList)),
            Kind::EmptyMap => some(quote!(EmptyMap)),
            Kind::Integer(value) => some(quote!(Integer(#value))),
            Kind::Float(value) => some(quote!(Float(#value))),
            Kind::Bool(value) => some(quote!(Bool(#value))),
            Kind::Char(value) => {
                let text = value.to_string();
                some(quote!(Text(#text)))
            }
            Kind::Text(value) => some(quote!(Text(#value))),
            Kind::Variant(_) => {
                some(quote!(Variant(|| __wire::derive::variant_number(&#default()))))
            }
        }
    }
}

fn literal(literal: &Lit, is_negative: bool) -> Result<Kind> {
    let span = literal.span();
    let without_suffix = |suffix: &str| match suffix {
        "" => Ok(()),
        suffix => Err(Error::new(
            span,
            format!("the field has the type already: write the value without `{suffix}`"),
        )),
    };
    let kind = match literal {
        Lit::Int(integer) => {
            without_suffix(integer.suffix())?;
            let magnitude: u128 = integer.base10_parse()?;
            let value = i128::try_from(magnitude).unwrap_or(i128::MAX);
            let value = if is_negative { -value } else { value };
            if value < i128::from(i64::MIN) || value > i128::from(u64::MAX) {
                return Err(Error::new(span, "a default value has at most 64 bits"));
            }
            Kind::Integer(value)
        }
        Lit::Float(float) => {
            without_suffix(float.suffix())?;
            let value: f64 = float.base10_parse()?;
            if !value.is_finite() {
                return Err(Error::new(span, "a default value must be finite"));
            }
            Kind::Float(if is_negative { -value } else { value })
        }
        Lit::Bool(value) if !is_negative => Kind::Bool(value.value),
        Lit::Char(value) if !is_negative => Kind::Char(value.value()),
        Lit::Str(text) if !is_negative => {
            let bytes = text.value().len();
            if bytes > MAX_TEXT {
                return Err(Error::new(
                    span,
                    format!("this text has {bytes} bytes, and a default value can have {MAX_TEXT}"),
                ));
            }
            Kind::Text(text.clone())
        }
        _ => return Err(Error::new(span, EXPECTED)),
    };
    Ok(kind)
}
