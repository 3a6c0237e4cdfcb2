/**
 * What a backend implements, and what all backends share. Applications have no use for it, and it
 * may change with every version.
 */
package io.github.rustbridge.spi;
