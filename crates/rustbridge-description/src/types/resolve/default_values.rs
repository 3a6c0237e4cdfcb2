//! Fields that only one side has, with default values.

use super::run::{Done, OTHER_LACKS, Run};

impl Run<'_> {
    /// Puts a field that is present, with a default value.
    pub(super) fn default_value(&mut self, value: u32, is_aligned: bool) -> Done {
        let plan = self.plan;
        self.put(&[1])?;
        self.put(&plan.default_values[value as usize])?;
        if is_aligned {
            self.align()?;
        }
        Ok(())
    }

    /// Refuses another value than the default value, since the other side has no field for it.
    pub(super) fn check_default(&self, value: u32) -> Done {
        let plan = self.plan;
        let expected = &plan.default_values[value as usize];
        let left = &self.from[self.at..];
        // What ends before is refused by the reader of the value, which reports what is missing.
        if left.starts_with(expected) || expected.starts_with(left) {
            return Ok(());
        }
        Err(self.lacking(self.at, OTHER_LACKS.to_owned()))
    }
}
