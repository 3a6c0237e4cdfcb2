//! Decimal numbers are texts of a form.

use rustbridge_wire::{Decimal, NotDecimal, read, to_vec};

#[test]
fn a_decimal_number_is_its_digits() {
    for text in ["0", "-0", "12.50", "-0.001", "00.1", &"9".repeat(1000)] {
        let number: Decimal = text.parse().unwrap();
        let written = to_vec(&number).unwrap();
        assert_eq!(written, to_vec(text).unwrap());
        assert_eq!(read::<Decimal>(&written).unwrap(), number);
    }
}

#[test]
fn what_is_none_is_refused() {
    let long = "9".repeat(1001);
    for text in [
        "", "-", ".5", "5.", "1e3", "+1", "NaN", "1.2.3", " 1", "\u{661}", &long,
    ] {
        assert_eq!(text.parse::<Decimal>(), Err(NotDecimal), "{text}");
        let problem = read::<Decimal>(&to_vec(text).unwrap()).unwrap_err();
        assert!(
            problem.message().contains("a decimal number consists of"),
            "{problem}"
        );
    }
}
