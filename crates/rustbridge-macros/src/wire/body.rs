//! Fields, of a struct or of a variant: how they are measured, written, read and described.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Fields, Ident, Result, Type, parse_quote};

use super::attributes::{self, Default};
use super::case::Case;
use crate::docs;
use crate::via::Via;

/// A field on the wire.
pub(super) struct Field {
    /// How it's bound in a pattern.
    pub(super) binding: Ident,
    /// How it's named in Rust: by name or by place.
    pub(super) member: syn::Member,
    /// What is read, and what it looks like on the wire.
    pub(super) ty: Type,
    /// Where it goes as another type: how it's lent to who writes, and made from what is read.
    pub(super) route: Option<TokenStream>,
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) default: Option<TokenStream>,
    /// The default value as descriptions have it, if clients know it.
    pub(super) default_value: Option<TokenStream>,
    /// Whether the default is that of the type. An option's is to be absent, which it has a byte for itself.
    pub(super) is_plain: bool,
    pub(super) flatten: bool,
    pub(super) skip: bool,
    /// Whether it's a client's option, which is there if the field is.
    pub(super) given: bool,
}

/// A list of fields, of a struct or of a variant.
pub(super) struct Body {
    pub(super) fields: Vec<Field>,
    pub(super) is_named: bool,
}

impl Body {
    pub(super) fn parse(
        fields: &Fields,
        case: Option<Case>,
        default: Option<&Default>,
        this: Option<&Ident>,
    ) -> Result<Body> {
        let mut parsed = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let attributes = attributes::Field::parse(&field.attrs)?;
            let member = match &field.ident {
                Some(ident) => syn::Member::Named(ident.clone()),
                None => syn::Member::Unnamed(index.into()),
            };
            let written = field
                .ident
                .as_ref()
                .map_or_else(|| index.to_string(), |ident| ident.unraw().to_string());
            let name = attributes.name.unwrap_or_else(|| {
                case.map_or_else(|| written.clone(), |case| case.of_field(&written))
            });
            let ty = field.ty.clone();
            let own = attributes.default.as_ref().map(|default| match default {
                Default::Trait => quote!(<#ty as ::core::default::Default>::default()),
                Default::Path(path) => quote!(#path()),
                Default::Value(value) => quote!(#value),
            });
            let of_whole = default.map(|default| match (default, this) {
                (Default::Path(path), _) => quote!(#path().#member),
                (Default::Trait | Default::Value(_), _) => {
                    quote!(<Self as ::core::default::Default>::default().#member)
                }
            });
            let function = match &attributes.default {
                Some(Default::Path(path)) => Some(path),
                _ => None,
            };
            let default_value = attributes
                .default_value
                .map(|value| value.described(&ty, function));
            let is_plain = matches!(attributes.default, Some(Default::Trait));
            let mut default = own.or(of_whole);
            if attributes.skip && default.is_none() {
                default = Some(quote!(<#ty as ::core::default::Default>::default()));
            }
            let via = attributes.via.map(|goes_as| Via::new(&ty, &goes_as));
            let route = via.map(|Via { route, span, .. }| {
                quote_spanned!(span=> <#route as ::rustbridge::__private::via::Route<#ty>>)
            });
            parsed.push(Field {
                binding: format_ident!("field_{}", written),
                member,
                ty: route
                    .as_ref()
                    .map_or_else(|| ty.clone(), |route| parse_quote!(#route::Value)),
                route,
                name,
                doc: docs::text(&field.attrs),
                default,
                default_value,
                is_plain,
                flatten: attributes.flatten,
                skip: attributes.skip,
                given: attributes.given,
            });
        }
        Ok(Body {
            fields: parsed,
            is_named: matches!(fields, Fields::Named(_)),
        })
    }

    /// Those that are on the wire.
    pub(super) fn present(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.skip)
    }

    /// What takes a value apart, behind its name.
    pub(super) fn pattern(&self) -> TokenStream {
        let fields = self.present().map(
            |Field {
                 member, binding, ..
             }| quote!(#member: #binding),
        );
        quote!({ #(#fields,)* .. })
    }

    pub(super) fn described(&self) -> TokenStream {
        let fields = self.present().map(|field| {
            let Field { name, doc, ty, flatten, .. } = field;
            let default = field.presence();
            let default_value = field
                .default_value
                .clone()
                .unwrap_or_else(|| quote!(::core::option::Option::None));
            let ty = if field.given {
                quote!(<<#ty as __wire::derive::OptionalValue>::Value as __wire::Typed>::TYPE)
            } else if *flatten {
                quote!(__wire::derive::flattened::<#ty>())
            } else {
                quote!(<#ty as __wire::Typed>::TYPE)
            };
            quote! {
                __wire::Field { name: #name, doc: #doc, ty: #ty, default: #default, default_value: #default_value, flatten: #flatten }
            }
        });
        quote!(&[#(#fields),*])
    }

    /// The fewest bytes.
    pub(super) fn least(&self) -> TokenStream {
        let fields = self.present().map(|field| {
            let (ty, presence) = (&field.ty, field.presence());
            quote!(if #presence { 1 } else { <#ty as __wire::Typed>::LEAST })
        });
        quote!(0 #(+ #fields)*)
    }

    pub(super) fn exact(&self) -> TokenStream {
        let fields = self.present().map(|field| {
            let (ty, presence) = (&field.ty, field.presence());
            quote!((!#presence && <#ty as __wire::Typed>::EXACT))
        });
        quote!(true #(&& #fields)*)
    }

    pub(super) fn measure(&self) -> TokenStream {
        let fields = self.present().map(|field| {
            let (value, presence) = (field.lent(), field.presence());
            if field.given {
                return quote!(__wire::derive::measure_given(#value, measure););
            }
            quote! {
                if #presence {
                    __wire::derive::measure_default(#value, measure);
                } else {
                    __wire::Encode::measure(#value, measure);
                }
            }
        });
        quote!(#(#fields)*)
    }

    pub(super) fn put(&self) -> TokenStream {
        let fields = self.present().map(|field| {
            let (value, presence) = (field.lent(), field.presence());
            if field.given {
                return quote!(__wire::derive::put_given(#value, writer););
            }
            quote! {
                if #presence {
                    __wire::derive::put_default(#value, writer);
                } else {
                    __wire::Encode::put(#value, writer);
                }
            }
        });
        quote!(#(#fields)*)
    }

    /// Reads them and makes `what` of them: a result.
    pub(super) fn get(&self, what: &TokenStream, exactly: bool) -> TokenStream {
        let sizes = self.present().map(|field| {
            let (ty, presence) = (&field.ty, field.presence());
            quote!(if #presence { ::core::option::Option::None } else { __wire::derive::exact::<#ty>() })
        });
        let runs = quote!([#(#sizes),*]);
        let mut position = 0_usize;
        let fields = self.fields.iter().map(|field| {
            let Field {
                member,
                ty,
                default,
                ..
            } = field;
            if field.skip {
                return quote!(#member: #default);
            }
            let at = position;
            position += 1;
            // SAFETY: in what this expands to, they were looked at: in the beginning of their run, or by the caller.
            let exact = match field.given {
                true => quote!(__wire::derive::get_given(reader)?),
                false => quote!(unsafe { <#ty as __wire::Decode<'de>>::get_exact(reader) }?),
            };
            if exactly {
                let exact = field.taken(&exact);
                return quote!(#member: #exact);
            }
            if field.given {
                return quote!(#member: { reader.need(runs[#at])?; #exact });
            }
            let get = quote! {
                if <#ty as __wire::Typed>::EXACT {
                    // SAFETY: its run was looked at.
                    #exact
                } else {
                    <#ty as __wire::Decode<'de>>::get(reader)?
                }
            };
            let get = match default {
                None => field.taken(&get),
                Some(default) if field.route.is_some() => {
                    let (presence, get) = (field.presence(), field.taken(&get));
                    quote! {
                        if #presence && !reader.flag()? {
                            #default
                        } else {
                            #get
                        }
                    }
                }
                Some(default) => {
                    let presence = field.presence();
                    quote! {
                        if #presence {
                            __wire::derive::get_default(reader, || #default)?
                        } else {
                            #get
                        }
                    }
                }
            };
            quote! {
                #member: {
                    reader.need(runs[#at])?;
                    #get
                }
            }
        });
        let fields: Vec<_> = fields.collect();
        let made = quote!(::core::result::Result::Ok(#what { #(#fields),* }));
        if exactly || position == 0 {
            made
        } else {
            quote!(let runs = const { __wire::derive::runs(#runs) }; #made)
        }
    }
}

impl Field {
    /// What is measured and written, where it's bound.
    fn lent(&self) -> TokenStream {
        let binding = &self.binding;
        match &self.route {
            None => quote!(#binding),
            Some(route) => quote!(&#route::lend(#binding)),
        }
    }

    /// The field, of what was read.
    fn taken(&self, read: &TokenStream) -> TokenStream {
        match &self.route {
            None => quote!(#read),
            Some(route) => quote!(#route::take(#read)),
        }
    }

    /// Whether it has a byte that says if it's there, as the compiler sees it.
    pub(super) fn presence(&self) -> TokenStream {
        let ty = &self.ty;
        match (&self.default, self.is_plain) {
            _ if self.given => quote!(true),
            (None, _) => quote!(false),
            (Some(_), false) => quote!(true),
            (Some(_), true) => quote!((!<#ty as __wire::Typed>::TYPE.is_option())),
        }
    }
}
