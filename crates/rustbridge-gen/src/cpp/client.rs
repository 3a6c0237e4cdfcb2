//! The classes with methods: the plugin's, and one for each type of object.

use super::methods::Callable;
use super::names::{CLIENT, KEYWORDS, Names, OBJECT};
use super::text::{doc, list, pieces};
use crate::error::Error;
use crate::names::{Case, Scope};
use crate::source::Source;

/// All that can be called.
pub(super) struct Classes<'c> {
    own: Vec<Callable<'c>>,
    /// Those of each object, in the order of their types.
    of_objects: Vec<Vec<Callable<'c>>>,
    /// Those of each object that are for its operations alone.
    hidden: Vec<Vec<Callable<'c>>>,
    /// Those of each callback, in their order.
    pub(super) of_callbacks: Vec<Vec<Callable<'c>>>,
    /// Those by which the arguments and results of callbacks' functions cross.
    crossings: Vec<Callable<'c>>,
}

impl<'c> Classes<'c> {
    /// The methods of the object at a place, and those that are for its operations alone.
    fn all_of(&self, place: usize) -> Vec<&Callable<'c>> {
        let all = self.of_objects[place].iter();
        all.chain(&self.hidden[place]).collect()
    }
}

impl<'c> Names<'c> {
    pub(super) fn classes(&self) -> Result<Classes<'c>, Error> {
        let reserved: Vec<&str> = KEYWORDS
            .iter()
            .copied()
            .chain(["callbacks", "client_schema", "of", "plugin", "rb_instance"])
            .collect();
        let mut kept = Scope::new("the plugin's methods and those of its objects", &reserved);
        let own = self.callables("", CLIENT, &self.client, &mut kept)?;
        let mut of_objects = Vec::new();
        for (object, class) in &self.objects {
            of_objects.push(self.callables(object, OBJECT, class, &mut kept)?);
        }
        let mut hidden = Vec::new();
        for (object, _) in &self.objects {
            hidden.push(self.hidden(object, &mut kept));
        }
        let mut of_callbacks = Vec::new();
        for one in &self.callbacks {
            let object = &one.callback.name;
            of_callbacks.push(self.callables(object, OBJECT, &one.class, &mut kept)?);
        }
        let crossings = self
            .client_schema
            .crossings()
            .map(|method| Callable::hidden(method, kept.joined(&method.name, Case::Snake)))
            .collect();
        Ok(Classes {
            own,
            of_objects,
            hidden,
            of_callbacks,
            crossings,
        })
    }

    /// The classes of objects, whose methods speak of types that follow.
    pub(super) fn object_classes(&self, out: &mut Source, classes: &Classes<'_>) {
        for (place, (object, class)) in self.objects.iter().enumerate() {
            let callables = &classes.of_objects[place];
            out.gap();
            doc(
                out,
                &format!(
                    "A `{object}`: an object in the plugin, released with this handle. It can be moved, not copied. Several threads may\ncall it at once."
                ),
            );
            out.line(format_args!(
                "class {class} : public rustbridge::TypedObject<detail::Methods> {{"
            ));
            out.line(" public:");
            out.indented(|out| {
                out.line("using TypedObject::TypedObject;");
                self.methods(out, callables, false);
                self.operations(out, object, class, &classes.all_of(place));
            });
            out.line("};");
        }
    }

    /// The exceptions that carry errors.
    pub(super) fn exceptions(&self, out: &mut Source) {
        for (error, class) in &self.exceptions {
            if self.client_schema.imported_exception(*error).is_some() {
                continue;
            }
            let definition = &self.client_schema.types.definitions()[*error as usize];
            let name = &self.of(*error).name;
            out.gap();
            doc(
                out,
                &match &*definition.doc {
                    "" => format!("A call has failed with `{name}`."),
                    prose => prose.to_owned(),
                },
            );
            out.line(format_args!(
                "class {class} : public rustbridge::TypedError<{name}> {{"
            ));
            out.line(" public:");
            out.indented(|out| out.line("using TypedError::TypedError;"));
            out.line("};");
        }
    }

    /// What the client was written from, and what it prepares.
    pub(super) fn kept(&self, out: &mut Source, classes: &Classes<'_>) -> Result<(), Error> {
        out.gap();
        out.line("namespace detail {");
        out.gap();
        doc(
            out,
            "The client schema, which is compared with the plugin's description at loading.",
        );
        out.line("inline constexpr std::string_view client_schema =");
        out.indented(|out| {
            out.indented(|out| {
                out.line(format_args!(
                    "{};",
                    pieces(&self.client_schema.text).join("\n")
                ))
            });
        });
        let has_callbacks = !self.callbacks.is_empty();
        if has_callbacks {
            self.host_objects(out);
        }
        out.gap();
        doc(out, "The plugin's methods, prepared.");
        out.line("struct Methods {");
        out.indented(|out| {
            if has_callbacks {
                out.line("explicit Methods(rb_instance instance, Callbacks all = {}) : plugin(instance), callbacks(std::move(all)) {}");
            } else {
                out.line("explicit Methods(rb_instance instance) : plugin(instance) {}");
            }
            out.gap();
            out.line("rb_instance plugin;");
            if has_callbacks {
                out.line("Callbacks callbacks;");
            }
            for callable in classes
                .own
                .iter()
                .chain(classes.of_objects.iter().flatten())
                .chain(classes.hidden.iter().flatten())
                .chain(classes.of_callbacks.iter().flatten())
                .chain(&classes.crossings)
            {
                self.prepared(out, callable);
            }
            self.kept_callbacks(out);
        });
        out.line("};");
        if has_callbacks {
            self.add_callbacks(out, &classes.crossings)?;
        }
        out.gap();
        out.line("}  // namespace detail");
        Ok(())
    }

    /// The plugin's class, and the bodies of what objects do.
    pub(super) fn client(&self, out: &mut Source, classes: &Classes<'_>) {
        let client_schema = self.client_schema;
        let client = &self.client;
        let left_out = client_schema.left_out();
        let mut about = match &*client_schema.doc {
            "" => format!("Typed methods of the plugin `{}`.", client_schema.plugin),
            prose => prose.to_owned(),
        };
        about.push_str("\n\nIt can be moved, not copied. Several threads may call it at once.");
        if !left_out.is_empty() {
            about.push_str(&format!(
                "\n\nWithout a method here, because they have no types or are streams of objects: {}.",
                left_out.join(", ")
            ));
        }
        out.gap();
        doc(out, &about);
        out.line(format_args!(
            "class {client} : public rustbridge::TypedClient<detail::Methods> {{"
        ));
        out.line(" public:");
        out.indented(|out| {
            self.lifecycle(out);
            self.methods(out, &classes.own, true);
        });
        out.gap();
        out.line(" private:");
        out.indented(|out| {
            for (object, class) in &self.objects {
                let methods = &self.client_schema.methods;
                if methods.iter().any(|method| method.class == *object) {
                    out.line(format_args!("friend class {class};"));
                }
            }
            out.line("using TypedClient::TypedClient;");
        });
        out.line("};");
        for (place, (object, class)) in self.objects.iter().enumerate() {
            self.bodies(out, class, &classes.of_objects[place]);
            self.operation_bodies(out, object, class, &classes.all_of(place));
        }
    }

    /// How a client begins.
    fn lifecycle(&self, out: &mut Source) {
        let Names {
            client, services, ..
        } = self;
        doc(
            out,
            "Loads the plugin from a file. Closing the client closes the plugin. `rustbridge::Error`: the plugin can't be loaded\n\
             or doesn't match the client.",
        );
        let is_needed = self.groups.iter().any(|group| !group.is_optional);
        let default = if is_needed { "" } else { " = {}" };
        let mut parameters = vec!["const std::filesystem::path& path".to_owned()];
        if self.groups.is_empty() && self.callbacks.is_empty() {
            parameters.push("const rustbridge::Config& config = {}".to_owned());
        } else {
            parameters.push(format!("rustbridge::Config config{default}"));
        }
        if !self.groups.is_empty() {
            parameters.push(format!("const {services}& services{default}"));
        }
        list(out, &format!("static {client} load("), &parameters, ") {");
        out.indented(|out| {
            if !self.groups.is_empty() {
                out.line("services.add_to(config);");
            }
            if self.callbacks.is_empty() {
                out.line(format_args!(
                    "return {client}(rustbridge::Plugin::load(path, config));"
                ));
                return;
            }
            out.line("detail::Callbacks callbacks = detail::Callbacks::add_to(config);");
            out.line(format_args!(
                "{client} client(rustbridge::Plugin::load(path, config), callbacks);"
            ));
            out.line("callbacks.connection->set(client.beside().context);");
            out.line("return client;");
        });
        out.line("}");
        out.gap();
        doc(
            out,
            "Creates a client of a loaded instance. Closing the client doesn't close the instance. `rustbridge::Error`: the\n\
             plugin doesn't match the client.",
        );
        out.line(format_args!(
            "static {client} of(const rustbridge::Plugin& plugin) {{ return {client}(plugin.handle()); }}"
        ));
    }
}
