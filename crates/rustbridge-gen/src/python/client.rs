//! The classes with methods: the plugin's, and one for each type of object. The client keeps what all of them call.

use rustbridge_description::types::{Field, TypeRef};

use super::names::{KEYWORDS, Names, locals, parameter};
use super::prepared::prepare;
use super::roles::{Callable, Role, callables};
use super::services::ServiceGroup;
use super::text::{call, doc, prose, quoted};
use super::traits::Operations;
use crate::client_schema::{DefaultValue, Kind, first_optional};
use crate::error::Error;
use crate::names::{Case, Scope};
use crate::source::Source;

/// The classes with methods.
pub(super) struct Classes<'n> {
    names: &'n Names<'n>,
    /// The plugin's own.
    own: Vec<Callable<'n>>,
    /// Those of each object, in the order of their types.
    of_objects: Vec<Vec<Callable<'n>>>,
    /// The operations of each object.
    operations: Vec<Operations<'n>>,
    /// What there's no method for.
    left_out: Vec<&'n str>,
}

impl<'n> Classes<'n> {
    pub(super) fn new(names: &'n Names<'n>) -> Result<Classes<'n>, Error> {
        let client_schema = names.client_schema;
        let own = callables(client_schema, "", "_m_")?;
        let (mut of_objects, mut operations) = (Vec::new(), Vec::new());
        for (object, class) in names.objects() {
            let prefix = format!("_o_{}__", Case::Snake.of(class));
            of_objects.push(callables(client_schema, object, &prefix)?);
            operations.push(Operations::of(names, object, class));
        }
        let left_out = client_schema.left_out();
        Ok(Classes {
            names,
            own,
            of_objects,
            operations,
            left_out,
        })
    }

    /// The classes of objects.
    pub(super) fn objects(&self, out: &mut Source) -> Result<(), Error> {
        let of_objects = self.of_objects.iter().zip(&self.operations);
        for ((object, class), (callables, operations)) in
            self.names.objects().iter().zip(of_objects)
        {
            out.gap();
            out.gap();
            out.line(format_args!("class {class}(typed.Object):"));
            out.indented(|out| {
                let about = match self.names.client_schema.callback(object) {
                    None => format!("A ``{object}``: an object in the plugin."),
                    Some(_) => format!("A ``{object}`` that the plugin implements."),
                };
                doc(out, &about);
                out.gap();
                out.line("__slots__ = ()");
                for callable in callables {
                    self.method(out, callable)?;
                }
                operations.write(out, self.names, class, callables);
                Ok::<(), Error>(())
            })?;
        }
        Ok(())
    }

    /// The plugin's class.
    pub(super) fn client(&self, out: &mut Source, given: &[ServiceGroup<'_>]) -> Result<(), Error> {
        let all: Vec<&Callable<'_>> = self
            .own
            .iter()
            .chain(self.of_objects.iter().flatten())
            .chain(self.operations.iter().flat_map(Operations::hidden))
            .collect();
        let Names {
            client_schema,
            client,
            ..
        } = self.names;
        out.gap();
        out.gap();
        out.line(format_args!("class {client}(typed.Client):"));
        out.indented(|out| {
            let mut about = prose(&client_schema.doc, client);
            if !self.left_out.is_empty() {
                about.push_str(&format!(
                    "\n\nWithout a method here, because they have no types or are streams of objects: {}.",
                    self.left_out.join(", ")
                ));
            }
            doc(out, &about);
            out.gap();
            slots(out, &all);
            out.gap();
            out.line("def __init__(self, plugin: rustbridge.Plugin) -> None:");
            out.indented(|out| {
                out.line("\"\"\"Create a client of a loaded instance. Closing the client doesn't close the instance.\"\"\"");
                out.line("super().__init__(plugin)");
                for callable in &self.own {
                    prepare(out, callable, Some(client));
                }
                for callable in self.of_objects.iter().flatten() {
                    prepare(out, callable, None);
                }
                self.operations.iter().for_each(|it| it.prepare(out));
                if !self.names.callbacks.is_empty() {
                    out.line("self._prepare_callbacks(_CLIENT_SCHEMA)");
                }
            });
            let is_loaded_alike = given.is_empty() && self.names.callbacks.is_empty();
            if !is_loaded_alike || self.names.packaged.is_some() {
                self.names.load(out, given);
            }
            for callable in &self.own {
                self.method(out, callable)?;
            }
            Ok(())
        })
    }

    /// A method of the plugin's class, or of an object's, which calls what its client keeps.
    fn method(&self, out: &mut Source, callable: &Callable<'_>) -> Result<(), Error> {
        let Callable {
            method,
            name,
            kept,
            is_awaited,
            role,
        } = callable;
        let (def, waits) = if *is_awaited {
            ("async def", "await ")
        } else {
            ("def", "")
        };
        let mut parameters: Vec<String> = role.first().map(str::to_owned).into_iter().collect();
        let mut arguments = Vec::new();
        if role.is_of_class() {
            parameters.push(format!("client: {}", self.names.client));
        }
        if let Some(items) = self.items(callable) {
            parameters.push(format!("items: {items}"));
            arguments.push("items".to_owned());
        }
        match (&method.request, &method.arguments) {
            (TypeRef::Unit, _) => arguments.push("None".to_owned()),
            (_, Some(fields)) => {
                let (declared, several) = self.several(callable, fields)?;
                parameters.extend(declared);
                arguments.push(several);
            }
            (request, None) => {
                let name = parameter(&method.parameter, role.is_of_class());
                let is_optional = method.is_optional() && !role.is_property();
                let default = if is_optional { " = None" } else { "" };
                parameters.push(format!("{name}: {}{default}", self.lent(request)));
                arguments.push(name);
            }
        }
        if role.is_property() {
            arguments.push("None".to_owned());
        } else {
            // By its name alone, so that a later version of the plugin can add parameters in front of it.
            parameters.push("*".to_owned());
            parameters.push("options: rustbridge.CallOptions | None = None".to_owned());
            arguments.push("options".to_owned());
        }
        if role.has_receiver() {
            arguments.push("self".to_owned());
        }
        let mut response = self.names.ty(&method.response);
        if matches!(method.kind, Kind::StreamOut | Kind::StreamBoth) {
            response = format!("rustbridge.Stream[{response}]");
        }
        if *role == Role::Init {
            response = "None".to_owned();
        }
        out.gap();
        match role {
            Role::Constructor => out.line("@classmethod"),
            Role::Function => out.line("@staticmethod"),
            Role::Getter => out.line("@property"),
            Role::LoneSetter => {
                let ty = self.names.ty(&method.request);
                let error = format!("the property {name} can be set, but not read");
                out.line("@property");
                out.line(format_args!("def {name}(self) -> {ty}:"));
                out.indented(|out| {
                    doc(out, &prose(&method.doc, &method.name));
                    out.line(format_args!("raise AttributeError({})", quoted(&error)));
                });
                out.gap();
                out.line(format_args!("@{name}.setter"));
            }
            Role::Setter => out.line(format_args!("@{name}.setter")),
            _ => {}
        }
        call(
            out,
            &format!("{def} {name}"),
            &parameters,
            &format!(" -> {response}:"),
        );
        out.indented(|out| {
            doc(out, &prose(&method.doc, &method.name));
            let called = format!("{waits}{}{kept}", role.client());
            match role {
                Role::Init => call(out, &format!("self._adopt({called}"), &arguments, ")"),
                Role::Constructor => {
                    call(out, &format!("return cls._from({called}"), &arguments, ")");
                }
                _ if response == "None" => call(out, &called, &arguments, ""),
                _ => {
                    // A prepared method returns `Any`, so the type is declared here.
                    call(
                        out,
                        &format!("answer: {response} = {called}"),
                        &arguments,
                        "",
                    );
                    out.line("return answer");
                }
            }
        });
        Ok(())
    }

    /// What is declared of parameters, and what is passed on for them. Those at the end may be left out if they are options or have default
    /// values.
    fn several(
        &self,
        Callable { method, role, .. }: &Callable<'_>,
        fields: &[Field],
    ) -> Result<(Vec<String>, String), Error> {
        let own = locals(role.is_of_class());
        let reserved: Vec<&str> = KEYWORDS.iter().chain(own).copied().collect();
        let mut scope = Scope::new(format!("the parameters of `{}`", method.name), &reserved);
        let first_optional = first_optional(fields);
        let (mut declared, mut names) = (Vec::new(), Vec::new());
        for (place, field) in fields.iter().enumerate() {
            let name = scope.name(&field.name, Case::Snake)?;
            let ty = self.lent(&field.ty);
            let value = DefaultValue::of(&self.names.client_schema.types, field);
            let (ty, default, passed) = match value {
                _ if place < first_optional => (ty, None, name.clone()),
                None => (ty, Some("None".to_owned()), name.clone()),
                // Each call has a list of its own.
                Some(value @ (DefaultValue::EmptyList | DefaultValue::EmptyMap)) => {
                    let empty = self.names.default_value(value);
                    let passed = format!("{empty} if {name} is None else {name}");
                    (format!("{ty} | None"), Some("None".to_owned()), passed)
                }
                Some(value) => (ty, Some(self.names.default_value(value)), name.clone()),
            };
            declared.push(match default {
                Some(default) => format!("{name}: {ty} = {default}"),
                None => format!("{name}: {ty}"),
            });
            names.push(passed);
        }
        let comma = if names.len() == 1 { "," } else { "" };
        Ok((declared, format!("({}{comma})", names.join(", "))))
    }

    /// The type of a parameter. Bytes that are a value of their own may lie in any memory.
    fn lent(&self, ty: &TypeRef) -> String {
        match ty {
            TypeRef::Bytes => "bytes | bytearray | memoryview".to_owned(),
            ty => self.names.ty(ty),
        }
    }

    /// What is sent, if anything is.
    fn items(&self, callable: &Callable<'_>) -> Option<String> {
        let method = callable.method;
        let item = self.names.ty(method.items.as_ref()?);
        Some(if method.kind == Kind::StreamIn && !callable.is_awaited {
            format!("Iterable[{item}]")
        } else {
            format!("AsyncIterable[{item}] | Iterable[{item}]")
        })
    }
}

fn slots(out: &mut Source, callables: &[&Callable<'_>]) {
    let mut slots: Vec<String> = callables
        .iter()
        .map(|callable| format!("\"{}\"", callable.kept))
        .collect();
    slots.sort();
    out.line("__slots__ = (");
    out.indented(|out| {
        for slot in &slots {
            out.line(format_args!("{slot},"));
        }
    });
    out.line(")");
}
