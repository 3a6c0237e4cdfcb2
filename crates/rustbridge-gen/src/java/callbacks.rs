//! The interfaces of callbacks, the classes of the plugin's implementations, and what registers the functions.

use rustbridge_description::types::TypeRef;

use super::codec::{Codec, read_method};
use super::methods::{self, Owner, Part};
use super::names::{CallbackNames, Names};
use super::records::components;
use super::services::{Function, THREADS, of_callback};
use super::text::{Doc, assign, call, quoted};
use crate::client_schema::{Crossing, Method, Service};
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

impl CallbackNames<'_> {
    /// The client's field, if there is one. No method's name contains two underscores.
    pub(super) fn kept(&self) -> String {
        format!("{}__callback", Case::Camel.of(&self.interface))
    }
}

impl Names<'_> {
    /// The interface.
    pub(super) fn callback_interface(
        &self,
        out: &mut Source,
        names: &CallbackNames<'_>,
    ) -> Result<(), Error> {
        let functions = of_callback(names.callback)?;
        let mut doc = Doc::of(&names.callback.doc, &names.callback.name)
            .paragraph("Methods of the plugin accept implementations.")
            .paragraph(THREADS);
        if let Some(class) = &names.class {
            doc = doc.paragraph(format!(
                "Methods of the plugin return implementations, too: the objects that they have accepted, and each {{@link {class}}}, which has to be closed."
            ));
        }
        doc.write(out);
        if functions.len() == 1 {
            out.line("@FunctionalInterface");
        }
        let interface = &names.interface;
        let extends = match names.class {
            Some(_) => " extends AutoCloseable",
            None => "",
        };
        if functions.is_empty() && names.class.is_none() {
            out.line(format_args!("public interface {interface} {{}}"));
            return Ok(());
        }
        out.line(format_args!("public interface {interface}{extends} {{"));
        out.indented(|out| {
            for (place, function) in functions.iter().enumerate() {
                if place > 0 {
                    out.gap();
                }
                self.function(out, function)?;
            }
            if let Some(class) = &names.class {
                if !functions.is_empty() {
                    out.gap();
                }
                Doc::of("", "")
                    .replaced(&format!(
                        "Releases a {{@link {class}}}. By default, it does nothing."
                    ))
                    .write(out);
                out.line("@Override");
                out.line("default void close() {}");
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// The class of the plugin's implementations.
    pub(super) fn callback_class(
        &self,
        out: &mut Source,
        names: &CallbackNames<'_>,
        class: &str,
    ) -> Result<(), Error> {
        let callback = names.callback;
        let functions = of_callback(callback)?;
        let named = methods::named(self.client_schema, Owner::Object(&callback.name, class))?;
        let interface = &names.interface;
        Doc::of("", "")
            .replaced(&format!(
                "A {{@link {interface}}} of the plugin: an object in the plugin."
            ))
            .write(out);
        self.class_of_object(out, (&callback.name, class), interface, &named, |method| {
            match functions.iter().any(|it| it.service.name == method.name) {
                true => Part::Callback,
                false => Part::Own,
            }
        })
    }

    /// Writes the callback's preparation in the client's constructor.
    pub(super) fn prepare_callback(&self, out: &mut Source, names: &CallbackNames<'_>) {
        let callback = names.callback;
        let mut inside = vec![
            quoted(&callback.name),
            quoted(&callback.create.fingerprint.to_string()),
        ];
        let Some(class) = &names.class else {
            inside.push("CLIENT_SCHEMA".to_owned());
            call(out, "preparedCallback", &inside, ";");
            return;
        };
        inside.push(quoted(&callback.number.fingerprint.to_string()));
        inside.push("CLIENT_SCHEMA".to_owned());
        inside.push(format!("object -> new {class}(this, object)"));
        let left = format!("this.{}", names.kept());
        assign(out, &left, "preparedCallback", &inside, ";");
    }

    /// What calls a function with the arguments that a method of the plugin has returned.
    fn answering(
        &self,
        interface: &str,
        service: &Service,
        crossing: &Crossing,
        later: &str,
    ) -> String {
        let given = crossing
            .arguments
            .as_ref()
            .map_or_else(|| "Void".to_owned(), |method| self.whole(&method.response));
        let passed: Vec<String> = match service.arguments.as_ref().map_or(0, Vec::len) {
            0 => Vec::new(),
            1 => vec!["given".to_owned()],
            count => (0..count)
                .map(|place| format!("given.item{place}()"))
                .collect(),
        };
        format!(
            "({interface} object, {given} given) -> object.{later}({})",
            passed.join(", ")
        )
    }

    /// Writes the preparation of the methods by which arguments and results cross, in the client's constructor.
    pub(super) fn prepare_crossings(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        names: &CallbackNames<'_>,
    ) {
        for service in &names.callback.functions {
            let Some(Crossing {
                arguments, result, ..
            }) = &service.crossing
            else {
                continue;
            };
            let none = || ["null".to_owned(), "null".to_owned()];
            let fingerprint = |method: &Method| quoted(&method.fingerprint.to_string());
            let mut inside = vec![quoted(&service.name), "CLIENT_SCHEMA".to_owned()];
            inside.extend(match arguments {
                Some(method) => [fingerprint(method), self.reads(codec, &method.response)],
                None => none(),
            });
            inside.extend(match result {
                Some(method) => [
                    fingerprint(method),
                    self.writes(codec, &service.response, "response"),
                ],
                None => none(),
            });
            // javac can't infer the types from expressions that write.
            let none = || "Void".to_owned();
            let given = arguments.as_ref().map(|it| self.whole(&it.response));
            let returned = result.as_ref().map(|_| self.whole(&service.response));
            let types = [given, returned].map(|ty| ty.unwrap_or_else(none));
            let before = format!("this.<{}>crossing", types.join(", "));
            call(out, &before, &inside, ";");
        }
    }

    /// What registers the functions.
    pub(super) fn register_callback(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        names: &CallbackNames<'_>,
    ) -> Result<(), Error> {
        let (callback, interface) = (names.callback, &names.interface);
        let name = quoted(&callback.name);
        call(
            out,
            "services.addCallback",
            std::slice::from_ref(&name),
            ";",
        );
        for Function { service, later, .. } in of_callback(callback)? {
            if let Some(crossing) = &service.crossing {
                let inside = [
                    name.clone(),
                    quoted(&service.name),
                    match &crossing.result {
                        Some(_) => "null".to_owned(),
                        None => self.writes(codec, &service.response, "response"),
                    },
                    self.answering(interface, service, crossing, &later),
                ];
                call(out, "services.addCrossing", &inside, ";");
                continue;
            }
            let TypeRef::Ref(number) = service.request else {
                continue;
            };
            let record = &self.of(number).name;
            let components = components(self, record, self.shape(number))?;
            let first = components.first().map_or("", |it| &it.name);
            let inside = [
                name.clone(),
                quoted(&service.name),
                self.reads(codec, &service.request),
                self.writes(codec, &service.response, "response"),
                format!("{record}::{first}"),
                format!(
                    "({interface} object, {record} request) -> object.{later}({})",
                    self.taken_apart(service)?
                ),
            ];
            call(out, "services.addFunction", &inside, ";");
        }
        Ok(())
    }
}

impl Codec<'_, '_> {
    /// The expression that writes an object.
    pub(super) fn write_object(&self, name: &str, value: &str, field: &str) -> String {
        match self.names.callback(name) {
            Some(_) => format!("out.callback({value}, {}, {field})", quoted(name)),
            None => format!("out.object({value}, {field})"),
        }
    }

    /// The methods that read the objects of callbacks.
    pub(super) fn read_callbacks(&self, out: &mut Source) {
        let client = &self.names.client;
        for callback in &self.names.callbacks {
            let interface = &callback.interface;
            if callback.class.is_none() {
                // Needed because records with it have a method for reading, too.
                out.gap();
                out.line("@SuppressWarnings(\"DoNotCallSuggester\")");
                let head = format!("static {interface} read{interface}");
                call(out, &head, &["WireReader in".to_owned()], " {");
                out.indented(|out| {
                    let name = quoted(&callback.callback.name);
                    out.line(format_args!("throw WireReader.isOnlySent({name});"));
                });
                out.line("}");
                continue;
            }
            read_method(out, interface, interface, |out| {
                out.line(format_args!("{client} client = ({client}) in.client();"));
                let inside = ["(PluginObject) in.object()".to_owned()];
                let before = format!("return client.{}.received", callback.kept());
                call(out, &before, &inside, ";");
            });
        }
    }
}
