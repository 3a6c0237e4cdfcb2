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
            .replaced(&format!("`{}`: what the plugin asks of its host.", group.asked))
            .paragraph(
                "Any number may run at once. Where the plugin waits for the answer, a function is called on the thread that asks; where it awaits the answer, on one of the library's, so that it may block. What suspends goes on elsewhere, and is cancelled if the plugin doesn't wait any more. What is thrown is told to the plugin: a `PluginException` keeps its status, any other becomes `INTERNAL`.",
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
                    let about = said("what is asked", self.meaning(&service.request));
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
            let about = format!("what answers when the plugin asks `{}`", group.asked);
            let about = match group.optional {
                true => format!("{about}; null if nothing does"),
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
            out.line("val services = TypedServices(config, CONTRACT)");
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
