using System;
using System.Threading;
using System.Threading.Tasks.Sources;

namespace RustBridge.Internal;

/// <summary>The state behind a <see cref="System.Threading.Tasks.ValueTask"/>, which may be reused. One thread completes it, another one awaits it.</summary>
/// <remarks>
/// <see cref="ManualResetValueTaskSourceCore{TResult}"/> first reports that it's completed, and then looks for a continuation. If the awaiting thread
/// resets it between these two steps, the second step affects the next use. A continuation then runs too early, or the runtime ends the process.
/// This struct reports the completion only after both steps, and refuses to be reset before.
/// </remarks>
internal struct Completion
{
    private ManualResetValueTaskSourceCore<bool> _core;

    /// <summary>The version whose completion has ended, plus one.</summary>
    private int _ended;

    /// <summary>Creates a pending one.</summary>
    public Completion() => _core = new() { RunContinuationsAsynchronously = true };

    /// <summary>The version that is awaited.</summary>
    internal short Version => _core.Version;

    /// <summary>Completes it, once for each version.</summary>
    /// <param name="result">The result, if there's no error.</param>
    /// <param name="problem">The error, or null.</param>
    internal void Complete(bool result, Exception? problem = null)
    {
        int ended = _core.Version + 1;
        try
        {
            if (problem is null)
            {
                _core.SetResult(result);
            }
            else
            {
                _core.SetException(problem);
            }
        }
        finally
        {
            Volatile.Write(ref _ended, ended);
        }
    }

    /// <summary>Returns whether there's a result or an error, even if the completion hasn't ended.</summary>
    internal bool HasResult(short version) => _core.GetStatus(version) != ValueTaskSourceStatus.Pending;

    /// <summary>Returns the status, which is pending until the completion has ended.</summary>
    internal ValueTaskSourceStatus GetStatus(short version)
    {
        bool hasEnded = HasEnded(version);
        ValueTaskSourceStatus status = _core.GetStatus(version);
        return hasEnded ? status : ValueTaskSourceStatus.Pending;
    }

    internal void OnCompleted(Action<object?> continuation, object? state, short version, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, version, flags);

    /// <summary>Returns the result, or throws the error.</summary>
    internal bool GetResult(short version) => _core.GetResult(version);

    /// <summary>Makes it ready for the next use, if the completion has ended.</summary>
    /// <returns>Whether it may be reused.</returns>
    internal bool TryReset(short version)
    {
        if (!HasEnded(version))
        {
            return false;
        }

        _core.Reset();
        return true;
    }

    private bool HasEnded(short version) => Volatile.Read(ref _ended) == version + 1;
}
