//! The class of a plugin: a method for each way of calling one of the plugin's.

use rustbridge_description::types::TypeRef;

use super::names::{CLIENT, KEYWORDS, Names, TYPES};
use super::text::{call, doc, prose, quoted};
use crate::contract::{Kind, Method};
use crate::error::Error;
use crate::names::{Case, Scope};
use crate::source::Source;

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// With a request, and waited for.
    Call,
    /// With a request, and awaited.
    CallAsync,
    /// With a request, for a stream.
    Stream,
    /// With items and a request, and waited for.
    Send,
    /// With items and a request, and awaited.
    SendAsync,
    /// With items and a request, for a stream.
    Exchange,
}

/// A method of the class.
struct Callable<'m> {
    method: &'m Method,
    way: Way,
    name: String,
}

impl Way {
    fn of(method: &Method) -> (Way, Option<Way>) {
        match method.kind {
            Kind::Unary if method.is_async => (Way::Call, Some(Way::CallAsync)),
            Kind::Unary => (Way::Call, None),
            Kind::StreamOut => (Way::Stream, None),
            Kind::StreamIn => (Way::Send, Some(Way::SendAsync)),
            Kind::StreamBoth => (Way::Exchange, None),
        }
    }

    /// What of the base class prepares it.
    fn prepared_by(self) -> &'static str {
        match self {
            Way::Call => "_prepare",
            Way::CallAsync => "_prepare_async",
            Way::Stream => "_prepare_stream",
            Way::Send => "_prepare_send",
            Way::SendAsync => "_prepare_send_async",
            Way::Exchange => "_prepare_exchange",
        }
    }

    fn is_awaited(self) -> bool {
        matches!(self, Way::CallAsync | Way::SendAsync)
    }
}

impl Names<'_> {
    pub(super) fn client(&self, out: &mut Source) -> Result<(), Error> {
        let (calls, others): (Vec<&Method>, Vec<&Method>) =
            self.contract.methods.iter().partition(|method| {
                method.receiver.is_empty() && !self.contract.has_objects(method)
            });
        let left_out: Vec<&str> = others
            .iter()
            .map(|method| &*method.name)
            .chain(self.contract.others.iter().map(|name| &**name))
            .collect();
        let callables = callables(&calls)?;
        out.gap();
        out.gap();
        out.line(format_args!("class {}(typed.Client):", self.client));
        out.indented(|out| {
            let mut about = prose(&self.contract.doc, &self.client);
            if !left_out.is_empty() {
                about.push_str(&format!(
                    "\n\nNot here, since they have no types or have to do with objects: {}.",
                    left_out.join(", ")
                ));
            }
            doc(out, &about);
            out.gap();
            slots(out, &callables);
            out.gap();
            out.line("def __init__(self, plugin: rustbridge.Plugin) -> None:");
            out.indented(|out| {
                out.line("\"\"\"Call an instance of the plugin, which goes on to belong to the caller.\"\"\"");
                out.line("super().__init__(plugin)");
                for callable in &callables {
                    prepare(out, callable);
                }
            });
            for callable in &callables {
                self.method(out, callable);
            }
        });
        Ok(())
    }

    fn method(&self, out: &mut Source, callable: &Callable<'_>) {
        let Callable { method, way, name } = callable;
        let (def, waits) = if way.is_awaited() {
            ("async def", "await ")
        } else {
            ("def", "")
        };
        let mut parameters = vec!["self".to_owned()];
        let mut arguments = Vec::new();
        if let Some(items) = self.items(callable) {
            parameters.push(format!("items: {items}"));
            arguments.push("items");
        }
        if method.request == TypeRef::Unit {
            arguments.push("None");
        } else {
            parameters.push(format!("request: {}", self.ty(&method.request)));
            arguments.push("request");
        }
        let response = self.response(callable);
        out.gap();
        call(
            out,
            &format!("{def} {name}"),
            &parameters.join(", "),
            &format!(" -> {response}:"),
        );
        out.indented(|out| {
            doc(out, &prose(&method.doc, &method.name));
            let call = format!("{waits}self._{name}({})", arguments.join(", "));
            if response == "None" {
                out.line(call);
            } else {
                // The prepared method is of any type, and this one isn't.
                out.line(format_args!("answer: {response} = {call}"));
                out.line("return answer");
            }
        });
    }

    /// What is sent, if anything is.
    fn items(&self, callable: &Callable<'_>) -> Option<String> {
        let item = self.ty(callable.method.items.as_ref()?);
        Some(match callable.way {
            Way::Send => format!("Iterable[{item}]"),
            _ => format!("AsyncIterable[{item}] | Iterable[{item}]"),
        })
    }

    fn response(&self, callable: &Callable<'_>) -> String {
        let response = self.ty(&callable.method.response);
        match callable.way {
            Way::Stream | Way::Exchange => format!("rustbridge.Stream[{response}]"),
            _ => response,
        }
    }
}

/// What `__init__` keeps of a method.
fn prepare(out: &mut Source, callable: &Callable<'_>) {
    let Callable { method, way, name } = callable;
    call(
        out,
        &format!("self._{name} = self.{}", way.prepared_by()),
        &format!(
            "_CONTRACT, {}, \"{}\"",
            quoted(&method.name),
            method.fingerprint
        ),
        "",
    );
}

/// The plugin's methods in their order, and behind them what is awaited.
fn callables<'m>(methods: &[&'m Method]) -> Result<Vec<Callable<'m>>, Error> {
    let reserved: Vec<&str> = KEYWORDS
        .iter()
        .chain(TYPES)
        .chain(CLIENT)
        .copied()
        .collect();
    let mut scope = Scope::new("the plugin's methods", &reserved);
    let mut callables = Vec::new();
    for &method in methods {
        let (way, _) = Way::of(method);
        let name = scope.name(&method.name, Case::Snake)?;
        callables.push(Callable { method, way, name });
    }
    for &method in methods {
        if let (_, Some(way)) = Way::of(method) {
            let name = scope.name(&format!("{}_async", method.name), Case::Snake)?;
            callables.push(Callable { method, way, name });
        }
    }
    Ok(callables)
}

fn slots(out: &mut Source, callables: &[Callable<'_>]) {
    let mut slots: Vec<String> = callables
        .iter()
        .map(|callable| format!("\"_{}\"", callable.name))
        .collect();
    slots.sort();
    out.line("__slots__ = (");
    out.indented(|out| {
        for slot in &slots {
            out.line(format_args!("{slot},"));
        }
    });
    out.line(")");
}
