//! The operations of objects whose types have traits: text, equality, an order, a hash, a size and a range.

use super::methods::Callable;
use super::names::Names;
use super::text::{doc, quoted};
use super::trait_names::is_own;
use crate::client_schema::Method;
use crate::names::{Case, Scope};
use crate::source::Source;

/// A function of an object's class.
struct Operation {
    doc: &'static str,
    /// The result's type, the name with its parameters, and what follows these.
    head: [String; 2],
    /// Its only statement.
    body: String,
}

impl<'c> Names<'c> {
    /// The methods that the client prepares for operations alone. `kept` are the names of what is prepared.
    pub(super) fn hidden(&self, object: &str, kept: &mut Scope<'_>) -> Vec<Callable<'c>> {
        let traits = self.client_schema.traits(object);
        let hidden = traits.hidden_with_one_text().into_iter();
        hidden
            .map(|method| Callable::hidden(method, kept.joined(&method.name, Case::Snake)))
            .collect()
    }

    fn operations_of(
        &self,
        object: &str,
        class: &str,
        callables: &[&Callable<'_>],
    ) -> Vec<Operation> {
        let traits = self.client_schema.traits(object);
        let kept = |method: Option<&Method>| {
            let mut all = callables.iter();
            let found = all.find(|it| method.is_some_and(|method| it.is_of(&method.name)))?;
            Some(format!("this->methods().{}", found.kept))
        };
        let called = |kept: &str, by: &str, request: &str| {
            format!("{kept}.{by}({request}, rustbridge::CallOptions(), this->beside())")
        };
        let call = |kept: &str, request: &str| called(kept, "call", request);
        let nothing = "std::monostate()";
        let instance = "this->methods().plugin == other.methods().plugin";
        let mut all = Vec::new();
        let mut add = |doc: &'static str, ty: &str, rest: String, body: String| {
            all.push(Operation {
                doc,
                head: [ty.to_owned(), rest],
                body,
            });
        };
        if let Some(kept) = kept(traits.display.or(traits.debug)) {
            add(
                "Returns the object as a text. If the call fails, the text states the error.",
                "std::string",
                "to_string() const".to_owned(),
                format!(
                    "return rustbridge::detail::text_of({}, [this] {{ return {}; }});",
                    quoted(class),
                    call(&kept, nothing)
                ),
            );
        }
        if let Some(kept) = kept(traits.eq) {
            add(
                "Returns whether the plugin considers both equal. Objects of different instances are unequal, without a call.",
                "bool",
                format!("operator==(const {class}& other) const"),
                format!(
                    "return this == &other || ({instance} && {});",
                    call(&kept, "other")
                ),
            );
        }
        if let Some(kept) = kept(traits.cmp) {
            add(
                "Compares both in the order of the plugin. `Error` with `invalid_argument`: they belong to different instances.",
                "std::strong_ordering",
                format!("operator<=>(const {class}& other) const"),
                format!(
                    "rustbridge::detail::check_order({instance});\nreturn {} <=> 0;",
                    call(&kept, "other")
                ),
            );
        }
        if let Some(kept) = kept(traits.hash) {
            add(
                "Returns the hash, which equal objects have in common while the plugin is loaded.",
                "std::uint64_t",
                "hash() const".to_owned(),
                format!("return {};", call(&kept, nothing)),
            );
        }
        if let (Some(kept), Some(len)) = (kept(traits.len), traits.len)
            && !is_own("size", len)
        {
            add(
                "Returns the number of items.",
                "std::uint64_t",
                "size() const".to_owned(),
                format!("return {};", call(&kept, nothing)),
            );
        }
        if let (Some(kept), Some(iter)) = (kept(traits.iter), traits.iter) {
            add(
                "Returns an iterator over the items, which waits for each. The call is cancelled with the last copy of the iterator.",
                &format!("rustbridge::ItemIterator<{}>", self.streamed(iter)),
                "begin() const".to_owned(),
                format!(
                    "return rustbridge::ItemIterator({});",
                    called(&kept, "stream", nothing)
                ),
            );
        }
        all
    }

    /// The operations where the class is defined. `callables` are its methods and those that are for operations alone.
    pub(super) fn operations(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        callables: &[&Callable<'_>],
    ) {
        for Operation {
            doc: about, head, ..
        } in self.operations_of(object, class, callables)
        {
            let [ty, rest] = head;
            out.gap();
            doc(out, about);
            out.line(format_args!("{ty} {rest};"));
            if rest.starts_with("to_string") {
                out.line(format_args!(
                    "friend std::ostream& operator<<(std::ostream& out, const {class}& object) {{ return out << object.to_string(); }}"
                ));
            }
            if rest.starts_with("begin") {
                out.line("std::default_sentinel_t end() const noexcept { return {}; }");
            }
        }
    }

    /// The bodies of the operations.
    pub(super) fn operation_bodies(
        &self,
        out: &mut Source,
        object: &str,
        class: &str,
        callables: &[&Callable<'_>],
    ) {
        for Operation { head, body, .. } in self.operations_of(object, class, callables) {
            let [ty, rest] = head;
            out.gap();
            out.line(format_args!("inline {ty} {class}::{rest} {{"));
            out.indented(|out| out.line(body));
            out.line("}");
        }
    }

    /// The hashes of objects, outside the client's namespace.
    pub(super) fn hashes(&self, out: &mut Source) {
        for (object, class) in &self.objects {
            if self.client_schema.traits(object).hash.is_none() {
                continue;
            }
            let class = format!("{}::{class}", self.namespace);
            out.gap();
            out.line("template <>");
            out.line(format_args!("struct std::hash<{class}> {{"));
            out.indented(|out| {
                out.line(format_args!(
                    "std::size_t operator()(const {class}& object) const {{ return static_cast<std::size_t>(object.hash()); }}"
                ));
            });
            out.line("};");
        }
    }
}
