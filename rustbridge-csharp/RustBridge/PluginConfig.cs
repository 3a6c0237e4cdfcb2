using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>How to load a plugin: its configuration, and what the host wants of the instance. Immutable.</summary>
/// <example>
/// <code>
/// new PluginConfig { Json = """{"first_user":100}""", Name = "users", LogLevel = PluginLogLevel.Debug, Log = Console.WriteLine }
/// </code>
/// </example>
public sealed record PluginConfig
{
    /// <summary>What the plugin's <c>create</c> gets, as JSON text; null is <c>{}</c>.</summary>
    public string? Json { get; init; }

    /// <summary>The same as JSON in UTF-8, for those who have it so; unused if there is a <see cref="Json"/>.</summary>
    public ReadOnlyMemory<byte> Utf8Json { get; init; }

    /// <summary>What to call the instance in messages and records; null is the plugin's own name.</summary>
    public string? Name { get; init; }

    /// <summary>
    /// The level up to which records are made. Null is <see cref="PluginLogLevel.Info"/> with a <see cref="Log"/>,
    /// and <see cref="PluginLogLevel.Off"/> without.
    /// </summary>
    public PluginLogLevel? LogLevel { get; init; }

    /// <summary>
    /// What takes the records: one at a time, in order, on a thread of the core's. A slow one costs records, never
    /// calls. What it throws is given to <see cref="Plugin.LogFailed"/>.
    /// </summary>
    /// <remarks>If it refers to the plugin, a plugin that is dropped without being closed is never collected.</remarks>
    public Action<LogRecord>? Log { get; init; }

    /// <summary>
    /// How many records may wait for <see cref="Log"/> before the newest are dropped; 0 is the core's own number, 4096.
    /// </summary>
    public int LogCapacity { get; init; }

    /// <summary>
    /// How many plain handlers of the plugin may run on threads of their own at once, those that are offloaded or wait for the items of a
    /// stream, and how many <see cref="Services"/> that the plugin awaits. What is beyond waits; 0 is the core's own number, 512.
    /// </summary>
    public int Threads { get; init; }

    /// <summary>The functions of the host's that the plugin may call. One that it needs and that is missing keeps it from being loaded.</summary>
    /// <remarks>If one refers to the plugin, a plugin that is dropped without being closed is never collected.</remarks>
    public IReadOnlyList<PluginService> Services { get; init; } = [];

    /// <summary>Whether a panic makes the instance refuse further calls. By default it goes on.</summary>
    public bool PoisonOnPanic { get; init; }

    /// <summary>Whether the Rust backtrace of a panic goes into <see cref="PluginException.Backtrace"/>.</summary>
    public bool Backtraces { get; init; }

    /// <summary>
    /// Whether the library is mapped once more for this instance alone, for plugins with global state of their own.
    /// Costs a mapping that stays for the life of the process.
    /// </summary>
    public bool OwnCopy { get; init; }

    /// <summary>What the typed client was written from that loads; null if none does.</summary>
    internal string? Contract { get; init; }

    /// <summary>Gives the defaults with the plugin's configuration as an object.</summary>
    /// <typeparam name="T">The type of the configuration.</typeparam>
    /// <param name="value">What the plugin's <c>create</c> gets as JSON.</param>
    /// <param name="type">How to write it, from a <c>JsonSerializerContext</c>.</param>
    /// <returns>The defaults with that.</returns>
    public static PluginConfig Of<T>(T value, JsonTypeInfo<T> type) =>
        new() { Json = JsonSerializer.Serialize(value, type) };

    /// <summary>As <see cref="Of{T}(T, JsonTypeInfo{T})"/>, for a type that is looked into by reflection.</summary>
    /// <typeparam name="T">The type of the configuration.</typeparam>
    /// <param name="value">What the plugin's <c>create</c> gets as JSON.</param>
    /// <param name="options">How to write it; null is <see cref="JsonSerializerDefaults.Web"/>.</param>
    /// <returns>The defaults with that.</returns>
    [RequiresUnreferencedCode(Reflected.Unreferenced)]
    [RequiresDynamicCode(Reflected.Dynamic)]
    public static PluginConfig Of<T>(T value, JsonSerializerOptions? options = null) => Of(value, Reflected.Type<T>(options));

    /// <summary>Gives what the host wants of the instance, without the plugin's configuration, which may hold secrets.</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        string config = Json is null && Utf8Json.IsEmpty ? "{}" : "...";
        return $"{nameof(PluginConfig)} {{ Json = {config}, Name = {Name}, LogLevel = {LogLevel}, LogCapacity = {LogCapacity}, Threads = {Threads}, "
            + $"Services = [{string.Join(", ", Services)}], "
            + $"PoisonOnPanic = {PoisonOnPanic}, Backtraces = {Backtraces}, OwnCopy = {OwnCopy} }}";
    }
}
