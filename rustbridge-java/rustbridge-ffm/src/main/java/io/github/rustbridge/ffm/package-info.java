/**
 * The backend over {@code java.lang.foreign}, and what only it can do: calls with {@link
 * java.lang.foreign.MemorySegment}s.
 *
 * <p>{@link io.github.rustbridge.ffm.SegmentMethod} is where to begin; all else is in {@link
 * io.github.rustbridge}.
 */
package io.github.rustbridge.ffm;
