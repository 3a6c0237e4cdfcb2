/** Streams of items: from a plugin, for a loop or for subscribers, and to a plugin. */
package io.github.rustbridge.streams;
