using System;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace Shout;

/// <summary>
/// The functions of the plugin's table. An exception that leaves one of them ends the host, so each function that may
/// throw runs its code within <see cref="Guarded"/>.
/// </summary>
internal static unsafe class Exports
{
    private static readonly Table* s_table = MakeTable();

    private delegate byte[] Work();

    [UnmanagedCallersOnly(EntryPoint = "rustbridge_plugin")]
    internal static Table* Plugin(uint hostAbiVersion) => s_table;

    /// <summary>
    /// Creates the table in native memory, which the garbage collector doesn't move. It's never freed, because the library
    /// is never unmapped.
    /// </summary>
    private static Table* MakeTable()
    {
        var table = (Table*)NativeMemory.AllocZeroed((nuint)sizeof(Table));
        table->Size = (uint)sizeof(Table);
        table->AbiVersion = Abi.Version;
        table->Describe = &Describe;
        table->Create = &Create;
        table->Call = &Call;
        table->Destroy = &Destroy;
        table->Extension = &Extension;
        return table;
    }

    [UnmanagedCallersOnly]
    private static int Describe(void* context, Response* response) => Guarded(response, () => Shouter.Description.ToArray());

    [UnmanagedCallersOnly]
    private static int Create(void* context, Host* host, byte* config, nuint length, void** instance, Response* error) =>
        Guarded(error, () =>
        {
            var made = new Shouter(host, new ReadOnlySpan<byte>(config, checked((int)length)));
            *instance = (void*)GCHandle.ToIntPtr(GCHandle.Alloc(made));
            return [];
        });

    [UnmanagedCallersOnly]
    private static int Call(void* instance, uint entry, void* header, byte* request, nuint length, Response* response) =>
        Guarded(response, () =>
        {
            var shouter = (Shouter)GCHandle.FromIntPtr((nint)instance).Target!;
            return shouter.Call(entry, new ReadOnlySpan<byte>(request, checked((int)length)));
        });

    [UnmanagedCallersOnly]
    private static int Destroy(void* instance, Response* error) =>
        Guarded(error, () =>
        {
            GCHandle.FromIntPtr((nint)instance).Free();
            return [];
        });

    [UnmanagedCallersOnly]
    private static void* Extension(void* context, byte* name) => null;

    [UnmanagedCallersOnly]
    private static void Release(Response* response) => NativeMemory.Free(response->Owner);

    /// <summary>
    /// Runs code that may throw. To the caller, an exception other than <see cref="Failure"/> and
    /// <see cref="JsonException"/> is like a panic in Rust.
    /// </summary>
    private static int Guarded(Response* response, Work work)
    {
        try
        {
            try
            {
                return Answer(response, Abi.Ok, work());
            }
            catch (Failure failure)
            {
                return Fail(response, failure.Status, failure.Code, failure.Kind, failure.Message);
            }
            catch (JsonException exception)
            {
                return Fail(response, Abi.InvalidArgument, "INVALID_ARGUMENT", "shout.Json", exception.Message);
            }
            catch (Exception exception)
            {
                return Fail(response, Abi.Internal | Abi.Panicked, "INTERNAL", exception.GetType().Name, exception.Message);
            }
        }
        catch (Exception)
        {
            // There may be no memory left to report the exception, and its property `Message` may throw.
            return Answer(response, Abi.Internal | Abi.Panicked, []);
        }
    }

    private static int Fail(Response* response, int status, string code, string kind, string message)
    {
        var payload = new ErrorPayload(code, message, kind);
        return Answer(response, status, JsonSerializer.SerializeToUtf8Bytes(payload, Json.Default.ErrorPayload));
    }

    /// <summary>
    /// Returns bytes in the caller's buffer, or in memory that the plugin allocates. <see cref="Release"/> frees that memory.
    /// </summary>
    private static int Answer(Response* response, int status, ReadOnlySpan<byte> bytes)
    {
        if (response == null)
        {
            return status;
        }
        response->Length = (nuint)bytes.Length;
        response->Release = null;
        if ((nuint)bytes.Length > response->Capacity)
        {
            try
            {
                response->Owner = NativeMemory.Alloc((nuint)bytes.Length);
            }
            catch (OutOfMemoryException)
            {
                response->Length = 0;
                return status == Abi.Ok ? Abi.ResourceExhausted : status;
            }
            response->Data = (byte*)response->Owner;
            response->Capacity = (nuint)bytes.Length;
            response->Release = &Release;
        }
        bytes.CopyTo(new Span<byte>(response->Data, bytes.Length));
        return status;
    }
}
