//! The operations of objects whose types have traits. Go has no operators for them: they are methods with the usual names.

use super::codec::Codec;
use super::methods::Callable;
use super::names::{Names, unexported};
use super::text::{doc, quoted};
use super::trait_names::{added, is_own};
use crate::source::Source;

impl Names<'_> {
    /// The methods that the client prepares for operations alone. `kept` are the fields of all of them.
    pub(super) fn hidden(&self, object: &str, kept: &mut Vec<String>) -> Vec<Callable<'_>> {
        let hidden = self.client_schema.traits(object).hidden().into_iter();
        let hidden = hidden.map(|method| {
            let mut field = unexported(&method.name);
            while kept.contains(&field) {
                field.push('_');
            }
            kept.push(field.clone());
            Callable {
                method,
                name: String::new(),
                kept: field,
            }
        });
        hidden.collect()
    }
}

impl Codec<'_, '_> {
    /// The operations of an object's struct. `callables` are its methods and those that are for operations alone.
    pub(super) fn operations(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        callables: &[&Callable<'_>],
    ) {
        for (name, method) in added(&self.names.client_schema.traits(object)) {
            let Some(method) = method.filter(|method| !is_own(name, method)) else {
                continue;
            };
            let mut all = callables.iter();
            let Some(found) = all.find(|it| it.method.name == method.name) else {
                continue;
            };
            let kept = format!("c.client.{}", found.kept);
            let ty = self.names.ty(&method.response);
            let (about, head, body) = operation(name, class, &kept, &ty);
            out.gap();
            doc(out, &about);
            out.line(format_args!("func (c *{class}) {head} {{"));
            out.indented(|out| out.line(body));
            out.line("}");
        }
    }
}

/// The documentation of an operation, its head behind the receiver, and its body.
fn operation(name: &str, class: &str, kept: &str, ty: &str) -> (String, String, String) {
    let text = format!("return typed.Text({kept}, c.object, {})", quoted(class));
    let plain = format!("return {kept}.CallOn(ctx, c.object, struct{{}}{{}})");
    let compared = format!("{kept}, c.object, other, other.Untyped()");
    match name {
        "String" => (
            "String returns the object as a text for users. If the call fails, the text states the error.".to_owned(),
            "String() string".to_owned(),
            text,
        ),
        "GoString" => (
            "GoString returns the text that %#v prints. If the call fails, the text states the error.".to_owned(),
            "GoString() string".to_owned(),
            text,
        ),
        "Equal" => (
            "Equal reports whether the plugin considers both equal. Objects of different instances, and nil, are unequal, without a call.".to_owned(),
            format!("Equal(ctx context.Context, other *{class}) (bool, error)"),
            format!("if other == nil {{\n\treturn false, nil\n}}\nreturn typed.Equal(ctx, {compared})"),
        ),
        "Compare" => (
            "Compare returns a number below 0, 0, or a number above 0: the order of both. Objects of different instances have none.".to_owned(),
            format!("Compare(ctx context.Context, other *{class}) (int, error)"),
            format!("if other == nil {{\n\treturn 0, typed.NilOther(\"{class}\")\n}}\nreturn typed.Compare(ctx, {compared})"),
        ),
        "Hash" => (
            "Hash returns the hash, which equal objects have in common while the plugin is loaded.".to_owned(),
            format!("Hash(ctx context.Context) ({ty}, error)"),
            plain,
        ),
        "Len" => (
            "Len returns the number of items.".to_owned(),
            format!("Len(ctx context.Context) ({ty}, error)"),
            plain,
        ),
        _ => (
            "All iterates over the items. Leaving the loop cancels the call.".to_owned(),
            format!("All(ctx context.Context) iter.Seq2[{ty}, error]"),
            format!("return {kept}.Stream(ctx, c.object, struct{{}}{{}})"),
        ),
    }
}
