//! What the host does for the plugin: an interface for each group of services, and what registers them.

use rustbridge_description::types::TypeRef;

use super::codec::Codec;
use super::names::{Group, KEYWORDS, Names};
use super::text::{Doc, call, said};
use crate::names::{Case, alone};
use crate::source::Source;

impl Names<'_> {
    /// The interface of a group.
    pub(super) fn service_interface(&self, out: &mut Source, group: &Group<'_>) {
        Doc::of("", "")
            .replaced(&format!("The host's services `{}`, which the plugin calls.", group.asked))
            .paragraph(
                "Calls may run concurrently. A synchronous call of the plugin runs the function on the calling thread. An asynchronous one runs it on a thread of the library, where it may block. A suspended function resumes on another thread, and is cancelled if the plugin no longer waits. The plugin receives the exceptions as errors: a `PluginException` keeps its status, others become `INTERNAL`.",
            )
            .write(out);
        out.line(format_args!("public interface {} {{", group.name));
        out.indented(|out| {
            for (place, (service, function)) in group.services.iter().enumerate() {
                if place > 0 {
                    out.gap();
                }
                let mut doc = Doc::of(&service.doc, &service.name);
                let mut parameters = Vec::new();
                if service.request != TypeRef::Unit {
                    let about = said("the request", self.meaning(&service.request));
                    let name = alone(&service.parameter, Case::Camel, &[KEYWORDS]);
                    doc = doc.named("param", &name, "", &about);
                    parameters.push(format!("{name}: {}", self.ty(&service.request, &[])));
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
                call(
                    out,
                    &format!("public suspend fun {function}"),
                    &parameters,
                    &gives,
                );
            }
        });
        out.line("}");
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
    pub(super) fn registering(&self, codec: &mut Codec<'_, '_>, out: &mut Source) {
        let mut parameters = vec!["config: PluginConfig".to_owned()];
        parameters.extend(self.service_parameters());
        call(out, "private fun serving", &parameters, ": PluginConfig {");
        out.indented(|out| {
            out.line("val services = TypedServices(config, CLIENT_SCHEMA)");
            for group in &self.groups {
                if group.optional {
                    out.line(format_args!("if ({} != null) {{", group.parameter));
                    out.indented(|out| self.register(codec, out, group));
                    out.line("}");
                } else {
                    self.register(codec, out, group);
                }
            }
            out.line("return services.config()");
        });
        out.line("}");
    }

    fn register(&self, codec: &mut Codec<'_, '_>, out: &mut Source, group: &Group<'_>) {
        for (service, function) in &group.services {
            let argument = match service.request {
                TypeRef::Unit => "",
                _ => "it",
            };
            let inside = [
                super::text::quoted(&service.name),
                self.reads(codec, &service.request),
                self.writes(codec, &service.response, "response"),
                format!("{{ {}.{function}({argument}) }}", group.parameter),
            ];
            call(out, "services.serve", &inside, "");
        }
    }
}
