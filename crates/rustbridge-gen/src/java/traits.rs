//! The operations of objects whose types have traits: `toString`, `equals`, `hashCode`, an order, a size and a loop.

use rustbridge_description::types::Trait;

use super::methods::NamedMethod;
use super::names::Names;
use super::text::fits;
use super::trait_names::is_own;
use crate::source::Source;

/// The call without a request, behind the name of the prepared method.
const PLAIN: &str = "(null, receiving(CallOptions.defaults()))";

/// Returns what is prepared for an operation.
fn prepared<'n>(named: &'n [NamedMethod<'_>], of: &[Trait]) -> Option<&'n NamedMethod<'n>> {
    let find = |of: &Trait| named.iter().find(|it| it.method.implements == Some(*of));
    of.iter().find_map(find)
}

impl Names<'_> {
    /// The interfaces that a class implements by operations.
    pub(super) fn interfaces_of_traits(
        &self,
        class: &str,
        named: &[NamedMethod<'_>],
    ) -> Vec<String> {
        let mut interfaces = Vec::new();
        if prepared(named, &[Trait::Ord]).is_some() {
            interfaces.push(format!("Comparable<{class}>"));
        }
        if let Some(iter) = prepared(named, &[Trait::Iter]) {
            interfaces.push(format!("Iterable<{}>", self.whole(&iter.method.response)));
        }
        interfaces
    }

    /// The operations of an object's class.
    pub(super) fn operations(&self, out: &mut Source, class: &str, named: &[NamedMethod<'_>]) {
        let client = |of: &[Trait]| {
            let found = prepared(named, of)?;
            Some(format!("client.{}", found.kept))
        };
        if let Some(kept) = client(&[Trait::Display, Trait::Debug]) {
            comment(
                out,
                "Returns the object as a text. If the call fails, the text states the error.",
                "the text",
            );
            member(
                out,
                "public String toString()",
                &format!("return text(() -> {kept}.call{PLAIN});"),
            );
        }
        let other = "receiving(CallOptions.defaults())";
        if let Some(kept) = client(&[Trait::Eq, Trait::PartialEq]) {
            comment(
                out,
                "Reports whether the plugin considers both equal. Objects of different instances are unequal, without a call.",
                "whether they are equal",
            );
            member(
                out,
                "public boolean equals(Object other)",
                &format!(
                    "return other instanceof {class} that\n    && isEqual(that, () -> {kept}.call(that, {other}));"
                ),
            );
            match client(&[Trait::Hash]) {
                Some(hash) => {
                    comment(
                        out,
                        "Returns a hash that equal objects have in common.",
                        "the hash",
                    );
                    member(
                        out,
                        "public int hashCode()",
                        &format!("return Long.hashCode({hash}.call{PLAIN});"),
                    );
                }
                None => {
                    comment(
                        out,
                        "Returns a hash that all objects of the class have in common: the plugin has none.",
                        "the hash",
                    );
                    member(
                        out,
                        "public int hashCode()",
                        &format!("return {class}.class.hashCode();"),
                    );
                }
            }
        }
        if let Some(kept) = client(&[Trait::Ord]) {
            comment(
                out,
                "Compares both in the order of the plugin.",
                "a number below 0, 0, or a number above 0",
            );
            member(
                out,
                &format!("public int compareTo({class} other)"),
                &format!("return comparison(other, () -> {kept}.call(other, {other}));"),
            );
        }
        if let Some(len) = prepared(named, &[Trait::Len]).filter(|len| !is_own("size", len.method))
        {
            out.gap();
            out.line("/**\n * Returns the number of items.\n *\n * @return the number\n */");
            out.line("public long size() {");
            out.indented(|out| out.line(format_args!("return client.{}.call{PLAIN};", len.kept)));
            out.line("}");
        }
        if let Some(iter) = prepared(named, &[Trait::Iter]) {
            comment(
                out,
                "Iterates over the items. If a loop is left early, the garbage collector cancels the call at some later time; close the iterator to cancel it at once.",
                "the items",
            );
            let ty = self.whole(&iter.method.response);
            member(
                out,
                &format!("public Items<{ty}> iterator()"),
                &format!("return client.{}.iterate{PLAIN};", iter.kept),
            );
        }
    }
}

fn comment(out: &mut Source, about: &str, returns: &str) {
    out.gap();
    super::text::Doc::of("", "")
        .replaced(about)
        .tag("@return", returns)
        .write(out);
}

/// A method that overrides another: its head, and its statement, which is broken behind the first parenthesis if it's too long.
fn member(out: &mut Source, head: &str, statement: &str) {
    out.line("@Override");
    out.line(format_args!("{head} {{"));
    out.indented(|out| match statement.split_once('(') {
        Some((before, inside)) if !fits(out, statement) && !statement.contains('\n') => {
            out.line(format_args!("{before}("));
            out.line(format_args!("    {inside}"));
        }
        _ => out.line(statement),
    });
    out.line("}");
}
