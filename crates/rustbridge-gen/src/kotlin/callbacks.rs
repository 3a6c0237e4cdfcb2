//! Callbacks: an interface for each, the class of the plugin's implementations, and what registers the functions.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::methods::{Owner, Part, named};
use super::names::{CallbackNames, Names};
use super::records::properties;
use super::services::THREADS;
use super::text::{Doc, INDENT, call, fits, property, quoted};
use crate::client_schema::{Crossing, Method, Service};
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

impl CallbackNames<'_> {
    /// The client's property, if there is one. No method's name contains two underscores.
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
        let mut doc = Doc::of(&names.callback.doc, &names.callback.name)
            .paragraph("Functions of the plugin accept implementations.")
            .paragraph(THREADS);
        if let Some(class) = &names.class {
            doc = doc.paragraph(format!(
                "Functions of the plugin return implementations, too: the objects that they have accepted, and each `{class}`, which has to be closed."
            ));
        }
        doc.write(out);
        let fun = match names.functions.len() {
            1 => "fun ",
            _ => "",
        };
        let interface = &names.interface;
        let head = format!("public {fun}interface {interface}");
        let of = match names.class {
            Some(_) => " : AutoCloseable",
            None => "",
        };
        if names.functions.is_empty() && names.class.is_none() {
            out.line(head);
            return Ok(());
        }
        out.line(format_args!("{head}{of} {{"));
        out.indented(|out| {
            for (place, (service, function)) in names.functions.iter().enumerate() {
                if place > 0 {
                    out.gap();
                }
                self.service_function(out, service, function)?;
            }
            if let Some(class) = &names.class {
                if !names.functions.is_empty() {
                    out.gap();
                }
                Doc::of("", "")
                    .replaced(&format!(
                        "Releases a `{class}`. By default, it does nothing."
                    ))
                    .write(out);
                out.line("override fun close() {}");
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
        let interface = &names.interface;
        Doc::of("", "")
            .replaced(&format!(
                "A `{interface}` of the plugin: an object in the plugin. Close it, for example with `use`. A function that isn't `async` in the plugin runs on the calling thread."
            ))
            .write(out);
        let unused = match names.functions.is_empty() {
            true => "@Suppress(\"UNUSED_PARAMETER\") ",
            false => "private val ",
        };
        let parameters = format!("{unused}client: {}, untyped: PluginObject", self.client);
        let head = format!("public class {class}");
        let constructor = format!("internal constructor({parameters}) :");
        let supers = format!("TypedObject(untyped), {interface} {{");
        let line = format!("{head} {constructor}");
        if fits(out, &format!("{line} {supers}")) {
            out.line(format_args!("{line} {supers}"));
        } else {
            match fits(out, &line) {
                true => out.line(line),
                false => out.line(format_args!("{head}\n{constructor}")),
            }
            out.indented(|out| out.line(supers));
        }
        let mut inside = Source::new(INDENT);
        inside.indented(|out| {
            let owner = Owner::Object(&names.callback.name, class);
            for one in &named(self.client_schema, owner)? {
                let mut functions = names.functions.iter();
                if functions.any(|(service, _)| service.name == one.method.name) {
                    self.method(out, one, Part::Callback)?;
                }
            }
            out.gap();
            out.line("override fun close(): Unit = super<TypedObject>.close()");
            Ok::<(), Error>(())
        })?;
        out.raw(inside.finish().trim_start_matches('\n'));
        out.line("}");
        Ok(())
    }

    /// Writes the callback's preparation in the client.
    pub(super) fn prepare_callback(&self, out: &mut Source, names: &CallbackNames<'_>) {
        let callback = names.callback;
        let mut inside = vec![
            quoted(&callback.name),
            quoted(&callback.create.fingerprint.to_string()),
        ];
        let Some(class) = &names.class else {
            inside.push("CLIENT_SCHEMA".to_owned());
            out.gap();
            out.line("init {");
            out.indented(|out| call(out, "preparedCallback", &inside, ""));
            out.line("}");
            return;
        };
        inside.push(quoted(&callback.number.fingerprint.to_string()));
        inside.push("CLIENT_SCHEMA".to_owned());
        inside.push(format!("{{ {class}(this, it) }}"));
        let left = format!("internal val {}", names.kept());
        let ty = format!("TypedCallback<{}>", names.interface);
        property(out, &left, &ty, "preparedCallback", &inside);
    }

    /// What calls a function with the arguments that a method of the plugin has returned.
    fn answering(
        &self,
        interface: &str,
        service: &Service,
        crossing: &Crossing,
        function: &str,
    ) -> String {
        let given = crossing.arguments.as_ref().map_or_else(
            || "Unit?".to_owned(),
            |method| self.ty(&method.response, &[]),
        );
        let (pattern, passed) = match service.arguments.as_ref().map_or(0, Vec::len) {
            0 => ("_".to_owned(), String::new()),
            1 => ("given".to_owned(), "given".to_owned()),
            count => {
                let items: Vec<String> = (1..=count).map(|place| format!("item{place}")).collect();
                let items = items.join(", ");
                (format!("({items})"), items)
            }
        };
        format!("{{ of: {interface}, {pattern}: {given} -> of.{function}({passed}) }}")
    }

    /// Writes the preparation of the methods by which arguments and results cross.
    pub(super) fn prepare_crossings(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        names: &CallbackNames<'_>,
    ) {
        let functions = &names.callback.functions;
        if functions.iter().all(|it| it.crossing.is_none()) {
            return;
        }
        out.gap();
        out.line("init {");
        out.indented(|out| {
            for service in functions {
                if let Some(crossing) = &service.crossing {
                    self.prepare_crossing(codec, out, service, crossing);
                }
            }
        });
        out.line("}");
    }

    fn prepare_crossing(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        service: &Service,
        Crossing {
            arguments, result, ..
        }: &Crossing,
    ) {
        let fingerprint = |method: &Method| quoted(&method.fingerprint.to_string());
        let none = || ["null".to_owned(), "null".to_owned()];
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
        // They can't be inferred from expressions that write.
        let unit = || "Unit".to_owned();
        let given = arguments.as_ref().map(|it| self.ty(&it.response, &[]));
        let returned = result.as_ref().map(|_| self.ty(&service.response, &[]));
        let types = [given, returned].map(|ty| ty.unwrap_or_else(unit));
        call(out, &format!("crossing<{}>", types.join(", ")), &inside, "");
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
        call(out, "services.addCallback", std::slice::from_ref(&name), "");
        for (service, function) in &names.functions {
            if let Some(crossing) = &service.crossing {
                let inside = [
                    name.clone(),
                    quoted(&service.name),
                    match &crossing.result {
                        Some(_) => "null".to_owned(),
                        None => self.writes(codec, &service.response, "response"),
                    },
                    self.answering(interface, service, crossing, function),
                ];
                call(out, "services.serveCrossing", &inside, "");
                continue;
            }
            let TypeRef::Ref(number) = service.request else {
                continue;
            };
            let record = &self.of(number).name;
            let properties = properties(self, record, self.shape(number))?;
            let first = properties.first().map_or("", |it| &it.name);
            let arguments = self.taken_apart(service, "request")?;
            let request = match &*arguments {
                "" => "_",
                _ => "request",
            };
            let inside = [
                name.clone(),
                quoted(&service.name),
                self.reads(codec, &service.request),
                self.writes(codec, &service.response, "response"),
                format!("{{ it.{first}.toLong() }}"),
                format!("{{ of: {interface}, {request} -> of.{function}({arguments}) }}"),
            ];
            call(out, "services.serve", &inside, "");
        }
        Ok(())
    }
}
