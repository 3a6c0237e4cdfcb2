//! The parameters of functions: those of the plugin's methods, and what clients add to them.

use rustbridge_description::types::TypeRef;

use super::names::{KEYWORDS, Names};
use super::records::properties;
use super::text::said;
use crate::client_schema::Method;
use crate::error::Error;
use crate::names::{Case, alone};

/// The parameters that clients add. The plugin's get an underscore behind such a name.
const LOCALS: &[&str] = &["items", "options"];

/// The same of constructors and functions without an object, which have a parameter for the client.
const CLASS_LOCALS: &[&str] = &["client", "items", "options"];

/// A parameter.
pub(super) struct Parameter {
    pub(super) name: String,
    /// Its type, with its default.
    declared: String,
    /// The plugin's prose.
    pub(super) prose: String,
    /// What else there is to know of it.
    pub(super) more: String,
}

impl Parameter {
    fn new(name: impl Into<String>, declared: impl Into<String>, more: impl Into<String>) -> Self {
        Parameter {
            name: name.into(),
            declared: declared.into(),
            prose: String::new(),
            more: more.into(),
        }
    }
}

/// What a function accepts.
pub(super) struct Arguments {
    pub(super) parameters: Vec<Parameter>,
    /// What is passed to the prepared method, but for the options.
    pub(super) inside: Vec<String>,
    /// Whether the last parameter is a callback with one function, for which a lambda may stand behind the parentheses.
    pub(super) takes_lambda: bool,
}

impl Arguments {
    /// Where the options stand: last, but before a lambda.
    fn place_of_options(&self) -> usize {
        self.parameters.len() - usize::from(self.takes_lambda)
    }

    /// Adds the options.
    pub(super) fn insert_options(&mut self) {
        let declared = match self.takes_lambda {
            true => "CallOptions",
            false => "CallOptions = CallOptions.defaults()",
        };
        let more = "the deadline, the metadata and other options of the call";
        let options = Parameter::new("options", declared, more);
        self.parameters.insert(self.place_of_options(), options);
    }

    /// Returns the arguments of the function with options, for a function without them.
    pub(super) fn with_default_options(&self) -> Vec<String> {
        let names = self.parameters.iter().map(|it| it.name.clone());
        let mut names: Vec<String> = names.collect();
        names.insert(self.place_of_options(), "CallOptions.defaults()".to_owned());
        names
    }

    /// Returns the declarations.
    pub(super) fn declared(&self) -> Vec<String> {
        let parameters = self.parameters.iter();
        let declared = parameters.map(|it| format!("{}: {}", it.name, it.declared));
        declared.collect()
    }

    /// Returns the declarations of a function that overrides another, without defaults.
    pub(super) fn overriding(&self) -> Vec<String> {
        let mut declared = self.declared();
        for parameter in &mut declared {
            // No type has such a text in it.
            if let Some((without, _)) = parameter.split_once(" = ") {
                *parameter = without.to_owned();
            }
        }
        declared
    }
}

impl Names<'_> {
    /// What a method accepts, without the options.
    pub(super) fn accepted(&self, method: &Method) -> Result<Arguments, Error> {
        let mut parameters = Vec::new();
        let mut locals = LOCALS;
        if !method.class.is_empty() {
            locals = CLASS_LOCALS;
            parameters.push(Parameter::new(
                "client",
                &*self.client,
                "the client of the plugin",
            ));
        }
        let (request, mut takes_lambda) = self.request(method, locals, &mut parameters)?;
        let mut inside = vec![request];
        if let Some(items) = &method.items {
            let what = "the items to send, collected as fast as the plugin accepts them";
            let about = match self.meaning(items) {
                "" => what.to_owned(),
                meaning => format!("{what}; of each, {meaning}"),
            };
            let ty = format!("Flow<{}>", self.ty(items, &[]));
            parameters.push(Parameter::new("items", ty, about));
            inside.push("items".to_owned());
            takes_lambda = false;
        }
        Ok(Arguments {
            parameters,
            inside,
            takes_lambda,
        })
    }

    /// Adds the plugin's parameters. Returns the request, and whether the last parameter may be a lambda.
    fn request(
        &self,
        method: &Method,
        locals: &[&str],
        parameters: &mut Vec<Parameter>,
    ) -> Result<(String, bool), Error> {
        let may_be_left_out = method.items.is_none();
        match &method.request {
            TypeRef::Unit => Ok(("Unit".to_owned(), false)),
            TypeRef::Ref(number) if method.arguments.is_some() => {
                let class = &self.of(*number).name;
                let (mut names, mut takes_lambda) = (Vec::new(), false);
                for argument in properties(self, class, self.shape(*number))? {
                    let mut name = argument.name.clone();
                    if locals.contains(&&*name) {
                        name.push('_');
                    }
                    let end = match argument.optional && may_be_left_out {
                        true => format!(" = {}", argument.absent()),
                        false => String::new(),
                    };
                    parameters.push(Parameter {
                        declared: format!("{}{end}", argument.kotlin(self, &[])),
                        prose: argument.doc.clone(),
                        ..Parameter::new(&*name, "", argument.more(self))
                    });
                    names.push(name);
                    takes_lambda = self.is_lambda(&argument.ty) && !argument.is_maybe(self);
                }
                Ok((format!("{class}({})", names.join(", ")), takes_lambda))
            }
            request => {
                let name = alone(&method.parameter, Case::Camel, &[KEYWORDS, locals]);
                let about = said("the request", self.meaning(request));
                let end = match method.is_optional() && may_be_left_out {
                    true => " = null",
                    false => "",
                };
                let declared = format!("{}{end}", self.ty(request, &[]));
                parameters.push(Parameter::new(&*name, declared, about));
                Ok((name, self.is_lambda(request)))
            }
        }
    }

    /// Whether values of a type are callbacks with one function, or null.
    fn is_lambda(&self, ty: &TypeRef) -> bool {
        let ty = match ty {
            TypeRef::Option(inside) => &**inside,
            ty => ty,
        };
        let TypeRef::Object(name) = ty else {
            return false;
        };
        let callback = self.callback(name);
        callback.is_some_and(|callback| callback.functions.len() == 1)
    }
}
