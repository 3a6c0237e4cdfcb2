//! The standard library's types in messages: the same through the wire form and through JSON.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZeroI8, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use rustbridge::__private::wire::{Decode, Encode, read, to_vec};
use rustbridge::prelude::*;
use serde_json::{Value, json};

/// What is on the wire is also a `T` of its own, whose bytes are the same.
fn same<T, W>(value: T, seen: W, json: &Value)
where
    T: Message + Encode + for<'de> Decode<'de> + Debug + PartialEq,
    W: Encode,
{
    let bytes = to_vec(&value).unwrap();
    assert_eq!(bytes, to_vec(&seen).unwrap(), "{value:?}");
    assert_eq!(read::<T>(&bytes).unwrap(), value);
    assert_eq!(&serde_json::to_value(&value).unwrap(), json);
    assert_eq!(serde_json::from_value::<T>(json.clone()).unwrap(), value);
}

#[test]
fn each_is_what_the_table_says() {
    same(Box::<str>::from("a"), "a", &json!("a"));
    same(PathBuf::from("a/b"), "a/b", &json!("a/b"));
    same(Box::<Path>::from(Path::new("a/b")), "a/b", &json!("a/b"));
    same(Bytes::from_static(&[1, 2]), vec![1_u8, 2], &json!([1, 2]));
    same(Box::<[u8]>::from([1, 2]), vec![1_u8, 2], &json!([1, 2]));
    same(Box::<[f64]>::from([1.5]), vec![1.5_f64], &json!([1.5]));
    let texts: Box<[String]> = Box::from(["a".to_owned()]);
    same(texts, vec!["a".to_owned()], &json!(["a"]));
    same(VecDeque::from([1_u16, 2]), vec![1_u16, 2], &json!([1, 2]));
    same(BTreeSet::from([1_u16, 2]), vec![1_u16, 2], &json!([1, 2]));
    same(HashSet::<u16>::from([1]), vec![1_u16], &json!([1]));
    same([1_u8, 2], [1_u8, 2], &json!([1, 2]));
    same(
        BTreeMap::from([(1_u8, 'a')]),
        vec![(1_u8, 'a')],
        &json!({"1": "a"}),
    );
    same(
        HashMap::<String, bool>::from([("a".to_owned(), true)]),
        vec![("a", true)],
        &json!({"a": true}),
    );
    same(NonZeroU64::MIN, 1_u64, &json!(1));
    same(NonZeroI8::MIN, i8::MIN, &json!(-128));
    same(vec![NonZeroUsize::MIN], vec![1_u64], &json!([1]));
    same(Some(Box::new(1_u8)), Some(1_u8), &json!(1));
    same(
        Duration::new(1, 2),
        (1_u64, 2_u32),
        &json!({"secs": 1, "nanos": 2}),
    );
    same(
        SystemTime::UNIX_EPOCH,
        (0_i64, 0_u32),
        &json!({"secs_since_epoch": 0, "nanos_since_epoch": 0}),
    );
    let v4 = Ipv4Addr::new(192, 168, 0, 1);
    same(v4, "192.168.0.1", &json!("192.168.0.1"));
    same(IpAddr::V4(v4), "192.168.0.1", &json!("192.168.0.1"));
    same(Ipv6Addr::LOCALHOST, "::1", &json!("::1"));
    let socket = SocketAddr::from((v4, 80));
    same(socket, "192.168.0.1:80", &json!("192.168.0.1:80"));
    same(
        BTreeMap::from([(IpAddr::V4(v4), 1_u8)]),
        vec![("192.168.0.1", 1_u8)],
        &json!({"192.168.0.1": 1}),
    );
}

#[test]
fn what_is_no_such_value_is_refused() {
    fn refused<T: for<'de> Decode<'de> + Debug>(request: impl Encode, why: &str) {
        let problem = read::<(u8, T)>(&to_vec(&(1_u8, request)).unwrap()).unwrap_err();
        assert_eq!(problem.path(), "1", "{problem}");
        assert!(problem.message().contains(why), "{problem}");
    }
    refused::<NonZeroU64>(0_u64, "0 isn't allowed");
    refused::<IpAddr>("1.2.3", "\"1.2.3\" isn't an IP address");
    refused::<Ipv4Addr>("::1", "\"::1\" isn't an IPv4 address");
    refused::<Ipv6Addr>("1.2.3.4", "isn't an IPv6 address");
    refused::<SocketAddr>("1.2.3.4", "\"1.2.3.4\" isn't an IP address with a port");
    refused::<SocketAddrV4>("[::1]:1", "isn't an IPv4 address with a port");
    refused::<SocketAddrV6>("1.2.3.4:1", "isn't an IPv6 address with a port");
}

proptest! {
    #[test]
    fn every_address_has_its_text(v4: u32, v6: u128, port: u16, scope: u32) {
        let (v4, v6) = (Ipv4Addr::from(v4), Ipv6Addr::from(v6));
        let v6_with_port = SocketAddrV6::new(v6, port, 0, scope);
        let mapped = SocketAddrV6::new(v4.to_ipv6_mapped(), u16::MAX, 0, u32::MAX);
        for address in [v6_with_port, mapped] {
            same(address, address.to_string(), &json!(address.to_string()));
        }
        same(IpAddr::V6(v6), v6.to_string(), &json!(v6.to_string()));
        same(SocketAddrV4::new(v4, port), format!("{v4}:{port}"), &json!(format!("{v4}:{port}")));
    }
}
