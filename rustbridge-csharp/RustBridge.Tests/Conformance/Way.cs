using System;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Xunit;

namespace RustBridge.Tests.Conformance;

/// <summary>
/// One of the ways to call a method. Each gives the response as bytes, so that all can be compared; what only C# can see is asserted
/// here.
/// </summary>
internal enum Way
{
    /// <summary>Into a new array.</summary>
    Array,

    /// <summary>By a string, for JSON.</summary>
    Text,

    /// <summary>By what .NET reads of the JSON, and writes as text again.</summary>
    Value,

    /// <summary>By name instead of a prepared method, as far as there is such a call.</summary>
    Named,

    /// <summary>From a span, misaligned if asked for, into another.</summary>
    Span,

    /// <summary>From a span into the same memory.</summary>
    SameSpan,

    /// <summary>Into a lease, from a span that is misaligned if asked for.</summary>
    Lease,
}

/// <summary>Calls in one of the ways.</summary>
internal static unsafe class Ways
{
    private static readonly JsonTypeInfo<JsonElement> Json = (JsonTypeInfo<JsonElement>)new JsonSerializerOptions
    {
        MaxDepth = 1000,
        TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
    }.GetTypeInfo(typeof(JsonElement));

    private const int Guard = 32;
    private const byte Fill = 0xa5;

    /// <summary>Whether the response goes into memory of the caller's, so that its size matters.</summary>
    internal static bool HasStorage(this Way way) => way is Way.Span or Way.SameSpan;

    /// <summary>Whether the request's address can be chosen.</summary>
    internal static bool CanMisalign(this Way way) => way is Way.Span or Way.Lease;

    /// <summary>Calls.</summary>
    /// <param name="way">How.</param>
    /// <param name="method">What.</param>
    /// <param name="byName">Whether the case gives the method by its name.</param>
    /// <param name="request">The request.</param>
    /// <param name="capacity">The storage's size, for those that have storage.</param>
    /// <param name="offset">How far past a multiple of 16 the request lies, for those that can misalign.</param>
    internal static byte[] Call(this Way way, Method method, bool byName, byte[] request, int capacity, int offset)
    {
        bool json = method.Encoding == PluginEncoding.Json;
        switch (way)
        {
            case Way.Text:
                return Encoding.UTF8.GetBytes(method.Call(Encoding.UTF8.GetString(request)));
            case Way.Value:
                JsonElement value = JsonSerializer.Deserialize(request, Json);
                return JsonSerializer.SerializeToUtf8Bytes(method.Call(value, Json, Json), Json);
            case Way.Named when json && byName:
                return method.Plugin.Call(method.Name, request);
            case Way.Span:
                return ThroughSpans(method, request, capacity, offset);
            case Way.SameSpan:
                return ThroughOneSpan(method, request, capacity);
            case Way.Lease:
                using (var placed = new Placed(request.Length, offset))
                {
                    request.CopyTo(placed.Span);
                    return Taken(offset == 0 ? method.CallRawZeroCopy(placed.Span) : method.CallRawZeroCopyUnshared(placed.Span));
                }

            default:
                return json ? method.Call(request) : method.CallRawBytes(request);
        }
    }

    private static byte[] ThroughSpans(Method method, byte[] request, int capacity, int offset)
    {
        using var placed = new Placed(request.Length, offset);
        request.CopyTo(placed.Span);
        using var whole = new Placed(capacity + (2 * Guard), 0);
        whole.Span.Fill(Fill);
        try
        {
            Span<byte> storage = whole.Span.Slice(Guard, capacity);
            return OrTooLarge(method, placed.Span, storage, copied: offset == 0);
        }
        finally
        {
            Assert.Equal(-1, whole.Span[..Guard].IndexOfAnyExcept(Fill));
            Assert.Equal(-1, whole.Span[(Guard + capacity)..].IndexOfAnyExcept(Fill));
            Assert.True(placed.Span.SequenceEqual(request), "the request was written to");
        }
    }

    private static byte[] ThroughOneSpan(Method method, byte[] request, int capacity)
    {
        var memory = new byte[Math.Max(request.Length, capacity)];
        request.CopyTo(memory, 0);
        return OrTooLarge(method, memory.AsSpan(0, request.Length), memory.AsSpan(0, capacity), copied: true);
    }

    /// <summary>Calls with a request that is copied, or goes as it is: misaligned, where that is what the case is about.</summary>
    private static byte[] OrTooLarge(Method method, ReadOnlySpan<byte> request, Span<byte> storage, bool copied)
    {
        int length;
        try
        {
            length = (method.Encoding == PluginEncoding.Json, copied) switch
            {
                (true, true) => method.Call(request, storage),
                (true, false) => method.CallUnshared(request, storage),
                (false, true) => method.CallRaw(request, storage),
                (false, false) => method.CallRawUnshared(request, storage),
            };
        }
        catch (ResponseTooLargeException tooLarge)
        {
            Assert.True(tooLarge.Response.Length > storage.Length, "it would have fitted");
            Assert.Equal(storage.Length, tooLarge.Capacity);
            return tooLarge.Response.ToArray();
        }

        return storage[..length].ToArray();
    }

    private static byte[] Taken(RawResponse response)
    {
        using (response)
        {
            byte[] bytes = response.ToArray();
            Assert.Equal(bytes.Length, response.Length);
            Assert.True(response.Memory.Span.SequenceEqual(bytes), "span and memory differ");
            return bytes;
        }
    }

    /// <summary>Memory at an address that is so much past a multiple of 16.</summary>
    private readonly ref struct Placed(int length, int offset)
    {
        private readonly byte* _whole = (byte*)NativeMemory.AlignedAlloc((nuint)(length + 16), 16);

        internal Span<byte> Span => new(_whole + offset, length);

        public void Dispose() => NativeMemory.AlignedFree(_whole);
    }
}
