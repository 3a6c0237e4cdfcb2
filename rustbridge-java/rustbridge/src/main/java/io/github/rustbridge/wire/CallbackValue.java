package io.github.rustbridge.wire;

/**
 * An implementation of a callback that accompanies a message.
 *
 * @param callback the name of the callback
 * @param object an object of the host or of the plugin
 */
public record CallbackValue(String callback, Object object) {}
