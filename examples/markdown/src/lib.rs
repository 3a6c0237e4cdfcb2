//! A plugin that converts Markdown to HTML that is safe to show to anyone. It also returns the headings, for a table of contents.

mod safe;

use std::collections::HashMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use rustbridge::prelude::*;

/// The configuration of an instance. Every field has a default, so `{}` is a valid configuration.
#[derive(Clone, Debug, Message)]
#[serde(default, deny_unknown_fields)]
pub struct MarkdownConfig {
    /// Whether the authors of pages are trusted. If so, HTML in a page stays HTML, and links may have any scheme. Otherwise, HTML is
    /// shown as text, and a link with a scheme other than those of the web and of mailboxes leads nowhere.
    pub trusted: bool,
    /// The maximum size of a page, in bytes.
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

/// A page that was converted to HTML.
#[derive(Debug, Message)]
pub struct Page {
    /// The text of the first heading that isn't empty, or the page's name.
    pub title: String,
    /// All headings, in order.
    pub headings: Vec<Heading>,
    /// The HTML for the body of a document.
    pub html: String,
}

/// A heading of a page.
#[derive(Debug, Message, PartialEq)]
pub struct Heading {
    /// The level, from 1 (the largest heading) to 6.
    pub level: u8,
    /// The text, without markup.
    pub text: String,
    /// The heading's `id` in the HTML. No other heading or footnote of the page has the same one.
    pub anchor: String,
}

/// The reason why a page couldn't be converted.
#[derive(Debug, thiserror::Error, StatusError)]
pub enum PageError {
    /// The page isn't UTF-8.
    #[error("the page isn't UTF-8 from byte {at} on")]
    #[status(INVALID_ARGUMENT)]
    NotText {
        /// The offset of the first invalid byte, counted from 0.
        at: u64,
    },
    /// The page is longer than the configuration allows.
    #[error("the page has {bytes} bytes, and {most} are allowed")]
    #[status(RESOURCE_EXHAUSTED)]
    TooLong {
        /// The number of bytes in the page.
        bytes: u64,
        /// The maximum number of bytes.
        most: u64,
    },
}

/// The state of an instance: its configuration.
#[derive(Debug, Default)]
pub struct Markdown {
    config: MarkdownConfig,
}

/// Converts Markdown to HTML: CommonMark with tables, footnotes, strikethrough and task lists.
#[plugin(name = "markdown")]
impl Markdown {
    /// Creates an instance.
    pub fn create(config: MarkdownConfig) -> Result<Markdown> {
        Ok(Markdown { config })
    }

    /// Converts a page to HTML. The source is the content of a file in UTF-8, which may begin with a byte order mark. The name becomes
    /// the title if no heading has text.
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

/// Sets a unique anchor for each heading, and returns the headings.
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
        // The anchor with its number may already belong to another heading.
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

/// Sets an `id` for footnotes that no heading has: it contains a colon, and anchors don't.
fn name_footnotes(events: &mut [Event<'_>]) {
    for event in events {
        if let Event::FootnoteReference(name) | Event::Start(Tag::FootnoteDefinition(name)) = event
        {
            *name = format!("footnote:{name}").into();
        }
    }
}

/// Returns an anchor made of a heading's words. It may not be unique.
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
