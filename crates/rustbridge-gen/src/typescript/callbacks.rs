//! Callbacks: interfaces that a host implements, and whose implementations methods accept.

use rustbridge_description::types::TypeRef;

use super::codec::{Codec, small};
use super::methods::Callable;
use super::names::{CallbackNames, arguments};
use super::text::{doc, list, quoted};
use crate::client_schema::{Crossing, Method, Service};
use crate::error::Error;
use crate::source::Source;

impl Codec<'_, '_> {
    /// The interfaces, each with a type of what methods accept if it has one function.
    pub(super) fn callback_interfaces(&self, out: &mut Source) -> Result<(), Error> {
        for one in &self.names.callbacks {
            let interface = &one.interface;
            let about = match &*one.callback.doc {
                "" => format!("A `{}`.", one.callback.name),
                prose => prose.to_owned(),
            };
            out.gap();
            doc(
                out,
                &format!(
                    "{about}\n\nImplement it, and pass objects to the plugin's methods. The plugin receives the exceptions as errors. A function that returns a promise is for asynchronous calls only."
                ),
            );
            out.line(format_args!("export interface {interface} {{"));
            out.indented(|out| {
                for (function, name) in one.callback.functions.iter().zip(&one.functions) {
                    self.function(out, function, name, "call?: wire.ServiceCall")?;
                }
                Ok::<(), Error>(())
            })?;
            out.line("}");
            if let (Some(like), [function]) = (&one.like, &*one.functions) {
                let function = quoted(function);
                out.gap();
                out.line(format_args!(
                    "/** A {{@link {interface}}}, or its only function. */"
                ));
                out.line(format_args!(
                    "export type {like} = {interface} | {interface}[{function}];"
                ));
            }
        }
        Ok(())
    }

    /// The descriptions of callbacks, if there are any.
    pub(super) fn callbacks(
        &self,
        out: &mut Source,
        crossings: &[Callable<'_>],
    ) -> Result<(), Error> {
        if self.names.callbacks.is_empty() {
            return Ok(());
        }
        for one in &self.names.callbacks {
            let callback = one.callback;
            let constant = format!("{}Callback", small(&one.interface));
            out.gap();
            out.line(format_args!(
                "const {constant}: wire.CallbackType<{}, Methods> = {{",
                one.interface
            ));
            out.indented(|out| {
                out.line(format_args!("name: {},", quoted(&callback.name)));
                for (property, method) in
                    [("create", &callback.create), ("number", &callback.number)]
                {
                    out.line(format_args!("{property}: \"{}\",", method.fingerprint));
                }
                let functions: Vec<String> = one.functions.iter().map(|it| quoted(it)).collect();
                list(out, "functions: [", &functions, "],");
                out.line("serve: (objects) => [");
                out.indented(|out| {
                    for (function, name) in callback.functions.iter().zip(&one.functions) {
                        if let Some(crossing) = &function.crossing {
                            let arguments = self.crossed(function, name, crossing, crossings)?;
                            list(out, "wire.crossed(", &arguments, "),");
                            continue;
                        }
                        let called = format!("objects.find(object).{name}");
                        let arguments = self.served(function, &called, true)?;
                        list(out, "wire.served(", &arguments, "),");
                    }
                    Ok::<(), Error>(())
                })?;
                out.line("],");
                out.line(format_args!("own: () => {},", one.class));
                Ok::<(), Error>(())
            })?;
            out.line("};");
        }
        let constants = self.names.callbacks.iter();
        let constants: Vec<String> = constants
            .map(|one| format!("{}Callback", small(&one.interface)))
            .collect();
        out.gap();
        list(out, "const CALLBACKS = [", &constants, "];");
        Ok(())
    }

    /// A function whose arguments, or whose result, cross by methods.
    fn crossed(
        &self,
        function: &Service,
        name: &str,
        crossing: &Crossing,
        crossings: &[Callable<'_>],
    ) -> Result<Vec<String>, Error> {
        let fields = function.arguments.as_deref().unwrap_or_default();
        let names = arguments(&function.name, fields)?;
        let given = match &names[..] {
            [] => "_".to_owned(),
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        let passed: Vec<String> = names.into_iter().chain(["call".to_owned()]).collect();
        let mut called = format!("object.{name}({})", passed.join(", "));
        if function.response == TypeRef::Unit {
            called = format!("wire.nothing({called})");
        }
        let method = |of: &Method| {
            let found = crossings.iter().find(|it| it.method.name == of.name);
            let kept = found.map_or("", |it| &it.kept);
            format!("(methods: Methods) => methods.{kept}")
        };
        let mut all = vec![
            "objects".to_owned(),
            quoted(&function.name),
            format!("(object, {given}, call) => {called}"),
            self.of(&TypeRef::Tuple(vec![TypeRef::U64, TypeRef::U64])),
            crossing
                .arguments
                .as_ref()
                .map_or_else(|| "undefined".to_owned(), method),
            match &crossing.result {
                Some(of) => method(of),
                None => self.of(&function.response),
            },
        ];
        if let Some(error) = function.error {
            let codec = self.of(&TypeRef::Ref(error));
            all.push(format!("[{}, {codec}]", self.names.failures[&error]));
        }
        Ok(all)
    }

    /// The codec of a callback's implementations.
    pub(super) fn callback_codec(&self, out: &mut Source, names: &CallbackNames<'_>) {
        let ty = names.like.as_ref().unwrap_or(&names.interface);
        let name = quoted(&names.callback.name);
        out.line(format_args!(
            r#"const {}Codec: wire.Codec<{ty}> = {{
  least: 4,
  write(w, v) {{
    wire.writeCallback(w, {name}, v);
  }},
  read(r) {{
    return wire.readCallback(r, {name});
  }},
}};"#,
            small(ty)
        ));
    }
}
