//! The checker of configurations in Rust.

use std::fs;

use anyhow::{Context as _, Result};

use super::example::{Example, ends};
use crate::step::Step;

pub fn check(step: &mut Step<'_>, example: &Example<'_>) -> Result<()> {
    let mut run = example.rustbridge(step)?;
    run.args(["run", "rust", "--", "../server.schema.json", "../good.json"]);
    let says = ["../good.json: ok\n"];
    ends(
        step,
        "a configuration that is right passes",
        &mut run,
        0,
        &says,
    )?;

    let broken = example.left.join("broken.json");
    fs::write(&broken, "{\n  \"name\": \"a\",\n}\n").context("writing a file that isn't JSON")?;
    let broken = broken.display().to_string();
    let odd = example.left.join("odd.schema.json");
    fs::write(&odd, r#"{"type": "nothing"}"#).context("writing a file that isn't a schema")?;
    let odd = odd.display().to_string();
    let endless = example.left.join("endless.schema.json");
    fs::write(&endless, r##"{"allOf": [{"$ref": "#"}]}"##)
        .context("writing a schema that refers to itself")?;
    let endless = endless.display().to_string();
    let all: [(&[&str], i32, &[&str]); 6] = [
        (
            &["server.schema.json", "bad.json", &broken, "good.json"],
            1,
            &[
                "bad.json: /listen/1/port: value is greater than the maximum of 65535\n",
                "bad.json: /logLevel: value is not one of",
                "bad.json: /name: value does not match",
                "broken.json:3:1: trailing comma\n",
                "good.json: ok\n",
            ],
        ),
        (
            &[&odd, "good.json"],
            2,
            &["odd.schema.json: /type: \"nothing\""],
        ),
        (
            &[&broken, "good.json"],
            2,
            &["broken.json:3:1: trailing comma\n"],
        ),
        (&[], 2, &["usage: schemas-host SCHEMA FILE..."]),
        (
            &["server.schema.json"],
            2,
            &["usage: schemas-host SCHEMA FILE..."],
        ),
        (
            &[&endless, "good.json"],
            2,
            &["endless.schema.json: /allOf/0/$ref: it refers to itself"],
        ),
    ];
    let program = step.workspace.target.join("debug/schemas-host");
    for (arguments, code, says) in all {
        let mut checker = example.command(step, &program)?;
        checker.args(arguments);
        let what = format!("the checker ends with {code}");
        ends(step, &what, &mut checker, code, says)?;
    }
    Ok(())
}
