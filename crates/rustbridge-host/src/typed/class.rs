//! The structs of a client that objects are: a macro, so that no unsafe code stands in generated sources.

/// The wire form of an object's class: a struct of one [`Caller`].
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_object {
    ($class:ident, $name:literal) => {
        const _: () = {
            use $crate::typed::wire;

            impl wire::Typed for $class {
                const TYPE: wire::Type = wire::Type::Object($name);
                const LEAST: usize = 4;
                const EXACT: bool = true;
            }

            // SAFETY: four bytes.
            unsafe impl wire::Encode for $class {
                fn measure(&self, measure: &mut wire::Measure) {
                    measure.add(4);
                }

                unsafe fn put(&self, writer: &mut wire::Writer) {
                    // SAFETY: the caller's promise.
                    unsafe { $crate::typed::object::lend(self.0.object(), writer) };
                }
            }

            // SAFETY: it takes four bytes.
            unsafe impl<'de> wire::Decode<'de> for $class {
                fn get(
                    reader: &mut wire::Reader<'de>,
                ) -> ::core::result::Result<Self, wire::Fault> {
                    let taken = $crate::typed::object::take(reader)?;
                    Ok(Self($crate::typed::Caller::of_object(taken)))
                }
            }
        };
    };
}
pub use __typed_object as object_wire;

/// The structs of a callback: `$class`, a value in messages, and `$proxy`, which calls an object of the plugin.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_callback {
    ($class:ident, $proxy:ident, $callback:ident, $methods:ident, $name:literal, $create:ident, $number:ident, $objects:ident) => {
        #[derive(Clone, Debug, PartialEq)]
        #[doc = ::core::concat!("A [`", ::core::stringify!($callback), "`] in a message: the host's, or one in the plugin. Derefs to the trait.")]
        pub struct $class($crate::typed::Callback<dyn $callback>);

        impl $class {
            /// Creates one from the host's object. The plugin releases it when it no longer refers to it.
            pub fn new(implementation: impl $callback) -> Self {
                Self::from(::std::sync::Arc::new(implementation) as ::std::sync::Arc<dyn $callback>)
            }

            /// Returns the host's object, or `None` if the implementation is in the plugin.
            #[must_use]
            pub fn host(&self) -> ::core::option::Option<&::std::sync::Arc<dyn $callback>> {
                self.0.host()
            }
        }

        impl ::core::convert::From<::std::sync::Arc<dyn $callback>> for $class {
            fn from(implementation: ::std::sync::Arc<dyn $callback>) -> Self {
                Self($crate::typed::Callback::new(implementation))
            }
        }

        impl ::core::ops::Deref for $class {
            type Target = dyn $callback;

            fn deref(&self) -> &(dyn $callback + 'static) {
                &*self.0
            }
        }

        struct $proxy($crate::typed::Caller<$methods>);

        impl $crate::typed::CallbackType for dyn $callback {
            const NAME: &'static str = $name;
            type Methods = $methods;

            fn of_plugin(caller: $crate::typed::Caller<$methods>) -> ::std::sync::Arc<Self> {
                ::std::sync::Arc::new($proxy(caller))
            }

            fn methods(methods: &$methods) -> (&$crate::typed::Method, &$crate::typed::Method) {
                (&methods.$create, &methods.$number)
            }

            fn objects(
                methods: &$methods,
            ) -> ::core::option::Option<&$crate::typed::HostObjects<Self>> {
                ::core::option::Option::map(methods.callbacks.as_ref(), |it| &it.$objects)
            }
        }

        const _: () = {
            use $crate::typed::wire;

            impl wire::Typed for $class {
                const TYPE: wire::Type = wire::Type::Object($name);
                const LEAST: usize = 4;
                const EXACT: bool = true;
            }

            // SAFETY: four bytes.
            unsafe impl wire::Encode for $class {
                fn measure(&self, measure: &mut wire::Measure) {
                    measure.add(4);
                }

                unsafe fn put(&self, writer: &mut wire::Writer) {
                    // SAFETY: the caller's promise.
                    unsafe { $crate::typed::object::lend_callback(&self.0, writer) };
                }
            }

            // SAFETY: it takes four bytes.
            unsafe impl<'de> wire::Decode<'de> for $class {
                fn get(
                    reader: &mut wire::Reader<'de>,
                ) -> ::core::result::Result<Self, wire::Fault> {
                    $crate::typed::object::take_callback(reader).map(Self)
                }
            }
        };
    };
}
pub use __typed_callback as callback_class;

/// The objects of the host that a client's plugin refers to, and the services by which it calls them.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_callbacks {
    (
        $name:ident, $schema:ident, $methods:ident
        $(
            $field:ident: $callback:ident, $release:literal {
                $($service:literal => $function:ident($($parameter:ident),*) $(by $crossing:tt)?,)*
            }
        )*
    ) => {
        /// The host's objects that the plugin refers to.
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            $(
                #[doc = ::core::concat!("Each [`", ::core::stringify!($callback), "`].")]
                pub $field: $crate::typed::HostObjects<dyn $callback>,
            )*
            connection: $crate::typed::Connection<$methods>,
        }

        impl $name {
            fn register<'l>(&self, load: $crate::Load<'l>) -> $crate::Load<'l> {
                let mut load = load.client_schema($schema);
                $(
                    $(
                        load = $crate::__typed_function!(
                            self.$field, load, self.connection, $service, $function($($parameter),*) $(by $crossing)?
                        );
                    )*
                    load = self.$field.serve_release(load, $release);
                )*
                load
            }
        }
    };
}
pub use __typed_callbacks as callbacks;

/// Registers a function of a callback, whose arguments or result may cross by methods.
#[doc(hidden)]
#[macro_export]
macro_rules! __typed_function {
    ($objects:expr, $load:ident, $connection:expr, $service:literal, $function:ident($($parameter:ident),*)) => {
        $objects.serve($load, $service, |it, ($($parameter),*)| it.$function($($parameter),*))
    };
    (
        $objects:expr, $load:ident, $connection:expr, $service:literal, $function:ident($($parameter:ident),*)
        by ($($way:ident: $method:ident),*)
    ) => {
        $objects.serve_crossing(
            $load,
            $service,
            &$connection,
            |methods| {
                let mut crossing = $crate::typed::Crossing { arguments: None, result: None };
                $(crossing.$way = Some(&methods.$method);)*
                crossing
            },
            |it, ($($parameter),*)| it.$function($($parameter),*),
        )
    };
}
