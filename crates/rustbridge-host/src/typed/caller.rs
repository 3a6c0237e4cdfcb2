//! Calls the methods of a plugin, or of one of its objects, for a generated client.

use std::any::Any;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_core::Stream;
use rustbridge_core::{Answer, CallOptions, Error, Load, Object, Pending, Plugin, Sender, With};
use rustbridge_wire::{Decode, Encode, to_vec};

use super::connection::Connection;
use super::exchange::{self, Source};
use super::items::Items;
use super::method::Method;
use super::objects::{ReceivedObject, ReceivedObjects, lending, with_come};

/// The prepared methods of a plugin: a struct with a [`Method`] for each.
pub trait Methods: Any + Send + Sync + Sized {
    /// Prepares all methods.
    ///
    /// # Errors
    /// If the types of a method differ from the types for which the client was generated. The error lists the
    /// differences.
    fn prepare(plugin: &Plugin) -> Result<Self, Error>;
}

/// A plugin or one of its objects, with the options for its calls. A clone refers to the same plugin or object.
pub struct Caller<M> {
    /// The plugin's methods.
    pub methods: Arc<M>,
    /// The plugin, if this caller loaded it. It's closed when the last clone is dropped.
    plugin: Option<Arc<Plugin>>,
    /// The object on which the methods are called.
    receiver: Option<Arc<Object>>,
    options: Option<Arc<CallOptions>>,
}

/// An asynchronous call before its submission.
struct PreparedCall {
    with: With,
    request: Vec<u8>,
    /// The borrowed objects. They're kept until the call has been submitted; from then on the core keeps them.
    lent: Vec<Arc<Object>>,
}

impl<M> Clone for Caller<M> {
    fn clone(&self) -> Caller<M> {
        Caller {
            methods: Arc::clone(&self.methods),
            plugin: self.plugin.clone(),
            receiver: self.receiver.clone(),
            options: self.options.clone(),
        }
    }
}

/// Two callers of objects are equal if they refer to the same object. Other callers are equal if they share their
/// methods.
impl<M> PartialEq for Caller<M> {
    fn eq(&self, other: &Caller<M>) -> bool {
        let number = |caller: &Caller<M>| caller.receiver.as_ref().map(|object| object.number());
        number(self) == number(other)
            && (self.receiver.is_some() || Arc::ptr_eq(&self.methods, &other.methods))
    }
}

impl<M> fmt::Debug for Caller<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.receiver, &self.plugin) {
            (Some(object), _) => object.fmt(f),
            (None, Some(plugin)) => plugin.fmt(f),
            (None, None) => f.write_str("Plugin { .. }"),
        }
    }
}

impl<M> Caller<M> {
    /// Creates the caller of an object that a response returned.
    #[doc(hidden)]
    pub fn of_object(taken: ReceivedObject<M>) -> Caller<M> {
        Caller {
            methods: taken.methods,
            plugin: None,
            receiver: Some(taken.object),
            options: taken.options,
        }
    }

    /// Creates a caller of a plugin's methods, which doesn't keep the plugin.
    pub(super) fn of_methods(methods: Arc<M>) -> Caller<M> {
        Caller {
            methods,
            plugin: None,
            receiver: None,
            options: None,
        }
    }

    /// Returns the object on which the methods are called.
    #[doc(hidden)]
    #[must_use]
    pub fn object(&self) -> Option<&Arc<Object>> {
        self.receiver.as_ref()
    }
}

impl<M: Methods> Caller<M> {
    /// Loads a plugin from a file.
    ///
    /// # Errors
    /// As for [`Load::open`], and if it isn't the plugin for which the client was generated.
    pub fn load(path: impl Into<PathBuf>) -> Result<Caller<M>, Error> {
        Caller::open(Load::path(path))
    }

    /// Loads a plugin.
    ///
    /// # Errors
    /// As for [`load`](Caller::load).
    pub fn open(load: Load<'_>) -> Result<Caller<M>, Error> {
        let plugin = load.open()?;
        let caller = Caller::of(&plugin)?;
        Ok(Caller {
            plugin: Some(Arc::new(plugin)),
            ..caller
        })
    }

    /// Loads a plugin that calls objects of the host. `finish` completes the prepared methods, which `connection` then refers to.
    ///
    /// # Errors
    /// As for [`load`](Caller::load).
    pub fn open_with(
        load: Load<'_>,
        connection: &Connection<M>,
        finish: impl FnOnce(&mut M),
    ) -> Result<Caller<M>, Error> {
        let plugin = load.open()?;
        let mut methods = M::prepare(&plugin)?;
        finish(&mut methods);
        let methods = Arc::new(methods);
        connection.set(&methods);
        Ok(Caller {
            plugin: Some(Arc::new(plugin)),
            ..Caller::of_methods(methods)
        })
    }

    /// Creates a caller for a plugin that is loaded already.
    ///
    /// # Errors
    /// If it isn't the plugin for which the client was generated.
    pub fn of(plugin: &Plugin) -> Result<Caller<M>, Error> {
        Ok(Caller::of_methods(Arc::new(M::prepare(plugin)?)))
    }

    /// Returns a caller of the same plugin or object whose calls have these options.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Caller<M> {
        Caller {
            options: Some(Arc::new(options)),
            ..self.clone()
        }
    }

    /// Calls a unary method and waits for its response.
    ///
    /// # Errors
    /// The error of the plugin. Also if the request can't be encoded, or the response can't be decoded.
    #[inline]
    pub fn call<Q, R, F>(&self, method: &Method, request: &Q) -> Result<R, F>
    where
        Q: Encode + ?Sized,
        R: for<'de> Decode<'de>,
        F: From<Error>,
    {
        if self.is_plain() {
            return method.call(request).map_err(F::from);
        }
        self.call_with_objects(method, request)
    }

    /// [`call`](Caller::call) for a method that accepts or returns objects.
    ///
    /// # Errors
    /// As for [`call`](Caller::call).
    pub fn call_with_objects<Q, R, F>(&self, method: &Method, request: &Q) -> Result<R, F>
    where
        Q: Encode + ?Sized,
        R: for<'de> Decode<'de>,
        F: From<Error>,
    {
        let PreparedCall {
            with,
            request,
            lent: _lent,
        } = self.prepared(method, request)?;
        let answer = with.call(&request)?;
        Ok(self.read(method, answer)?)
    }

    /// Calls a unary method. The call is submitted when the future is first polled; dropping the future abandons the
    /// call.
    ///
    /// # Errors
    /// As for [`call`](Caller::call).
    pub async fn call_async<Q, R, F>(&self, method: &Method, request: &Q) -> Result<R, F>
    where
        Q: Encode + ?Sized,
        R: for<'de> Decode<'de>,
        F: From<Error>,
    {
        let pending = self.begun(method, request)?;
        let answer = pending.await?;
        Ok(self.read(method, answer)?)
    }

    fn begun<Q: Encode + ?Sized>(
        &self,
        method: &Method,
        request: &Q,
    ) -> Result<Pending<Answer>, Error> {
        let PreparedCall {
            with,
            request,
            lent: _lent,
        } = self.prepared(method, request)?;
        Ok(with.call_async(&request))
    }

    /// Calls a method that returns a stream.
    pub fn stream<Q, R, E>(&self, method: &Method, request: &Q) -> Items<R, E>
    where
        Q: Encode + ?Sized,
        R: for<'de> Decode<'de>,
        E: From<Error>,
    {
        match self.prepared(method, request) {
            Ok(PreparedCall {
                with,
                request,
                lent: _lent,
            }) => Items::new(*method, with.stream(&request)),
            Err(error) => Items::failed(*method, error),
        }
    }

    /// Calls a method that accepts a stream, and waits for its response.
    ///
    /// # Errors
    /// As for [`call`](Caller::call), and if an item can't be sent.
    pub fn send<Q, I, R, F>(
        &self,
        method: &Method,
        request: &Q,
        items: impl IntoIterator<Item = I>,
    ) -> Result<R, F>
    where
        Q: Encode + ?Sized,
        I: Encode,
        R: for<'de> Decode<'de>,
        F: From<Error>,
    {
        let (mut sender, pending) = self.sending(method, request)?;
        for (position, item) in items.into_iter().enumerate() {
            let item = exchange::written(method, position, &item)?;
            if sender.send_wait(item).is_err() {
                // It takes no more, and its answer says why.
                break;
            }
        }
        sender.finish();
        let answer = pending.wait()?;
        Ok(self.read(method, answer)?)
    }

    /// Calls a method that accepts a stream. The call is submitted when the future is first polled.
    ///
    /// # Errors
    /// As for [`send`](Caller::send).
    pub async fn send_async<Q, I, R, F>(
        &self,
        method: &Method,
        request: &Q,
        items: impl Stream<Item = I>,
    ) -> Result<R, F>
    where
        Q: Encode + ?Sized,
        I: Encode,
        R: for<'de> Decode<'de>,
        F: From<Error>,
    {
        let (sender, pending) = self.sending(method, request)?;
        let answer = exchange::send(*method, sender, items, pending).await?;
        Ok(self.read(method, answer)?)
    }

    fn sending<Q: Encode + ?Sized>(
        &self,
        method: &Method,
        request: &Q,
    ) -> Result<(Sender, Pending<Answer>), Error> {
        let PreparedCall {
            with,
            request,
            lent: _lent,
        } = self.prepared(method, request)?;
        Ok(with.send(&request))
    }

    /// Calls a method that accepts and returns a stream.
    pub fn exchange<Q, I, R, E>(&self, method: &Method, request: &Q, items: I) -> Items<R, E>
    where
        Q: Encode + ?Sized,
        I: Iterator<Item: Encode + 'static> + Send + 'static,
        R: for<'de> Decode<'de>,
        E: From<Error>,
    {
        self.exchange_async(method, request, Source::new(items))
    }

    /// Calls a method that accepts and returns a stream.
    pub fn exchange_async<Q, I, R, E>(
        &self,
        method: &Method,
        request: &Q,
        items: impl Stream<Item = I> + Send + 'static,
    ) -> Items<R, E>
    where
        Q: Encode + ?Sized,
        I: Encode + 'static,
        R: for<'de> Decode<'de>,
        E: From<Error>,
    {
        match self.prepared(method, request) {
            Ok(PreparedCall {
                with,
                request,
                lent: _lent,
            }) => {
                let (sender, answers) = with.exchange(&request);
                Items::exchanged(*method, sender, items, answers)
            }
            Err(error) => Items::failed(*method, error),
        }
    }

    /// Prepares a call: its options, its encoded request and its borrowed objects.
    fn prepared<Q: Encode + ?Sized>(
        &self,
        method: &Method,
        request: &Q,
    ) -> Result<PreparedCall, Error> {
        let methods = Arc::clone(&self.methods) as Arc<dyn Any + Send + Sync>;
        let (written, lent) = lending(self.receiver.as_ref(), methods, || to_vec(request))?;
        let request = written.map_err(|problem| method.unfit("the request", &problem))?;
        Ok(PreparedCall {
            with: self.with(method, &lent),
            request,
            lent,
        })
    }

    /// Returns whether the calls have neither a receiver nor options.
    pub(super) fn is_plain(&self) -> bool {
        self.receiver.is_none() && self.options.is_none()
    }

    /// Returns a call with the caller's options that borrows these objects.
    fn with(&self, method: &Method, lent: &[Arc<Object>]) -> With {
        let mut with = method.untyped.with();
        if let Some(options) = &self.options {
            with = with.options(CallOptions::clone(options));
        }
        for object in lent {
            with = with.object(object);
        }
        with
    }

    /// Returns a call with the caller's options that borrows only the receiver, if there is one.
    pub(super) fn raw(&self, method: &Method) -> With {
        self.with(method, self.receiver.as_slice())
    }

    fn read<R: for<'de> Decode<'de>>(&self, method: &Method, answer: Answer) -> Result<R, Error> {
        if answer.objects.is_empty() {
            return method.read(&answer.reply);
        }
        let come = ReceivedObjects {
            objects: answer.objects.into_iter().map(Arc::new).collect(),
            methods: Arc::clone(&self.methods) as Arc<dyn Any + Send + Sync>,
            options: self.options.clone(),
        };
        with_come(come, || method.read(&answer.reply))
    }
}
