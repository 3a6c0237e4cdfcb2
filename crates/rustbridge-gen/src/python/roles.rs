//! What a method is in its class: a method, a constructor, a static function, or a part of a property.

use super::names::{CLIENT, DECORATORS, KEYWORDS, OBJECT, TYPES};
use crate::client_schema::{ClientSchema, Kind, Method, Property};
use crate::error::Error;
use crate::form::is_constructor;
use crate::names::{Case, METHOD, Scope};

/// A method of a class.
pub(super) struct Callable<'n> {
    pub(super) method: &'n Method,
    pub(super) name: String,
    /// Where the client keeps what it calls.
    pub(super) kept: String,
    pub(super) is_awaited: bool,
    pub(super) role: Role,
}

/// What a method is in its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A method of the client.
    Client,
    /// A method of an object.
    Object,
    /// `__init__`: the constructor `new`, unless its handler is an `async fn`.
    Init,
    /// Any other constructor, a class method.
    Constructor,
    /// An associated function, a static method.
    Function,
    /// The getter of a property.
    Getter,
    /// The setter of a property. It follows the getter.
    Setter,
    /// The setter of a property that has no getter. It follows one that raises an error: a property needs a getter to have a type.
    LoneSetter,
}

impl Role {
    fn of(method: &Method) -> Role {
        match (method.property, method.constructor, &*method.class) {
            (Some(Property::Get), ..) => Role::Getter,
            (Some(Property::Set), ..) => Role::Setter,
            (None, true, _) if is_constructor(method) => Role::Init,
            (None, true, _) => Role::Constructor,
            (None, false, "") if method.receiver.is_empty() => Role::Client,
            (None, false, "") => Role::Object,
            (None, false, _) => Role::Function,
        }
    }

    /// Returns the first parameter, which the author doesn't declare.
    pub(super) fn first(self) -> Option<&'static str> {
        match self {
            Role::Constructor => Some("cls"),
            Role::Function => None,
            _ => Some("self"),
        }
    }

    /// Returns the expression of the calling client, with a dot.
    pub(super) fn client(self) -> &'static str {
        match self {
            Role::Client => "self.",
            Role::Init | Role::Constructor | Role::Function => "client.",
            _ => "self._client.",
        }
    }

    /// Reports whether the client is a parameter, because there's no object.
    pub(super) fn is_of_class(self) -> bool {
        self.client() == "client."
    }

    /// Reports whether an object receives the call.
    pub(super) fn has_receiver(self) -> bool {
        self.client() == "self._client."
    }

    /// Reports whether it's a part of a property, which has no options.
    pub(super) fn is_property(self) -> bool {
        matches!(self, Role::Getter | Role::Setter | Role::LoneSetter)
    }
}

/// The methods of an object's type, or the plugin's own, in their order; behind them what is awaited.
pub(super) fn callables<'n>(
    client_schema: &'n ClientSchema,
    of: &str,
    prefix: &str,
) -> Result<Vec<Callable<'n>>, Error> {
    let (what, taken, decorators) = match of {
        "" => ("the plugin's methods".to_owned(), CLIENT, &[][..]),
        object => {
            // The names of a callback's methods are also those of its protocol.
            let is_callback = client_schema.callback(object).is_some();
            let decorators = if is_callback { &[] } else { DECORATORS };
            (format!("the methods of `{object}`"), OBJECT, decorators)
        }
    };
    let lists = [KEYWORDS, TYPES, taken, decorators];
    let reserved: Vec<&str> = lists.into_iter().flatten().copied().collect();
    let mut scope = Scope::new(what, &reserved).renamed_by(METHOD);
    let methods: Vec<&Method> = client_schema
        .methods
        .iter()
        .filter(|method| method.is_of(of) && !client_schema.has_objects_in_items(method))
        .collect();
    let is_awaitable = |method: &&&Method| match method.kind {
        Kind::Unary => method.is_async,
        Kind::StreamIn => true,
        Kind::StreamOut | Kind::StreamBoth => false,
    };
    let plain = methods.iter().map(|method| (*method, false));
    // Behind all others, since they get other names where those are taken.
    let awaited = methods
        .iter()
        .filter(is_awaitable)
        .map(|method| (*method, true));
    let mut callables: Vec<Callable<'n>> = Vec::new();
    let mut setters = Vec::new();
    for (method, is_awaited) in plain.chain(awaited) {
        let own = method.own_name();
        let role = Role::of(method);
        if role == Role::Setter {
            setters.push(method);
            continue;
        }
        let name = match (role, is_awaited) {
            (Role::Init, _) => "__init__".to_owned(),
            (_, true) => scope.joined(&format!("{own}_async"), Case::Snake),
            (_, false) => scope.name(own, Case::Snake)?,
        };
        callables.push(Callable {
            method,
            kept: format!("{prefix}{name}"),
            name,
            is_awaited,
            role,
        });
    }
    for method in setters {
        let own = method.own_name();
        let property = own.strip_prefix("set_").unwrap_or(own);
        let is_getter =
            |it: &Callable<'_>| it.role == Role::Getter && it.method.own_name() == property;
        let (place, name, role) = match callables.iter().position(is_getter) {
            Some(place) => (place + 1, callables[place].name.clone(), Role::Setter),
            None => {
                let name = scope.name(property, Case::Snake)?;
                (callables.len(), name, Role::LoneSetter)
            }
        };
        let setter = Callable {
            method,
            kept: format!("{prefix}{name}__set"),
            name,
            is_awaited: false,
            role,
        };
        callables.insert(place, setter);
    }
    Ok(callables)
}
