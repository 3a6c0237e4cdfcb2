//! Callbacks: objects of the host behind a trait that the plugin declares.
//!
//! A host's object crosses as a number of this client. The plugin makes an object of its own of it, which the call borrows, and which
//! releases the host's object by a service when the plugin drops it.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::mem;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustbridge_core::{Encoding, Error, Load, Object, ServiceCall, Status};
use rustbridge_wire::{Decode, Encode, Fault, Reader, Writer};

use super::caller::{Caller, Methods};
use super::connection::Connection;
use super::failure::ServiceFailure;
use super::method::Method;
use super::objects::{self, ReceivedObject};
use super::service;

/// The trait of a callback, as the type `dyn Trait`.
pub trait CallbackType: Any + Send + Sync {
    /// The name of the callback in the plugin.
    const NAME: &'static str;
    /// The prepared methods of the client.
    type Methods: Methods;

    /// Returns the implementation that calls an object of the plugin.
    fn of_plugin(caller: Caller<Self::Methods>) -> Arc<Self>;

    /// Returns the methods that create an object and return its number.
    fn methods(methods: &Self::Methods) -> (&Method, &Method);

    /// Returns the client's objects; `None` if the client was created for a loaded plugin, which lacks the services.
    fn objects(methods: &Self::Methods) -> Option<&HostObjects<Self>>;
}

/// An implementation of a callback's trait: the host's, or one in the plugin. A clone refers to the same implementation.
pub struct Callback<T: ?Sized> {
    implementation: Arc<T>,
    /// The object in the plugin, if it came from there.
    object: Option<Arc<Object>>,
}

impl<T: ?Sized> Callback<T> {
    /// Creates one from the host's object.
    pub fn new(implementation: Arc<T>) -> Callback<T> {
        Callback {
            implementation,
            object: None,
        }
    }

    /// Returns the host's object, or `None` if the implementation is in the plugin.
    #[must_use]
    pub fn host(&self) -> Option<&Arc<T>> {
        self.object.is_none().then_some(&self.implementation)
    }
}

impl<T: ?Sized> Clone for Callback<T> {
    fn clone(&self) -> Callback<T> {
        Callback {
            implementation: Arc::clone(&self.implementation),
            object: self.object.clone(),
        }
    }
}

/// Two are equal if they refer to the same object.
impl<T: ?Sized> PartialEq for Callback<T> {
    fn eq(&self, other: &Callback<T>) -> bool {
        match (&self.object, &other.object) {
            (Some(one), Some(other)) => one.number() == other.number(),
            (None, None) => Arc::ptr_eq(&self.implementation, &other.implementation),
            _ => false,
        }
    }
}

impl<T: CallbackType + ?Sized> fmt::Debug for Callback<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.object {
            Some(object) => object.fmt(f),
            None => write!(f, "{} {{ .. }}", T::NAME),
        }
    }
}

impl<T: ?Sized> Deref for Callback<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.implementation
    }
}

/// The objects of the host that a plugin refers to, by their numbers. A clone refers to the same objects.
pub struct HostObjects<T: ?Sized>(Arc<Mutex<Table<T>>>);

struct Table<T: ?Sized> {
    last: u64,
    objects: HashMap<u64, Arc<T>>,
}

impl<T: ?Sized> Clone for HostObjects<T> {
    fn clone(&self) -> HostObjects<T> {
        HostObjects(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Default for HostObjects<T> {
    fn default() -> HostObjects<T> {
        HostObjects(Arc::new(Mutex::new(Table {
            last: 0,
            objects: HashMap::new(),
        })))
    }
}

impl<T: ?Sized> fmt::Debug for HostObjects<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HostObjects").field(&self.len()).finish()
    }
}

impl<T: ?Sized> HostObjects<T> {
    fn table(&self) -> MutexGuard<'_, Table<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many objects the plugin refers to.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table().objects.len()
    }

    /// Returns whether the plugin refers to none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn insert(&self, object: Arc<T>) -> u64 {
        let mut table = self.table();
        table.last += 1;
        let number = table.last;
        table.objects.insert(number, object);
        number
    }

    fn get(&self, number: u64) -> Option<Arc<T>> {
        self.table().objects.get(&number).cloned()
    }

    fn remove(&self, number: u64) {
        let removed = self.table().objects.remove(&number);
        // Not inside the lock, because the destructor is the program's.
        drop(removed);
    }

    fn clear(&self) {
        let removed = mem::take(&mut self.table().objects);
        // As above.
        drop(removed);
    }
}

/// The methods by which the arguments and the result of a function with objects cross. `None`: the service's messages have them.
#[derive(Clone, Copy, Debug)]
pub struct Crossing<'m> {
    /// The method that returns the arguments. Without it, the function has none.
    pub arguments: Option<&'m Method>,
    /// The method that accepts the result.
    pub result: Option<&'m Method>,
}

/// Removes the objects when the plugin drops its service, because it was closed.
struct ClearGuard<T: ?Sized>(HostObjects<T>);

impl<T: ?Sized> Drop for ClearGuard<T> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

impl<T: CallbackType + ?Sized> HostObjects<T> {
    /// Registers a function of the callback. Its request is the number of an object and the parameters.
    pub fn serve<'l, Q, R, E>(
        &self,
        load: Load<'l>,
        name: &'static str,
        function: fn(&T, Q) -> Result<R, E>,
    ) -> Load<'l>
    where
        Q: for<'de> Decode<'de> + 'static,
        R: Encode + 'static,
        E: ServiceFailure + 'static,
    {
        let objects = self.clone();
        service::registered(load, name, move |(number, request): (u64, Q)| {
            let object = objects.get(number).ok_or_else(|| unknown::<T>(number))?;
            function(&object, request).map_err(ServiceFailure::into_error)
        })
    }

    /// Registers a function with objects among its arguments or in its result, which cross by methods of the plugin. Its request is the
    /// number of an object and the number of the call.
    pub fn serve_crossing<'l, A, R, E>(
        &self,
        load: Load<'l>,
        name: &'static str,
        connection: &Connection<T::Methods>,
        crossing: fn(&T::Methods) -> Crossing<'_>,
        function: fn(&T, A) -> Result<R, E>,
    ) -> Load<'l>
    where
        A: for<'de> Decode<'de> + 'static,
        R: Encode + 'static,
        E: ServiceFailure + 'static,
    {
        let (objects, connection) = (self.clone(), connection.clone());
        service::registered_bytes(load, name, move |(number, call): (u64, u64)| {
            let object = objects.get(number).ok_or_else(|| unknown::<T>(number))?;
            let methods = connection.methods().ok_or_else(|| closed::<T>(name))?;
            let caller = Caller::of_methods(methods);
            let Crossing { arguments, result } = crossing(&caller.methods);
            let arguments = match arguments {
                Some(method) => caller.call_with_objects::<_, A, Error>(method, &call)?,
                None => rustbridge_wire::read(&[]).map_err(|_| closed::<T>(name))?,
            };
            let value = function(&object, arguments).map_err(ServiceFailure::into_error)?;
            match result {
                Some(method) => {
                    caller.call_with_objects::<_, (), Error>(method, &(call, value))?;
                    Ok(Vec::new())
                }
                None => service::encoded(name, &value),
            }
        })
    }

    /// Registers the service by which the plugin releases an object. The remaining objects are released when the plugin is closed.
    pub fn serve_release<'l>(&self, load: Load<'l>, name: &'static str) -> Load<'l> {
        let guard = ClearGuard(self.clone());
        let release = move |request: &[u8], _: &ServiceCall<'_>| {
            let number = rustbridge_wire::read(request).map_err(|problem| {
                Error::failure(
                    Status::InvalidArgument,
                    format!("service `{name}`: {problem}"),
                )
            })?;
            // The whole guard, which the service keeps.
            let ClearGuard(objects) = &guard;
            objects.remove(number);
            Ok(Vec::new())
        };
        load.service_short(name, Encoding::Wire, release)
    }
}

#[cold]
fn unknown<T: CallbackType + ?Sized>(number: u64) -> Error {
    let message = format!(
        "callback {}: the host has no object {number}: it was released",
        T::NAME
    );
    Error::failure(Status::NotFound, message).with_type("rustbridge.ObjectReleased")
}

#[cold]
fn closed<T: CallbackType + ?Sized>(name: &str) -> Error {
    let message = format!(
        "callback {}: `{name}` was called after its client was dropped",
        T::NAME
    );
    Error::failure(Status::FailedPrecondition, message).with_type("rustbridge.InstanceClosed")
}

#[cold]
fn not_served<T: CallbackType + ?Sized>() -> Error {
    let message = format!(
        "an object of the host can't be passed as `{}`: this client was created for a plugin that was loaded without it; load the plugin by the client",
        T::NAME
    );
    Error::failure(Status::FailedPrecondition, message).with_type("rustbridge.NoServices")
}

/// Borrows an object for the call whose request is being encoded, and writes its position.
///
/// # Safety
/// The writer has room for four bytes.
pub unsafe fn lend<T: CallbackType + ?Sized>(value: &Callback<T>, writer: &mut Writer) {
    let made;
    let object = match &value.object {
        Some(object) => Some(object),
        None => {
            made = objects::created(|methods| create(&value.implementation, methods));
            made.as_ref()
        }
    };
    // SAFETY: the caller's promise.
    unsafe { objects::lend(object, writer) };
}

fn create<T: CallbackType + ?Sized>(
    implementation: &Arc<T>,
    methods: &T::Methods,
) -> Result<Arc<Object>, Error> {
    let objects = T::objects(methods).ok_or_else(not_served::<T>)?;
    let (create, _) = T::methods(methods);
    let number = objects.insert(Arc::clone(implementation));
    let created = create.untyped.with().call(&number.to_le_bytes());
    let created = created.and_then(|answer| {
        let mut created = answer.objects.into_iter();
        created.next().ok_or_else(|| create.no_object())
    });
    if created.is_err() {
        objects.remove(number);
    }
    created.map(Arc::new)
}

/// Reads a position, and returns the implementation by the object at that position among those that accompany the message.
///
/// # Errors
/// If there is no object at that position, or its number can't be read.
pub fn take<T: CallbackType + ?Sized>(reader: &mut Reader<'_>) -> Result<Callback<T>, Fault> {
    let taken: ReceivedObject<T::Methods> = objects::take(reader)?;
    let (_, number) = T::methods(&taken.methods);
    let answer = number.untyped.with().object(&taken.object).call(&[]);
    let number = answer.and_then(|answer| number.read::<u64>(&answer.reply));
    let number = number.map_err(|error| reader.refuse(error.message().to_owned()))?;
    let known = T::objects(&taken.methods).filter(|_| number != 0);
    if let Some(implementation) = known.and_then(|objects| objects.get(number)) {
        return Ok(Callback::new(implementation));
    }
    let object = Arc::clone(&taken.object);
    Ok(Callback {
        implementation: T::of_plugin(Caller::of_object(taken)),
        object: Some(object),
    })
}
