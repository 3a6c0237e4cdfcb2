//! Going through a message by a plan: it's read as `docs/wire.md` says, refused as there, and written in the other side's words.
//!
//! What lies in each other is kept in a list and not on the thread's stack, of which there may be little.

use super::frames::{Frame, Pairs, Part, path};
use super::plan::{Act, Case, Fate, Kind, MAX_DEPTH, Plan, Problem, Reason, Step};

/// The problem of a field that the receiver doesn't know.
pub(super) const OTHER_LACKS: &str = "the field is set, and the other side has none of that name";

/// A message in the other side's words, of at most so many bytes.
pub(super) fn run(plan: &Plan, message: &[u8], most: usize) -> Result<Vec<u8>, Problem> {
    let mut run = Run {
        plan,
        from: message,
        at: 0,
        out: Vec::new(),
        most,
        muted: 0,
        depth: 0,
        frames: Vec::new(),
    };
    // What is really there, and most messages become about as long.
    let _ = run.out.try_reserve(message.len());
    run.value(plan.root)?;
    while !run.frames.is_empty() {
        run.go_on()?;
    }
    match message.len() - run.at {
        0 => Ok(run.out),
        left => Err(run.problem(format!("{left} bytes are left after the value"))),
    }
}

pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) from: &'a [u8],
    /// How many bytes were read.
    pub(super) at: usize,
    out: Vec<u8>,
    most: usize,
    /// In how much that isn't wanted this is: then nothing is written.
    muted: u32,
    depth: u32,
    pub(super) frames: Vec<Frame<'a>>,
}

pub(super) type Done<T = ()> = Result<T, Problem>;

impl<'a> Run<'a> {
    #[cold]
    fn problem(&self, message: String) -> Problem {
        self.problem_at(self.at, message)
    }

    #[cold]
    pub(super) fn problem_at(&self, position: usize, message: String) -> Problem {
        Problem {
            path: path(&self.frames),
            position,
            message,
            reason: Reason::Malformed,
        }
    }

    /// The problem of a message that is right, and can't be said in the other side's words.
    #[cold]
    pub(super) fn lacking(&self, position: usize, message: String) -> Problem {
        Problem {
            reason: Reason::Lacking,
            ..self.problem_at(position, message)
        }
    }

    fn left(&self) -> u64 {
        (self.from.len() - self.at) as u64
    }

    /// Takes bytes, or says what they were for.
    pub(super) fn take(&mut self, count: u64, what: &str) -> Done<&'a [u8]> {
        let left = self.left();
        if count > left {
            return Err(self.problem(format!(
                "{what} requires {count} bytes, but only {left} are left"
            )));
        }
        let end = self.at + count as usize;
        let bytes = &self.from[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    pub(super) fn array<const N: usize>(&mut self, what: &str) -> Done<[u8; N]> {
        let bytes = self.take(N as u64, what)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    pub(super) fn put(&mut self, bytes: &[u8]) -> Done {
        if self.muted > 0 {
            return Ok(());
        }
        let fits = self.out.len() + bytes.len() <= self.most;
        if !fits || self.out.try_reserve(bytes.len()).is_err() {
            return Err(Problem {
                reason: Reason::TooLarge,
                ..self.problem(if fits {
                    "there's no memory for it in the other side's words".to_owned()
                } else {
                    format!(
                        "it has more than {} bytes after schema resolution",
                        self.most
                    )
                })
            });
        }
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    /// Takes bytes and puts them as they are.
    pub(super) fn copy(&mut self, count: u64, what: &str) -> Done {
        let bytes = self.take(count, what)?;
        self.put(bytes)
    }

    pub(super) fn count(&mut self, what: &str) -> Done<u64> {
        let count = self.array::<4>(what)?;
        self.put(&count)?;
        Ok(u64::from(u32::from_le_bytes(count)))
    }

    fn flag(&mut self, what: &str) -> Done<bool> {
        let at = self.at;
        match self.array(what)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => {
                Err(self.problem_at(at, format!("expected 0 or 1 for {what}, found {other}")))
            }
        }
    }

    /// Takes a flag, and puts it.
    fn presence(&mut self, what: &str) -> Done<bool> {
        let is_there = self.flag(what)?;
        self.put(&[u8::from(is_there)])?;
        Ok(is_there)
    }

    /// Whether so many can be there at all.
    pub(super) fn room(&self, count: u64, least: u64) -> Done {
        let left = self.left();
        if count.checked_mul(least).is_some_and(|bytes| bytes <= left) {
            Ok(())
        } else {
            Err(self.problem(format!(
                "expected {count} values of at least {least} bytes each, but only {left} bytes are left"
            )))
        }
    }

    pub(super) fn deeper(&mut self) -> Done {
        if self.depth >= MAX_DEPTH {
            return Err(self.problem(format!("it's nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        self.frames.push(Frame::Deep);
        Ok(())
    }

    /// Goes through a value, or begins to.
    fn value(&mut self, mut number: u32) -> Done {
        let plan = self.plan;
        loop {
            let node = &plan.nodes[number as usize];
            // What isn't there as a whole is gone through part by part, to tell which is missing.
            if let Some(width) = node.width
                && width <= self.left()
            {
                return self.copy(width, "");
            }
            if node.is_deep {
                self.deeper()?;
            }
            match &node.kind {
                Kind::Same(inside) => number = *inside,
                kind => return self.kind(kind),
            }
        }
    }

    fn kind(&mut self, kind: &'a Kind) -> Done {
        match kind {
            Kind::Copy(bytes, what) => self.copy(*bytes, what),
            Kind::Bool => self.presence("a `bool`").map(drop),
            Kind::Char => {
                let at = self.at;
                let bytes = self.array("a `char`")?;
                let code = u32::from_le_bytes(bytes);
                match char::from_u32(code) {
                    Some(_) => self.put(&bytes),
                    None => {
                        Err(self.problem_at(at, format!("{code:#x} isn't a Unicode scalar value")))
                    }
                }
            }
            Kind::String => self.string(),
            Kind::Decimal => self.decimal(),
            Kind::Bytes => {
                let count = self.count("the count of bytes")?;
                self.copy(count, "bytes")
            }
            Kind::Time(what) => self.time(what),
            Kind::Any => self.dynamic(),
            Kind::Option(inside) => {
                if self.presence("an option")? {
                    self.value(*inside)?;
                }
                Ok(())
            }
            Kind::List {
                item,
                least,
                aligned,
            } => self.list(*item, *least, *aligned),
            Kind::Array { item, count, least } => {
                // Of what isn't there nothing is written before that is found out.
                if let Some(0) = self.plan.nodes[*item as usize].width {
                    return Ok(());
                }
                if *least > 0 {
                    self.room(*count, *least)?;
                }
                self.frames.push(Frame::Items {
                    item: *item,
                    next: 0,
                    count: *count,
                });
                Ok(())
            }
            Kind::Map { key, value, least } => {
                let count = self.count("the count of a map's pairs")?;
                self.room(count, *least)?;
                self.frames.push(Frame::Pairs {
                    key: *key,
                    value: *value,
                    pairs: Pairs::new(count),
                });
                Ok(())
            }
            Kind::Same(inside) => self.value(*inside),
            Kind::Steps(steps) => {
                self.frames.push(Frame::Steps { steps, next: 0 });
                Ok(())
            }
            Kind::Sorted { from, to } => {
                self.muted += 1;
                self.frames.push(Frame::Find {
                    from,
                    to,
                    places: Vec::with_capacity(from.len()),
                });
                Ok(())
            }
            Kind::Enum { name, cases } => self.variant(name, cases),
        }
    }

    fn list(&mut self, item: u32, least: u64, aligned: (bool, bool)) -> Done {
        let count = self.count("the count of a list's items")?;
        if aligned.0 {
            let padding = (self.at as u64).wrapping_neg() % 8;
            let at = self.at;
            let zeros = self.take(padding, "the padding in front of a list's items")?;
            if zeros.iter().any(|byte| *byte != 0) {
                return Err(self.problem_at(at, "the padding isn't zero".to_owned()));
            }
        }
        if aligned.1 {
            self.align()?;
        }
        self.room(count, least)?;
        if let Some(width) = self.plan.nodes[item as usize].width {
            // There's room for as many.
            return self.copy(count.saturating_mul(width), "a list's items");
        }
        self.frames.push(Frame::Items {
            item,
            next: 0,
            count,
        });
        Ok(())
    }

    fn variant(&mut self, name: &str, cases: &'a [Case]) -> Done {
        let at = self.at;
        let number = u16::from_le_bytes(self.array(&format!("the variant of `{name}`"))?);
        let Some(case) = cases.get(usize::from(number)) else {
            let count = cases.len();
            return Err(self.problem_at(
                at,
                format!("`{name}` has {count} variants, but found number {number}, counted from 0"),
            ));
        };
        if case.fate == Fate::Refused {
            let variant = &case.name;
            return Err(self.lacking(
                at,
                format!("the other side's `{name}` has no variant `{variant}`"),
            ));
        }
        self.put(&case.to.to_le_bytes())?;
        let Some(body) = case.body else {
            return Ok(());
        };
        self.frames.push(Frame::Variant(case));
        if case.fate == Fate::LeftOut {
            self.mute();
        }
        self.value(body)
    }

    /// What follows isn't wanted.
    fn mute(&mut self) {
        self.muted += 1;
        self.frames.push(Frame::Muted);
    }

    fn step(&mut self, act: Act) -> Done {
        const FIELD: &str = "the presence of a field";
        match act {
            Act::Value(node) => self.value(node),
            Act::Perhaps(node) => {
                if self.presence(FIELD)? {
                    self.value(node)?;
                }
                Ok(())
            }
            Act::Add(node) => {
                self.put(&[1])?;
                self.value(node)
            }
            Act::Must(node) => {
                let at = self.at;
                if self.flag(FIELD)? {
                    return self.value(node);
                }
                Err(self.lacking(
                    at,
                    "the field is absent, and always there in the other side's words".to_owned(),
                ))
            }
            Act::None => self.none("an option"),
            Act::NoneOrAbsent { is_option: true } if self.flag(FIELD)? => self.none("an option"),
            Act::NoneOrAbsent { is_option: true } => Ok(()),
            Act::NoneOrAbsent { is_option: false } => self.none(FIELD),
            Act::Absent => self.put(&[0]),
            Act::Default { value, is_aligned } => self.default_value(value, is_aligned),
            Act::DefaultOrAbsent { node, value } => {
                if self.flag(FIELD)? {
                    self.check_default(value)?;
                    self.mute();
                    self.value(node)?;
                }
                Ok(())
            }
            Act::Skip(node) => {
                self.mute();
                self.value(node)
            }
            Act::SkipPerhaps(node) => {
                if self.flag(FIELD)? {
                    self.mute();
                    self.value(node)?;
                }
                Ok(())
            }
        }
    }

    /// Puts the padding in front of aligned items.
    pub(super) fn align(&mut self) -> Done {
        let padding = self.out.len().wrapping_neg() % 8;
        self.put(&[0; 8][..padding])
    }

    /// Takes a flag that must not be set, since the other side has no field for what would follow.
    fn none(&mut self, what: &str) -> Done {
        let at = self.at;
        match self.flag(what)? {
            false => Ok(()),
            true => Err(self.lacking(at, OTHER_LACKS.to_owned())),
        }
    }

    /// The next part of what was begun last.
    fn go_on(&mut self) -> Done {
        let left = self.left();
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        match frame {
            Frame::Steps { steps, next } => {
                let steps: &'a [Step] = steps;
                let Some(step) = steps.get(*next) else {
                    self.frames.pop();
                    return Ok(());
                };
                let (bytes, until) = step.run;
                // Only values whose bytes are copied whatever they are make a run.
                if until as usize > *next + 1 && bytes <= left {
                    *next = until as usize;
                    return self.copy(bytes, "");
                }
                *next += 1;
                self.step(step.act)
            }
            Frame::Find { from, to, places } => {
                let from: &'a [Step] = from;
                if let Some(step) = from.get(places.len()) {
                    places.push(self.at);
                    return self.step(step.act);
                }
                *frame = Frame::Put {
                    to,
                    places: std::mem::take(places),
                    next: 0,
                    end: self.at,
                };
                self.muted -= 1;
                Ok(())
            }
            Frame::Put {
                to,
                places,
                next,
                end,
            } => {
                let to: &'a [(Option<u32>, Step)] = to;
                let Some((place, step)) = to.get(*next) else {
                    self.at = *end;
                    self.frames.pop();
                    return Ok(());
                };
                *next += 1;
                if let Some(place) = place {
                    self.at = places[*place as usize];
                }
                self.step(step.act)
            }
            Frame::Items { item, next, count } => {
                if next == count {
                    self.frames.pop();
                    return Ok(());
                }
                *next += 1;
                let item = *item;
                self.value(item)
            }
            Frame::Pairs { key, value, .. } => {
                let (key, value) = (*key, *value);
                match self.next_part()? {
                    Part::Key => self.value(key),
                    Part::Value => self.value(value),
                    Part::End => Ok(()),
                }
            }
            Frame::DynamicItems { next, count } => {
                if next == count {
                    self.frames.pop();
                    return Ok(());
                }
                *next += 1;
                self.dynamic()
            }
            Frame::DynamicPairs(_) => match self.next_part()? {
                Part::Key => self.string(),
                Part::Value => self.dynamic(),
                Part::End => Ok(()),
            },
            Frame::Variant(_) => {
                self.frames.pop();
                Ok(())
            }
            Frame::Deep => {
                self.depth -= 1;
                self.frames.pop();
                Ok(())
            }
            Frame::Muted => {
                self.muted -= 1;
                self.frames.pop();
                Ok(())
            }
        }
    }

    /// What comes next of the map that was begun last, whose end takes it away.
    fn next_part(&mut self) -> Done<Part> {
        let (from, at) = (self.from, self.at);
        let (Some(Frame::Pairs { pairs, .. }) | Some(Frame::DynamicPairs(pairs))) =
            self.frames.last_mut()
        else {
            return Ok(Part::End);
        };
        match pairs.key_at {
            None if pairs.index == pairs.count => {
                self.frames.pop();
                Ok(Part::End)
            }
            None => {
                pairs.key_at = Some(at);
                Ok(Part::Key)
            }
            Some(key_at) => {
                if !pairs.keys.insert(&from[key_at..at]) {
                    return Err(self.problem_at(key_at, "duplicate key in a map".to_owned()));
                }
                pairs.index += 1;
                pairs.key_at = None;
                Ok(Part::Value)
            }
        }
    }
}
