package io.github.rustbridge;

import io.github.rustbridge.internal.Json;
import java.util.HashMap;
import java.util.Map;

/** The types of errors that a plugin distinguishes when it calls services, from a client schema. */
final class ServiceErrors {
  private final String clientSchema;

  /** The number of each service's error type, read when a service first fails. */
  private volatile Map<String, Integer> numbers;

  ServiceErrors(String clientSchema) {
    this.clientSchema = clientSchema;
  }

  /**
   * Returns the error payload in the wire format for an exception with which a service fails; null
   * if it isn't of the type that the plugin distinguishes.
   */
  byte[] payload(String service, Throwable thrown) {
    if (!(PluginFailures.cause(thrown) instanceof PluginException failure)) {
      return null;
    }
    Integer number = numbers().get(service);
    return number == null ? null : failure.payloadAs(clientSchema, number);
  }

  private Map<String, Integer> numbers() {
    Map<String, Integer> known = numbers;
    if (known == null) {
      known = new HashMap<>();
      for (Object described :
          Json.array(Json.object(Json.tryParse(clientSchema)).get("services"))) {
        Map<String, Object> service = Json.object(described);
        Object type = Json.object(service.get("error")).get("type");
        if (type instanceof Map<?, ?> named && named.get("ref") instanceof Number number) {
          known.put(String.valueOf(service.get("name")), number.intValue());
        }
      }
      numbers = known;
    }
    return known;
  }
}
