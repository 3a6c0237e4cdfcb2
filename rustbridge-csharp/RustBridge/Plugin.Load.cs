using System;
using System.Collections.Generic;
using System.Linq;
using RustBridge.Internal;

namespace RustBridge;

/// <content>Loading.</content>
public sealed unsafe partial class Plugin
{
    /// <summary>Loads a plugin from a file and creates an instance.</summary>
    /// <param name="path">
    /// The library's file. It's copied before it's mapped, so it may be changed or deleted later. In a program that is
    /// published as a single file, a library that isn't next to the program is searched for among the files that the
    /// program has extracted.
    /// </param>
    /// <param name="config">The plugin's configuration and the instance's options.</param>
    /// <returns>The instance, which the caller must dispose of.</returns>
    /// <exception cref="PluginException">
    /// The plugin can't be loaded, or refuses the configuration; the status is the reason.
    /// </exception>
    /// <exception cref="ArgumentException">
    /// The path is empty, or the configuration has an invalid level or capacity.
    /// </exception>
    /// <exception cref="LibraryNotFoundException">The native library of rustbridge wasn't found.</exception>
    public static Plugin Load(string path, PluginConfig? config = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        config ??= new PluginConfig();
        return ExtractedFiles.Use(path, file => Load(file, [], config));
    }

    /// <summary>Loads a plugin from the bytes of its library and creates an instance.</summary>
    /// <param name="image">All bytes of the library.</param>
    /// <param name="config">The plugin's configuration and the instance's options.</param>
    /// <returns>The instance, which the caller must dispose of.</returns>
    /// <exception cref="PluginException">
    /// The plugin can't be loaded, or refuses the configuration; the status is the reason.
    /// </exception>
    /// <exception cref="ArgumentException">
    /// The image is empty, or the configuration has an invalid level or capacity.
    /// </exception>
    /// <exception cref="LibraryNotFoundException">The native library of rustbridge wasn't found.</exception>
    public static Plugin Load(ReadOnlySpan<byte> image, PluginConfig? config = null)
    {
        Throw.IfEmpty(image);
        return Load(null, image, config ?? new PluginConfig());
    }

    /// <summary>Returns a plugin's description, without an instance.</summary>
    internal static string DescribeJson(string? path, ReadOnlySpan<byte> image)
    {
        NativeLibraryLoader.Ensure();
        byte[] pathBytes = Utf8Text.Bytes(path ?? "");
        fixed (byte* pathText = pathBytes, imageBytes = Owned(image))
        {
            var options = new RbLoadOptions
            {
                Size = (uint)sizeof(RbLoadOptions),
                Path = new RbText { Data = pathText, Len = (nuint)pathBytes.Length },
                Image = imageBytes,
                ImageLen = (nuint)image.Length,
            };
            RbResponse response = default;
            return Response.Text(Native.DescribePlugin(&options, &response), ref response);
        }
    }

    private static Plugin Load(string? path, ReadOnlySpan<byte> image, PluginConfig config)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(config.LogCapacity);
        ArgumentOutOfRangeException.ThrowIfNegative(config.Threads);
        Throw.IfNoLevel(config.LogLevel ?? PluginLogLevel.Off, nameof(config));
        NativeLibraryLoader.Ensure();
        byte[] pathBytes = Utf8Text.Bytes(path ?? "");
        ReadOnlySpan<byte> configBytes = config.Json is { } json ? Utf8Text.Bytes(json) : config.Utf8Json.Span;
        byte[] nameBytes = Utf8Text.Bytes(config.Name ?? "");
        byte[] clientSchemaBytes = Utf8Text.Bytes(config.ClientSchema ?? "");
        string? name = string.IsNullOrEmpty(config.Name) ? null : config.Name;
        LogSink? sink = config.Log is { } log ? new LogSink(log) : null;
        PluginLogLevel level = config.LogLevel ?? (sink is null ? PluginLogLevel.Off : PluginLogLevel.Info);
        var failures = new FailureLog { Sink = sink, Instance = name ?? "", Level = level };
        ulong handle;
        (byte[] serviceNames, int[] nameEnds) = ServiceNames(config.Services);
        RbLogSink nativeSink = sink?.ToNative() ?? default;
        var services = new RbService[nameEnds.Length];
        fixed (byte* pathText = pathBytes, imageBytes = Owned(image), configText = configBytes, nameText = nameBytes, names = serviceNames)
        fixed (byte* clientSchemaText = clientSchemaBytes)
        fixed (RbService* nativeServices = services)
        {
            for (int i = 0; i < services.Length; i++)
            {
                int start = i == 0 ? 0 : nameEnds[i - 1];
                var serviceName = new RbText { Data = names + start, Len = (nuint)(nameEnds[i] - start) };
                services[i] = new ServiceTarget(config.Services[i], failures).ToNative(serviceName);
            }

            var options = new RbLoadOptions
            {
                Size = (uint)sizeof(RbLoadOptions),
                Flags = (config.PoisonOnPanic ? Rb.LoadPoison : 0)
                    | (config.Backtraces ? Rb.LoadBacktrace : 0)
                    | (config.OwnCopy ? Rb.LoadOwnCopy : 0),
                Path = new RbText { Data = pathText, Len = (nuint)pathBytes.Length },
                Image = imageBytes,
                ImageLen = (nuint)image.Length,
                Config = configText,
                ConfigLen = (nuint)configBytes.Length,
                Name = new RbText { Data = nameText, Len = (nuint)nameBytes.Length },
                LogLevel = (uint)level,
                LogCapacity = (uint)config.LogCapacity,
                Threads = (uint)config.Threads,
                Log = sink is null ? null : &nativeSink,
                Services = nativeServices,
                ServiceCount = (nuint)services.Length,
                ClientSchema = new RbText { Data = clientSchemaText, Len = (nuint)clientSchemaBytes.Length },
            };
            RbResponse error = default;
            Response.Check(Native.Load(&options, &handle, &error), ref error);
        }

        var plugin = new Plugin(handle, level)
        {
            _failures = failures,
            HasServices = services.Length != 0,
            _releases = [.. config.Services.OfType<ReleaseService>()],
        };
        try
        {
            plugin.Name = failures.Instance = name ?? plugin.OwnName();
        }
        catch
        {
            plugin.Dispose();
            throw;
        }

        return plugin;
    }

    /// <summary>Returns the concatenated names of services, and the end of each.</summary>
    private static (byte[] Names, int[] Ends) ServiceNames(IReadOnlyList<PluginService> services)
    {
        var names = new List<byte>();
        var ends = new int[services.Count];
        for (int i = 0; i < ends.Length; i++)
        {
            names.AddRange(Utf8Text.Bytes(services[i].Name));
            ends[i] = names.Count;
        }

        return ([.. names], ends);
    }

    /// <summary>
    /// Returns a copy of a library's bytes. They are read more than once, so a thread that changes the original must not
    /// affect the library's identity.
    /// </summary>
    private static byte[] Owned(ReadOnlySpan<byte> image) => image.ToArray();
}
