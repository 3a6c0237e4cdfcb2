//! Doc comments as text.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of an item's doc comments.
pub fn text(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
    {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &pair.value
        {
            for line in text.value().split('\n') {
                lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned());
            }
        }
    }
    lines.join("\n").trim().to_owned()
}
