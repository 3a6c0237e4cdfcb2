/**
 * The wire format, {@code docs/wire.md}, in Java: runtime support for clients that {@code
 * rustbridge gen} writes.
 *
 * <p>For generated code. Applications use only {@link io.github.rustbridge.wire.Maybe}, {@link
 * io.github.rustbridge.wire.UnitValue} and the exceptions. It may change with every version;
 * clients then have to be regenerated.
 */
package io.github.rustbridge.wire;
