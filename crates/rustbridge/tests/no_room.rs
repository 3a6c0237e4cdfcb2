//! Where the asynchronous runtime can't start: that's an error of the call, and the next one tries again. A program of its own with one test,
//! because it takes from the process what others need.
#![cfg(all(feature = "async", target_os = "linux"))]

use std::time::Duration;

use rustbridge::prelude::*;
use rustbridge_core::{Load, OnPanic, State, handles};

#[derive(Default)]
struct Works;

#[plugin(name = "works", export = false)]
impl Works {
    pub async fn later(&self) -> u32 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        1
    }

    pub fn items(&self) -> impl Stream<Item = Result<u32>> {
        futures_util::stream::iter([Ok(1)])
    }

    pub fn sum(&self, items: Items<u32>) -> Result<u32> {
        items.into_iter().sum()
    }
}

/// A limit of the process's, put back when this is dropped.
struct Limited(libc::__rlimit_resource_t, libc::rlimit);

impl Limited {
    fn to(resource: libc::__rlimit_resource_t, most: u64) -> Limited {
        let mut before = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: both are readable, or writable.
        unsafe {
            assert_eq!(libc::getrlimit(resource, &raw mut before), 0);
            let limit = libc::rlimit {
                rlim_cur: most,
                ..before
            };
            assert_eq!(libc::setrlimit(resource, &raw const limit), 0);
        }
        Limited(resource, before)
    }
}

impl Drop for Limited {
    fn drop(&mut self) {
        // SAFETY: readable.
        unsafe { libc::setrlimit(self.0, &raw const self.1) };
    }
}

/// No descriptor is left.
fn no_descriptors() -> Limited {
    Limited::to(libc::RLIMIT_NOFILE, 0)
}

/// No thread can be made: there's no room for its stack.
fn no_threads() -> Limited {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = status.split(' ').next().unwrap().parse().unwrap();
    // SAFETY: takes nothing but a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    Limited::to(libc::RLIMIT_AS, pages * page + (1 << 20))
}

#[test]
fn a_runtime_that_can_not_start_is_an_error_of_the_call_and_tried_again() {
    // Threads first: the stacks of those that have ended are kept, and used again.
    for limit in [no_threads, no_descriptors] {
        // SAFETY: a plugin of ours.
        let load = unsafe { Load::linked(rustbridge::entry_point::<Works>(), "works") };
        let plugin = load.on_panic(OnPanic::Poison).open().unwrap();
        let json = |name| plugin.method(name, Encoding::Json).unwrap();
        let (later, items, sum) = (json("later"), json("items"), json("sum"));
        let limited = limit();
        let errors = [
            later.call(b"null").unwrap_err(),
            later.call_async(b"null").begin().wait().unwrap_err(),
            items.stream(b"null").iterate().next().unwrap().unwrap_err(),
            sum.send(b"null").1.wait().unwrap_err(),
        ];
        drop(limited);
        for error in errors {
            assert_eq!(
                (error.status(), error.type_name()),
                (Status::ResourceExhausted, "rustbridge.NoRuntime"),
                "{error}"
            );
            assert!(error.message().contains("works"), "{error}");
        }
        assert_eq!(handles::state(plugin.handle()).unwrap(), State::Active);
        assert_eq!(&*later.call(b"null").unwrap(), b"1");
        let item = items.stream(b"null").iterate().next().unwrap();
        assert_eq!(&*item.unwrap(), b"1");
    }
}
