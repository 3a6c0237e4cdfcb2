//! The struct of the plugin, and those of its objects.

use super::codec::Codec;
use super::methods::{Callable, Owner};
use super::names::{CLIENT, CallbackNames, Names, OBJECT, crossing_field};
use super::records::prose;
use super::services::ServiceGroup;
use super::text::{Column, columns, doc, quoted};
use crate::error::Error;
use crate::source::Source;

impl Names<'_> {
    pub(super) fn about(&self) -> String {
        prose(&self.client_schema.doc, || {
            format!(
                "{} has the typed methods of the plugin `{}`.",
                self.client, self.client_schema.plugin
            )
        })
    }
}

impl Codec<'_, '_> {
    pub(super) fn client(
        &self,
        out: &mut Source,
        given: &[ServiceGroup<'_, '_>],
    ) -> Result<(), Error> {
        let names = self.names;
        let client = &names.client;
        let mut kept = vec!["plugin".to_owned(), "isOwned".to_owned()];
        kept.extend(names.callbacks.iter().map(|it| it.kept.clone()));
        let crossings = names.client_schema.crossings();
        kept.extend(crossings.map(|method| crossing_field(&method.name)));
        let own = names.callables("", CLIENT, &mut kept)?;
        let (mut of_objects, mut hidden) = (Vec::new(), Vec::new());
        for (object, _) in &names.objects {
            of_objects.push(names.callables(object, OBJECT, &mut kept)?);
        }
        for (object, _) in &names.objects {
            hidden.push(names.hidden(object, &mut kept));
        }
        let all = || {
            let of_objects = of_objects.iter().chain(&hidden).flatten();
            own.iter().chain(of_objects)
        };
        let mut about = format!("{}\n\nIt's safe for concurrent use.", names.about());
        let left_out = names.client_schema.left_out();
        if !left_out.is_empty() {
            let left_out = left_out.join(", ");
            about.push_str(&format!(
                "\n\nWithout a method here, because they have no types or are streams of objects: {left_out}."
            ));
        }
        doc(out, &about);
        out.line(format_args!("type {client} struct {{"));
        out.indented(|out| {
            let column = |name: &str, ty: String| Column {
                doc: String::new(),
                name: name.to_owned(),
                ty,
                tag: String::new(),
            };
            let mut fields = vec![
                column("plugin", "*rustbridge.Plugin".to_owned()),
                column("isOwned", "bool".to_owned()),
            ];
            fields.extend(names.callbacks.iter().map(|it| {
                let prepared = format!("*typed.Callback[{}]", it.interface);
                column(&it.kept, prepared)
            }));
            fields.extend(names.client_schema.crossings().map(|method| {
                let field = crossing_field(&method.name);
                column(&field, self.crossing_type(method))
            }));
            fields.extend(all().map(|it| column(&it.kept, self.prepared_type(it.method))));
            columns(out, &fields);
        });
        out.line("}");
        self.lifecycle(out, all(), given)?;
        self.methods(out, Owner::Plugin, &own)?;
        let of_objects = of_objects.iter().zip(&hidden);
        for ((object, class), (callables, hidden)) in names.objects.iter().zip(of_objects) {
            let callback = names.callback(object);
            out.gap();
            doc(
                out,
                &match callback {
                    None => format!(
                        "{class} is a `{object}`: an object in the plugin, which messages can contain. Close it, or leave it to the garbage collector."
                    ),
                    Some(CallbackNames { interface, .. }) => format!(
                        "{class} is the plugin's implementation of [{interface}]. Close it, or leave it to the garbage collector."
                    ),
                },
            );
            out.line(format_args!("type {class} struct {{"));
            out.indented(|out| {
                out.line(format_args!("client *{client}"));
                out.line("object *rustbridge.Object");
            });
            out.line("}");
            out.line(format_args!(
                r#"
// Untyped returns the object without its type.
func (c *{class}) Untyped() *rustbridge.Object {{ return c.object }}

// Close releases the object. The plugin drops it when no call uses it any more.
func (c *{class}) Close() error {{ return c.object.Close() }}"#
            ));
            let owner = match callback {
                None => Owner::Object(class),
                Some(_) => Owner::Callback(class),
            };
            self.methods(out, owner, callables)?;
            let all: Vec<&Callable<'_>> = callables.iter().chain(hidden).collect();
            self.operations(out, object, class, &all);
        }
        Ok(())
    }

    /// How a client begins and ends.
    fn lifecycle<'c>(
        &self,
        out: &mut Source,
        all: impl Iterator<Item = &'c Callable<'c>>,
        given: &[ServiceGroup<'_, '_>],
    ) -> Result<(), Error> {
        let client = &self.names.client;
        let (services, with) = if given.is_empty() {
            ("", "")
        } else {
            (", services Services", ", services")
        };
        let (asked, then) = if !self.names.callbacks.is_empty() {
            (
                format!(
                    "options, hosts, err := optionsWith(options{with})\n\tif err != nil {{\n\t\treturn nil, err\n\t}}\n\t"
                ),
                "hosts.loaded",
            )
        } else if !given.is_empty() {
            (
                "options, err := optionsWith(options, services)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\t"
                    .to_owned(),
                "loaded",
            )
        } else {
            (String::new(), "loaded")
        };
        let (loaded, of) = match self.names.callbacks.is_empty() {
            true => ("loaded", "Of(plugin)"),
            false => ("(hosts *hostObjects) loaded", "of(plugin, hosts)"),
        };
        out.line(format_args!(
            r#"
// Load loads the plugin from a file; nil options are the defaults. It's closed with the client.
func Load(path string, options *rustbridge.Options{services}) (*{client}, error) {{
	return LoadContext(context.Background(), path, options{with})
}}

// LoadContext is like Load, but returns the context's error if the context is done first.
func LoadContext(ctx context.Context, path string, options *rustbridge.Options{services}) (*{client}, error) {{
	{asked}return {then}(rustbridge.LoadContext(ctx, path, options))
}}

// LoadImage is like Load, with the bytes of the library, for example from go:embed.
func LoadImage(image []byte, options *rustbridge.Options{services}) (*{client}, error) {{
	{asked}return {then}(rustbridge.LoadImage(image, options))
}}

func {loaded}(plugin *rustbridge.Plugin, err error) (*{client}, error) {{
	if err != nil {{
		return nil, err
	}}
	c, err := {of}
	if err != nil {{
		_ = plugin.Close()
		return nil, err
	}}
	c.isOwned = true
	return c, nil
}}"#
        ));
        self.options(out, given)?;
        out.line(
            r#"
// Of returns a client of a loaded instance. Closing the client doesn't close the instance. If the plugin doesn't match the client, the
// error names the differences."#,
        );
        if self.names.callbacks.is_empty() {
            out.line(format_args!(
                "func Of(plugin *rustbridge.Plugin) (*{client}, error) {{"
            ));
        } else {
            out.line(format_args!(
                r#"//
// Without the services of [Load], the plugin can't call the host's objects, so they are refused.
func Of(plugin *rustbridge.Plugin) (*{client}, error) {{
	return of(plugin, &hostObjects{{}})
}}

func of(plugin *rustbridge.Plugin, hosts *hostObjects) (*{client}, error) {{"#
            ));
        }
        out.indented(|out| {
            out.line(format_args!("c := &{client}{{plugin: plugin}}"));
            out.line("p := typed.NewPreparation(plugin, clientSchema, c)");
            for CallbackNames { callback, kept, .. } in &self.names.callbacks {
                let (create, number) = (
                    &callback.create.fingerprint,
                    &callback.number.fingerprint,
                );
                out.line(format_args!(
                    "c.{kept} = typed.PrepareCallback(p, {}, \"{create}\", \"{number}\", hosts.{kept})",
                    quoted(&callback.name)
                ));
            }
            for method in self.names.client_schema.crossings() {
                self.prepared_crossing(out, method);
            }
            all.for_each(|callable| self.prepared(out, callable));
            out.line("if err := p.Err(); err != nil {");
            out.indented(|out| out.line("return nil, err"));
            out.line("}");
            if self.names.has_crossings() {
                out.line("hosts.connection.Set(c)");
            }
            out.line("return c, nil");
        });
        out.line("}");
        out.line(format_args!(
            r#"
// Plugin returns the plugin's instance.
func (c *{client}) Plugin() *rustbridge.Plugin {{ return c.plugin }}

// Close closes the plugin if the client loaded it.
func (c *{client}) Close() error {{
	if !c.isOwned {{
		return nil
	}}"#
        ));
        out.indented(|out| {
            if self.names.callbacks.is_empty() {
                out.line("return c.plugin.Close()");
                return;
            }
            out.line("if err := c.plugin.Close(); err != nil {");
            out.indented(|out| out.line("return err"));
            out.line("}");
            for CallbackNames { kept, .. } in &self.names.callbacks {
                out.line(format_args!("c.{kept}.Forget()"));
            }
            out.line("return nil");
        });
        out.line("}");
        Ok(())
    }

    /// What adds the services and the callbacks to the options.
    fn options(&self, out: &mut Source, given: &[ServiceGroup<'_, '_>]) -> Result<(), Error> {
        let callbacks = &self.names.callbacks;
        if given.is_empty() && callbacks.is_empty() {
            return Ok(());
        }
        let mut parameters = vec!["options *rustbridge.Options"];
        if !given.is_empty() {
            parameters.push("services Services");
        }
        let parameters = parameters.join(", ");
        if callbacks.is_empty() {
            out.line(format_args!(
                "\nfunc optionsWith({parameters}) (*rustbridge.Options, error) {{"
            ));
            out.indented(|out| {
                self.serving(out, given, "return nil, err");
                out.line("return served.Options(), nil");
            });
        } else {
            out.line("\n// hostObjects has the implementations to which the plugin refers.");
            out.line("type hostObjects struct {");
            out.indented(|out| {
                let column = |name: &str, ty: String| Column {
                    doc: String::new(),
                    name: name.to_owned(),
                    ty,
                    tag: String::new(),
                };
                let fields = callbacks
                    .iter()
                    .map(|it| column(&it.kept, format!("*typed.HostObjects[{}]", it.interface)));
                let mut fields: Vec<Column> = fields.collect();
                if self.names.has_crossings() {
                    let ty = format!("*typed.Connection[{}]", self.names.client);
                    fields.push(column("connection", ty));
                }
                columns(out, &fields);
            });
            out.line(format_args!(
                "}}\n\nfunc optionsWith({parameters}) (*rustbridge.Options, *hostObjects, error) {{"
            ));
            out.indented(|out| {
                self.serving(out, given, "return nil, nil, err");
                self.serving_callbacks(out)?;
                out.line("return served.Options(), hosts, nil");
                Ok::<(), Error>(())
            })?;
        }
        out.line("}");
        Ok(())
    }
}
