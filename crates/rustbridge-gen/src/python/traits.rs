//! The operations of objects whose types have traits: `str(..)`, `==`, `len(..)` and others.

use super::names::Names;
use super::prepared::prepare;
use super::roles::{Callable, Role};
use crate::client_schema::{Method, Traits};
use crate::names::Case;
use crate::source::Source;

/// The operations of an object's class.
pub(super) struct Operations<'n> {
    traits: Traits<'n>,
    /// The methods that the client keeps for them alone.
    hidden: Vec<Callable<'n>>,
}

impl<'n> Operations<'n> {
    pub(super) fn of(names: &'n Names<'n>, object: &str, class: &str) -> Operations<'n> {
        let traits = names.client_schema.traits(object);
        let hidden = traits.hidden().into_iter().map(|method| {
            let own = method.name.rsplit(':').next().unwrap_or_default();
            Callable {
                method,
                name: String::new(),
                kept: format!("_t_{}__{own}", Case::Snake.of(class)),
                is_awaited: false,
                role: Role::Object,
            }
        });
        Operations {
            hidden: hidden.collect(),
            traits,
        }
    }

    /// The methods that the client keeps for operations alone.
    pub(super) fn hidden(&self) -> &[Callable<'n>] {
        &self.hidden
    }

    /// Writes the preparation of these methods.
    pub(super) fn prepare(&self, out: &mut Source) {
        for callable in &self.hidden {
            prepare(out, callable, None);
        }
    }

    /// Writes the operations. `callables` are the methods of the class.
    pub(super) fn write(
        &self,
        out: &mut Source,
        names: &Names<'_>,
        class: &str,
        callables: &[Callable<'_>],
    ) {
        let Traits {
            display,
            debug,
            eq,
            hash,
            cmp,
            len,
            iter,
            ..
        } = self.traits;
        let kept = |method: Option<&Method>| {
            let method = method?;
            let mut all = self.hidden.iter().chain(callables);
            let found = all.find(|it| it.method.name == method.name && !it.is_awaited)?;
            Some(format!("self._client.{}", found.kept))
        };
        let line = |out: &mut Source, head: &str, body: &str| {
            out.gap();
            out.line(format_args!("def {head}:"));
            out.indented(|out| out.line(body));
        };
        for (name, method) in [("__str__", display), ("__repr__", debug)] {
            if let Some(kept) = kept(method) {
                line(
                    out,
                    &format!("{name}(self) -> str"),
                    &format!("return self._text({kept})"),
                );
            }
        }
        let mut compared = |name: &str, body: &str| {
            out.gap();
            out.line(format_args!("def {name}(self, other: Any) -> bool:"));
            out.indented(|out| {
                out.line(format_args!(
                    "return {body} if isinstance(other, {class}) else NotImplemented"
                ));
            });
        };
        if let Some(kept) = kept(eq) {
            compared("__eq__", &format!("self._equals({kept}, other)"));
        }
        if let Some(kept) = kept(cmp) {
            for (name, sign) in [
                ("__lt__", "<"),
                ("__le__", "<="),
                ("__gt__", ">"),
                ("__ge__", ">="),
            ] {
                compared(name, &format!("self._compared({kept}, other) {sign} 0"));
            }
        }
        for (name, method) in [("__hash__", hash), ("__len__", len)] {
            if let Some(kept) = kept(method) {
                out.gap();
                out.line(format_args!("def {name}(self) -> int:"));
                out.indented(|out| {
                    out.line(format_args!("answer: int = {kept}(None, None, self)"));
                    out.line("return answer");
                });
            }
        }
        if let (Some(kept), Some(method)) = (kept(iter), iter) {
            let ty = names.ty(&method.response);
            let items = format!("self._each({kept}(None, None, self))");
            line(
                out,
                &format!("__iter__(self) -> Iterator[{ty}]"),
                &format!("return {items}"),
            );
            let items = items.replacen("_each", "_each_async", 1);
            line(
                out,
                &format!("__aiter__(self) -> AsyncIterator[{ty}]"),
                &format!("return {items}"),
            );
        }
    }
}
