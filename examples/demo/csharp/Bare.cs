using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

[assembly: DisableRuntimeMarshalling]
[module: SkipLocalsInit]

/// <summary>
/// Hand-written bindings of the floor's functions, as a careful programmer would write them: static P/Invokes with
/// pointers, text that is transcoded on the stack, and no GC transition where the plugin's method is a leaf.
/// </summary>
internal static unsafe class Bare
{
    public const string Name = "P/Invoke by hand";

    private const string Library = "floor";
    private const int Room = 1024;

    /// <summary>Sets the path of the floor's library.</summary>
    public static void Find(string path) =>
        NativeLibrary.SetDllImportResolver(
            typeof(Bare).Assembly, (name, _, _) => name == Library ? NativeLibrary.Load(path) : 0);

    public static string Echo(string json)
    {
        byte* request = stackalloc byte[Room];
        byte* response = stackalloc byte[Room];
        nuint length;
        int written = Encoding.UTF8.GetBytes(json, new Span<byte>(request, Room));
        Check(floor_echo_json(null, 0, request, (nuint)written, response, Room, &length));
        return Encoding.UTF8.GetString(response, (int)length);
    }

    public static Sum Add(Add request)
    {
        Sum response;
        nuint length;
        Check(floor_add16(null, 0, (byte*)&request, (nuint)sizeof(Add), (byte*)&response, (nuint)sizeof(Sum), &length));
        return response;
    }

    public static Found Look(in Small request)
    {
        Found response;
        nuint length;
        fixed (Small* source = &request)
        {
            Check(floor_small(null, 0, (byte*)source, (nuint)sizeof(Small), (byte*)&response, (nuint)sizeof(Found), &length));
        }

        return response;
    }

    private static void Check(int status)
    {
        if (status != 0)
        {
            throw new InvalidOperationException($"the bare call gave {status}");
        }
    }

    [DllImport(Library)]
    private static extern int floor_echo_json(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [DllImport(Library), SuppressGCTransition]
    private static extern int floor_add16(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [DllImport(Library), SuppressGCTransition]
    private static extern int floor_small(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);
}
