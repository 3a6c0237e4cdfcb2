package io.github.rustbridge.wire;

/**
 * An implementation of a callback that accompanies a message.
 *
 * @param callback the name of the callback
 * @param object the host's object, or one of the plugin's
 */
public record CallbackValue(String callback, Object object) {}
