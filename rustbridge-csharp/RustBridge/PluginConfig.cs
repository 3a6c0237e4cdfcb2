using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>How to load a plugin: its configuration, and the instance's options. Immutable.</summary>
/// <example>
/// <code>
/// new PluginConfig { Json = """{"first_user":100}""", Name = "users", LogLevel = PluginLogLevel.Debug, Log = Console.WriteLine }
/// </code>
/// </example>
public sealed record PluginConfig
{
    /// <summary>
    /// The configuration that the plugin's <c>create</c> receives, as JSON text; null means <c>{}</c>.
    /// </summary>
    public string? Json { get; init; }

    /// <summary>The configuration as JSON in UTF-8; ignored if <see cref="Json"/> is set.</summary>
    public ReadOnlyMemory<byte> Utf8Json { get; init; }

    /// <summary>The instance's name for messages and log records; null means the plugin's own name.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// The highest level that is logged. Null means <see cref="PluginLogLevel.Info"/> with a <see cref="Log"/>, and
    /// <see cref="PluginLogLevel.Off"/> without.
    /// </summary>
    public PluginLogLevel? LogLevel { get; init; }

    /// <summary>
    /// The log sink, which receives the records one at a time, in order, on a thread of the core. If it's slow, records
    /// are dropped, but calls aren't delayed. <see cref="Plugin.LogFailed"/> receives its exceptions.
    /// </summary>
    /// <remarks>
    /// If the sink refers to the plugin, a plugin that is dropped without being closed is never collected.
    /// </remarks>
    public Action<LogRecord>? Log { get; init; }

    /// <summary>
    /// How many records may wait for <see cref="Log"/> before the newest are dropped; 0 means the core's default, 4096.
    /// </summary>
    public int LogCapacity { get; init; }

    /// <summary>
    /// How many threads the plugin may use at once for synchronous handlers that are offloaded or wait for the items of
    /// a stream, and how many the library may use for <see cref="Services"/> that the plugin awaits. Further ones wait.
    /// 0 means the core's default, 512.
    /// </summary>
    public int Threads { get; init; }

    /// <summary>
    /// The host's functions that the plugin may call. If a service that the plugin requires is missing, loading fails.
    /// </summary>
    /// <remarks>
    /// If a service refers to the plugin, a plugin that is dropped without being closed is never collected.
    /// </remarks>
    public IReadOnlyList<PluginService> Services { get; init; } = [];

    /// <summary>
    /// Whether a panic poisons the instance, which then refuses further calls. By default, the instance continues.
    /// </summary>
    public bool PoisonOnPanic { get; init; }

    /// <summary>Whether <see cref="PluginException.Backtrace"/> contains the Rust backtrace of a panic.</summary>
    public bool Backtraces { get; init; }

    /// <summary>
    /// Whether a copy of the library is mapped for this instance alone, for plugins with global state. The mapping
    /// stays as long as the process lives.
    /// </summary>
    public bool OwnCopy { get; init; }

    /// <summary>The client schema of the typed client that loads the plugin; null without a typed client.</summary>
    internal string? ClientSchema { get; init; }

    /// <summary>Creates the default options with the plugin's configuration as an object.</summary>
    /// <typeparam name="T">The type of the configuration.</typeparam>
    /// <param name="value">The configuration that the plugin's <c>create</c> receives as JSON.</param>
    /// <param name="type">The serialization metadata of the type, from a <c>JsonSerializerContext</c>.</param>
    /// <returns>The options.</returns>
    public static PluginConfig Of<T>(T value, JsonTypeInfo<T> type) =>
        new() { Json = JsonSerializer.Serialize(value, type) };

    /// <summary>Like <see cref="Of{T}(T, JsonTypeInfo{T})"/>, but inspects the type by reflection.</summary>
    /// <typeparam name="T">The type of the configuration.</typeparam>
    /// <param name="value">The configuration that the plugin's <c>create</c> receives as JSON.</param>
    /// <param name="options">How to serialize; null means <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <returns>The options.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static PluginConfig Of<T>(T value, JsonSerializerOptions? options = null) => Of(value, Reflected.Type<T>(options));

    /// <summary>
    /// Returns the instance's options as text, without the plugin's configuration, which may be secret.
    /// </summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        string config = Json is null && Utf8Json.IsEmpty ? "{}" : "...";
        return $"{nameof(PluginConfig)} {{ Json = {config}, Name = {Name}, LogLevel = {LogLevel}, LogCapacity = {LogCapacity}, Threads = {Threads}, "
            + $"Services = [{string.Join(", ", Services)}], "
            + $"PoisonOnPanic = {PoisonOnPanic}, Backtraces = {Backtraces}, OwnCopy = {OwnCopy} }}";
    }
}
