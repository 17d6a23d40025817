//! Connections: accepted up to a number, given up where nothing moves, and seen to their end when the service is stopped.
//!
//! Whoever sends a head slowly or not at all is disconnected after a time, and so is whoever does not read what is sent. When the service ends, what
//! waits to be accepted still is, and every request whose head has arrived is answered.

use crate::gate::Client;
use crate::options::Options;
use crate::routes::{App, router};
use crate::stalled::Stalled;
use crate::workbench::Workbench;
use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;

/// Why there is no service.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {cause}; choose another with --bind and --port")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
    /// The threads cannot be started, or signals not be heard.
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// Private addresses are a part of all addresses.
    #[error("--fetch-private says which addresses are fetched, but nothing is; add --fetch")]
    PrivateOnly,
    /// The workbench cannot be opened.
    #[error("--workbench: {0}")]
    Workbench(String),
}

/// A service that listens already.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    options: Options,
    workbench: Option<Workbench>,
}

impl Server {
    /// Listens; whoever connects waits until the service [runs](Server::run).
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        if options.fetch_private && !options.fetch {
            return Err(ServeError::PrivateOnly);
        }
        let address = SocketAddr::new(options.bind, options.port);
        let listen = || {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            Ok(listener)
        };
        let workbench = Workbench::open(&options)?;
        Ok(Server { workbench, listener: listen().map_err(|cause| ServeError::Bind { address, cause })?, options })
    }

    /// The address it listens on.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` is there, and then what has been asked before.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        let jobs = self.options.jobs.unwrap_or(cores).max(1);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(cores.min(8))
            // Places of the engine and of the fetcher.
            .max_blocking_threads(jobs + 64)
            .enable_all()
            .build()?;
        let connections = self.options.connections.min(files_allowed());
        runtime.block_on(self.accept(stop, jobs, connections))?;
        // Work that nobody waits for any more is not waited for.
        runtime.shutdown_background();
        Ok(())
    }

    async fn accept(self, stop: impl Future<Output = ()>, jobs: usize, connections: usize) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let (idle, timeout) = (self.options.idle, self.options.timeout);
        let app = Arc::new(App::new(self.options, jobs, self.workbench));
        let service = Service { router: router(Arc::clone(&app)), app, idle, graceful: GracefulShutdown::new() };
        let places = Arc::new(Semaphore::new(connections));
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            match accepted {
                Ok((stream, from)) => service.connection(stream, from, Arc::clone(&places).try_acquire_owned().ok()),
                // Too many open files, or a connection that is gone already: others go on, and some will end.
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
        while let Poll::Ready(Ok((stream, from))) = poll_fn(|context| Poll::Ready(listener.poll_accept(context))).await {
            service.connection(stream, from, Arc::clone(&places).try_acquire_owned().ok());
        }
        drop(listener);
        // A request may still arrive, be fetched for, and be worked on.
        let _ = tokio::time::timeout(idle + timeout * 3, service.graceful.shutdown()).await;
        Ok(())
    }
}

/// What every connection gets.
struct Service {
    router: Router,
    app: Arc<App>,
    idle: Duration,
    graceful: GracefulShutdown,
}

impl Service {
    fn connection(&self, stream: TcpStream, from: SocketAddr, place: Option<OwnedSemaphorePermit>) {
        let Some(place) = place else {
            self.app.metrics.refused_connection();
            // As far as it goes without waiting.
            let _ = stream.try_write(
                b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
            return;
        };
        let _ = stream.set_nodelay(true);
        let router = self.router.clone().map_request(move |mut request: hyper::Request<hyper::body::Incoming>| -> Request {
            request.extensions_mut().insert(Client(from.ip()));
            request.map(axum::body::Body::new)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.idle)
            .max_buf_size(64 << 10)
            // Whoever has said all still hears.
            .half_close(true)
            .serve_connection(TokioIo::new(Stalled::new(stream, self.idle)), TowerToHyperService::new(router));
        let connection = self.graceful.watch(connection);
        let app = Arc::clone(&self.app);
        tokio::spawn(async move {
            let (_place, _open) = (place, app.metrics.connection());
            // How a connection ends is up to the other side.
            let _ = connection.await;
        });
    }
}

/// Runs a service until it is interrupted or asked to end; `ready` is told the address.
///
/// # Errors
/// If the address cannot be listened on, or threads cannot be started.
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let server = Server::bind(options)?;
    ready(server.address()?);
    server.run(interrupted())
}

/// Waits until the process is asked to end.
async fn interrupted() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => return,
            _ = terminate.recv() => return,
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// How many connections the system allows, after it was asked for as many as it can.
fn files_allowed() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
        let allowed = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        // Some are needed for what is fetched, and for the program itself.
        usize::try_from(allowed.saturating_sub(128)).unwrap_or(usize::MAX).max(16)
    }
    #[cfg(not(unix))]
    {
        usize::MAX
    }
}
