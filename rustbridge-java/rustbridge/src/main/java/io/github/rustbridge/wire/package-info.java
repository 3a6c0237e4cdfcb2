/**
 * The wire form, {@code docs/wire.md}, in Java: what clients that {@code rustbridge gen} writes are
 * made of.
 *
 * <p>For generated code: of this, people meet {@link io.github.rustbridge.wire.Maybe}, {@link
 * io.github.rustbridge.wire.UnitValue} and the exceptions. It may change with every version, and
 * then clients are to be written anew.
 */
package io.github.rustbridge.wire;
