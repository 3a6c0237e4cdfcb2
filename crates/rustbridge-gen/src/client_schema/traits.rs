//! The traits of objects: operations of a language that call methods.

use rustbridge_description::Entry;
use rustbridge_description::types::{Signature, Table, Trait};
use serde_json::Value;

use super::model::Method;
use crate::error::Error;

/// The methods that a language's operations on objects of one type call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traits<'c> {
    /// The text for users.
    pub display: Option<&'c Method>,
    /// The text for programmers.
    pub debug: Option<&'c Method>,
    /// Equality. Its request is the other object.
    pub eq: Option<&'c Method>,
    /// Whether each object is equal to itself.
    pub is_eq: bool,
    /// The hash.
    pub hash: Option<&'c Method>,
    /// The order. Its request is the other object.
    pub cmp: Option<&'c Method>,
    /// The number of items. Users call this method, too.
    pub len: Option<&'c Method>,
    /// The items. Users call this method, too.
    pub iter: Option<&'c Method>,
}

impl<'c> Traits<'c> {
    /// Returns the methods that are for these operations alone, which a client prepares and doesn't show.
    #[must_use]
    pub fn hidden(&self) -> Vec<&'c Method> {
        let all = [self.display, self.debug, self.eq, self.hash, self.cmp];
        all.into_iter().flatten().collect()
    }

    /// The same for languages whose objects have one text: that for programmers only if there's none for users.
    #[must_use]
    pub fn hidden_with_one_text(mut self) -> Vec<&'c Method> {
        self.debug = self.debug.filter(|_| self.display.is_none());
        self.hidden()
    }

    /// The same, each with the name by which the client in Java or Kotlin keeps it. Methods with a name have no such names. `class` is the
    /// object's class, written like a variable.
    #[must_use]
    pub fn hidden_with_names(self, class: &str) -> Vec<(&'c Method, String)> {
        let kept = |method: &Method| {
            let own = method.name.rsplit(':').next().unwrap_or_default();
            format!("{class}___{own}")
        };
        let hidden = self.hidden_with_one_text().into_iter();
        hidden.map(|method| (method, kept(method))).collect()
    }
}

/// Returns the trait for which a method is called.
///
/// # Errors
/// If the method can't be called for it.
pub(super) fn of(
    types: &Table,
    name: &str,
    entry: &Entry<'_, Value>,
    signature: &Signature,
) -> Result<Option<Trait>, Error> {
    let Some(of) = Trait::from_name(&entry.implements) else {
        return Ok(None);
    };
    match of.mistake(name, entry, signature, |ty| types.show(ty)) {
        None => Ok(Some(of)),
        Some(mistake) => Err(Error::new(format_args!("`{name}`: {mistake}"))),
    }
}

/// Returns whether a method is for a trait alone that this version doesn't know.
pub(super) fn is_later(name: &str, entry: &Entry<'_, Value>) -> bool {
    let own = name.strip_prefix(&*entry.receiver);
    !entry.implements.is_empty() && own.is_some_and(|own| own.starts_with(':'))
}

/// Checks that an object's type has one method for each trait.
///
/// # Errors
/// If it has several.
pub(super) fn check(methods: &[Method]) -> Result<(), Error> {
    for (place, method) in methods.iter().enumerate() {
        let is_same =
            |it: &&Method| it.receiver == method.receiver && it.implements == method.implements;
        let other = methods[..place].iter().find(is_same);
        if let (Some(of), Some(other)) = (method.implements, other) {
            return Err(Error::new(format_args!(
                "`{}` and `{}` are both the `{}` of `{}`: expected one method",
                other.name,
                method.name,
                of.name(),
                method.receiver
            )));
        }
    }
    Ok(())
}
