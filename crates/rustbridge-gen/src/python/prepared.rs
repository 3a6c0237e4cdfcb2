//! The methods that a client prepares.

use super::roles::Callable;
use super::text::{call, quoted};
use crate::client_schema::Kind;
use crate::source::Source;

/// What `__init__` keeps of a method. Of the client's own it says which function that is, in whose place it may be called.
pub(super) fn prepare(out: &mut Source, callable: &Callable<'_>, client: Option<&str>) {
    let Callable {
        method,
        name,
        kept,
        is_awaited,
        ..
    } = callable;
    let mut arguments = vec![
        "_CLIENT_SCHEMA".to_owned(),
        quoted(&method.name),
        format!("\"{}\"", method.fingerprint),
    ];
    if *is_awaited {
        arguments.push("awaited=True".to_owned());
    } else if let (Some(client), Kind::Unary) = (client, method.kind) {
        arguments.push(format!("{client}.{name}"));
    }
    call(out, &format!("self.{kept} = self._prepare"), &arguments, "");
}
