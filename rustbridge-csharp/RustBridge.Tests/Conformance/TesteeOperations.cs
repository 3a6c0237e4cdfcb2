// The judge says when objects are released, not the collector.
#pragma warning disable CA1816
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using RustBridge.Internal;

namespace RustBridge.Tests.Conformance;

/// <summary>
/// A call that the judge has begun. One with one answer goes by what users call; one with items by what their streams are made of, because the judge says itself
/// how much is asked for.
/// </summary>
internal sealed class BegunCall
{
    private readonly Queue<byte[]> _told = new();
    private readonly CallReply _reply = new();
    private StreamOperation? _stream;
    private Task<byte[]>? _answer;
    private bool _isOver;
    private long _demands;

    /// <summary>The core's number for it, 0 if it isn't pending.</summary>
    internal ulong Operation => _stream?.Native ?? _reply.Operation;

    internal StreamOperation? Stream => _stream;

    /// <summary>Begins one, or makes one that waits.</summary>
    internal static BegunCall Begin(Method method, byte how, CallOptions options, byte[] request, ulong items, ulong bytes)
    {
        var call = new BegunCall();
        options = options with { Reply = call._reply, Offload = how == 2 };
        if (how == 1)
        {
            call._answer = Caught(() => method.CallRawBytes(request, options));
        }
        else if (method.IsStreamOut || method.IsStreamIn)
        {
            using LentObjects lent = LentObjects.Begin(null, options.Objects);
            call._stream = StreamOperation.Begin(
                method, Rb.EntryShared, request, lent.Numbers, options, items, bytes, call._reply, default, default);
        }
        else
        {
            call._answer = method.CallRawBytesAsync(request, options).AsTask();
        }

        return call;
    }

    /// <summary>What comes next; a zero if nothing does in time.</summary>
    internal byte[] Next(ulong milliseconds)
    {
        var watch = Stopwatch.StartNew();
        while (true)
        {
            if (_told.TryDequeue(out byte[]? told) || (told = Look()) is not null)
            {
                return told;
            }

            if ((ulong)watch.ElapsedMilliseconds >= milliseconds)
            {
                return [0];
            }

            Thread.Sleep(1);
        }
    }

    /// <summary>Gives it up; nothing is told of it from here on.</summary>
    internal void GiveUp()
    {
        _stream?.GiveUp();
        _isOver = true;
    }

    private static Task<byte[]> Caught(Func<byte[]> call)
    {
        try
        {
            return Task.FromResult(call());
        }
        catch (PluginException error)
        {
            return Task.FromException<byte[]>(error);
        }
    }

    private byte[]? Look()
    {
        if (_isOver)
        {
            return null;
        }

        if (_stream is null)
        {
            return _answer!.IsCompleted ? End(() => _answer.GetAwaiter().GetResult()) : null;
        }

        if (_stream.TakeBatch() is { } batch)
        {
            return Items(batch);
        }

        ValueTask<bool> wait = _stream.WaitForItems();
        if (wait.IsCompletedSuccessfully && !wait.Result)
        {
            return End(() =>
            {
                _stream.ThrowIfFailed();
                return _stream.Answer;
            });
        }

        if (_stream.Demands != _demands)
        {
            _demands = _stream.Demands;
            return [3];
        }

        return null;
    }

    private byte[] End(Func<byte[]> answer)
    {
        _isOver = true;
        int status = 0;
        byte[] bytes;
        try
        {
            bytes = answer();
        }
        catch (PluginException failure)
        {
            status = (int)failure.Status;
            bytes = Testee.Fields(failure);
        }

        using var told = new MemoryStream();
        told.WriteByte(1);
        told.Write(BitConverter.GetBytes(status));
        Write(told, bytes);
        Write(told, _reply.Trailers.Encoded);
        WriteObjects(told, _reply.Objects);
        return told.ToArray();
    }

    private static byte[] Items(ItemBatch batch)
    {
        using var told = new MemoryStream();
        told.WriteByte(2);
        told.Write(BitConverter.GetBytes(batch.Count));
        while (batch.Next())
        {
            Write(told, batch.Item);
        }

        WriteObjects(told, batch.Objects);
        batch.Dispose();
        return told.ToArray();
    }

    private static void Write(MemoryStream told, ReadOnlySpan<byte> bytes)
    {
        told.Write(BitConverter.GetBytes((ulong)bytes.Length));
        told.Write(bytes);
    }

    private static void WriteObjects(MemoryStream told, IReadOnlyList<PluginObject> objects)
    {
        ulong[] numbers = [.. objects.Select(one => one.Number)];
        foreach (PluginObject one in objects)
        {
            // The judge has the number now, and says when it's released.
            GC.SuppressFinalize(one);
        }

        Write(told, MemoryMarshal.AsBytes<ulong>(numbers));
    }
}

/// <summary>The services of an instance that the judge has registered.</summary>
internal sealed class OfferedServices
{
    private const byte Now = 0;
    private const byte Later = 1;
    private const byte Never = 2;
    private const byte Back = 4;
    private const byte Throws = 5;

    private readonly ConcurrentQueue<(string Name, byte[] Request)> _asked = new();
    private readonly List<PluginService> _services = [];

    internal IReadOnlyList<PluginService> Services => _services;

    /// <summary>Registers one.</summary>
    /// <param name="plugin">The instance, when it's asked for.</param>
    /// <param name="name">The service's name.</param>
    /// <param name="encoding">Its encoding.</param>
    /// <param name="mode">How it answers.</param>
    /// <param name="status">With which status.</param>
    /// <param name="answer">And what.</param>
    internal void Add(Func<Plugin> plugin, string name, PluginEncoding encoding, byte mode, int status, byte[] answer)
    {
        byte[] Answer() => status == 0 ? answer : throw Failures.Of(status, answer);
        _services.Add(mode is Later or Never
            ? PluginService.RawAsync(
                name,
                async (request, call) =>
                {
                    _asked.Enqueue((name, request.ToArray()));
                    await Task.Delay(mode == Later ? TimeSpan.FromMilliseconds(1) : Timeout.InfiniteTimeSpan, call.CancellationToken)
                        .ConfigureAwait(false);
                    return Answer();
                },
                encoding)
            : PluginService.Raw(
                name,
                (request, _) =>
                {
                    _asked.Enqueue((name, request.ToArray()));
                    switch (mode)
                    {
                        case Now:
                            return Answer();
                        case Back:
                            return plugin().Method(Encoding.UTF8.GetString(answer), encoding).CallRawBytes(request);
                        case Throws:
                            throw new FormatException("thrown");
                        default:
                            plugin().Close(TimeSpan.Zero);
                            return [];
                    }
                },
                encoding));
    }

    /// <summary>What was asked since this was asked last.</summary>
    internal byte[] Asked()
    {
        using var all = new MemoryStream();
        while (_asked.TryDequeue(out (string Name, byte[] Request) one))
        {
            foreach (byte[] bytes in (byte[][])[Encoding.UTF8.GetBytes(one.Name), one.Request])
            {
                all.Write(BitConverter.GetBytes((ulong)bytes.Length));
                all.Write(bytes);
            }
        }

        return all.ToArray();
    }
}
