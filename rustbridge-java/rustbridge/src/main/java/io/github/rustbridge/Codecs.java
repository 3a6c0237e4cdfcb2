package io.github.rustbridge;

import java.util.Iterator;
import java.util.ServiceLoader;

/** Finds the default codec, when a call first needs it. */
final class Codecs {
  private static final String JACKSON = "com.fasterxml.jackson.databind.ObjectMapper";

  private static volatile JsonCodec found;

  private Codecs() {}

  /**
   * Gives the codec of the process.
   *
   * @return the first that ServiceLoader finds, else Jackson
   * @throws IllegalStateException if there is neither
   */
  static JsonCodec get() {
    JsonCodec codec = found;
    if (codec == null) {
      codec = find(Codecs.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
      found = codec;
    }
    return codec;
  }

  /** The codec that was given, or else that of the process. */
  static JsonCodec given(JsonCodec codec) {
    return codec != null ? codec : get();
  }

  static JsonCodec find(ClassLoader own, ClassLoader context) {
    JsonCodec codec = provided(own);
    if (codec == null && context != own) {
      codec = provided(context);
    }
    if (codec == null) {
      codec = jackson(own);
    }
    if (codec == null) {
      throw new IllegalStateException(
          "calls with objects need a JSON codec, and there is none: add"
              + " com.fasterxml.jackson.core:jackson-databind to the class path, or to the module path"
              + " with a module that requires com.fasterxml.jackson.databind, or provide a "
              + JsonCodec.class.getName()
              + " by ServiceLoader or PluginConfig.codec; calls with JSON text need none");
    }
    return codec;
  }

  private static JsonCodec provided(ClassLoader loader) {
    Iterator<JsonCodec> codecs = ServiceLoader.load(JsonCodec.class, loader).iterator();
    return codecs.hasNext() ? codecs.next() : null;
  }

  private static JsonCodec jackson(ClassLoader loader) {
    Class<?> mapper;
    try {
      mapper = Class.forName(JACKSON, false, loader);
    } catch (ClassNotFoundException absent) {
      return null;
    }
    // On the class path Jackson is in the unnamed module, which a named one doesn't read of itself.
    Codecs.class.getModule().addReads(mapper.getModule());
    return new JacksonCodec();
  }
}
