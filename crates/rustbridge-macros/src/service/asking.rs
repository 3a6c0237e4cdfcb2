//! The function of a client that calls the host.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse_quote;

use super::function::Function;

impl Function<'_> {
    /// Returns a closure that converts an error of the host to the function's error type.
    fn failed(&self) -> TokenStream {
        let output = self.output;
        quote!(|error| {
            #[allow(unused_imports, reason = "an error type that can be read from the host's error has its own")]
            use ::rustbridge::__private::NotFromHost as _;
            match ::rustbridge::__private::HostErrorProbe::<#output>::read(&error) {
                ::core::option::Option::Some(error) => error,
                ::core::option::Option::None => ::core::convert::From::from(error),
            }
        })
    }

    /// The function that asks.
    pub fn asking(&self, place: usize, erased: &Ident) -> TokenStream {
        let (name, parameters, output) = (&self.item.sig.ident, self.parameters(), self.output);
        let (wire, arguments, behind) = (self.wire(), self.arguments(), self.erased_name());
        let source = match self.receiver.is_some() {
            true => quote!(CallbackSource),
            false => quote!(ServiceSource),
        };
        let host = quote!(::rustbridge::__private::#source::Host(services));
        let local = quote!(::rustbridge::__private::#source::Local(local));
        let request = self.request(&quote!(services.object()));
        let (request_type, answer) = (self.request_type(&parse_quote!('_)), self.answer());
        let failed = self.failed();
        let (park, result) = self.parking();
        if self.is_async {
            quote! {
                fn #name(&self #parameters)
                    -> impl ::core::future::Future<Output = #output> + ::core::marker::Send
                {
                    let of = ::core::clone::Clone::clone(&self.of);
                    async move {
                        match of {
                            #host => {
                                #park
                                let calling =
                                    services.start::<#wire, #request_type, #answer>(#place, #request);
                                calling.await #result.map_err(#failed)
                            }
                            #local => #erased::#behind(&*local #arguments).await,
                        }
                    }
                }
            }
        } else {
            quote! {
                fn #name(&self #parameters) -> #output {
                    match &self.of {
                        #host => {
                            #park
                            services
                                .call::<#wire, _, #answer>(#place, #request)
                                #result
                                .map_err(#failed)
                        }
                        #local => #erased::#behind(&**local #arguments),
                    }
                }
            }
        }
    }
}
