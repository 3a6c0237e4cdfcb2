//! Code generation for the bodies of a handler's tasks, and for the starts that create them.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Type};

use super::attribute::ENCODINGS;
use super::method::{Method, Shape, taken};

impl Method {
    /// Returns a call of the author's function.
    pub(super) fn called(&self, this: &Type, request: &TokenStream) -> TokenStream {
        let function = &self.function;
        let request = self.request.as_ref().map(|taken| match &*taken.arguments {
            [] => quote!(#request,),
            several => {
                let passed = several.iter().map(|argument| argument.passed(request));
                quote!(#(#passed,)*)
            }
        });
        let items = self.items.is_some().then_some(quote!(items,));
        let call = self.takes_call.then_some(quote!(call));
        quote_spanned!(function.span()=> <#this>::#function(plugin, #request #items #call))
    }

    /// Returns the implementation of the trait whose function tasks run. Plain handlers have none.
    pub(super) fn start(&self, this: &Type) -> Option<TokenStream> {
        let marker = &self.marker;
        let function = &self.function;
        let by_ref = self.request.as_ref().is_some_and(|request| request.by_ref);
        let passed = if by_ref {
            quote!(&request)
        } else {
            quote!(request)
        };
        let is_sequence = matches!(self.shape, Shape::Iterator | Shape::Stream);
        let made = |result: TokenStream| {
            if self.fallible && is_sequence {
                self.begun(&result, this)
            } else if self.fallible {
                taken(&result, function.span())
            } else {
                quote!(::core::result::Result::Ok(#result))
            }
        };
        let allowed = quote! {
            #[allow(unused_variables, reason = "a handler may leave out any of them")]
        };
        let reply = quote! {
            impl for<'a> ::core::ops::FnOnce(
                ::core::result::Result<Self::Response<'a>, ::rustbridge::Error>,
            ) -> ::rustbridge::__private::StatusCode
        };
        let others = quote! {
            items: ::rustbridge::Items<Self::Item>,
            call: &'r ::rustbridge::Call<'r>,
        };
        match self.shape {
            Shape::Plain => None,
            Shape::Future => {
                let called = self.called(this, &passed);
                let result = made(quote_spanned!(function.span()=> #called.await));
                let spawn = self.spawn;
                let future = quote_spanned! {function.span()=>
                    impl ::core::future::Future<Output = ::rustbridge::__private::StatusCode>
                        + ::core::marker::Send + 'r
                };
                let body = quote! {
                    #allowed
                    impl ::rustbridge::__private::AsyncHandler for #marker {
                        const SPAWN: bool = #spawn;

                        fn run<'r>(
                            plugin: &'r #this,
                            request: Self::Request<'r>,
                            #others
                            reply: #reply + ::core::marker::Send + 'r,
                        ) -> #future {
                            async move { reply(#result) }
                        }
                    }
                };
                // Without the feature the entry tells of it, if there is one.
                Some(if self.items.is_some() {
                    quote!(::rustbridge::__private::with_async! { "an `async fn` method"; #body })
                } else {
                    quote!(::rustbridge::__private::if_async! { #body })
                })
            }
            Shape::Blocking => {
                let result = made(self.called(this, &passed));
                Some(quote! {
                    #allowed
                    impl ::rustbridge::__private::BlockingHandler for #marker {
                        fn block<'r>(
                            plugin: &'r #this,
                            request: Self::Request<'r>,
                            #others
                            reply: #reply,
                        ) -> ::rustbridge::__private::StatusCode {
                            reply(#result)
                        }
                    }
                })
            }
            Shape::Iterator | Shape::Stream => {
                let request = self.request.is_some().then(|| {
                    let lent = if by_ref {
                        quote!(::core::option::Option::as_ref(&*request))
                    } else {
                        quote!(::core::option::Option::take(request))
                    };
                    quote! {
                        let ::core::option::Option::Some(request) = #lent else {
                            return ::core::result::Result::Err(::rustbridge::__private::no_request());
                        };
                    }
                });
                let items = made(self.called(this, &quote!(request)));
                let into = if self.fallible_items {
                    taken(&quote!(item), function.span())
                } else {
                    quote!(::core::result::Result::Ok(item))
                };
                let parameters = quote! {
                    plugin: &'r #this,
                    request: &'r mut ::core::option::Option<Self::Request<'r>>,
                    #others
                };
                let result_item = quote! {
                    ::core::result::Result<Self::Response<'r>, ::rustbridge::Error>
                };
                Some(if self.shape == Shape::Iterator {
                    let iterator = quote_spanned! {function.span()=>
                        impl ::core::iter::Iterator<Item = #result_item> + ::core::marker::Send + 'r
                    };
                    quote! {
                        #allowed
                        impl ::rustbridge::__private::IterHandler for #marker {
                            fn iterate<'r>(
                                #parameters
                            ) -> ::core::result::Result<#iterator, ::rustbridge::Error> {
                                #request
                                let items: ::core::result::Result<_, ::rustbridge::Error> = #items;
                                ::core::result::Result::Ok(
                                    ::core::iter::Iterator::map(items?, move |item| #into),
                                )
                            }
                        }
                    }
                } else {
                    let stream = quote_spanned! {function.span()=>
                        impl ::rustbridge::Stream<Item = #result_item> + ::core::marker::Send + 'r
                    };
                    quote! {
                        ::rustbridge::__private::with_async! {
                            "a method that returns `impl Stream`";
                            #allowed
                            impl ::rustbridge::__private::StreamHandler for #marker {
                                fn stream<'r>(
                                    #parameters
                                ) -> ::core::result::Result<#stream, ::rustbridge::Error> {
                                    #request
                                    let items: ::core::result::Result<_, ::rustbridge::Error> = #items;
                                    ::core::result::Result::Ok(
                                        ::rustbridge::__private::Results::new(items?, move |item| #into),
                                    )
                                }
                            }
                        }
                    }
                })
            }
        }
    }

    /// Returns code that converts the error of a stream that doesn't start. A stream's errors have one type: that of its items' errors, if
    /// they have one. A start's error of another type isn't sent as a value.
    fn begun(&self, result: &TokenStream, this: &Type) -> TokenStream {
        let span = self.function.span();
        if !self.fallible_items {
            return taken(result, span);
        }
        let (of_items, of_start) = (self.error_of_items(this), self.error_of_start(this));
        let typed = taken(&quote!(begun), span);
        // The types are compared only if there's an error.
        quote! {
            {
                let begun = #result;
                if begun.is_ok() || ::rustbridge::__private::fail_alike(#of_items, #of_start) {
                    #typed
                } else {
                    ::rustbridge::__private::Fallible::into_result(begun)
                }
            }
        }
    }

    /// Returns the starts in the order of the encodings.
    pub(super) fn starts(&self) -> TokenStream {
        let marker = &self.marker;
        let none = quote! {
            [::core::option::Option::None; ::rustbridge::__private::ENCODINGS]
        };
        let (probe, needs_async) = match self.shape {
            Shape::Plain => return none,
            Shape::Future => (quote!(FutureStarts), true),
            Shape::Stream => (quote!(StreamStarts), true),
            Shape::Iterator => (quote!(IteratorStarts), false),
            Shape::Blocking => (quote!(BlockingStarts), false),
        };
        let places = ENCODINGS.iter().enumerate().map(|(number, encoding)| {
            if self.mask & 1 << number == 0 {
                return quote!(::core::option::Option::None);
            }
            let place = Ident::new(&encoding.to_uppercase(), Span::call_site());
            quote!(::rustbridge::__private::#probe::<#marker>::#place)
        });
        let starts = quote!([#(#places),*]);
        if needs_async {
            quote!(::rustbridge::__private::async_or! { (#starts) (#none) })
        } else {
            starts
        }
    }
}
