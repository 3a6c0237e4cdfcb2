//! The traits of objects' structs that call the plugin.

use super::methods::Callable;
use super::names::Names;
use crate::client_schema::{Method, Traits};
use crate::source::Source;

impl Names<'_> {
    /// The methods that the client prepares for traits alone. `kept` are the fields of all of them.
    pub(super) fn hidden(&self, object: &str, kept: &mut Vec<String>) -> Vec<Callable<'_>> {
        let hidden = self.client_schema.traits(object).hidden().into_iter();
        hidden.map(|method| Callable::kept(method, kept)).collect()
    }

    /// What an object's struct derives.
    pub(super) fn derived(&self, object: &str) -> String {
        let Traits { debug, eq, .. } = self.client_schema.traits(object);
        let mut derived = vec!["Clone"];
        if debug.is_none() {
            derived.push("Debug");
        }
        if eq.is_none() {
            derived.push("PartialEq");
        }
        derived.join(", ")
    }

    /// The traits of an object's struct. `callables` are its methods and those that are for traits alone.
    pub(super) fn traits(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        callables: &[&Callable<'_>],
    ) {
        let traits = self.client_schema.traits(object);
        let line = |out: &mut Source, of: &str, method: Option<&Method>, more: &str| {
            let found = callables
                .iter()
                .find(|it| method.is_some_and(|method| method.name == it.method.name));
            if let Some(found) = found {
                let kept = &found.kept;
                out.line(format_args!("typed::object::{of}!({class}, {kept}{more});"));
            }
        };
        line(out, "display", traits.display, "");
        line(out, "debug", traits.debug, "");
        line(out, "eq", traits.eq, if traits.is_eq { ", Eq" } else { "" });
        line(out, "hash", traits.hash, "");
        line(out, "ord", traits.cmp, "");
        let item = traits.iter.map_or_else(String::new, |iter| {
            format!(", {}, {}", self.ty(&iter.response), self.failure(iter))
        });
        line(out, "iter", traits.iter, &item);
    }
}
