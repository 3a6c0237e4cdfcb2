//! Tests with valid, invalid and too large patterns.

use futures_util::{FutureExt as _, StreamExt as _};

use super::*;

fn pattern(pattern: &str) -> Object<Pattern> {
    let compiled = Patterns::default().compile(pattern, Flags::default());
    compiled.unwrap()
}

fn refused(pattern: &str, flags: Flags) -> PatternError {
    match Patterns::default().compile(pattern, flags) {
        Err(refused) => refused,
        Ok(_) => panic!("{pattern} is compiled"),
    }
}

#[test]
fn a_pattern_is_found_wherever_it_is() {
    let word = pattern(r"\b\w+\b");
    assert!(word.matches("ä".into()));
    let spans = word.find_all("Grüße, 世界".into()).unwrap();
    assert_eq!(
        spans,
        [Span { start: 0, end: 7 }, Span { start: 9, end: 15 }]
    );
}

#[test]
fn groups_are_caught_and_put_elsewhere() {
    let dated = pattern(r"(?<year>\d{4})-(\d\d)(-\d\d)?");
    let caught = dated.capture("in 2026-11".into()).unwrap();
    assert_eq!(caught[1].as_deref(), Some("2026"));
    assert_eq!(caught[3], None);
    assert_eq!(dated.capture("never".into()), None);
    let elsewhere = dated.replace_all("in 2026-11!", "$2/${year}");
    assert_eq!(elsewhere.unwrap(), "in 11/2026!");
    let emptied = pattern("a|$").replace_all("aaa", "");
    assert_eq!(emptied.unwrap(), "");
    assert_eq!(dated.replace_all("never", "$1").unwrap(), "never");
}

#[test]
fn flags_are_heard() {
    let flags = Flags {
        ignore_case: true,
        literal: true,
    };
    let literal = Patterns::default().compile("A.B(", flags).unwrap();
    assert!(literal.matches("a.b(".into()));
    assert!(!literal.matches("axb(".into()));
}

#[test]
fn a_wrong_pattern_is_refused_with_the_place() {
    for (pattern, wanted) in [
        ("ab(c", 2),
        ("a{2,1}", 1),
        (r"ä[z-a]", 3),
        (r"\p{No}\p{X}", 6),
    ] {
        match refused(pattern, Flags::default()) {
            PatternError::Syntax { at, problem, .. } => {
                assert_eq!(at, wanted, "{pattern}: {problem}");
                assert!(!problem.contains('\n'), "{problem}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_pattern_that_would_take_too_much_memory_is_refused() {
    let large = r"\w{1000}{1000}";
    assert!(matches!(
        refused(large, Flags::default()),
        PatternError::TooLarge { .. }
    ));
}

#[test]
fn a_text_is_no_trap_for_a_pattern() {
    // With backtracking, the time would grow with two to the power of the text's length.
    let text = "a".repeat(10_000);
    assert!(!pattern("(a+)+$b").matches(text));
}

#[test]
fn lines_are_redacted_as_they_come() {
    let rules = [(r"\d{3,}", "#"), ("#+", "[number]")].map(|(pattern, by)| Rule {
        pattern: pattern.to_owned(),
        by: by.to_owned(),
    });
    let redactor = Patterns::default().redactor(rules.to_vec()).unwrap();
    let lines = ["call 555 1234", "nothing"].map(str::to_owned);
    let redacted = redactor.redact(Items::from_iter(lines)).collect::<Vec<_>>();
    let redacted: Result<Vec<String>> = redacted.now_or_never().unwrap().into_iter().collect();
    assert_eq!(redacted.unwrap(), ["call [number] [number]", "nothing"]);
}

#[test]
fn a_rule_that_is_wrong_is_named() {
    let rules = vec![Rule {
        pattern: "(".to_owned(),
        by: String::new(),
    }];
    match Patterns::default().redactor(rules) {
        Err(PatternError::Syntax { pattern, .. }) => assert_eq!(pattern, "("),
        _ => panic!("it's compiled"),
    }
}

#[test]
fn what_is_replaced_does_not_grow_without_limit() {
    let text = "a".repeat(200_000);
    let same = pattern("a").replace_all(&text, "bbbb").unwrap();
    assert_eq!(same.len(), 800_000);
    let (long, groups) = ("b".repeat(200_000), "$0".repeat(100_000));
    for (it, by) in [("a", &long), ("a+", &groups), ("^", &"b".repeat(900_000))] {
        let refused = pattern(it).replace_all(&text, by).unwrap_err();
        assert_eq!(refused.status(), Status::ResourceExhausted);
    }
    let rules = vec![Rule {
        pattern: "a".to_owned(),
        by: "aaaa".to_owned(),
    }];
    // The limit applies to each line separately.
    let redactor = Patterns::default().redactor(rules).unwrap();
    let lines = [text, "a".repeat(300_000)];
    let redacted = redactor.redact(Items::from_iter(lines)).collect::<Vec<_>>();
    let redacted = redacted.now_or_never().unwrap();
    assert!(redacted[0].is_ok() && redacted[1].is_err());
}

#[test]
fn a_text_that_is_too_long_to_find_all_in_it_is_refused() {
    let config = PatternsConfig {
        longest_text: 3,
        ..PatternsConfig::default()
    };
    let patterns = Patterns::create(config).unwrap();
    let a = patterns.compile("a", Flags::default()).unwrap();
    assert_eq!(a.find_all("aaa".into()).unwrap().len(), 3);
    assert!(a.find_all("aaaa".into()).is_err());
    assert!(a.replace_all("aaaa", "").is_err());
    assert!(a.matches("aaaa".into()));
}
