//! The conversion of an error that the host has thrown to the author's error type.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::arm::{Arm, Detail};

/// Returns the conversion of an error of the host. A variant that isn't made of its details alone can't come from a host.
pub(super) fn implementation(name: &Ident, arms: &[Arm], is_enum: bool) -> TokenStream {
    let from_json = arms.iter().filter(|arm| arm.is_whole).map(|arm| {
        let (type_name, value) = (&arm.type_name, &arm.pattern);
        let reads = arm.fields.iter().map(|Detail { name, binding, ty, .. }| {
            quote!(let #binding = ::rustbridge::__private::DetailProbe::<#ty>::read(details, #name)?;)
        });
        quote!(#type_name => { #(#reads)* ::core::option::Option::Some(#value) })
    });
    // In the order in which the type has them.
    let variants = arms.iter().filter(|arm| !arm.is_transparent);
    let values = variants.map(|arm| {
        if !arm.is_whole {
            return quote!(return ::core::result::Result::Err(__wire::Fault));
        }
        let value = &arm.pattern;
        let reads = arm.fields.iter().map(|Detail { binding, ty, .. }| {
            quote!(let #binding = ::rustbridge::__private::ValueProbe::<#ty>::read(reader)?;)
        });
        quote!({ #(#reads)* #value })
    });
    let value = match is_enum {
        true => {
            let places = 0_u16..;
            let arms = places
                .zip(values)
                .map(|(place, value)| quote!(#place => #value,));
            quote!(match <u16 as __wire::Decode>::get(reader)? {
                #(#arms)*
                _ => return ::core::result::Result::Err(__wire::Fault),
            })
        }
        false => quote!(#(#values)*),
    };
    quote! {
        #[automatically_derived]
        #[allow(
            unused_variables, unused_imports, unreachable_code,
            reason = "an error may have no fields, or none that a host knows"
        )]
        impl ::rustbridge::__private::FromHost for #name {
            fn from_host(error: &::rustbridge::Error) -> ::core::option::Option<Self> {
                use ::rustbridge::__private::{NoDetail as _, NoWireValue as _, wire as __wire};
                let value = ::rustbridge::__private::read_host_value(error, |reader| {
                    ::core::result::Result::Ok(#value)
                });
                if let ::core::option::Option::Some(value) = value {
                    return value;
                }
                let details = error.details();
                match error.type_name() {
                    #(#from_json)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}
