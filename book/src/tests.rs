//! A book of each fault, which has to be found.

use std::fs;
use std::path::Path;

use super::*;

const SUMMARY: &str = "# Summary\n\n[docs](README.md)\n\n- [A](guide/a.md)\n- [B](guide/b.md)\n- [Beside](../BESIDE.md)\n";

/// A repository with a book of a few pages, of which `a` has this text.
fn repository(folder: &Path, a: &str) {
    let files = [
        (
            "book/book.toml",
            "[book]\nsrc = \"../docs\"\n[build]\nuse-default-preprocessors = false\n[output.html.print]\nenable = false\n\
             [output.html]\ninput-404 = \"\"\n",
        ),
        ("docs/SUMMARY.md", SUMMARY),
        ("docs/README.md", "# docs\n\n[a](guide/a.md#the-end)\n"),
        ("docs/guide/a.md", a),
        (
            "docs/guide/b.md",
            "# B\n\n[beside](../../BESIDE.md#beside)\n",
        ),
        ("docs/kept.json", "{}\n"),
        (
            "BESIDE.md",
            "# Beside\n\n[b](docs/guide/b.md), [docs](docs)\n",
        ),
        ("src/lib.rs", "\n"),
    ];
    for (file, text) in files {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("it has one")).expect("a folder can be made");
        fs::write(file, text).expect("a file can be written");
    }
}

/// What is found with this text, and the page of it.
fn made(a: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    repository(folder.path(), a);
    let out = folder.path().join("out");
    let made = make(folder.path(), &out).expect("a book can be made");
    assert!(made.pages > 4 && made.links > 20, "{made:?}");
    let page = fs::read_to_string(out.join("guide/a.html")).expect("the page is there");
    (made.problems, page)
}

const END: &str = "\n\n## The end\n";

#[test]
fn links_to_pages_stay_in_the_book_and_others_lead_to_the_repository() {
    let text = format!(
        "# A\n\n[b](b.md), [beside](../../BESIDE.md#beside), [source](../../src/lib.rs), [folder](../../src), \
         [kept](../kept.json), [order](../SUMMARY.md), [here](#the-end), [the index](../README.md), [far](https://example.org/x#y){END}"
    );
    let (problems, page) = made(&text);
    assert_eq!(problems, Vec::<String>::new());
    let source = format!("{REPOSITORY}/blob/HEAD/src/lib.rs");
    let folder = format!("{REPOSITORY}/tree/HEAD/src");
    let order = format!("{REPOSITORY}/blob/HEAD/docs/SUMMARY.md");
    for link in [
        "b.html",
        "../project/BESIDE.html#beside",
        &source,
        &folder,
        &order,
        "../kept.json",
        "../index.html",
        "https://example.org/x#y",
    ] {
        assert!(page.contains(&format!("href=\"{link}\"")), "{link}");
    }
}

#[test]
fn every_fault_is_found() {
    for (text, says) in [
        (
            "[x](no.md)",
            "docs/guide/a.md: `no.md`: there's no such file",
        ),
        (
            "[x](../../src/no.rs)",
            "`../../src/no.rs`: there's no such file",
        ),
        (
            "[x](b.md#no)",
            "guide/a.html: `b.html#no`: there's no such anchor",
        ),
        ("[x](#no)", "`#no`: there's no such anchor"),
        ("![x](no.png)", "`no.png`: there's no such file"),
        ("<img src=\"no.svg\">", "`no.svg`: there's no such file"),
        ("[x](../../src/lib.rs#L1)", "which can't be checked"),
        ("[x](../../../..)", "leads out of the repository"),
        ("[x][y]\n\n[y]: b.md", "isn't written as"),
    ] {
        let (problems, _) = made(&format!("# A\n\n{text}{END}"));
        assert!(
            problems.iter().any(|problem| problem.contains(says)),
            "{text}: {problems:?}"
        );
    }
}

#[test]
fn a_link_that_pages_have_to_one_without_its_heading_is_found() {
    let (problems, _) = made("# A\n");
    assert!(
        problems
            .iter()
            .any(|problem| problem.contains("`guide/a.html#the-end`")),
        "{problems:?}"
    );
}

#[test]
fn a_page_that_the_summary_leaves_out_is_found() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    repository(folder.path(), &format!("# A{END}"));
    fs::write(folder.path().join("docs/guide/left-out.md"), "# x\n")
        .expect("a file can be written");
    let made = make(folder.path(), &folder.path().join("out")).expect("a book can be made");
    assert_eq!(
        made.problems,
        ["docs/guide/left-out.md: docs/SUMMARY.md doesn't name it"]
    );
}
