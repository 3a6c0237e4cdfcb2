using System;
using System.Threading;
using System.Threading.Tasks.Sources;

namespace RustBridge.Internal;

/// <summary>What a <see cref="System.Threading.Tasks.ValueTask"/> awaits, which may be used again. One thread completes it, another one awaits it.</summary>
/// <remarks>
/// <see cref="ManualResetValueTaskSourceCore{TResult}"/> is completed before it looks for a continuation. If whoever awaits it sees that and resets it
/// in between, the rest of the completion meets the next use: a continuation runs too early, or a marker is run in place of one, which ends the
/// process. So this isn't completed until nothing of the completion is left, and is reset only then.
/// </remarks>
internal struct Completion
{
    private ManualResetValueTaskSourceCore<bool> _core;

    /// <summary>The version whose completion is over, plus one.</summary>
    private int _over;

    /// <summary>Creates one that isn't completed.</summary>
    public Completion() => _core = new() { RunContinuationsAsynchronously = true };

    /// <summary>The version that is awaited.</summary>
    internal short Version => _core.Version;

    /// <summary>Completes it with a result, once for each version.</summary>
    internal void SetResult(bool result)
    {
        int version = _core.Version + 1;
        try
        {
            _core.SetResult(result);
        }
        finally
        {
            Volatile.Write(ref _over, version);
        }
    }

    /// <summary>Completes it with an error, once for each version.</summary>
    internal void SetException(Exception problem)
    {
        int version = _core.Version + 1;
        try
        {
            _core.SetException(problem);
        }
        finally
        {
            Volatile.Write(ref _over, version);
        }
    }

    /// <summary>Whether there's a result or an error to read.</summary>
    internal bool HasResult(short version) => _core.GetStatus(version) != ValueTaskSourceStatus.Pending;

    /// <summary>The status for whoever awaits it: pending until it may be reset.</summary>
    internal ValueTaskSourceStatus GetStatus(short version)
    {
        bool isOver = IsOver(version);
        ValueTaskSourceStatus status = _core.GetStatus(version);
        return isOver ? status : ValueTaskSourceStatus.Pending;
    }

    internal void OnCompleted(Action<object?> continuation, object? state, short version, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, version, flags);

    /// <summary>Returns the result, or throws the error.</summary>
    internal bool GetResult(short version) => _core.GetResult(version);

    /// <summary>Makes it ready for the next use.</summary>
    /// <returns>Whether it may be used again. If not, the thread that completes it hasn't come to the end yet.</returns>
    internal bool TryReset(short version)
    {
        if (!IsOver(version))
        {
            return false;
        }

        _core.Reset();
        return true;
    }

    private bool IsOver(short version) => Volatile.Read(ref _over) == version + 1;
}
