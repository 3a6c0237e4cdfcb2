//! The implementations of the wire format for a type, from the parts that depend on the type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Generics, parse_quote};

use crate::docs;

/// The parts of the implementations that depend on the type.
pub(super) struct Parts {
    pub(super) ty: TokenStream,
    /// The shape, if the type has a definition of its own.
    pub(super) shape: Option<TokenStream>,
    pub(super) name: String,
    pub(super) least: TokenStream,
    pub(super) exact: TokenStream,
    pub(super) measure: TokenStream,
    pub(super) put: TokenStream,
    pub(super) get: TokenStream,
    pub(super) get_exact: TokenStream,
    /// For a type that is converted to another: the alignment of its lists, which is that of the other type's lists.
    pub(super) aligned: Option<TokenStream>,
    /// Additional parts of a struct that may also be plain old data.
    pub(super) pod: Option<Pod>,
}

/// The functions that copy whole lists of a type, if it's plain old data.
pub(super) struct Pod {
    pub(super) aligned: TokenStream,
    pub(super) put_all: TokenStream,
    pub(super) get_all: TokenStream,
}

impl Parts {
    pub(super) fn implementations(&self, input: &DeriveInput) -> TokenStream {
        let (outgoing, incoming) = (self.outgoing(input), self.incoming(input));
        quote!(#outgoing #incoming)
    }

    /// Returns the description of the type, and how it's written.
    pub(super) fn outgoing(&self, input: &DeriveInput) -> TokenStream {
        let Parts {
            ty,
            shape,
            name,
            least,
            exact,
            measure,
            put,
            aligned,
            pod,
            ..
        } = self;
        let aligned = pod.as_ref().map(|pod| &pod.aligned).or(aligned.as_ref());
        let put_all = pod.as_ref().map(|pod| &pod.put_all);
        let ident = &input.ident;
        let (_, type_generics, _) = input.generics.split_for_impl();
        let typed = bounded(&input.generics, &parse_quote!(__wire::Typed), false);
        let (typed, _, typed_where) = typed.split_for_impl();
        let encode = bounded(&input.generics, &parse_quote!(__wire::Encode), false);
        let (encode, _, encode_where) = encode.split_for_impl();
        let arguments = input.generics.type_params().map(|param| &param.ident);
        let doc = docs::text(&input.attrs);
        let named = shape.as_ref().map(|shape| {
            quote! {
                #[automatically_derived]
                impl #typed __wire::Named for #ident #type_generics #typed_where {
                    const DEFINITION: __wire::Definition = __wire::Definition {
                        name: #name,
                        // Functions and macros may have several of one name in a module.
                        path: ::core::concat!(
                            ::core::module_path!(), "::", ::core::stringify!(#ident),
                            ":", ::core::line!(), ":", ::core::column!()
                        ),
                        arguments: &[#(<#arguments as __wire::Typed>::TYPE),*],
                        doc: #doc, status: "",
                        shape: #shape,
                    };
                }
            }
        });
        quote! {
            #named

            #[automatically_derived]
            impl #typed __wire::Typed for #ident #type_generics #typed_where {
                const TYPE: __wire::Type = #ty;
                const LEAST: usize = #least;
                const EXACT: bool = #exact;
                #aligned
            }

            // SAFETY: each field is measured as it's written.
            #[automatically_derived]
            #[allow(unused_variables, unused_unsafe, reason = "a type may have no fields")]
            unsafe impl #encode __wire::Encode for #ident #type_generics #encode_where {
                #[inline]
                fn measure(&self, measure: &mut __wire::Measure) {
                    if <Self as __wire::Typed>::EXACT {
                        measure.add(<Self as __wire::Typed>::LEAST);
                        return;
                    }
                    #measure
                }

                #[inline]
                unsafe fn put(&self, writer: &mut __wire::Writer) {
                    // SAFETY: the caller's promise.
                    unsafe { #put }
                }

                #put_all
            }
        }
    }

    /// Returns how the type is read.
    fn incoming(&self, input: &DeriveInput) -> TokenStream {
        let (get, get_exact) = (&self.get, &self.get_exact);
        let get_all = self.pod.as_ref().map(|pod| &pod.get_all);
        let ident = &input.ident;
        let (_, type_generics, _) = input.generics.split_for_impl();
        let decode = bounded(&input.generics, &parse_quote!(__wire::Decode<'de>), true);
        let (decode, _, decode_where) = decode.split_for_impl();
        quote! {
            // SAFETY: it's exact if its fields are, and takes what they take.
            #[automatically_derived]
            #[allow(unused_variables, unused_unsafe, reason = "a type may have no fields")]
            unsafe impl #decode __wire::Decode<'de> for #ident #type_generics #decode_where {
                #[inline]
                fn get(
                    reader: &mut __wire::Reader<'de>,
                ) -> ::core::result::Result<Self, __wire::Fault> {
                    if <Self as __wire::Typed>::EXACT {
                        reader.need(<Self as __wire::Typed>::LEAST)?;
                        // SAFETY: they are there.
                        return unsafe { <Self as __wire::Decode<'de>>::get_exact(reader) };
                    }
                    #get
                }

                #[inline]
                unsafe fn get_exact(
                    reader: &mut __wire::Reader<'de>,
                ) -> ::core::result::Result<Self, __wire::Fault> {
                    #get_exact
                }

                #get_all
            }
        }
    }
}
/// Returns the generics of an implementation: each type parameter is bounded, and `'de` outlives the type's lifetimes.
fn bounded(generics: &Generics, bound: &syn::Path, reads: bool) -> Generics {
    let mut generics = generics.clone();
    let types: Vec<_> = generics
        .type_params()
        .map(|param| param.ident.clone())
        .collect();
    let lifetimes: Vec<_> = generics
        .lifetimes()
        .map(|param| param.lifetime.clone())
        .collect();
    let clause = generics.make_where_clause();
    for ident in types {
        clause.predicates.push(parse_quote!(#ident: #bound));
    }
    if reads {
        for lifetime in lifetimes {
            clause.predicates.push(parse_quote!('de: #lifetime));
        }
        generics.params.insert(0, parse_quote!('de));
    }
    generics
}
