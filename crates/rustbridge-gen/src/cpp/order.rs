//! In which order types stand, and which values are in boxes: a struct has to be complete where another one has it inside, but not where a
//! list or a map does.

use std::collections::BTreeSet;

use rustbridge_description::types::{Shape, TypeRef};

use crate::contract::Contract;

/// The order of types.
pub(super) struct Order {
    /// The numbers of the types that clients see, each behind those that it has inside.
    pub(super) numbers: Vec<u32>,
    /// For each type, those that it can have inside of itself without a list between, by whatever lies between.
    reached: Vec<BTreeSet<u32>>,
    /// The types that are keys of maps.
    pub(super) keys: BTreeSet<u32>,
}

impl Order {
    pub(super) fn new(contract: &Contract) -> Order {
        let definitions = contract.types.definitions();
        let mut inside: Vec<BTreeSet<u32>> = Vec::new();
        let mut anywhere: Vec<BTreeSet<u32>> = Vec::new();
        let mut keys = BTreeSet::new();
        for definition in definitions {
            let (mut within, mut all) = (BTreeSet::new(), BTreeSet::new());
            for ty in parts(&definition.shape) {
                note(ty, true, &mut within, &mut all, &mut keys);
            }
            inside.push(within);
            anywhere.push(all);
        }
        let mut of_methods = BTreeSet::new();
        for method in &contract.methods {
            for ty in [
                Some(&method.request),
                Some(&method.response),
                method.items.as_ref(),
            ]
            .into_iter()
            .flatten()
            {
                note(ty, true, &mut BTreeSet::new(), &mut of_methods, &mut keys);
            }
        }
        for service in &contract.services {
            for ty in [&service.request, &service.response] {
                note(ty, true, &mut BTreeSet::new(), &mut of_methods, &mut keys);
            }
        }
        // What a key is made of has to be in an order as well.
        loop {
            let more: BTreeSet<u32> = keys
                .iter()
                .flat_map(|key| inside[*key as usize].clone())
                .collect();
            let before = keys.len();
            keys.extend(more);
            if keys.len() == before {
                break;
            }
        }
        let reached = closure(&inside);
        let everything = closure(&anywhere);
        let mut order = Order {
            numbers: Vec::new(),
            reached,
            keys,
        };
        let mut seen = vec![false; definitions.len()];
        for (number, _) in contract.definitions() {
            order.visit(number, &inside, &anywhere, &everything, &mut seen);
        }
        let is_seen: BTreeSet<u32> = contract.definitions().map(|(number, _)| number).collect();
        order.numbers.retain(|number| is_seen.contains(number));
        order
    }

    /// Whether a value of that type is in a box where it's inside another type, which it can have inside of itself.
    pub(super) fn is_boxed(&self, number: u32, within: u32) -> bool {
        self.reached[number as usize].contains(&within)
    }

    fn visit(
        &mut self,
        number: u32,
        inside: &[BTreeSet<u32>],
        anywhere: &[BTreeSet<u32>],
        everything: &[BTreeSet<u32>],
        seen: &mut [bool],
    ) {
        if std::mem::replace(&mut seen[number as usize], true) {
            return;
        }
        for &other in &anywhere[number as usize] {
            let needed = inside[number as usize].contains(&other) && !self.is_boxed(other, number);
            // In lists and maps it would do without, but reads better so.
            let better = !everything[other as usize].contains(&number);
            if needed || better {
                self.visit(other, inside, anywhere, everything, seen);
            }
        }
        self.numbers.push(number);
    }
}

/// What is reached in any number of steps.
fn closure(steps: &[BTreeSet<u32>]) -> Vec<BTreeSet<u32>> {
    let from = |start: &BTreeSet<u32>| {
        let mut found = BTreeSet::new();
        let mut open: Vec<u32> = start.iter().copied().collect();
        while let Some(number) = open.pop() {
            if found.insert(number) {
                open.extend(&steps[number as usize]);
            }
        }
        found
    };
    steps.iter().map(from).collect()
}

fn parts(shape: &Shape) -> Vec<&TypeRef> {
    match shape {
        Shape::Record(fields) | Shape::Pod(fields) => {
            fields.iter().map(|field| &field.ty).collect()
        }
        Shape::Newtype(inside) => vec![inside],
        Shape::Tuple(types) => types.iter().collect(),
        Shape::Enum(shape) => {
            let mut all = Vec::new();
            for variant in &shape.variants {
                all.extend(variant.tuple.iter().flatten());
                if let Some(named) = &variant.fields {
                    all.extend(named.iter().map(|field| &field.ty));
                }
            }
            all
        }
    }
}

/// Notes the types with names in a type: those that are inside it, all of them, and those that are keys.
fn note(
    ty: &TypeRef,
    is_inside: bool,
    within: &mut BTreeSet<u32>,
    all: &mut BTreeSet<u32>,
    keys: &mut BTreeSet<u32>,
) {
    match ty {
        TypeRef::Ref(number) => {
            all.insert(*number);
            if is_inside {
                within.insert(*number);
            }
        }
        TypeRef::List(item) => note(item, false, within, all, keys),
        TypeRef::Array(item, _) | TypeRef::Option(item) => note(item, is_inside, within, all, keys),
        TypeRef::Map(key, value) => {
            // Maps order their keys, which have to be complete for that only where the map is used.
            if let TypeRef::Ref(number) = &**key {
                keys.insert(*number);
            }
            note(key, false, within, all, keys);
            note(value, false, within, all, keys);
        }
        TypeRef::Tuple(types) => types
            .iter()
            .for_each(|ty| note(ty, is_inside, within, all, keys)),
        _ => {}
    }
}
