//! What a host implements for its plugin, and how it's given.

use rustbridge_description::types::TypeRef;

use super::names::{KEYWORDS, LOAD, LOCALS, Names, TYPES, parameter};
use super::text::{call, doc, prose, quoted};
use crate::client_schema::{Group, Service};
use crate::error::Error;
use crate::names::{Case, SERVICE, Scope};
use crate::source::Source;

/// A group, and what the method that loads calls its implementation.
pub(super) struct ServiceGroup<'n> {
    group: &'n Group<'n>,
    class: &'n str,
    name: String,
    functions: Vec<(&'n Service, String)>,
}

impl Names<'_> {
    /// What the host implements.
    pub(super) fn given(&self) -> Result<Vec<ServiceGroup<'_>>, Error> {
        let reserved: Vec<&str> = KEYWORDS.iter().chain(TYPES).chain(LOAD).copied().collect();
        let mut scope = Scope::new("the groups of services", &reserved).renamed_by(SERVICE);
        let mut given = Vec::new();
        for (group, class) in &self.groups {
            let reserved: Vec<&str> = KEYWORDS.iter().chain(TYPES).copied().collect();
            let mut inside = Scope::new(format!("the services of `{}`", group.name), &reserved)
                .renamed_by(SERVICE);
            let mut functions = Vec::new();
            for service in &group.services {
                functions.push((*service, inside.name(&service.function, Case::Snake)?));
            }
            given.push(ServiceGroup {
                group,
                class,
                name: scope.name(&group.name, Case::Snake)?,
                functions,
            });
        }
        Ok(given)
    }

    /// The protocols.
    pub(super) fn protocols(
        &self,
        out: &mut Source,
        given: &[ServiceGroup<'_>],
    ) -> Result<(), Error> {
        for one in given {
            out.gap();
            out.gap();
            out.line(format_args!("class {}(Protocol):", one.class));
            out.indented(|out| {
                doc(
                    out,
                    &format!(
                        "The host's services ``{}``, which the plugin calls.\n\nEach function may be an ``async def``. The plugin receives the exceptions as errors.",
                        one.group.name
                    ),
                );
                for (service, name) in &one.functions {
                    self.function(out, service, name)?;
                }
                Ok::<(), Error>(())
            })?;
        }
        Ok(())
    }

    /// A function of a protocol.
    pub(super) fn function(
        &self,
        out: &mut Source,
        service: &Service,
        name: &str,
    ) -> Result<(), Error> {
        let mut parameters = vec!["self".to_owned()];
        match &service.arguments {
            Some(fields) => {
                let reserved: Vec<&str> = KEYWORDS.iter().chain(LOCALS).copied().collect();
                let what = format!("the parameters of `{}`", service.name);
                let mut scope = Scope::new(what, &reserved);
                for field in fields {
                    let name = scope.name(&field.name, Case::Snake)?;
                    parameters.push(format!("{name}: {}", self.ty(&field.ty)));
                }
            }
            None if service.request == TypeRef::Unit => {}
            None => {
                let name = parameter(&service.parameter, false);
                parameters.push(format!("{name}: {}", self.ty(&service.request)));
            }
        }
        if parameters.len() > 1 {
            parameters.push("/".to_owned());
        }
        let ty = self.ty(&service.response);
        out.gap();
        call(
            out,
            &format!("def {name}"),
            &parameters,
            &format!(" -> {ty} | Awaitable[{ty}]:"),
        );
        out.indented(|out| doc(out, &prose(&service.doc, &service.name)));
        Ok(())
    }

    /// What loads the plugin with the implementations, or the packaged library.
    pub(super) fn load(&self, out: &mut Source, given: &[ServiceGroup<'_>]) {
        let client = &self.client;
        let is_needed = |one: &&ServiceGroup<'_>| !one.group.optional;
        let mut parameters = vec![
            "cls".to_owned(),
            match self.packaged {
                None => "source: typed.Source".to_owned(),
                Some(_) => "source: typed.Source | None = None".to_owned(),
            },
            "config: typed.Config = None".to_owned(),
        ];
        if !given.is_empty() {
            parameters.push("*".to_owned());
        }
        for one in given {
            let (class, name) = (one.class, &one.name);
            parameters.push(if one.group.optional {
                format!("{name}: {class} | None = None")
            } else {
                format!("{name}: {class}")
            });
        }
        parameters.push("**options: Any".to_owned());
        out.gap();
        out.line("@classmethod");
        // The superclass's takes none of them.
        let ignored = match given.iter().find(is_needed) {
            Some(_) => "  # type: ignore[override]",
            None => "",
        };
        out.line(format_args!("def load({ignored}"));
        out.indented(|out| {
            for parameter in &parameters {
                out.line(format_args!("{parameter},"));
            }
        });
        out.line(format_args!(") -> {client}:"));
        out.indented(|out| {
            let mut about = "Load the plugin with the options of :func:`rustbridge.load`. Closing the client closes it.\n".to_owned();
            for one in given {
                let absent = if one.group.optional {
                    "; it's optional"
                } else {
                    ""
                };
                about.push_str(&format!(
                    "\n``{}`` implements the services ``{}``{absent}.",
                    one.name, one.group.name
                ));
            }
            let source = match self.packaged {
                None => "source",
                Some(_) => {
                    about.push_str("\nWithout a source, the library that is packaged with this module is loaded.");
                    "_PACKAGED if source is None else source"
                }
            };
            doc(out, about.trim_end());
            if given.is_empty() {
                let schema = match &*self.callbacks {
                    [] => "",
                    _ => ", _CLIENT_SCHEMA",
                };
                out.line(format_args!(
                    "return cls._loaded({source}, config, options{schema})"
                ));
                return;
            }
            out.line("functions: dict[str, Any] = {}");
            for one in given {
                let register = |out: &mut Source| {
                    for (service, function) in &one.functions {
                        out.line(format_args!(
                            "functions[{}] = {}.{function}",
                            quoted(&service.name),
                            one.name
                        ));
                    }
                };
                if one.group.optional {
                    out.line(format_args!("if {} is not None:", one.name));
                    out.indented(register);
                } else {
                    register(out);
                }
            }
            out.line(format_args!(
                "return cls._loaded({source}, config, options, _CLIENT_SCHEMA, functions)"
            ));
        });
    }
}
