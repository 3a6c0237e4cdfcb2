//! Plain structs and their memory layout.

use rustbridge_description as description;

/// Plain old data: a `repr(C)` struct of fixed size that crosses the boundary unchanged.
///
/// Derive it with [`#[derive(Pod)]`](macro@crate::Pod). It checks at compile time that the struct is `repr(C)`, has no
/// padding and consists of plain old data. Numbers, arrays of plain old data, and `()` (no bytes) implement it.
///
/// ```
/// use rustbridge::Pod;
///
/// #[derive(Pod)]
/// #[repr(C)]
/// struct Point {
///     x: f64,
///     y: f64,
/// }
/// assert_eq!(Point::LAYOUT.size(), 16);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't plain old data",
    label = "can't be shared with a host in memory",
    note = "derive it: `#[derive(rustbridge::Pod)] #[repr(C)]` on a struct of numbers and arrays of them",
    note = "`bool`, `char`, `usize`, references and owned types have no fixed layout or allow only some bit patterns"
)]
pub trait Pod: bytemuck::Pod {
    /// The type's memory layout.
    const LAYOUT: Layout;
}

/// The memory layout of a [`Pod`] type. `describe` returns it to hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    name: &'static str,
    size: usize,
    align: usize,
    count: Option<usize>,
    fields: &'static [Field],
}

/// One field of a [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    name: &'static str,
    offset: usize,
    layout: Layout,
}

impl Layout {
    const fn scalar(name: &'static str, size: usize, align: usize) -> Layout {
        Layout {
            name,
            size,
            align,
            count: None,
            fields: &[],
        }
    }

    /// The layout of a struct; for the derive macro.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_struct<T>(name: &'static str, fields: &'static [Field]) -> Layout {
        Layout {
            name,
            size: size_of::<T>(),
            align: align_of::<T>(),
            count: None,
            fields,
        }
    }

    /// Nested arrays are one array to C: their counts multiply.
    const fn array(self, n: usize) -> Layout {
        Layout {
            name: self.name,
            size: self.size * n,
            align: self.align,
            count: Some(match self.count {
                Some(inner) => inner * n,
                None => n,
            }),
            fields: self.fields,
        }
    }

    /// Returns the type's name: a number type such as `i64`, a struct's name, or an array's element type.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the size in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Returns the alignment in bytes. A request at an unaligned address is copied.
    #[must_use]
    pub const fn align(&self) -> usize {
        self.align
    }

    /// Returns the number of elements of an array.
    #[must_use]
    pub const fn count(&self) -> Option<usize> {
        self.count
    }

    /// Returns the fields of a struct, or of an array's elements, with offsets from the struct's beginning.
    #[must_use]
    pub const fn fields(&self) -> &'static [Field] {
        self.fields
    }
}

impl Field {
    /// One field; for the derive macro.
    #[doc(hidden)]
    #[must_use]
    pub const fn new<T: Pod>(name: &'static str, offset: usize) -> Field {
        Field {
            name,
            offset,
            layout: T::LAYOUT,
        }
    }

    /// Returns the field's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the offset in bytes from the struct's beginning.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the field's own memory layout.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }
}

impl Layout {
    /// The layout as `describe` gives it.
    pub(crate) fn described(&self) -> description::Layout<'static> {
        description::Layout {
            type_name: self.name.into(),
            size: self.size as u64,
            align: self.align as u64,
            fields: described(self.fields),
        }
    }
}

fn described(fields: &'static [Field]) -> Vec<description::Field<'static>> {
    fields
        .iter()
        .map(|field| description::Field {
            name: field.name.into(),
            type_name: match field.layout.count {
                Some(count) => format!("[{}; {count}]", field.layout.name).into(),
                None => field.layout.name.into(),
            },
            offset: field.offset as u64,
            size: field.layout.size as u64,
            fields: described(field.layout.fields),
        })
        .collect()
}

macro_rules! scalars {
    ($($scalar:ty),+) => {
        $(impl Pod for $scalar {
            const LAYOUT: Layout =
                Layout::scalar(stringify!($scalar), size_of::<$scalar>(), align_of::<$scalar>());
        })+
    };
}

scalars!(
    (),
    u8,
    u16,
    u32,
    u64,
    u128,
    i8,
    i16,
    i32,
    i64,
    i128,
    f32,
    f64
);

impl<T: Pod, const N: usize> Pod for [T; N] {
    const LAYOUT: Layout = T::LAYOUT.array(N);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_of_arrays_is_described_as_one_array() {
        let layout = <[[u16; 3]; 4]>::LAYOUT;
        assert_eq!(
            (layout.name(), layout.size(), layout.count()),
            ("u16", 24, Some(12))
        );
    }

    #[test]
    fn no_request_is_no_bytes() {
        assert_eq!(<()>::LAYOUT.size(), 0);
    }
}
