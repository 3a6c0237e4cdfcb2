//! The server: TCP on a free port of 127.0.0.1 and, where there are any, a Unix socket.

use std::io::Write as _;

use anyhow::{Context as _, Result};
use tokio::io::AsyncReadExt as _;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use crate::LARGEST_MESSAGE;
use crate::proto::bench_server::BenchServer;
use crate::service::Service;

/// Serves until standard input ends, so that no server outlives the program that started it. Says on standard output
/// where it listens: `tcp 127.0.0.1:PORT`, `unix PATH`, and `ready`, a line each.
///
/// # Errors
/// When it can't listen.
pub async fn serve() -> Result<()> {
    let service = BenchServer::new(Service::default())
        .max_decoding_message_size(LARGEST_MESSAGE)
        .max_encoding_message_size(LARGEST_MESSAGE);
    let mut stdout = std::io::stdout();

    let loopback = "127.0.0.1:0".parse()?;
    let incoming = TcpIncoming::bind(loopback).context("listening on 127.0.0.1")?;
    // What `Server::serve` would do by default.
    let incoming = incoming.with_nodelay(Some(true));
    writeln!(stdout, "tcp {}", incoming.local_addr()?)?;
    let tcp = Server::builder().add_service(service.clone());
    let tcp = tokio::spawn(tcp.serve_with_incoming(incoming));

    #[cfg(unix)]
    let (folder, unix) = {
        let folder = tempfile::Builder::new()
            .prefix("rustbridge-grpc-")
            .tempdir()?;
        let path = folder.path().join("socket");
        let listener = tokio::net::UnixListener::bind(&path)
            .with_context(|| format!("listening on {}", path.display()))?;
        writeln!(stdout, "unix {}", path.display())?;
        let incoming = tokio_stream::wrappers::UnixListenerStream::new(listener);
        let unix = Server::builder().add_service(service);
        (folder, tokio::spawn(unix.serve_with_incoming(incoming)))
    };

    writeln!(stdout, "ready")?;
    stdout.flush()?;
    let mut ignored = Vec::new();
    tokio::io::stdin().read_to_end(&mut ignored).await?;
    tcp.abort();
    #[cfg(unix)]
    {
        unix.abort();
        folder.close()?;
    }
    Ok(())
}
