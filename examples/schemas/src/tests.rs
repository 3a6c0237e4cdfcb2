//! Tests with valid, invalid and too large schemas and documents.

use super::*;

const SCHEMA: &str = r#"{
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]+$"},
        "ports": {"type": "array", "items": {"type": "integer", "maximum": 65535}}
    }
}"#;

fn compiled(schemas: &Schemas) -> Object<Schema> {
    schemas.compile(SCHEMA.to_owned()).unwrap()
}

fn refused(schema: &str) -> SchemaError {
    match Schemas::default().compile(schema.to_owned()) {
        Err(refused) => refused,
        Ok(_) => panic!("{schema} is a schema"),
    }
}

#[test]
fn a_document_that_is_right_passes() {
    let schema = compiled(&Schemas::default());
    assert!(schema.check(r#"{"name": "a"}"#.to_owned()).is_ok());
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_the_rule() {
    let schema = compiled(&Schemas::default());
    let document = r#"{"name": "A", "ports": [80, 70000]}"#;
    match schema.check(document.to_owned()) {
        Err(DocumentError::Invalid { violations }) => {
            let mut places: Vec<(&str, &str)> = violations
                .iter()
                .map(|it| (it.place.as_str(), it.rule.as_str()))
                .collect();
            places.sort_unstable();
            assert_eq!(
                places,
                [
                    ("/name", "/properties/name/pattern"),
                    ("/ports/1", "/properties/ports/items/maximum")
                ]
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn no_more_is_told_than_was_asked_for() {
    let config = SchemasConfig {
        most_violations: 1,
        ..SchemasConfig::default()
    };
    let schema = compiled(&Schemas::create(config).unwrap());
    match schema.check(r#"{"name": 1, "ports": 2}"#.to_owned()) {
        Err(DocumentError::Invalid { violations }) => assert_eq!(violations.len(), 1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_json_is_told_with_line_and_column() {
    let schema = compiled(&Schemas::default());
    match schema.check("{\n  \"name\": \"a\",\n}".to_owned()) {
        Err(DocumentError::NotJson {
            problem,
            line,
            column,
        }) => {
            assert_eq!((line, column), (3, 1));
            assert_eq!(problem, "trailing comma");
        }
        other => panic!("{other:?}"),
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(
        schema.check(deep),
        Err(DocumentError::NotJson { .. })
    ));
    assert!(matches!(refused("{"), SchemaError::NotJson { line: 1, .. }));
}

#[test]
fn a_schema_that_is_none_is_refused() {
    for (schema, wanted) in [
        (r#"{"type": "nothing"}"#, "/type"),
        (
            r#"{"properties": {"a": {"minimum": "1"}}}"#,
            "/properties/a/minimum",
        ),
    ] {
        match refused(schema) {
            SchemaError::NoSchema { place, .. } => assert_eq!(place, wanted),
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(refused("3"), SchemaError::NoSchema { .. }));
}

#[test]
fn nothing_is_fetched() {
    for place in ["https://a.example/schema", "file:///etc/hostname"] {
        match refused(&format!(r#"{{"$ref": "{place}"}}"#)) {
            SchemaError::NoSchema { problem, .. } => {
                assert!(problem.contains(place), "{problem}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn none_of_what_is_wrong_can_not_be_asked_for() {
    let config = SchemasConfig {
        most_violations: 0,
        ..SchemasConfig::default()
    };
    assert!(Schemas::create(config).is_err());
}

#[test]
fn a_value_is_not_told_and_no_text_is_long() {
    let schema = r#"{"minLength": 2000000, "type": "integer", "additionalProperties": false}"#;
    let schema = Schemas::default().compile(schema.to_owned()).unwrap();
    let long = "secret".repeat(100_000);
    for document in [format!("\"{long}\""), format!("{{\"{long}\": 1}}")] {
        match schema.check(document) {
            Err(DocumentError::Invalid { violations }) => {
                assert!(violations.len() == 2);
                assert!(violations.iter().all(|it| it.problem.len() <= 300));
                let types = violations.iter().find(|it| it.rule == "/type").unwrap();
                assert_eq!(types.problem, r#"value is not of type "integer""#);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_schema_that_refers_to_itself_for_the_same_value_is_refused() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"$ref": "#"}]}"##,
        r##"{"if": {"not": {"anyOf": [{"$ref": "#/if"}]}}}"##,
        r##"{"dependentSchemas": {"a": {"oneOf": [{"$ref": "#"}]}}}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"else": {"$ref": "#/$defs/a"}}}}"##,
    ] {
        match refused(schema) {
            SchemaError::NoSchema { problem, .. } => {
                assert_eq!(
                    problem, "it refers to itself for the same value",
                    "{schema}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_schema_that_refers_to_itself_for_what_is_in_the_value_is_one() {
    let tree = r##"{
        "$id": "https://a.example/tree",
        "type": "object",
        "properties": {"left": {"$ref": "#"}, "right": {"allOf": [{"$ref": "#"}]}}
    }"##;
    let tree = Schemas::default().compile(tree.to_owned()).unwrap();
    let deep = r#"{"right":"#.repeat(100) + "{}" + &"}".repeat(100);
    assert!(tree.check(deep).is_ok());
    assert!(tree.check(r#"{"left": {"right": 1}}"#.to_owned()).is_err());
}

#[test]
fn references_that_are_not_followed_are_refused() {
    for schema in [
        r##"{"$dynamicRef": "#"}"##,
        r##"{"$recursiveRef": "#"}"##,
        r##"{"$ref": "#a", "$defs": {"b": {"$anchor": "a"}}}"##,
        r##"{"allOf": [{"$id": "https://a.example/b", "$ref": "#"}]}"##,
        r##"{"$ref": "#/a/b", "a": {"$id": "https://a.example/b", "b": {"$ref": "#"}}}"##,
        r##"{"$schema": "http://json-schema.org/draft-04/schema#", "not": {"id": "b"}}"##,
    ] {
        assert!(matches!(refused(schema), SchemaError::NoSchema { .. }));
    }
}

/// Returns a schema with `length` definitions, each of which refers `times` times to the definition before it.
fn chain(length: usize, times: usize) -> String {
    let definitions: Vec<String> = (1..=length)
        .map(|n| {
            let reference = format!(r##"{{"$ref": "#/$defs/{}"}}"##, n - 1);
            format!(
                r#""{n}": {{"allOf": [{}]}}"#,
                vec![reference; times].join(",")
            )
        })
        .collect();
    let definitions = definitions.join(",");
    format!(
        r##"{{"$ref": "#/$defs/{length}", "$defs": {{"0": {{"type": "integer"}}, {definitions}}}}}"##
    )
}

#[test]
fn a_short_schema_that_stands_for_too_many_is_refused() {
    let nested = r#"{"unevaluatedProperties": false, "properties": {"a": "#;
    let nested = nested.repeat(30) + "true" + &"}}".repeat(30);
    // Expands to at least four to the power of seven schemas.
    let wide = format!("{{\"items\": {}}}", chain(7, 4).replace("#/", "#/items/"));
    for schema in [wide, nested, chain(20, 2), chain(10_000, 1)] {
        assert!(matches!(refused(&schema), SchemaError::TooLarge { .. }));
    }
    for schema in [chain(7, 2), chain(7, 1)] {
        let schema = Schemas::default().compile(schema).unwrap();
        assert!(schema.check("1".to_owned()).is_ok());
        assert!(schema.check("{}".to_owned()).is_err());
    }
}

#[test]
fn a_deep_document_does_not_end_the_host_by_a_schema_that_is_as_deep_as_it_may_be() {
    let again = r##""0": {"items": {"$ref": "#"}, "type": "array"}"##;
    let schema = chain(7, 1).replace(r#""0": {"type": "integer"}"#, again);
    let schema = Schemas::default().compile(schema).unwrap();
    let deep = |inner: &str| "[".repeat(120) + inner + &"]".repeat(120);
    assert!(schema.check(deep("")).is_ok());
    assert!(schema.check(deep("1")).is_err());
    assert!(matches!(
        refused(&chain(8, 1)),
        SchemaError::TooLarge { .. }
    ));
}
