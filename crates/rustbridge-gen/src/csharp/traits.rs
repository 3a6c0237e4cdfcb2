//! The operations of objects whose types have traits: `ToString`, equality, an order, a count and items.

use rustbridge_description::types::TypeRef;

use super::methods::{Callable, Owner};
use super::names::Names;
use super::requests::Request;
use super::text::{doc, quoted};
use crate::client_schema::{Method, Traits};
use crate::error::Error;
use crate::form::Form;
use crate::names::Case;
use crate::source::Source;

/// The members that operations add to a class: no method can be called so.
pub(super) fn members(traits: &Traits<'_>) -> Vec<&'static str> {
    let all = [
        (traits.cmp, "CompareTo"),
        (traits.len, "Count"),
        (traits.iter, "GetAsyncEnumerator"),
    ];
    let has = all.into_iter().filter(|(method, _)| method.is_some());
    has.map(|(_, name)| name).collect()
}

impl Names<'_> {
    /// The methods that the client prepares for operations alone.
    pub(super) fn hidden(&self, object: &str, class: &str) -> Result<Vec<Callable<'_>>, Error> {
        let traits = self.client_schema.traits(object);
        let hidden = traits.hidden_with_one_text().into_iter();
        let hidden = hidden.map(|method| {
            let own = method.name.rsplit(':').next().unwrap_or_default();
            let mut request = Request::of(self, method)?;
            if method.request != TypeRef::Unit {
                "other".clone_into(&mut request.argument);
            }
            Ok(Callable {
                method,
                own,
                name: None,
                form: Form::Method,
                request,
                awaited: None,
                kept: format!("m_{}___{own}", Case::Camel.of(class)),
            })
        });
        hidden.collect()
    }

    /// The interfaces that an object's class implements by operations.
    pub(super) fn interfaces_of_traits(&self, object: &str, class: &str) -> String {
        let traits = self.client_schema.traits(object);
        let mut interfaces = String::new();
        if traits.eq.is_some() {
            interfaces.push_str(&format!(", IEquatable<{class}>"));
        }
        if traits.cmp.is_some() {
            interfaces.push_str(&format!(", IComparable<{class}>"));
        }
        if let Some(iter) = traits.iter {
            interfaces.push_str(&format!(", IAsyncEnumerable<{}>", self.ty(&iter.response)));
        }
        interfaces
    }

    /// The operations. `callables` are the methods of the class.
    pub(super) fn operations(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        callables: &[Callable<'_>],
    ) -> Result<(), Error> {
        let traits = self.client_schema.traits(object);
        let hidden = self.hidden(object, class)?;
        let of = Owner::Object(object, class);
        // The expression that calls a method.
        let call = |method: Option<&Method>| {
            let method = method?;
            let mut all = hidden.iter().chain(callables);
            let found = all.find(|it| it.method.name == method.name)?;
            let (_, kept) = of.before(found);
            let (types, argument) = (self.types(found, None), &found.request.argument);
            Some((kept, types, argument.clone()))
        };
        let unary = |method: Option<&Method>| {
            let (kept, types, argument) = call(method)?;
            Some(format!(
                "{kept}.CallWire<{types}>(Untyped, {argument}, null)"
            ))
        };
        if let Some(text) = unary(traits.display.or(traits.debug)) {
            out.gap();
            doc(
                out,
                "summary",
                "Returns the object as a text. If the call fails, the text states the error.",
            );
            out.line("/// <returns>The text.</returns>");
            out.line("public override string ToString() =>");
            out.indented(|out| {
                out.line(format_args!(
                    "global::RustBridge.Wire.ObjectOperations.Text({}, () => {text});",
                    quoted(class)
                ));
            });
        }
        if let Some(equal) = unary(traits.eq) {
            equality(out, class, &equal);
            self.hash_code(out, class, unary(traits.hash));
        }
        if let Some(order) = unary(traits.cmp) {
            self.order(out, class, &order);
        }
        if let Some(count) = unary(traits.len) {
            out.gap();
            out.line("/// <summary>The number of items.</summary>");
            out.line("/// <exception cref=\"PluginException\">The call has failed.</exception>");
            out.line("/// <exception cref=\"OverflowException\">There are more than an <see langword=\"int\"/> can count.</exception>");
            out.line("public int Count =>");
            out.indented(|out| out.line(format_args!("checked((int){count});")));
        }
        if let (Some((kept, types, argument)), Some(iter)) = (call(traits.iter), traits.iter) {
            let item = self.ty(&iter.response);
            out.gap();
            out.line("/// <summary>Iterates over the items, by <c>await foreach</c>. Leaving the loop cancels the call.</summary>");
            out.line("/// <param name=\"cancellationToken\">Cancels the call.</param>");
            out.line("/// <returns>The items.</returns>");
            out.line(format_args!("public IAsyncEnumerator<{item}> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>"));
            out.indented(|out| {
                out.line(format_args!(
                    "{kept}.StreamWireAsync<{types}>(Untyped, {argument}, null, cancellationToken)"
                ));
                out.indented(|out| out.line(".GetAsyncEnumerator(cancellationToken);"));
            });
        }
        Ok(())
    }

    fn hash_code(&self, out: &mut Source, class: &str, hash: Option<String>) {
        out.gap();
        match hash {
            Some(hash) => {
                out.line(
                    "/// <summary>Returns a hash that equal objects have in common.</summary>",
                );
                out.line("/// <returns>The hash.</returns>");
                out.line(
                    "/// <exception cref=\"PluginException\">The call has failed.</exception>",
                );
                out.line("public override int GetHashCode() =>");
                out.indented(|out| out.line(format_args!("{hash}.GetHashCode();")));
            }
            None => {
                out.line("/// <summary>Returns a hash, which all objects of the class have in common: the plugin has none.</summary>");
                out.line("/// <returns>The hash.</returns>");
                out.line(format_args!(
                    "public override int GetHashCode() => typeof({class}).GetHashCode();"
                ));
            }
        }
    }

    fn order(&self, out: &mut Source, class: &str, order: &str) {
        out.gap();
        out.line("/// <summary>Compares both in the order of the plugin.</summary>");
        out.line(
            "/// <param name=\"other\">The other object. Null comes before all objects.</param>",
        );
        out.line("/// <returns>A number below 0, 0, or a number above 0.</returns>");
        out.line("/// <exception cref=\"PluginException\">The call has failed.</exception>");
        out.line("/// <exception cref=\"ArgumentException\">The other object belongs to another instance.</exception>");
        out.line(format_args!("public int CompareTo({class}? other) =>"));
        out.indented(|out| {
            out.line(format_args!(
                "other is null ? 1 : global::RustBridge.Wire.ObjectOperations.Compare(Untyped, other.Untyped, () => {order});"
            ));
        });
        for (sign, about) in [
            ("<", "precedes"),
            ("<=", "precedes or equals"),
            (">", "follows"),
            (">=", "follows or equals"),
        ] {
            out.gap();
            doc(
                out,
                "summary",
                &format!("Reports whether the left one {about} the right one."),
            );
            sides(out);
            out.line(format_args!(
                "public static bool operator {sign}({class}? left, {class}? right) =>"
            ));
            out.indented(|out| {
                out.line(format_args!(
                    "(left is null ? (right is null ? 0 : -1) : left.CompareTo(right)) {sign} 0;"
                ));
            });
        }
    }
}

fn sides(out: &mut Source) {
    out.line("/// <param name=\"left\">The left one.</param>");
    out.line("/// <param name=\"right\">The right one.</param>");
    out.line("/// <returns>Whether it's so.</returns>");
}

fn equality(out: &mut Source, class: &str, equal: &str) {
    out.line(format_args!(
        r#"
/// <summary>
/// Reports whether the plugin considers both equal. Objects of different instances are unequal, without a call.
/// </summary>
/// <param name="other">The other object.</param>
/// <returns>Whether they are equal.</returns>
/// <exception cref="PluginException">The call has failed.</exception>
public bool Equals({class}? other) =>
    other is not null
    && global::RustBridge.Wire.ObjectOperations.AreEqual(Untyped, other.Untyped, () => {equal});

/// <inheritdoc/>
public override bool Equals(object? obj) => Equals(obj as {class});"#
    ));
    for (sign, negated) in [("==", ""), ("!=", "!")] {
        out.gap();
        let about = match negated {
            "" => "equal",
            _ => "unequal",
        };
        doc(
            out,
            "summary",
            &format!("Reports whether the plugin considers both {about}."),
        );
        sides(out);
        out.line(format_args!(
            "public static bool operator {sign}({class}? left, {class}? right) =>"
        ));
        out.indented(|out| {
            out.line(format_args!(
                "{negated}(left is null ? right is null : left.Equals(right));"
            ));
        });
    }
}
