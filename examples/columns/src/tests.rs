//! Tests with files that are valid tables, and with files that aren't.

use super::*;

fn dialect(delimiter: char) -> Dialect {
    Dialect { delimiter }
}

fn table(file: &str) -> Object<Table> {
    Columns::default()
        .read(dialect(','), file.as_bytes())
        .unwrap()
}

fn refused(file: &[u8]) -> CsvError {
    match Columns::default().read(dialect(','), file) {
        Err(refused) => refused,
        Ok(table) => panic!("it has {} rows", table.rows()),
    }
}

fn numbers(table: &Table, name: &str) -> Vec<f64> {
    let bytes = table.numbers(name.to_owned()).unwrap();
    bytes
        .chunks_exact(8)
        .map(|number| f64::from_ne_bytes(number.try_into().unwrap()))
        .collect()
}

#[test]
fn columns_are_numbers_where_all_cells_are() {
    let table = table("\u{feff}day,rain,where\nMon,1.5,\"A, or B\"\nTue,,C\nWed, -2e3 ,\n");
    assert_eq!(table.rows(), 3);
    let columns = table.columns();
    let kinds: Vec<(&str, Kind, u64)> = columns
        .iter()
        .map(|it| (it.name.as_str(), it.kind, it.missing))
        .collect();
    assert_eq!(
        kinds,
        [
            ("day", Kind::Texts, 0),
            ("rain", Kind::Numbers, 1),
            ("where", Kind::Texts, 1)
        ]
    );
    let rain = numbers(&table, "rain");
    assert_eq!((rain[0], rain[2]), (1.5, -2000.0));
    assert!(rain[1].is_nan());
    assert_eq!(
        table.texts("where".to_owned()).unwrap(),
        ["A, or B", "C", ""]
    );
    assert_eq!(
        table.texts("rain".to_owned()).unwrap(),
        ["1.5", "", "-2000"]
    );
}

#[test]
fn what_a_double_would_falsify_is_text() {
    for odd in [
        "nan",
        "-inf",
        "infinity",
        "1e999",
        "01234",
        "-007",
        "9007199254740993",
        "1_000",
    ] {
        let table = table(&format!("a\n1\n{odd}\n"));
        assert_eq!(table.columns()[0].kind, Kind::Texts, "{odd}");
        assert_eq!(table.texts("a".to_owned()).unwrap(), ["1", odd]);
    }
    let table = table("a\n0\n-0.5\n.5\n+1\n123456789012345\n1234567890.0123456789\n");
    assert_eq!(table.columns()[0].kind, Kind::Numbers);
    assert_eq!(numbers(&table, "a")[..4], [0.0, -0.5, 0.5, 1.0]);
}

#[test]
fn a_long_cell_does_not_make_each_row_as_long() {
    // If each row took as much memory as the longest cell, this would take 100 GB.
    let file = format!("a\n{}\n{}", "x".repeat(1 << 20), "1\n".repeat(100_000));
    assert_eq!(table(&file).rows(), 100_001);
}

#[test]
fn limits_are_the_configurations() {
    let config = ColumnsConfig {
        most_bytes: 11,
        most_cells: 4,
    };
    let strict = Columns::create(config).unwrap();
    assert!(strict.read(dialect(','), b"a,b\n1,2345\n").is_ok());
    for (file, wanted) in [("a,b\n1,23456\n", "bytes"), ("a,b\n1,\n,\n", "cells")] {
        match strict.read(dialect(','), file.as_bytes()) {
            Err(CsvError::TooLarge { what, .. }) => assert_eq!(what, wanted),
            Err(other) => panic!("{other:?}"),
            Ok(_) => panic!("{file:?} is read"),
        }
    }
}

#[test]
fn other_delimiters_are_taken_and_nonsense_is_not() {
    let table = Columns::default()
        .read(dialect(';'), b"a;b\n1;2\n")
        .unwrap();
    assert_eq!(numbers(&table, "b"), [2.0]);
    for odd in ['ä', '"', '\n', '\r'] {
        let refused = Columns::default().read(dialect(odd), b"a\n1\n");
        assert!(
            matches!(refused, Err(CsvError::Delimiter { delimiter }) if delimiter == odd),
            "{odd:?}"
        );
    }
}

#[test]
fn a_row_of_another_length_is_refused_with_its_line() {
    match refused(b"a,b\n1,2\n\"3\n\",4\n5\n") {
        CsvError::Uneven {
            line,
            found,
            expected,
        } => assert_eq!((line, found, expected), (5, 1, 2)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_text_is_refused_with_its_line() {
    for (file, wanted) in [(&b"a\n1\n\xff\n"[..], 3), (b"\xff\n1\n", 1)] {
        match refused(file) {
            CsvError::NotText { line } => assert_eq!(line, wanted),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn nothing_is_no_table_and_names_alone_are_one() {
    assert!(matches!(refused(b""), CsvError::Empty));
    assert!(matches!(refused(b"a,b,a\n"), CsvError::Twice { name } if name == "a"));
    let table = table("a,b\n");
    assert_eq!(table.rows(), 0);
    assert_eq!(table.columns()[0].kind, Kind::Texts);
}

#[test]
fn a_column_that_is_not_there_or_not_of_numbers_is_refused() {
    let table = table("a,b\n1,x\n");
    match table.numbers("c".to_owned()) {
        Err(ColumnError::Unknown { name, names }) => {
            assert_eq!((name.as_str(), names.len()), ("c", 2));
        }
        other => panic!("{other:?}"),
    }
    match table.numbers("b".to_owned()) {
        Err(ColumnError::NoNumbers { cell, .. }) => assert_eq!(cell, "x"),
        other => panic!("{other:?}"),
    }
}
