// Written by `rustbridge gen -l rust` of the plugin `contacts`: write it anew by that, not by hand.
//! Keeps people, and says how they are reached.

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
use std::sync::Arc;

use rustbridge_host::{CallOptions, Error, Load, Plugin, typed};

/// Keeps people, and says how they are reached.
///
/// Any thread may use it, any number at once. Copies are of the same; one that was loaded is closed with the last.
#[derive(Clone, Debug)]
pub struct Contacts(typed::Caller<Methods>);

impl Contacts {
    /// Loads the plugin from a file.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn load(path: impl Into<PathBuf>, services: &Services) -> Result<Self, Error> {
        Self::open(Load::path(path), services)
    }

    /// Loads the plugin as it's said, with a configuration, a name, a log.
    ///
    /// # Errors
    /// If it can't be loaded, or isn't the plugin that this was written of: the error says what differs.
    pub fn open(load: Load<'_>, services: &Services) -> Result<Self, Error> {
        typed::Caller::open(services.register(load)).map(Self)
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

    /// Keeps somebody, and says how many there are.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn add(&self, request: &Contact) -> Result<u32, Error> {
        self.0.call(&self.0.methods.add, request)
    }

    /// Those who are kept under something, in the order in which they came.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn find(&self, request: &Query) -> Result<Vec<Contact>, Error> {
        self.0.call(&self.0.methods.find, request)
    }

    /// Gives somebody another name, and says whether there was anybody of the old one.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn rename(&self, from: &str, to: &str) -> Result<bool, Error> {
        self.0.call(&self.0.methods.rename, &(from, to))
    }

    /// Keeps a picture of somebody.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn portray(&self, portrait: &Portrait, image: &[u8]) -> Result<(), Error> {
        self.0.call(&self.0.methods.portray, &(portrait, image))
    }

    /// The picture of somebody.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn portrait(&self, request: &str) -> Result<(Portrait, Vec<u8>), Error> {
        self.0.call(&self.0.methods.portrait, request)
    }

    /// The place between others.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn middle(&self, request: &[Place]) -> Result<Place, Error> {
        self.0.call(&self.0.methods.middle, request)
    }

    /// How far it is from a place to where somebody is at home, if the host knows that.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn distance(&self, name: &str, from: Place) -> Result<Option<f64>, Error> {
        self.0.call(&self.0.methods.distance, &(name, from))
    }

    /// Tries to reach somebody, which takes its time.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub fn reach(&self, request: &Contact) -> Result<String, typed::Failure<ReachError>> {
        self.0.call(&self.0.methods.reach, request)
    }

    /// Tries to reach somebody, which takes its time.
    ///
    /// # Errors
    /// What the plugin answers; if the request can't be sent, or the answer not be read.
    pub async fn reach_async(
        &self,
        request: &Contact,
    ) -> Result<String, typed::Failure<ReachError>> {
        self.0.call_async(&self.0.methods.reach, request).await
    }
}

#[derive(Debug)]
struct Methods {
    add: typed::Method,
    find: typed::Method,
    rename: typed::Method,
    portray: typed::Method,
    portrait: typed::Method,
    middle: typed::Method,
    distance: typed::Method,
    reach: typed::Method,
}

impl typed::Methods for Methods {
    fn prepare(plugin: &Plugin) -> Result<Self, Error> {
        let method =
            |name, fingerprint| typed::Method::prepare(plugin, name, fingerprint, CONTRACT);
        Ok(Self {
            add: method("add", "e189faf3207eb1aa1ff6be031894c964")?,
            find: method("find", "f3d894417c2dfb6e7e6bee53adf9af7c")?,
            rename: method("rename", "1c6fb897ddf902ba836bf7fb477401bb")?,
            portray: method("portray", "339db6638ef17b7cb62ea0a99578d507")?,
            portrait: method("portrait", "9646ce6165974d6f4d1fa17fb77789f1")?,
            middle: method("middle", "5fd159d99e58b0572b26a363b45a2911")?,
            distance: method("distance", "d08c1a9136bce97a21e6196d3abdcbb6")?,
            reach: method("reach", "097bfde90545b52d70e76f1f4e56f844")?,
        })
    }
}

/// What this was written from, to be compared with the plugin.
const CONTRACT: &str = concat!(
    r#"{"methods":[{"entries":[{"encoding":"wire","error":null,"index":6,"items":null,"kind"#,
    r#"":"unary","receiver":"","request":{"type":{"ref":0}},"response":{"type":"u32"}}],"na"#,
    r#"me":"add"},{"entries":[{"encoding":"wire","error":null,"index":13,"items":null,"kind"#,
    r#"":"unary","receiver":"","request":{"type":{"ref":2}},"response":{"type":{"list":{"re"#,
    r#"f":0}}}}],"name":"find"},{"entries":[{"encoding":"wire","error":null,"index":20,"ite"#,
    r#"ms":null,"kind":"unary","receiver":"","request":{"type":{"ref":3}},"response":{"type"#,
    r#"":"bool"}}],"name":"rename"},{"entries":[{"encoding":"wire","error":null,"index":27,"#,
    r#""items":null,"kind":"unary","receiver":"","request":{"type":{"ref":4}},"response":{""#,
    r#"type":"unit"}}],"name":"portray"},{"entries":[{"encoding":"wire","error":null,"index"#,
    r#"":34,"items":null,"kind":"unary","receiver":"","request":{"type":"string"},"response"#,
    r#"":{"type":{"tuple":[{"ref":5},"bytes"]}}}],"name":"portrait"},{"entries":[{"encoding"#,
    r#"":"wire","error":null,"index":41,"items":null,"kind":"unary","receiver":"","request""#,
    r#":{"type":{"list":{"ref":6}}},"response":{"type":{"ref":6}}}],"name":"middle"},{"entr"#,
    r#"ies":[{"encoding":"wire","error":null,"index":48,"items":null,"kind":"unary","receiv"#,
    r#"er":"","request":{"type":{"ref":7}},"response":{"type":{"option":"f64"}}}],"name":"d"#,
    r#"istance"},{"entries":[{"encoding":"wire","error":{"type":{"ref":8}},"index":55,"item"#,
    r#"s":null,"kind":"unary","receiver":"","request":{"type":{"ref":0}},"response":{"type""#,
    r#":"string"}}],"name":"reach"}],"name":"contacts","services":[{"encoding":"wire","name"#,
    r#"":"registry.home","optional":true,"request":{"type":"string"},"response":{"type":{"o"#,
    r#"ption":{"ref":6}}}}],"types":[{"name":"Contact","record":[{"name":"name","type":"str"#,
    r#"ing"},{"name":"reached","type":{"ref":1}},{"name":"tags","type":{"list":"string"}},{"#,
    r#""name":"age","type":{"option":"u32"}}]},{"enum":{"variants":[{"fields":[{"name":"add"#,
    r#"ress","type":"string"}],"name":"Email"},{"fields":[{"name":"country","type":"u16"},{"#,
    r#""name":"number","type":"string"}],"name":"Phone"},{"name":"Nowhere"}]},"name":"Reach"#,
    r#""},{"name":"Query","record":[{"name":"tag","type":"string"},{"default":true,"name":""#,
    r#"at_most","type":"u32"}]},{"name":"RenameParameters","record":[{"name":"from","type":"#,
    r#""string"},{"name":"to","type":"string"}]},{"name":"PortrayParameters","record":[{"na"#,
    r#"me":"portrait","type":{"ref":5}},{"name":"image","type":"bytes"}]},{"name":"Portrait"#,
    r#"","record":[{"name":"name","type":"string"},{"name":"media_type","type":"string"}]},"#,
    r#"{"name":"Place","pod":[{"name":"x","type":"f64"},{"name":"y","type":"f64"}]},{"name""#,
    r#":"DistanceParameters","record":[{"name":"name","type":"string"},{"name":"from","type"#,
    r#"":{"ref":6}}]},{"enum":{"variants":[{"fields":[{"name":"name","type":"string"}],"nam"#,
    r#"e":"Nowhere"}]},"name":"ReachError"}],"version":"0.1.0"}"#,
);

/// Somebody.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Contact {
    /// As they write it themselves.
    pub name: String,
    /// How they are reached.
    pub reached: Reach,
    /// What they are kept under.
    pub tags: Vec<String>,
    /// In years, if they say so.
    pub age: Option<u32>,
}

/// How somebody is reached.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum Reach {
    /// By mail.
    Email {
        /// With an @ in it.
        address: String,
    },
    /// By phone.
    Phone {
        /// Where it rings: 49, say.
        country: u16,
        /// The rest, without zeros in front.
        number: String,
    },
    /// Not at all.
    Nowhere,
}

/// Who is looked for.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Query {
    /// What they are kept under.
    pub tag: String,
    /// How many will do.
    /// None, where the plugin's default is to be taken.
    #[wire(default)]
    pub at_most: Option<u32>,
}

/// What a picture is of, and how it's kept.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub struct Portrait {
    /// Who is on it.
    pub name: String,
    /// `image/png`, say.
    pub media_type: String,
}

/// A place in a plane. A list of them crosses in one copy.
#[derive(Clone, Copy, Debug, PartialEq, typed::Wire)]
#[wire(pod)]
#[repr(C)]
pub struct Place {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// Why somebody isn't reached.
#[derive(Clone, Debug, PartialEq, typed::Wire)]
pub enum ReachError {
    /// They are reached not at all.
    Nowhere {
        /// Who it is.
        name: String,
    },
}

/// What the plugin calls of its host by the names of `registry`.
///
/// It's called on the plugin's threads, any number at once. A panic is the plugin's error, with its message.
pub trait Registry: Send + Sync + 'static {
    /// Where somebody is at home, if that's known.
    ///
    /// # Errors
    /// What the plugin gets in place of an answer.
    fn home(&self, request: String) -> Result<Option<Place>, Error>;
}

/// What the plugin calls of its host: to be given when it's loaded.
#[derive(Clone, Default)]
pub struct Services {
    /// [`Registry`], which it does without as well.
    pub registry: Option<Arc<dyn Registry>>,
}

impl Services {
    /// Registers them with what loads the plugin, for who doesn't leave that to the client.
    pub fn register<'l>(&self, load: Load<'l>) -> Load<'l> {
        let mut load = load.contract(CONTRACT);
        if let Some(group) = &self.registry {
            load = typed::serve(load, "registry.home", group, Registry::home);
        }
        load
    }
}
