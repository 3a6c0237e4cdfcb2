/** What knows of no plugin: a reader of JSON, names of platforms, the cache of native libraries. */
package io.github.rustbridge.internal;
