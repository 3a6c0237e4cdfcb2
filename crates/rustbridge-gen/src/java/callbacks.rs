//! The interfaces of callbacks, the classes of the plugin's implementations, and what registers the functions.

use rustbridge_description::types::TypeRef;

use super::codec::{Codec, read_method};
use super::methods::{self, Owner, Part};
use super::names::{CallbackNames, Names};
use super::records::components;
use super::services::{Function, THREADS, of_callback};
use super::text::{Doc, assign, call, quoted};
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
        let functions = of_callback(self.client_schema, names.callback)?;
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
        let functions = of_callback(self.client_schema, callback)?;
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
        for Function { service, later, .. } in of_callback(self.client_schema, callback)? {
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
