//! The operations of objects whose types have traits. JavaScript has no operators for them, so most are methods with the usual names.
//! They block the event loop, since none of them may return a promise.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::methods::Callable;
use super::names::Names;
use super::text::{doc, list, quoted};
use crate::client_schema::Method;
use crate::source::Source;

impl Names<'_> {
    /// The methods that the client prepares for operations alone. `kept` are the properties of all of them.
    pub(super) fn hidden(&self, object: &str, kept: &mut Vec<String>) -> Vec<Callable<'_>> {
        let hidden = self.client_schema.traits(object).hidden().into_iter();
        hidden
            .map(|method| Callable::hidden(method, kept))
            .collect()
    }
}

impl Codec<'_, '_> {
    /// The operations of an object's class. `callables` are its methods and those that are for operations alone.
    pub(super) fn operations(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        callables: &[&Callable<'_>],
    ) {
        let traits = self.names.client_schema.traits(object);
        let kept = |method: Option<&Method>| {
            let mut all = callables.iter();
            let found =
                all.find(|it| method.is_some_and(|method| method.name == it.method.name))?;
            Some(format!("this.#methods.{}", found.kept))
        };
        let called = |kept: &str, request: &str| {
            format!("{kept}.callSync({request}, undefined, this.untyped)")
        };
        let write = |out: &mut Source, about: &str, head: &str, body: (&str, &[String], &str)| {
            out.gap();
            let about = format!("{about}\n\nBlocks the event loop until the call has completed.");
            doc(out, &about);
            out.line(format_args!("{head} {{"));
            let (before, arguments, behind) = body;
            out.indented(|out| list(out, before, arguments, behind));
            out.line("}");
        };
        for (method, head, about) in [
            (
                traits.display,
                "toString(): string",
                "Returns the object as a text for users. If the call fails, the text states the error.",
            ),
            (
                traits.debug,
                "[Symbol.for(\"nodejs.util.inspect.custom\")](): string",
                "Returns the text that `console.log` prints. If the call fails, the text states the error.",
            ),
        ] {
            if let Some(kept) = kept(method) {
                let arguments = [quoted(class), "this.untyped".to_owned(), kept];
                write(out, about, head, ("return wire.textOf(", &arguments, ");"));
            }
        }
        let compared = |kept: String| {
            [
                "this.untyped".to_owned(),
                "other.untyped".to_owned(),
                format!("() => {}", called(&kept, "other")),
            ]
        };
        if let Some(kept) = kept(traits.eq) {
            write(
                out,
                "Returns whether the plugin considers both equal. Other values, and objects of another instance, are unequal.",
                "equals(other: unknown): boolean",
                (
                    &format!("return other instanceof {class} && wire.equals("),
                    &compared(kept),
                    ");",
                ),
            );
        }
        if let Some(kept) = kept(traits.cmp) {
            write(
                out,
                "Returns a number below, equal to or above 0: the order of both. Throws a `TypeError` for an object of another instance.",
                &format!("compareTo(other: {class}): number"),
                ("return wire.compared(", &compared(kept), ");"),
            );
        }
        let plain = ["undefined", "undefined", "this.untyped"].map(str::to_owned);
        if let Some(kept) = kept(traits.hash) {
            let ty = self.names.ty(&TypeRef::U64);
            write(
                out,
                "Returns the hash, which equal objects have in common while the plugin is loaded.",
                &format!("hashCode(): {ty}"),
                (&format!("return {kept}.callSync("), &plain, ");"),
            );
        }
        if let Some(kept) = kept(traits.len) {
            write(
                out,
                "The number of items.",
                "get length(): number",
                ("return Number(", &[called(&kept, "undefined")], ");"),
            );
        }
        if let (Some(kept), Some(iter)) = (kept(traits.iter), traits.iter) {
            let ty = self.names.ty(&iter.response);
            out.gap();
            doc(
                out,
                "Iterates over the items. Leaving the loop cancels the call.",
            );
            out.line(format_args!(
                "[Symbol.asyncIterator](): wire.Items<{ty}> {{"
            ));
            out.indented(|out| list(out, &format!("return {kept}.stream("), &plain, ");"));
            out.line("}");
        }
    }
}
