//! Tuples: their values one after the other.

use crate::read::{Decode, Fault, Reader};
use crate::runs::{exact, runs};
use crate::types::{Type, Typed};
use crate::write::{Encode, Measure, Writer};

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))+) => {$(
        impl<$($name: Typed),+> Typed for ($($name,)+) {
            const TYPE: Type = Type::Tuple(&[$($name::TYPE),+]);
            const LEAST: usize = 0 $(+ $name::LEAST)+;
            const EXACT: bool = true $(&& $name::EXACT)+;
        }

        // SAFETY: as the values promise.
        unsafe impl<$($name: Encode),+> Encode for ($($name,)+) {
            #[inline(always)]
            fn measure(&self, measure: &mut Measure) {
                $(self.$at.measure(measure);)+
            }

            #[inline(always)]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe { $(self.$at.put(writer);)+ }
            }
        }

        // SAFETY: as the values promise.
        unsafe impl<'de, $($name: Decode<'de>),+> Decode<'de> for ($($name,)+) {
            #[inline(always)]
            fn get(reader: &mut Reader<'de>) -> Result<Self, Fault> {
                let runs = const { runs([$(exact::<$name>()),+]) };
                Ok(($({
                    reader.need(runs[$at])?;
                    if $name::EXACT {
                        // SAFETY: the run of exact values that it's in was looked at.
                        unsafe { $name::get_exact(reader) }?
                    } else {
                        $name::get(reader)?
                    }
                },)+))
            }

            #[inline(always)]
            unsafe fn get_exact(reader: &mut Reader<'de>) -> Result<Self, Fault> {
                // SAFETY: the caller's promise.
                Ok(unsafe { ($($name::get_exact(reader)?,)+) })
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}
