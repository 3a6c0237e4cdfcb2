/**
 * Calls: their data in the layout of the host ABI, their submission, the completion queue, and
 * calls with one response, blocking or with a future.
 *
 * <p>A call needs a {@link io.github.rustbridge.calls.Callee}, the request in bytes, {@link
 * io.github.rustbridge.calls.CallSettings} and a {@link io.github.rustbridge.calls.ResponseReader}.
 * The API converts its own types to these.
 */
package io.github.rustbridge.calls;
