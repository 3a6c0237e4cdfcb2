//! A report as Markdown.

use std::fmt::Write as _;

use crate::report::model::{Advice, Block, Cell, Report, Section, Table, Tone};

/// The report, ending in one line feed.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let mut text = format!("# {}\n\n{}\n", inline(&report.title), inline(&report.lead));
    if !report.cards.is_empty() {
        text.push('\n');
    }
    for card in &report.cards {
        let _ = writeln!(
            text,
            "- **{}** {}",
            inline(&card.figure),
            inline(&card.about)
        );
    }
    text.push('\n');
    for section in &report.sections {
        let _ = writeln!(text, "- [{}](#{})", inline(&section.title), section.id);
    }
    for section in &report.sections {
        text.push_str(&self::section(section, 2));
    }
    text
}

/// A section and its parts; `level` is that of its heading.
#[must_use]
pub fn section(section: &Section, level: usize) -> String {
    let mut text = format!(
        "\n<a id=\"{}\"></a>\n\n{} {}\n",
        section.id,
        "#".repeat(level),
        inline(&section.title)
    );
    for block in &section.blocks {
        text.push('\n');
        text.push_str(&self::block(block));
    }
    for part in &section.parts {
        text.push_str(&self::section(part, level + 1));
    }
    text
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => format!("{}\n", inline(text)),
        Block::Warning(text) => format!("> **Note:** {}\n", inline(text)),
        Block::List(points) => points
            .iter()
            .map(|point| format!("- {}\n", inline(point)))
            .collect(),
        Block::Table(table) => self::table(table),
        Block::Advice(advice) => advice.iter().map(recommendation).collect(),
        Block::Charts(charts) => {
            let drawn = charts.iter().filter_map(|chart| {
                let letters = chart.letters()?;
                Some(format!(
                    "{}\n\n```text\n{letters}```\n",
                    inline(&chart.title)
                ))
            });
            drawn.collect::<Vec<_>>().join("\n")
        }
    }
}

fn recommendation(advice: &Advice) -> String {
    let because: Vec<String> = advice.because.iter().map(|figure| inline(figure)).collect();
    format!("- **{}** ({})\n", inline(&advice.what), because.join("; "))
}

/// A table, its caption above and its notes below.
#[must_use]
pub fn table(table: &Table) -> String {
    let mut text = String::new();
    if !table.caption.is_empty() {
        let _ = writeln!(text, "**{}**\n", inline(&table.caption));
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    text.push_str(&line(
        table.columns.iter().map(|column| inline(column)).collect(),
    ));
    let rules = (0..table.columns.len()).map(|column| {
        let words = column == 0 || table.words.contains(&column);
        if words { "---" } else { "---:" }.to_owned()
    });
    text.push_str(&line(rules.collect()));
    for row in &table.rows {
        text.push_str(&line(row.iter().map(cell).collect()));
    }
    if !table.notes.is_empty() {
        text.push('\n');
    }
    for (index, note) in table.notes.iter().enumerate() {
        let _ = writeln!(text, "{}. {}", index + 1, inline(note));
    }
    text
}

fn cell(cell: &Cell) -> String {
    let mut text = match cell.tone {
        Tone::Best if !cell.text.is_empty() => format!("**{}**", inline(&cell.text)),
        Tone::Bad if !cell.text.is_empty() => format!("🔴 **{}**", inline(&cell.text)),
        _ => inline(&cell.text),
    };
    if !cell.under.is_empty() {
        let _ = write!(text, " ({})", inline(&cell.under));
    }
    if let Some(note) = cell.note {
        let _ = write!(text, " \\[{note}\\]");
    }
    text
}

/// Text in which only what stands between backquotes means anything.
pub(crate) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, piece) in text.split('`').enumerate() {
        if index % 2 == 1 {
            // A table's bars are found before its code is.
            let _ = write!(out, "`{}`", piece.replace('|', "\\|"));
            continue;
        }
        for c in piece.chars() {
            match c {
                '\\' | '|' | '<' | '>' | '*' | '_' | '[' | ']' => {
                    out.push('\\');
                    out.push(c);
                }
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_markdown_is_taken_as_it_stands() {
        assert_eq!(inline("a|b *c* `x|y*`\n"), "a\\|b \\*c\\* `x\\|y*` ");
    }

    #[test]
    fn a_bad_figure_is_told_by_more_than_its_colour() {
        let over = Cell::text("over").tone(Tone::Bad).under("2.1×").noted(3);
        assert_eq!(cell(&over), "🔴 **over** (2.1×) \\[3\\]");
    }
}
