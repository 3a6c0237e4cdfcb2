using System;
using System.Threading;
using System.Threading.Tasks.Sources;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

/// <summary>The reusable state behind the ValueTasks of calls and streams.</summary>
public sealed class CompletionTests
{
    private const int Rounds = 20_000;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    [Fact]
    public void Two_threads_may_reuse_one_again_and_again()
    {
        var shared = new Shared();
        var completer = new Thread(() => shared.Complete(Rounds)) { IsBackground = true };
        completer.Start();
        for (int round = 1; round <= Rounds; round++)
        {
            short version = shared.Completion.Version;
            Assert.False(shared.Completion.HasResult(version));
            Volatile.Write(ref shared.Asked, round);
            Assert.True(SpinWait.SpinUntil(() => shared.Completion.GetStatus(version) == ValueTaskSourceStatus.Succeeded, Patience));
            Assert.Equal(round % 2 == 0, shared.Completion.GetResult(version));
            Assert.True(shared.Completion.TryReset(version));
        }

        Assert.True(completer.Join(Patience));
    }

    [Fact]
    public void It_can_not_be_reset_before_its_completion_has_ended()
    {
        var completion = new Completion();
        short version = completion.Version;
        bool isReset = true;
        using var read = new ManualResetEventSlim();
        // This context runs the continuation inside the completion.
        SynchronizationContext? before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new Inline());
        try
        {
            completion.OnCompleted(
                _ =>
                {
                    Assert.Equal(ValueTaskSourceStatus.Pending, completion.GetStatus(version));
                    Assert.True(completion.HasResult(version) && completion.GetResult(version));
                    isReset = completion.TryReset(version);
                    read.Set();
                },
                null,
                version,
                ValueTaskSourceOnCompletedFlags.UseSchedulingContext);
        }
        finally
        {
            SynchronizationContext.SetSynchronizationContext(before);
        }

        completion.Complete(true);
        Assert.True(read.Wait(Patience));
        Assert.False(isReset);
        Assert.Equal(ValueTaskSourceStatus.Succeeded, completion.GetStatus(version));
    }

    private sealed class Inline : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => d(state);
    }

    private sealed class Shared
    {
#pragma warning disable SA1401 // Both threads use the fields themselves.
        internal Completion Completion = new();
        internal int Asked;
#pragma warning restore SA1401

        internal void Complete(int rounds)
        {
            for (int round = 1; round <= rounds; round++)
            {
                if (!SpinWait.SpinUntil(() => Volatile.Read(ref Asked) == round, Patience))
                {
                    return;
                }

                Completion.Complete(round % 2 == 0);
            }
        }
    }
}
