using System;
using System.Runtime.InteropServices;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>One running instance of a plugin.</summary>
/// <remarks>
/// Any number of threads may use it at the same time. Closing waits for running calls. A call that comes too late
/// throws <see cref="PluginException"/> with <see cref="Status.Unavailable"/>.
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
    /// <exception cref="LibraryNotFoundException">The native library wasn't found.</exception>
    public static string NativeVersion
    {
        get
        {
            NativeLibraryLoader.Ensure();
            return Marshal.PtrToStringUTF8((nint)Native.Version())!;
        }
    }

    /// <summary>Whether the plugin has services, which need call contexts.</summary>
    internal bool HasServices { get; private init; }

    /// <summary>The instance's name.</summary>
    public string Name { get; private set; } = "";

    /// <summary>The instance's handle in the host ABI, for code that calls the native library directly.</summary>
    public ulong Handle { get; }

    /// <summary>The instance's state.</summary>
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

    /// <summary>Returns a report of the mapped libraries and the live instances, for diagnosis and tests.</summary>
    /// <returns>A JSON object.</returns>
    public static string Inspect()
    {
        NativeLibraryLoader.Ensure();
        RbResponse response = default;
        return Response.Text(Native.Inspect(&response), ref response);
    }

    /// <summary>Returns the plugin's description: its methods, encodings, schemas and layouts.</summary>
    /// <returns>The description.</returns>
    public PluginDescription Describe() => _description ??= Descriptions.Read(DescribeJson());

    /// <summary>Returns the plugin's description as the plugin wrote it.</summary>
    /// <returns>A JSON object; docs/describe.md specifies its format.</returns>
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

    /// <summary>Prepares a method: resolves it once for all calls through the result.</summary>
    /// <param name="name">The method's name.</param>
    /// <param name="encoding">The encoding of requests and responses.</param>
    /// <returns>The prepared method.</returns>
    /// <exception cref="PluginException">
    /// <see cref="Status.NotFound"/>: there is no such method. <see cref="Status.Unimplemented"/>: the method doesn't
    /// have that encoding.
    /// </exception>
    /// <exception cref="ArgumentOutOfRangeException">The encoding isn't valid.</exception>
    public Method Method(string name, PluginEncoding encoding = PluginEncoding.Json)
    {
        ArgumentNullException.ThrowIfNull(name);
        Throw.IfNoEncoding(encoding);
        return Prepare(name, (uint)encoding);
    }

    /// <summary>Prepares a method by its numeric ID: resolves it once for all calls through the result.</summary>
    /// <param name="id">The method's numeric ID.</param>
    /// <param name="encoding">The encoding of requests and responses.</param>
    /// <returns>The prepared method.</returns>
    /// <exception cref="PluginException">
    /// <see cref="Status.NotFound"/>: there is no such method. <see cref="Status.Unimplemented"/>: the method doesn't
    /// have that encoding.
    /// </exception>
    /// <exception cref="ArgumentOutOfRangeException">The encoding isn't valid.</exception>
    public Method Method(uint id, PluginEncoding encoding = PluginEncoding.Json)
    {
        Throw.IfNoEncoding(encoding);
        var prepared = new RbMethod { Size = (uint)sizeof(RbMethod) };
        RbResponse error = default;
        Response.Check(Native.PrepareId(Handle, id, (uint)encoding, &prepared, &error), ref error);
        GC.KeepAlive(this);
        return new Method(this, $"{id}", id, prepared);
    }

    /// <summary>Returns the instance's name and state as text.</summary>
    /// <returns>For example <c>hello (Active)</c>.</returns>
    public override string ToString() => $"{Name} ({State})";

    /// <summary>Returns the description of a prepared method; null if there is none.</summary>
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
