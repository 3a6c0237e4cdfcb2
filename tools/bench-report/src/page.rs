//! A report as one HTML page that needs nothing but itself: no script, no font, no network.
//!
//! It's written so that an XML parser reads it, too.

use std::fmt::Write as _;

use crate::charts::escape;
use crate::report::model::{Block, Cell, Report, Section, Table, Tone};

const STYLE: &str = include_str!("page.css");

/// The page, ending in one line feed.
#[must_use]
pub fn page(report: &Report) -> String {
    let mut page = Page::default();
    for section in &report.sections {
        page.section(section, 2);
    }
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n<link rel=\"icon\" href=\"data:,\"/>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n",
        escape(&report.title),
        inline(&report.title),
        inline(&report.lead),
    );
    if !report.cards.is_empty() {
        text.push_str("<ul class=\"cards\">\n");
        for card in &report.cards {
            let class = if card.bad { " class=\"bad\"" } else { "" };
            let (figure, about) = (inline(&card.figure), inline(&card.about));
            let _ = writeln!(
                text,
                "<li{class}><strong>{figure}</strong><span>{about}</span></li>"
            );
        }
        text.push_str("</ul>\n");
    }
    text.push_str("<nav aria-label=\"Contents\">\n<ul>\n");
    for section in &report.sections {
        let _ = writeln!(
            text,
            "<li><a href=\"#{}\">{}</a></li>",
            section.id,
            inline(&section.title)
        );
    }
    let _ = write!(
        text,
        "</ul>\n</nav>\n</header>\n<main>\n{}</main>\n</body>\n</html>\n",
        page.text
    );
    text
}

#[derive(Default)]
struct Page {
    text: String,
    charts: usize,
    tables: usize,
}

impl Page {
    fn section(&mut self, section: &Section, level: usize) {
        let (id, title) = (&section.id, inline(&section.title));
        let _ = writeln!(
            self.text,
            "<section id=\"{id}\">\n<h{level}><a href=\"#{id}\">{title}</a></h{level}>"
        );
        for block in &section.blocks {
            self.block(block);
        }
        for part in &section.parts {
            self.section(part, level + 1);
        }
        self.text.push_str("</section>\n");
    }

    fn block(&mut self, block: &Block) {
        let _ = match block {
            Block::Text(text) => writeln!(self.text, "<p>{}</p>", inline(text)),
            Block::Warning(text) => {
                writeln!(
                    self.text,
                    "<p class=\"warning\"><strong>Note:</strong> {}</p>",
                    inline(text)
                )
            }
            Block::List(points) => {
                let points: String = points
                    .iter()
                    .map(|point| format!("<li>{}</li>\n", inline(point)))
                    .collect();
                writeln!(self.text, "<ul>\n{points}</ul>")
            }
            Block::Advice(advice) => {
                self.text.push_str("<ul class=\"advice\">\n");
                for advice in advice {
                    let because: Vec<String> =
                        advice.because.iter().map(|figure| inline(figure)).collect();
                    let (what, because) = (inline(&advice.what), because.join("; "));
                    let _ = writeln!(
                        self.text,
                        "<li><strong>{what}</strong> <span>{because}</span></li>"
                    );
                }
                writeln!(self.text, "</ul>")
            }
            Block::Charts(charts) => {
                self.text.push_str("<div class=\"charts\">\n");
                for chart in charts {
                    self.charts += 1;
                    let svg = chart.svg(&format!("chart-{}", self.charts));
                    let title = inline(&chart.title);
                    let _ = writeln!(
                        self.text,
                        "<figure>\n<figcaption>{title}</figcaption>\n{svg}\n</figure>"
                    );
                }
                writeln!(self.text, "</div>")
            }
            Block::Table(table) => {
                self.table(table);
                Ok(())
            }
        };
    }

    fn table(&mut self, table: &Table) {
        self.tables += 1;
        let number = self.tables;
        // Outside of what scrolls, so that it's never cut off.
        let caption = inline(&table.caption);
        let _ = writeln!(
            self.text,
            "<p class=\"caption\" id=\"table-{number}\">{caption}</p>"
        );
        // Who moves by keys must be able to scroll it, and is told what it is.
        let _ = writeln!(
            self.text,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table-{number}\">\n\
             <table aria-labelledby=\"table-{number}\">"
        );
        let words = |column: usize| column == 0 || table.words.contains(&column);
        self.text.push_str("<thead><tr>");
        for (index, column) in table.columns.iter().enumerate() {
            let class = if words(index) { " class=\"words\"" } else { "" };
            let _ = write!(
                self.text,
                "<th scope=\"col\"{class}>{}</th>",
                inline(column)
            );
        }
        self.text.push_str("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            self.text.push_str("<tr>");
            for (index, cell) in row.iter().enumerate() {
                self.cell(cell, index == 0, words(index), table, number);
            }
            self.text.push_str("</tr>\n");
        }
        self.text.push_str("</tbody>\n</table>\n</div>\n");
        if !table.notes.is_empty() {
            self.text.push_str("<ol class=\"notes\">\n");
            for (index, note) in table.notes.iter().enumerate() {
                let _ = writeln!(
                    self.text,
                    "<li id=\"note-{number}-{}\">{}</li>",
                    index + 1,
                    inline(note)
                );
            }
            self.text.push_str("</ol>\n");
        }
    }

    fn cell(&mut self, cell: &Cell, first: bool, words: bool, table: &Table, number: usize) {
        let tone = match cell.tone {
            Tone::Plain => "",
            Tone::Best => "best",
            Tone::Good => "good",
            Tone::Bad => "bad",
            Tone::Empty => "none",
        };
        let mut classes: Vec<&str> = Vec::new();
        if words && !first {
            classes.push("words");
        }
        if !tone.is_empty() {
            classes.push(tone);
        }
        let class = if classes.is_empty() {
            String::new()
        } else {
            format!(" class=\"{}\"", classes.join(" "))
        };
        let why = cell.note.and_then(|note| table.notes.get(note - 1));
        let hint = if cell.title.is_empty() {
            why.map(String::as_str).unwrap_or_default()
        } else {
            &cell.title
        };
        let title = if hint.is_empty() {
            String::new()
        } else {
            format!(" title=\"{}\"", escape(hint))
        };
        let tag = if first { "th scope=\"row\"" } else { "td" };
        let _ = write!(self.text, "<{tag}{class}{title}>{}", inline(&cell.text));
        if let Some(note) = cell.note {
            let _ = write!(
                self.text,
                "<sup><a href=\"#note-{number}-{note}\">{note}</a></sup>"
            );
        }
        if !cell.under.is_empty() {
            let _ = write!(self.text, "<small>{}</small>", inline(&cell.under));
        }
        self.text.push_str(if first { "</th>" } else { "</td>" });
    }
}

/// Text in which only what stands between backquotes means anything.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, piece) in text.split('`').enumerate() {
        if index % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", escape(piece));
        } else {
            out.push_str(&escape(piece));
        }
    }
    out
}
