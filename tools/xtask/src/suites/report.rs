//! The benchmark report as a browser shows it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use bench_report::page::page;
use bench_report::{Budgets, Catalogue, Predecessor, Run, Sources, report};

use crate::browser::{self, address, command};
use crate::report as files;
use crate::step::Step;
use crate::workspace::Workspace;

/// Looks at a page from inside and tells the page around it what is wrong.
const CHECKER: &str = include_str!("report.js");
const FIXTURES: &str = "tools/bench-report/fixtures";
/// What the page of the committed runs is called.
const COMMITTED: &str = "report";
/// What encloses the checker's words; the page around it has them only once it's done.
const MARKS: [&str; 2] = ["CHECKED[", "]CHECKED"];

/// A window that the page has to fit.
struct View {
    name: &'static str,
    width: u32,
    height: u32,
    /// Laid out as for paper.
    print: bool,
}

const VIEWS: [View; 3] = [
    View {
        name: "phone",
        width: 360,
        height: 800,
        print: false,
    },
    View {
        name: "desktop",
        width: 1280,
        height: 900,
        print: false,
    },
    // A4 without its margins, in the pixels of CSS.
    View {
        name: "print",
        width: 703,
        height: 1000,
        print: true,
    },
];

/// Opens the report in a browser: nothing overflows, nothing fails, every chart can be read.
pub fn check(step: &mut Step<'_>) -> Result<()> {
    let browser = browser::found_or_installed(step)?;
    let folder = files::folder(step.workspace);
    // Nothing of a run before: neither its pictures nor a profile that a browser was killed with.
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    for (name, sources) in pages(step.workspace)? {
        let report = report(&sources);
        if name == COMMITTED {
            files::write(&report, &folder)?;
        }
        let html = page(&report);
        for view in &VIEWS {
            let title = format!("{name}-{}", view.name);
            let file = folder.join(format!("{title}.html"));
            fs::write(&file, html.as_str())
                .with_context(|| format!("writing {}", file.display()))?;
            if view.print {
                // The browser has no flag that lays a window out as paper; the page's own rules do it when they hold everywhere.
                let print = html
                    .replace("@media print", "@media all")
                    .replace("(prefers-color-scheme: dark)", "not all");
                fs::write(&file, print).with_context(|| format!("writing {}", file.display()))?;
            }
            let problem = look(step, &browser, &folder, &file, view)?;
            step.check(&format!("{title}: {} pixels wide", view.width), problem)?;
            picture(step, &browser, &folder, &file, view, &title)?;
        }
    }
    paper(step, &browser, &folder)?;
    faults(step, &browser, &folder)
}

/// Prints the last of the pages as a browser does.
fn paper(step: &mut Step<'_>, browser: &Path, folder: &Path) -> Result<()> {
    let pdf = folder.join("report.pdf");
    let mut command = command(step.workspace, browser, folder);
    command
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg("--no-pdf-header-footer")
        .arg(address(&folder.join(format!("{COMMITTED}-desktop.html"))));
    step.run(&mut command)?;
    let written = pdf.metadata().is_ok_and(|data| data.len() > 0);
    let problem = (!written).then(|| "the browser printed nothing".into());
    step.check("it can be printed", problem)
}

/// A page with one fault of every kind, so that a checker that finds nothing is found out.
const FAULTY: &str = "<!DOCTYPE html><html><head><title>x</title></head><body><p style=\"width:2000px\">wide</p>\
     <p style=\"font-size:0\">small</p><svg viewBox=\"0 0 340 40\" width=\"300\"><text y=\"20\">a</text><text y=\"20\">b</text></svg>\
     <script>null.x</script></body></html>";

fn faults(step: &mut Step<'_>, browser: &Path, folder: &Path) -> Result<()> {
    let file = folder.join("faulty.html");
    fs::write(&file, FAULTY).with_context(|| format!("writing {}", file.display()))?;
    let found = look(step, browser, folder, &file, &VIEWS[0])?.unwrap_or_default();
    for word in [
        "reaches from",
        "the page is",
        "is 0 by",
        "without a title",
        "without a desc",
        "cover one another",
        "error: ",
    ] {
        let problem = (!found.contains(word)).then(|| format!("it reports only:\n  {found}"));
        step.check(&format!("the checker finds `{word}`"), problem)?;
    }
    fs::remove_file(&file).with_context(|| format!("removing {}", file.display()))
}

/// A page of all fixtures, which has everything a report can have, and that of the committed runs; two fixtures stand in for
/// these while there are none.
fn pages(workspace: &Workspace) -> Result<[(&'static str, Sources); 2]> {
    let folder = workspace.root.join(FIXTURES);
    let of = |names: &[&str]| -> Result<Sources> {
        let runs = names
            .iter()
            .map(|name| Run::read(&folder.join(format!("{name}.json"))));
        Ok(Sources {
            catalogue: Catalogue::read(&folder.join("catalogue.toml"))?,
            budgets: Budgets::read(&folder.join("budgets.toml"))?,
            predecessor: Predecessor::read(&folder.join("predecessor.json"))?,
            runs: runs.collect::<Result<Vec<Run>>>()?,
        })
    };
    let all = of(&["linux", "windows", "wine", "without-java", "over"])?;
    let committed = files::committed(workspace)?;
    let ours = if committed.is_empty() {
        of(&["linux", "windows"])?
    } else {
        files::sources(workspace, committed)?
    };
    Ok([("fixtures", all), (COMMITTED, ours)])
}

/// What the checker says of a page in a window.
fn look(
    step: &mut Step<'_>,
    browser: &Path,
    folder: &Path,
    file: &Path,
    view: &View,
) -> Result<Option<String>> {
    let html = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let settings = format!("const WIDTH = {}, PRINT = {};\n", view.width, view.print);
    // First in the head, so that it sees every error; `<meta charset` has to come early, too, but not first.
    let checked = html.replacen(
        "<head>",
        &format!("<head>\n<script>\n{settings}{CHECKER}</script>"),
        1,
    );
    // A window can't be as narrow as a phone, a frame can.
    let frame = checked.replace('&', "&amp;").replace('"', "&quot;");
    let (width, height) = (view.width, view.height);
    let around = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\"><script>addEventListener(\"message\", (event) => {{
        document.body.textContent = `{}\\n${{event.data}}\\n{}`; }});</script>
        <body><iframe style=\"width:{width}px;height:{height}px;border:0\" srcdoc=\"{frame}\"></iframe>",
        MARKS[0], MARKS[1]
    );
    let copy = file.with_extension("checked.html");
    fs::write(&copy, around).with_context(|| format!("writing {}", copy.display()))?;
    let mut command = command(step.workspace, browser, folder);
    command
        .args([
            "--window-size=1400,1100",
            "--virtual-time-budget=20000",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .arg(address(&copy));
    let said = step.run(&mut command)?;
    fs::remove_file(&copy).with_context(|| format!("removing {}", copy.display()))?;
    // The script that puts the marks there has them, too, before.
    let words = said
        .rsplit_once(MARKS[1])
        .and_then(|(said, _)| Some(said.rsplit_once(MARKS[0])?.1));
    let problems = words.filter(|words| !words.contains("event.data"));
    let Some(problems) = problems else {
        bail!("the checker reported nothing about {}", file.display());
    };
    let mut problems: Vec<&str> = problems
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    problems.extend(said.lines().filter(|line| line.contains(":CONSOLE")));
    Ok((!problems.is_empty()).then(|| problems.join("\n  ")))
}

/// Pictures of what a reader sees first, and of the whole page as far as a picture goes.
fn picture(
    step: &mut Step<'_>,
    browser: &Path,
    folder: &Path,
    file: &Path,
    view: &View,
    title: &str,
) -> Result<()> {
    for (name, height) in [
        (title.to_owned(), view.height),
        (format!("{title}-long"), 12_000),
    ] {
        let picture = folder.join(format!("{name}.png"));
        let mut command = command(step.workspace, browser, folder);
        command
            .arg(format!("--window-size={},{height}", view.width))
            .arg("--hide-scrollbars")
            .arg(format!("--screenshot={}", picture.display()))
            .arg(address(file));
        step.run(&mut command)?;
        let written = picture.metadata().is_ok_and(|data| data.len() > 0);
        step.check(
            &format!("{name}.png is there"),
            (!written).then(|| "the browser wrote no picture".into()),
        )?;
    }
    Ok(())
}
