//! Clients in TypeScript: a module in one file.

mod client;
mod codec;
mod methods;
mod names;
mod records;
mod text;
mod types;

use rustbridge_description::types::{Shape, TypeRef};

use self::codec::Codec;
use self::names::Names;
use self::text::{one_line, pieces};
use crate::client::{File, Options};
use crate::contract::Contract;
use crate::error::Error;
use crate::names::Case;
use crate::source::Source;
use crate::uses::calls;

/// What a client stands on.
const PACKAGE: &str = "rustbridge/typed";

pub(crate) fn generate(contract: &Contract, options: &Options) -> Result<Vec<File>, Error> {
    let module = match &options.namespace {
        Some(namespace) => namespace.clone(),
        None => Case::Snake.of(&contract.plugin),
    };
    let is_name = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part
                .chars()
                .all(|it| it.is_alphanumeric() || "_-.".contains(it))
    };
    if !module.split('/').all(is_name) {
        return Err(Error::new(format_args!(
            "`{module}` can't be the name of a module in TypeScript: it's that of its file, without its end, with `/` between folders"
        )));
    }
    let names = Names::new(contract, options)?;
    let codec = Codec::new(&names);
    let mut out = Source::new("  ");
    out.line(format_args!(
        "// Written by `rustbridge gen -l typescript` of the plugin `{}`: write it anew by that, not by hand.",
        one_line(&contract.plugin)
    ));
    out.gap();
    out.line(format_args!("import * as wire from \"{PACKAGE}\";"));
    for (number, definition) in contract.definitions() {
        out.gap();
        names.definition(&mut out, number, definition)?;
    }
    for method in calls(contract) {
        if let (TypeRef::Ref(number), Some(_)) = (&method.request, &method.arguments)
            && let Shape::Record(fields) = names.shape(*number)
        {
            let name = &names.of(*number).name;
            out.gap();
            names.interface(&mut out, &format!("interface {name}"), name, fields)?;
        }
    }
    out.gap();
    codec.client(&mut out)?;
    out.gap();
    out.line("/** What this was written from, to be compared with the plugin. */");
    out.line("const CONTRACT = [");
    out.indented(|out| {
        pieces(&contract.text)
            .iter()
            .for_each(|piece| out.line(format_args!("{piece},")))
    });
    out.line("].join(\"\");");
    codec.all(&mut out)?;
    Ok(vec![File {
        path: format!("{module}.ts"),
        text: out.finish(),
    }])
}
