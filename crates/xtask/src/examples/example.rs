//! One of the examples, as whoever uses it has it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::build;
use crate::packages::user::User;
use crate::step::Step;

/// An example, and where it may leave what it makes.
pub struct Example<'e> {
    pub user: User<'e>,
    pub left: PathBuf,
}

impl Example<'_> {
    pub fn folder(&self) -> &Path {
        self.user.folder
    }

    /// The command in the example's folder, whose plugins are built quickly.
    pub fn rustbridge(&self, step: &Step<'_>) -> Result<Command> {
        let mut command = self.user.rustbridge(step)?;
        build::quickly(&mut command);
        Ok(command)
    }
}
