using System;
using System.Threading;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace RustBridge.Extensions.DependencyInjection;

/// <summary>Checks a plugin's options before it's loaded.</summary>
/// <param name="name">The options' name: the plugin's key, or empty.</param>
/// <param name="isBound">Whether the options follow a section of the host's configuration.</param>
internal sealed class OptionsValidation(string name, Func<bool> isBound) : IValidateOptions<RustBridgePluginOptions>
{
    public ValidateOptionsResult Validate(string? validated, RustBridgePluginOptions options)
    {
        if (validated != name)
        {
            return ValidateOptionsResult.Skip;
        }

        bool hasPath = !string.IsNullOrEmpty(options.Path);
        string? problem = null;
        if (hasPath == !options.Image.IsEmpty)
        {
            problem = hasPath
                ? $"has both the Path {options.Path} and an Image of its library: set one of them"
                : $"has neither the Path nor the Image of its library: set one of them{Missing(options)}";
        }
        else if (options.Json is not null && options.Config?.Exists() == true)
        {
            problem = "has its configuration twice, as Json and as the section Config: remove one of them";
        }
        else if (options.LogLevel is not (null or (>= PluginLogLevel.Off and <= PluginLogLevel.Trace)))
        {
            problem = $"has the LogLevel {options.LogLevel}, expected Off, Error, Warn, Info, Debug or Trace";
        }
        else if (options.CloseTimeout < TimeSpan.Zero && options.CloseTimeout != Timeout.InfiniteTimeSpan)
        {
            problem = $"has the CloseTimeout {options.CloseTimeout}, expected zero or more, or an infinite one";
        }

        return problem is null ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail($"{Named(name, options)} {problem}");
    }

    /// <summary>
    /// Returns a name for a plugin of the container, with the section that configures it if that is known.
    /// </summary>
    /// <param name="name">The options' name.</param>
    /// <param name="options">The options.</param>
    /// <returns>The beginning of a message.</returns>
    internal static string Named(string name, RustBridgePluginOptions options)
    {
        string named = name.Length == 0 ? "the plugin without a key" : $"the plugin `{name}`";
        return Section(options) is { } section ? $"{named}, configured by the section {section}," : named;
    }

    /// <summary>
    /// Returns the section to which the options are bound: the parent of <see cref="RustBridgePluginOptions.Config"/>.
    /// </summary>
    private static string? Section(RustBridgePluginOptions options)
    {
        const string Own = $":{nameof(RustBridgePluginOptions.Config)}";
        string? path = options.Config?.Path;
        return path?.EndsWith(Own, StringComparison.OrdinalIgnoreCase) == true ? path[..^Own.Length] : path;
    }

    private string Missing(RustBridgePluginOptions options) => options.Config is null && isBound()
        ? ". The section of the configuration to which its options are bound doesn't exist, or is empty: check the path passed to BindConfiguration"
        : "";
}
