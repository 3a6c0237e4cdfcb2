//! Maps: pairs one after the other.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use crate::read::{Decode, Fault, Reader};
use crate::types::{Number, Type, Typed};
use crate::write::{Encode, Measure, Writer};

/// Which types may be keys.
const fn is_key(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Char | Type::String | Type::Uuid => true,
        Type::Number(number) => !matches!(number, Number::F32 | Number::F64),
        // Those with a name are looked at by who makes a description of them: only then they can be followed.
        Type::Named(_) => true,
        _ => false,
    }
}

macro_rules! maps {
    ($type:ty, ($($own:tt)*), ($($key:tt)*)) => {
        impl<K: Typed, V: Typed $($own)*> Typed for $type {
            const TYPE: Type = {
                assert!(
                    is_key(&K::TYPE),
                    "the keys of a map in the wire format must be strings, integers, `bool`, `char`, UUIDs or enums without data: send a list of pairs, or exclude the wire format by `#[message(json_only)]` above the type or `#[method(encodings(json))]` above the method"
                );
                Type::Map(&K::TYPE, &V::TYPE)
            };
            const LEAST: usize = 4;
            const EXACT: bool = false;
        }

        // SAFETY: as keys and values promise.
        unsafe impl<K: Encode, V: Encode $($own)*> Encode for $type {
            #[inline]
            fn measure(&self, measure: &mut Measure) {
                measure.add(4);
                for (key, value) in self {
                    key.measure(measure);
                    value.measure(measure);
                }
            }

            #[inline]
            unsafe fn put(&self, writer: &mut Writer) {
                // SAFETY: the caller's promise.
                unsafe {
                    writer.put_count(self.len());
                    for (key, value) in self {
                        key.put(writer);
                        value.put(writer);
                    }
                }
            }
        }

        // SAFETY: not exact.
        unsafe impl<'de, K: Decode<'de> $($key)*> Decode<'de> for $type {
            #[inline]
            fn get(reader: &mut Reader<'de>) -> Result<$type, Fault> {
                let count = reader.count_of(K::LEAST + V::LEAST)?;
                let mut map = <$type>::default();
                for _ in 0..count {
                    let key = K::get(reader)?;
                    if map.insert(key, V::get(reader)?).is_some() {
                        return Err(Fault);
                    }
                }
                Ok(map)
            }
        }
    };
}

maps!(BTreeMap<K, V>, (), (+ Ord, V: Decode<'de>));
maps!(HashMap<K, V, S>, (, S: BuildHasher), (+ Eq + Hash, V: Decode<'de>, S: BuildHasher + Default));
