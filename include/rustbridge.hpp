/*
 * rustbridge.hpp: the host in C++20, over rustbridge.h. A header alone; what it needs besides is librustbridge.
 *
 * The shortest way: `rustbridge::Plugin::load` a plugin, `call_json` what it offers, and let it go out of scope. The guide,
 * docs/guide/cpp.md, shows the rest. This file is written by hand; the contract is rustbridge.h, which says in full what may be
 * called when, and comments here say what is special to C++.
 *
 * OWNERSHIP
 *   A `Plugin`, `Object`, `Response`, `Stream`, `Queue` owns what it stands for and can be moved, not copied. One that was moved
 *   from stands for nothing: what is asked of it is refused with an `Error`, and letting go of it does nothing. Methods,
 *   operations and the like are numbers: they may be copied, and outlive their plugin, whose calls are refused from then on.
 *   A `Response` keeps its memory, also after the plugin was closed.
 *
 * ERRORS
 *   What fails throws `Error`. What is told by a value in its place says so. Nothing that your functions throw crosses into the
 *   library: a service answers it, log sinks and functions that are told of calls swallow it.
 *
 * THREADS
 *   A `Plugin`, `Method`, `PodMethod`, `PendingCall`, `Cancellation` may be used by several threads at once, but not while it's moved,
 *   assigned or destroyed. Everything else is for one thread at a time, as a container is.
 *
 * BYTES
 *   Requests are lent until the function returns, and mustn't be written to meanwhile; `Method::shared` is for memory in which
 *   others may.
 */

#ifndef RUSTBRIDGE_HPP
#define RUSTBRIDGE_HPP

#include "rustbridge/causes.hpp"
#include "rustbridge/codes.hpp"
#include "rustbridge/error.hpp"
#include "rustbridge/json.hpp"
#include "rustbridge/log.hpp"
#include "rustbridge/metadata.hpp"
#include "rustbridge/method.hpp"
#include "rustbridge/object.hpp"
#include "rustbridge/pending_call.hpp"
#include "rustbridge/options.hpp"
#include "rustbridge/plugin.hpp"
#include "rustbridge/pod_method.hpp"
#include "rustbridge/queue.hpp"
#include "rustbridge/response.hpp"
#include "rustbridge/service.hpp"
#include "rustbridge/stream.hpp"

#endif  // RUSTBRIDGE_HPP
