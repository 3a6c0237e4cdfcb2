package io.github.rustbridge;

import io.github.rustbridge.calls.Contexts;
import io.github.rustbridge.interop.Backend;
import io.github.rustbridge.interop.LoadRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The result of loading a plugin: a new instance.
 *
 * @param backend the way into the native library
 * @param handle the instance's handle
 * @param name the instance's name
 * @param level the log level
 * @param contexts the contexts of calls, for services; null without any
 * @param hostObjects the host's objects that the instance refers to; null without callbacks
 */
record NewInstance(
    Backend<?> backend,
    long handle,
    String name,
    LogLevel level,
    Contexts contexts,
    HostObjects hostObjects) {

  /** Loads a library from a file. The core reads it, if it can. */
  static NewInstance file(Path library, PluginConfig config) {
    String file = Objects.toString(library.getFileName(), "plugin");
    if (library.getFileSystem() != FileSystems.getDefault()) {
      // For example in a zip file: the core can't read that.
      try {
        return load(null, Files.readAllBytes(library), file, config);
      } catch (IOException error) {
        throw new UncheckedIOException("the plugin " + library + " can't be read", error);
      }
    }
    return load(Text.encode(library.toAbsolutePath().toString()), null, file, config);
  }

  /** Loads a library from its bytes. */
  static NewInstance image(byte[] image, PluginConfig config) {
    return load(null, image, "plugin", config);
  }

  /** Loads a library from a resource of a class loader. */
  static NewInstance resource(Class<?> anchor, String resource, PluginConfig config) {
    byte[] image;
    try (InputStream stream = anchor.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new PluginException(
            Status.NOT_FOUND,
            "rustbridge.NoSuchFile",
            "there is no resource `"
                + resource
                + "` that "
                + anchor
                + " in "
                + anchor.getModule()
                + " can see",
            Map.of(),
            null);
      }
      image = stream.readAllBytes();
    } catch (IOException error) {
      throw new UncheckedIOException("the resource `" + resource + "` can't be read", error);
    }
    return load(null, image, resource.substring(resource.lastIndexOf('/') + 1), config);
  }

  private static NewInstance load(byte[] path, byte[] image, String file, PluginConfig config) {
    Backend<?> backend = BackendChoice.get();
    // An empty name is none, as in the host ABI.
    String given = config.name == null || config.name.isEmpty() ? null : config.name;
    Logging logging = new Logging(config.logger, config.loggers, config.listener);
    LogLevel level = config.logLevel != null ? config.logLevel : logging.effectiveLevel(given);
    byte[] json =
        config.value == null ? config.json : Codecs.given(config.codec).encode(config.value);
    int flags =
        (config.poison ? LoadRequest.POISON : 0)
            | (config.backtrace ? LoadRequest.BACKTRACE : 0)
            | (config.ownCopy ? LoadRequest.OWN_COPY : 0);
    byte[] nameBytes = given == null ? null : Text.encode(given);
    Contexts contexts = config.services.isEmpty() ? null : contexts(config.propagation);
    HostObjects hostObjects = hostObjects(config);
    LoadRequest request =
        new LoadRequest(
            path,
            image,
            json,
            nameBytes,
            flags,
            level.number(),
            config.logCapacity,
            config.threads,
            logging,
            services(backend, config, logging, contexts, hostObjects),
            config.clientSchema);
    String name = given != null ? given : file;
    logging.begin(name, level);
    long handle = backend.load(request);
    try {
      if (given == null) {
        name = new String(backend.instanceName(handle), StandardCharsets.UTF_8);
        logging.begin(name, level);
      }
      return new NewInstance(backend, handle, name, level, contexts, hostObjects);
    } catch (Throwable error) {
      new InstanceCloser(backend, handle, name).abandon(error);
      throw error;
    }
  }

  private static Contexts contexts(ContextPropagation propagation) {
    return new Contexts(propagation == null ? null : new PropagationCapture(propagation));
  }

  private static HostObjects hostObjects(PluginConfig config) {
    Set<String> callbacks = new HashSet<>();
    for (ServiceDeclaration service : config.services) {
      if (service.callback() != null) {
        callbacks.add(service.callback());
      }
    }
    return callbacks.isEmpty() ? null : new HostObjects(Set.copyOf(callbacks));
  }

  private static List<LoadRequest.Service> services(
      Backend<?> backend,
      PluginConfig config,
      Logging logging,
      Contexts contexts,
      HostObjects hostObjects) {
    List<LoadRequest.Service> services = new ArrayList<>();
    for (ServiceDeclaration service : config.services) {
      services.add(
          service.registered(backend.natives(), config.codec, logging, contexts, hostObjects));
    }
    return services;
  }
}
