//! The benchmark messages. Their content is a function of the request alone, given here in full, so that a host can
//! compute the expected bytes (two digits and so on mean padded with zeros):
//!
//! * **small**: `value` = `value_for_` + key, `ttl_seconds` = 3600, `cache_hit` = the lowest bit of `flags`.
//! * **medium**: for user U: `username` = `user_U`, `email` = `U@example.com`, `display_name` = `User U`;
//!   `metadata` = `meta_key_i` → `meta_value_i` for i = 0..10 (two digits) if `include_metadata`; `permissions` =
//!   `resource_i:read_write` for i = 0..15 (two digits) if `include_permissions`; `created_at` =
//!   2024-01-01T00:00:00Z, `updated_at` = 2024-06-15T12:30:00Z, `last_login_at` = 2024-06-30T08:15:00Z.
//!   `include_fields` and `max_results` are read and change nothing.
//! * **large**: n = min(`page_size`, 1000, what's left) results, numbered from the page's first: the number in
//!   `page_token` (`p2000` is 2000), or 0. Result i of query Q has `id` = `result-i` (six digits), `name` = `Result i`,
//!   `description` = `Description of result i for query Q`, `category` = `category_` + i mod 10, `tags` = `tag_` +
//!   i mod 20, (i + 1) mod 20, (i + 2) mod 20, `score` = (1000 - i mod 1000) / 1000, `metadata` = `rank` → i + 1 as
//!   text, `source` → `index_` + i mod 4, `created_at` = 2024-01-01T00:00:00Z + i minutes. `total_count` = 10000;
//!   `next_page_token` = `p` + (first + n), or null when that is the total. Filters are read and change nothing.
//!
//! What isn't included is absent from JSON; map keys come in alphabetical order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustbridge::prelude::*;

use crate::clock;

/// 2024-01-01T00:00:00Z.
const NEW_YEAR_2024: u64 = 1_704_067_200;
const TTL_SECONDS: u32 = 3600;
const METADATA_PAIRS: usize = 10;
const PERMISSIONS: usize = 15;
const MAX_PAGE: u64 = 1000;
const TOTAL_COUNT: u64 = 10_000;

/// A key to look up.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct SmallRequest<'a> {
    /// The key.
    #[serde(borrow)]
    pub key: Cow<'a, str>,
    /// The lowest bit says whether it's to be a hit.
    pub flags: u32,
}

/// What was found.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct SmallResponse {
    /// The value.
    pub value: String,
    /// How long it stays valid.
    pub ttl_seconds: u32,
    /// Whether it was there.
    pub cache_hit: bool,
}

/// [`SmallRequest`] as 76 bytes.
#[derive(Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct SmallPodRequest {
    /// 1.
    pub version: u8,
    /// 0.
    pub reserved: [u8; 3],
    /// The key in UTF-8; what's behind `key_len` is ignored.
    pub key: [u8; 64],
    /// Bytes of `key` in use, at most 54, so that the value fits into the response.
    pub key_len: u32,
    /// The lowest bit says whether it's to be a hit.
    pub flags: u32,
}

/// [`SmallResponse`] as 80 bytes.
#[derive(Pod, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct SmallPodResponse {
    /// 1.
    pub version: u8,
    /// 0.
    pub reserved: [u8; 3],
    /// The value, then zeros.
    pub value: [u8; 64],
    /// Bytes of `value` in use.
    pub value_len: u32,
    /// How long it stays valid.
    pub ttl_seconds: u32,
    /// 1 if it was there, otherwise 0.
    pub cache_hit: u8,
    /// 0.
    pub padding: [u8; 3],
}

pub(crate) fn small(request: &SmallRequest<'_>) -> SmallResponse {
    // One allocation of the right size; `format!` would grow its string.
    let mut value = String::with_capacity(PREFIX.len() + request.key.len());
    value.push_str(PREFIX);
    value.push_str(&request.key);
    SmallResponse {
        value,
        ttl_seconds: TTL_SECONDS,
        cache_hit: request.flags & 1 != 0,
    }
}

const PREFIX: &str = "value_for_";

pub(crate) fn small_pod(request: &SmallPodRequest) -> Result<SmallPodResponse> {
    let key = request.key.get(..request.key_len as usize);
    let key = match key.map(std::str::from_utf8) {
        Some(Ok(key)) if request.version == 1 && key.len() <= 64 - PREFIX.len() => key,
        _ => return Err(invalid_pod(request)),
    };
    let mut value = [0; 64];
    value[..PREFIX.len()].copy_from_slice(PREFIX.as_bytes());
    value[PREFIX.len()..PREFIX.len() + key.len()].copy_from_slice(key.as_bytes());
    Ok(SmallPodResponse {
        version: 1,
        reserved: [0; 3],
        value,
        value_len: (PREFIX.len() + key.len()) as u32,
        ttl_seconds: TTL_SECONDS,
        cache_hit: (request.flags & 1) as u8,
        padding: [0; 3],
    })
}

#[cold]
fn invalid_pod(request: &SmallPodRequest) -> Error {
    Error::invalid_argument(format!(
        "expected version 1 and a key of at most {} bytes of UTF-8, so that the value fits into 64, \
         but got version {} and {} bytes, the first of them {:?}",
        64 - PREFIX.len(),
        request.version,
        request.key_len,
        String::from_utf8_lossy(&request.key[..request.key_len.min(16) as usize]),
    ))
}

/// Whose record to give, and how much of it.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct MediumRequest {
    /// The user's id.
    pub user_id: String,
    /// Groups of fields the caller is interested in.
    pub include_fields: Vec<String>,
    /// What else to give.
    pub options: MediumOptions,
}

/// What else to give of a user's record.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct MediumOptions {
    /// Whether to give the metadata.
    pub include_metadata: bool,
    /// Whether to give the permissions.
    pub include_permissions: bool,
    /// How many results the caller can use.
    pub max_results: u32,
}

/// A user's record.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct MediumResponse {
    /// The user's id.
    pub user_id: String,
    /// The name to log in with.
    pub username: String,
    /// The address.
    pub email: String,
    /// The name to show.
    pub display_name: String,
    /// Ten pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BTreeMap<String, String>>,
    /// Fifteen permissions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// When the record was made.
    pub created_at: String,
    /// When it was changed last.
    pub updated_at: String,
    /// When the user was there last.
    pub last_login_at: String,
}

pub(crate) fn medium(request: &MediumRequest) -> MediumResponse {
    let id = &request.user_id;
    let metadata = || {
        let pair = |i| (format!("meta_key_{i:02}"), format!("meta_value_{i:02}"));
        (0..METADATA_PAIRS).map(pair).collect()
    };
    let permissions = || {
        (0..PERMISSIONS)
            .map(|i| format!("resource_{i:02}:read_write"))
            .collect()
    };
    MediumResponse {
        user_id: id.clone(),
        username: format!("user_{id}"),
        email: format!("{id}@example.com"),
        display_name: format!("User {id}"),
        metadata: request.options.include_metadata.then(metadata),
        permissions: request.options.include_permissions.then(permissions),
        created_at: "2024-01-01T00:00:00Z".to_owned(),
        updated_at: "2024-06-15T12:30:00Z".to_owned(),
        last_login_at: "2024-06-30T08:15:00Z".to_owned(),
    }
}

/// A search.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct LargeRequest<'a> {
    /// Names the query; comes back.
    #[serde(borrow)]
    pub query_id: Cow<'a, str>,
    /// What to look for.
    pub filters: Vec<Filter>,
    /// Results per page, at most 1,000.
    pub page_size: u32,
    /// Where to go on: the last response's `next_page_token`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_token: Option<String>,
}

/// One condition of a search.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The field to compare.
    pub field: String,
    /// How.
    pub operator: String,
    /// With what.
    pub value: String,
}

/// One page of results.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct LargeResponse<'a> {
    /// The query's name.
    #[serde(borrow)]
    pub query_id: Cow<'a, str>,
    /// The page.
    pub results: Vec<SearchResult>,
    /// Results on all pages.
    pub total_count: u64,
    /// Where to go on, or null on the last page.
    pub next_page_token: Option<String>,
}

/// One result of a search.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// Names the result.
    pub id: String,
    /// What to show.
    pub name: String,
    /// More to show.
    pub description: String,
    /// What kind it is.
    pub category: String,
    /// Three of them.
    pub tags: [String; 3],
    /// How well it fits, from 0 to 1.
    pub score: f64,
    /// Two pairs.
    pub metadata: BTreeMap<String, String>,
    /// When it was made.
    pub created_at: String,
}

pub(crate) fn large(request: LargeRequest<'_>) -> Result<LargeResponse<'_>> {
    let first = match &request.page_token {
        None => 0,
        Some(token) => match token.strip_prefix('p').map(str::parse::<u64>) {
            Some(Ok(first)) if first <= TOTAL_COUNT => first,
            _ => {
                return Err(Error::invalid_argument(format!(
                    "`{token}` isn't a page token; take it from a response's `next_page_token`"
                )));
            }
        },
    };
    let end = TOTAL_COUNT.min(first + u64::from(request.page_size).min(MAX_PAGE));
    let results = (first..end)
        .map(|i| search_result(i, &request.query_id))
        .collect();
    Ok(LargeResponse {
        results,
        query_id: request.query_id,
        total_count: TOTAL_COUNT,
        next_page_token: (end < TOTAL_COUNT).then(|| format!("p{end}")),
    })
}

fn search_result(i: u64, query: &str) -> SearchResult {
    SearchResult {
        id: format!("result-{i:06}"),
        name: format!("Result {i}"),
        description: format!("Description of result {i} for query {query}"),
        category: format!("category_{}", i % 10),
        tags: [0, 1, 2].map(|offset| format!("tag_{}", (i + offset) % 20)),
        score: (1000 - i % 1000) as f64 / 1000.0,
        metadata: BTreeMap::from([
            ("rank".to_owned(), (i + 1).to_string()),
            ("source".to_owned(), format!("index_{}", i % 4)),
        ]),
        created_at: clock::seconds(NEW_YEAR_2024 + i * 60),
    }
}

#[cfg(test)]
mod tests {
    use rustbridge::Layout;

    use super::*;

    fn pod_request(key: &str, flags: u32) -> SmallPodRequest {
        let mut padded = [0; 64];
        padded[..key.len()].copy_from_slice(key.as_bytes());
        SmallPodRequest {
            version: 1,
            reserved: [0; 3],
            key: padded,
            key_len: key.len() as u32,
            flags,
        }
    }

    fn page(page_size: u32, page_token: Option<&str>) -> LargeResponse<'static> {
        large(LargeRequest {
            query_id: Cow::Borrowed("q1"),
            filters: Vec::new(),
            page_size,
            page_token: page_token.map(str::to_owned),
        })
        .unwrap()
    }

    #[test]
    fn the_structs_lie_in_memory_as_the_hosts_expect() {
        let offsets = |layout: Layout| -> Vec<_> {
            layout
                .fields()
                .iter()
                .map(|field| (field.name(), field.offset()))
                .collect()
        };
        let request = SmallPodRequest::LAYOUT;
        assert_eq!(request.size(), 76);
        assert_eq!(
            offsets(request),
            [
                ("version", 0),
                ("reserved", 1),
                ("key", 4),
                ("key_len", 68),
                ("flags", 72)
            ]
        );
        let response = SmallPodResponse::LAYOUT;
        assert_eq!(response.size(), 80);
        assert_eq!(
            offsets(response),
            [
                ("version", 0),
                ("reserved", 1),
                ("value", 4),
                ("value_len", 68),
                ("ttl_seconds", 72),
                ("cache_hit", 76),
                ("padding", 77)
            ]
        );
    }

    #[test]
    fn both_encodings_of_small_say_the_same() {
        for (key, flags) in [("bench_key", 1), ("", 0), ("k", 6)] {
            let json = small(&SmallRequest {
                key: Cow::Borrowed(key),
                flags,
            });
            let pod = small_pod(&pod_request(key, flags)).unwrap();
            assert_eq!(&pod.value[..pod.value_len as usize], json.value.as_bytes());
            assert_eq!(pod.ttl_seconds, json.ttl_seconds);
            assert_eq!(pod.cache_hit == 1, json.cache_hit);
        }
    }

    #[test]
    fn a_key_that_cannot_be_answered_is_refused() {
        let longest = "x".repeat(54);
        assert_eq!(small_pod(&pod_request(&longest, 0)).unwrap().value_len, 64);
        for (version, key_len) in [(0, 1), (2, 1), (1, 55), (1, 65), (1, u32::MAX)] {
            let mut request = pod_request("k", 0);
            (request.version, request.key_len) = (version, key_len);
            assert_eq!(
                small_pod(&request).unwrap_err().status(),
                Status::InvalidArgument
            );
        }
        let mut request = pod_request("k", 0);
        request.key[0] = 0xff;
        assert!(small_pod(&request).is_err());
    }

    #[test]
    fn medium_gives_about_a_kilobyte_of_what_was_asked_for() {
        let mut request = MediumRequest {
            user_id: "42".into(),
            include_fields: vec!["profile".into()],
            options: MediumOptions {
                include_metadata: true,
                include_permissions: true,
                max_results: 10,
            },
        };
        let all = medium(&request);
        assert_eq!(
            (all.username.as_str(), all.email.as_str()),
            ("user_42", "42@example.com")
        );
        assert_eq!(all.metadata.as_ref().map(BTreeMap::len), Some(10));
        assert_eq!(all.permissions.as_ref().map(Vec::len), Some(15));
        assert_eq!(all, medium(&request));

        request.options.include_metadata = false;
        request.options.include_permissions = false;
        let some = medium(&request);
        assert_eq!((some.metadata, some.permissions), (None, None));
    }

    #[test]
    fn pages_follow_each_other_to_the_end() {
        let mut token = None;
        let mut seen = 0;
        loop {
            let page = page(999, token.as_deref());
            assert_eq!(page.results[0].id, format!("result-{seen:06}"));
            seen += page.results.len() as u64;
            match page.next_page_token {
                Some(next) => token = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, TOTAL_COUNT);
    }

    #[test]
    fn a_page_has_at_most_a_thousand_results() {
        assert_eq!(page(u32::MAX, None).results.len(), 1000);
        assert_eq!(page(0, None).results.len(), 0);
        let first = &page(1, Some("p61")).results[0];
        assert_eq!(first.created_at, "2024-01-01T01:01:00Z");
        assert_eq!(first.tags, ["tag_1", "tag_2", "tag_3"]);
    }
}
