//! `crate = ..`: the path of the `rustbridge` crate where an author's `Cargo.toml` renames it.
//!
//! Expansions refer to `::rustbridge`. If the author gives another path, it replaces that prefix in the finished expansion, so that the
//! code of the expansions needn't know of it.

use proc_macro2::{Delimiter, Group, Literal, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{DeriveInput, Ident, LitStr, Path, Result, Token};

/// The crate's name, as expansions have it.
const NAME: &str = "rustbridge";

/// The path of the crate, if the author gave one.
#[derive(Default)]
pub struct Crate(Option<Path>);

/// The value of `crate = ..`: a path, or a path as a string, as serde's attribute takes it.
struct Value(Path);

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> Result<Value> {
        input.parse::<Token![=]>()?;
        if input.peek(LitStr) {
            return Ok(Value(input.parse::<LitStr>()?.parse()?));
        }
        Ok(Value(input.parse()?))
    }
}

impl Crate {
    /// Takes `crate = ..` out of an attribute's arguments.
    pub fn of_arguments(arguments: TokenStream) -> Result<(Crate, TokenStream)> {
        let mut found = Crate::default();
        let mut others: Vec<TokenStream> = Vec::new();
        for argument in separated(arguments) {
            let mut tokens = argument.clone().into_iter();
            let is_crate = matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "crate");
            if is_crate {
                found.0 = Some(Value::parse.parse2(tokens.collect())?.0);
            } else if !argument.is_empty() {
                others.push(argument);
            }
        }
        Ok((found, quote::quote!(#(#others),*)))
    }

    /// Takes `crate = ..` out of the attributes of that name on a type.
    pub fn of_attributes(item: TokenStream, name: &str) -> Result<(Crate, TokenStream)> {
        if !has_attribute(&item, name) {
            return Ok((Crate::default(), item));
        }
        let mut input: DeriveInput = syn::parse2(item)?;
        let mut found = Crate::default();
        let mut kept = Vec::new();
        for mut attribute in input.attrs {
            if attribute.path().is_ident(name)
                && let syn::Meta::List(list) = &mut attribute.meta
            {
                let (inside, others) = Crate::of_arguments(list.tokens.clone())?;
                if let Crate(Some(path)) = inside {
                    found.0 = Some(path);
                    if others.is_empty() {
                        continue;
                    }
                    list.tokens = others;
                }
            }
            kept.push(attribute);
        }
        input.attrs = kept;
        Ok((found, input.into_token_stream()))
    }

    /// The expansion with this path in place of `::rustbridge`.
    pub fn applied(&self, expansion: TokenStream) -> TokenStream {
        let Some(path) = &self.0 else {
            return expansion;
        };
        replaced(expansion, path)
    }
}

/// Whether a type has an attribute of that name. Nearly none has one, and this is cheaper than parsing the type twice.
fn has_attribute(item: &TokenStream, name: &str) -> bool {
    item.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            let first = group.stream().into_iter().next();
            matches!(first, Some(TokenTree::Ident(word)) if word == name)
        }
        _ => false,
    })
}

/// The arguments between the commas.
fn separated(tokens: TokenStream) -> Vec<TokenStream> {
    let mut arguments = vec![TokenStream::new()];
    for token in tokens {
        match (&token, arguments.last_mut()) {
            (TokenTree::Punct(comma), _) if comma.as_char() == ',' => {
                arguments.push(TokenStream::new());
            }
            (_, Some(last)) => last.extend([token]),
            (_, None) => {}
        }
    }
    arguments
}

fn replaced(tokens: TokenStream, path: &Path) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), path));
                inner.set_span(group.span());
                out.push(inner.into());
            }
            TokenTree::Ident(word) if word == NAME && is_global(&out) => {
                out.truncate(out.len() - 2);
                out.extend(path.to_token_stream());
            }
            TokenTree::Literal(literal) => out.push(in_text(literal, path).into()),
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// Whether these tokens end with the `::` in front of a crate's name, and not with that between two segments of a path.
fn is_global(before: &[TokenTree]) -> bool {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(colon) if colon.as_char() == ':');
    let [before @ .., one, two] = before else {
        return false;
    };
    if !is_colon(one) || !is_colon(two) {
        return false;
    }
    match before.last() {
        Some(TokenTree::Ident(_)) if is_lifetime(before) => true,
        Some(TokenTree::Ident(word)) => {
            let word = word.to_string();
            let is_segment = matches!(&*word, "crate" | "self" | "super" | "Self");
            !is_segment && syn::parse_str::<Ident>(&word).is_err()
        }
        Some(TokenTree::Punct(punct)) => punct.as_char() != '>' || is_arrow(before),
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::None,
        _ => true,
    }
}

/// Whether they end with a lifetime, as in `&'a ::rustbridge::Call`.
fn is_lifetime(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Punct(quote), _] if quote.as_char() == '\'')
}

/// Whether they end with `->` or `=>`, after which a type or an expression begins.
fn is_arrow(before: &[TokenTree]) -> bool {
    let [.., TokenTree::Punct(first), _] = before else {
        return false;
    };
    first.spacing() == Spacing::Joint && matches!(first.as_char(), '-' | '=')
}

/// A path in a string, which attributes of serde and schemars take.
fn in_text(literal: Literal, path: &Path) -> Literal {
    let text = literal.to_string();
    let Some(rest) = text
        .strip_prefix("\"rustbridge::__private::")
        .and_then(|rest| rest.strip_suffix('"'))
    else {
        return literal;
    };
    let path = path.to_token_stream().to_string().replace(' ', "");
    let mut literal = Literal::string(&format!("{path}::__private::{rest}"));
    literal.set_span(Span::call_site());
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(arguments: &str, expansion: &str) -> String {
        let arguments = arguments.parse().expect("they are tokens");
        let (of, _) = Crate::of_arguments(arguments).expect("it's a path");
        of.applied(expansion.parse().expect("it's tokens"))
            .to_string()
            .replace(' ', "")
    }

    #[test]
    fn the_path_is_taken_out_of_the_arguments() {
        let arguments = "name = \"a\", crate = rb, objects(B, C)"
            .parse()
            .expect("tokens");
        let (of, others) = Crate::of_arguments(arguments).expect("it's a path");
        assert!(of.0.is_some());
        assert_eq!(
            others.to_string().replace(' ', ""),
            "name=\"a\",objects(B,C)"
        );
        assert!(Crate::of_arguments("crate = 3".parse().expect("tokens")).is_err());
        assert!(Crate::of_arguments("crate".parse().expect("tokens")).is_err());
    }

    #[test]
    fn only_the_crate_itself_is_replaced() {
        let expansion = "impl ::rustbridge::Pod for A { fn a(b: &'static ::rustbridge::B) -> ::rustbridge::B<::rustbridge::C> { crate::rustbridge::d(other::rustbridge) } }";
        for arguments in ["crate = rb", "crate = \"rb\""] {
            assert_eq!(
                applied(arguments, expansion),
                "implrb::PodforA{fna(b:&'staticrb::B)->rb::B<rb::C>{crate::rustbridge::d(other::rustbridge)}}"
            );
        }
        assert_eq!(
            applied(
                "crate = crate::again",
                "#[serde(crate = \"rustbridge::__private::serde\")]"
            ),
            "#[serde(crate=\"crate::again::__private::serde\")]"
        );
        assert_eq!(applied("", "::rustbridge::Pod"), "::rustbridge::Pod");
    }
}
