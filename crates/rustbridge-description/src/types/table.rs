//! The table of types: what it must be like, and how large its types are.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Definition, Field, Shape, TypeRef, default_value};
use crate::{Description, Error};

/// How many types may lie in each other without a name. Those with one are looked up, and may have themselves in them.
const MAX_NESTING: usize = 64;

/// The types with names, by their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Table {
    definitions: Vec<Definition>,
    /// For each, the bytes that its values take.
    #[serde(skip)]
    sizes: Vec<Size>,
}

/// How many bytes the values of a type take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    /// At least.
    least: u64,
    /// Whether all take as many.
    exact: bool,
}

impl Table {
    /// These types, in the order of their numbers.
    ///
    /// # Errors
    /// If they contradict themselves.
    pub fn new(definitions: Vec<Definition>) -> Result<Table, Error> {
        let mut table = Table {
            sizes: vec![Size::default(); definitions.len()],
            definitions,
        };
        table.follow_all()?;
        table.check()?;
        table.ignore_unknown_default_values();
        Ok(table)
    }

    /// Removes default values of kinds that this version doesn't know.
    fn ignore_unknown_default_values(&mut self) {
        let mut unknown = Vec::new();
        for (place, definition) in self.definitions.iter().enumerate() {
            let fields = definition.shape.fields().enumerate();
            let fields = fields
                .filter(|(_, field)| default_value::is_of_unknown_kind(&self.definitions, field));
            unknown.extend(fields.map(|(field, _)| (place, field)));
        }
        for (place, field) in unknown {
            if let Some(field) = self.definitions[place].shape.fields_mut().nth(field) {
                field.default_value = None;
            }
        }
    }

    /// The types of a description; an empty table if it has none.
    ///
    /// # Errors
    /// If there's something in the table that this version doesn't know, or it contradicts itself.
    pub fn of(description: &Description<'_, Value>) -> Result<Table, Error> {
        let Some(types) = &description.types else {
            return Ok(Table::default());
        };
        let definitions = Vec::deserialize(types).map_err(|error| {
            Error::new(format_args!("its table of types can't be read: {error}"))
        })?;
        Table::new(definitions)
    }

    /// A reference into this table, as a description has it.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub fn reference(&self, value: &Value) -> Result<TypeRef, Error> {
        let ty = TypeRef::deserialize(value)
            .map_err(|error| Error::new(format_args!("a type can't be read: {error}")))?;
        self.check_type(&ty, "a message", 0)?;
        Ok(ty)
    }

    /// All of them, in the order in which the description first has them.
    #[must_use]
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The type of that number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Definition> {
        self.definitions.get(number as usize)
    }

    /// Whether each value of a type takes the same number of bytes, and how many that are.
    #[must_use]
    pub fn exact(&self, ty: &TypeRef) -> Option<u64> {
        let size = self.size_of(ty);
        size.exact.then_some(size.least)
    }

    /// The fewest bytes that a value of a type takes.
    #[must_use]
    pub fn least(&self, ty: &TypeRef) -> u64 {
        self.size_of(ty).least
    }

    /// Whether the items of a list of these begin at a multiple of 8: numbers of two bytes or more, pods, and arrays of these.
    #[must_use]
    pub fn is_aligned(&self, item: &TypeRef) -> bool {
        match item {
            TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => true,
            TypeRef::I16 | TypeRef::I32 | TypeRef::I64 | TypeRef::I128 => true,
            TypeRef::F32 | TypeRef::F64 => true,
            TypeRef::Array(item, _) => self.is_aligned(item),
            TypeRef::Ref(number) => self
                .get(*number)
                .is_some_and(|definition| matches!(definition.shape, Shape::Pod(_))),
            _ => false,
        }
    }

    fn size_of(&self, ty: &TypeRef) -> Size {
        match ty {
            TypeRef::Unit => Size::exactly(0),
            TypeRef::Bool | TypeRef::U8 | TypeRef::I8 => Size::exactly(1),
            TypeRef::U16 | TypeRef::I16 => Size::exactly(2),
            TypeRef::Char | TypeRef::U32 | TypeRef::I32 | TypeRef::F32 | TypeRef::Object(_) => {
                Size::exactly(4)
            }
            TypeRef::U64 | TypeRef::I64 | TypeRef::F64 => Size::exactly(8),
            TypeRef::Timestamp | TypeRef::Duration => Size::exactly(12),
            TypeRef::U128 | TypeRef::I128 | TypeRef::Uuid => Size::exactly(16),
            TypeRef::Any | TypeRef::Option(_) => Size::at_least(1),
            TypeRef::String
            | TypeRef::Decimal
            | TypeRef::Bytes
            | TypeRef::List(_)
            | TypeRef::Map(..) => Size::at_least(4),
            TypeRef::Array(_, 0) => Size::exactly(0),
            TypeRef::Array(item, count) => {
                let item = self.size_of(item);
                match item.least.checked_mul(*count) {
                    Some(least) => Size { least, ..item },
                    None => Size::at_least(u64::MAX),
                }
            }
            TypeRef::Tuple(types) => self.sum(types),
            TypeRef::Ref(number) => self
                .sizes
                .get(*number as usize)
                .copied()
                .unwrap_or_default(),
        }
    }

    fn sum<'t>(&self, types: impl IntoIterator<Item = &'t TypeRef>) -> Size {
        types.into_iter().fold(Size::exactly(0), |sum, ty| {
            let size = self.size_of(ty);
            match sum.least.checked_add(size.least) {
                Some(least) => Size {
                    least,
                    exact: sum.exact && size.exact,
                },
                None => Size::at_least(u64::MAX),
            }
        })
    }

    fn check(&self) -> Result<(), Error> {
        for definition in &self.definitions {
            let name = &definition.name;
            match &definition.shape {
                Shape::Record(fields) | Shape::Pod(fields) => self.check_fields(fields, name)?,
                Shape::Newtype(ty) => self.check_type(ty, name, 0)?,
                Shape::Tuple(types) => self.check_types(types, name, 0)?,
                Shape::Enum(shape) => {
                    // The last number is what clients get for one that they don't know.
                    if shape.variants.len() > usize::from(u16::MAX) {
                        return Err(Error::new(format_args!(
                            "`{name}` has {} variants, and can have {}",
                            shape.variants.len(),
                            u16::MAX
                        )));
                    }
                    let mut names = HashSet::new();
                    for variant in &shape.variants {
                        if !names.insert(&variant.name) {
                            return Err(Error::new(format_args!(
                                "`{name}` has two variants called `{}`",
                                variant.name
                            )));
                        }
                        if variant.tuple.is_some() && variant.fields.is_some() {
                            return Err(Error::new(format_args!(
                                "`{name}.{}` has fields and a tuple, and can have one of them",
                                variant.name
                            )));
                        }
                        self.check_types(variant.tuple.iter().flatten(), name, 0)?;
                        self.check_fields(variant.fields.as_deref().unwrap_or_default(), name)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn check_fields(&self, fields: &[Field], of: &str) -> Result<(), Error> {
        let mut names = HashSet::new();
        for field in fields {
            if !names.insert(&field.name) {
                return Err(Error::new(format_args!(
                    "`{of}` has two fields called `{}`",
                    field.name
                )));
            }
            self.check_type(&field.ty, of, 0)?;
            if let Some(problem) =
                default_value::problem(&self.definitions, field, &self.show(&field.ty))
            {
                return Err(Error::new(format_args!("`{of}.{}`: {problem}", field.name)));
            }
        }
        Ok(())
    }

    fn check_types<'t>(
        &self,
        types: impl IntoIterator<Item = &'t TypeRef>,
        of: &str,
        nesting: usize,
    ) -> Result<(), Error> {
        types
            .into_iter()
            .try_for_each(|ty| self.check_type(ty, of, nesting))
    }

    fn check_type(&self, ty: &TypeRef, of: &str, nesting: usize) -> Result<(), Error> {
        if nesting > MAX_NESTING {
            return Err(Error::new(format_args!(
                "`{of}` has more than {MAX_NESTING} types without a name in each other"
            )));
        }
        match ty {
            TypeRef::Ref(number) if self.get(*number).is_none() => Err(Error::new(format_args!(
                "`{of}` refers to type {number}, and there are {}, counted from 0",
                self.definitions.len()
            ))),
            TypeRef::List(item) => {
                if self.least(item) == 0 {
                    return Err(Error::new(format_args!(
                        "`{of}` has a list of a type without bytes, whose length has no limit"
                    )));
                }
                self.check_type(item, of, nesting + 1)
            }
            TypeRef::Array(item, count) => {
                if *count > 0 && self.least(item) == 0 {
                    return Err(Error::new(format_args!(
                        "`{of}` has an array of a type without bytes, whose length has no limit"
                    )));
                }
                self.check_type(item, of, nesting + 1)
            }
            TypeRef::Option(item) => {
                if matches!(**item, TypeRef::Option(_)) {
                    return Err(Error::new(format_args!(
                        "`{of}` has an option of an option, which can't be distinguished from an option"
                    )));
                }
                self.check_type(item, of, nesting + 1)
            }
            TypeRef::Map(key, value) => {
                if !self.is_key(key) {
                    return Err(Error::new(format_args!(
                        "`{of}` has a map whose keys aren't strings, integers, `bool`, `char`, UUIDs or enums without data"
                    )));
                }
                self.check_type(key, of, nesting + 1)?;
                self.check_type(value, of, nesting + 1)
            }
            TypeRef::Tuple(types) => self.check_types(types, of, nesting + 1),
            _ => Ok(()),
        }
    }

    fn is_key(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Bool | TypeRef::Char | TypeRef::String | TypeRef::Uuid => true,
            TypeRef::U8 | TypeRef::U16 | TypeRef::U32 | TypeRef::U64 | TypeRef::U128 => true,
            TypeRef::I8 | TypeRef::I16 | TypeRef::I32 | TypeRef::I64 | TypeRef::I128 => true,
            TypeRef::Ref(number) => match self.get(*number).map(|definition| &definition.shape) {
                Some(Shape::Newtype(inside)) => self.is_key(inside),
                Some(Shape::Enum(_)) => self.exact(ty).is_some(),
                // Told by who looks at references.
                None => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// Works out the sizes, each after those of what it consists of. A type has itself in it only behind an enum, a list, a map or
    /// an option: otherwise none of its values has an end.
    fn follow_all(&mut self) -> Result<(), Error> {
        let mut done = vec![None; self.definitions.len()];
        for number in 0..self.definitions.len() {
            self.follow(number, &mut done, &mut Vec::new())?;
        }
        Ok(())
    }

    fn follow(
        &mut self,
        number: usize,
        done: &mut [Option<usize>],
        path: &mut Vec<usize>,
    ) -> Result<usize, Error> {
        let Some(definition) = self.definitions.get(number) else {
            return Ok(0);
        };
        if path.contains(&number) {
            return Err(Error::new(format_args!(
                "`{}` has itself in it without an enum, a list, a map or an option between",
                definition.name
            )));
        }
        // How many lie in it is known of one that was met before, whatever the order in which they come.
        let known = done[number];
        if path.len() + known.unwrap_or_default() > MAX_NESTING {
            return Err(Error::new(format_args!(
                "`{}` is one of more than {MAX_NESTING} types in each other",
                definition.name
            )));
        }
        if let Some(levels) = known {
            return Ok(levels);
        }
        let mut inside = Vec::new();
        for ty in definition.shape.parts() {
            named_inside(ty, &mut inside, 0);
        }
        path.push(number);
        let mut levels = 0;
        for inside in inside {
            levels = levels.max(1 + self.follow(inside, done, path)?);
        }
        path.pop();
        done[number] = Some(levels);
        self.sizes[number] = self.size(&self.definitions[number].shape);
        Ok(levels)
    }

    /// The size of a shape's values. Those of what it consists of are known.
    fn size(&self, shape: &Shape) -> Size {
        match shape {
            Shape::Record(fields) | Shape::Pod(fields)
                if fields.iter().any(|field| field.default) =>
            {
                let always = fields
                    .iter()
                    .filter(|field| !field.default)
                    .map(|field| &field.ty);
                let absent = fields.iter().filter(|field| field.default).count() as u64;
                Size::at_least(self.sum(always).least.saturating_add(absent))
            }
            Shape::Enum(shape) => Size {
                least: 2,
                exact: shape
                    .variants
                    .iter()
                    .all(|variant| variant.tuple.is_none() && variant.fields.is_none()),
            },
            _ => self.sum(shape.parts()),
        }
    }
}

impl Size {
    const fn exactly(least: u64) -> Size {
        Size { least, exact: true }
    }

    const fn at_least(least: u64) -> Size {
        Size {
            least,
            exact: false,
        }
    }
}

/// The types with names that lie in each value of a type.
fn named_inside(ty: &TypeRef, names: &mut Vec<usize>, nesting: usize) {
    match ty {
        // Told by who looks at how deep they lie.
        _ if nesting > MAX_NESTING => {}
        TypeRef::Ref(number) => names.push(*number as usize),
        TypeRef::Array(item, _) => named_inside(item, names, nesting + 1),
        TypeRef::Tuple(types) => types
            .iter()
            .for_each(|ty| named_inside(ty, names, nesting + 1)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<usize, String> {
        let text = format!(r#"{{"name": "p", "types": {text}}}"#);
        let description: Description<'_> = Description::read(text.as_bytes()).unwrap();
        let table = Table::of(&description).map_err(|error| error.to_string())?;
        Ok(table.definitions().len())
    }

    #[test]
    fn a_table_is_read_and_written_alike() {
        let text = r#"[{"name":"User","doc":"Somebody.","record":[{"name":"id","type":"u64"},{"name":"tags","type":{"map":["string",{"option":{"ref":1}}]},"default":true}]},{"name":"Kind","enum":{"variants":[{"name":"A"},{"name":"B","tuple":["bytes",{"array":["f64",3]}]},{"name":"C","fields":[{"name":"of","type":{"list":{"ref":0}}}]}],"tag":{"inside":"kind"}}}]"#;
        let table = Table::new(serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(serde_json::to_string(&table).unwrap(), text);
    }

    #[test]
    fn types_lie_in_each_other_so_deep_and_no_deeper_in_whatever_order() {
        for (types, fits) in [(65, true), (66, false), (50_000, false)] {
            let chain = |inside: fn(usize, usize) -> Option<usize>| {
                let definitions = (0..types).map(|number| match inside(number, types) {
                    Some(inside) => format!(r#"{{"name":"A","newtype":{{"ref":{inside}}}}}"#),
                    None => r#"{"name":"A","newtype":"u8"}"#.to_owned(),
                });
                let definitions: Vec<String> = definitions.collect();
                table(&format!("[{}]", definitions.join(",")))
            };
            // The innermost first, and last.
            let first = chain(|number, _| number.checked_sub(1));
            let last = chain(|number, types| (number + 1 < types).then_some(number + 1));
            for found in [first, last] {
                match found {
                    Ok(found) => assert!(fits && found == types),
                    Err(why) => assert!(!fits && why.contains("types in each other"), "{why}"),
                }
            }
        }
    }

    #[test]
    fn a_table_that_contradicts_itself_is_refused() {
        for (text, why) in [
            (r#"[{"name":"A","newtype":{"ref":1}}]"#, "refers to type 1"),
            (r#"[{"name":"A","newtype":{"ref":0}}]"#, "itself in it"),
            (
                r#"[{"name":"A","tuple":[{"ref":1}]},{"name":"B","record":[{"name":"a","type":{"array":[{"ref":0},2]}}]}]"#,
                "itself in it",
            ),
            (
                r#"[{"name":"A","record":[{"name":"a","type":"u8"},{"name":"a","type":"u8"}]}]"#,
                "two fields called `a`",
            ),
            (
                r#"[{"name":"A","newtype":{"map":["f32","u8"]}}]"#,
                "whose keys",
            ),
            (r#"[{"name":"A","newtype":{"list":"unit"}}]"#, "no limit"),
            (
                r#"[{"name":"A","newtype":{"list":{"array":["string",0]}}}]"#,
                "no limit",
            ),
            (
                r#"[{"name":"A","newtype":{"list":{"ref":1}}},{"name":"B","tuple":[{"array":["any",0]},"unit"]}]"#,
                "no limit",
            ),
            (
                r#"[{"name":"A","newtype":{"array":["unit",3]}}]"#,
                "an array of a type without bytes",
            ),
            (
                r#"[{"name":"A","newtype":{"array":[{"array":["string",0]},3]}}]"#,
                "an array of a type without bytes",
            ),
            (
                r#"[{"name":"A","newtype":{"option":{"option":"u8"}}}]"#,
                "an option of an option",
            ),
            (
                r#"[{"name":"A","enum":{"variants":[{"name":"x"},{"name":"x"}]}}]"#,
                "two variants called `x`",
            ),
            (r#"[{"name":"A","newtype":"u9"}]"#, "unknown variant"),
            (r#"[{"name":"A"}]"#, "can't be read"),
        ] {
            let found = table(text).unwrap_err();
            assert!(found.contains(why), "{text}: {found}");
        }
        let recursive = r#"[{"name":"Tree","record":[{"name":"children","type":{"list":{"ref":0}}}]},{"name":"Expr","enum":{"variants":[{"name":"Neg","tuple":[{"ref":1}]}]}}]"#;
        assert_eq!(table(recursive), Ok(2));
        let deep = format!(
            "[{{\"name\":\"A\",\"newtype\":{}\"u8\"{}}}]",
            "{\"list\":".repeat(70),
            "}".repeat(70)
        );
        assert!(table(&deep).unwrap_err().contains("without a name"));
    }
}
