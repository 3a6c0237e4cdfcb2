//! In which order types stand, and which values are in boxes: a struct has to be complete where another one has it inside, but not where a
//! list or a map does.

use std::collections::BTreeSet;

use rustbridge_description::types::{Shape, TypeRef};

use crate::client_schema::ClientSchema;

/// The order of types.
pub(super) struct Order {
    /// The numbers of the types whose structs the client has itself, each behind those that it has inside.
    pub(super) numbers: Vec<u32>,
    /// For each type, which circle it's in of those that have each other inside without a list between.
    circles: Vec<usize>,
    /// The types that are keys of maps.
    pub(super) keys: BTreeSet<u32>,
}

impl Order {
    pub(super) fn new(client_schema: &ClientSchema) -> Order {
        let definitions = client_schema.types.definitions();
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
        for method in &client_schema.methods {
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
        for service in &client_schema.services {
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
        let circles_anywhere = circles(&anywhere);
        let mut order = Order {
            numbers: Vec::new(),
            circles: circles(&inside),
            keys,
        };
        let mut seen = vec![false; definitions.len()];
        for (number, _) in client_schema.definitions() {
            order.visit(number, &inside, &anywhere, &circles_anywhere, &mut seen);
        }
        let is_seen: BTreeSet<u32> = client_schema
            .own_definitions()
            .map(|(number, _)| number)
            .collect();
        order.numbers.retain(|number| is_seen.contains(number));
        order
    }

    /// Whether a value of that type, which is inside another, is in a box there: it can have the other inside of itself.
    pub(super) fn is_boxed(&self, number: u32, within: u32) -> bool {
        self.circles[number as usize] == self.circles[within as usize]
    }

    /// Puts a type behind those that it needs. What waits for others is in a list: types may lie in each other deeper than a stack is.
    fn visit(
        &mut self,
        number: u32,
        inside: &[BTreeSet<u32>],
        anywhere: &[BTreeSet<u32>],
        circles_anywhere: &[usize],
        seen: &mut [bool],
    ) {
        if std::mem::replace(&mut seen[number as usize], true) {
            return;
        }
        let mut open = vec![(number, anywhere[number as usize].iter())];
        while let Some((number, others)) = open.last_mut() {
            let number = *number;
            let Some(&other) = others.next() else {
                self.numbers.push(number);
                open.pop();
                continue;
            };
            let needed = inside[number as usize].contains(&other) && !self.is_boxed(other, number);
            // In lists and maps it would do without, but reads better so.
            let better = circles_anywhere[other as usize] != circles_anywhere[number as usize];
            if (needed || better) && !std::mem::replace(&mut seen[other as usize], true) {
                open.push((other, anywhere[other as usize].iter()));
            }
        }
    }
}

/// For each number, which circle of steps it's in, alone if in none: Tarjan's strongly connected components, with a list in place of a stack.
fn circles(steps: &[BTreeSet<u32>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut circles = vec![NONE; steps.len()];
    // When each was met, and the first that was met of those that it leads back to.
    let (mut met, mut first) = (vec![NONE; steps.len()], vec![NONE; steps.len()]);
    let mut order = 0;
    let mut path = Vec::new();
    for start in 0..steps.len() {
        if met[start] != NONE {
            continue;
        }
        let mut open = vec![(start, steps[start].iter())];
        while let Some((number, others)) = open.last_mut() {
            let number = *number;
            if met[number] == NONE {
                (met[number], first[number]) = (order, order);
                order += 1;
                path.push(number);
            }
            if let Some(&other) = others.next() {
                let other = other as usize;
                if met[other] == NONE {
                    open.push((other, steps[other].iter()));
                } else if circles[other] == NONE {
                    first[number] = first[number].min(met[other]);
                }
                continue;
            }
            open.pop();
            if let Some((before, _)) = open.last() {
                first[*before] = first[*before].min(first[number]);
            }
            if first[number] == met[number] {
                while let Some(one) = path.pop() {
                    circles[one] = number;
                    if one == number {
                        break;
                    }
                }
            }
        }
    }
    circles
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
