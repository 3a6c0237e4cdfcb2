//! Functions of callbacks with objects, called by hosts that don't do what they should.

use std::sync::{Arc, Mutex, OnceLock};

use rustbridge::prelude::*;
use rustbridge_core::{
    Encoding as Codec, Error as CoreError, Load, Method, Object as HostReference, Plugin,
    ServiceCall,
};

/// A card. It counts its own drop.
#[derive(Debug, Default)]
pub struct Card {
    number: u32,
    dropped: Arc<Mutex<Vec<u32>>>,
}

#[object]
impl Card {
    /// Returns the number.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        self.dropped.lock().unwrap().push(self.number);
    }
}

/// Plays.
#[callback]
pub trait Player {
    /// Chooses one of two cards.
    fn choose(&self, one: Object<Card>, other: Object<Card>) -> Result<Object<Card>>;

    /// Accepts a card.
    fn accept(&self, card: Object<Card>) -> Result<u32>;

    /// Returns a card, perhaps later.
    async fn draw(&self) -> Result<Object<Card>>;
}

#[derive(Default)]
pub struct Game {
    dropped: Arc<Mutex<Vec<u32>>>,
}

impl Game {
    fn card(&self, number: u32) -> Object<Card> {
        Object::new(Card {
            number,
            dropped: self.dropped.clone(),
        })
    }
}

#[plugin(name = "game", objects(Card), callbacks(Player), export = false)]
impl Game {
    /// Lets a player choose one of the cards 1 and 2.
    pub fn choose(&self, player: Object<PlayerClient>) -> Result<u32> {
        let chosen = player.choose(self.card(1), self.card(2))?;
        Ok(chosen.number)
    }

    /// Gives a player the card 3.
    pub fn give(&self, player: Object<PlayerClient>) -> Result<u32> {
        player.accept(self.card(3))
    }

    /// Lets a player draw.
    pub async fn draw(&self, player: Object<PlayerClient>) -> Result<u32> {
        Ok(player.draw().await?.number)
    }

    /// Returns a card.
    pub fn deal(&self, number: u32) -> Object<Card> {
        self.card(number)
    }

    /// Returns the numbers of the cards that were dropped.
    pub fn dropped(&self) -> Vec<u32> {
        self.dropped.lock().unwrap().clone()
    }
}

/// What the host does when it's called with a number of a call.
type Act = fn(&Plugin, u64) -> Result<Vec<u8>, CoreError>;

fn open(act: Act) -> Arc<OnceLock<Plugin>> {
    let opened = Arc::<OnceLock<Plugin>>::default();
    // SAFETY: a plugin of ours.
    let mut load = unsafe { Load::linked(rustbridge::entry_point::<Game>(), "game") };
    for name in ["Player.choose", "Player.accept", "Player.draw"] {
        let plugin = Arc::downgrade(&opened);
        let serve = move |request: &[u8], _: &ServiceCall<'_>| {
            assert_eq!(request.len(), 16);
            let call = u64::from_le_bytes(request[8..].try_into().unwrap());
            let plugin = plugin.upgrade().unwrap();
            act(plugin.get().unwrap(), call)
        };
        load = load.service(name, Codec::Wire, serve);
    }
    let release = |_: &[u8], _: &ServiceCall<'_>| Ok(Vec::new());
    let plugin = load
        .service_short("Player:release", Codec::Wire, release)
        .open();
    assert!(opened.set(plugin.unwrap()).is_ok());
    opened
}

fn wire(plugin: &Plugin, name: &str) -> Method {
    plugin.method(name, Codec::Wire).unwrap()
}

/// Asks for the arguments of a call.
fn arguments(plugin: &Plugin, function: &str, call: u64) -> Result<Vec<HostReference>, CoreError> {
    let method = wire(plugin, &format!("Player.{function}:arguments"));
    let answer = method.with().call(&call.to_le_bytes())?;
    Ok(answer.objects)
}

/// Returns a card as the result of a call.
fn returned(
    plugin: &Plugin,
    function: &str,
    call: u64,
    card: &HostReference,
) -> Result<(), CoreError> {
    let method = wire(plugin, &format!("Player.{function}:return"));
    let mut request = call.to_le_bytes().to_vec();
    request.extend(0_u32.to_le_bytes());
    method.with().object(card).call(&request).map(drop)
}

fn play(plugin: &Plugin, name: &str) -> Result<u32, CoreError> {
    let json = |name: &str| plugin.method(name, Codec::Json).unwrap();
    let mut player = json("Player:new").with().call(b"1")?;
    let player = player.objects.remove(0);
    let answer = json(name).with().object(&player).call(b"0")?;
    answer.reply.json()
}

fn dropped(plugin: &Plugin) -> Vec<u32> {
    let method = plugin.method("dropped", Codec::Json).unwrap();
    method.with().call(b"").unwrap().reply.json().unwrap()
}

fn no_such_call(result: Result<Vec<HostReference>, CoreError>) {
    let error = result.unwrap_err();
    assert_eq!(error.status(), Status::NotFound, "{error}");
    assert_eq!(error.type_name(), "rustbridge.NoSuchCall");
}

#[test]
fn a_host_that_does_as_it_should_returns_one_of_the_arguments() {
    let plugin = open(|plugin, call| {
        let cards = arguments(plugin, "choose", call)?;
        returned(plugin, "choose", call, &cards[1])?;
        Ok(Vec::new())
    });
    let plugin = plugin.get().unwrap();
    assert_eq!(play(plugin, "choose").unwrap(), 2);
    let mut dropped = dropped(plugin);
    dropped.sort_unstable();
    assert_eq!(dropped, [1, 2]);
}

#[test]
fn a_host_that_returns_nothing_fails_and_nothing_is_kept() {
    let plugin = open(|_, _| Ok(Vec::new()));
    let plugin = plugin.get().unwrap();
    for (name, lost) in [("choose", 2), ("draw", 2)] {
        let error = play(plugin, name).unwrap_err();
        assert_eq!(error.status(), Status::Internal, "{error}");
        assert_eq!(error.type_name(), "rustbridge.InvalidResponse");
        assert_eq!(dropped(plugin).len(), lost);
    }
    // A service whose response is the result has one here.
    let error = play(plugin, "give").unwrap_err();
    assert_eq!(error.status(), Status::Internal, "{error}");
    assert_eq!(dropped(plugin).len(), 3);
}

#[test]
fn arguments_are_returned_once_and_by_the_method_of_their_function_alone() {
    let plugin = open(|plugin, call| {
        no_such_call(arguments(plugin, "accept", call));
        no_such_call(arguments(plugin, "choose", call + 1));
        let cards = arguments(plugin, "choose", call)?;
        no_such_call(arguments(plugin, "choose", call));
        returned(plugin, "choose", call, &cards[0])?;
        // The last result counts.
        returned(plugin, "choose", call, &cards[1])?;
        returned(plugin, "draw", call + 1, &cards[1]).unwrap_err();
        Ok(Vec::new())
    });
    let plugin = plugin.get().unwrap();
    assert_eq!(play(plugin, "choose").unwrap(), 2);
}

#[test]
fn a_call_that_is_over_is_no_longer_known() {
    static LAST: Mutex<u64> = Mutex::new(0);
    let plugin = open(|plugin, call| {
        *LAST.lock().unwrap() = call;
        drop(arguments(plugin, "accept", call)?);
        Ok(7_u32.to_le_bytes().to_vec())
    });
    let plugin = plugin.get().unwrap();
    assert_eq!(play(plugin, "give").unwrap(), 7);
    let last = *LAST.lock().unwrap();
    no_such_call(arguments(plugin, "accept", last));
    let card = plugin.method("deal", Codec::Json).unwrap();
    let card = card.with().call(b"9").unwrap().objects.remove(0);
    let error = returned(plugin, "choose", last, &card).unwrap_err();
    assert_eq!(error.type_name(), "rustbridge.NoSuchCall");
    drop(card);
    assert_eq!(dropped(plugin), [3, 9]);
}

#[test]
fn an_asynchronous_function_without_parameters_returns_an_object() {
    let plugin = open(|plugin, call| {
        let card = plugin.method("deal", Codec::Json).unwrap();
        let card = card.with().call(b"5")?.objects.remove(0);
        returned(plugin, "draw", call, &card)?;
        Ok(Vec::new())
    });
    let plugin = plugin.get().unwrap();
    assert_eq!(play(plugin, "draw").unwrap(), 5);
    assert_eq!(dropped(plugin), [5]);
}

#[test]
fn another_instance_knows_nothing_of_a_call() {
    static OTHER: OnceLock<Plugin> = OnceLock::new();
    // SAFETY: a plugin of ours.
    let load = unsafe { Load::linked(rustbridge::entry_point::<Game>(), "game") };
    assert!(OTHER.set(load.open().unwrap()).is_ok());
    let plugin = open(|plugin, call| {
        no_such_call(arguments(OTHER.get().unwrap(), "accept", call));
        drop(arguments(plugin, "accept", call)?);
        Ok(1_u32.to_le_bytes().to_vec())
    });
    assert_eq!(play(plugin.get().unwrap(), "give").unwrap(), 1);
}

#[test]
fn a_fake_of_the_plugin_needs_no_host() {
    struct Fake;

    impl Player for Fake {
        fn choose(&self, _one: Object<Card>, other: Object<Card>) -> Result<Object<Card>> {
            Ok(other)
        }

        fn accept(&self, card: Object<Card>) -> Result<u32> {
            Ok(card.number)
        }

        async fn draw(&self) -> Result<Object<Card>> {
            Ok(Object::default())
        }
    }

    let game = Game::default();
    let player = || Object::new(PlayerClient::new(Fake));
    assert_eq!(game.choose(player()).unwrap(), 2);
    assert_eq!(game.give(player()).unwrap(), 3);
}
