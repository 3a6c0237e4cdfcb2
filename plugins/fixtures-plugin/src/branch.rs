//! A tree whose branches are the host's and the plugin's: functions of a callback that accept and return objects.

use std::sync::{Mutex, MutexGuard, PoisonError};

use fixtures_types::Spot;
use rustbridge::prelude::*;

use crate::sprite::Sprite;

/// Why a branch chooses no sprite.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum ChoiceError {
    /// It likes none.
    #[error("there's no sprite near {0:?}")]
    #[status(NOT_FOUND)]
    Nothing(Spot),
    /// Any other error.
    #[error(transparent)]
    #[status(transparent)]
    Other(#[from] Error),
}

/// A branch of a tree. It's the host's or the plugin's.
#[callback]
pub trait Branch {
    /// Returns the name.
    fn name(&self) -> Result<String>;

    /// Sets the branch from which this one grows.
    fn set_parent(&self, parent: Option<Object<BranchClient>>) -> Result<()>;

    /// Returns the branch from which this one grows.
    fn parent(&self) -> Result<Option<Object<BranchClient>>>;

    /// Chooses one of some sprites.
    fn choose(
        &self,
        sprites: Vec<Object<Sprite>>,
        near: Spot,
    ) -> Result<Object<Sprite>, ChoiceError>;

    /// Chooses one of some named sprites.
    #[method(takes_objects, returns_objects)]
    fn label(&self, labels: Vec<Label>) -> Result<Label>;

    /// Meets another branch, and returns the one that it prefers, perhaps later.
    async fn meet(&self, other: Object<BranchClient>) -> Result<Object<BranchClient>>;
}

/// A sprite with a name.
#[derive(Message)]
pub struct Label {
    /// The name.
    pub name: String,
    /// The sprite.
    pub sprite: Object<Sprite>,
}

/// A branch of the plugin.
pub struct Limb {
    name: String,
    parent: Mutex<Option<Object<BranchClient>>>,
}

impl Limb {
    /// A branch that grows from none.
    pub(crate) fn new(name: String) -> Limb {
        Limb {
            name,
            parent: Mutex::new(None),
        }
    }

    fn above(&self) -> MutexGuard<'_, Option<Object<BranchClient>>> {
        self.parent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Branch for Limb {
    fn name(&self) -> Result<String> {
        Ok(self.name.clone())
    }

    fn set_parent(&self, parent: Option<Object<BranchClient>>) -> Result<()> {
        let before = std::mem::replace(&mut *self.above(), parent);
        // Not inside the lock, because the host's code may run.
        drop(before);
        Ok(())
    }

    fn parent(&self) -> Result<Option<Object<BranchClient>>> {
        Ok(self.above().clone())
    }

    fn choose(
        &self,
        sprites: Vec<Object<Sprite>>,
        near: Spot,
    ) -> Result<Object<Sprite>, ChoiceError> {
        let distance = |sprite: &Object<Sprite>| Sprite::distance(sprite.spot(), near);
        sprites
            .into_iter()
            .min_by(|one, other| distance(one).total_cmp(&distance(other)))
            .ok_or(ChoiceError::Nothing(near))
    }

    fn label(&self, labels: Vec<Label>) -> Result<Label> {
        let mut labels = labels.into_iter();
        labels
            .next()
            .ok_or_else(|| Error::not_found("there are no labels"))
    }

    async fn meet(&self, other: Object<BranchClient>) -> Result<Object<BranchClient>> {
        Ok(other)
    }
}

/// How many branches may grow from one another.
const MOST: usize = 100;

/// Returns a branch, and those from which it grows.
fn line(branch: Object<BranchClient>) -> Result<Vec<Object<BranchClient>>> {
    let mut line = vec![branch];
    while let Some(parent) = line[line.len() - 1].parent()? {
        if line.len() == MOST {
            return Err(Error::new(
                Status::FailedPrecondition,
                "the branches grow in a circle",
            ));
        }
        line.push(parent);
    }
    Ok(line)
}

/// Returns the names of a branch and of those from which it grows.
pub(crate) fn path(branch: Object<BranchClient>) -> Result<Vec<String>> {
    line(branch)?.iter().map(|branch| branch.name()).collect()
}

/// Returns the branch from which all others grow.
pub(crate) fn trunk(branch: Object<BranchClient>) -> Result<Object<BranchClient>> {
    line(branch)?
        .pop()
        .ok_or_else(|| Error::internal("there's no branch"))
}
