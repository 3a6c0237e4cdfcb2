using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RustBridge.Benchmarks;

/// <summary>
/// Bare P/Invokes of the functions in <c>benches/floor</c>, which do the same work with no runtime at all. What is a
/// leaf method in the plugin has <c>SuppressGCTransition</c> here too.
/// </summary>
internal static unsafe partial class Floor
{
    internal const string Library = "floor";

    [LibraryImport(Library, EntryPoint = "floor_empty")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Empty(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_pod8")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Pod8(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_nested")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Nested(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_small")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Small(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_big")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Big(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_echo_json")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int EchoJson(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_raw_echo")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int RawEcho(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_add16")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Add16(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_div")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Div(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_answer")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Answer(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_sum")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Sum(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_small_json")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int SmallJson(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_join")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Join(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_raw_fail")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int RawFail(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_numbers")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Numbers(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_blob")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Blob(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_later")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Later(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_never")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Never(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_abort")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Abort(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_count")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Count(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_ticks")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Ticks(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_adder_new")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int AdderNew(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_adder_add")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int AdderAdd(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_adder_drop")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int AdderDrop(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_greet")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Greet(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_next_reading")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int NextReading(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_discount")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Discount(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_around")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Around(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    [LibraryImport(Library, EntryPoint = "floor_twice")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial int Twice(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    /// <summary>As an ordinary method is called, which isn't a leaf.</summary>
    [LibraryImport(Library, EntryPoint = "floor_answer")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Plain(
        byte* handle, uint id, byte* request, nuint len, byte* response, nuint capacity, nuint* responseLen);

    /// <summary>What every caller does with the status.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Check(int status)
    {
        if (status != 0)
        {
            Fail(status);
        }
    }

    private static void Fail(int status) => throw new InvalidOperationException($"the bare call gave {status}");
}
