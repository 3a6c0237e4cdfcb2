/**
 * Code that doesn't depend on plugins: a JSON parser, platform names, and the cache of native
 * libraries.
 */
package io.github.rustbridge.internal;
