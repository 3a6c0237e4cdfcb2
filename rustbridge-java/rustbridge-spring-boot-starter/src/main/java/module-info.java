/** Typed clients as beans of Spring Boot. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.github.rustbridge.spring {
  requires transitive io.github.rustbridge;
  requires spring.beans;
  requires spring.boot;
  requires transitive spring.context;
  requires spring.core;

  uses System.LoggerFinder;

  exports io.github.rustbridge.spring;
}
