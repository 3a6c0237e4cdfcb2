using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace RustBridge.Internal;

/// <summary>A stream as it's asked for. It's begun whenever it's enumerated.</summary>
/// <typeparam name="T">What it gives.</typeparam>
/// <typeparam name="TReader">How that is read.</typeparam>
internal sealed class ItemStream<T, TReader> : IAsyncEnumerable<T>
    where TReader : struct, IItemReader<T>
{
    /// <summary>The method.</summary>
    internal required Method Method { get; init; }

    /// <summary>The request, which nobody else writes to.</summary>
    internal required byte[] Request { get; init; }

    /// <summary>The objects that are lent to it.</summary>
    internal required PluginObject[] Lent { get; init; }

    /// <summary>How items are read.</summary>
    internal required TReader Reader { get; init; }

    /// <summary>What it carries.</summary>
    internal CallOptions Options { get; init; } = CallOptions.Default;

    /// <summary>Cancels it, in place of the options' token.</summary>
    internal CancellationToken CancellationToken { get; init; }

    /// <summary>Sends items into it until it's over; null if it takes none.</summary>
    internal Func<StreamOperation, CancellationToken, Task>? Pump { get; init; }

    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) => new ItemEnumerator<T, TReader>(this, cancellationToken);

    /// <summary>Begins it.</summary>
    internal StreamOperation Begin(CancellationToken also)
    {
        try
        {
            CancellationToken first = CancellationToken.CanBeCanceled ? CancellationToken : Options.CancellationToken;
            first.ThrowIfCancellationRequested();
            also.ThrowIfCancellationRequested();
            using LentObjects lent = LentObjects.Begin(null, Lent);
            return StreamOperation.Begin(
                Method, 0, Request, lent.Numbers, Options, (ulong)Options.WindowItems, (ulong)Options.WindowBytes, Options.Reply, first, also);
        }
        catch (Exception problem)
        {
            CallReply.FailHeaders(Options, problem);
            throw;
        }
    }
}

/// <summary>Takes the items of one stream.</summary>
/// <remarks>The table of operations doesn't refer to it, only who awaits it does: so one that was dropped is found by its finaliser.</remarks>
/// <typeparam name="T">What it gives.</typeparam>
/// <typeparam name="TReader">How that is read.</typeparam>
internal sealed class ItemEnumerator<T, TReader> : IAsyncEnumerator<T>
    where TReader : struct, IItemReader<T>
{
    private readonly ItemStream<T, TReader> _of;
    private readonly CancellationToken _also;
    private readonly ulong _halfItems;
    private readonly ulong _halfBytes;
#pragma warning disable IDE0044 // A reader may change itself.
    private TReader _reader;
#pragma warning restore IDE0044
    private StreamOperation? _stream;
#pragma warning disable IDE0052 // It's only kept.
    private ExecutionContext? _context;
#pragma warning restore IDE0052
    private CancellationTokenSource? _pumping;
    private ItemBatch? _batch;
    private bool _isOver;
    private ulong _takenItems;
    private ulong _takenBytes;

    internal ItemEnumerator(ItemStream<T, TReader> of, CancellationToken also)
    {
        _of = of;
        _also = also;
        _reader = of.Reader;
        _halfItems = (ulong)(of.Options.WindowItems - (of.Options.WindowItems / 2));
        _halfBytes = (ulong)(of.Options.WindowBytes - (of.Options.WindowBytes / 2));
    }

    /// <summary>Gives a stream up that was dropped.</summary>
    ~ItemEnumerator()
    {
        // A handler's future is dropped inside that, and this thread is everyone's.
        if (_stream is not null && !_isOver)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static dropped => dropped.GiveUpDropped(), this, preferLocal: false);
        }
    }

    public T Current { get; private set; } = default!;

    public ValueTask<bool> MoveNextAsync()
    {
        if (_batch is { } batch
            && !_reader.TakesBatches
            && !_stream!.Cancelled.IsCancellationRequested
            && batch.Next())
        {
            Get(batch);
            return new(true);
        }

        return MoveOn();
    }

    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        GiveUp();
        return default;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<bool> MoveOn()
    {
        if (_isOver)
        {
            return false;
        }

        StreamOperation stream = _stream ?? Begin();
        while (true)
        {
            DropBatch();
            if (stream.Cancelled is { IsCancellationRequested: true } token)
            {
                GiveUp();
                throw new OperationCanceledException(token);
            }

            _batch = stream.TakeBatch();
            if (_batch is not null && _batch.Next())
            {
                Get(_batch);
                return true;
            }

            if (!await stream.WaitForItems().ConfigureAwait(false))
            {
                GiveUp();
                stream.ThrowIfFailed();
                return false;
            }
        }
    }

    private StreamOperation Begin()
    {
        StreamOperation stream = _stream = _of.Begin(_also);
        // The context may refer to this enumerator, which then would never be collected if the table kept the context.
        _context = stream.HandOverContext();
        if (_of.Pump is { } pump)
        {
            _pumping = new CancellationTokenSource();
            // It ends with the stream, and tells that what it has met.
            _ = pump(stream, _pumping.Token);
        }

        return stream;
    }

    private void Get(ItemBatch batch)
    {
        _takenItems += _reader.TakesBatches ? (ulong)batch.Count : 1;
        _takenBytes += (ulong)(_reader.TakesBatches ? batch.All.Length : batch.Place.Length);
        try
        {
            Current = _reader.Read(_of.Method, batch);
        }
        finally
        {
            // One that can't be read was taken all the same, and whoever goes on after it waits for the next.
            if (_takenItems >= _halfItems || _takenBytes >= _halfBytes)
            {
                _stream!.Demand(_takenItems, _takenBytes);
                _takenItems = 0;
                _takenBytes = 0;
            }
        }
    }

    private void DropBatch()
    {
        if (_batch is { } batch)
        {
            _batch = null;
            if (!_reader.TakesBatches)
            {
                batch.DropRest();
            }

            batch.Dispose();
        }
    }

    private bool GiveUp()
    {
        _isOver = true;
        DropBatch();
        bool wasPending = _stream?.GiveUp() ?? false;
        if (_stream is null)
        {
            // It was never begun.
            _of.Options.Reply?.GiveUpHeaders();
        }

        if (Interlocked.Exchange(ref _pumping, null) is { } pumping)
        {
            Cancellations.Cancel(pumping);
            pumping.Dispose();
        }

        return wasPending;
    }

    private void GiveUpDropped()
    {
        if (GiveUp())
        {
            Plugin.OnStreamDropped($"a stream of {_of.Method} was collected without being disposed; it's cancelled now");
        }
    }
}
