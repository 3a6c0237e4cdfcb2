//! Callbacks: protocols that a host implements, and whose implementations methods accept.

use super::names::Names;
use super::text::{doc, prose, quoted};
use crate::client_schema::{Callback, Crossing, Method, Service};
use crate::error::Error;
use crate::source::Source;

impl Names<'_> {
    /// The protocols of callbacks, each with an alias for what methods accept if it has one function. `names` gets what they're called.
    pub(super) fn callbacks(&self, out: &mut Source, names: &mut Vec<String>) -> Result<(), Error> {
        for one in &self.callbacks {
            let protocol = &one.protocol;
            names.push(protocol.clone());
            out.gap();
            out.gap();
            out.line(format_args!("class {protocol}(Protocol):"));
            out.indented(|out| {
                let mut about = prose(&one.callback.doc, &one.callback.name);
                about.push_str("\n\nImplement it, and pass objects to the plugin's methods. Each function may be an ``async def``.\nThe plugin receives the exceptions as errors.");
                doc(out, &about);
                for (function, name) in one.callback.functions.iter().zip(&one.functions) {
                    self.function(out, function, name)?;
                }
                Ok::<(), Error>(())
            })?;
            if let (Some(like), [function]) = (&one.like, &*one.callback.functions) {
                names.push(like.clone());
                out.gap();
                out.gap();
                out.line(format_args!("#: A ``{protocol}``, or its only function."));
                let ty = format!("{protocol} | {}", self.callable(function));
                self.alias(out, like, &ty);
            }
        }
        Ok(())
    }

    /// The type of a function that isn't a method.
    fn callable(&self, function: &Service) -> String {
        let fields = function.arguments.iter().flatten();
        let parameters: Vec<String> = fields.map(|field| self.ty(&field.ty)).collect();
        let ty = self.ty(&function.response);
        format!(
            "Callable[[{}], {ty} | Awaitable[{ty}]]",
            parameters.join(", ")
        )
    }

    /// The callbacks, as an argument of the client schema.
    pub(super) fn callbacks_of_schema(&self, out: &mut Source) {
        if self.callbacks.is_empty() {
            return;
        }
        out.line("callbacks={");
        out.indented(|out| {
            for one in &self.callbacks {
                let callback = one.callback;
                out.line(format_args!("{}: typed.Callback(", quoted(&callback.name)));
                out.indented(|out| {
                    for method in [&callback.create, &callback.number] {
                        out.line(format_args!("\"{}\",", method.fingerprint));
                    }
                    out.line("{");
                    out.indented(|out| {
                        for (function, name) in callback.functions.iter().zip(&one.functions) {
                            out.line(format_args!("{}: \"{name}\",", quoted(&function.name)));
                        }
                    });
                    out.line("},");
                    crossings(out, callback);
                });
                out.line("),");
            }
        });
        out.line("},");
    }
}

/// The functions whose arguments or results cross by methods, with the fingerprints of these.
fn crossings(out: &mut Source, callback: &Callback) {
    let functions = callback.functions.iter();
    let crossing = functions.filter_map(|it| Some((&it.name, it.crossing.as_ref()?)));
    let crossing: Vec<_> = crossing.collect();
    if crossing.is_empty() {
        return;
    }
    let fingerprint = |method: &Option<Method>| match method {
        Some(method) => format!("\"{}\"", method.fingerprint),
        None => "None".to_owned(),
    };
    out.line("{");
    out.indented(|out| {
        for (
            name,
            Crossing {
                arguments, result, ..
            },
        ) in crossing
        {
            let (arguments, result) = (fingerprint(arguments), fingerprint(result));
            out.line(format_args!("{}: ({arguments}, {result}),", quoted(name)));
        }
    });
    out.line("},");
}
