//! Callbacks: the traits that the host implements and methods accept.

use super::methods::Callable;
use super::names::{CallbackNames, Names};
use super::text::{Argument, OUTER, call, doc, head, quoted};
use crate::client_schema::{Method, Service};
use crate::error::Error;
use crate::source::Source;

/// The client's fields for the methods of a callback's objects.
pub(super) struct CallbackMethods<'c> {
    /// The functions, in their order.
    pub(super) functions: Vec<Callable<'c>>,
    /// The method that creates an object, and the one that returns its number.
    pub(super) own: [Callable<'c>; 2],
    /// The methods by which arguments and results with objects cross.
    pub(super) crossings: Vec<Callable<'c>>,
}

impl Names<'_> {
    /// The methods by which a callback's objects are called, created and told apart.
    pub(super) fn callback_methods<'n>(
        &'n self,
        one: &'n CallbackNames<'_>,
        kept: &mut Vec<String>,
    ) -> Result<CallbackMethods<'n>, Error> {
        Ok(CallbackMethods {
            functions: self.callables(&one.callback.name, kept)?,
            own: [
                Callable::kept(&one.callback.create, kept),
                Callable::kept(&one.callback.number, kept),
            ],
            crossings: one
                .functions
                .iter()
                .filter_map(|(service, _)| service.crossing.as_ref())
                .flat_map(|crossing| [&crossing.arguments, &crossing.result])
                .flatten()
                .map(|method| Callable::kept(method, kept))
                .collect(),
        })
    }

    /// The trait, its structs, and the implementation by an object of the plugin.
    pub(super) fn callback(
        &self,
        out: &mut Source,
        one: &CallbackNames<'_>,
        methods: &CallbackMethods<'_>,
    ) -> Result<(), Error> {
        let (callback, name) = (one.callback, &one.name);
        doc(
            out,
            OUTER,
            match &*callback.doc {
                "" => "The plugin has no documentation of it.",
                prose => prose,
            },
        );
        out.line(OUTER);
        let function = match one.functions.len() {
            1 => " Functions with the same parameters and result implement it.",
            _ => "",
        };
        doc(
            out,
            OUTER,
            &format!(
                "The plugin calls the host's implementation from any thread, and from several threads at once. If a function panics, the plugin receives an error with the panic's message.{function}"
            ),
        );
        out.line(format_args!("pub trait {name}: Send + Sync + 'static {{"));
        let mut heads = Vec::new();
        for (service, function) in &one.functions {
            heads.push((*service, function, self.service_parameters(service)?));
        }
        let result = |service: &Service| self.service_result(service);
        out.indented(|out| {
            for (position, (service, function, parameters)) in heads.iter().enumerate() {
                if position > 0 {
                    out.gap();
                }
                self.service_doc(out, service);
                let declared = with_self(parameters);
                head(
                    out,
                    &format!("fn {function}"),
                    &declared,
                    &result(service),
                    ";",
                );
            }
        });
        out.line("}");
        if let [(service, function, parameters)] = &heads[..] {
            out.gap();
            let types: Vec<&str> = parameters.iter().map(|it| &*it.ty).collect();
            out.line(format_args!("impl<F> {name} for F"));
            out.line("where");
            out.indented(|out| {
                out.line(format_args!(
                    "F: Fn({}){} + Send + Sync + 'static,",
                    types.join(", "),
                    result(service)
                ));
            });
            out.line("{");
            out.indented(|out| {
                let declared = with_self(parameters);
                head(
                    out,
                    &format!("fn {function}"),
                    &declared,
                    &result(service),
                    " {",
                );
                let names: Vec<&str> = parameters.iter().map(|it| &*it.name).collect();
                out.indented(|out| out.line(format_args!("self({})", names.join(", "))));
                out.line("}");
            });
            out.line("}");
        }
        out.gap();
        let [create, number] = &methods.own;
        out.line("typed::object::callback! {");
        out.indented(|out| {
            out.line(format_args!(
                "{}, {}, {name}, Methods, {},",
                self.object(&callback.name),
                one.proxy,
                quoted(&callback.name)
            ));
            out.line(format_args!(
                "{}, {}, {}",
                create.kept, number.kept, one.field
            ));
        });
        out.line("}");
        out.gap();
        out.line(format_args!("impl {name} for {} {{", one.proxy));
        out.indented(|out| {
            for (position, (service, function, parameters)) in heads.iter().enumerate() {
                if position > 0 {
                    out.gap();
                }
                let declared = with_self(parameters);
                head(
                    out,
                    &format!("fn {function}"),
                    &declared,
                    &result(service),
                    " {",
                );
                out.indented(|out| {
                    let names: Vec<String> = parameters.iter().map(|it| it.name.clone()).collect();
                    let request = match &names[..] {
                        [] => Argument::Plain("&()".to_owned()),
                        [one] => Argument::Plain(format!("&{one}")),
                        _ => Argument::Tuple(names),
                    };
                    let called = methods
                        .functions
                        .iter()
                        .find(|callable| callable.method.name == service.name);
                    let kept = called.map_or("", |callable| &callable.kept);
                    let method = Argument::Plain(format!("&self.0.methods.{kept}"));
                    call(out, "self", "call_with_objects", &[method, request], "");
                });
                out.line("}");
            }
        });
        out.line("}");
        Ok(())
    }

    /// What has the objects of all callbacks.
    pub(super) fn callback_objects(
        &self,
        out: &mut Source,
        methods: &[CallbackMethods<'_>],
    ) -> Result<(), Error> {
        if self.callbacks.is_empty() {
            return Ok(());
        }
        out.gap();
        out.line("typed::object::callbacks! {");
        out.indented(|out| {
            out.line("Callbacks, CLIENT_SCHEMA, Methods");
            for (one, methods) in self.callbacks.iter().zip(methods) {
                let release = quoted(&one.callback.release);
                out.line(format_args!("{}: {}, {release} {{", one.field, one.name));
                let mut served = Vec::new();
                for (service, function) in &one.functions {
                    let parameters = self.service_parameters(service)?;
                    let names: Vec<&str> = parameters.iter().map(|it| &*it.name).collect();
                    let name = quoted(&service.name);
                    let crossing = methods.crossing(service);
                    served.push(format!(
                        "{name} => {function}({}){crossing},",
                        names.join(", ")
                    ));
                }
                out.indented(|out| served.iter().for_each(|line| out.line(line)));
                out.line("}");
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }
}

impl CallbackMethods<'_> {
    /// The methods by which the arguments and the result of a function cross; nothing if its messages have them.
    fn crossing(&self, service: &Service) -> String {
        let Some(crossing) = &service.crossing else {
            return String::new();
        };
        let kept = |way: &str, method: &Option<Method>| {
            let name = &method.as_ref()?.name;
            let found = self.crossings.iter().find(|it| it.method.name == *name)?;
            Some(format!("{way}: {}", found.kept))
        };
        let ways = [
            kept("arguments", &crossing.arguments),
            kept("result", &crossing.result),
        ];
        let ways: Vec<String> = ways.into_iter().flatten().collect();
        format!(" by ({})", ways.join(", "))
    }
}

fn with_self(parameters: &[super::services::Parameter]) -> Vec<String> {
    let mut declared = vec!["&self".to_owned()];
    declared.extend(
        parameters
            .iter()
            .map(|it| format!("{}: {}", it.name, it.ty)),
    );
    declared
}
