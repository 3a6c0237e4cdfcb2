/**
 * Plugins written in Rust, loaded into this process and called.
 *
 * <pre>{@code
 * try (Plugin plugin = Plugin.load(Path.of("libhello_plugin.so"))) {
 *   System.out.println(plugin.call("greet", "{\"name\":\"Ada\"}"));
 * }
 * }</pre>
 *
 * <p>{@link io.github.rustbridge.Plugin} is where to begin. A call that fails throws {@link
 * io.github.rustbridge.PluginException}, unchecked, with the plugin's own message. Arguments that
 * are null where nothing allows it get a {@link NullPointerException} with the parameter's name.
 */
package io.github.rustbridge;
