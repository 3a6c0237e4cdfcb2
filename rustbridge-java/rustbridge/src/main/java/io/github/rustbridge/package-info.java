/**
 * Loads plugins written in Rust into this process, and calls them.
 *
 * <pre>{@code
 * try (Plugin plugin = Plugin.load(Path.of("libhello_plugin.so"))) {
 *   System.out.println(plugin.call("greet", "{\"name\":\"Ada\"}"));
 * }
 * }</pre>
 *
 * <p>Start with {@link io.github.rustbridge.Plugin}. A call that fails throws the unchecked {@link
 * io.github.rustbridge.PluginException} with the plugin's own message. If an argument is null where
 * null isn't allowed, a {@link NullPointerException} with the parameter's name is thrown.
 */
package io.github.rustbridge;
