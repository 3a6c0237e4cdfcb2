/**
 * What all backends share: finding the native library, responses that are to be given back,
 * exceptions of error payloads. What a backend implements is {@link io.github.rustbridge.Backend}.
 * Applications have no use for either, and both may change with every version.
 */
package io.github.rustbridge.spi;
