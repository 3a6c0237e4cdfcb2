//! The operations of objects whose types have traits: `toString`, `equals`, `hashCode`, an order and a size. Items are a `Flow`, which the
//! author's method returns: a loop would block.

use rustbridge_description::types::Trait;

use super::methods::NamedMethod;
use super::names::Names;
use super::text::{Doc, call, fits};
use super::trait_names::is_own;
use crate::source::Source;

/// The call without a request, behind the name of the prepared method.
const PLAIN: &str = "(Unit, receiving(CallOptions.defaults()))";

/// Returns what is prepared for an operation.
fn prepared<'n>(named: &'n [NamedMethod<'_>], of: &[Trait]) -> Option<&'n NamedMethod<'n>> {
    let find = |of: &Trait| named.iter().find(|it| it.method.implements == Some(*of));
    of.iter().find_map(find)
}

/// The interfaces that a class implements by operations, behind its base class.
pub(super) fn interfaces(class: &str, named: &[NamedMethod<'_>]) -> String {
    match prepared(named, &[Trait::Ord]) {
        Some(_) => format!(", Comparable<{class}>"),
        None => String::new(),
    }
}

impl Names<'_> {
    /// The operations of an object's class.
    pub(super) fn operations(&self, out: &mut Source, class: &str, named: &[NamedMethod<'_>]) {
        let client = |of: &[Trait]| {
            let found = prepared(named, of)?;
            Some(format!("this.client.{}", found.kept))
        };
        let other = "(other, receiving(CallOptions.defaults()))";
        if let Some(kept) = client(&[Trait::Display, Trait::Debug]) {
            member(
                out,
                (
                    "Returns the object as a text. If the call fails, the text states the error.",
                    "the text",
                ),
                "override fun toString(): String",
                ("text", &format!("{kept}.call{PLAIN}")),
            );
        }
        if let Some(kept) = client(&[Trait::Eq, Trait::PartialEq]) {
            member(
                out,
                (
                    "Reports whether the plugin considers both equal. Objects of different instances are unequal, without a call.",
                    "whether they are equal",
                ),
                "override fun equals(other: Any?): Boolean",
                (
                    &format!("other is {class} && isEqual(other)"),
                    &format!("{kept}.call{other}"),
                ),
            );
            let (about, hash) = match client(&[Trait::Hash]) {
                Some(hash) => (
                    "Returns a hash that equal objects have in common.",
                    format!("{hash}.call{PLAIN}.hashCode()"),
                ),
                None => (
                    "Returns a hash that all objects of the class have in common: the plugin has none.",
                    format!("{class}::class.hashCode()"),
                ),
            };
            member(
                out,
                (about, "the hash"),
                "override fun hashCode(): Int",
                (&hash, ""),
            );
        }
        if let Some(kept) = client(&[Trait::Ord]) {
            member(
                out,
                (
                    "Compares both in the order of the plugin.",
                    "a number below 0, 0, or a number above 0",
                ),
                &format!("override fun compareTo(other: {class}): Int"),
                ("comparison(other)", &format!("{kept}.call{other}.toInt()")),
            );
        }
        if let Some(len) = prepared(named, &[Trait::Len]).filter(|len| !is_own("size", len.method))
        {
            out.gap();
            Doc::of("", "").replaced("The number of items.").write(out);
            out.line("public val size: Int");
            out.indented(|out| {
                let size = format!("this.client.{}.call{PLAIN}.toLong()", len.kept);
                let line = format!("get() = Math.toIntExact({size})");
                if fits(out, &line) {
                    out.line(line);
                    return;
                }
                out.line("get() =");
                out.indented(|out| call(out, "Math.toIntExact", &[size], ""));
            });
        }
    }
}

/// A function that overrides another: its documentation, its head, and its expression with what a lambda behind it calls, if there's one.
fn member(out: &mut Source, doc: (&str, &str), head: &str, (before, called): (&str, &str)) {
    out.gap();
    Doc::of("", "")
        .replaced(doc.0)
        .tag("@return", doc.1)
        .write(out);
    let expression = match called {
        "" => before.to_owned(),
        called => format!("{before} {{ {called} }}"),
    };
    let line = format!("{head} = {expression}");
    if fits(out, &line) {
        out.line(line);
        return;
    }
    let lambda = |out: &mut Source, line: &str| {
        out.line(format_args!("{line} {{"));
        out.indented(|out| out.line(called));
        out.line("}");
    };
    if !called.is_empty() && !before.contains('(') {
        lambda(out, &format!("{head} = {before}"));
        return;
    }
    out.line(format_args!("{head} ="));
    out.indented(|out| match before.split_once(" && ") {
        _ if called.is_empty() || fits(out, &expression) => out.line(expression),
        None => lambda(out, before),
        Some((first, second)) => {
            out.line(format_args!("{first} &&"));
            out.indented(|out| lambda(out, second));
        }
    });
}
