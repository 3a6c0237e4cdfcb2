//! Clients in C++: one header, over `rustbridge_typed.hpp`.

mod client;
mod codecs;
mod methods;
mod names;
mod order;
mod records;
mod services;
mod text;
mod types;

use rustbridge_description::types::Shape;

use self::names::{KEYWORDS, Names, is_plain};
use self::text::one_line;
use crate::client::{File, Options};
use crate::contract::Contract;
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;

pub(crate) fn generate(contract: &Contract, options: &Options) -> Result<Vec<File>, Error> {
    let namespace = match &options.namespace {
        Some(namespace) => namespace.clone(),
        None => {
            let mut own = Case::Snake.of(&contract.plugin);
            if KEYWORDS.contains(&&*own) {
                own.push('_');
            }
            own
        }
    };
    let is_name = |part: &str| {
        !part.is_empty()
            && !part.starts_with(char::is_numeric)
            && part.chars().all(|it| it.is_alphanumeric() || it == '_')
            && !KEYWORDS.contains(&part)
    };
    if !namespace.split("::").all(is_name) {
        return Err(Error::new(format_args!(
            "`{namespace}` can't be the name of a namespace in C++"
        )));
    }
    let file = namespace.rsplit("::").next().unwrap_or_default().to_owned();
    let names = Names::new(contract, namespace)?;
    Ok(vec![File {
        path: format!("{file}.hpp"),
        text: names.header()?,
    }])
}

impl Names<'_> {
    fn header(&self) -> Result<String, Error> {
        let space = &self.namespace;
        let classes = self.classes()?;
        let mut out = Source::new("  ");
        out.line(format_args!(
            "// Written by 'rustbridge gen -l cpp' of the plugin '{}': write it anew by that, not by hand.",
            one_line(&self.contract.plugin)
        ));
        out.line("// clang-format off");
        out.line("#pragma once");
        out.gap();
        out.line("#include \"rustbridge_typed.hpp\"");
        out.gap();
        out.line(format_args!("namespace {space} {{"));
        out.gap();
        out.line("namespace detail {");
        out.line("struct Methods;");
        out.line("}  // namespace detail");
        for &number in &self.order.numbers {
            let definition = &self.contract.types.definitions()[number as usize];
            if let Shape::Enum(shape) = &definition.shape
                && is_plain(shape)
            {
                self.plain_enum(&mut out, number, definition, shape);
            }
        }
        self.declarations(&mut out);
        self.object_classes(&mut out, &classes);
        for &number in &self.order.numbers {
            self.definition(&mut out, number)?;
        }
        self.exceptions(&mut out);
        out.gap();
        out.line(format_args!("}}  // namespace {space}"));
        self.codecs(&mut out)?;
        out.gap();
        out.line(format_args!("namespace {space} {{"));
        self.kept(&mut out, &classes);
        if !self.groups.is_empty() {
            self.services(&mut out)?;
        }
        self.client(&mut out, &classes);
        out.gap();
        out.line(format_args!("}}  // namespace {space}"));
        Ok(out.finish())
    }
}
