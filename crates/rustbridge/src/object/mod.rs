//! Objects: values that stay in the plugin and that hosts refer to.
//!
//! The core receives the address of an object's [`Shell`], with one reference count of its `Arc`. So an address is valid
//! until the core drops it, and the core doesn't drop it while a call borrows the object.

mod answer;
mod dropping;
mod receive;
mod scope;
mod serial;

use std::any::TypeId;
use std::fmt;
use std::ops::Deref;
use std::ptr;
use std::sync::Arc;

use crate::methods::MethodInfo;

pub(crate) use self::answer::{has_place, place, put, reading, writing};
pub(crate) use self::dropping::EXTENSION;
pub use self::receive::{Class, OfClass, OfHost, OfObject, OfPlugin};

/// A type with methods from [`#[object]`](macro@crate::object).
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't an object",
    label = "no `#[object]` on an `impl` block of this type",
    note = "write `#[object] impl {Self} {{ .. }}`, also if it has no methods"
)]
pub trait ObjectType: Send + Sync + Sized + 'static {
    /// The type's name in the plugin's description, and the prefix of its methods' names.
    const NAME: &'static str;
    #[doc(hidden)]
    const METHODS: &'static [MethodInfo];
}

/// A value that stays in the plugin and that a host refers to, such as a session, a cursor or a counter.
///
/// A method returns an object alone or anywhere in a message. The payload has the object's position among the
/// response's objects. A host lends the object to later calls: as the receiver of its own methods
/// ([`#[object]`](macro@crate::object)), or to a method with an `Object<T>` in its request.
///
/// A clone refers to the same value. The value is dropped with its last reference. The references of hosts end with the
/// instance at the latest.
///
/// ```
/// use std::sync::atomic::{AtomicI64, Ordering};
/// use rustbridge::prelude::*;
///
/// #[derive(Default)]
/// pub struct Counter(AtomicI64);
///
/// #[object]
/// impl Counter {
///     /// Adds a number, and returns the sum.
///     pub fn add(&self, number: i64) -> i64 {
///         self.0.fetch_add(number, Ordering::Relaxed) + number
///     }
/// }
///
/// #[derive(Default)]
/// pub struct Counters;
///
/// #[plugin(name = "counters", objects(Counter), export = false)]
/// impl Counters {
///     /// A counter of one's own.
///     pub fn open(&self) -> Object<Counter> {
///         Object::new(Counter::default())
///     }
/// }
///
/// // All of it is ordinary values.
/// let counter = Counters.open();
/// assert_eq!((counter.add(2), counter.add(3)), (2, 5));
/// ```
pub struct Object<T> {
    shell: Arc<Shell<T>>,
}

/// The target of an address that the core has.
#[repr(C)]
pub(crate) struct Shell<T> {
    /// The first field, so that it can be read without knowing `T`.
    kind: &'static Kind,
    value: T,
}

/// The properties of a shell whose type isn't known.
pub(crate) struct Kind {
    type_id: fn() -> TypeId,
    name: &'static str,
    /// Releases one reference count of the shell's `Arc`.
    drop: unsafe fn(*const ()),
}

struct KindOf<T>(std::marker::PhantomData<T>);

impl<T: ObjectType> KindOf<T> {
    const KIND: &'static Kind = &Kind {
        type_id: TypeId::of::<T>,
        name: T::NAME,
        drop: drop_one::<T>,
    };
}

/// # Safety
/// The address is that of a `Shell<T>` in an `Arc`, and the caller owns the count that is released.
unsafe fn drop_one<T>(shell: *const ()) {
    // SAFETY: the caller's promise.
    unsafe { Arc::decrement_strong_count(shell.cast::<Shell<T>>()) };
}

impl<T: ObjectType> Object<T> {
    /// Creates an object from a value.
    pub fn new(value: T) -> Object<T> {
        Object {
            shell: Arc::new(Shell {
                kind: KindOf::<T>::KIND,
                value,
            }),
        }
    }
}

impl<T> Object<T> {
    /// Returns whether both refer to the same value.
    #[must_use]
    pub fn same(&self, other: &Object<T>) -> bool {
        Arc::ptr_eq(&self.shell, &other.shell)
    }
}

impl<T> Clone for Object<T> {
    fn clone(&self) -> Object<T> {
        Object {
            shell: Arc::clone(&self.shell),
        }
    }
}

impl<T> Deref for Object<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.shell.value
    }
}

impl<T: ObjectType> From<T> for Object<T> {
    fn from(value: T) -> Object<T> {
        Object::new(value)
    }
}

impl<T: ObjectType + Default> Default for Object<T> {
    fn default() -> Object<T> {
        Object::new(T::default())
    }
}

impl<T: fmt::Debug> fmt::Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Object").field(&self.shell.value).finish()
    }
}

/// An address that owns one reference count, before it's passed to the core or after it comes back.
///
/// Invariant: it's the address of a shell in an `Arc`, and this value owns the count.
pub(crate) struct Address(u64);

impl Address {
    fn of<T>(object: &Object<T>) -> Address {
        Address(Arc::into_raw(Arc::clone(&object.shell)).expose_provenance() as u64)
    }

    /// Takes ownership back from a number that [`into_number`](Address::into_number) returned.
    ///
    /// # Safety
    /// The number is from there, and ownership is taken back only once.
    pub(crate) unsafe fn from_number(number: u64) -> Address {
        Address(number)
    }

    /// Returns the number for the core, which then owns the count.
    pub(crate) fn into_number(self) -> u64 {
        std::mem::ManuallyDrop::new(self).0
    }
}

impl Drop for Address {
    fn drop(&mut self) {
        // SAFETY: the invariant.
        unsafe { (kind_of(self.0).drop)(at(self.0)) };
    }
}

fn at(address: u64) -> *const () {
    ptr::with_exposed_provenance(address as usize)
}

/// # Safety
/// The address is one that this plugin returned, and it isn't dropped yet.
unsafe fn kind_of(address: u64) -> &'static Kind {
    // SAFETY: the caller's promise, and the kind is a shell's first field.
    unsafe { *at(address).cast::<&'static Kind>() }
}

/// Returns the shell at an address, or the name of its actual type.
///
/// # Safety
/// The address is one that this plugin returned, and it isn't dropped during `'a`.
#[inline(always)]
unsafe fn shell<'a, T: ObjectType>(address: u64) -> Result<&'a Shell<T>, &'static str> {
    // SAFETY: the caller's promise.
    let kind = unsafe { kind_of(address) };
    // A type may have several such statics, one in each part that the compiler made of the program.
    if ptr::eq(kind, KindOf::<T>::KIND) || (kind.type_id)() == TypeId::of::<T>() {
        // SAFETY: the caller's promise, and it's of this type.
        Ok(unsafe { &*at(address).cast::<Shell<T>>() })
    } else {
        Err(kind.name)
    }
}

/// Returns another reference to the object at an address, or the name of its actual type.
///
/// # Safety
/// As for [`shell`].
unsafe fn hold<T: ObjectType>(address: u64) -> Result<Object<T>, &'static str> {
    // SAFETY: the caller's promise; the address is of an `Arc`'s value, by the invariant of `Address`.
    unsafe {
        let shell = ptr::from_ref(shell::<T>(address)?);
        let whole = at(address).cast::<Shell<T>>();
        debug_assert!(ptr::eq(shell, whole));
        Arc::increment_strong_count(whole);
        Ok(Object {
            shell: Arc::from_raw(whole),
        })
    }
}
