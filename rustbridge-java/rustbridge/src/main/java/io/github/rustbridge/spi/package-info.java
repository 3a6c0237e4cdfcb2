/**
 * Code that all backends share: finding the native library, tracking responses that have to be
 * released, and creating exceptions from error payloads. Backends implement {@link
 * io.github.rustbridge.interop.Backend}. Applications need neither, and both may change with every
 * version.
 */
package io.github.rustbridge.spi;
