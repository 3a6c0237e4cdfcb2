//! Markdown to HTML that may be shown to anybody, with the headings for a table of contents.

mod safe;

use std::collections::HashMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use rustbridge::prelude::*;

/// How an instance is set up. Everything has a default, so `{}` is enough.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct MarkdownConfig {
    /// Whether HTML in a page stays HTML, and links may have any scheme: for pages of authors who are trusted. Otherwise the HTML is
    /// shown as text, and a link elsewhere than to the web or a mailbox leads nowhere.
    pub trusted: bool,
    /// How many bytes a page may have.
    pub longest: u64,
}

impl Default for MarkdownConfig {
    fn default() -> MarkdownConfig {
        MarkdownConfig {
            trusted: false,
            longest: 1 << 20,
        }
    }
}

/// A page.
#[derive(Debug, Message)]
pub struct Page {
    /// The text of its first heading that has one, or its name.
    pub title: String,
    /// All its headings, in order.
    pub headings: Vec<Heading>,
    /// What goes into the body of a document.
    pub html: String,
}

/// A heading of a page.
#[derive(Debug, Message, PartialEq)]
pub struct Heading {
    /// From 1, the largest, to 6.
    pub level: u8,
    /// Its words.
    pub text: String,
    /// The `id` that it has in the HTML, and no other heading or footnote of the page has.
    pub anchor: String,
}

/// Why there's no HTML of a page.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PageError {
    /// It isn't text.
    #[error("the page isn't UTF-8 from byte {at} on")]
    #[status(INVALID_ARGUMENT)]
    NotText {
        /// The first byte that is wrong, counted from 0.
        at: u64,
    },
    /// It's longer than the configuration lets it be.
    #[error("the page has {bytes} bytes, and {most} are allowed")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLong {
        /// How many it has.
        bytes: u64,
        /// How many it may have.
        most: u64,
    },
}

/// Makes HTML of Markdown.
#[derive(Debug, Default)]
pub struct Markdown {
    config: MarkdownConfig,
}

/// Markdown to HTML: CommonMark with tables, footnotes, strikethrough and task lists.
#[plugin(name = "markdown")]
impl Markdown {
    /// Makes an instance.
    pub fn create(config: MarkdownConfig) -> Result<Markdown> {
        Ok(Markdown { config })
    }

    /// Makes HTML of a page of that name as it lies in a file: UTF-8, which may begin with a byte order mark.
    pub fn render(&self, name: &str, source: &[u8]) -> Result<Page, PageError> {
        let bytes = source.len() as u64;
        if bytes > self.config.longest {
            let most = self.config.longest;
            return Err(PageError::TooLong { bytes, most });
        }
        let text = std::str::from_utf8(source).map_err(|error| PageError::NotText {
            at: error.valid_up_to() as u64,
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let extensions = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS;
        let mut events: Vec<Event<'_>> = Parser::new_ext(text, extensions).collect();
        if !self.config.trusted {
            safe::make(&mut events);
        }
        let headings = with_anchors(&mut events);
        name_footnotes(&mut events);
        let mut written = String::with_capacity(text.len() * 3 / 2);
        html::push_html(&mut written, events.into_iter());
        Ok(Page {
            title: headings
                .iter()
                .map(|heading| heading.text.trim())
                .find(|text| !text.is_empty())
                .unwrap_or(name)
                .to_owned(),
            headings,
            html: written,
        })
    }
}

/// Gives each heading an anchor of its own, and tells of them.
fn with_anchors(events: &mut [Event<'_>]) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut taken: HashMap<String, u32> = HashMap::new();
    for start in 0..events.len() {
        let Event::Start(Tag::Heading { level, .. }) = &events[start] else {
            continue;
        };
        let level = *level as u8;
        let text: String = events[start..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                Event::SoftBreak | Event::HardBreak => Some(" "),
                _ => None,
            })
            .collect();
        let mut anchor = anchor(&text);
        // Another heading may be called as this one would be with its number.
        while let Some(others) = taken.get_mut(&anchor) {
            *others += 1;
            anchor = format!("{anchor}-{others}");
        }
        taken.insert(anchor.clone(), 1);
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
            *id = Some(anchor.clone().into());
        }
        headings.push(Heading {
            level,
            text,
            anchor,
        });
    }
    headings
}

/// Gives footnotes an `id` that no heading has: there's no colon in an anchor.
fn name_footnotes(events: &mut [Event<'_>]) {
    for event in events {
        if let Event::FootnoteReference(name) | Event::Start(Tag::FootnoteDefinition(name)) = event
        {
            *name = format!("footnote:{name}").into();
        }
    }
}

/// The words of a heading as the name of a place.
fn anchor(text: &str) -> String {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    match words.as_slice() {
        [] => "section".to_owned(),
        words => words.join("-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(source: &str) -> Page {
        Markdown::default().render("a", source.as_bytes()).unwrap()
    }

    #[test]
    fn a_page_becomes_html_with_its_title_and_anchors() {
        let page = page("\u{feff}# A *title*\n\nText.\n\n## Part `one`\n\n## Part one\n\n## ?\n");
        assert_eq!(page.title, "A title");
        let anchors: Vec<&str> = page.headings.iter().map(|it| it.anchor.as_str()).collect();
        assert_eq!(anchors, ["a-title", "part-one", "part-one-2", "section"]);
        assert_eq!(page.headings[1].level, 2);
        assert!(
            page.html
                .starts_with("<h1 id=\"a-title\">A <em>title</em></h1>\n<p>Text.</p>"),
            "{}",
            page.html
        );
    }

    #[test]
    fn anchors_are_told_apart_whatever_headings_are_called() {
        let page = page("# a\n# a\n# a 2\n# a\n");
        let mut anchors: Vec<&str> = page.headings.iter().map(|it| it.anchor.as_str()).collect();
        anchors.sort_unstable();
        anchors.dedup();
        assert_eq!(anchors.len(), 4, "{:?}", page.headings);
    }

    #[test]
    fn footnotes_have_places_of_their_own() {
        let page = page("# a\n# a\n\nb[^a-2]\n\n[^a-2]: c\n");
        assert_eq!(page.headings[1].anchor, "a-2");
        for once in [
            "id=\"a-2\"",
            "id=\"footnote:a-2\"",
            "href=\"#footnote:a-2\"",
        ] {
            assert_eq!(page.html.matches(once).count(), 1, "{}", page.html);
        }
    }

    #[test]
    fn lines_of_a_heading_are_words_apart_and_an_empty_one_is_no_title() {
        let page = page("#\n\nb\\\nc\nd\n===\n");
        assert_eq!(page.title, "b c d");
        assert_eq!(page.headings[1].anchor, "b-c-d");
    }

    #[test]
    fn tables_and_tasks_are_there() {
        let page = page("|a|b|\n|-|-|\n|1|2|\n\n- [x] done\n");
        assert!(page.html.contains("<td>2</td>"), "{}", page.html);
        assert!(page.html.contains("checkbox"), "{}", page.html);
        assert_eq!(page.title, "a");
    }

    #[test]
    fn what_isnt_utf_8_is_refused_with_its_place() {
        match Markdown::default().render("a", b"# caf\xe9\n") {
            Err(PageError::NotText { at }) => assert_eq!(at, 5),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let config = MarkdownConfig {
            longest: 3,
            ..MarkdownConfig::default()
        };
        let markdown = Markdown::create(config).unwrap();
        assert!(markdown.render("a", b"abc").is_ok());
        let refused = markdown.render("a", b"abcd").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the page has 4 bytes, and 3 are allowed"
        );
    }

    #[test]
    fn html_of_trusted_authors_stays_and_of_others_is_text() {
        let source =
            "a <b>b</b>\n\n<script>x()</script>\n\n[c](javascript:x()) [d](HTTPS://e.example)\n";
        let shown = page(source).html;
        assert!(!shown.contains("<script>"), "{shown}");
        assert!(!shown.contains("<b>"), "{shown}");
        assert!(!shown.contains("javascript:"), "{shown}");
        assert!(shown.contains("&lt;script&gt;"), "{shown}");
        assert!(shown.contains("href=\"HTTPS://e.example\""), "{shown}");
        let config = MarkdownConfig {
            trusted: true,
            ..MarkdownConfig::default()
        };
        let trusting = Markdown::create(config).unwrap();
        let shown = trusting.render("a", source.as_bytes()).unwrap().html;
        assert!(shown.contains("<script>x()</script>"), "{shown}");
    }
}
