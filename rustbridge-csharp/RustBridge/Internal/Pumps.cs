using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text.Json.Serialization.Metadata;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Wire;

namespace RustBridge.Internal;

/// <summary>Send what a source gives into a stream, as fast as that takes it.</summary>
/// <remarks>
/// None of them throws: what the source throws ends the stream, and is thrown where its end is awaited. When the stream is over the
/// source is told by its token; one that doesn't listen is waited for by nobody.
/// </remarks>
internal static class Pumps
{
    /// <summary>How many structs go together at most.</summary>
    private const int Batch = 256;

    /// <summary>Sends objects as JSON.</summary>
    internal static Func<StreamOperation, CancellationToken, Task> Json<T>(IAsyncEnumerable<T> source, JsonTypeInfo<T> type, int kept) =>
        (stream, token) => Run(stream, SendJson(stream, source, type, kept, token));

    /// <summary>Sends values in the wire form.</summary>
    internal static Func<StreamOperation, CancellationToken, Task> Wire<T, TCodec>(IAsyncEnumerable<T> source, Method method)
        where TCodec : struct, IWireCodec<T> =>
        (stream, token) => Run(stream, SendWire<T, TCodec>(stream, source, new SentItems(method), token));

    /// <summary>Sends structs, those together that are there.</summary>
    internal static Func<StreamOperation, CancellationToken, Task> Structs<T>(IAsyncEnumerable<T> source)
        where T : unmanaged =>
        (stream, token) => Run(stream, SendStructs(stream, source, token));

    /// <summary>Sends bytes.</summary>
    internal static Func<StreamOperation, CancellationToken, Task> Bytes(IAsyncEnumerable<ReadOnlyMemory<byte>> source) =>
        (stream, token) => Run(stream, SendBytes(stream, source, token));

    /// <summary>Makes a source of what is there, or waits on the thread that asks; null of null, for whoever takes sources to refuse.</summary>
    internal static IAsyncEnumerable<T> Of<T>(IEnumerable<T> items) => items is null ? null! : Each(items);

    private static async IAsyncEnumerable<T> Each<T>(IEnumerable<T> items)
    {
        foreach (T item in items)
        {
            yield return item;
        }

        await default(ValueTask).ConfigureAwait(false);
    }

    private static async Task Run(StreamOperation stream, Task<bool> sending)
    {
        try
        {
            if (await sending.ConfigureAwait(false))
            {
                _ = stream.Finish(0, []);
            }
        }
        catch (Exception problem)
        {
            // Of one that is over by now, nobody wants to know.
            stream.Fail(problem);
        }
    }

    private static async Task<bool> SendJson<T>(
        StreamOperation stream, IAsyncEnumerable<T> source, JsonTypeInfo<T> type, int kept, CancellationToken token)
    {
        await foreach (T item in source.WithCancellation(token).ConfigureAwait(false))
        {
            // Written once more where it was refused, since the memory that it's written into is the thread's.
            WriteOutcome written;
            long seen;
            do
            {
                seen = stream.Demands;
                written = seen == 0 ? WriteOutcome.Nothing : WriteJson(stream, item, type, kept);
            }
            while (written == WriteOutcome.Nothing && await stream.WaitForDemand(seen).ConfigureAwait(false));
            if (written != WriteOutcome.All)
            {
                return false;
            }
        }

        return true;
    }

    private static WriteOutcome WriteJson<T>(StreamOperation stream, T item, JsonTypeInfo<T> type, int kept)
    {
        using JsonWriter writer = JsonWriter.Take(type.Options, kept);
        return stream.Write(writer.Write(item, type), 1);
    }

    private static async Task<bool> SendWire<T, TCodec>(
        StreamOperation stream, IAsyncEnumerable<T> source, SentItems items, CancellationToken token)
        where TCodec : struct, IWireCodec<T>
    {
        await foreach (T item in source.WithCancellation(token).ConfigureAwait(false))
        {
            // Written once more where it was refused, since the memory that it's written into is the stack's.
            WriteOutcome written;
            long seen;
            do
            {
                seen = stream.Demands;
                written = seen == 0 ? WriteOutcome.Nothing : WriteWire<T, TCodec>(stream, item, items);
            }
            while (written == WriteOutcome.Nothing && await stream.WaitForDemand(seen).ConfigureAwait(false));
            if (written != WriteOutcome.All)
            {
                return false;
            }

            items.Place++;
        }

        return true;
    }

    private static WriteOutcome WriteWire<T, TCodec>(StreamOperation stream, T item, SentItems items)
        where TCodec : struct, IWireCodec<T>
    {
        Span<byte> memory = stackalloc byte[Storage.Stack];
        var writer = new WireWriter(items, memory);
        try
        {
            TCodec.Write(ref writer, item);
            return stream.Write(writer.Written, 1);
        }
        finally
        {
            writer.Dispose();
        }
    }

    private static async Task<bool> SendBytes(
        StreamOperation stream, IAsyncEnumerable<ReadOnlyMemory<byte>> source, CancellationToken token)
    {
        await foreach (ReadOnlyMemory<byte> item in source.WithCancellation(token).ConfigureAwait(false))
        {
            WriteOutcome written;
            long seen;
            do
            {
                seen = stream.Demands;
                written = seen == 0 ? WriteOutcome.Nothing : stream.Write(item.Span, 1);
            }
            while (written == WriteOutcome.Nothing && await stream.WaitForDemand(seen).ConfigureAwait(false));
            if (written != WriteOutcome.All)
            {
                return false;
            }
        }

        return true;
    }

    private static async Task<bool> SendStructs<T>(StreamOperation stream, IAsyncEnumerable<T> source, CancellationToken token)
        where T : unmanaged
    {
        var together = new T[Batch];
        int count = 0;
        IAsyncEnumerator<T> items = source.GetAsyncEnumerator(token);
        await using (items.ConfigureAwait(false))
        {
            while (true)
            {
                ValueTask<bool> next = items.MoveNextAsync();
                // What is there goes before the source is waited for.
                if (count == Batch || !next.IsCompleted)
                {
                    if (!await Send(stream, together, count).ConfigureAwait(false))
                    {
                        await Settle(next).ConfigureAwait(false);
                        return false;
                    }

                    count = 0;
                }

                if (!await next.ConfigureAwait(false))
                {
                    return await Send(stream, together, count).ConfigureAwait(false);
                }

                together[count++] = items.Current;
            }
        }
    }

    /// <summary>Waits for a source that was asked, since it can't be disposed of before.</summary>
    private static async Task Settle(ValueTask<bool> next)
    {
        try
        {
            await next.ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The stream is over, and has an end of its own.
        }
    }

    private static async Task<bool> Send<T>(StreamOperation stream, T[] items, int count)
        where T : unmanaged
    {
        int sent = 0;
        while (sent < count)
        {
            long seen = stream.Demands;
            int now = stream.Room(count - sent, SizeOf<T>());
            WriteOutcome written = seen == 0 ? WriteOutcome.Nothing : stream.Write(MemoryMarshal.AsBytes(items.AsSpan(sent, now)), now);
            if (written == WriteOutcome.Nothing && now > 1 && seen != 0)
            {
                now = 1;
                written = stream.Write(MemoryMarshal.AsBytes(items.AsSpan(sent, now)), now);
            }

            if (written == WriteOutcome.All)
            {
                sent += now;
            }
            else if (written == WriteOutcome.IsOver || !await stream.WaitForDemand(seen).ConfigureAwait(false))
            {
                return false;
            }
        }

        return true;
    }

    private static unsafe int SizeOf<T>()
        where T : unmanaged => sizeof(T);
}
