/** Kotlin extensions of the API: suspending calls, reified types, and a configuration DSL. */
module io.github.rustbridge.kotlin {
  requires transitive io.github.rustbridge;
  requires transitive kotlin.stdlib;
  requires transitive kotlinx.coroutines.core;
  requires transitive kotlinx.serialization.core;
  requires transitive kotlinx.serialization.json;

  exports io.github.rustbridge.kotlin;
}
