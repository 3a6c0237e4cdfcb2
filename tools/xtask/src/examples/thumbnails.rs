//! The tool in C# that makes thumbnails.

use anyhow::Result;

use super::example::{Example, ends, pictures};
use crate::packages::making::copy;
use crate::step::Step;

pub fn check(step: &mut Step<'_>, example: &Example<'_>) -> Result<()> {
    let made = example.left.join("png");
    let mut run = example.rustbridge(step)?;
    run.args(["run", "csharp", "--", "../pictures"])
        .arg(&made)
        .args(["--size", "100", "--format", "png", "--jobs", "4"]);
    let says = [
        "3 thumbnails, 2 failures",
        "bomb.png: it claims to have 3600000000 pixels",
        "cut-off.jpg: it's broken",
        "ended with exit status: 1",
    ];
    ends(step, "a folder with broken pictures", &mut run, 1, &says)?;
    let sizes = [
        "rings.png is 100 x 67",
        // It was held sideways.
        "sideways.jpg.png is 67 x 100",
        "small.png is 64 x 48",
    ];
    pictures(step, &made, &sizes)?;

    let whole = example.left.join("whole");
    for name in ["rings.png", "sideways.jpg"] {
        copy(
            &example.folder().join("pictures").join(name),
            &whole.join(name),
        )?;
    }
    let made = example.left.join("as-they-are");
    let says = ["2 thumbnails, 0 failures"];
    let folders = [&whole, &made].map(|folder| folder.display().to_string());
    by_hand(step, example, &[&folders[0], &folders[1]], 0, &says)?;
    let sizes = ["rings.png is 160 x 107", "sideways.jpg is 107 x 160"];
    pictures(step, &made, &sizes)?;

    // Else the thumbnails would be put where the pictures are.
    let same = format!("{}/../whole", folders[0]);
    let says = ["the thumbnails would replace the pictures"];
    by_hand(step, example, &[&folders[0], &same], 2, &says)?;
    let sizes = ["rings.png is 480 x 320", "sideways.jpg is 480 x 320"];
    pictures(step, &whole, &sizes)?;
    copy(&whole.join("rings.png"), &whole.join("sideways.jpg.png"))?;
    let says = [
        "sideways.jpg: its thumbnail would be called `sideways.jpg.png`",
        "2 thumbnails, 1 failures",
    ];
    let arguments = [&folders[0], &folders[1], "--format", "png"];
    by_hand(step, example, &arguments, 1, &says)?;

    by_hand(step, example, &["--help"], 0, &["usage: Thumbnails"])?;
    let says = ["`--size` is a number from 1 to 10000, and not `x`"];
    by_hand(step, example, &["--size", "x", "a", "b"], 2, &says)?;
    let says = ["two folders are needed"];
    by_hand(step, example, &["a"], 2, &says)?;
    by_hand(step, example, &["a", ""], 2, &says)?;
    let says = ["no-such-folder"];
    by_hand(step, example, &["no-such-folder", "b"], 2, &says)
}

/// What is built already, by .NET's own command.
fn by_hand(
    step: &mut Step<'_>,
    example: &Example<'_>,
    arguments: &[&str],
    code: i32,
    says: &[&str],
) -> Result<()> {
    let mut run = example.command(step, "dotnet")?;
    run.current_dir(example.folder().join("csharp"))
        .args(["run", "--no-build", "--"])
        .args(arguments);
    let what = format!("the tool ends with {code} and prints {says:?}");
    ends(step, &what, &mut run, code, says)
}
