using System;
using System.Runtime.InteropServices;
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
    private PluginDescription? _description;

    private Plugin(ulong handle, PluginLogLevel logLevel)
    {
        Handle = handle;
        _logLevel = logLevel;
    }

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

    /// <summary>Whether it has services, which need the contexts of calls.</summary>
    internal bool HasServices { get; private init; }

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
            RbResponse error = default;
            Response.Check(Native.State(Handle, &state, &error), ref error);
            GC.KeepAlive(this);
            return (PluginState)state;
        }
    }

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

    private string OwnName()
    {
        RbResponse response = default;
        int status = Native.Name(Handle, &response);
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
    /// <exception cref="ArgumentOutOfRangeException">The number is no encoding.</exception>
    public Method Method(string name, PluginEncoding encoding = PluginEncoding.Json)
    {
        ArgumentNullException.ThrowIfNull(name);
        Throw.IfNoEncoding(encoding);
        return Prepare(name, (uint)encoding);
    }

    /// <summary>Resolves a method by its numeric id, once for all calls through the result.</summary>
    /// <param name="id">Its numeric id.</param>
    /// <param name="encoding">How requests and responses are laid out.</param>
    /// <returns>The prepared method.</returns>
    /// <exception cref="PluginException">
    /// <see cref="Status.NotFound"/>: there's no such method. <see cref="Status.Unimplemented"/>: it doesn't have that
    /// encoding.
    /// </exception>
    /// <exception cref="ArgumentOutOfRangeException">The number is no encoding.</exception>
    public Method Method(uint id, PluginEncoding encoding = PluginEncoding.Json)
    {
        Throw.IfNoEncoding(encoding);
        var prepared = new RbMethod { Size = (uint)sizeof(RbMethod) };
        RbResponse error = default;
        Response.Check(Native.PrepareId(Handle, id, (uint)encoding, &prepared, &error), ref error);
        GC.KeepAlive(this);
        return new Method(this, $"{id}", id, prepared);
    }

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

    private Method Prepare(string name, uint encoding)
    {
        byte[] utf8 = Utf8Text.Bytes(name);
        var prepared = new RbMethod { Size = (uint)sizeof(RbMethod) };
        RbResponse error = default;
        fixed (byte* text = utf8)
        {
            var method = new RbText { Data = text, Len = (nuint)utf8.Length };
            Response.Check(Native.Prepare(Handle, method, encoding, &prepared, &error), ref error);
        }

        GC.KeepAlive(this);
        return new Method(this, name, null, prepared);
    }
}
