//! Functions of a callback with objects among their arguments or in their result, which cross by methods of the plugin.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Result;

use super::function::Function;
use crate::plugin::arguments::{self, called};

/// A function by which the arguments or the result of a call with objects cross.
pub struct Crossing {
    pub head: TokenStream,
    pub body: TokenStream,
    /// The name for hosts, without that of the trait.
    pub name: String,
    pub doc: String,
    pub takes_objects: bool,
    pub returns_objects: bool,
}

impl Function<'_> {
    /// Whether its arguments, and a result with objects, cross by methods: the request has the number of the call in their place.
    pub fn has_objects(&self) -> bool {
        self.takes_objects || self.returns_objects
    }

    /// The type of the service's response.
    pub(super) fn answer(&self) -> TokenStream {
        let ok = self.ok;
        match self.returns_objects {
            true => quote!(()),
            false => quote!(#ok),
        }
    }

    /// The name of the record of the arguments. By their names, other versions may have other parameters.
    fn arguments_name(&self) -> Ident {
        format_ident!("__{}Arguments", arguments::pascal(&self.name))
    }

    /// Returns the definition of that record, if the arguments cross.
    pub(super) fn arguments_record(&self) -> Result<Option<TokenStream>> {
        if !self.has_objects() || self.parameters.is_empty() {
            return Ok(None);
        }
        let record = self.arguments_name();
        let name = format!("{}Arguments", arguments::pascal(&self.name));
        let doc = format!("The arguments of `{}`.", self.name);
        let fields = self.parameters.iter().map(|(name, ty)| quote!(#name: #ty));
        let named_fields = self.parameters.iter().map(|(name, ty)| {
            let called = called(name);
            quote!(#[serde(rename = #called)] #name: #ty)
        });
        let named = quote! {
            #[serde(rename = #name)]
            #[doc = #doc]
            struct #record { #(#named_fields),* }
        };
        let wire = crate::wire::expand_outgoing(&syn::parse2(named)?)?;
        Ok(Some(quote! {
            #[doc = #doc]
            struct #record { #(#fields),* }

            const _: () = {
                use ::rustbridge::__private::wire as __wire;
                #wire
            };
        }))
    }

    /// Returns the functions of the instance's host by which the arguments and the result cross, with their names for hosts.
    pub fn crossings(&self) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        if !self.has_objects() {
            return crossings;
        }
        let (own, called) = (&self.item.sig.ident, self.called());
        if !self.parameters.is_empty() {
            let (name, record) = (format_ident!("__{own}_arguments"), self.arguments_name());
            let head = quote!(fn #name(&self, call: u64) -> ::rustbridge::Result<#record>);
            crossings.push(Crossing {
                head,
                body: quote!(::rustbridge::__private::parked_arguments(self, call)),
                name: format!("{called}:arguments"),
                doc: format!("The arguments of a call of the service `{}`.", self.name),
                takes_objects: false,
                returns_objects: self.takes_objects,
            });
        }
        if self.returns_objects {
            let (name, ok) = (format_ident!("__{own}_return"), self.ok);
            let head = quote!(fn #name(&self, call: u64, result: #ok) -> ::rustbridge::Result<()>);
            crossings.push(Crossing {
                head,
                body: quote!(::rustbridge::__private::park_result(self, call, result)),
                name: format!("{called}:return"),
                doc: format!(
                    "Accepts the result of a call of the service `{}`.",
                    self.name
                ),
                takes_objects: true,
                returns_objects: false,
            });
        }
        crossings
    }

    /// Returns what comes before a call with objects, and what comes after it.
    pub(super) fn parking(&self) -> (TokenStream, TokenStream) {
        if !self.has_objects() {
            return (TokenStream::new(), TokenStream::new());
        }
        let (record, names) = (self.arguments_name(), self.parameters.iter());
        let names = names.map(|(name, _)| name);
        let values = match self.parameters.len() {
            0 => quote!(()),
            _ => quote!(#record { #(#names),* }),
        };
        let result = match self.returns_objects {
            true => quote!(.and_then(|()| parked.result())),
            false => TokenStream::new(),
        };
        (quote!(let parked = services.park(#values);), result)
    }
}
