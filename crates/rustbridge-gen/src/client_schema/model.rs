//! The parts of a client schema.

use rustbridge_description::types::{Field, Fingerprint, Trait, TypeRef};

/// A method in the wire form, or a raw one.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name in the plugin.
    pub name: String,
    /// Prose.
    pub doc: String,
    /// What calling it means.
    pub kind: Kind,
    /// Whether messages are the bytes or the text itself, without a form. Otherwise they are in the wire form.
    pub is_raw: bool,
    /// Whether its handler is an `async fn`.
    pub is_async: bool,
    /// What goes in: `unit` if nothing does.
    pub request: TypeRef,
    /// What clients take one by one, if they do: the fields of the request, which is a record that nothing else is made of.
    pub arguments: Option<Vec<Field>>,
    /// What clients call the request where it's one parameter: as the plugin does, or `request`.
    pub parameter: String,
    /// What comes out; of a stream, each item.
    pub response: TypeRef,
    /// What each item is that is sent to it.
    pub items: Option<TypeRef>,
    /// The number of its error type, if it has one. No other type contains that type.
    pub error: Option<u32>,
    /// The type of the object whose method it is; empty for the plugin's own.
    pub receiver: String,
    /// The type of the object whose class has this function, which has no receiver; empty for methods.
    pub class: String,
    /// Whether it's a constructor of that class.
    pub constructor: bool,
    /// Whether it returns or sets a property of the receiver; none for an ordinary method.
    pub property: Option<Property>,
    /// The operation on the receiver that calls it; none for an ordinary method.
    pub implements: Option<Trait>,
    /// What clients and plugin have in common if nothing has to be resolved between them.
    pub fingerprint: Fingerprint,
}

/// What a method does with a property of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// It returns the value.
    Get,
    /// It sets the value. Its name begins with `set_`, followed by that of the property.
    Set,
}

/// A function of the host that the plugin calls in the wire format.
#[derive(Clone, Debug)]
pub struct Service {
    /// What it's registered as: `prices.get`.
    pub name: String,
    /// The name of the author's trait: the part of the service's name before the last dot, empty if there's none.
    pub group: String,
    /// The name of the trait's function: the part after that dot.
    pub function: String,
    /// Prose.
    pub doc: String,
    /// Whether the plugin does without it, too.
    pub optional: bool,
    /// The type of the plugin's request, which the host reads; `unit` if there's none.
    pub request: TypeRef,
    /// The parameters of the function, if there are several: the fields of the request, a record that clients don't show. Those of a
    /// callback's function follow a `u64`, the number of the host's object.
    pub arguments: Option<Vec<Field>>,
    /// What clients call the request if it's the only parameter: as the plugin does, or `request`.
    pub parameter: String,
    /// The type of the host's response.
    pub response: TypeRef,
    /// The number of the type of the errors that the plugin distinguishes, if there's one.
    pub error: Option<u32>,
    /// How the arguments and the result cross, if there are objects among them.
    pub crossing: Option<Crossing>,
}

/// The methods by which the arguments and the result of a callback's function cross, because services have no objects. The service's
/// request is then a record of the number of the host's object and the number of the call, two `u64`.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// Returns the arguments of a call, whose number is the request: the only one, or a tuple. None if the function has no parameters.
    pub arguments: Option<Method>,
    /// Accepts the number of the call and the result, as a tuple. The service's response is then `unit`. None if the service's response is the result.
    pub result: Option<Method>,
    /// The records of the arguments, and of the number and the result, which clients don't show.
    pub records: Vec<u32>,
}

/// A trait that hosts implement and methods accept: an interface of a client.
#[derive(Clone, Debug)]
pub struct Callback {
    /// Its name, also that of the objects' type.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Its functions, in the order of their declaration. Each has `arguments`, without the number of the host's object.
    pub functions: Vec<Service>,
    /// The method that creates a plugin's object from the number of a host's object, a `u64`.
    pub create: Method,
    /// The method of an object that returns that number, or 0 if the object isn't the host's.
    pub number: Method,
    /// The name of the service by which the plugin releases a host's object. Its request is the number.
    pub release: String,
}

/// Services that belong together: an interface of a client's, which the host implements.
#[derive(Clone, Debug)]
pub struct Group<'c> {
    /// Their common name: `directory`, or the plugin's name and `services` for services without a trait.
    pub name: String,
    /// Whether the plugin does without all of them, too.
    pub optional: bool,
    /// The services, in the order of the description.
    pub services: Vec<&'c Service>,
}

/// What calling a method means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One request, one response.
    Unary,
    /// It answers with a stream.
    StreamOut,
    /// It takes a stream.
    StreamIn,
    /// Both.
    StreamBoth,
}

/// Which way a type goes: what a client has to be able to do with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directions {
    /// Clients send it.
    pub written: bool,
    /// Clients get it.
    pub read: bool,
}

impl Directions {
    pub(super) const WRITTEN: Directions = Directions {
        written: true,
        read: false,
    };
    pub(super) const READ: Directions = Directions {
        written: false,
        read: true,
    };
}

impl Method {
    /// Whether it belongs to an object's type, or, if that's empty, to the plugin.
    #[must_use]
    pub(crate) fn is_of(&self, object: &str) -> bool {
        let is_own = self.receiver == object && self.class.is_empty()
            || !object.is_empty() && self.class == object;
        is_own && !self.is_hidden()
    }

    /// Whether it's for a trait alone, so that it isn't among those that users call.
    #[must_use]
    pub(crate) fn is_hidden(&self) -> bool {
        self.implements.is_some_and(|it| it.reserved().is_some())
    }

    /// Its name without that of the object's type to which it belongs.
    #[must_use]
    pub(crate) fn own_name(&self) -> &str {
        let object = if self.class.is_empty() {
            &self.receiver
        } else {
            &self.class
        };
        let own = self.name.strip_prefix(&**object).unwrap_or(&self.name);
        own.strip_prefix('.').unwrap_or(&self.name)
    }

    /// Whether the request is bytes or text as it is.
    #[must_use]
    pub(crate) fn takes_raw(&self) -> bool {
        self.is_raw && self.request != TypeRef::Unit
    }

    /// Whether the response is bytes or text as it is.
    #[must_use]
    pub(crate) fn gives_raw(&self) -> bool {
        self.is_raw && self.response != TypeRef::Unit
    }

    /// Whether a request that is one parameter may be left out.
    #[must_use]
    pub(crate) fn is_optional(&self) -> bool {
        matches!(self.request, TypeRef::Option(_))
    }
}
