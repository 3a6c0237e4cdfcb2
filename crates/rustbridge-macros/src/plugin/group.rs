//! Functions that share a method's name.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Result};

use super::method::Method;

/// Several functions that share a method's name, in the order of their first appearance.
pub struct Group<'a> {
    name: &'a str,
    id: Option<u32>,
    members: Vec<&'a Method>,
}

pub fn of(methods: &[Method]) -> Result<Vec<Group<'_>>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut ids: BTreeMap<u32, &str> = BTreeMap::new();
    for method in methods {
        let known = groups.iter().position(|group| group.name == method.name);
        let index = known.unwrap_or_else(|| {
            groups.push(Group {
                name: &method.name,
                id: None,
                members: Vec::new(),
            });
            groups.len() - 1
        });
        let group = &mut groups[index];
        group.members.push(method);
        if let Some((id, span)) = method.id {
            if group.id.is_some_and(|other| other != id) {
                return Err(Error::new(
                    span,
                    format!("the method `{}` has another id already", method.name),
                ));
            }
            group.id = Some(id);
            let owner = ids.entry(id).or_insert(&method.name);
            if *owner != method.name {
                return Err(Error::new(
                    span,
                    format!("the id {id} belongs to the method `{owner}` already"),
                ));
            }
        }
    }
    Ok(groups)
}

impl Group<'_> {
    /// Returns the method's entry in the plugin's table.
    pub fn info(&self) -> TokenStream {
        let name = self.name;
        let id = self.id.map_or_else(
            || quote!(::core::option::Option::None),
            |id| quote!(::core::option::Option::Some(#id)),
        );
        let infos = self.members.iter().map(|method| method.info());
        quote! {
            ::rustbridge::__private::MethodInfo { name: #name, id: #id, handlers: &[#(#infos),*] }
        }
    }
}

/// Returns checks that the functions of a group have no encoding in common. Only the compiler knows which encodings
/// they have.
pub fn overlaps(group: &Group<'_>) -> TokenStream {
    let mut checks = TokenStream::new();
    for (index, second) in group.members.iter().enumerate() {
        for first in &group.members[..index] {
            let (a, b) = (first.info(), second.info());
            let message = format!(
                "`{}` and `{}` are both the method `{}` and share an encoding: give them different names, \
                 or specify `encodings(..)` for each",
                first.function, second.function, group.name
            );
            checks.extend(quote_spanned! {second.name_span=>
                const _: () = ::core::assert!(#a.mask() & #b.mask() == 0, #message);
            });
        }
    }
    checks
}
