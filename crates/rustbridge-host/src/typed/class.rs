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
