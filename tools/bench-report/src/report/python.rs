//! Python's two backends.

use super::facts::Facts;
use super::java::{against, lane};
use super::model::Section;

pub(super) fn chapter(facts: &Facts<'_>) -> Section {
    let mut section = Section::new("python", "Python: ctypes against the extension");
    for seen in &facts.runs {
        section.table(against(
            facts,
            seen,
            &lane("python", "ctypes"),
            &lane("python", "native"),
        ));
    }
    section
}
