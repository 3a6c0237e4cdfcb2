//! Checks a message against its type, and locates the first error. Slower than reading, so it runs only after reading has
//! failed.

use std::collections::HashSet;
use std::fmt;

use crate::any::tag;
use crate::impls::{NotDecimal, is_decimal};
use crate::limits::{UNASKED, too_deep};
use crate::problem::Problem;
use crate::read::{Fault, Reader};
use crate::types::{Content, Definition, Field, Number, Shape, Type, Typed};

/// Checks that a message consists of exactly one value of a type.
///
/// # Errors
/// If it doesn't. Values with valid bytes that a type itself refuses, with [`Reader::refuse`], aren't detected.
pub fn check(ty: &Type, bytes: &[u8]) -> Result<(), Box<Problem>> {
    Checker::new(bytes, None).whole(ty)
}

/// Returns the problem of a message that couldn't be read. `refusal` is the problem that a type reported itself.
pub(crate) fn report(ty: &Type, bytes: &[u8], refusal: Option<Box<Problem>>) -> Box<Problem> {
    let mut checker = Checker::new(bytes, refusal.as_ref().map(|refusal| refusal.position()));
    let found = checker.whole(ty);
    match (refusal, found) {
        // A key that is there twice is read with its value, which a type may have refused before.
        (Some(refusal), Err(problem)) if problem.position() < refusal.position() => problem,
        (Some(mut refusal), _) => {
            refusal.set_path(checker.refused.unwrap_or_default());
            refusal
        }
        (None, Err(problem)) => problem,
        // Reading and checking follow the same rules, which is tested; so this says that one of them is broken.
        (None, Ok(())) => Box::new(Problem::new(
            String::new(),
            0,
            "reading failed although the message is valid: report this as a bug of rustbridge"
                .to_owned(),
        )),
    }
}

struct Checker<'a> {
    reader: Reader<'a>,
    path: String,
    depth: u32,
    /// The position at which the refused value ends.
    refused_at: Option<usize>,
    /// The path of the refused value.
    refused: Option<String>,
}

type CheckResult<T = ()> = Result<T, Box<Problem>>;

impl<'a> Checker<'a> {
    fn new(bytes: &'a [u8], refused_at: Option<usize>) -> Checker<'a> {
        Checker {
            reader: Reader::new(bytes),
            path: String::new(),
            depth: 0,
            refused_at,
            refused: None,
        }
    }

    fn whole(&mut self, ty: &Type) -> CheckResult {
        self.value(ty)?;
        match self.reader.left() {
            0 => Ok(()),
            left => Err(self.problem(format!("{left} bytes are left after the value"))),
        }
    }

    #[cold]
    fn problem(&self, message: String) -> Box<Problem> {
        Box::new(Problem::new(
            self.path.clone(),
            self.reader.position(),
            message,
        ))
    }

    /// Reads bytes. If too few are left, the error names the thing they belong to, `what`.
    fn bytes(&mut self, count: usize, what: &str) -> CheckResult<&'a [u8]> {
        let left = self.reader.left();
        self.reader.bytes(count).map_err(|Fault| {
            self.problem(format!(
                "{what} requires {count} bytes, but only {left} are left"
            ))
        })
    }

    fn array<const N: usize>(&mut self, what: &str) -> CheckResult<[u8; N]> {
        let bytes = self.bytes(N, what)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    /// Checks a part that has a name or an index, and adds it to the path.
    fn part(
        &mut self,
        name: fmt::Arguments<'_>,
        part: impl FnOnce(&mut Self) -> CheckResult,
    ) -> CheckResult {
        let before = self.path.len();
        let _ = fmt::write(&mut self.path, name);
        part(self)?;
        self.path.truncate(before);
        Ok(())
    }

    fn named(&mut self, name: &str, part: impl FnOnce(&mut Self) -> CheckResult) -> CheckResult {
        if self.path.is_empty() {
            self.part(format_args!("{name}"), part)
        } else {
            self.part(format_args!(".{name}"), part)
        }
    }

    fn value(&mut self, ty: &Type) -> CheckResult {
        self.unmarked(ty)?;
        // The innermost that ends there.
        if self.refused_at == Some(self.reader.position()) && self.refused.is_none() {
            self.refused = Some(self.path.clone());
        }
        Ok(())
    }

    fn unmarked(&mut self, ty: &Type) -> CheckResult {
        match ty {
            Type::Unit => Ok(()),
            Type::Bool => self.flag("a `bool`"),
            Type::Char => {
                let at = self.mark();
                let code = u32::from_le_bytes(self.array("a `char`")?);
                match char::from_u32(code) {
                    Some(_) => Ok(()),
                    None => self.back(at, format!("{code:#x} isn't a Unicode scalar value")),
                }
            }
            Type::Number(number) => self.number(*number),
            Type::String => self.string(),
            Type::Decimal => {
                let mark = self.mark();
                self.string()?;
                match mark.copy().string() {
                    Ok(text) if is_decimal(text) => Ok(()),
                    _ => self.back(mark, NotDecimal.to_string()),
                }
            }
            Type::Bytes => self.bytes_of_numbers(),
            Type::Timestamp => self.time("a timestamp"),
            Type::Duration => self.time("a duration"),
            Type::Uuid => self.bytes(16, "a UUID").map(drop),
            Type::Object(name) => {
                let what = format!("the position of a `{name}`");
                self.bytes(4, &what).map(drop)
            }
            Type::Any => self.any(),
            Type::List(item) => self.list(item),
            Type::Array(item, count) => self.items(item, *count),
            Type::Map(key, value) => self.map(key, value),
            Type::Option(value) => {
                if self.presence("an option")? {
                    self.value(value)?;
                }
                Ok(())
            }
            Type::Tuple(types) => self.tuple(types),
            Type::Named(definition) => self.definition(definition()),
        }
    }

    fn mark(&self) -> Reader<'a> {
        self.reader.copy()
    }

    /// Reports a problem with the bytes at the mark.
    #[cold]
    fn back<T>(&mut self, mark: Reader<'a>, message: String) -> CheckResult<T> {
        self.reader = mark;
        Err(self.problem(message))
    }

    fn number(&mut self, number: Number) -> CheckResult {
        let what = format!("a `{}`", number.name());
        self.bytes(number.size(), &what).map(drop)
    }

    fn flag(&mut self, what: &str) -> CheckResult {
        self.presence(what).map(drop)
    }

    fn presence(&mut self, what: &str) -> CheckResult<bool> {
        let mark = self.mark();
        match self.array(what)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => self.back(mark, format!("expected 0 or 1 for {what}, found {other}")),
        }
    }

    fn count(&mut self, what: &str) -> CheckResult<usize> {
        let what = format!("the count of {what}");
        Ok(u32::from_le_bytes(self.array(&what)?) as usize)
    }

    fn counted(&mut self, what: &str) -> CheckResult<&'a [u8]> {
        let count = self.count(what)?;
        self.bytes(count, what)
    }

    /// A list of one-byte values looks like bytes, so one of them may have been refused.
    fn bytes_of_numbers(&mut self) -> CheckResult {
        let end = self
            .counted("bytes")
            .map(|bytes| (self.reader.position(), bytes.len()));
        let (end, count) = end?;
        if let Some(refused_at) = self.refused_at.filter(|at| *at > end - count && *at <= end) {
            let index = refused_at - (end - count) - 1;
            self.refused
                .get_or_insert_with(|| format!("{}[{index}]", self.path));
        }
        Ok(())
    }

    fn string(&mut self) -> CheckResult {
        let count = self.count("a string's bytes")?;
        let mark = self.mark();
        let bytes = self.bytes(count, "a string")?;
        match std::str::from_utf8(bytes) {
            Ok(_) => Ok(()),
            Err(error) => self.back(
                mark,
                format!("a string isn't UTF-8 at its byte {}", error.valid_up_to()),
            ),
        }
    }

    fn time(&mut self, what: &str) -> CheckResult {
        self.bytes(8, what)?;
        let mark = self.mark();
        let nanos = u32::from_le_bytes(self.array(what)?);
        if nanos < 1_000_000_000 {
            Ok(())
        } else {
            self.back(
                mark,
                format!("expected less than 1000000000 nanoseconds, found {nanos}"),
            )
        }
    }

    fn list(&mut self, item: &Type) -> CheckResult {
        let count = self.count("a list's items")?;
        if item.is_aligned() {
            let padding = self.reader.position().wrapping_neg() % 8;
            let mark = self.mark();
            let zeros = self.bytes(padding, "the padding in front of a list's items")?;
            if zeros.iter().any(|byte| *byte != 0) {
                return self.back(mark, "the padding isn't zero".to_owned());
            }
        }
        self.room(count, least(item))?;
        self.items(item, count)
    }

    /// Checks that the remaining bytes can hold `count` values.
    fn room(&mut self, count: usize, least: usize) -> CheckResult {
        let left = self.reader.left();
        if count.checked_mul(least).is_some_and(|bytes| bytes <= left) {
            Ok(())
        } else {
            Err(self.problem(format!(
                "expected {count} values of at least {least} bytes each, but only {left} bytes are left"
            )))
        }
    }

    fn items(&mut self, item: &Type, count: usize) -> CheckResult {
        for index in 0..count {
            self.part(format_args!("[{index}]"), |checker| checker.value(item))?;
        }
        Ok(())
    }

    fn map(&mut self, key: &Type, value: &Type) -> CheckResult {
        let count = self.count("a map's pairs")?;
        self.room(count, least(key) + least(value))?;
        let mut keys = HashSet::new();
        for index in 0..count {
            self.part(format_args!("[{index}]"), |checker| {
                let mark = checker.mark();
                checker.value(key)?;
                let length = mark.left() - checker.reader.left();
                let bytes = mark.copy().bytes(length).unwrap_or_default();
                if !keys.insert(bytes) {
                    return checker.back(mark, "duplicate key in a map".to_owned());
                }
                checker.value(value)
            })?;
        }
        Ok(())
    }

    fn tuple(&mut self, types: &[Type]) -> CheckResult {
        for (index, ty) in types.iter().enumerate() {
            self.named(&index.to_string(), |checker| checker.value(ty))?;
        }
        Ok(())
    }

    fn fields(&mut self, fields: &[Field]) -> CheckResult {
        for field in fields {
            self.named(field.name, |checker| {
                if field.default && !checker.presence("the presence of a field")? {
                    return Ok(());
                }
                checker.value(&field.ty)
            })?;
        }
        Ok(())
    }

    fn deeper(&mut self, inside: impl FnOnce(&mut Self) -> CheckResult) -> CheckResult {
        if self.depth >= UNASKED {
            if let Some(why) = too_deep(self.depth, 0) {
                return Err(self.problem(why.to_string()));
            }
        }
        self.depth += 1;
        inside(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn definition(&mut self, definition: &Definition) -> CheckResult {
        if is_exact_definition(definition) {
            return self.shape(definition);
        }
        self.deeper(|checker| checker.shape(definition))
    }

    fn shape(&mut self, definition: &Definition) -> CheckResult {
        let checker = self;
        match &definition.shape {
            Shape::Record(fields) | Shape::Pod(fields) => checker.fields(fields),
            Shape::Newtype(ty) => checker.value(ty),
            Shape::Tuple(types) => checker.tuple(types),
            Shape::Enum(shape) => {
                let mark = checker.mark();
                let what = format!("the variant of `{}`", definition.name);
                let position = u16::from_le_bytes(checker.array(&what)?);
                if shape.unknown && position == u16::MAX {
                    return Ok(());
                }
                let Some(variant) = shape.variants.get(usize::from(position)) else {
                    let count = shape.variants.len();
                    return checker.back(
                        mark,
                        format!("`{}` has {count} variants, but found number {position}, counted from 0", definition.name),
                    );
                };
                match &variant.content {
                    Content::Unit => Ok(()),
                    Content::Tuple(types) => {
                        checker.named(variant.name, |checker| checker.tuple(types))
                    }
                    Content::Fields(fields) => {
                        checker.named(variant.name, |checker| checker.fields(fields))
                    }
                }
            }
        }
    }

    fn any(&mut self) -> CheckResult {
        let mark = self.mark();
        let [kind] = self.array("the kind of a dynamic value")?;
        match kind {
            tag::NULL | tag::FALSE | tag::TRUE => Ok(()),
            tag::I64 => self.number(Number::I64),
            tag::U64 => {
                let value = u64::from_le_bytes(self.array("a `u64`")?);
                if value > i64::MAX as u64 {
                    Ok(())
                } else {
                    self.back(
                        mark,
                        format!("{value} fits an i64, but is encoded as a u64"),
                    )
                }
            }
            tag::F64 => self.number(Number::F64),
            tag::STRING => self.string(),
            tag::BYTES => self.counted("bytes").map(drop),
            tag::LIST => self.deeper(|checker| checker.list(&Type::Any)),
            tag::MAP => self.deeper(|checker| checker.map(&Type::String, &Type::Any)),
            other => self.back(mark, format!("unknown kind of dynamic value: {other}")),
        }
    }
}

/// Returns the fewest bytes that a value takes. It doesn't look inside enums, lists, maps and options; every recursive type
/// contains one of these, so this terminates.
pub(crate) fn least(ty: &Type) -> usize {
    match ty {
        Type::Unit => 0,
        Type::Bool | Type::Option(_) | Type::Any => 1,
        Type::Number(number) => number.size(),
        Type::Char
        | Type::String
        | Type::Decimal
        | Type::Bytes
        | Type::Object(_)
        | Type::List(_)
        | Type::Map(..) => 4,
        Type::Timestamp | Type::Duration => 12,
        Type::Uuid => 16,
        Type::Array(item, count) => least(item) * count,
        Type::Tuple(types) => types.iter().map(least).sum(),
        Type::Named(definition) => match &definition().shape {
            Shape::Record(fields) | Shape::Pod(fields) => fields
                .iter()
                .map(|field| if field.default { 1 } else { least(&field.ty) })
                .sum(),
            Shape::Newtype(ty) => least(ty),
            Shape::Tuple(types) => types.iter().map(least).sum(),
            Shape::Enum(_) => 2,
        },
    }
}

/// Returns whether the constants of a type match its description.
pub(crate) fn is_as_described<T: Typed + ?Sized>() -> bool {
    T::LEAST == least(&T::TYPE)
        && T::EXACT == is_exact(&T::TYPE)
        && T::ALIGNED == T::TYPE.is_aligned()
}

/// Returns whether all values take the same number of bytes. Such a type can't be recursive, so it doesn't count as a nesting
/// level.
fn is_exact(ty: &Type) -> bool {
    match ty {
        Type::Unit
        | Type::Bool
        | Type::Char
        | Type::Number(_)
        | Type::Timestamp
        | Type::Duration
        | Type::Uuid
        | Type::Object(_) => true,
        Type::String
        | Type::Decimal
        | Type::Bytes
        | Type::Any
        | Type::List(_)
        | Type::Map(..)
        | Type::Option(_) => false,
        Type::Array(item, _) => is_exact(item),
        Type::Tuple(types) => types.iter().all(is_exact),
        Type::Named(definition) => is_exact_definition(definition()),
    }
}

fn is_exact_definition(definition: &Definition) -> bool {
    match &definition.shape {
        Shape::Record(fields) | Shape::Pod(fields) => fields
            .iter()
            .all(|field| !field.default && is_exact(&field.ty)),
        Shape::Newtype(ty) => is_exact(ty),
        Shape::Tuple(types) => types.iter().all(is_exact),
        Shape::Enum(shape) => shape
            .variants
            .iter()
            .all(|variant| matches!(variant.content, Content::Unit)),
    }
}
