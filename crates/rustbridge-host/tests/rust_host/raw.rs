//! Typed methods whose messages are bytes or text as they are.

use std::time::Duration;

use rustbridge_host::{CallOptions, Status};

use crate::linked;
use crate::types::{Services, Types};

#[tokio::test(flavor = "current_thread")]
async fn bytes_and_text_alone_go_as_they_are() {
    let client = Types::open(linked::types(), &Services::default()).unwrap();
    assert_eq!(client.hex(&[0, 255]).unwrap(), "00ff");
    assert_eq!(client.unhex("00ff").unwrap(), [0, 255]);
    assert_eq!(client.nonzero(&[0, 255]).unwrap(), 1);
    assert_eq!(client.magic().unwrap(), b"\x89PNG");
    assert_eq!(
        (client.hex(&[]).unwrap(), client.unhex("").unwrap()),
        (String::new(), Vec::new())
    );
    let large = vec![7; 100_000];
    assert_eq!(client.unhex(&client.hex(&large).unwrap()).unwrap(), large);
    let error = client.unhex("abc").unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);

    let timed = client.with_options(CallOptions::new().timeout(Duration::from_secs(60)));
    assert_eq!(timed.hex(&[1]).unwrap(), "01");
    let late = client.with_options(CallOptions::new().timeout(Duration::ZERO));
    assert_eq!(
        late.hex(&[1]).unwrap_err().status(),
        Status::DeadlineExceeded
    );
    let awaited = client.hex_later_async(&[0, 255]).await;
    assert_eq!(awaited.unwrap(), "00ff");
}
