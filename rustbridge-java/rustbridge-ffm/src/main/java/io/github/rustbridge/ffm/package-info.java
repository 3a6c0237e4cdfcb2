/**
 * The backend over {@code java.lang.foreign}, and its additional API: calls with {@link
 * java.lang.foreign.MemorySegment}s.
 *
 * <p>Start with {@link io.github.rustbridge.ffm.SegmentMethod}. The rest of the API is in {@link
 * io.github.rustbridge}.
 */
package io.github.rustbridge.ffm;
