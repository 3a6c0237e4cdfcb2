/*
 * rustbridge.hpp: the host API in C++20, over rustbridge.h. Header-only; link librustbridge.
 *
 * In short: `rustbridge::Plugin::load` a plugin, call its methods by `call_json`, and let it go out of scope. The guide,
 * docs/guide/cpp.md, has examples. This file is written by hand. rustbridge.h is the contract: it specifies when each function may
 * be called. Comments here cover only the differences in C++.
 *
 * OWNERSHIP
 *   `Plugin`, `Object`, `Response`, `Stream` and `Queue` own their resource and can be moved, not copied. One that was moved from is
 *   empty: its functions throw an `Error`, and destroying it does nothing. `Method`, `PendingCall` and the like are numbers: they can
 *   be copied, and may outlive their plugin; calls are then refused. A `Response` keeps its memory, also after the plugin was
 *   closed.
 *
 * ERRORS
 *   Functions throw `Error`, unless their comment documents another result. No exception of your functions crosses into the
 *   library: the plugin receives those of services as errors; those of log sinks and event functions are swallowed.
 *
 * THREADS
 *   A `Plugin`, `Method`, `PodMethod`, `PendingCall` or `Cancellation` may be used by several threads at once, but not while it's
 *   moved, assigned or destroyed. All other types are for one thread at a time, like containers.
 *
 * BYTES
 *   Requests are borrowed until the function returns, and mustn't change meanwhile. Use `Method::shared` for memory that other
 *   threads may write to.
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
