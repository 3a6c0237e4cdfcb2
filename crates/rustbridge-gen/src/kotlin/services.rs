//! What the host does for the plugin: an interface for each group of services, and what registers them.

use rustbridge_description::types::{Shape, TypeRef};

use super::codec::Codec;
use super::names::{Group, KEYWORDS, Names};
use super::records::{Property, properties};
use super::text::{Doc, call, said};
use crate::client_schema::Service;
use crate::error::Error;
use crate::names::{Case, alone};
use crate::source::Source;

/// The documentation of the threads on which the plugin calls functions.
pub(super) const THREADS: &str = "Calls may run concurrently. A synchronous call of the plugin runs the function on the calling thread. An asynchronous one runs it on a thread of the library, where it may block. A suspended function resumes on another thread, and is cancelled if the plugin no longer waits. The plugin receives the exceptions as errors: a `PluginException` keeps its status, others become `INTERNAL`.";

impl Names<'_> {
    /// The interface of a group.
    pub(super) fn service_interface(
        &self,
        out: &mut Source,
        group: &Group<'_>,
    ) -> Result<(), Error> {
        Doc::of("", "")
            .replaced(&format!(
                "The host's services `{}`, which the plugin calls.",
                group.asked
            ))
            .paragraph(THREADS)
            .write(out);
        out.line(format_args!("public interface {} {{", group.name));
        out.indented(|out| {
            for (place, (service, function)) in group.services.iter().enumerate() {
                if place > 0 {
                    out.gap();
                }
                self.service_function(out, service, function)?;
            }
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    /// A function of the host.
    pub(super) fn service_function(
        &self,
        out: &mut Source,
        service: &Service,
        function: &str,
    ) -> Result<(), Error> {
        let mut doc = Doc::of(&service.doc, &service.name);
        let mut parameters = Vec::new();
        match self.arguments(service)? {
            Some(arguments) => {
                for argument in arguments {
                    let name = &argument.name;
                    doc = doc.named("param", name, &argument.doc, &argument.more(self));
                    parameters.push(format!("{name}: {}", argument.kotlin(self, &[])));
                }
            }
            None => {
                let like = self.client_schema.method_like(service);
                let (request, parameter) = like
                    .map_or((&service.request, &service.parameter), |it| {
                        (&it.request, &it.parameter)
                    });
                if *request != TypeRef::Unit {
                    let about = said("the request", self.meaning(request));
                    let name = alone(parameter, Case::Camel, &[KEYWORDS]);
                    doc = doc.named("param", &name, "", &about);
                    parameters.push(format!("{name}: {}", self.ty(request, &[])));
                }
            }
        }
        let mut gives = String::new();
        if service.response != TypeRef::Unit {
            doc = doc.tag(
                "@return",
                said("the answer", self.meaning(&service.response)),
            );
            gives = format!(": {}", self.ty(&service.response, &[]));
        }
        doc.write(out);
        let head = format!("public suspend fun {function}");
        call(out, &head, &parameters, &gives);
        Ok(())
    }

    /// The parameters of a function, if there are several, or if it's of a callback.
    fn arguments(&self, service: &Service) -> Result<Option<Vec<Property>>, Error> {
        let like = self.client_schema.method_like(service);
        let request = like.map_or(&service.request, |it| &it.request);
        let is_alone = like.is_some_and(|it| it.arguments.is_none());
        let arguments = service.arguments.as_ref().filter(|_| !is_alone);
        let (Some(arguments), TypeRef::Ref(number)) = (arguments, request) else {
            return Ok(None);
        };
        let shape = self.shape(*number);
        // The number of a callback's object isn't an argument.
        let before = match shape {
            Shape::Record(fields) => fields.len() - arguments.len(),
            _ => 0,
        };
        let mut all = properties(self, &self.of(*number).name, shape)?;
        all.drain(..before);
        Ok(Some(all))
    }

    /// The arguments of a function, from a record of that name.
    pub(super) fn taken_apart(&self, service: &Service, of: &str) -> Result<String, Error> {
        let arguments = self.arguments(service)?.unwrap_or_default();
        let each = arguments.iter().map(|one| format!("{of}.{}", one.name));
        Ok(each.collect::<Vec<_>>().join(", "))
    }

    /// What loading takes: those that there have to be first.
    pub(super) fn service_parameters(&self) -> Vec<String> {
        let declared = |group: &Group<'_>| match group.optional {
            true => format!("{}: {}? = null", group.parameter, group.name),
            false => format!("{}: {}", group.parameter, group.name),
        };
        self.groups_in_order().map(declared).collect()
    }

    /// What is said of these.
    pub(super) fn service_docs(&self, doc: Doc) -> Doc {
        self.groups_in_order().fold(doc, |doc, group| {
            let about = format!("the implementation of the services `{}`", group.asked);
            let about = match group.optional {
                true => format!("{about}; null if there is none"),
                false => about,
            };
            doc.tag(format!("@param {}", group.parameter), about)
        })
    }

    /// Those that may be left out last.
    pub(super) fn groups_in_order(&self) -> impl Iterator<Item = &Group<'_>> {
        let needed = self.groups.iter().filter(|group| !group.optional);
        needed.chain(self.groups.iter().filter(|group| group.optional))
    }

    /// The function that registers them.
    pub(super) fn registering(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
    ) -> Result<(), Error> {
        let mut parameters = vec!["config: PluginConfig".to_owned()];
        parameters.extend(self.service_parameters());
        call(out, "private fun serving", &parameters, ": PluginConfig {");
        out.indented(|out| {
            out.line("val services = TypedServices(config, CLIENT_SCHEMA)");
            for group in &self.groups {
                if group.optional {
                    out.line(format_args!("if ({} != null) {{", group.parameter));
                    out.indented(|out| self.register(codec, out, group))?;
                    out.line("}");
                } else {
                    self.register(codec, out, group)?;
                }
            }
            for callback in &self.callbacks {
                self.register_callback(codec, out, callback)?;
            }
            out.line("return services.config()");
            Ok::<(), Error>(())
        })?;
        out.line("}");
        Ok(())
    }

    fn register(
        &self,
        codec: &mut Codec<'_, '_>,
        out: &mut Source,
        group: &Group<'_>,
    ) -> Result<(), Error> {
        for (service, function) in &group.services {
            let argument = match (&service.request, &service.arguments) {
                (TypeRef::Unit, _) => String::new(),
                (_, Some(_)) => self.taken_apart(service, "it")?,
                _ => "it".to_owned(),
            };
            let inside = [
                super::text::quoted(&service.name),
                self.reads(codec, &service.request),
                self.writes(codec, &service.response, "response"),
                format!("{{ {}.{function}({argument}) }}", group.parameter),
            ];
            call(out, "services.serve", &inside, "");
        }
        Ok(())
    }
}
