//! What was begun in an environment: the core's numbers of operations, by small ones.

/// The operations that were begun here, by the small numbers that JavaScript knows them by.
#[derive(Default)]
pub(crate) struct StartedCalls {
    all: Vec<Op>,
    free: Vec<u32>,
}

/// One of them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Op {
    /// Its number in the core; 0 if it's over.
    pub(crate) op: u64,
    /// Whether what comes of it is text.
    pub(crate) json: bool,
}

impl StartedCalls {
    /// A number for one that is about to be begun.
    pub(crate) fn add(&mut self, json: bool) -> u32 {
        let one = Op { op: 0, json };
        if let Some(token) = self.free.pop() {
            self.all[token as usize] = one;
            return token;
        }
        self.all.push(one);
        (self.all.len() - 1) as u32
    }

    pub(crate) fn get(&self, token: u32) -> Op {
        self.all.get(token as usize).copied().unwrap_or_default()
    }

    /// Forgets one if it's still that operation's; what it was. Its number may have become another's since.
    pub(crate) fn remove_if(&mut self, token: u32, op: u64) -> Option<Op> {
        if self.get(token).op != op {
            return None;
        }
        self.remove(token)
    }

    /// Forgets one; what it was, the first time.
    pub(crate) fn remove(&mut self, token: u32) -> Option<Op> {
        let place = self.all.get_mut(token as usize)?;
        let one = std::mem::take(place);
        (one.op != 0).then(|| {
            self.free.push(token);
            one
        })
    }

    /// Says which one was begun.
    pub(crate) fn set(&mut self, token: u32, op: u64) {
        if let Some(one) = self.all.get_mut(token as usize) {
            one.op = op;
        }
    }

    /// Gives a number back that nothing was begun with.
    pub(crate) fn drop_unused(&mut self, token: u32) {
        self.free.push(token);
    }
}
