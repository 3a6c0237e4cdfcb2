//! The notebook in Python that plots columns.

use std::fs;

use anyhow::{Context as _, Result};

use super::example::{Example, ends, pictures};
use crate::step::Step;

/// The wheel is for these.
const NEWER: [u32; 3] = [3, 11, 0];

pub fn check(step: &mut Step<'_>, example: &Example<'_>) -> Result<()> {
    let python = step.workspace.python();
    if python.is_some_and(|python| python.version < NEWER) {
        return step.skip(
            "columns in python",
            "the wheel is for CPython 3.11 and later",
        );
    }
    // It would keep the wheel of another day, which has the same version.
    let environment = example.folder().join("python/.venv");
    if environment.exists() {
        fs::remove_dir_all(&environment)
            .with_context(|| format!("removing {}", environment.display()))?;
    }
    let plot = example.left.join("weather.png");
    let mut run = example.rustbridge(step)?;
    // Where matplotlib keeps what it has found of fonts.
    run.args(["run", "python", "--"])
        .arg(&plot)
        .env("MPLCONFIGDIR", example.left.join("matplotlib"));
    let says = [
        "61 rows\n",
        "  rain: numbers, 3 missing\n",
        "  sky: texts, 0 missing\n",
        "high: 8.7 to 22.7, 15.61 on average\n",
        "\"rain\" is no number",
        "line 3 of another file is 1 cell long\n",
        "plotted to weather.png\n",
    ];
    ends(step, "the notebook runs through", &mut run, 0, &says)?;
    pictures(step, &example.left, &["weather.png is 800 x 500"])
}
