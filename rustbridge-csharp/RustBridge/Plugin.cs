using System;
using System.Collections.Concurrent;
using System.IO;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>One running instance of a plugin.</summary>
/// <remarks>
/// Safe for use from any number of threads at once. Closing waits for running calls; a call that comes too late throws
/// <see cref="PluginException"/> with <see cref="Status.Unavailable"/>.
/// </remarks>
/// <example>
/// <code>
/// using var plugin = Plugin.Load("libhello_plugin.so");
/// Console.WriteLine(plugin.Call("greet", """{"name":"Ada"}"""));
/// </code>
/// </example>
public sealed unsafe partial class Plugin : IDisposable, IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, Method> _json = new();
    private readonly ConcurrentDictionary<string, Method> _raw = new();
    private readonly ConcurrentDictionary<string, Method> _pod = new();
    private PluginDescription? _description;
    private PluginLogLevel _logLevel;

    private Plugin(ulong handle, PluginLogLevel logLevel)
    {
        Handle = handle;
        _logLevel = logLevel;
    }

    /// <summary>Told of what a <see cref="PluginConfig.Log"/> has thrown, on a thread of the core's.</summary>
    public static event Action<Exception>? LogFailed;

    /// <summary>The version of the native library, e.g. <c>0.1.0</c>.</summary>
    /// <exception cref="LibraryNotFoundException">There is no native library.</exception>
    public static string NativeVersion
    {
        get
        {
            NativeLibraryLoader.Ensure();
            return Marshal.PtrToStringUTF8((nint)Native.Version())!;
        }
    }

    /// <summary>The instance's name.</summary>
    public string Name { get; private set; } = "";

    /// <summary>The instance's handle in the host ABI, for code that calls the native library itself.</summary>
    public ulong Handle { get; }

    /// <summary>What the instance is doing.</summary>
    public PluginState State
    {
        get
        {
            uint state;
            int status = Native.State(Handle, &state);
            GC.KeepAlive(this);
            return status == 0 ? (PluginState)state : throw Failures.Of(status, []);
        }
    }

    /// <summary>The level up to which records are made. Setting it takes effect at once.</summary>
    /// <exception cref="PluginException">It's set, and the instance is closed.</exception>
    public PluginLogLevel LogLevel
    {
        get => _logLevel;
        set
        {
            Check(Native.LogSetLevel(Handle, (uint)value), "the log level can't be changed");
            _logLevel = value;
        }
    }

    /// <summary>Loads a plugin from a file and makes an instance of it.</summary>
    /// <param name="path">The library's file. It's copied before it's mapped, so it may be changed or deleted later.</param>
    /// <param name="config">The configuration, and what else is wanted of the instance.</param>
    /// <returns>The instance, to be disposed of.</returns>
    /// <exception cref="PluginException">It can't be loaded, or refuses the configuration; the status says which.</exception>
    /// <exception cref="LibraryNotFoundException">There is no native library of rustbridge's.</exception>
    public static Plugin Load(string path, PluginConfig? config = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Load(path, [], config ?? new PluginConfig());
    }

    /// <summary>Loads a plugin from the bytes of its library and makes an instance of it.</summary>
    /// <param name="image">All bytes of the library.</param>
    /// <param name="config">The configuration, and what else is wanted of the instance.</param>
    /// <returns>The instance, to be disposed of.</returns>
    /// <exception cref="PluginException">It can't be loaded, or refuses the configuration; the status says which.</exception>
    /// <exception cref="LibraryNotFoundException">There is no native library of rustbridge's.</exception>
    public static Plugin Load(ReadOnlySpan<byte> image, PluginConfig? config = null) =>
        Load(null, image, config ?? new PluginConfig());

    /// <summary>Tells what is loaded: the mapped libraries and the live instances. For people and tests.</summary>
    /// <returns>A JSON object.</returns>
    public static string Inspect()
    {
        NativeLibraryLoader.Ensure();
        RbResponse response = default;
        return Response.Text(Native.Inspect(&response), ref response);
    }

    /// <summary>Gives what the plugin says of itself: methods, encodings, schemas, layouts.</summary>
    /// <returns>The description.</returns>
    public PluginDescription Describe() => _description ??= Descriptions.Read(DescribeJson());

    /// <summary>Gives what the plugin says of itself as it has written it.</summary>
    /// <returns>A JSON object; docs/describe.md has its form.</returns>
    public string DescribeJson()
    {
        RbResponse response = default;
        int status = Native.Describe(Handle, &response);
        GC.KeepAlive(this);
        return Response.Text(status, ref response);
    }

    /// <summary>Resolves a method, once for all calls through the result.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="encoding">How requests and responses are laid out.</param>
    /// <returns>The prepared method.</returns>
    /// <exception cref="PluginException">
    /// <see cref="Status.NotFound"/>: there's no such method. <see cref="Status.Unimplemented"/>: it doesn't have that
    /// encoding.
    /// </exception>
    public Method Method(string name, PluginEncoding encoding = PluginEncoding.Json)
    {
        ArgumentNullException.ThrowIfNull(name);
        byte[] utf8 = Utf8Text.Bytes(name);
        RbMethod prepared;
        RbResponse error = default;
        fixed (byte* text = utf8)
        {
            var method = new RbText { Data = text, Len = (nuint)utf8.Length };
            Response.Check(Native.Prepare(Handle, method, (uint)encoding, &prepared, &error), ref error);
        }

        GC.KeepAlive(this);
        return new Method(this, name, null, encoding, prepared);
    }

    /// <summary>Resolves a method by its numeric id, once for all calls through the result.</summary>
    /// <param name="id">Its numeric id.</param>
    /// <param name="encoding">How requests and responses are laid out.</param>
    /// <returns>The prepared method.</returns>
    /// <exception cref="PluginException">
    /// <see cref="Status.NotFound"/>: there's no such method. <see cref="Status.Unimplemented"/>: it doesn't have that
    /// encoding.
    /// </exception>
    public Method Method(uint id, PluginEncoding encoding = PluginEncoding.Json)
    {
        RbMethod prepared;
        RbResponse error = default;
        Response.Check(Native.PrepareId(Handle, id, (uint)encoding, &prepared, &error), ref error);
        GC.KeepAlive(this);
        return new Method(this, $"{id}", id, encoding, prepared);
    }

    /// <summary>Replaces what takes the records. When it returns, the old one isn't called any more.</summary>
    /// <param name="log">The new one, as <see cref="PluginConfig.Log"/>; null for none.</param>
    /// <exception cref="PluginException">The instance is closed.</exception>
    public void SetLogSink(Action<LogRecord>? log)
    {
        int status;
        if (log is null)
        {
            status = Native.LogSetSink(Handle, null);
        }
        else
        {
            RbLogSink sink = new LogSink(log, Name).ToNative();
            status = Native.LogSetSink(Handle, &sink);
        }

        Check(status, "the log sink can't be changed");
    }

    /// <summary>Waits until the records logged so far have been delivered.</summary>
    /// <param name="timeout">How long at most; <see cref="Timeout.InfiniteTimeSpan"/> for good.</param>
    /// <exception cref="PluginException"><see cref="Status.DeadlineExceeded"/>: they haven't been in time.</exception>
    public void FlushLogs(TimeSpan timeout) =>
        Check(Native.LogFlush(Handle, Milliseconds(timeout)), "not every record was delivered in time");

    /// <summary>Gives name and state.</summary>
    /// <returns>For example <c>hello (Active)</c>.</returns>
    public override string ToString() => $"{Name} ({State})";

    /// <summary>What the plugin describes of a prepared method; null if it doesn't.</summary>
    internal EntryDescription? Entry(Method method)
    {
        foreach (MethodDescription described in Describe().Methods)
        {
            if (method.Id is { } id ? described.Id == id : described.Name == method.Name)
            {
                if (described.Entry(method.Encoding) is { } entry)
                {
                    return entry;
                }
            }
        }

        return null;
    }

    internal static void OnLogFailed(Exception error) => Listeners.Tell(LogFailed, error);

    private static Plugin Load(string? path, ReadOnlySpan<byte> image, PluginConfig config)
    {
        NativeLibraryLoader.Ensure();
        byte[] pathBytes = Utf8Text.Bytes(path ?? "");
        ReadOnlySpan<byte> configBytes = config.Json is { } json ? Utf8Text.Bytes(json) : config.Utf8Json.Span;
        byte[] nameBytes = Utf8Text.Bytes(config.Name ?? "");
        string? name = string.IsNullOrEmpty(config.Name) ? null : config.Name;
        LogSink? sink = config.Log is { } log ? new LogSink(log, name) : null;
        PluginLogLevel level = config.LogLevel ?? (sink is null ? PluginLogLevel.Off : PluginLogLevel.Info);
        ulong handle;
        fixed (byte* pathText = pathBytes, imageBytes = image, configText = configBytes, nameText = nameBytes)
        {
            var options = new RbLoadOptions
            {
                Size = (uint)sizeof(RbLoadOptions),
                Flags = (config.PoisonOnPanic ? RbLoadOptions.Poison : 0)
                    | (config.Backtraces ? RbLoadOptions.Backtrace : 0)
                    | (config.OwnCopy ? RbLoadOptions.OwnCopy : 0),
                Path = new RbText { Data = pathText, Len = (nuint)pathBytes.Length },
                Image = imageBytes,
                ImageLen = (nuint)image.Length,
                Config = configText,
                ConfigLen = (nuint)configBytes.Length,
                Name = new RbText { Data = nameText, Len = (nuint)nameBytes.Length },
                LogLevel = (uint)level,
                Log = sink?.ToNative() ?? default,
            };
            RbResponse error = default;
            int status = Native.Load(&options, &handle, &error);
            if (status != 0)
            {
                sink?.Open(name ?? (path is null ? "plugin" : Path.GetFileNameWithoutExtension(path)));
            }

            Response.Check(status, ref error);
        }

        var plugin = new Plugin(handle, level);
        try
        {
            plugin.Name = name ?? JsonText.TopLevelText(plugin.DescribeJson(), "name");
        }
        catch
        {
            plugin.Dispose();
            throw;
        }

        sink?.Open(plugin.Name);
        return plugin;
    }

    /// <summary>Throws for a function of the host ABI that has no payload to explain itself with.</summary>
    private void Check(int status, string what)
    {
        if (status != 0)
        {
            throw new PluginException(Failures.Known(status), $"{what}: the instance {Name} is {State}");
        }

        GC.KeepAlive(this);
    }
}
