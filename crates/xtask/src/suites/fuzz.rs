use anyhow::Result;

use crate::step::Step;

pub fn run(_step: &mut Step<'_>) -> Result<()> {
    Ok(())
}
