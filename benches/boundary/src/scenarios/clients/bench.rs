// Written by `rustbridge gen -l rust` of the plugin `bench`: write it anew by that, not by hand.
//! Methods that are there to be measured.

#![allow(
    dead_code,
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    rustdoc::all,
    reason = "names, prose and what there is are the plugin's"
)]

use std::path::PathBuf;

use rustbridge_host::{CallOptions, Error, Load, Plugin, typed};

/// Methods that are there to be measured.
///
/// Any thread may use it, any number at once. Copies are of the same; one that was loaded is closed with the last.
///
/// Not here, since they have no types or streams of objects: void, sum, numbers, echo_bytes, get_blob, never, count, ticks, adder, some_class, callback, SomeClass.greet.
#[derive(Clone, Debug)]
pub struct Bench(typed::Caller<Methods>);

impl Bench {
    /// Loads the plugin from a file.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::open(Load::path(path))
    }

    /// Loads the plugin as it's said, with a configuration, a name, a log.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn open(load: Load<'_>) -> Result<Self, Error> {
        typed::Caller::open(load).map(Self)
    }

    /// Calls an instance of the plugin, which goes on to belong to the caller.
    ///
    /// # Errors
    /// If it isn't the plugin that this was written of: the error says what differs.
    pub fn of(plugin: &Plugin) -> Result<Self, Error> {
        typed::Caller::of(plugin).map(Self)
    }

    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Divides two integers; the quotient is a double.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn div(&self, request: Division) -> Result<Quotient, Error> {
        self.0.call(&self.0.methods.div, &request)
    }

    /// Adds 41: the answer to 23 is 64.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn get_answer(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.get_answer, &request)
    }

    /// Joins texts by commas.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn join(&self, request: &Parts) -> Result<Joined, Error> {
        self.0.call(&self.0.methods.join, request)
    }

    /// Answers with what it was sent, values of any types.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn any(&self, request: &Values) -> Result<Values, Error> {
        self.0.call(&self.0.methods.any, request)
    }

    /// Divides, as generated clients call it: by the language's own types.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn divide(&self, a: i64, b: i64) -> Result<f64, Error> {
        self.0.call(&self.0.methods.divide, &(a, b))
    }

    /// The same answer as `get_answer`, from a number to a number.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn answer_to(&self, request: i32) -> Result<i32, Error> {
        self.0.call(&self.0.methods.answer_to, &request)
    }

    /// Joins texts by commas, from a list to a text.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn join_texts(&self, request: &[String]) -> Result<String, Error> {
        self.0.call(&self.0.methods.join_texts, request)
    }

    /// Adds numbers up, wrapping, from a list to a number.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add_up(&self, request: &[i64]) -> Result<i64, Error> {
        self.0.call(&self.0.methods.add_up, request)
    }

    /// Greets somebody: a text in a record, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn greet(&self, request: &Person) -> Result<Greeting, Error> {
        self.0.call(&self.0.methods.greet, request)
    }

    /// Gives the reading that would follow: a record of numbers, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn next_reading(&self, request: &Reading) -> Result<Reading, Error> {
        self.0.call(&self.0.methods.next_reading, request)
    }

    /// Makes every second item half as dear: a list of records, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn discount(&self, request: &[Item]) -> Result<Vec<Item>, Error> {
        self.0.call(&self.0.methods.discount, request)
    }

    /// Gives the shape around another: an enum with data, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn around(&self, request: &Shape) -> Result<Shape, Error> {
        self.0.call(&self.0.methods.around, request)
    }

    /// Doubles numbers: a list of them, there and back.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn twice(&self, request: &[f64]) -> Result<Vec<f64>, Error> {
        self.0.call(&self.0.methods.twice, request)
    }

    /// Makes 34 students: 4,760 structs with 46,410 strings, the same ones on each call.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn get_structs(&self) -> Result<Students, Error> {
        self.0.call(&self.0.methods.get_structs, &())
    }

    /// Adds 41: what `ready`, `later` and `Adder.add` do as well, in other ways.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn plain(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.plain, &request)
    }

    /// The same in an async handler that never waits.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ready(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ready, &request)
    }

    /// The same in an async handler that never waits.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn ready_async(&self, request: Value) -> Result<Value, Error> {
        self.0.call_async(&self.0.methods.ready, &request).await
    }

    /// The same after it has let others run once.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn later(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.later, &request)
    }

    /// The same after it has let others run once.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn later_async(&self, request: Value) -> Result<Value, Error> {
        self.0.call_async(&self.0.methods.later, &request).await
    }

    /// Has its host answer, by the service `numbers.answer`.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask, &request)
    }

    /// The same by the service `numbers.answer_later`, awaited.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_later(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask_later, &request)
    }

    /// The same by the service `numbers.answer_later`, awaited.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn ask_later_async(&self, request: Value) -> Result<Value, Error> {
        self.0.call_async(&self.0.methods.ask_later, &request).await
    }

    /// What `ask` does, by the bare address in the configuration.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_by_hand(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask_by_hand, &request)
    }

    /// What `ask_later` does, by the bare address in the configuration.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn ask_by_hand_later(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.ask_by_hand_later, &request)
    }

    /// What `ask_later` does, by the bare address in the configuration.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn ask_by_hand_later_async(&self, request: Value) -> Result<Value, Error> {
        self.0
            .call_async(&self.0.methods.ask_by_hand_later, &request)
            .await
    }
}

/// A `Adder` of the plugin's, which is given back with the last copy of this. It stands in messages like any value.
#[derive(Clone, Debug, PartialEq)]
pub struct Adder(typed::Caller<Methods>);

impl Adder {
    /// The same, whose calls have these options: how much time there is, metadata, a trace.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self(self.0.with_options(options))
    }

    /// Adds.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add(&self, request: Value) -> Result<Value, Error> {
        self.0.call(&self.0.methods.adder_add, &request)
    }
}

typed::object::wire!(Adder, "Adder");

#[derive(Debug)]
struct Methods {
    div: typed::Method,
    get_answer: typed::Method,
    join: typed::Method,
    any: typed::Method,
    divide: typed::Method,
    answer_to: typed::Method,
    join_texts: typed::Method,
    add_up: typed::Method,
    greet: typed::Method,
    next_reading: typed::Method,
    discount: typed::Method,
    around: typed::Method,
    twice: typed::Method,
    get_structs: typed::Method,
    plain: typed::Method,
    ready: typed::Method,
    later: typed::Method,
    ask: typed::Method,
    ask_later: typed::Method,
    ask_by_hand: typed::Method,
    ask_by_hand_later: typed::Method,
    adder_add: typed::Method,
}

impl typed::Methods for Methods {
    fn prepare(plugin: &Plugin) -> Result<Self, Error> {
        let method =
            |name, fingerprint| typed::Method::prepare(plugin, name, fingerprint, CONTRACT);
        Ok(Self {
            div: method("div", "3b827e20b7cc0b275e81da2370021ee9")?,
            get_answer: method("get_answer", "f0c2e52034985582f2b6e748ecddfa1d")?,
            join: method("join", "cc8f24167851a1fe1bc7a2feb0424ff5")?,
            any: method("any", "73dbbb6b5050606ae695478dbc36dc62")?,
            divide: method("divide", "2cc7b1d070e905f6b0b647a5e592ccc6")?,
            answer_to: method("answer_to", "e1c392b728732e03f914106ed09a4f70")?,
            join_texts: method("join_texts", "3e4245726c7d197143133c7b89dc48b6")?,
            add_up: method("add_up", "bc1781f8cfcb8ee1d446185cffdf997c")?,
            greet: method("greet", "aa02cc6e002855b5f822eb6fbdc8214a")?,
            next_reading: method("next_reading", "edba43a9b2ee052fb82422657014a174")?,
            discount: method("discount", "9778e4774dd23969ea7c1ef2c2c0c11a")?,
            around: method("around", "d59e7b46bacc4ea8f7419b3ab054552d")?,
            twice: method("twice", "d44b8782b9348016131b260d1783fb49")?,
            get_structs: method("get_structs", "88ae0f1203707c7d8bb6c9d73a817b6f")?,
            plain: method("plain", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ready: method("ready", "f0c2e52034985582f2b6e748ecddfa1d")?,
            later: method("later", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ask: method("ask", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ask_later: method("ask_later", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ask_by_hand: method("ask_by_hand", "f0c2e52034985582f2b6e748ecddfa1d")?,
            ask_by_hand_later: method("ask_by_hand_later", "f0c2e52034985582f2b6e748ecddfa1d")?,
            adder_add: method("Adder.add", "1a15ed3551d301e402e8f59eb5332bdd")?,
        })
    }
}

/// What this was written from, to be compared with the plugin.
const CONTRACT: &str = concat!(
    r#"{"methods":[{"entries":[{"encoding":"wire","error":null,"index":13,"items":null,"kin"#,
    r#"d":"unary","receiver":"","request":{"type":{"ref":1}},"response":{"type":{"ref":2}}}"#,
    r#"],"name":"div"},{"entries":[{"encoding":"wire","error":null,"index":20,"items":null,"#,
    r#""kind":"unary","receiver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":"#,
    r#"3}}}],"name":"get_answer"},{"entries":[{"encoding":"wire","error":null,"index":27,"i"#,
    r#"tems":null,"kind":"unary","receiver":"","request":{"type":{"ref":4}},"response":{"ty"#,
    r#"pe":{"ref":5}}}],"name":"join"},{"entries":[{"encoding":"wire","error":null,"index":"#,
    r#"34,"items":null,"kind":"unary","receiver":"","request":{"type":{"ref":6}},"response""#,
    r#":{"type":{"ref":6}}}],"name":"any"},{"entries":[{"encoding":"wire","error":null,"ind"#,
    r#"ex":41,"items":null,"kind":"unary","receiver":"","request":{"type":{"ref":7}},"respo"#,
    r#"nse":{"type":"f64"}}],"name":"divide"},{"entries":[{"encoding":"wire","error":null,""#,
    r#"index":48,"items":null,"kind":"unary","receiver":"","request":{"type":"i32"},"respon"#,
    r#"se":{"type":"i32"}}],"name":"answer_to"},{"entries":[{"encoding":"wire","error":null"#,
    r#","index":55,"items":null,"kind":"unary","receiver":"","request":{"type":{"list":"str"#,
    r#"ing"}},"response":{"type":"string"}}],"name":"join_texts"},{"entries":[{"encoding":""#,
    r#"wire","error":null,"index":62,"items":null,"kind":"unary","receiver":"","request":{""#,
    r#"type":{"list":"i64"}},"response":{"type":"i64"}}],"name":"add_up"},{"entries":[{"enc"#,
    r#"oding":"wire","error":null,"index":69,"items":null,"kind":"unary","receiver":"","req"#,
    r#"uest":{"type":{"ref":8}},"response":{"type":{"ref":9}}}],"name":"greet"},{"entries":"#,
    r#"[{"encoding":"wire","error":null,"index":76,"items":null,"kind":"unary","receiver":""#,
    r#"","request":{"type":{"ref":10}},"response":{"type":{"ref":10}}}],"name":"next_readin"#,
    r#"g"},{"entries":[{"encoding":"wire","error":null,"index":83,"items":null,"kind":"unar"#,
    r#"y","receiver":"","request":{"type":{"list":{"ref":11}}},"response":{"type":{"list":{"#,
    r#""ref":11}}}}],"name":"discount"},{"entries":[{"encoding":"wire","error":null,"index""#,
    r#":90,"items":null,"kind":"unary","receiver":"","request":{"type":{"ref":12}},"respons"#,
    r#"e":{"type":{"ref":12}}}],"name":"around"},{"entries":[{"encoding":"wire","error":nul"#,
    r#"l,"index":97,"items":null,"kind":"unary","receiver":"","request":{"type":{"list":"f6"#,
    r#"4"}},"response":{"type":{"list":"f64"}}}],"name":"twice"},{"entries":[{"encoding":"w"#,
    r#"ire","error":null,"index":132,"items":null,"kind":"unary","receiver":"","request":{""#,
    r#"type":"unit"},"response":{"type":{"ref":13}}}],"name":"get_structs"},{"entries":[{"e"#,
    r#"ncoding":"wire","error":null,"index":139,"items":null,"kind":"unary","receiver":"",""#,
    r#"request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"plain"},{"entrie"#,
    r#"s":[{"encoding":"wire","error":null,"index":146,"items":null,"kind":"unary","receive"#,
    r#"r":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"ready"},{"#,
    r#""entries":[{"encoding":"wire","error":null,"index":153,"items":null,"kind":"unary",""#,
    r#"receiver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"la"#,
    r#"ter"},{"entries":[{"encoding":"wire","error":null,"index":195,"items":null,"kind":"u"#,
    r#"nary","receiver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}],"na"#,
    r#"me":"ask"},{"entries":[{"encoding":"wire","error":null,"index":202,"items":null,"kin"#,
    r#"d":"unary","receiver":"","request":{"type":{"ref":3}},"response":{"type":{"ref":3}}}"#,
    r#"],"name":"ask_later"},{"entries":[{"encoding":"wire","error":null,"index":216,"items"#,
    r#"":null,"kind":"unary","receiver":"","request":{"type":{"ref":3}},"response":{"type":"#,
    r#"{"ref":3}}}],"name":"ask_by_hand"},{"entries":[{"encoding":"wire","error":null,"inde"#,
    r#"x":223,"items":null,"kind":"unary","receiver":"","request":{"type":{"ref":3}},"respo"#,
    r#"nse":{"type":{"ref":3}}}],"name":"ask_by_hand_later"},{"entries":[{"encoding":"wire""#,
    r#","error":null,"index":230,"items":null,"kind":"unary","receiver":"Adder","request":{"#,
    r#""type":{"ref":3}},"response":{"type":{"ref":3}}}],"name":"Adder.add"}],"name":"bench"#,
    r#"","types":[{"name":"BenchConfig","record":[{"default":true,"name":"upcall","type":"u"#,
    r#"64"}]},{"name":"Division","pod":[{"name":"a","type":"i64"},{"name":"b","type":"i64"}"#,
    r#"]},{"name":"Quotient","pod":[{"name":"quotient","type":"f64"}]},{"name":"Value","pod"#,
    r#"":[{"name":"value","type":"i32"}]},{"name":"Parts","record":[{"name":"parts","type":"#,
    r#"{"list":"string"}}]},{"name":"Joined","record":[{"name":"text","type":"string"}]},{""#,
    r#"name":"Values","record":[{"name":"values","type":{"list":"any"}}]},{"name":"DividePa"#,
    r#"rameters","record":[{"name":"a","type":"i64"},{"name":"b","type":"i64"}]},{"name":"P"#,
    r#"erson","record":[{"name":"name","type":"string"}]},{"name":"Greeting","record":[{"na"#,
    r#"me":"text","type":"string"}]},{"name":"Reading","record":[{"name":"instrument","type"#,
    r#"":"u32"},{"name":"at","type":"i64"},{"name":"low","type":"f64"},{"name":"high","type"#,
    r#"":"f64"},{"name":"weight","type":"f32"},{"name":"count","type":"u16"}]},{"name":"Ite"#,
    r#"m","record":[{"name":"number","type":"u32"},{"name":"name","type":"string"},{"name":"#,
    r#""price","type":"f64"}]},{"enum":{"variants":[{"fields":[{"name":"radius","type":"f64"#,
    r#""}],"name":"Circle"},{"fields":[{"name":"width","type":"f64"},{"name":"height","type"#,
    r#"":"f64"}],"name":"Rectangle"},{"fields":[{"name":"text","type":"string"}],"name":"La"#,
    r#"bel"}]},"name":"Shape"},{"name":"Students","record":[{"name":"students","type":{"lis"#,
    r#"t":{"ref":14}}}]},{"name":"Student","record":[{"name":"name","type":"string"},{"name"#,
    r#"":"friends","type":"i32"},{"name":"home","type":{"ref":15}},{"name":"birth","type":{"#,
    r#""ref":15}},{"name":"date","type":{"ref":16}},{"name":"subjects","type":{"list":{"ref"#,
    r#"":17}}},{"name":"emails","type":{"list":"string"}},{"name":"schools","type":{"list":"#,
    r#"{"ref":18}}}]},{"name":"Address","record":[{"name":"city","type":"string"},{"name":""#,
    r#"zip","type":"i32"},{"name":"street","type":"string"},{"name":"number","type":"i16"}]"#,
    r#"},{"name":"Date","record":[{"name":"year","type":"i32"},{"name":"month","type":"i32""#,
    r#"},{"name":"day","type":"i32"}]},{"name":"Subject","record":[{"name":"id","type":"i32"#,
    r#""},{"name":"title","type":"string"},{"name":"text","type":"string"}]},{"name":"Schoo"#,
    r#"l","record":[{"name":"name","type":"string"},{"name":"address","type":{"ref":15}},{""#,
    r#"name":"date","type":{"ref":16}},{"name":"emails","type":{"list":"string"}}]}],"versi"#,
    r#"on":"0.1.0"}"#,
);

/// Two numbers to divide.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Division {
    /// What is divided.
    pub a: i64,
    /// By what.
    pub b: i64,
}

/// A quotient.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Quotient {
    /// The quotient.
    pub quotient: f64,
}

/// A question, and its answer.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Value {
    /// The number.
    pub value: i32,
}

/// Texts to join.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Parts {
    /// The texts.
    pub parts: Vec<String>,
}

/// Joined texts.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Joined {
    /// All of them.
    pub text: String,
}

/// A list of values whose types only the values themselves know.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Values {
    /// The values.
    pub values: Vec<typed::Value>,
}

/// Somebody to greet.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Person {
    /// What they're called.
    pub name: String,
}

/// How somebody is greeted.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Greeting {
    /// What is said.
    pub text: String,
}

/// What an instrument has measured: numbers of different widths.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Reading {
    /// Which instrument it was.
    pub instrument: u32,
    /// When, in seconds.
    pub at: i64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// How much it counts.
    pub weight: f32,
    /// How often it was measured.
    pub count: u16,
}

/// Something that's sold.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Item {
    /// Which one it is.
    pub number: u32,
    /// What it's called.
    pub name: String,
    /// What it costs.
    pub price: f64,
}

/// Something that can be drawn.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Shape {
    /// Round.
    Circle {
        /// From the middle to the line.
        radius: f64,
    },
    /// With four corners.
    Rectangle {
        /// From left to right.
        width: f64,
        /// From top to bottom.
        height: f64,
    },
    /// Text.
    Label {
        /// What it says.
        text: String,
    },
}

/// All students.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Students {
    /// 34 of them.
    pub students: Vec<Student>,
}

/// A student.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Student {
    /// 43 characters.
    pub name: String,
    /// From 0 to 599.
    pub friends: i32,
    /// Where the student lives.
    pub home: Address,
    /// Where the student was born.
    pub birth: Address,
    /// When the student was born.
    pub date: Date,
    /// 34 of them.
    pub subjects: Vec<Subject>,
    /// 34 of 37 characters.
    pub emails: Vec<String>,
    /// 34 of them.
    pub schools: Vec<School>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Address {
    /// 12 characters.
    pub city: String,
    /// From 5000 to 7999.
    pub zip: i32,
    /// 16 characters.
    pub street: String,
    /// From 1 to 125.
    pub number: i16,
}

/// A day.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Date {
    /// From 1900 to 1929.
    pub year: i32,
    /// From 1 to 12.
    pub month: i32,
    /// From 1 to 30.
    pub day: i32,
}

/// What is taught.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Subject {
    /// From 0 to 28344.
    pub id: i32,
    /// 22 characters.
    pub title: String,
    /// 16 characters.
    pub text: String,
}

/// A school.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct School {
    /// 36 characters.
    pub name: String,
    /// Where it is.
    pub address: Address,
    /// Since when it has been there.
    pub date: Date,
    /// 34 of 37 characters.
    pub emails: Vec<String>,
}
